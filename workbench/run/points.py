"""The latest samples of a run, to be drawn on any plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.run.frame import Floats
from workbench.run.planes import Axes
from workbench.run.prepared import Chunk

KEPT = 100_000
BYTES = 32 * 2**20
"""Samples that are kept, and memory that they may take: of wide rows there are fewer."""


class LatestPoints:
    """A ring of encoded rows, and the same rows on the plane that is shown."""

    def __init__(self, axes: Axes) -> None:
        n_columns = len(axes.directions)
        self.kept = int(min(KEPT, max(1000, BYTES // (8 * n_columns))))
        self._axes = axes
        self._count = 0
        self._rows = np.empty((0, n_columns))
        self._points = np.empty((0, 2))
        self._codes = np.empty(0, np.int16)

    def add(self, chunk: Chunk) -> None:
        """Add samples; the oldest make room."""
        values, codes = chunk.values[-self.kept :], chunk.codes[-self.kept :]
        count = len(values)
        self._reserve(min(self._count + count, self.kept))
        begin = self._count % self.kept
        first = min(count, self.kept - begin)
        for room, column in ((self._rows, values), (self._points, self._placed(values)), (self._codes, codes)):
            room[begin : begin + first] = column[:first]
            room[: count - first] = column[first:]
        self._count += count

    def show_on(self, axes: Axes) -> None:
        """Place all samples on another plane."""
        self._axes = axes
        n = min(self._count, self.kept)
        self._points[:n] = self._placed(self._rows[:n])

    def points(self, count: int = KEPT) -> tuple[Floats, NDArray[np.int16]]:
        """Places and classes of the latest samples, the newest last; copies, read-only."""
        n = min(self._count, self.kept, count)
        end = self._count % self.kept
        begin = end - n
        rooms = (self._points, self._codes)
        if begin < 0 and self._count > end:
            found = [np.concatenate([room[begin + self.kept :], room[:end]]) for room in rooms]
        else:
            found = [room[begin:end].copy() for room in rooms]
        for array in found:
            array.flags.writeable = False
        return found[0], found[1]

    def _placed(self, rows: Floats) -> Floats:
        """Only the columns that count: a missing value elsewhere does not hide a sample."""
        used = np.flatnonzero(self._axes.directions.any(axis=1))
        if len(used) < rows.shape[1]:
            return rows[:, used] @ self._axes.directions[used] + self._axes.origin
        return rows @ self._axes.directions + self._axes.origin

    def _reserve(self, needed: int) -> None:
        if needed > len(self._rows):
            size = min(self.kept, max(needed, 2 * len(self._rows), 1024))
            for name in ("_rows", "_points", "_codes"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.empty((size - len(old), *old.shape[1:]), old.dtype)]))
