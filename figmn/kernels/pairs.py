"""Bounds and estimates of what merging pairs of components costs, at O(D) each; see `figmn.merging`."""

from __future__ import annotations

import math

import numpy as np

from figmn.system.arrays import Bools, Floats, Ints
from figmn.system.compiling import compiled, inlined

LARGE = 1e200
"""A running product above this, or below its inverse, is put into a logarithm."""
NODES = np.arange(-8, 8.25, 0.25)
"""Places of the trapezoidal rule over a standard Gaussian, which converges exponentially."""
DENSITIES = np.exp(-0.5 * NODES**2) / np.exp(-0.5 * NODES**2).sum()


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


@compiled
def find_near(
    centres: Floats, variances: Floats, accumulators: Floats, allowed: Bools, partner: int, limit: float
) -> Ints:
    """Pairs (i, j), i < j, of allowed components whose gap may cost less than a limit, in nats; one row for each.

    Of all pairs, or only of those with `partner`, unless it is -1. As a bound of the gap serves max (Δμ)² / v̄.
    """
    found = np.empty((16, 2), np.int64)
    count = 0
    for i in range(allowed.shape[0]):
        for j in range(i + 1, allowed.shape[0]):
            if not (allowed[i] and allowed[j] and (partner < 0 or partner in (i, j))):
                continue
            evidence = accumulators[i] + accumulators[j]
            share, farthest = accumulators[i] / evidence, 0.0
            for d in range(centres.shape[1]):
                gap = centres[i, d] - centres[j, d]
                farthest = max(farthest, gap * gap / (share * variances[i, d] + (1 - share) * variances[j, d]))
            # I is at most log 2, so most pairs are decided without the sum over the nodes.
            if evidence * (0.5 * math.log1p(share * (1 - share) * farthest) - math.log(2.0)) >= limit:
                continue
            if evidence * divergence(farthest, share) >= limit:
                continue
            if count == found.shape[0]:
                found = np.concatenate((found, np.empty_like(found)))
            found[count, 0], found[count, 1] = i, j
            count += 1
    return found[:count]


@compiled
def divergence(gap: float, share: float) -> float:
    """Divergence of two Gaussians with one covariance from the Gaussian with their mean and covariance, in nats.

    Given q = Δᵀ C⁻¹ Δ and the share α of the first. It grows with q: its derivative is half of the difference between
    the errors of the best linear and the best estimate of which Gaussian a sample comes from.
    """
    bound = 0.5 * math.log1p(share * (1 - share) * gap)
    known = 0.0
    for own in (share, 1 - share):
        if own > 0:
            log_own, log_other, root = math.log(own), math.log(1 - own), math.sqrt(gap)
            for node in range(NODES.shape[0]):
                # The log density of the other at a sample of its own, over that of its own.
                ratio = NODES[node] * root - 0.5 * gap
                known -= own * DENSITIES[node] * _log_sum(log_own, log_other + ratio)
    return max(bound - known, 0.0)


@inlined
def _log_sum(first: float, second: float) -> float:
    """log(exp(first) + exp(second))."""
    return max(first, second) + math.log1p(math.exp(-abs(first - second)))
