"""Inverses of covariances whose columns may be collinear to double precision."""

from __future__ import annotations

import numpy as np

from figmn.system.arrays import Floats
from figmn.system.lapack import log_determinant
from figmn.system.limits import RIDGE, is_safe_pivot


def inverses(matrices: Floats) -> Floats:
    """Inverses of symmetric matrices, symmetric to the last bit.

    >>> inverses(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    found = np.linalg.inv(matrices)
    symmetric: Floats = np.asarray(0.5 * (found + found.swapaxes(-1, -2)), np.float64)
    return symmetric


def precisions_of(covariances: Floats, rule: str) -> tuple[Floats, Floats]:
    """Precisions and log determinants of covariances.

    Covariances of the exact rule are positive definite, and collinear ones are widened first. Those of the published
    rule may be indefinite and are inverted as they are.

    >>> precisions, log_determinants = precisions_of(np.array([[[1.0, 1.0], [1.0, 1.0]]]), "exact")
    >>> bool((np.linalg.eigvalsh(precisions) > 0).all()), log_determinants.round(2)
    (True, array([-22.33]))
    """
    if rule != "exact":
        return inverses(covariances), np.array([log_determinant(covariance) for covariance in covariances])
    precisions, log_determinants = np.empty_like(covariances), np.empty(len(covariances))
    for j, covariance in enumerate(covariances):
        if _is_collinear(covariance):
            precisions[j], log_determinants[j], _ = widened_inverse(covariance)
        else:
            precisions[j], log_determinants[j] = inverses(covariance), log_determinant(covariance)
    return precisions, log_determinants


def widened_inverse(covariance: Floats) -> tuple[Floats, float, bool]:
    """Inverse and log determinant of a covariance, and whether it had to be widened by `RIDGE` first.

    Works on the correlation matrix, so that the units of the columns do not matter.
    """
    widths = np.sqrt(covariance.diagonal())
    eigenvalues, vectors = np.linalg.eigh(covariance / (widths[:, None] * widths))
    singular = bool(eigenvalues[0] < RIDGE)
    if singular:
        eigenvalues += RIDGE - min(eigenvalues[0], 0.0)
    rows = vectors / (widths[:, None] * np.sqrt(eigenvalues))
    return rows @ rows.T, float(np.log(eigenvalues).sum() + 2 * np.log(widths).sum()), singular


def is_safe_factor(covariance: Floats, factor: Floats) -> bool:
    """Whether the Cholesky factor of a covariance is accurate: every pivot passes `is_safe_pivot`.

    >>> collinear = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-12]])
    >>> is_safe_factor(np.eye(2), np.eye(2)), is_safe_factor(collinear, np.linalg.cholesky(collinear))
    (True, False)
    """
    return bool(is_safe_pivot(covariance.diagonal(), factor.diagonal() ** 2).all())


def _is_collinear(covariance: Floats) -> bool:
    """Whether the Cholesky factor does not exist or fails `is_safe_factor`."""
    try:
        factor = np.asarray(np.linalg.cholesky(covariance), np.float64)
    except np.linalg.LinAlgError:
        return True
    return not is_safe_factor(covariance, factor)
