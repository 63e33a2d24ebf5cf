"""Growable arrays that hold the components of a mixture. No mathematics here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Components:
    """The components of one mixture, as a structure of arrays.

    Every array has one row a component; `add` makes room by doubling, `keep` closes the gaps and preserves the order.

    >>> components = Components(n_features=2)
    >>> components.add(id=7, mean=np.zeros(2), matrix=np.eye(2), variance=np.ones(2), log_det=0.0)
    >>> components.count, components.ids.tolist(), components.accumulators.tolist()
    (1, [7], [1.0])
    >>> components.keep(np.array([False]))
    >>> components.count
    0
    """

    ids: Ints
    means: Floats
    matrices: Floats
    """What the engine keeps: precisions in the fast one, covariances in the cubic one."""
    variances: Floats
    """Diagonals of the covariances."""
    log_dets: Floats
    """Logarithms of the absolute determinants of the covariances."""
    accumulators: Floats
    ages: Ints
    negatives: Ints
    """Negative eigenvalues of each covariance: 0 where it is positive definite."""

    def __init__(self, n_features: int) -> None:
        self.n_features = n_features
        self.count = 0
        self._buffers = {name: np.empty((0, *shape), dtype) for name, (dtype, shape) in self.layout(n_features).items()}
        self._expose()

    def add(self, *, id: int, mean: Floats, matrix: Floats, variance: Floats, log_det: float) -> None:
        """Append a newborn component: accumulator 1, age 1, positive definite."""
        newborn = {
            "ids": id,
            "means": mean,
            "matrices": matrix,
            "variances": variance,
            "log_dets": log_det,
            "accumulators": 1.0,
            "ages": 1,
            "negatives": 0,
        }
        self.extend({name: np.asarray(value)[None] for name, value in newborn.items()})

    def extend(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Append components given as one array for each name."""
        count = self.count + len(arrays["ids"])
        if count > len(self._buffers["ids"]):
            self._grow(count)
        for name, buffer in self._buffers.items():
            buffer[self.count : count] = arrays[name]
        self.count = count
        self._expose()

    def copies(self) -> dict[str, NDArray[Any]]:
        """An independent copy of every array, by name."""
        return {name: buffer[: self.count].copy() for name, buffer in self._buffers.items()}

    def keep(self, mask: Bools) -> None:
        """Drop every component whose place in `mask` is False."""
        kept = int(np.count_nonzero(mask))
        for buffer in self._buffers.values():
            buffer[:kept] = buffer[: self.count][mask]
        self.count = kept
        self._expose()

    @staticmethod
    def layout(n_features: int) -> dict[str, tuple[type[np.float64] | type[np.int64], tuple[int, ...]]]:
        """Type and shape of one component's entry in every array, by name."""
        vector, matrix = (n_features,), (n_features, n_features)
        return {
            "ids": (np.int64, ()),
            "means": (np.float64, vector),
            "matrices": (np.float64, matrix),
            "variances": (np.float64, vector),
            "log_dets": (np.float64, ()),
            "accumulators": (np.float64, ()),
            "ages": (np.int64, ()),
            "negatives": (np.int64, ()),
        }

    def _grow(self, count: int) -> None:
        # All new arrays are made before the first is put in place: a MemoryError leaves the mixture as it was.
        room = max(count, 2 * self.count)
        grown = {name: np.empty((room, *buffer.shape[1:]), buffer.dtype) for name, buffer in self._buffers.items()}
        for name, buffer in self._buffers.items():
            grown[name][: self.count] = buffer[: self.count]
        self._buffers = grown

    def _expose(self) -> None:
        for name, buffer in self._buffers.items():
            setattr(self, name, buffer[: self.count])
