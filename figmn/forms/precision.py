"""Published rule: the precision of one component, which may be indefinite.

In many dimensions it is diagonal plus low rank while young, dense when mature.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg.blas import dgemm, dsymm, dsyrk
from scipy.linalg.lapack import dtrtrs

from figmn.forms.collinear import inverses
from figmn.forms.conditional import ByPrecision
from figmn.system import lapack
from figmn.system.arrays import Floats, Ints
from figmn.system.lapack import matmul
from figmn.system.memory import require
from figmn.system.tuning import BAND, DENSE_FROM


class Precision:
    """Λ = s (B - Uᵀ Σ U) with B diagonal and U = T Z B of few rows while young, Λ = s P with P dense when mature.

    The rows of Z are errors that the component has learned from, kept as Z B; T is lower triangular and Σ holds signs.
    Only the lower triangle of P is kept up to date.

    >>> precision = Precision(np.array([4.0, 1.0, 1.0, 1.0]))
    >>> precision.apply(np.ones((1, 4)))
    array([[4., 1., 1., 1.]])
    >>> errors = np.array([[0.25, 0.5, 0.0, 0.0]])
    >>> precision.reserve(1)
    False
    >>> precision.subtract(np.eye(1), errors, precision.half(errors), np.ones(1), 2.0)
    >>> precision.dense()[:2, :2]
    array([[ 6. , -1. ],
           [-1. ,  1.5]])
    """

    made_bytes = 0
    """See `conditional.Applied`: all memory belongs to the model."""

    def __init__(
        self, base: Floats, rows: Floats | None = None, mixing: Floats | None = None, signs: Floats | None = None
    ) -> None:
        self.scale = 1.0
        self.n_features = len(base)
        self.base = base.copy()
        """Diagonal of B."""
        self._mixing: list[Floats] = [] if mixing is None or not len(mixing) else [mixing]
        self.signs = np.empty(0) if signs is None else signs
        """Σ."""
        self.matrix: Floats | None = None
        """P when mature; the young parts are empty then."""
        self._rows = np.empty((0, self.n_features)) if rows is None else rows

    @classmethod
    def from_dense(cls, matrix: Floats) -> Precision:
        """A mature precision."""
        precision = cls(np.empty(0))
        precision.n_features, precision.matrix = len(matrix), np.array(matrix, order="F")
        return precision

    def arrays(self) -> list[Floats]:
        """Everything but the scale, for a file: the matrix, or the parts of a young precision."""
        return [self.base, self.rows, self.mixing, self.signs] if self.matrix is None else [self.matrix]

    @property
    def mixing(self) -> Floats:
        """T, (m, m)."""
        mixing = np.zeros((self.count, self.count))
        for start, end, block in self._bands():
            mixing[start:end, :end] = block
        return mixing

    @staticmethod
    def shapes(n_features: int, count: int, mature: bool) -> list[tuple[int, ...]]:
        """Shapes of `arrays`."""
        if mature:
            return [(n_features, n_features)]
        return [(n_features,), (count, n_features), (count, count), (count,)]

    @classmethod
    def from_arrays(cls, scale: float, arrays: list[Floats]) -> Precision:
        """A precision from its scale and `arrays`."""
        if len(arrays) == 1:
            precision = cls.from_dense(arrays[0])
        else:
            base, rows, mixing, signs = arrays
            precision = cls(base, rows, mixing, signs)
        precision.scale = scale
        return precision

    @property
    def count(self) -> int:
        """Rows of U."""
        return len(self.signs)

    @property
    def rows(self) -> Floats:
        """Z B, (m, D)."""
        return self._rows[: self.count]

    def apply(self, errors: Floats) -> Floats:
        """E Λ for errors E of shape (n, D)."""
        if self.matrix is not None:
            whole: Floats = dsymm(self.scale, self.matrix, errors.T, lower=1).T
            return whole
        product: Floats = errors * (self.scale * self.base)
        if self.count:
            inner = self._inner(self.half(errors))
            dgemm(-self.scale, self.rows.T, inner.T, trans_b=1, beta=1.0, c=product.T, overwrite_c=1)
        return product

    def half(self, errors: Floats) -> Floats:
        """Input of `subtract` for the same errors: E Uᵀ while young, E Λ when mature."""
        return self.apply(errors) if self.matrix is not None else self._mixed(matmul(self.rows, errors.T))

    def half_and_gram(self, errors: Floats) -> tuple[Floats, Floats]:
        """`half`, and E Λ Eᵀ of shape (n, n)."""
        if self.matrix is not None:
            half = self.apply(errors)
            return half, matmul(errors, half.T)
        # E B is written after the rows Z B, where it will be stored anyway: one product then gives both results.
        count, size = self.count, len(errors)
        self._make_room(count + size)
        np.multiply(errors, self.base, out=self._rows[count : count + size])
        products = matmul(self._rows[: count + size], errors.T)
        half = self._mixed(products[:count])
        return half, self.scale * (products[count:] - matmul(half * self.signs, half.T))

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""
        if self.matrix is not None:
            is_lower = np.arange(self.n_features)[:, None] >= wanted
            chosen: Floats = self.scale * np.where(is_lower, self.matrix[:, wanted], self.matrix[wanted].T)
            return chosen
        columns = np.zeros((self.n_features, len(wanted)))
        if self.count and len(wanted):
            half = self._mixed(np.ascontiguousarray(self.rows[:, wanted]))
            columns -= matmul(self.rows.T, self._inner(half))
        columns[wanted, np.arange(len(wanted))] += self.base[wanted]
        return self.scale * columns

    def project(self, plane: Floats) -> Floats:
        """Vᵀ C V, (m, m), for a plane V of shape (D, m); a young precision needs no D × D matrix for it."""
        if self.matrix is not None:
            whole: Floats = _inverse_product(self.matrix, plane) / self.scale
            return whole
        roots = np.sqrt(self.base)
        scaled = plane / roots[:, None]
        projected = matmul(scaled.T, scaled)
        if self.count:
            # Woodbury: (B - UᵀΣU)⁻¹ = B⁻¹ + B⁻¹Uᵀ (Σ - U B⁻¹ Uᵀ)⁻¹ U B⁻¹, here with √B⁻¹ at both ends.
            low_rank = self.low_rank()
            low_rank /= roots
            inner = np.diag(self.signs).T
            dsyrk(-1.0, low_rank.T, trans=1, beta=1.0, c=inner, lower=1, overwrite_c=1)
            projected += _inverse_product(inner, matmul(low_rank, scaled))
        return projected / self.scale

    def given(self, wanted: Ints) -> ByPrecision:
        """Conditional of the wanted columns given the others."""
        return ByPrecision(self, wanted)

    def covariance(self) -> Floats:
        """C."""
        return inverses(self.dense())

    def root(self) -> Floats:
        """A matrix L with C = L Lᵀ, where Λ is positive definite."""
        return _root(self.dense())

    def reserve(self, n_rows: int) -> bool:
        """Make room for `n_rows` more directions; returns whether the precision matured.

        Raises `MemoryError` before anything is changed.
        """
        if self.matrix is not None:
            return False
        count = self.count + n_rows
        if count > DENSE_FROM * self.n_features:
            self._mature()
            return True
        self._make_room(count)
        return False

    def subtract(self, coefficients: Floats, errors: Floats, half: Floats, signs: Floats, growth: float) -> None:
        """Λ' = growth (Λ - Σ ± w wᵀ), every w a combination of the rows of E Λ.

        Room must have been reserved, and `half` computed after that.
        """
        coefficients = coefficients / np.sqrt(self.scale)
        if self.matrix is not None:
            _fold(self.matrix, matmul(coefficients, half), signs)
        else:
            before, after = self.count, self.count + len(errors)
            np.multiply(errors, self.base, out=self._rows[before:after])
            band = np.empty((len(errors), after))
            inner = matmul(half.T, coefficients.T) * self.signs[:, None]
            np.multiply(-self.scale, self._unmixed(inner).T, out=band[:, :before])
            band[:, before:] = self.scale * coefficients
            self._append(band)
            self.signs = np.concatenate([self.signs, signs])
        self.scale *= growth

    def rescale(self, ratio: Floats) -> None:
        """Λ' = Λ with every column and row divided by its ratio."""
        if self.matrix is not None:
            self.matrix /= np.outer(ratio, ratio)
        else:
            self.base /= ratio**2
            self._rows[: self.count] /= ratio  # the spare rows are uninitialised

    def dense(self) -> Floats:
        """Λ as a symmetric matrix."""
        matrix = self.scale * (self._dense_part() if self.matrix is None else self.matrix)
        upper = np.triu_indices(self.n_features, 1)
        matrix[upper] = matrix.T[upper]
        return np.ascontiguousarray(matrix)

    def copy(self) -> Precision:
        """An independent copy, without spare room."""
        twin = Precision(self.base, self.rows.copy(), signs=self.signs.copy())
        twin._mixing = [band.copy() for band in self._mixing]
        twin.scale, twin.n_features = self.scale, self.n_features
        twin.matrix = None if self.matrix is None else self.matrix.copy(order="F")
        return twin

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays, spare room included."""
        arrays = (self.base, *self._mixing, self.signs, self._rows, self.matrix)
        return sum(array.nbytes for array in arrays if array is not None)

    def freeze(self) -> None:
        """Make the arrays read-only."""
        for array in (self.base, *self._mixing, self.signs, self._rows, self.matrix):
            if array is not None:
                array.flags.writeable = False

    def _inner(self, half: Floats) -> Floats:
        """Tᵀ Σ U Eᵀ from E Uᵀ: the coefficients of Z B in Uᵀ Σ U Eᵀ."""
        return self._unmixed(np.ascontiguousarray(half.T) * self.signs[:, None])

    def _make_room(self, count: int) -> None:
        if count > len(self._rows):
            room = max(count, min(max(BAND, 3 * len(self._rows)), int(DENSE_FROM * self.n_features)))
            require(8 * room * self.n_features, f"{room} rows of a low-rank precision over {self.n_features} columns")
            grown = np.empty((room, self.n_features))
            grown[: self.count] = self.rows
            self._rows = grown

    def _mixed(self, products: Floats) -> Floats:
        """(T A)ᵀ for A of shape (m, n), as a view of T A, in which each band is contiguous."""
        mixed = np.empty_like(products)
        for start, end, band in self._bands():
            dgemm(1.0, products[:end].T, band.T, c=mixed[start:end].T, overwrite_c=1)
        return mixed.T

    def _bands(self) -> Iterator[tuple[int, int, Floats]]:
        """T in bands of rows, (start, end, band): a band has `end` columns, as T is lower triangular."""
        end = 0
        for band in self._mixing:
            start, end = end, end + len(band)
            yield start, end, band

    def _append(self, band: Floats) -> None:
        if self._mixing and len(self._mixing[-1]) < BAND:
            last = self._mixing.pop()
            joined = np.zeros((len(last) + len(band), band.shape[1]))
            joined[: len(last), : last.shape[1]] = last
            joined[len(last) :] = band
            band = joined
        self._mixing.append(band)

    def _unmixed(self, columns: Floats) -> Floats:
        """Tᵀ A for A of shape (m, n)."""
        unmixed = np.zeros_like(columns)
        for start, end, band in self._bands():
            dgemm(1.0, columns[start:end].T, band.T, trans_b=1, beta=1.0, c=unmixed[:end].T, overwrite_c=1)
        return unmixed

    def low_rank(self) -> Floats:
        """U."""
        low_rank = np.empty_like(self.rows)
        for start, end, band in self._bands():
            low_rank[start:end] = matmul(band, self.rows[:end])
        return low_rank

    def _mature(self) -> None:
        require(8 * self.n_features**2, f"a dense precision over {self.n_features} columns")
        self.matrix = self._dense_part()
        self.base, self._mixing, self.signs = np.empty(0), [], np.empty(0)
        self._rows = np.empty((0, self.n_features))

    def _dense_part(self) -> Floats:
        """B - Uᵀ Σ U as a dense matrix, lower triangle."""
        matrix = np.zeros((self.n_features, self.n_features), order="F")
        matrix[np.diag_indices(self.n_features)] = self.base
        if self.count:
            _fold(matrix, self.low_rank(), self.signs)
        return matrix


def _fold(matrix: Floats, rows: Floats, signs: Floats) -> None:
    """Subtract Σ ± r rᵀ from the lower triangle of a matrix, in place."""
    for sign in (1.0, -1.0):
        part = rows[signs == sign] if (signs != sign).any() else rows
        if len(part):
            dsyrk(-sign, part.T, beta=1.0, c=matrix, lower=1, overwrite_c=1)


def _inverse_product(matrix: Floats, right: Floats) -> Floats:
    """Rᵀ A⁻¹ R for the lower triangle of a symmetric A."""
    factor = np.array(matrix, order="F")
    if lapack.cholesky(factor):
        whitened, _ = dtrtrs(factor, right, lower=1)
        return matmul(whitened.T, whitened)
    # Not positive definite, which the published rule allows.
    product: Floats = right.T @ np.linalg.solve(np.tril(matrix) + np.tril(matrix, -1).T, right)
    return product


class Dense:
    """A precision in few dimensions, one of a stack of matrices, with the query methods of `Precision`.

    >>> Dense(np.diag([2.0, 1.0])).apply(np.array([[1.0, 1.0]]))
    array([[2., 1.]])
    """

    def __init__(self, matrix: Floats) -> None:
        self.matrix = matrix

    @property
    def made_bytes(self) -> int:
        """See `conditional.Applied`; an upper bound, as the matrix may belong to the model."""
        return self.matrix.nbytes

    def apply(self, errors: Floats) -> Floats:
        """E Λ for errors E of shape (n, D)."""
        return matmul(errors, self.matrix)

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""
        return self.matrix[:, wanted]

    def dense(self) -> Floats:
        """Λ."""
        return self.matrix

    def given(self, wanted: Ints) -> ByPrecision:
        """Conditional of the wanted columns given the others."""
        return ByPrecision(self, wanted)

    def covariance(self) -> Floats:
        """C."""
        return inverses(self.matrix)

    def project(self, plane: Floats) -> Floats:
        """Vᵀ C V, (m, m), for a plane V of shape (D, m)."""
        projected: Floats = plane.T @ np.linalg.solve(self.matrix, plane)
        return projected

    def root(self) -> Floats:
        """A matrix L with C = L Lᵀ, where Λ is positive definite."""
        return _root(self.matrix)


def _root(precision: Floats) -> Floats:
    """L with C = L Lᵀ from Λ = F Fᵀ: the inverse of Fᵀ."""
    return np.asarray(np.linalg.inv(np.linalg.cholesky(precision)).T)
