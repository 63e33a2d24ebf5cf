"""Single steps of the algorithm that are called from Python."""

from __future__ import annotations

import math

import numpy as np

from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled


@compiled
def add_rank_one(matrices: Floats, shrink: float, gain: float, directions: Floats, j: int) -> None:
    """A' = shrink A + gain v vᵀ in one pass, for the matrix and the direction at place j; v is scaled in place."""
    # The outer product of a vector with itself is symmetric to the last bit, and so the matrix stays symmetric.
    sign, root = math.copysign(1.0, gain), math.sqrt(abs(gain))
    for d in range(directions.shape[1]):
        directions[j, d] *= root
    for d in range(directions.shape[1]):
        scaled = sign * directions[j, d]
        for k in range(directions.shape[1]):
            matrices[j, d, k] = shrink * matrices[j, d, k] + scaled * directions[j, k]


@compiled
def follow_mean(rows: Floats, places: Ints, rates: Floats, strengths: Floats) -> Floats:
    """Turn errors from the mean before a block into errors from the mean before each sample, in place.

    Row k becomes the error of sample ``places[k]``, which moves the mean by ``rates[k]`` times itself and adds
    ``strengths[k]`` times its square to the scatter. Rows may be in any coordinates. Returns the shift of the mean and
    the growth of the scatter's diagonal, (2, D).
    """
    moved = np.zeros((2, rows.shape[1]))
    shift, grown = moved[0], moved[1]
    for k in range(places.shape[0]):
        place, rate, strength = places[k], rates[k], strengths[k]
        for d in range(rows.shape[1]):
            error = rows[place, d] - shift[d]
            rows[k, d] = error
            shift[d] += rate * error
            grown[d] += strength * error * error
    return moved


@compiled
def sum_rows(rows: Floats, centre: Floats) -> Floats:
    """Sums of the deviations of rows from a centre, and of their squares, (2, D)."""
    sums = np.zeros((2, rows.shape[1]))
    for n in range(rows.shape[0]):
        for d in range(rows.shape[1]):
            deviation = rows[n, d] - centre[d]
            sums[0, d] += deviation
            sums[1, d] += deviation * deviation
    return sums
