"""Quantiles of the time per sample."""

from __future__ import annotations

import math

import numpy as np

KEPT = 65_536
"""Chunks that are kept, the latest ones."""


class Times:
    """The time of a sample in every chunk, weighted by the samples of the chunk.

    >>> times = Times()
    >>> times.add(98, 2.0)
    >>> times.add(2, 50.0)
    >>> times.quantile(0.5), times.quantile(0.99), times.samples_a_chunk
    (2.0, 50.0, 98)
    """

    def __init__(self) -> None:
        self._n_added = 0
        self._chunks = np.empty((2, KEPT))
        """Microseconds per sample, and number of samples."""

    def add(self, count: int, microseconds: float) -> None:
        """Add a chunk of samples, each of which took the same time."""
        self._chunks[:, self._n_added % KEPT] = microseconds, count
        self._n_added += 1

    def quantile(self, share: float) -> float:
        """The time that this share of the samples did not exceed; NaN before the first chunk."""
        return self._weighted(0, share)

    @property
    def samples_a_chunk(self) -> int:
        """Samples in the chunk of a typical sample; 0 before the first chunk."""
        return int(np.nan_to_num(self._weighted(1, 0.5)))

    def _weighted(self, row: int, share: float) -> float:
        if not self._n_added:
            return math.nan
        chunks = self._chunks[:, : min(self._n_added, KEPT)]
        return float(np.quantile(chunks[row], share, weights=chunks[1], method="inverted_cdf"))
