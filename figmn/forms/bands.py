"""A lower triangular matrix that grows by rows, stored in bands so that solves are mostly matrix products."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg.blas import dgemm, dgemv, dtrsm, dtrsv

from figmn.system.arrays import Floats
from figmn.system.tuning import BAND


class Bands:
    """T, lower triangular, in bands of rows: each is a diagonal block (the corner) and the rectangle to its left.

    >>> bands = Bands()
    >>> bands.append(np.empty((1, 0)), np.array([[2.0]]))
    >>> bands.append(np.array([[1.0]]), np.array([[4.0]]))
    >>> bands.dense()
    array([[2., 0.],
           [1., 4.]])
    >>> bands.forward(np.array([[2.0], [9.0]])).ravel(), bands.backward(np.array([[3.0], [4.0]])).ravel()
    (array([1., 2.]), array([1., 1.]))
    """

    def __init__(self, factor: Floats | None = None) -> None:
        self._bands: list[tuple[Floats, Floats]] = []
        for start in range(0, 0 if factor is None else len(factor), BAND):
            assert factor is not None
            end = start + BAND
            self._bands.append((factor[start:end, :start].copy(), factor[start:end, start:end].copy()))

    def __len__(self) -> int:
        return sum(len(corner) for _, corner in self._bands)

    def copy(self) -> Bands:
        """An independent copy."""
        twin = Bands()
        twin._bands = [(inner.copy(), corner.copy()) for inner, corner in self._bands]
        return twin

    def arrays(self) -> Iterator[Floats]:
        """All arrays."""
        for band in self._bands:
            yield from band

    def dense(self) -> Floats:
        """T, (m, m)."""
        factor = np.zeros((len(self), len(self)))
        for start, end, inner, corner in self._places():
            factor[start:end, :start], factor[start:end, start:end] = inner, corner
        return factor

    def log_determinant(self) -> float:
        """log|T|."""
        return sum(float(np.log(corner.diagonal()).sum()) for _, corner in self._bands)

    def append(self, inner: Floats, corner: Floats) -> None:
        """Append rows: their diagonal block `corner`, and `inner`, the part to its left.

        Every band but the last has `BAND` rows, so the bands do not depend on how the rows are split into calls.
        """
        is_open = bool(self._bands) and len(self._bands[-1][1]) < BAND
        room = BAND - len(self._bands[-1][1]) if is_open else BAND
        if len(corner) > room:
            self.append(inner[:room], corner[:room, :room])
            self.append(np.concatenate([inner[room:], corner[room:, :room]], axis=1), corner[room:, room:])
            return
        if is_open:
            last_inner, last_corner = self._bands.pop()
            start, old, new = last_inner.shape[1], len(last_corner), len(corner)
            grown = np.zeros((old + new, old + new))
            grown[:old, :old], grown[old:, :old], grown[old:, old:] = last_corner, inner[:, start:], corner
            inner, corner = np.concatenate([last_inner, inner[:, :start]]), grown
        self._bands.append((np.ascontiguousarray(inner), np.array(corner, order="C")))

    def forward(self, right: Floats) -> Floats:
        """T⁻¹ A for A of shape (m, n)."""
        if right.shape[1] == 1:
            return self._forward_column(right[:, 0])[:, None]
        solved = right.copy()
        for start, end, inner, corner in self._places():
            part = solved[start:end]
            if start:
                dgemm(-1.0, solved[:start].T, inner.T, beta=1.0, c=part.T, overwrite_c=1)
            dtrsm(1.0, corner.T, part.T, side=1, lower=0, overwrite_b=1)
        return solved

    def backward(self, right: Floats) -> Floats:
        """T⁻ᵀ A for A of shape (m, n)."""
        solved = right.copy()
        for start, end, inner, corner in reversed(list(self._places())):
            part = solved[start:end]
            dtrsm(1.0, corner.T, part.T, side=1, lower=0, trans_a=1, overwrite_b=1)
            if start:
                dgemm(-1.0, part.T, inner.T, trans_b=1, beta=1.0, c=solved[:start].T, overwrite_c=1)
        return solved

    def _forward_column(self, right: Floats) -> Floats:
        """T⁻¹ a by vector routines; matrix routines take more than twice the time."""
        solved = right.copy()
        for start, end, inner, corner in self._places():
            part = solved[start:end]
            if start:
                part -= dgemv(1.0, inner.T, solved[:start], trans=1)
            dtrsv(corner.T, part, lower=0, trans=1, overwrite_x=1)
        return solved

    def _places(self) -> Iterator[tuple[int, int, Floats, Floats]]:
        end = 0
        for inner, corner in self._bands:
            start, end = end, end + len(corner)
            yield start, end, inner, corner
