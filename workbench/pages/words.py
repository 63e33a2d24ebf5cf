"""What a run did, in words."""

from __future__ import annotations

import math

from workbench.run.frame import Frame, Latest
from workbench.views.figures import fixed

READABLE = 20
"""Samples a second that a person can still follow."""


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
    return " ".join([_decision(frame.latest), *_removals(frame.latest, frame)])


def _decision(latest: Latest) -> str:
    start = f"Sample {latest.sample + 1:,}:"
    if latest.nearest is None:
        return f"{start} there was no component yet, so #{latest.born} is born here."
    if math.isinf(latest.threshold):
        near = f"#{latest.nearest} is the nearest (d² = {fixed(latest.distance, 2)})"
        return f"{start} with β = 0 no sample is new. {near}; every component learns by its posterior."
    relation = "≥" if latest.born is not None else "<"
    compared = f"d² = {fixed(latest.distance, 2)} {relation} τ = {fixed(latest.threshold, 2)}"
    if latest.born is not None:
        return f"{start} even the nearest component, #{latest.nearest}, is far ({compared}), so #{latest.born} is born."
    return f"{start} #{latest.nearest} is near ({compared}), so every component learns by its posterior."


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
