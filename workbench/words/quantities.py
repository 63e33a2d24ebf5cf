"""Large numbers and bytes with a unit, and what makes timings comparable."""

from __future__ import annotations


def short_number(value: float) -> str:
    """Three figures and a unit.

    >>> short_number(1_934_000), short_number(20_500), short_number(12), short_number(999_900)
    ('1.93 M', '20.5 k', '12', '1 M')
    """
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= 0.9995 * size:  # what is rounded up to a unit has its name
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g}"


def megabytes(n_bytes: float) -> str:
    """Bytes as a person reads them.

    >>> megabytes(38_200_000), megabytes(5_000)
    ('38 MB', '5 KB')
    """
    for unit, size, figures in (("GB", 1e9, 2), ("MB", 1e6, 0)):
        if n_bytes >= size:
            return f"{n_bytes / size:.{figures}f} {unit}"
    return f"{n_bytes / 1e3:.0f} KB"


def fairness(threads: int, takes_turns: bool, machine: str) -> str:
    """What makes the times of a race comparable, and on what they were taken.

    >>> fairness(1, True, "2 cores")
    'engine time only · one BLAS thread for both · engines take turns · warm-up not timed · 2 cores'
    """
    blas = "one BLAS thread for both" if threads == 1 else f"{threads:,} BLAS threads for both"
    turns = "engines take turns" if takes_turns else "engines work at the same time"
    return " · ".join(part for part in ("engine time only", blas, turns, "warm-up not timed", machine) if part)
