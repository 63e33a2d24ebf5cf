"""Limits of double precision, shared by all learning code.

The functions take numbers or arrays; `figmn.kernels` compiles them.
"""

from __future__ import annotations

from typing import Any

NEGLIGIBLE = 1e-17
"""A learning rate below this changes no bit of a mean or a matrix; age and accumulator are still updated."""
LEAST_EVIDENCE = 1e-300
"""Evidence of a component that was forgotten long ago: its logarithm is still finite."""
SINGULAR = 1e-12
"""Smallest magnitude of the factor by which one published update may multiply a determinant, to avoid singularity."""
INFLATION_LIMIT = 1e11
"""Largest variance inflation C_dd Λ_dd at which IGMN factorises a covariance; beyond it the columns are collinear."""
RIDGE = 1e-10
"""Share of its own variance by which IGMN widens every column of a collinear component."""
EPSILON = 2.0**-53
"""Relative error of one rounded operation."""
LOST = 1e-10
"""Largest accepted error of a d² computed as a difference of squares; relative to d² where that is above 1."""
MILD = 1e4
"""Largest variance inflation S_dd (S⁻¹)_dd, and growth of S by a block, at which a mature S⁻¹ is kept as a matrix."""


def is_safe_pivot(variances: Any, pivots: Any) -> Any:
    """Whether a squared pivot of a covariance's Cholesky factor is accurate, given the variance of its column.

    >>> is_safe_pivot(1.0, 1e-10), is_safe_pivot(1.0, 1e-12)
    (True, False)
    """
    return pivots * INFLATION_LIMIT >= variances


def is_inflated(variances: Any, precisions: Any) -> Any:
    """Whether the columns are too collinear for an inverse, by the diagonals of a covariance and of its inverse.

    >>> is_inflated(1.0, 1e10), is_inflated(1.0, 1e12)
    (False, True)
    """
    return variances * abs(precisions) > INFLATION_LIMIT
