"""The precision of one component in many dimensions: diagonal and low rank while young, dense when mature."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dgemm, dsymm, dsyrk

from figmn.memory import require
from figmn.state import Floats, Ints

DENSE_FROM = 0.75
"""Rows of U, as a share of the dimensions, from which a dense matrix is the cheaper form (measured)."""


def matmul(left: Floats, right: Floats) -> Floats:
    """left @ right, by SciPy's BLAS.

    NumPy and SciPy each bring a BLAS with threads of its own, and going to and fro between them makes the one wait for
    the cores that the other still holds: five times slower on two cores.

    >>> matmul(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    # BLAS wants Fortran order, which the transpose of a C-ordered array has: so far nothing is copied.
    turned = [not array.flags.c_contiguous and array.flags.f_contiguous for array in (right, left)]
    first, second = (array if turn else array.T for array, turn in zip((right, left), turned, strict=True))
    product: Floats = dgemm(1.0, first, second, trans_a=turned[0], trans_b=turned[1]).T
    return product


class Precision:
    """Λ = s (P - Uᵀ Σ U), with P diagonal and U of few rows, or with P dense and no U.

    Only the lower triangle of a dense P is kept up to date.

    >>> precision = Precision(np.array([4.0, 1.0]))
    >>> precision.apply(np.array([[1.0, 1.0]]))
    array([[4., 1.]])
    >>> precision.subtract(np.eye(1), np.array([[1.0, 0.5]]), np.array([1.0]), 2.0)
    >>> precision.dense()
    array([[ 6. , -1. ],
           [-1. ,  1.5]])
    """

    def __init__(self, diagonal: Floats) -> None:
        self.scale = 1.0
        self.n_features = len(diagonal)
        self.base: Floats | None = diagonal.copy()
        """Diagonal of P while young."""
        self.matrix: Floats | None = None
        """P when mature."""
        self.diagonal = diagonal.copy()
        """Diagonal of P - Uᵀ Σ U."""
        self.count = 0
        self._rows = np.empty((0, self.n_features))
        self._signs = np.empty(0)

    def arrays(self) -> list[Floats]:
        """Everything but the scale, for a file: the matrix, or the parts of a young precision."""
        if self.matrix is not None:
            return [self.diagonal, self.matrix]
        assert self.base is not None
        return [self.diagonal, self.base, self.rows, self.signs]

    @staticmethod
    def shapes(n_features: int, n_rows: int, mature: bool) -> list[tuple[int, ...]]:
        """Shapes of `arrays`."""
        if mature:
            return [(n_features,), (n_features, n_features)]
        return [(n_features,), (n_features,), (n_rows, n_features), (n_rows,)]

    @classmethod
    def from_arrays(cls, scale: float, arrays: list[Floats]) -> Precision:
        """A precision from its scale and `arrays`."""
        precision = cls(arrays[0])
        precision.scale = scale
        if len(arrays) == len(cls.shapes(0, 0, mature=True)):
            precision.base, precision.matrix = None, np.asfortranarray(arrays[1])
        else:
            _, precision.base, precision._rows, precision._signs = arrays
            precision.count = len(precision._signs)
        return precision

    @classmethod
    def from_dense(cls, matrix: Floats) -> Precision:
        """A mature precision."""
        precision = cls(matrix.diagonal().copy())
        precision.base, precision.matrix = None, np.array(matrix, order="F")
        return precision

    @property
    def rows(self) -> Floats:
        """U, (m, D)."""
        return self._rows[: self.count]

    @property
    def signs(self) -> Floats:
        """Σ, all 1 under the exact rule, (m,)."""
        return self._signs[: self.count]

    def apply(self, errors: Floats) -> Floats:
        """E Λ for errors E of shape (n, D)."""
        if self.matrix is not None:
            # The transposes of C-ordered rows are Fortran-ordered columns: nothing is copied.
            product: Floats = dsymm(self.scale, self.matrix, errors.T, lower=1).T
            return product
        assert self.base is not None
        product = errors * (self.scale * self.base)
        if self.count:
            inner = matmul(errors, self.rows.T) * self.signs
            dgemm(-self.scale, self.rows.T, inner.T, beta=1.0, c=product.T, overwrite_c=1)
        return product

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""
        if self.matrix is not None:
            lower = np.arange(self.n_features)[:, None] >= wanted
            chosen = np.where(lower, self.matrix[:, wanted], self.matrix[wanted].T)
            return self.scale * chosen
        assert self.base is not None
        chosen = -matmul(self.rows.T, self.signs[:, None] * self.rows[:, wanted])
        chosen[wanted, np.arange(len(wanted))] += self.base[wanted]
        return self.scale * chosen

    def inflation(self, variances: Floats) -> float:
        """Largest C_dd Λ_dd, for the given C_dd."""
        return float(self.scale * (self.diagonal * variances).max())

    def reserve(self, n_rows: int) -> None:
        """Make room for so many more directions; raises `MemoryError` before anything is changed."""
        if self.matrix is not None:
            return
        count = self.count + n_rows
        if count > DENSE_FROM * self.n_features:
            self._mature()
        elif count > len(self._rows):
            room = max(count, min(2 * len(self._rows), int(DENSE_FROM * self.n_features)))
            require(8 * room * self.n_features, f"{room} rows of a low-rank precision over {self.n_features} columns")
            grown, grown_signs = np.empty((room, self.n_features)), np.empty(room)
            grown[: self.count], grown_signs[: self.count] = self.rows, self.signs
            self._rows, self._signs = grown, grown_signs

    def subtract(self, coefficients: Floats, products: Floats, gains: Floats, growth: float) -> None:
        """Λ' = growth (Λ - Σ gₖ wₖ wₖᵀ) with the directions w = coefficients @ products, one a row."""
        self.reserve(len(coefficients))
        rows = matmul(np.sqrt(np.abs(gains) / self.scale)[:, None] * coefficients, products)
        signs = np.where(gains < 0, -1.0, 1.0)
        self.diagonal -= np.einsum("k,kd,kd->d", signs, rows, rows)
        if self.matrix is not None:
            self._fold(rows, signs)
        else:
            added = slice(self.count, self.count + len(rows))
            self._rows[added], self._signs[added] = rows, signs
            self.count += len(rows)
        self.scale *= growth

    def rescale(self, ratio: Floats) -> None:
        """Λ' = Λ with every column and row divided by its ratio."""
        self.diagonal /= ratio**2
        self._rows /= ratio
        if self.base is not None:
            self.base /= ratio**2
        if self.matrix is not None:
            self.matrix /= np.outer(ratio, ratio)

    def dense(self) -> Floats:
        """Λ as a symmetric matrix."""
        if self.matrix is not None:
            matrix = self.scale * self.matrix
            upper = np.triu_indices(self.n_features, 1)
            matrix[upper] = matrix.T[upper]
            return np.ascontiguousarray(matrix)
        assert self.base is not None
        matrix = -matmul(self.rows.T, self.signs[:, None] * self.rows)
        matrix[np.diag_indices(self.n_features)] += self.base
        return 0.5 * self.scale * (matrix + matrix.T)

    def copy(self) -> Precision:
        """An independent copy, without spare room."""
        twin = Precision(self.diagonal)
        twin.scale, twin.count = self.scale, self.count
        twin.base = None if self.base is None else self.base.copy()
        twin.matrix = None if self.matrix is None else self.matrix.copy(order="F")
        twin._rows, twin._signs = self.rows.copy(), self.signs.copy()
        return twin

    def freeze(self) -> None:
        """Make the arrays read-only."""
        for array in (self.base, self.matrix, self.diagonal, self._rows, self._signs):
            if array is not None:
                array.flags.writeable = False

    def _fold(self, rows: Floats, signs: Floats) -> None:
        for sign in (1.0, -1.0):
            part = rows[signs == sign] if (signs != sign).any() else rows
            if len(part):
                dsyrk(-sign, part.T, beta=1.0, c=self.matrix, lower=1, overwrite_c=1)

    def _mature(self) -> None:
        require(8 * self.n_features**2, f"a dense precision over {self.n_features} columns")
        assert self.base is not None
        rows, signs = self.rows, self.signs
        self.matrix = np.zeros((self.n_features, self.n_features), order="F")
        self.matrix[np.diag_indices(self.n_features)] = self.base
        self._fold(rows, signs)
        self.base, self.count = None, 0
        self._rows, self._signs = np.empty((0, self.n_features)), np.empty(0)


class Dense:
    """A precision in few dimensions, one of a stack of matrices, with the questions of `Precision`.

    >>> Dense(np.diag([2.0, 1.0])).apply(np.array([[1.0, 1.0]]))
    array([[2., 1.]])
    """

    def __init__(self, matrix: Floats) -> None:
        self.matrix = matrix

    def apply(self, errors: Floats) -> Floats:
        """E Λ for errors E of shape (n, D)."""
        return matmul(errors, self.matrix)

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""
        return self.matrix[:, wanted]

    def dense(self) -> Floats:
        """Λ."""
        return self.matrix

    def inflation(self, variances: Floats) -> float:
        """Largest C_dd Λ_dd, for the given C_dd."""
        return float((self.matrix.diagonal() * variances).max())


Form = Precision | Dense
