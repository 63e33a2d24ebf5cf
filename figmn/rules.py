"""The arithmetic of one update in plain Python: `IGMN` calls these functions, and `figmn.kernels` compiles them."""

from __future__ import annotations

import math
from typing import Any

from figmn.system.limits import SINGULAR


def counted_by(evidence: float, surplus: float) -> float:
    """m: how many samples the covariance of a component counts for, given its sp and n_0 - 1.

    Evidence below 1, of a component that has nearly been forgotten or was born with less weight, counts as 1, the
    evidence of a newborn component: it never learns its covariance faster than that.

    >>> counted_by(7.0, surplus=0.0), counted_by(7.0, surplus=4.0), counted_by(0.01, surplus=4.0)
    (7.0, 11.0, 5.0)
    """
    return max(evidence, 1.0) + surplus


def covariance_step(omega: float, rate: float, distance: float, published: bool) -> tuple[float, float]:
    """c of the covariance rule C' = (1 - r) C + c e eᵀ and the factor 1 + c d² / (1 - r) of the determinant.

    ω is the rate of the mean and r that of the covariance, p over m; with a prior count of 1 they are the same.

    >>> covariance_step(0.5, 0.5, 8.0, published=False)
    (0.25, 5.0)
    >>> covariance_step(0.5, 0.2, 8.0, published=False)
    (0.1, 2.0)
    >>> covariance_step(0.5, 0.5, 8.0, published=True)
    (-0.125, -1.0)
    """
    if not published:
        return rate * (1 - omega), 1 + rate * ((1 - omega) / (1 - rate)) * distance
    coefficient = rate * (1 - 3 * omega + omega * omega)
    multiplier = 1 + coefficient * distance / (1 - rate)
    if abs(multiplier) < SINGULAR:
        multiplier = math.copysign(SINGULAR, multiplier)
        coefficient = (multiplier - 1) * (1 - rate) / distance
    return coefficient, multiplier


def negatives_after(coefficient: float, negatives: int) -> tuple[int, bool]:
    """Negative eigenvalues after a step that changes the sign of the determinant; True if the first one appeared.

    A rank-one term moves at most one eigenvalue through zero, and changes the sign of the determinant when it does.

    >>> negatives_after(-0.1, 0), negatives_after(-0.1, 1), negatives_after(0.1, 1)
    ((1, True), (2, False), (0, False))
    """
    if coefficient < 0:
        return negatives + 1, negatives == 0
    return negatives - 1, False


def is_spurious(ages: Any, accumulators: Any, v_min: float, sp_min: float) -> Any:
    """Whether a component is old and has too little evidence; for numbers, and for arrays of them.

    >>> is_spurious(6, 1.0, v_min=5, sp_min=3), is_spurious(6, 3.0, v_min=5, sp_min=3)
    (True, False)
    """
    return (ages > v_min) & (accumulators < sp_min)
