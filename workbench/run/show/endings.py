"""How components ended: removed, or taken in by another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figmn import Record
from figmn.system.arrays import Ints

NOBODY = -1
"""In place of the component that took another in, where it was removed."""
KEPT = 100_000
"""Endings that a run keeps, the latest ones."""
NO_ENDINGS: Ints = np.empty((0, 3), np.int64)
NO_ENDINGS.flags.writeable = False


class Ending(NamedTuple):
    """The end of a component."""

    sample: int
    """Number of the sample after which it ended, from 0."""
    kept: int | None
    """Id of the component that took it in; None where it was removed."""

    def words(self) -> str:
        """For a user, who counts from 1.

        >>> Ending(811, 4).words(), Ending(811, None).words()
        ('taken in by #4 at sample 812', 'removed at sample 812')
        """
        how = "removed" if self.kept is None else f"taken in by #{self.kept}"
        return f"{how} at sample {self.sample + 1:,}"


def endings_of(record: Record) -> Ints:
    """The endings of a chunk in order: sample, id of the component that was kept or `NOBODY`, and id, (E, 3).

    >>> from figmn import FastIGMN
    >>> rows = [[0.0], [0.0], [50.0], [99.0]]
    >>> endings_of(FastIGMN(delta=1, beta=0.1, scale=[1.0], max_components=2).learn_recorded(rows))
    array([[3, 1, 2]])
    """
    removals = np.column_stack([record.removed_samples, np.full(len(record.removed_ids), NOBODY), record.removed_ids])
    endings = np.concatenate([removals, record.merges])
    # After a sample, components are removed before others are merged.
    return endings[np.argsort(endings[:, 0], kind="stable")]


def ending_of(endings: Ints, id: int) -> Ending | None:
    """How a component ended; None where that is not known.

    >>> ending_of(np.array([[811, 4, 7]]), 7)
    Ending(sample=811, kept=4)
    """
    for sample, kept, _ in endings[endings[:, 2] == id].tolist():
        return Ending(sample, None if kept == NOBODY else kept)
    return None


class Endings:
    """The latest endings of a run, `kept` of them at most."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self._room, self._n_used = NO_ENDINGS, 0

    def add(self, endings: Ints) -> None:
        """Add the endings of a chunk."""
        if not len(endings):
            return
        if self._n_used + len(endings) > len(self._room):
            latest = self.latest()
            # A new array, as what was asked for before must not change.
            self._room = np.empty((2 * (len(latest) + len(endings)), 3), np.int64)
            self._room[: len(latest)] = latest
            self._n_used = len(latest)
        self._room[self._n_used : self._n_used + len(endings)] = endings
        self._n_used += len(endings)

    def latest(self) -> Ints:
        """All that are kept, read-only; they do not change while others are added."""
        latest = self._room[max(0, self._n_used - self.kept) : self._n_used]
        latest.flags.writeable = False
        return latest
