"""Exact rule, few columns: one triangular matrix per component, an inverse factor of its scatter."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dtrtri

from figmn.forms.collinear import inverses
from figmn.forms.conditional import ByFactor
from figmn.system.arrays import Floats, Ints
from figmn.system.lapack import matmul

LEAST_RIDGE = 4 * np.finfo(np.float64).eps
"""Times the number of columns: the least relative widening of the variances of a numerically singular covariance."""
ONE_BY_ONE_FROM = 16
"""Columns from which solving triangles one by one, at O(D²), is faster than NumPy's batched solve, at O(D³)."""


class Triangle:
    """One component as `kernels.learn_rows` keeps it: S⁻¹ = Wᵀ diag(v) W with W unit lower triangular, S = sp C.

    W lies below the diagonal of the matrix, v on it. Λ = sp Wᵀ diag(v) W = Fᵀ F.

    >>> component = Triangle(np.array([[2.0, 0.0], [-1.0, 1.0]]), weight=1.0)
    >>> component.dense()
    array([[ 3., -1.],
           [-1.,  1.]])
    >>> component.covariance().round(12)
    array([[0.5, 0.5],
           [0.5, 1.5]])
    """

    def __init__(self, matrix: Floats, weight: float) -> None:
        roots = np.sqrt(weight * matrix.diagonal())
        self._factor = np.tril(matrix, -1)
        self._factor *= roots[:, None]
        self._factor.flat[:: len(matrix) + 1] = roots

    @property
    def made_bytes(self) -> int:
        """See `conditional.Whitener`."""
        return self._factor.nbytes

    def whiten(self, errors: Floats) -> Floats:
        """E Fᵀ for errors E of shape (n, D)."""
        return matmul(errors, self._factor.T)

    def unwhiten(self, rows: Floats) -> Floats:
        """Rows times F, (n, D)."""
        return matmul(rows, self._factor)

    def given(self, wanted: Ints) -> ByFactor:
        """Conditional of the wanted columns given the others."""
        return ByFactor(self, wanted, len(self._factor))

    def columns(self, wanted: Ints) -> Floats:
        """Λ[:, wanted], (D, o)."""
        return matmul(self._factor.T, np.ascontiguousarray(self._factor[:, wanted]))

    def dense(self) -> Floats:
        """Λ."""
        return _symmetric(matmul(self._factor.T, self._factor))

    def root(self) -> Floats:
        """L, lower triangular, with C = L Lᵀ."""
        return np.tril(dtrtri(self._factor, lower=1)[0])

    def covariance(self) -> Floats:
        """C, as a sum of squares."""
        root = self.root()
        return _symmetric(matmul(root, root.T))

    def project(self, plane: Floats) -> Floats:
        """Vᵀ C V, (m, m), for a plane V of shape (D, m)."""
        solved = dtrsm(1.0, self._factor, plane, lower=1, trans_a=1)
        return matmul(solved.T, solved)


def triangle_of_root(root: Floats, weight: float) -> Floats:
    """The matrix of a `Triangle` with C = L Lᵀ for a lower triangular L.

    >>> Triangle(triangle_of_root(np.array([[2.0, 0.0], [1.0, 3.0]]), weight=5.0), weight=5.0).covariance().round(12)
    array([[ 4.,  2.],
           [ 2., 10.]])
    """
    pivots = root.diagonal()
    matrix: Floats = np.tril(dtrtri(root, lower=1)[0]) * pivots[:, None]
    matrix[np.diag_indices(len(matrix))] = 1 / (weight * pivots**2)
    return matrix


def project_triangles(matrices: Floats, weights: Floats, plane: Floats) -> Floats:
    """Vᵀ C V of all components at once, (K, m, m), for a plane V of shape (D, m).

    >>> project_triangles(np.array([[[2.0, 0.0], [-1.0, 1.0]]]), np.ones(1), np.eye(2)).round(12)
    array([[[0.5, 0.5],
            [0.5, 1.5]]])
    """
    widths = np.sqrt(weights[:, None] * matrices.diagonal(axis1=1, axis2=2))
    solved = _solved(matrices, plane) / widths[:, :, None]
    projected: Floats = solved.swapaxes(1, 2) @ solved
    return projected


def _solved(matrices: Floats, plane: Floats) -> Floats:
    """W⁻ᵀ V of all components, (K, D, m)."""
    n_features = matrices.shape[1]
    if n_features < ONE_BY_ONE_FROM:
        lower, diagonal = np.tril(matrices, -1), np.arange(n_features)
        lower[:, diagonal, diagonal] = 1.0
        return np.asarray(np.linalg.solve(lower.swapaxes(1, 2), plane), np.float64)
    columns = np.asfortranarray(plane)
    solved = [dtrsm(1.0, matrix.T, columns, diag=1) for matrix in matrices]
    return np.array(solved).reshape(-1, *plane.shape)


def root_of_precision(precision: Floats) -> Floats:
    """L, lower triangular, with C = L Lᵀ = Λ⁻¹: the inverse of a Cholesky factor of Λ that starts at the last column.

    >>> root = root_of_precision(np.array([[2.0, -1.0], [-1.0, 1.0]]))
    >>> (root @ root.T).round(12)
    array([[1., 1.],
           [1., 2.]])
    """
    widths = np.sqrt(precision.diagonal())
    backwards = (precision / (widths[:, None] * widths))[::-1, ::-1]
    try:
        factor = np.linalg.cholesky(backwards)[::-1, ::-1].T * widths
    except np.linalg.LinAlgError:  # numerically singular
        return root_of_covariance(inverses(precision))
    return np.tril(dtrtri(np.asfortranarray(factor), lower=1)[0])


def root_of_covariance(covariance: Floats) -> Floats:
    """L with C = L Lᵀ; a numerically singular covariance is widened just enough to be positive definite.

    >>> root_of_covariance(np.array([[4.0, 2.0], [2.0, 10.0]]))
    array([[2., 0.],
           [1., 3.]])
    >>> bool((root_of_covariance(np.ones((2, 2))).diagonal() > 0).all())
    True
    """
    widths = np.sqrt(covariance.diagonal())
    correlation, ridge = covariance / (widths[:, None] * widths), 0.0
    while True:
        try:
            root: Floats = np.linalg.cholesky(correlation + ridge * np.eye(len(widths)))
        except np.linalg.LinAlgError:
            ridge = max(4 * ridge, LEAST_RIDGE * len(widths))
        else:
            return root * widths[:, None]


def _symmetric(matrix: Floats) -> Floats:
    """Symmetrise a product of a matrix with its transpose, which is symmetric only up to rounding."""
    return np.asarray(0.5 * (matrix + matrix.T))
