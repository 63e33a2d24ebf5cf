"""Division of a table's rows into folds: shuffled, then every class spread evenly, as Weka does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.source import SourceError, Table

FEWEST = 2
"""Folds: one to learn from, one to be asked about."""


@dataclass(frozen=True, eq=False)
class Fold:
    """Numbers of the rows to learn from and of those to be asked about, each in shuffled order; read-only."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]


def stratified_folds(table: Table, n_folds: int = 2, seed: int = 0) -> tuple[Fold, ...]:
    """Folds in which every row is asked about once, and every class is as frequent as in the whole table, to one row.

    Parameters
    ----------
    table : its nominal target is the class; rows without one are a class of their own, and so are all rows of a table
        without such a target
    n_folds : from 2 to the number of rows
    seed : of the shuffle; the same seed makes the same folds

    Examples
    --------
    >>> from workbench.source import sample
    >>> first, second = stratified_folds(sample("iris").read())
    >>> len(first.train), len(first.test), sorted(first.train) == sorted(second.test)
    (75, 75, True)
    """
    _check(table, n_folds)
    shuffled = np.random.default_rng(seed).permutation(table.n_rows)
    codes = _codes(table)[shuffled]
    # Sorted by class, neighbours go to different folds.
    numbers = np.empty(table.n_rows, np.intp)
    numbers[np.argsort(codes, kind="stable")] = np.arange(table.n_rows) % n_folds
    return tuple(_fold(shuffled, numbers == number) for number in range(n_folds))


def _check(table: Table, n_folds: int) -> None:
    if n_folds < FEWEST:
        raise SourceError(
            "{n_folds} folds are too few for {table}. Ask for {fewest} or more.",
            n_folds=n_folds,
            table=table.name,
            fewest=FEWEST,
        )
    if n_folds > table.n_rows:
        raise SourceError(
            "{n_rows:,} rows of {table} cannot be divided into {n_folds:,} folds. Ask for no more folds "
            "than there are rows.",
            n_rows=table.n_rows,
            table=table.name,
            n_folds=n_folds,
        )


def _codes(table: Table) -> NDArray[np.int32]:
    classes = [column for column in table.targets if column.kind == "nominal"]
    return classes[0].values if classes else np.zeros(table.n_rows, np.int32)


def _fold(rows: NDArray[np.intp], is_asked: NDArray[np.bool_]) -> Fold:
    train, test = rows[~is_asked], rows[is_asked]
    train.flags.writeable = test.flags.writeable = False
    return Fold(train, test)
