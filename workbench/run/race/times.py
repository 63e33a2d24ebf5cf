"""How long samples took: median and slow tail, over the latest chunks."""

from __future__ import annotations

import math

import numpy as np

KEPT = 65_536
"""Latest chunks that are kept."""


class Times:
    """Time per sample of every chunk, weighted by the number of samples in the chunk.

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
        """Microseconds that this share of the samples did not exceed; NaN before the first."""
        return self._weighted(0, share)

    @property
    def samples_a_chunk(self) -> int:
        """Samples in the chunk of a typical sample (weighted median); 0 before the first."""
        return int(np.nan_to_num(self._weighted(1, 0.5)))

    def _weighted(self, row: int, share: float) -> float:
        if not self._n_added:
            return math.nan
        chunks = self._chunks[:, : min(self._n_added, KEPT)]
        return float(np.quantile(chunks[row], share, weights=chunks[1], method="inverted_cdf"))
