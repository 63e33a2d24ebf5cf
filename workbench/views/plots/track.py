"""One curve over the history of a run: its values, limits and ticks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from figmn.system.arrays import Floats
from workbench.run.show.frame import INPUTS_AND_TARGETS, INPUTS_ONLY, SCORED, Timeline
from workbench.views.plots.plot_ticks import ticks
from workbench.words.numbers import short, stepped, whole

TrackInk = Literal["accent", "good", "warning"]
RARE = 0.02
"""Share of the values at either end that may be clipped, so that one outlier does not flatten the rest."""


class AxisScale(NamedTuple):
    """The limits and ticks of an axis."""

    low: float
    high: float
    marks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Track:
    """The definition of one plot."""

    title: str
    values: Callable[[Timeline], Floats]
    """In the units of the axis: logarithms where it is logarithmic."""
    text: Callable[[float], str]
    """One value as text."""
    scale: Callable[[Floats, float], AxisScale]
    """Computes the axis for finite values, with a largest number of ticks."""
    ink: TrackInk = "accent"
    steps: bool = False
    sampled: bool = False
    """Whether pieces without a value are skipped: the line joins their neighbours."""

    def latest(self, past: Timeline) -> str:
        """The last value as text; with its sample number where that is not the last sample."""
        values = self.values(past)
        known = np.flatnonzero(np.isfinite(values))
        if not len(known) or not (self.sampled or known[-1] == len(values) - 1):
            return "–"
        text = self.text(float(values[known[-1]]))
        return text if known[-1] == len(values) - 1 else f"{text} at {whole(int(past.samples[known[-1]]))}"


def count_scale(values: Floats, most: float) -> AxisScale:
    """From zero, unless that would hide changes of a large count."""
    low, high = float(values.min()), float(values.max())
    return _round(0.0 if low < high / 2 else low, max(high, low + 1.0), most, least=1.0)


def linear_scale(values: Floats, most: float) -> AxisScale:
    """Around all values but the rarest."""
    low, high = np.quantile(values, [RARE, 1 - RARE]).tolist()
    return _round(low, high if high > low else low + 1.0, most)


def log_scale(values: Floats, most: float) -> AxisScale:
    """Whole powers of ten around all values but the rarest."""
    least, largest = np.quantile(values, [RARE, 1 - RARE]).tolist()
    low = math.floor(least + 1e-9)
    high = max(math.ceil(largest - 1e-9), low + 1)
    every = max(1, math.ceil((high - low) / max(most - 1, 1)))
    return AxisScale(low, high, tuple((power, _power(power)) for power in range(low, high + 1, every)))


def _round(low: float, high: float, most: float, least: float = 0.0) -> AxisScale:
    """Limits at ticks at least `least` apart: they change rarely, so the curve does not jump."""
    step = max(ticks(low, high, most).step, least)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marks = np.arange(first, last + 1) * step
    return AxisScale(first * step, last * step, tuple((value, stepped(value, step)) for value in marks.tolist()))


def _power(power: int) -> str:
    return f"{10.0**power:,.{max(0, -power)}f}"


def _logarithms(values: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values)


COMPONENTS = Track("components K", lambda past: past.n_components.astype(float), whole, count_scale, steps=True)
TIME = Track(
    "µs per sample (log), chunk mean",
    lambda past: _logarithms(past.microseconds),
    lambda value: f"{short(10.0**value, 3)} µs",
    log_scale,
)
LIKELIHOOD = Track("log-likelihood before learning", lambda past: past.log_likelihoods, short, linear_scale, ink="good")
"""Used where all columns are inputs; where some are targets, one of the two below is used."""
OF_ALL = replace(LIKELIHOOD, title=f"{LIKELIHOOD.title}, {INPUTS_AND_TARGETS}")
OF_INPUTS = replace(
    LIKELIHOOD,
    title=f"{LIKELIHOOD.title}, {INPUTS_ONLY} (up to {SCORED} rows a chunk)",
    values=lambda past: past.input_log_likelihoods,
    sampled=True,
)
INDEFINITE = Track(
    "indefinite updates per piece", lambda past: past.indefinite.astype(float), whole, count_scale, ink="warning"
)


def line(x: Floats, y: Floats, steps: bool, width: float) -> tuple[Floats, Floats]:
    """The vertices of a line, x in pixels; where several values share a pixel, their minimum and maximum."""
    if len(x) > width:
        columns = x.astype(np.intp)
        first = np.flatnonzero(np.diff(columns, prepend=-1))
        ends = np.stack([np.fmin.reduceat(y, first), np.fmax.reduceat(y, first)], axis=1)
        return np.repeat(columns[first].astype(np.float64) + 0.5, 2), ends.ravel()
    if len(x) == 1:
        return np.array([0.0, x[0]]), np.repeat(y, 2)
    if steps:
        # A value holds from its sample on, where the mark of a birth is as well.
        return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    return x, y


def binned(x: Floats, counts: NDArray[np.int64], size: float) -> tuple[Floats, Floats]:
    """Events in bins of `size` pixels: mean position and count of every bin that is not empty."""
    some = counts > 0
    bins = (x[some] / size).astype(np.intp)
    totals, places = np.bincount(bins, weights=counts[some]), np.bincount(bins, weights=counts[some] * x[some])
    filled = np.flatnonzero(totals)
    return places[filled] / totals[filled], totals[filled].astype(np.float64)
