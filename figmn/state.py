"""Growable arrays that hold the components of a mixture. No mathematics here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.arguments import ComponentArrays
from figmn.system.arrays import Bools, Floats, Ints
from figmn.system.memory import require


class Components:
    """The components of one mixture, as a structure of arrays.

    Every array has one row per component; `add` makes room by doubling, `keep` closes the gaps and preserves the order.

    >>> components = Components(n_features=2, n_kept=2)
    >>> components.add(ids=7, centres=0.0, matrices=np.eye(2), forms=None, variances=1.0, log_dets=0.0,
    ...                accumulators=1.0, masses=1.0)
    >>> components.count, components.ids.tolist(), components.accumulators.tolist()
    (1, [7], [1.0])
    >>> components.keep(np.array([False]))
    >>> components.count
    0
    """

    ids: Ints
    centres: Floats
    """Means minus the model's offset."""
    matrices: Floats
    """`Triangle` or precision in the fast engine, covariance in the cubic one; (K, 0, 0) where forms are kept."""
    forms: NDArray[np.object_]
    """In many dimensions, the fast engine's `Scatter`, `Inverse` or `Precision` of every component; None elsewhere."""
    variances: Floats
    """Diagonals of the covariances."""
    log_dets: Floats
    """Logarithms of the absolute determinants of the covariances."""
    accumulators: Floats
    masses: Floats
    """M of every component, S = M C: the unit in which its scatter is stored."""
    ages: Ints
    negatives: Ints
    """Negative eigenvalues of each covariance: 0 where it is positive definite."""
    arrays: ComponentArrays
    """The buffers, spare room included, for compiled loops."""

    def __init__(self, n_features: int, n_kept: int) -> None:
        self.count = 0
        layout = self.layout(n_features, n_kept)
        self._replace({name: np.empty((0, *shape), dtype) for name, (dtype, shape) in layout.items()})

    @staticmethod
    def layout(n_features: int, n_kept: int) -> dict[str, tuple[Any, tuple[int, ...]]]:
        """Type and shape of one component's entry in every array, by name; matrices are `n_kept` wide."""
        return {
            "ids": (np.int64, ()),
            "centres": (np.float64, (n_features,)),
            "matrices": (np.float64, (n_kept, n_kept)),
            "forms": (np.object_, ()),
            "variances": (np.float64, (n_features,)),
            "log_dets": (np.float64, ()),
            "accumulators": (np.float64, ()),
            "masses": (np.float64, ()),
            "ages": (np.int64, ()),
            "negatives": (np.int64, ()),
        }

    def add(self, **newborn: Any) -> None:
        """Append one component given as one value for each name; age 1, positive definite."""
        newborn |= {"ages": 1, "negatives": 0}
        self.reserve(self.count + 1)
        for name, buffer in self.buffers.items():
            buffer[self.count] = newborn[name]
        self.resize(self.count + 1)

    def extend(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Append components given as one array for each name."""
        count = self.count + len(arrays["ids"])
        self.reserve(count)
        for name, buffer in self.buffers.items():
            buffer[self.count : count] = arrays[name]
        self.resize(count)

    def keep(self, mask: Bools) -> None:
        """Drop every component whose place in `mask` is False."""
        kept = int(np.count_nonzero(mask))
        for buffer in self.buffers.values():
            buffer[:kept] = buffer[: self.count][mask]
        self.resize(kept)

    def copies(self) -> dict[str, NDArray[Any]]:
        """An independent copy of every array, by name."""
        return {name: _copied(buffer[: self.count]) for name, buffer in self.buffers.items()}

    @property
    def n_bytes(self) -> int:
        """Memory that all arrays take, spare room included."""
        forms: int = sum(form.n_bytes for form in self.forms if form is not None)
        return forms + sum(buffer.nbytes for buffer in self.buffers.values())

    def resize(self, count: int) -> None:
        """Set how many components the buffers hold."""
        self.buffers["forms"][count:] = None
        self.count = count
        self._expose()

    def reserve(self, count: int) -> None:
        """Make room for `count` components in all, at least doubling the room."""
        if count <= len(self.buffers["ids"]):
            return
        room = max(count, 2 * self.count)
        n_bytes = sum(room * buffer[:0].itemsize * math.prod(buffer.shape[1:]) for buffer in self.buffers.values())
        require(n_bytes, f"room for {room} components of {n_bytes / room / 1e6:,.1f} MB")
        # All new arrays are made before the first is put in place: a MemoryError leaves the mixture unchanged.
        grown = {name: np.empty((room, *buffer.shape[1:]), buffer.dtype) for name, buffer in self.buffers.items()}
        for name, buffer in self.buffers.items():
            grown[name][: self.count] = buffer[: self.count]
        self._replace(grown)

    def _replace(self, buffers: dict[str, NDArray[Any]]) -> None:
        self.buffers = buffers
        self.arrays = ComponentArrays(*(buffers[name] for name in ComponentArrays._fields))
        self._expose()

    def _expose(self) -> None:
        for name, buffer in self.buffers.items():
            setattr(self, name, buffer[: self.count])


def _copied(array: NDArray[Any]) -> NDArray[Any]:
    copy = array.copy()
    if array.dtype == np.object_:
        for place, item in enumerate(array):
            copy[place] = None if item is None else item.copy()
    return copy
