"""The figures of a race as people read them."""

from __future__ import annotations

import math

from workbench.run.race.frame import Divergence, Figures, RaceFrame
from workbench.words.numbers import MINUS, exponent, fixed, in_words, short, whole

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
BYTES = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"))
FULL_CALL, MANY = 64, 160
"""Samples of a call in which the fast engine shows its speed, and dimensions above which it needs that many."""
MOST_PLACES = 12


def duration(seconds: float, beside: float = 0.0) -> str:
    """A time in three figures, in the unit of the one that stands beside it where that is longer.

    >>> duration(0.0185, 12.2), duration(12.2, 0.0185), duration(0.000137, 0.04), duration(0, 3), duration(1e-9, 100)
    ('0.0185 s', '12.2 s', '0.137 ms', '0 s', '0.00000000100 s')
    >>> duration(0.0162), duration(3.05), duration(1234.5), duration(137e-6), duration(0), duration(float("nan"))
    ('16.2 ms', '3.05 s', '1,234 s', '137 µs', '0 s', '–')
    """
    if not seconds:
        return "0 s"
    if not math.isfinite(seconds):
        return in_words(seconds)
    # Rounded before the unit is chosen: 0.9999 s is not 1,000 ms.
    rounded, longest = float(f"{seconds:.3g}"), float(f"{max(seconds, beside):.3g}")
    size, unit = next(((size, unit) for size, unit in UNITS if longest >= size), UNITS[-1])
    if longest > rounded and rounded < size:
        return f"{rounded / size:.{2 - exponent(rounded / size)}f} {unit}"
    return f"{short((seconds if rounded >= 1000 * size else rounded) / size, 3)} {unit}"


def memory(n_bytes: float) -> str:
    """Bytes in three figures.

    >>> memory(20_700_000), memory(640), memory(1_320_000_000)
    ('20.7 MB', '640 B', '1.32 GB')
    """
    for size, unit in BYTES:
        if n_bytes >= size:
            return f"{short(n_bytes / size, 3)} {unit}"
    return f"{n_bytes:.0f} B"


def factor(value: float) -> str:
    """How many times as fast.

    >>> factor(2410.3), factor(24.13), factor(0.871), factor(float("nan"))
    ('2,410×', '24.1×', '0.871×', '–')
    """
    return f"{short(value, 3)}×" if math.isfinite(value) else in_words(value)


def rough(value: float) -> str:
    """The size of a difference, to one figure.

    >>> rough(3.2e-13), rough(-0.0002), rough(0.0), rough(float("inf"))
    ('3e−13', '−2e−4', '0', 'infinite')
    """
    if not value or not math.isfinite(value):
        return "0" if not value else short(value)
    mantissa, power = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(power)}".replace("-", MINUS)


def divergence_text(found: Divergence, names: tuple[str, str]) -> str:
    """The first sample on which two engines decided differently, with as many places as tell d² from τ."""
    margins = [abs(margin) for margin in found.margins if margin and math.isfinite(margin)]
    places = min(MOST_PLACES, max(2, *(math.ceil(-math.log10(margin) - 1e-6) for margin in margins))) if margins else 2
    one, other, threshold = (fixed(value, places) for value in (*found.distances, found.threshold))
    away = ", ".join(("+" if margin > 0 else "") + rough(margin) for margin in found.margins)
    first, second = found.decisions
    decisions = f"{names[0]} {first}, {names[1]} {second}"
    return f"sample {whole(found.sample + 1)}: {decisions} · d² {one} and {other}, τ {threshold} ({away})"


def call_note(frame: RaceFrame) -> str:
    """What to know of the times: few samples a call, one call only, steps out of the usual; empty where all is well."""
    chunk, chunks = frame.reference.figures.chunk, {lane.figures.chunk for lane in frame.lanes}
    if 1 < frame.farthest == chunk and chunks == {chunk}:
        return "one call each: median = p99 = its mean"
    if chunk == 1:
        return "calls of 1 sample: mostly call overhead"
    if 1 < chunk < FULL_CALL and len(frame.columns) > MANY:
        return f"calls of {chunk} samples: the call counts too"
    if any(lane.census.parameters.covariance == "published" for lane in frame.lanes):
        return "published rule: IGMN takes extra steps"
    return ""


def progress_text(figures: Figures, n_total: int | None) -> str:
    """How far an engine is."""
    return whole(figures.n_done) + ("" if n_total is None else f" / {whole(n_total)}")
