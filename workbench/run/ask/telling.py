"""Which numbers of the table say most about another attribute, as its rows have them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figmn.system.arrays import Floats, Ints
from workbench.run.ask.attributes import Attribute

N_ROWS, N_BINS = 400, 12
"""Rows that are looked at, and parts into which the values of a number are cut, each with as many rows."""


class Telling:
    """Rankings, kept until the attributes are others. They are a first choice of axes and no measurement."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self._numbers = [one for one in attributes if one.varies]
        self._by_name = {one.name: one for one in attributes}
        self._ranked: dict[str, list[str]] = {}

    def ranked(self, wanted: str) -> list[str]:
        """The other numbers that vary in the data, those that tell most first."""
        if wanted not in self._ranked:
            others = [one for one in self._numbers if one.name != wanted]
            shares = _explained([one.values for one in others], self._by_name[wanted])
            order = np.argsort(-shares, kind="stable")
            self._ranked[wanted] = [others[place].name for place in order]
        return self._ranked[wanted]


def _explained(columns: Sequence[Floats], wanted: Attribute) -> Floats:
    """Share of the variance of the wanted values that is between the bins of each column."""
    answers = wanted.values
    known_rows = np.flatnonzero(np.isfinite(answers))
    if not len(columns) or not len(known_rows):
        return np.zeros(len(columns))
    some = known_rows[:: max(1, len(known_rows) // N_ROWS)]
    values, answers = np.column_stack([column[some] for column in columns]), answers[some]
    targets = (answers[:, None] == np.unique(answers)).astype(float) if wanted.has_labels else _ranks(answers)[:, None]
    targets = targets - targets.mean(axis=0)
    bins = np.column_stack([_bins(column) for column in values.T])
    between = np.zeros(values.shape[1])
    for number in range(N_BINS):
        inside = (bins == number).astype(float)
        sums = inside.T @ targets
        between += (sums**2).sum(axis=1) / np.maximum(inside.sum(axis=0), 1.0)
    return between / max(float((targets**2).sum()), np.finfo(float).tiny)


def _bins(values: Floats) -> Ints:
    """Parts of a column with about as many rows each; equal values are in the same one, and NaN in none, -1."""
    known = np.sort(values[np.isfinite(values)])
    edges = known[len(known) * np.arange(1, N_BINS) // N_BINS] if len(known) else known
    return np.where(np.isfinite(values), np.searchsorted(edges, values, side="right"), -1)


def _ranks(values: Floats) -> Floats:
    """Mean places in the order of the values: equal ones have the same."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    means: Floats = np.cumsum(counts) - (counts - 1) / 2
    return means[places]
