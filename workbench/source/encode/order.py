"""The order in which rows are learned, and the division into training and test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.table.table import Table

OrderKind = Literal["as is", "shuffled", "sorted", "interleaved"]


@dataclass(frozen=True)
class Order:
    """As the file has them; shuffled by a seed; sorted by a column; or interleaved: one row of every class in turn.

    >>> from workbench.source.table.table import Column
    >>> table = Table("t", (Column.nominal("class", ["a", "a", "b", "b"], role="target"),))
    >>> Order("interleaved").rows(table).tolist()
    [0, 2, 1, 3]
    """

    kind: OrderKind = "as is"
    seed: int = 0
    column: str | None = None
    """What to sort or interleave by; interleaving takes the target where none is named."""

    def __post_init__(self) -> None:
        if self.kind not in get_args(OrderKind):
            allowed = ", ".join(get_args(OrderKind))
            raise SourceError(
                "{value!r} is not an order. Choose one of: {allowed}.", value=str(self.kind), allowed=allowed
            )
        check_seed(self.seed)
        if self.kind == "sorted" and self.column is None:
            raise SourceError(
                "Sorting needs a column. Name the column to sort by.",
            )

    def rows(self, table: Table) -> NDArray[np.intp]:
        """The positions of the rows, in this order."""
        if self.kind == "shuffled":
            return np.random.default_rng(self.seed).permutation(table.n_rows)
        if self.kind == "sorted":
            return self._sorted(table)
        if self.kind == "interleaved":
            return self._interleaved(table)
        return np.arange(table.n_rows)

    def _sorted(self, table: Table) -> NDArray[np.intp]:
        """Stable, missing values last; labels in the order of their declaration."""
        column = table[str(self.column)]
        values: NDArray[Any] = column.values
        if column.kind == "string":
            values = np.array(["" if text is None else text for text in values], dtype=object)
        keys = np.argsort(values, kind="stable")
        missing = column.missing[keys]
        return np.concatenate([keys[~missing], keys[missing]])

    def _interleaved(self, table: Table) -> NDArray[np.intp]:
        """By how many of its class came before it, then by class; rows without a class come last."""
        column = table[self.column] if self.column is not None else self._target(table)
        if column.kind != "nominal":
            raise SourceError(
                "Column {column!r} is {kind}: rows can be interleaved by labels only. Choose a nominal column.",
                column=column.name,
                kind=column.kind,
            )
        turn = np.zeros(table.n_rows, dtype=np.int64)
        for code in range(-1, len(column.labels)):
            members = np.flatnonzero(column.values == code)
            turn[members] = np.arange(len(members)) if code >= 0 else table.n_rows
        return np.lexsort((column.values, turn))

    @staticmethod
    def _target(table: Table) -> Any:
        nominal = [column for column in table.targets if column.kind == "nominal"]
        if not nominal:
            raise SourceError(
                "{table} has no nominal target to interleave by. Choose a column, or make one the target.",
                table=table.name,
            )
        return nominal[0]


def split(table: Table, test_share: float, seed: int = 0) -> tuple[Table, Table]:
    """Training and test rows, drawn by a seed; both keep the order of the table.

    >>> from workbench.source.table.table import Column
    >>> train, test = split(Table("t", (Column.numeric("x", range(10)),)), 0.3)
    >>> train.n_rows, test.n_rows
    (7, 3)
    """
    check_seed(seed)
    n_test = n_held_out(table.n_rows, test_share)
    drawn = np.random.default_rng(seed).permutation(table.n_rows)
    return table.take(np.sort(drawn[n_test:])), table.take(np.sort(drawn[:n_test]))


def n_held_out(n_rows: int, test_share: float) -> int:
    """Rows of a share that is held out; SourceError where none would be left, to learn or to test.

    >>> n_held_out(10, 0.3)
    3
    """
    n_test = round(n_rows * test_share) if 0 < test_share < 1 else 0
    if not 0 < n_test < n_rows:
        raise SourceError(
            "{value!r} of {n_rows:,} rows leaves no training or no test rows. Choose a share above 0 and "
            "below 1 that leaves at least one row for each.",
            value=f"{test_share:g}",
            n_rows=n_rows,
        )
    return n_test


def check_seed(seed: object) -> None:
    """Refuse what is no seed."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise SourceError("{value!r} is not a seed. Give a whole number from 0 on.", value=str(seed))
