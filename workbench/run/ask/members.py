"""Which rows of a table belong to which component: each to the one with the largest posterior."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from figmn import Snapshot
from figmn.system.arrays import Bools, Ints
from workbench.source import Cancelled, Encoder
from workbench.source.read.options import Progress, silent
from workbench.source.table.table import Table

ROWS_AT_ONCE = 2000
"""Rows that are asked about between two calls of the progress callback."""
MOST_LABELS = 1000
"""Labels up to which those of a column are counted."""


@dataclass(frozen=True, eq=False)
class Members:
    """The component of every row of a table under one mixture. Arrays are read-only."""

    n_seen: int
    """Samples that the mixture had learned."""
    ids: Ints
    """Of all components."""
    owners: Ints
    """(rows,): id of the component of every row; -1 where no input is known."""
    labels: dict[str, tuple[tuple[str, ...], NDArray[np.int64]]]
    """For every nominal column its labels, and how often each occurs in every component, (K, labels)."""

    @cached_property
    def sizes(self) -> Ints:
        """(K,): rows of every component."""
        places = np.searchsorted(self._sorted_ids, self.owners[self.owners >= 0])
        counts = np.bincount(places, minlength=len(self.ids))
        found: Ints = counts[np.argsort(self._order)]
        return found

    @property
    def n_known(self) -> int:
        """Rows that belong to a component."""
        return int(self.sizes.sum())

    def size_of(self, number: int) -> int | None:
        """Rows of a component; None where there was no such component."""
        place = np.flatnonzero(self.ids == number)
        return int(self.sizes[place[0]]) if len(place) else None

    def is_of(self, number: int) -> Bools:
        """Whether each row belongs to a component."""
        found: Bools = self.owners == number
        return found

    def labels_of(self, number: int) -> dict[str, tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int64]]]:
        """For every nominal column its labels, how often each occurs in a component, and how often in all rows."""
        place = np.flatnonzero(self.ids == number)
        if not len(place):
            return {}
        return {name: (labels, counts[place[0]], counts.sum(axis=0)) for name, (labels, counts) in self.labels.items()}

    @cached_property
    def _order(self) -> Ints:
        return np.argsort(self.ids)

    @cached_property
    def _sorted_ids(self) -> Ints:
        return self.ids[self._order]


def members_of(snapshot: Snapshot, encoder: Encoder, table: Table, progress: Progress = silent) -> Members:
    """Ask a mixture about every row, with its gaps, in blocks; `Cancelled` where the callback says so."""
    gaps_kept, inputs = with_gaps_kept(encoder), encoder.inputs if len(encoder.inputs) else slice(None)
    places = np.full(table.n_rows, -1, np.int64)
    for start in range(0, table.n_rows if snapshot.n_components else 0, ROWS_AT_ONCE):
        if not progress(start, table.n_rows):
            raise Cancelled
        some = slice(start, min(start + ROWS_AT_ONCE, table.n_rows))
        rows = gaps_kept.encode(table.take(some), np.arange(some.start, some.stop)).values
        known = ~np.isnan(rows[:, inputs]).all(axis=1)
        if known.any():
            places[some][known] = snapshot.responsibilities(rows[known]).argmax(axis=1)
    owners = np.where(places >= 0, snapshot.ids[places] if snapshot.n_components else -1, -1)
    owners.flags.writeable = False
    return Members(snapshot.n_seen, snapshot.ids, owners, _labels(table, places, snapshot.n_components))


def with_gaps_kept(encoder: Encoder) -> Encoder:
    """An encoder that encodes every row, and leaves what is missing to the mixture."""
    return replace(encoder, encoding=replace(encoder.encoding, missing="model"))


def _labels(table: Table, places: Ints, n_components: int) -> dict[str, tuple[tuple[str, ...], NDArray[np.int64]]]:
    found = {}
    for column in table:
        if column.kind != "nominal" or not 0 < len(column.labels) <= MOST_LABELS:
            continue
        known = (places >= 0) & (column.values >= 0)
        cells = places[known] * len(column.labels) + column.values[known]
        counts = np.bincount(cells, minlength=n_components * len(column.labels))
        found[column.name] = (column.labels, counts.reshape(n_components, len(column.labels)))
    return found
