"""The whole history of a run in constant memory: pieces of equal length, which doubles when there are too many."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from figmn import Record
from figmn.system.arrays import Floats, Ints
from workbench.run.show.frame import Timeline

Array = TypeVar("Array", Floats, Ints)
PIECES = 2048
"""Most pieces; once their length has doubled, never fewer than half of them."""


class Past:
    """Sums over the pieces, filled chunk by chunk."""

    def __init__(self) -> None:
        self.piece = 1
        self.n_samples = 0
        self._n_components = np.zeros(PIECES, np.int64)
        self._sums = np.zeros((9, PIECES))
        """Births, removals, mergers, microseconds, log-likelihoods and how many of these there are, those of the inputs
        and how many, indefinite updates."""
        self._n_indefinite = 0

    def add(self, record: Record, input_scores: Floats | None = None) -> None:
        """Count the samples of a chunk, each of which took its share of the time.

        Parameters
        ----------
        record : what the samples did
        input_scores : log density of each sample's inputs, NaN where it was not scored; None where none was
        """
        start, count = self.n_samples, len(record.born)
        while start + count > PIECES * self.piece:
            self._double()
        first, last = start // self.piece, (start + count - 1) // self.piece
        begins = np.maximum(np.arange(first, last + 1) * self.piece - start, 0)
        values = np.stack(
            [
                record.born >= 0,
                np.bincount(record.removed_samples - record.first, minlength=count),
                np.bincount(record.merges[:, 0] - record.first, minlength=count),
                np.full(count, record.nanoseconds / 1e3 / count),
                *_known(record.log_likelihoods),
                *_known(np.full(count, np.nan) if input_scores is None else input_scores),
                np.diff(record.n_indefinite, prepend=self._n_indefinite),
            ]
        )
        self._sums[:, first : last + 1] += np.add.reduceat(values, begins, axis=1)
        ends = np.append(begins[1:], count) - 1
        self._n_components[first : last + 1] = record.n_components[ends]
        self._n_indefinite = int(record.n_indefinite[-1])
        self.n_samples += count

    def timeline(self) -> Timeline:
        """The history so far, frozen."""
        n = -(-self.n_samples // self.piece)
        samples = np.minimum(self.piece * np.arange(1, n + 1), self.n_samples)
        lengths = np.diff(samples, prepend=0)
        births, removals, merges, microseconds, likelihoods, known, of_inputs, scored, indefinite = self._sums[:, :n]
        return Timeline(
            piece=self.piece,
            samples=_frozen(samples),
            n_components=_frozen(self._n_components[:n].copy()),
            births=_frozen(births.astype(np.int64)),
            removals=_frozen(removals.astype(np.int64)),
            merges=_frozen(merges.astype(np.int64)),
            microseconds=_frozen(microseconds / lengths),
            log_likelihoods=_frozen(_means(likelihoods, known)),
            input_log_likelihoods=_frozen(_means(of_inputs, scored)),
            indefinite=_frozen(indefinite.astype(np.int64)),
        )

    def _double(self) -> None:
        half = PIECES // 2
        merged = self._sums[:, 0::2] + self._sums[:, 1::2]
        self._sums[:, :half], self._sums[:, half:] = merged, 0.0
        # K at the end of a pair is that of its second piece, unless the second has not begun.
        pairs = self._n_components.reshape(half, 2)
        begun = -(-self.n_samples // self.piece)
        latest = np.where(2 * np.arange(half) + 1 < begun, pairs[:, 1], pairs[:, 0])
        self._n_components[:half], self._n_components[half:] = latest, 0
        self.piece *= 2


def _known(values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The finite values with 0 for the others, and which they are."""
    known = np.isfinite(values)
    return np.where(known, values, 0.0), known


def _means(sums: Floats, counts: Floats) -> Floats:
    """Means; NaN where there are no values."""
    means: Floats = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return means


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array
