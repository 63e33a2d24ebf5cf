"""Sentences about what a sample did to the mixture."""

from __future__ import annotations

import math

from figmn.params import NUMBERS, SP_MIN, V_MIN
from workbench.run.recipe.dataset import GeneratorOrigin
from workbench.run.recipe.model_file import ModelFile
from workbench.run.show.frame import Frame, Latest
from workbench.words.counts import counted, merged_words
from workbench.words.names import ComponentNames, component_name
from workbench.words.numbers import compared, percent

READABLE = 20
"""Samples per second that a person can follow."""


def sentence(frame: Frame) -> str:
    """What the latest sample did, with d² and τ; in a fast run, how to see it.

    A sample is new where every d² reaches τ.
    """
    if isinstance(frame.recipe.origin, ModelFile):
        seen = counted(frame.n_seen, "sample")
        return f"A mixture of {seen}, without its data. It learns on from a table with its columns."
    if frame.latest is None:
        return "Nothing has been learned yet."
    if frame.state == "running" and frame.rows_per_second > READABLE:
        return (
            f"{frame.n_births:,} components born and {frame.n_removals:,} removed{merged_words(frame.n_merges)} "
            "so far. Pause, or step, to see what one sample does."
        )
    latest = frame.latest
    return " ".join(
        [
            *(f"{_place(frame)}.", *_weight(latest), *_gaps(latest, frame)),
            *(_decision(latest, frame.names), *_removals(latest, frame), *_mergers(latest, frame)),
        ]
    )


def _place(frame: Frame) -> str:
    """The number of the latest sample in the stream, and its row in the data; both count from 1."""
    assert frame.latest is not None
    sample, origin = f"Sample {frame.latest.sample + 1:,}", frame.recipe.origin
    if isinstance(origin, GeneratorOrigin):
        return sample  # generated rows are numbered as they are streamed
    return f"{sample} · row {frame.latest.row + 1:,} of {origin.title}"


def _decision(latest: Latest, names: ComponentNames) -> str:
    if latest.nearest is None:
        return f"New: there is no component yet. #{latest.born} is born here."
    distance, threshold = compared(latest.distance, latest.threshold)
    if latest.born is not None:
        nearest = f"the smallest d², to {component_name(latest.nearest, names)}, is {distance}"
        return f"New: {nearest}, not below τ = {threshold}. #{latest.born} is born here."
    takes = f"{component_name(latest.owner, names)} takes {percent(latest.posterior)} of it."
    if math.isinf(latest.threshold):
        return f"Not new: with β = 0 τ is infinite, so no sample is new. {takes}"
    return f"Not new: d² to {component_name(latest.nearest, names)} is {distance}, below τ = {threshold}. {takes}"


def _weight(latest: Latest) -> list[str]:
    return [] if latest.weight == 1 else [f"Its weight is {latest.weight:g}."]


def _gaps(latest: Latest, frame: Frame) -> list[str]:
    if not latest.n_missing:
        return []
    return [f"{counted(latest.n_missing, 'missing value')} of {len(frame.columns):,} filled in by the mixture."]


def _removals(latest: Latest, frame: Frame) -> list[str]:
    if not latest.removed:
        return []
    gone = ", ".join(component_name(number, frame.names) for number in latest.removed)
    values = frame.census.parameters
    limits = f"age above v_min = {V_MIN.text(values.v_min)}, evidence below sp_min = {SP_MIN.text(values.sp_min)}"
    return [f"Removed: {gone} ({limits})."]


def _mergers(latest: Latest, frame: Frame) -> list[str]:
    if not latest.merged:
        return []
    merged = (tuple(component_name(number, frame.names) for number in pair) for pair in latest.merged)
    pairs = ", ".join(f"{kept} took in {taken}" for kept, taken in merged)
    values = frame.census.parameters
    if latest.born is not None and frame.census.n_components == values.max_components:
        limit = NUMBERS["max_components"].text(values.max_components)
        return [f"Merged: {pairs} (there may be at most K_max = {limit} components, and this loses least)."]
    least = NUMBERS["merge_below"].text(values.merge_below)
    return [f"Merged: {pairs} (loses less than c_max = {least} nats for each parameter saved)."]
