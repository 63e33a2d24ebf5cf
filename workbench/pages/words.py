"""What a run did, in words."""

from __future__ import annotations

import math

from workbench.run.dataset import GeneratorOrigin
from workbench.run.frame import Frame, Latest
from workbench.views.figures import fixed

READABLE = 20
"""Samples a second that a person can still follow."""
FINEST = 4
"""Decimals of a percentage; beyond them the others get less than a millionth."""


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
    return " ".join([f"{_place(frame)}.", _decision(frame.latest), *_removals(frame.latest, frame)])


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
        return sample  # made up in the order in which it comes
    return f"{sample} · row {frame.latest.row + 1:,} of {origin.title}"


def _decision(latest: Latest) -> str:
    if latest.nearest is None:
        return f"New: there was no component yet. #{latest.born} is born here."
    distance, threshold = f"d² to #{latest.nearest} is {fixed(latest.distance, 2)}", fixed(latest.threshold, 2)
    if latest.born is not None:
        return f"New: {distance}, the smallest, and not below τ = {threshold}. #{latest.born} is born here."
    takes = f"#{latest.owner} takes {percent(latest.posterior)} of it."
    if math.isinf(latest.threshold):
        return f"Not new: with β = 0 no sample is new. {takes}"
    return f"Not new: {distance}, below τ = {threshold}. {takes}"


def _removals(latest: Latest, frame: Frame) -> list[str]:
    if not latest.removed:
        return []
    gone = ", ".join(f"#{number}" for number in latest.removed)
    values = frame.snapshot.parameters
    return [f"Removed: {gone}, older than v_min = {values.v_min:g} with less than sp_min = {values.sp_min:g}."]


def short_number(value: float) -> str:
    """Three figures and a unit.

    >>> short_number(1_934_000), short_number(20_500), short_number(12)
    ('1.93 M', '20.5 k', '12')
    """
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= size:
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
