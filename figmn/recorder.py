"""Collects per-sample results into a `Record`."""

from __future__ import annotations

import numpy as np

from figmn.arguments import RecorderPage
from figmn.system.arrays import Floats, Ints
from figmn.trace import Record

NOBODY = -1
"""The id of no component."""
LOG_LIKELIHOOD, DISTANCE, POSTERIOR = 0, 1, 2
"""Rows of the recorded measures, one column per sample."""
NEAREST, OWNER, BORN, N_COMPONENTS, N_INDEFINITE = 0, 1, 2, 3, 4
"""Rows of the recorded numbers, one column per sample."""


class Recorder:
    """Records what every sample does; a recorder for 0 samples records nothing.

    >>> recorder = Recorder(first=7, n_samples=1, n_components=2)
    >>> recorder.measured(7, -1.5, np.array([3, 4]), np.array([9.0, 2.0]), np.array([0.8, 0.2]))
    >>> recorder.removed(7, np.array([3]))
    >>> recorder.learned(7, NOBODY, 1, 0)
    >>> recorder.merged(7, [], 1)
    >>> record = recorder.record(threshold=5.0, nanoseconds=100, cpu_nanoseconds=90)
    >>> record.nearest, record.owners, record.removed_samples, record.removed_ids
    (array([4]), array([3]), array([7]), array([3]))
    """

    def __init__(self, first: int, n_samples: int, n_components: int) -> None:
        self.n_removed = 0
        self._merges: list[tuple[int, int, int]] = []
        self._first, self._is_silent = first, n_samples == 0
        # One allocation for all: it gets large memory pages. Several smaller ones get small pages, and mapping them can
        # take a fifth as long as learning in two dimensions.
        table = np.empty((N_INDEFINITE + POSTERIOR + 2, n_samples))
        self._measures, self._numbers = table[: POSTERIOR + 1], table[POSTERIOR + 1 :].view(np.int64)
        # Every component can be removed: those at the start, and one birth per sample at most.
        self._removals = np.empty((n_components + n_samples, 2), np.int64)

    def page(self, sample: int) -> RecorderPage:
        """Where a compiled loop that starts at this sample writes."""
        return RecorderPage(self._measures, self._numbers, self._removals, sample - self._first)

    def measured(self, sample: int, log_likelihood: float, ids: Ints, distances: Floats, posteriors: Floats) -> None:
        """Record a sample before it is learned: its log density, and the components with their d² and posteriors.

        This and the methods below are for rows that are learned in NumPy; compiled loops write to the `page`.
        """
        if self._is_silent:
            return
        column = sample - self._first
        if not len(ids):
            self._measures[:, column] = log_likelihood, np.nan, np.nan
            self._numbers[: OWNER + 1, column] = NOBODY
            return
        nearest, owner = distances.argmin(), posteriors.argmax()
        self._measures[:, column] = log_likelihood, distances[nearest], posteriors[owner]
        self._numbers[: OWNER + 1, column] = ids[nearest], ids[owner]

    def removed(self, sample: int, ids: Ints) -> None:
        """Record which components a sample removes."""
        if self._is_silent:
            return
        for number in ids.tolist():
            self._removals[self.n_removed] = sample - self._first, number
            self.n_removed += 1

    def merged(self, sample: int, pairs: list[tuple[int, int]], n_components: int) -> None:
        """Record which components take in which others after a sample, and the number that is left."""
        if not self._is_silent:
            self._merges += [(sample, kept, taken) for kept, taken in pairs]
            self._numbers[N_COMPONENTS, sample - self._first] = n_components

    def learned(self, sample: int, born: int, n_components: int, n_indefinite: int) -> None:
        """Record the number of components after a sample."""
        if self._is_silent:
            return
        column = sample - self._first
        self._numbers[BORN:, column] = born, n_components, n_indefinite
        if born != NOBODY:
            self._numbers[OWNER, column], self._measures[POSTERIOR, column] = born, 1.0

    def record(self, threshold: float, nanoseconds: int, cpu_nanoseconds: int) -> Record:
        """The finished record; its arrays are read-only."""
        removals = self._removals[: self.n_removed].T.copy()
        removals[0] += self._first
        merges = np.array(self._merges, np.int64).reshape(-1, 3)
        for array in (self._measures, self._numbers, removals, merges):
            array.flags.writeable = False
        return Record(
            first=self._first,
            log_likelihoods=self._measures[LOG_LIKELIHOOD],
            nearest=self._numbers[NEAREST],
            distances=self._measures[DISTANCE],
            owners=self._numbers[OWNER],
            posteriors=self._measures[POSTERIOR],
            born=self._numbers[BORN],
            n_components=self._numbers[N_COMPONENTS],
            n_indefinite=self._numbers[N_INDEFINITE],
            removed_samples=removals[0],
            removed_ids=removals[1],
            merges=merges,
            threshold=threshold,
            nanoseconds=nanoseconds,
            cpu_nanoseconds=cpu_nanoseconds,
        )


SILENT = Recorder(first=0, n_samples=0, n_components=0)
"""Records nothing."""
