"""What a run did, in words."""

from __future__ import annotations

import math

from figmn.params import SP_MIN, V_MIN
from workbench.run.recipe.dataset import GeneratorOrigin
from workbench.run.show.frame import Frame, Latest
from workbench.words.numbers import LARGE, fixed, short

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
    values = frame.census.parameters
    limits = f"age above v_min = {V_MIN.text(values.v_min)}, evidence below sp_min = {SP_MIN.text(values.sp_min)}"
    return [f"Removed: {gone} ({limits})."]
