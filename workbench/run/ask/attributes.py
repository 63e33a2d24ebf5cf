"""The attributes that a question is about."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from figmn.answers.variables import Variable
from figmn.system.arrays import Bools, Floats, Ints
from workbench.run.rows.prepared import Prepared
from workbench.source.encode.encoding import ColumnBlock, patterns, scaled
from workbench.words.sentences import UserError

N_BARS = 32
"""Of a histogram behind a slider."""


@dataclass(frozen=True)
class Attribute:
    """One column of the user's table, as the mixture knows it."""

    block: ColumnBlock
    low: float
    high: float
    """Range of the data in the user's units; days since 1970 for dates. Equal where nothing varies."""
    typical: float
    """Median of the data."""
    is_whole: bool = False
    """Whether all numbers of the data are whole."""
    heights: tuple[float, ...] = ()
    """Histogram of the data from low to high, the highest bar 1; empty for labels."""
    values: Floats = field(default_factory=lambda: np.empty(0), compare=False, repr=False)
    """Some rows of the table, the same of all attributes: in the user's units, or positions of labels; NaN where
    missing."""

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.block.name

    @property
    def has_labels(self) -> bool:
        """Whether its values are labels."""
        return self.block.kind == "nominal"

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that it may have."""
        return self.block.labels

    @property
    def varies(self) -> bool:
        """Whether it is a number of which the data have several values, within a range that can be drawn."""
        return not self.has_labels and self.low < self.high and math.isfinite(self.high - self.low)

    @property
    def places(self) -> Ints:
        """Its encoded columns."""
        return np.arange(self.block.start, self.block.stop)

    def variable(self, start: int = 0) -> Variable:
        """The same for the library, where its columns begin at `start`."""
        columns = tuple(range(start, start + len(self.places)))
        return Variable(columns, len(self.labels), self.block.one_hot)

    def encoded(self, value: float | str) -> Floats:
        """A value in the user's units, or a label, as the mixture knows it.

        >>> block = ColumnBlock("size", "numeric", "input", 0, 1, (1.0,), (), center=40.0, scale=5.0)
        >>> Attribute(block, 0.0, 100.0, 50.0).encoded(50.0)
        array([2.])
        """
        block = self.block
        if isinstance(value, str) != self.has_labels or (self.has_labels and value not in block.labels):
            raise UserError("{value!r} is not a value that {name!r} has in this run.", value=value, name=self.name)
        if isinstance(value, str):
            return np.asarray(patterns(block)[block.labels.index(value)])
        return scaled(np.array([value]), block)

    def in_units(self, encoded: Floats) -> Floats:
        """Encoded numbers in the user's units."""
        return encoded * self.block.scale + self.block.center


def attributes_of(prepared: Prepared) -> tuple[Attribute, ...]:
    """All attributes of a run, targets last; ranges are those of rows from everywhere in the table."""
    found = []
    for block in prepared.encoder.blocks:
        if block.kind == "nominal":
            codes = _codes(block, prepared.scouts)
            found.append(Attribute(block, 0.0, 0.0, 0.0, values=_rows(prepared, codes)))
            continue
        with np.errstate(over="ignore"):
            values = prepared.scouts[:, block.start] * block.scale + block.center
        known = values[np.isfinite(values)]
        if not len(known):
            found.append(Attribute(block, 0.0, 0.0, 0.0))
            continue
        low, high, typical = float(known.min()), float(known.max()), float(np.median(known))
        is_whole = block.kind == "numeric" and bool((known == np.rint(known)).all()) and math.isfinite(high - low)
        varies = low < high and math.isfinite(high - low)
        counts = np.histogram(known, N_BARS, (low, high))[0] if varies else np.zeros(0)
        heights = tuple((counts / counts.max()).tolist()) if len(counts) else ()
        found.append(Attribute(block, low, high, typical, is_whole, heights, _rows(prepared, values)))
    return tuple(found)


def _rows(prepared: Prepared, values: Floats) -> Floats:
    """The values of rows; NaN where they were drawn from a model and are no data."""
    return values if prepared.has_rows else np.full(len(values), math.nan)


def _codes(block: ColumnBlock, rows: Floats) -> Floats:
    """Positions of the labels of encoded rows; NaN where missing."""
    values = rows[:, block.start : block.stop]
    missing: Bools = np.asarray(np.isnan(values).any(axis=1))
    codes = np.where(missing[:, None], 0.0, values).argmax(axis=1) if block.one_hot else values[:, 0]
    return np.where(missing, np.nan, codes)
