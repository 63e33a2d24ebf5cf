"""Division of a table's rows into folds for cross-validation: shuffled, every class spread evenly over the folds."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.source import SourceError, Table

FEWEST = 2
"""Folds: one to train on, one to test on."""


@dataclass(frozen=True, eq=False)
class Fold:
    """Row numbers of the training set and of the test set, each in shuffled order; read-only."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]


def stratified_folds(table: Table, n_folds: int = 2, seed: int = 0) -> tuple[Fold, ...]:
    """Folds in which every row is tested once and every class has the same share as in the whole table, to one row.

    Parameters
    ----------
    table : its nominal target is the class; rows without a class count as one class of their own, and so do all rows
        of a table without such a target
    n_folds : from 2 to the number of rows
    seed : of the shuffle; the same seed gives the same folds

    Examples
    --------
    >>> from workbench.source import sample
    >>> first, second = stratified_folds(sample("iris").read())
    >>> len(first.train), len(first.test), sorted(first.train) == sorted(second.test)
    (75, 75, True)
    """
    _check(table, n_folds)
    # Shuffled here and not by scikit-learn, whose folds list their rows in ascending order: engines learn in order.
    shuffled = np.random.default_rng(seed).permutation(table.n_rows)
    return tuple(_fold(shuffled[train], shuffled[test]) for train, test in _splits(_codes(table)[shuffled], n_folds))


def _splits(codes: NDArray[np.int32], n_folds: int) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    from sklearn.model_selection import KFold, StratifiedKFold  # takes half a second: only where it is needed

    # StratifiedKFold refuses tables in which every class has fewer rows than there are folds.
    is_divisible = np.unique(codes, return_counts=True)[1].max() >= n_folds
    splitter = StratifiedKFold(n_folds) if is_divisible else KFold(n_folds)
    with warnings.catch_warnings():
        # A rare class that is missing from some folds is what was asked for.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(splitter.split(codes, codes))


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


def _fold(train: NDArray[np.intp], test: NDArray[np.intp]) -> Fold:
    train.flags.writeable = test.flags.writeable = False
    return Fold(train, test)
