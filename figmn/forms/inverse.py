"""Exact rule, many columns: the inverse of the scatter, for mature components that are far from collinear."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dsymm, dsyrk, dtrsm

from figmn.forms.bases import Upper
from figmn.forms.conditional import ByPrecision, Conditional
from figmn.forms.scatter import Learned, Scatter, Seen
from figmn.forms.triangle import root_of_precision
from figmn.system import lapack
from figmn.system.arrays import Floats, Ints
from figmn.system.lapack import matmul
from figmn.system.limits import MILD
from figmn.system.tuning import AFRESH_ROWS


class Inverse:
    """N = S⁻¹ of a mature component whose columns are not nearly collinear; S = sp C.

    Learning a block of errors E with weights h gives N' = N - (T⁻¹ E N)ᵀ (T⁻¹ E N), T Tᵀ = H⁻¹ + E N Eᵀ:
    `figmn-sherman1/2` for many samples at once. This takes a symmetric product and a symmetric update. The triangle of
    a `Scatter` takes a solve and a QR step: the same number of operations, but slower (measured in `system.tuning`).

    The subtraction is accurate while the variance inflation S_dd N_dd of every column and the growth of S within a
    block stay below `MILD`: rounding errors are amplified by that factor at most. They do not accumulate over the
    stream either, since the error in N shrinks with the square of S⁻¹ as S grows. A block that would exceed the bound
    is rejected, and a `Scatter` takes over.

    >>> inverse = Inverse(np.eye(2), weight=1.0)
    >>> errors = np.array([[1.0, 1.0]])
    >>> seen = inverse.see(errors)
    >>> seen.gram
    array([[2.]])
    >>> learned = Learned(errors, np.empty((1, 0)), np.array([0.5]), np.sqrt([[1 / 0.5 + 2.0]]), weight=2.0)
    >>> inverse.add(learned, seen.white, variances=np.array([0.75, 0.75]))
    True
    >>> inverse.covariance()
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """

    count = 0
    """There are no pending rows."""
    made_bytes = 0
    """See `conditional.Applied`: all memory belongs to the model."""

    def __init__(self, matrix: Floats, weight: float) -> None:
        self.matrix = np.array(matrix, order="F")
        """N; only its lower triangle is kept up to date."""
        self.weight = weight
        """sp."""

    # For files and copies

    def arrays(self) -> list[Floats]:
        """Everything but the weight, for a file."""
        return [self.matrix]

    @staticmethod
    def shapes(n_features: int, count: int, mature: bool) -> list[tuple[int, ...]]:  # noqa: ARG004
        """Shapes of `arrays`."""
        return [(n_features, n_features)]

    @classmethod
    def from_arrays(cls, weight: float, arrays: list[Floats]) -> Inverse:
        """An inverse from its weight and `arrays`; raises `ValueError` if it is not positive definite."""
        inverse = cls(arrays[0], weight)
        if not lapack.cholesky(inverse.matrix.copy(order="F")):
            raise ValueError("the inverse of a scatter is not positive definite")
        return inverse

    def copy(self) -> Inverse:
        """An independent copy."""
        return Inverse(self.matrix, self.weight)

    @property
    def n_features(self) -> int:
        """D."""
        return len(self.matrix)

    @property
    def n_bytes(self) -> int:
        """Memory of the matrix."""
        return self.matrix.nbytes

    def freeze(self) -> None:
        """Make the matrix read-only."""
        self.matrix.flags.writeable = False

    # Learning

    def reserve(self, n_rows: int) -> None:
        """Nothing to reserve: the matrix is updated in place, unless a `Scatter` takes over."""

    def see(self, errors: Floats) -> Seen:
        """Measure errors E of shape (n, D); `Seen.white` holds E N in place of whitened errors."""
        products: Floats = dsymm(1.0, self.matrix, errors.T, lower=1).T
        return Seen(products, np.empty((0, len(errors))), matmul(errors, products.T))

    def add(self, learned: Learned, products: Floats, variances: Floats) -> bool:
        """S' = S + Σ h e eᵀ, given E N for the errors that were learned and the new diagonal of C.

        Returns False and changes nothing if that would lose digits.
        """
        directions = dtrsm(1.0, learned.corner.T, products.T, side=1, lower=0)
        diagonal = self.matrix.diagonal() - np.einsum("dk,dk->d", directions, directions)
        if not is_mild(learned.weight * variances, diagonal) or learned.growth() > MILD:
            return False
        dsyrk(-1.0, directions, beta=1.0, c=self.matrix, lower=1, overwrite_c=1)
        self.weight = learned.weight
        return True

    def fresh_log_determinant(self, weight_before: float) -> float | None:
        """log|C| every `AFRESH_ROWS` · D samples, before rounding errors accumulate; else None, as it costs O(D³)."""
        period = AFRESH_ROWS * self.n_features
        return self.log_determinant() if self.weight // period > weight_before // period else None

    def rescale(self, ratio: Floats) -> None:
        """S' = S with every column and row multiplied by its ratio."""
        self.matrix /= ratio[:, None] * ratio

    def settled(self) -> Scatter:
        """The same component as a triangular `Scatter`."""
        return Scatter(Upper(np.sqrt(self.weight) * self.root().T), self.weight)

    # Queries

    def given(self, wanted: Ints) -> Conditional:
        """Conditional of the wanted columns given the others."""
        return ByPrecision(self, wanted)

    def apply(self, errors: Floats) -> Floats:
        """E Λ for errors E of shape (n, D)."""
        product: Floats = dsymm(self.weight, self.matrix, errors.T, lower=1).T
        return product

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""
        rows = np.arange(self.n_features)[:, None]
        return np.asarray(self.weight * self.matrix[np.maximum(rows, wanted), np.minimum(rows, wanted)])

    def dense(self) -> Floats:
        """Λ."""
        return self.weight * lapack.mirrored(self.matrix)

    def covariance(self) -> Floats:
        """C."""
        factor = self._factor()
        lapack.invert_product(factor)
        return lapack.mirrored(factor) / self.weight

    def project(self, plane: Floats) -> Floats:
        """Vᵀ C V, (m, m), for a plane V of shape (D, m): sums of squares."""
        solved = dtrsm(1.0, self._factor(), plane, lower=1)
        return matmul(solved.T, solved) / self.weight

    def root(self) -> Floats:
        """L, lower triangular, with C = L Lᵀ."""
        return root_of_precision(self.dense())

    def log_determinant(self) -> float:
        """log|C|."""
        logs = float(np.log(self._factor().diagonal()).sum())
        return -2 * logs - self.n_features * float(np.log(self.weight))

    def _factor(self) -> Floats:
        """L with N = L Lᵀ; `MILD` keeps N far from singular."""
        factor = self.matrix.copy(order="F")
        is_definite = lapack.cholesky(factor)
        assert is_definite
        return factor


def inverse_of(scatter: Scatter) -> Inverse | None:
    """The inverse of a mature scatter without pending rows, or None if its columns are too collinear.

    >>> scatter = Scatter(Upper(np.array([[2.0, 1.0], [0.0, 1.0]])), weight=3.0)
    >>> inverse_of(scatter).covariance() * 3
    array([[4., 2.],
           [2., 2.]])
    >>> inverse_of(Scatter(Upper(np.array([[1.0, 1.0], [0.0, 1e-3]])), weight=3.0)) is None
    True
    """
    root = scatter.matrix
    assert root is not None
    matrix = np.array(root.T, order="F")
    lapack.invert_product(matrix)
    if not is_mild(np.einsum("id,id->d", root, root), matrix.diagonal()):
        return None
    return Inverse(matrix, scatter.weight)


def is_mild(scatters: Floats, inverses: Floats) -> bool:
    """Whether S_dd (S⁻¹)_dd stays below the bound in every column, given both diagonals.

    >>> is_mild(np.ones(2), np.array([1.0, 1e6]))
    False
    """
    return bool((scatters * inverses <= MILD).all() and (inverses > 0).all())
