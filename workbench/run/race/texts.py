"""A race as plain text, as CSV and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from workbench.run.race.frame import LaneFrame, Parity, RaceFrame
from workbench.words.tables import csv_text, json_text

COLUMNS = ("samples", "µs median", "µs p99", "engine s", "CPU s", "K", "memory MB")
LEVELS = {"unknown": "not known yet", "good": "holds", "drift": "drifts apart", "bad": "broken"}


def as_text(frame: RaceFrame) -> str:
    """Both engines, their speed-up and their parity, in a few lines."""
    names = [lane.title for lane in (frame.fast, frame.cubic)]
    width = max(map(len, names))
    lines = [f"{'engine':<{width}} " + " ".join(f"{name:>11}" for name in COLUMNS)]
    lines += [f"{lane.title:<{width}} " + " ".join(f"{cell:>11}" for cell in _cells(lane)) for lane in
              (frame.fast, frame.cubic)]  # fmt: skip
    lines += ["", f"D = {len(frame.columns):,}: {speed_up_text(frame)}", parity_text(frame.parity)]
    return "\n".join([*lines, *([frame.left_out] if frame.left_out else [])])


def speed_up_text(frame: RaceFrame) -> str:
    """The speed-up, the times over the same samples that it is the quotient of, and the ratio of medians."""
    split = frame.split
    if math.isnan(split.speed_up):
        return "no speed-up yet: one engine has learned nothing"
    which = "all" if split.n_samples == frame.n_total else "the first"
    return (
        f"speed-up {split.speed_up:,.1f} over {which} {split.n_samples:,} samples: "
        f"{split.cubic_seconds:,.6f} s / {split.fast_seconds:,.6f} s engine time; "
        f"ratio of medians {frame.median_ratio:,.1f}"
    )


def parity_text(parity: Parity) -> str:
    """Whether both engines agree, with the numbers."""
    parts = [f"parity {LEVELS[parity.level]}: the same decisions over {parity.n_compared:,} samples"]
    if parity.divergence is not None:
        found = parity.divergence
        (fast, cubic), (over, under) = found.distances, found.margins
        parts = [
            f"parity {LEVELS['bad']}: sample {found.sample + 1:,}, {found.decisions[0]} against {found.decisions[1]}; "
            f"d² {fast:.9g} and {cubic:.9g}, τ {found.threshold:.9g} ({over:+.1e}, {under:+.1e})"
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
    """Everything that was measured, with the recipe and the machine."""
    parity = asdict(frame.parity) | {"level": frame.parity.level}
    if parity["divergence"] is not None:
        parity["divergence"]["sample"] += 1  # samples count from 1 wherever a user reads them
    content = {
        "machine": machine | {"BLAS threads": frame.threads},
        "recipe": json.loads(frame.recipe.to_text()),
        "settings": asdict(frame.settings),
        "state": frame.state,
        "n_features": len(frame.columns),
        "left_out": frame.left_out,
        "engines": [{"engine": lane.title} | asdict(lane.figures) for lane in (frame.fast, frame.cubic)],
        "speed_up": frame.speed_up,
        "same_samples": asdict(frame.split),
        "median_ratio": frame.median_ratio,
        "parity": parity,
    }
    return json_text(content)


def as_csv(frame: RaceFrame) -> str:
    """The timelines of both engines: one line per piece, `engine_seconds` cumulative."""
    headings = ["engine", "samples", "us_per_sample", "engine_seconds", "K", "births", "removals"]
    return csv_text(headings, _course(frame))


def _course(frame: RaceFrame) -> Iterator[list[Any]]:
    for lane in (frame.fast, frame.cubic):
        past = lane.timeline
        seconds = np.cumsum(past.microseconds * np.diff(past.samples, prepend=0)) / 1e6
        columns = (past.samples, past.microseconds, seconds, past.n_components, past.births, past.removals)
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
