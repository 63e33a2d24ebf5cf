"""A block of samples under the published rule, in its own coordinates."""

from __future__ import annotations

import math

import numpy as np

from figmn.arguments import N_ALIVE, BlockComponents, Page, PrecisionSteps, Rules, Work
from figmn.kernels.outcomes import (
    BIRTH,
    CAREFUL,
    DONE,
    count_negatives,
    log_shrink_of,
    record_learned,
    record_met,
    remove_from_block,
    start_block,
    step_of_covariance,
    weigh,
)
from figmn.recorder import NOBODY
from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled, inlined
from figmn.system.limits import NEGLIGIBLE

JUMP_LIMIT = 1e8
"""Largest factor by which one sample within a block may multiply a determinant; beyond it a new block begins."""


@compiled
def learn_precision_block(
    grams: Floats,
    n_features: int,
    components: BlockComponents,
    rules: Rules,
    steps: PrecisionSteps,
    page: Page,
    work: Work,
    counters: Ints,
) -> tuple[int, int, float]:
    """Learn a block of samples under the published rule, as `learn_scatter_block` does under the exact one.

    With e₀ᵢ = xᵢ - μ₀ and Λ₀ as they are before the block, ``grams[j]`` holds e₀ᵢᵀ Λ₀ e₀ₖ of component j. Within the
    block, its mean is μ₀ + Σ aᵢ e₀ᵢ and its precision is s (Λ₀ - Σ gₖ wₖ wₖᵀ), every wₖ = Λ₀ Σ cₖᵢ e₀ᵢ.
    On return a is in ``shifts[j]``, cₖ in ``directions[j, k]``, gₖ in ``gains[j, k]``, s in ``scales[j]`` and the
    number of k in ``updates[j]``; ``errors[j, k]`` has the coefficients of the error e that made k, and the variances
    are ``variance_weights[j, -1]`` times the old ones plus ``variance_weights[j, k]`` times e². ``posteriors[j, i]`` is
    what sample i counted for. Of a sample that creates a component only what it meets is recorded.

    Returns the samples learned, the reason for returning, and the log density of the last one before it was learned.
    """
    n_components, size = grams.shape[0], grams.shape[1]
    recording = page.numbers.shape[1] > 0
    pulled = np.zeros((n_components, size))  # e₀ᵢᵀ Λ₀ (μ - μ₀)
    near_side = np.empty((n_components, size))  # e₀ᵢᵀ Λ₀ e of the sample at hand
    projections = np.empty((n_components, size))  # wₖᵀ e
    alive = start_block(components, work, steps.updates)
    for j in range(n_components):
        steps.scales[j], steps.variance_weights[j, size] = 1.0, 1.0
        for i in range(size):
            steps.shifts[j, i] = 0.0
    log_likelihood = -np.inf
    for t in range(size):
        smallest, nearest = np.inf, 0
        for j in range(n_components):
            work.posteriors[j] = -np.inf
            if not alive[j]:
                continue
            side, projection = near_side[j], projections[j]
            for i in range(size):
                side[i] = grams[j, i, t] - pulled[j, i]
            distance = side[t]
            for i in range(t):
                distance -= steps.shifts[j, i] * side[i]
            for k in range(steps.updates[j]):
                dot = 0.0
                for i in range(t):
                    dot += steps.directions[j, k, i] * side[i]
                projection[k] = dot
                distance -= steps.gains[j, k] * dot * dot
            distance *= steps.scales[j]
            work.distances[j] = distance
            smallest, nearest = (distance, j) if distance < smallest else (smallest, nearest)
            work.posteriors[j] = work.log_accumulators[j] - 0.5 * (distance + components.log_dets[j])
        log_likelihood = weigh(n_components, n_features, components.accumulators, work, True)
        column = page.column + t
        if recording:
            record_met(column, log_likelihood, nearest, n_components, counters[N_ALIVE], components.ids, work, page)
        if not smallest < rules.threshold:
            return t, BIRTH, log_likelihood
        for j in range(n_components):
            omega = work.posteriors[j] / (components.accumulators[j] + work.posteriors[j])
            work.omegas[j] = omega
            if t > 0 and omega > NEGLIGIBLE and omega * abs(work.distances[j]) > JUMP_LIMIT:
                return t, CAREFUL, log_likelihood
        for j in range(n_components):
            steps.posteriors[j, t] = 0.0
            if not alive[j]:
                continue
            components.ages[j] += 1
            components.accumulators[j] += work.posteriors[j]
            if work.omegas[j] > NEGLIGIBLE:
                steps.posteriors[j, t] = work.posteriors[j]
                log_shrink = log_shrink_of(j, components, work)
                coefficient, multiplier = step_of_covariance(work.omegas[j], work.distances[j], True)
                if multiplier < 0:
                    count_negatives(j, coefficient, components.negatives, counters)
                components.log_dets[j] += n_features * log_shrink + math.log(abs(multiplier))
                _append(j, t, work.omegas[j], coefficient, multiplier, projections[j], steps)
                for i in range(size):
                    pulled[j, i] += work.omegas[j] * near_side[j, i]
            remove_from_block(j, column, components, rules, alive, counters, page)
        if recording:
            record_learned(column, NOBODY, counters, page)
    return size, DONE, log_likelihood


@inlined
def _append(
    j: int, t: int, omega: float, coefficient: float, multiplier: float, projection: Floats, steps: PrecisionSteps
) -> None:
    """Component j learns from sample t: one more direction."""
    k, shrink, size = steps.updates[j], 1 - omega, projection.shape[0]
    error, direction, shift = steps.errors[j, k], steps.directions[j, k], steps.shifts[j]
    for i in range(t):
        error[i] = -shift[i]
    error[t] = 1.0
    for i in range(t + 1, size):
        error[i] = 0.0
    for i in range(size):
        direction[i] = error[i]
    for m in range(k):
        amount = steps.gains[j, m] * projection[m]
        for i in range(t):
            direction[i] -= amount * steps.directions[j, m, i]
    steps.gains[j, k] = steps.scales[j] * coefficient / (shrink * multiplier)
    steps.scales[j] /= shrink
    for i in range(t + 1):
        shift[i] += omega * error[i]
    for m in range(k):
        steps.variance_weights[j, m] *= shrink
    steps.variance_weights[j, size] *= shrink
    steps.variance_weights[j, k] = coefficient
    steps.updates[j] = k + 1
