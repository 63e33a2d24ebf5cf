"""Rows of the source that are not learned: how many, and which are the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from workbench.source.encode.encoding import Missing

Why = Missing | Literal["weight"]
"""Why rows are left out: by the missing-value policy, or for the weight 0."""
REASONS: dict[Why, tuple[str, str]] = {
    "model": ("no value in any input column", "skipped"),
    "mean": ("no value in any input column", "skipped"),
    "drop": ("a missing value", "dropped"),
    "weight": ("the weight 0", "skipped"),
}
NAMED = 5
"""Rows that are named; the others are counted."""


@dataclass(frozen=True)
class LeftOut:
    """Count of the rows that are not learned, and the first of them; updated block by block, in any order.

    >>> LeftOut().and_rows(np.array([271, 3])).words("penguins.csv")
    '2 rows have no value in any input column and were skipped: rows 4 and 272 of penguins.csv'
    """

    n_rows: int = 0
    first: tuple[int, ...] = ()
    """The first rows by their numbers in the source, from 0."""

    def and_rows(self, rows: Any) -> LeftOut:
        """With more rows added."""
        if not len(rows):
            return self
        return LeftOut(self.n_rows + len(rows), tuple(sorted([*self.first, *np.sort(rows)[:NAMED].tolist()])[:NAMED]))

    def words(self, title: str, why: Why = "model") -> str:
        """One sentence for a user; empty where no row is left out.

        >>> LeftOut(1, (3,)).words("wine.csv", "drop")
        '1 row has a missing value and was dropped: row 4 of wine.csv'
        >>> LeftOut(1002, (0, 1, 2, 3, 4)).words("wine.csv")
        '1,002 rows have no value in any input column and were skipped: rows 1, 2, 3, 4, 5 and 997 more of wine.csv'
        """
        if not self.n_rows:
            return ""
        what, done = REASONS[why]
        if self.n_rows == 1:
            return f"1 row has {what} and was {done}: row {self.first[0] + 1:,} of {title}"
        return f"{self.n_rows:,} rows have {what} and were {done}: rows {self._named()} of {title}"

    def _named(self) -> str:
        numbers = [f"{row + 1:,}" for row in self.first]
        more = self.n_rows - len(numbers)
        last = f"{more:,} more" if more else numbers.pop()
        return f"{', '.join(numbers)} and {last}"
