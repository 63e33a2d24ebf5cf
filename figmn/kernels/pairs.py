"""Bounds and estimates of what merging pairs of components costs, at O(D) each."""

from __future__ import annotations

import math

import numpy as np

from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled

LARGE = 1e200
"""A running product above this, or below its inverse, is put into a logarithm."""


@compiled
def compare_diagonals(
    centres: Floats, variances: Floats, accumulators: Floats, firsts: Ints, seconds: Ints
) -> tuple[Floats, Floats]:
    """For pairs of components with the variances v: max (Δμ)² / v̄ over the columns, and Σ log v of their union.

    v̄ is the mean of the two variances, weighted by the accumulators, and v = v̄ + α (1 - α) (Δμ)².
    """
    farthest, logs = np.empty(firsts.shape[0]), np.empty(firsts.shape[0])
    for pair in range(firsts.shape[0]):
        i, j = firsts[pair], seconds[pair]
        share = accumulators[i] / (accumulators[i] + accumulators[j])
        largest, total, running = 0.0, 0.0, 1.0
        for d in range(centres.shape[1]):
            within = share * variances[i, d] + (1 - share) * variances[j, d]
            gap = centres[i, d] - centres[j, d]
            largest = max(largest, gap * gap / within)
            running *= within + share * (1 - share) * gap * gap
            if not 1 / LARGE < running < LARGE:
                total += math.log(running)
                running = 1.0
        farthest[pair], logs[pair] = largest, total + math.log(running)
    return farthest, logs
