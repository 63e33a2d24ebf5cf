"""The colours of the latest samples: by labels, by components, or by numbers on a scale."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.engine import Engine
from figmn.system.arrays import Floats, Ints
from workbench.run.recipe.dataset import Colour
from workbench.run.rows.prepared import Prepared
from workbench.run.show.frame import COMPONENT_CODES, SCALE_STEPS, ColourScale
from workbench.run.show.points import LAST_CODE, LatestPoints
from workbench.source.table.table import Column, Table, days

Codes = NDArray[np.int16]
BLOCK_WORK, ROW_WORK = 2e7, 2000
"""Multiplications for the posteriors of a block of rows, and how many a row costs beside those of its D²."""
SECONDS = 0.02
"""Time for the components of one frame's points, beside that of one block."""


class PointColours:
    """Codes of the latest samples by any choice of colour.

    Parameters
    ----------
    prepared : the data of the run
    table : of the run, where it is in memory; otherwise only columns that are learned have numbers
    clock : seconds; one of a test's may stand still
    """

    def __init__(
        self,
        prepared: Prepared,
        table: Table | None,
        points: LatestPoints,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._prepared, self._table, self._points, self._clock = prepared, table, points, clock
        self.choice = Colour()
        self._column: Column | None = None
        """Where rows are in memory, the column that colours, of the table as the user has it now."""
        self._scale: ColourScale | None = None
        self._owners = np.full(points.kept, -1, np.int64)
        self._asked = np.full(points.kept, -1, np.int64)
        """For every place of the ring: its component, and samples of the mixture that was asked; -1 for none."""
        self._n_followed = 0
        """Samples whose places are known to be new."""

    def choose(self, colour: Colour, column: Column | None = None) -> None:
        """Colour by something else.

        A column of the table may be given in place of the one that the run has: of another kind, or a new one.
        """
        self.choice, self._scale = colour, None
        self._column = self._column_of(colour, column)

    def _column_of(self, colour: Colour, column: Column | None) -> Column | None:
        if self._table is None or colour.by == "component" or colour.column is None:
            return None
        if column is not None and len(column.values) == self._table.n_rows:
            return column
        return self._table[colour.column] if colour.column in self._table.names else None

    @property
    def column(self) -> str | None:
        """The nominal column of a stream that gives the classes; None for none."""
        return self.choice.column if self._by_labels and self._column is None else None

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes that codes stand for."""
        if self._column is not None:
            return self._column.labels if self._column.kind == "nominal" else ()
        return self._prepared.stream.labels(self.column)

    @property
    def _by_labels(self) -> bool:
        return self.choice.by == "column" and self.choice.column in self._prepared.colours

    def details(self, engine: Engine, count: int) -> dict[str, Any]:
        """Fields of a picture of the latest `count` samples; `codes` only where these are not classes."""
        if self.choice.by == "component":
            owners, n_outdated = self._components(engine, count)
            codes = np.where(owners < 0, -1, owners % COMPONENT_CODES).astype(np.int16)
            return {"codes": _frozen(codes), "scheme": "components", "n_outdated": n_outdated}
        if self._column is not None and self._column.kind == "nominal":
            codes = np.minimum(self._column.values[self._points.numbers(count)], LAST_CODE).astype(np.int16)
            return {"codes": _frozen(codes)}
        if self.choice.column is None or (self._by_labels and self._column is None):
            return {}
        values, kind = self._numbers(self.choice.column, count)
        self._scale = self._widened(self._scale, values, kind)
        codes = steps(values, self._scale)
        return {"codes": _frozen(codes), "scheme": "scale", "scale": self._scale}

    # Components

    def _components(self, engine: Engine, count: int) -> tuple[Ints, int]:
        """Ids of the components of the latest samples, and how many of them are of an earlier mixture.

        The longest outdated come first, as many as there is time for; the others follow with the next frames.
        """
        self._forget_replaced()
        places = self._points.places(count)
        if not engine.n_components:
            return np.full(len(places), -1, np.int64), 0
        outdated = places[self._asked[places] != engine.n_seen]
        self._ask(engine, outdated[np.argsort(self._asked[outdated], kind="stable")])
        return self._owners[places], int(np.count_nonzero(self._asked[places] != engine.n_seen))

    def _ask(self, engine: Engine, places: Ints) -> None:
        work = engine.n_components * (engine.n_features**2 + ROW_WORK)
        step, began = int(max(1, BLOCK_WORK / work)), self._clock()
        for start in range(0, len(places), step):
            if start and self._clock() - began > SECONDS:
                return
            some = places[start : start + step]
            posteriors = engine.responsibilities(self._points.rows_at(some))
            self._owners[some] = engine.ids[posteriors.argmax(axis=1)]
            self._asked[some] = engine.n_seen

    def _forget_replaced(self) -> None:
        """Places of the ring that hold other samples than when they were asked about."""
        n_new = min(self._points.count - self._n_followed, self._points.kept)
        self._n_followed = self._points.count
        if n_new:
            new = self._points.places(n_new)
            self._owners[new], self._asked[new] = -1, -1

    # Numbers

    def _numbers(self, name: str, count: int) -> tuple[Floats, str]:
        if self._column is not None:
            column = self._column
            if self._scale is None:
                self._scale = self._widened(None, numbers_of(column), column.kind)
            return numbers_of(column, self._points.numbers(count)), column.kind
        block = next((block for block in self._prepared.encoder.blocks if block.name == name), None)
        if block is None or block.kind == "nominal":
            return np.full(len(self._points.numbers(count)), np.nan), "numeric"
        return self._points.column(block.start, count) * block.scale + block.center, block.kind

    @staticmethod
    def _widened(scale: ColourScale | None, values: Floats, kind: str) -> ColourScale | None:
        """A scale that holds all values, too; of a stream they are not known in advance."""
        known = values[np.isfinite(values)]
        if not len(known):
            return scale
        low, high = float(known.min()), float(known.max())
        return (
            ColourScale(low, high, kind)
            if scale is None
            else ColourScale(min(low, scale.low), max(high, scale.high), kind)
        )


def numbers_of(column: Column, rows: Ints | None = None) -> Floats:
    """Some or all values of a column as numbers, dates in days since 1970; NaN where they are missing."""
    values = column.values if rows is None else column.values[rows]
    return days(values) if column.kind == "date" else values.astype(np.float64)


def steps(values: Floats, scale: ColourScale | None, n_steps: int = SCALE_STEPS) -> Codes:
    """Steps of equal width on the scale, -1 for values that are missing or infinite.

    >>> steps(np.array([0.0, 5.0, 10.0, np.nan]), ColourScale(0.0, 10.0)).tolist()
    [0, 128, 255, -1]
    """
    known = np.isfinite(values)
    if scale is None:
        return np.full(len(values), -1, np.int16)
    # By the largest number, or the difference of both ends might be infinite.
    size = max(abs(scale.low), abs(scale.high)) or 1.0
    width = scale.high / size - scale.low / size
    shares = np.where(known, values, scale.low) / size - scale.low / size
    shares = shares / width if width > 0 else np.full(len(values), 0.5)
    codes = np.minimum(shares * n_steps, n_steps - 1).astype(np.int16)
    return np.where(known, np.maximum(codes, 0), -1).astype(np.int16)


def _frozen(codes: Codes) -> Codes:
    codes.flags.writeable = False
    return codes
