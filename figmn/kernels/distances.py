"""Squared Mahalanobis distances d² = eᵀ C⁻¹ e by covariances, for the loops of `IGMN`."""

from __future__ import annotations

import math

import numpy as np

from figmn.system.arrays import Floats
from figmn.system.compiling import inlined, part
from figmn.system.limits import is_inflated, is_safe_pivot

TINY = 1e-150
"""Products of pivots are turned into logarithms before they leave the range from this to its inverse."""

_is_inflated = inlined(is_inflated)
_is_safe_pivot = inlined(is_safe_pivot)


@part
def measure_by_cholesky(
    error: Floats, matrix: Floats, published: bool, whitened: Floats, factor: Floats, log_dets: Floats, j: int
) -> float:
    """d² by a covariance, whose log determinant goes to place j; NaN if the row must be learned with care."""
    n_features = error.shape[0]
    distance = 0.0
    log_det = _cholesky(matrix, factor)
    if math.isnan(log_det):
        # An indefinite covariance of the published rule has no Cholesky factor.
        return _eliminate(error, matrix, factor, whitened, log_dets, j) if published else np.nan
    log_dets[j] = log_det
    for d in range(n_features):
        dot = error[d]
        for k in range(d):
            dot -= factor[d, k] * whitened[k]
        whitened[d] = dot / factor[d, d]
        distance += whitened[d] * whitened[d]
    return distance


@part
def _cholesky(matrix: Floats, factor: Floats) -> float:
    """Lower factor of a covariance, and its log determinant; NaN where it is not safely positive definite."""
    determinant_logarithm, running = 0.0, 1.0
    for i in range(matrix.shape[0]):
        for k in range(i + 1):
            dot = matrix[i, k]
            for m in range(k):
                dot -= factor[i, m] * factor[k, m]
            if k < i:
                factor[i, k] = dot / factor[k, k]
        if not _is_safe_pivot(matrix[i, i], dot):
            return np.nan
        factor[i, i] = math.sqrt(dot)
        running *= dot
        if not TINY < running < 1 / TINY:
            determinant_logarithm += math.log(running)
            running = 1.0
    return determinant_logarithm + math.log(running)


@part
def _eliminate(error: Floats, matrix: Floats, reduced: Floats, solved: Floats, log_dets: Floats, j: int) -> float:
    """d² by Gaussian elimination with pivots, for any covariance; log determinant to place j. NaN if it is singular."""
    n_features = error.shape[0]
    log_det = 0.0
    for i in range(n_features):
        solved[i] = error[i]
        for k in range(n_features):
            reduced[i, k] = matrix[i, k]
    for k in range(n_features):
        pivot = k
        for i in range(k + 1, n_features):
            if abs(reduced[i, k]) > abs(reduced[pivot, k]):
                pivot = i
        if reduced[pivot, k] == 0.0:
            return np.nan
        if pivot != k:
            for c in range(k, n_features):
                reduced[k, c], reduced[pivot, c] = reduced[pivot, c], reduced[k, c]
            solved[k], solved[pivot] = solved[pivot], solved[k]
        log_det += math.log(abs(reduced[k, k]))
        for i in range(k + 1, n_features):
            factor = reduced[i, k] / reduced[k, k]
            solved[i] -= factor * solved[k]
            for c in range(k + 1, n_features):
                reduced[i, c] -= factor * reduced[k, c]
    distance = 0.0
    for k in range(n_features - 1, -1, -1):
        for c in range(k + 1, n_features):
            solved[k] -= reduced[k, c] * solved[c]
        solved[k] /= reduced[k, k]
        distance += solved[k] * error[k]
    log_dets[j] = log_det
    return distance


@part
def measure_by_inverse(error: Floats, matrix: Floats, published: bool, log_dets: Floats, j: int) -> float:
    """The same by the inverse of the covariance, as in the original IGMN."""
    n_features = error.shape[0]
    distance = 0.0
    inverse = np.linalg.inv(matrix)
    log_dets[j] = np.linalg.slogdet(matrix)[1]
    for d in range(n_features):
        if not published and _is_inflated(matrix[d, d], inverse[d, d]):
            return np.nan
        dot = 0.0
        for k in range(n_features):
            dot += inverse[d, k] * error[k]
        distance += dot * error[d]
    return distance
