"""A selection of rows that was saved as a column: its rows are part of the recipe, as nothing else says them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.source import Column, SourceError
from workbench.words.decode import Range

RowNumber = Annotated[int, Range(1, 2**53)]
LABELS = ("selected", "not selected")
LONGEST_NAME = 200
"""Characters of a column's name."""


@dataclass(frozen=True)
class SavedSelection:
    """Rows of a table under a name.

    >>> saved = SavedSelection.of("outliers", [0, 1, 2, 7])
    >>> saved.rows
    ((1, 3), (8, 8))
    >>> saved.column(10, "t.csv").texts()[:4]
    ['selected', 'selected', 'selected', 'not selected']
    """

    name: str
    rows: tuple[tuple[RowNumber, RowNumber], ...] = ()
    """First and last row of every range, counted from 1, in order."""

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_NAME:
            raise SourceError(
                "{value!r} is no name for a column. Give a name of 1 to {most} characters.",
                value=self.name,
                most=LONGEST_NAME,
            )
        ends = np.array(self.rows, np.int64).reshape(-1)
        if (ends[::2] > ends[1::2]).any() or (np.diff(ends)[1::2] <= 0).any():
            raise SourceError(
                "{value!r}: the ranges of its rows are not in order. Give first and last row of each, the first one "
                "first.",
                value=self.name,
            )

    @staticmethod
    def of(name: str, rows: ArrayLike) -> SavedSelection:
        """Save rows, counted from 0, in order and none twice."""
        given = np.asarray(rows, np.int64)
        if not len(given):
            return SavedSelection(name)
        starts = np.flatnonzero(np.diff(given, prepend=-2) != 1)
        first, last = given[starts] + 1, given[np.append(starts[1:], len(given)) - 1] + 1
        return SavedSelection(name, tuple(zip(first.tolist(), last.tolist(), strict=True)))

    def mask(self, n_rows: int, title: str) -> NDArray[np.bool_]:
        """Whether each row of a table is selected; SourceError where it has fewer rows."""
        last = self.rows[-1][1] if self.rows else 0
        if last > n_rows:
            raise SourceError(
                "{title} has {n_rows:,} rows, but the selection {value!r} has row {row:,}. Use the file with which it "
                "was saved.",
                title=title,
                n_rows=n_rows,
                value=self.name,
                row=last,
            )
        steps = np.zeros(n_rows + 1, np.int8)
        ends = np.array(self.rows, np.int64).reshape(-1, 2)
        np.add.at(steps, ends[:, 0] - 1, 1)
        np.add.at(steps, ends[:, 1], -1)
        return np.cumsum(steps[:-1]) > 0

    def column(self, n_rows: int, title: str) -> Column:
        """The column; it is ignored until it has another role."""
        codes = np.where(self.mask(n_rows, title), 0, 1).astype(np.int32)
        return Column(self.name, "nominal", codes, LABELS, "ignored")
