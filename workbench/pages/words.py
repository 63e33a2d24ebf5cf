"""What a run did, in words."""

from __future__ import annotations

import math

from figmn.params import SP_MIN, V_MIN
from workbench.run.dataset import GeneratorOrigin
from workbench.run.frame import Frame, Latest
from workbench.views.figures import LARGE, fixed, short

READABLE = 20
"""Samples a second that a person can still follow."""
FINEST = 4
"""Decimals of a percentage; beyond them the others get less than a millionth."""
FINEST_DISTANCE = 9
"""Decimals of d² and τ, where fewer do not tell them apart."""


def sentence(frame: Frame) -> str:
    """What the latest sample did, where one can follow; otherwise how to see it.

    The formula stands beside the numbers: a sample is new where every d² reaches τ.
    """
    if frame.latest is None:
        return "Nothing has been learned yet."
    if frame.state == "running" and frame.rows_per_second > READABLE:
        return (
            f"{frame.n_births:,} components born and {frame.n_removals:,} removed so far. "
            "Pause, or step, to see what one sample does."
        )
    latest = frame.latest
    return " ".join([f"{_place(frame)}.", *_gaps(latest, frame), _decision(latest), *_removals(latest, frame)])


def percent(share: float) -> str:
    """A share that is never rounded up to all while others visibly have some.

    >>> percent(0.31), percent(0.996), percent(0.99996), percent(0.99999998), percent(1.0)
    ('31 %', '99.6 %', '99.996 %', '100 %', '100 %')
    """
    texts = (f"{100 * share:.{places}f}" for places in range(FINEST + 1))
    return f"{next((text for text in texts if float(text) < 100), '100')} %"  # noqa: PLR2004


def _place(frame: Frame) -> str:
    """The number of the latest sample in the stream, and the row of the data that it is; both count from 1."""
    assert frame.latest is not None
    sample, origin = f"Sample {frame.latest.sample + 1:,}", frame.recipe.origin
    if isinstance(origin, GeneratorOrigin):
        return sample  # generated in the order in which it comes
    return f"{sample} · row {frame.latest.row + 1:,} of {origin.title}"


def _decision(latest: Latest) -> str:
    if latest.nearest is None:
        return f"New: there is no component yet. #{latest.born} is born here."
    distance, threshold = apart(latest.distance, latest.threshold)
    if latest.born is not None:
        nearest = f"the smallest d², to #{latest.nearest}, is {distance}"
        return f"New: {nearest}, not below τ = {threshold}. #{latest.born} is born here."
    takes = f"#{latest.owner} takes {percent(latest.posterior)} of it."
    if math.isinf(latest.threshold):
        return f"Not new: with β = 0 τ is infinite, so no sample is new. {takes}"
    return f"Not new: d² to #{latest.nearest} is {distance}, below τ = {threshold}. {takes}"


def apart(distance: float, threshold: float) -> tuple[str, str]:
    """Both with two decimals, with more where these do not tell them apart, and in powers of ten where they are huge.

    >>> apart(4.138, 40.87), apart(40.8699999, 40.87), apart(2.5e300, 9.0)
    (('4.14', '40.87'), ('40.8699999', '40.8700000'), ('2.500e300', '9.00'))
    """
    for places in range(2, FINEST_DISTANCE + 1):
        both = tuple(short(value) if value >= LARGE else fixed(value, places) for value in (distance, threshold))
        if both[0] != both[1]:
            break
    return both[0], both[1]


def _gaps(latest: Latest, frame: Frame) -> list[str]:
    if not latest.n_missing:
        return []
    values = "1 missing value" if latest.n_missing == 1 else f"{latest.n_missing:,} missing values"
    return [f"{values} of {len(frame.columns):,} filled in by the mixture."]


def _removals(latest: Latest, frame: Frame) -> list[str]:
    if not latest.removed:
        return []
    gone = ", ".join(f"#{number}" for number in latest.removed)
    values = frame.snapshot.parameters
    limits = f"age above v_min = {V_MIN.text(values.v_min)}, evidence below sp_min = {SP_MIN.text(values.sp_min)}"
    return [f"Removed: {gone} ({limits})."]


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
