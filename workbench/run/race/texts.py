"""A race as plain text, as CSV and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from workbench.run.race.frame import LaneFrame, RaceFrame
from workbench.words.tables import csv_text, json_text

COLUMNS = ("samples", "µs median", "µs p99", "engine s", "CPU s", "K", "memory MB")
LEVELS = {"unknown": "not known yet", "good": "holds", "drift": "drifts apart", "bad": "broken"}


def as_text(frame: RaceFrame) -> str:
    """All contenders, their speed-ups and their parities, in a few lines."""
    width = max(len(lane.title) for lane in frame.lanes)
    lines = [f"{'engine':<{width}} " + " ".join(f"{name:>11}" for name in COLUMNS)]
    lines += [f"{lane.title:<{width}} " + " ".join(f"{cell:>11}" for cell in _cells(lane)) for lane in frame.lanes]
    lines += ["", f"D = {len(frame.columns):,}: {speed_up_text(frame, 1)}"]
    lines += [speed_up_text(frame, other) for other in range(2, len(frame.lanes))]
    lines += [parity_text(frame, other) for other in range(1, len(frame.lanes))]
    return "\n".join([*lines, *([frame.left_out] if frame.left_out else [])])


def speed_up_text(frame: RaceFrame, other: int) -> str:
    """The speed-up relative to a contender, the times that it divides, which are of the same samples, and the medians'.

    With two contenders their names need not be said.
    """
    split, speed_up = frame.split, frame.split.speed_ups[other - 1]
    if math.isnan(speed_up):
        return "no speed-up yet: one engine has learned nothing"
    which = "all" if split.n_samples == frame.n_total else "the first"
    relative = "" if frame.is_pair else f" relative to {frame.short_titles[other]}"
    return (
        f"speed-up {speed_up:,.1f}{relative} over {which} {split.n_samples:,} samples: "
        f"{split.seconds[other]:,.6f} s / {split.seconds[0]:,.6f} s engine time; "
        f"ratio of medians {frame.median_ratios[other - 1]:,.1f}"
    )


def parity_text(frame: RaceFrame, other: int) -> str:
    """Whether a contender agrees with the first, with the numbers."""
    parity = frame.parities[other - 1]
    name = "parity" if frame.is_pair else f"parity of {frame.short_titles[other]}"
    parts = [f"{name} {LEVELS[parity.level]}: the same decisions over {parity.n_compared:,} samples"]
    if parity.divergence is not None:
        found = parity.divergence
        (first, second), (over, under) = found.distances, found.margins
        parts = [
            f"{name} {LEVELS['bad']}: sample {found.sample + 1:,}, {found.decisions[0]} against {found.decisions[1]}; "
            f"d² {first:.9g} and {second:.9g}, τ {found.threshold:.9g} ({over:+.1e}, {under:+.1e})"
        ]
    if parity.counts is not None:
        parts.append(f"K = {parity.counts[0]:,} / {parity.counts[1]:,}")
    if parity.differences is not None:
        values = asdict(parity.differences).items()
        parts.append(", ".join(f"{name.replace('_', ' ')} {value:.0e}" for name, value in values))
        where = f"at sample {parity.n_checked:,}" + (f", {parity.sampled}" if parity.sampled else "")
        parts.append(f"largest relative differences, checked last {where}")
    return "; ".join(parts)


def as_json(frame: RaceFrame, machine: dict[str, Any]) -> str:
    """Everything that was measured, with the recipe and the machine.

    `comparisons` has an entry for every contender but the first. `speed_up`, `same_samples`, `median_ratio` and
    `parity` are those of the second contender, as in files of races between two.
    """
    first, second, *_ = frame.split.seconds
    comparisons = [_comparison(frame, other) for other in range(1, len(frame.lanes))]
    same_samples = {"n_samples": frame.split.n_samples, "fast_seconds": first, "cubic_seconds": second}
    content = {
        "machine": machine | {"BLAS threads": frame.threads},
        "recipe": json.loads(frame.recipe.to_text()),
        "settings": asdict(frame.settings),
        "state": frame.state,
        "n_features": len(frame.columns),
        "left_out": frame.left_out,
        "engines": [{"engine": lane.title} | asdict(lane.figures) for lane in frame.lanes],
        "speed_up": frame.speed_up,
        "same_samples": same_samples | {"seconds": frame.split.seconds},
        "median_ratio": frame.median_ratios[0],
        "parity": comparisons[0]["parity"],
        "comparisons": comparisons,
    }
    return json_text(content)


def _comparison(frame: RaceFrame, other: int) -> dict[str, Any]:
    """A contender compared with the first."""
    parity = frame.parities[other - 1]
    found = asdict(parity) | {"level": parity.level}
    if found["divergence"] is not None:
        found["divergence"]["sample"] += 1  # samples count from 1 wherever a user reads them
    return {
        "engine": frame.lanes[other].title,
        "reference": frame.reference.title,
        "speed_up": frame.split.speed_ups[other - 1],
        "median_ratio": frame.median_ratios[other - 1],
        "parity": found,
    }


def as_csv(frame: RaceFrame) -> str:
    """The timelines of all engines: one line per piece, `engine_seconds` cumulative."""
    headings = ["engine", "samples", "us_per_sample", "engine_seconds", "K", "births", "removals", "mergers"]
    return csv_text(headings, _course(frame))


def _course(frame: RaceFrame) -> Iterator[list[Any]]:
    for lane in frame.lanes:
        past = lane.timeline
        seconds = np.cumsum(past.microseconds * np.diff(past.samples, prepend=0)) / 1e6
        columns = (past.samples, past.microseconds, seconds, past.n_components, past.births, past.removals, past.merges)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield [lane.title, *row]


def _cells(lane: LaneFrame) -> list[str]:
    found = lane.figures
    return [
        f"{found.n_done:,}",
        f"{found.median:,.2f}",
        f"{found.p99:,.2f}",
        f"{found.engine_seconds:,.4f}",
        f"{found.cpu_seconds:,.4f}",
        f"{found.n_components:,}",
        f"{found.n_bytes / 1e6:,.3f}",
    ]
