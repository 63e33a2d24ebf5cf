"""The latest samples of a run, to be drawn on any plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from figmn.system.arrays import Floats, Ints
from workbench.run.rows.prepared import Chunk
from workbench.run.show.planes import Axes

KEPT = 100_000
BYTES = 32 * 2**20
"""Samples that are kept, and memory that they may take: of wide rows there are fewer."""
LAST_CODE = int(np.iinfo(np.int16).max)
"""Codes from here on are drawn alike: colours and shapes repeat long before."""


class LatestPoints:
    """A ring of encoded rows, their numbers in the source, and their classes by every nominal column."""

    def __init__(self, n_columns: int, colours: tuple[str, ...]) -> None:
        self.kept = int(min(KEPT, max(1000, BYTES // (8 * n_columns + 8 + 2 * len(colours)))))
        self._colours = colours
        self._count = 0
        # The system hands out memory when it is written to, not now: a short run takes little.
        self._rows = np.empty((self.kept, n_columns))
        self._codes = np.empty((self.kept, len(colours)), np.int16)
        self._numbers = np.empty(self.kept, np.int64)

    def add(self, chunk: Chunk) -> None:
        """Add samples; the oldest are overwritten."""
        values, codes = chunk.values[-self.kept :], np.minimum(chunk.colours[-self.kept :], LAST_CODE)
        count = len(values)
        begin = self._count % self.kept
        first = min(count, self.kept - begin)
        numbers = chunk.rows[-self.kept :]
        for room, column in ((self._rows, values), (self._codes, codes), (self._numbers, numbers)):
            room[begin : begin + first] = column[:first]
            room[: count - first] = column[first:]
        self._count += count

    def on(self, axes: Axes, count: int = KEPT, colour: str | None = None) -> tuple[Floats, NDArray[np.int16]]:
        """Places of the latest samples on a plane and their classes by a column, the newest last; read-only."""
        parts = self._parts(count)
        places = np.concatenate([placed(self._rows[part], axes) for part in parts])
        codes = np.concatenate([self._codes_by(colour)[part] for part in parts])
        for array in (places, codes):
            array.flags.writeable = False
        return places, codes

    def numbers(self, count: int = KEPT) -> Ints:
        """Rows of the latest samples in the source, the newest last; read-only."""
        found = np.concatenate([self._numbers[part] for part in self._parts(count)])
        found.flags.writeable = False
        return found

    def column(self, position: int, count: int = KEPT) -> Floats:
        """One encoded column of the latest samples."""
        return np.concatenate([self._rows[part, position] for part in self._parts(count)])

    def places(self, count: int = KEPT) -> Ints:
        """Where the latest samples are kept, for `rows_at`: a place belongs to another sample after `kept` more."""
        return np.concatenate([np.arange(part.start, part.stop) for part in self._parts(count)])

    def rows_at(self, places: Ints) -> Floats:
        """Encoded rows at some places."""
        return self._rows[places]

    def place_of(self, row: int) -> int | None:
        """Where the newest sample of a row of the source is kept; None where none is."""
        places = self.places()
        found = places[self._numbers[places] == row]
        return int(found[-1]) if len(found) else None

    @property
    def count(self) -> int:
        """Samples that were added."""
        return self._count

    def _parts(self, count: int) -> list[slice]:
        n = min(self._count, self.kept, count)
        end = self._count % self.kept
        begin = end - n
        return [slice(begin + self.kept, self.kept), slice(0, end)] if begin < 0 else [slice(begin, end)]

    def _codes_by(self, colour: str | None) -> NDArray[np.int16]:
        if colour in self._colours:
            return self._codes[:, self._colours.index(colour)]
        return np.full(self.kept, -1, np.int16)


def placed(rows: Floats, axes: Axes) -> Floats:
    """Rows on a plane, by the columns that count alone: a missing value elsewhere does not hide a sample."""
    used = np.flatnonzero(axes.directions.any(axis=1))
    return rows[:, used] @ axes.directions[used] + axes.origin
