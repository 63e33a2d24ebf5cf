"""Learning a block of samples under the published rule, in coordinates of the block."""

from __future__ import annotations

import math

import numpy as np

from figmn.arguments import BlockComponents, PrecisionSteps, RecorderPage, Rules, Work
from figmn.kernels.outcomes import (
    BIRTH,
    CAREFUL,
    DONE,
    count_negatives,
    count_of,
    is_removable,
    keep_log,
    normalise,
    record_learned,
    record_met,
    remove_from_block,
    start_block,
    step_of_covariance,
    take_log_shrink,
)
from figmn.recorder import NOBODY
from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled, inlined
from figmn.system.limits import LEAST_EVIDENCE, NEGLIGIBLE

JUMP_LIMIT = 1e8
"""Largest factor by which one sample within a block may multiply a determinant; beyond it a new block begins."""


@compiled
def learn_precision_block(
    grams: Floats,
    row_weights: Floats,
    n_features: int,
    components: BlockComponents,
    rules: Rules,
    steps: PrecisionSteps,
    page: RecorderPage,
    work: Work,
    counters: Ints,
) -> tuple[int, int, float]:
    """Learn a block of samples under the published rule, as `learn_scatter_block` does under the exact one.

    With e₀ᵢ = xᵢ - μ₀ and Λ₀ as they are before the block, ``grams[j]`` holds e₀ᵢᵀ Λ₀ e₀ₖ of component j. Within the
    block, its mean is μ₀ + Σ aᵢ e₀ᵢ and its precision is s (Λ₀ - Σ gₖ wₖ wₖᵀ), every wₖ = Λ₀ Σ cₖᵢ e₀ᵢ.
    On return a is in ``shifts[j]``, cₖ in ``directions[j, k]``, gₖ in ``gains[j, k]``, s in ``scales[j]`` and the
    number of k in ``updates[j]``; ``errors[j, k]`` has the coefficients of the error e that made k, and the variances
    are ``variance_weights[j, -1]`` times the old ones plus ``variance_weights[j, k]`` times e². ``posteriors[j, i]`` is
    the posterior of sample i, or 0 if it is negligible. Of a sample that creates a component only `record_met` is done.

    Returns the samples learned, the reason for returning, and the log density of the last one before it was learned.
    """
    # Arrays in local names: reading one from a tuple costs reference counting.
    ids, log_dets, accumulators = components.ids, components.log_dets, components.accumulators
    ages, negatives = components.ages, components.negatives
    masses, log_masses = components.masses, work.log_masses
    surplus, decay, is_weighted = rules.surplus, rules.decay, row_weights.shape[0] > 0
    distances, weights, omegas, log_accumulators = work.distances, work.posteriors, work.omegas, work.log_accumulators
    measures, numbers = page.measures, page.numbers
    shifts, directions, gains, errors = steps.shifts, steps.directions, steps.gains, steps.errors
    updates = steps.updates
    variance_weights, scales, learned = steps.variance_weights, steps.scales, steps.posteriors
    n_components, size = grams.shape[0], grams.shape[1]
    recording = numbers.shape[1] > 0
    pulled = np.zeros((n_components, size))  # e₀ᵢᵀ Λ₀ (μ - μ₀)
    near_side = np.empty((n_components, size))  # e₀ᵢᵀ Λ₀ e of the current sample
    projections = np.empty((n_components, size))  # wₖᵀ e
    alive = start_block(accumulators, log_accumulators, masses, log_masses, updates)
    for j in range(n_components):
        scales[j], variance_weights[j, size] = 1.0, 1.0
        for i in range(size):
            shifts[j, i] = 0.0
    log_likelihood = -np.inf
    for t in range(size):
        smallest, nearest = np.inf, 0
        for j in range(n_components):
            weights[j] = -np.inf
            if not alive[j]:
                continue
            side, projection = near_side[j], projections[j]
            for i in range(size):
                side[i] = grams[j, i, t] - pulled[j, i]
            distance = side[t]
            for i in range(t):
                distance -= shifts[j, i] * side[i]
            for k in range(updates[j]):
                dot = 0.0
                for i in range(t):
                    dot += directions[j, k, i] * side[i]
                projection[k] = dot
                distance -= gains[j, k] * dot * dot
            distance *= scales[j]
            distances[j] = distance
            smallest, nearest = (distance, j) if distance < smallest else (smallest, nearest)
            weights[j] = log_accumulators[j] - 0.5 * (distance + log_dets[j])
        log_density = normalise(n_components, weights, accumulators, True)
        for j in range(n_components):
            omegas[j] = 0.0
        log_likelihood = log_density - 0.5 * n_features * math.log(2 * math.pi)
        column = page.column + t
        if recording:
            record_met(
                column, log_likelihood, smallest, nearest, n_components, counters, ids, weights, measures, numbers
            )
        if not smallest < rules.threshold:
            return t, BIRTH, log_likelihood
        row_weight = row_weights[t] if is_weighted else 1.0
        for j in range(n_components):
            evidence = row_weight * weights[j]
            omega = evidence / (decay * accumulators[j] + evidence)
            omegas[j] = omega
            if t > 0 and omega > NEGLIGIBLE and omega * abs(distances[j]) > JUMP_LIMIT:
                return t, CAREFUL, log_likelihood
        for j in range(n_components):
            learned[j, t] = 0.0
            if not alive[j]:
                continue
            ages[j] += 1
            evidence, before = row_weight * weights[j], decay * accumulators[j]
            accumulators[j] = max(before + evidence, LEAST_EVIDENCE)
            if omegas[j] <= NEGLIGIBLE:
                if decay < 1:
                    log_accumulators[j] = math.log(accumulators[j])
            else:
                learned[j, t] = evidence
                counted = count_of(before, surplus)
                rate = evidence / (counted + evidence)
                masses[j] = counted + evidence  # log(1 - r) is read from it; precisions are stored without a unit
                log_masses[j] = math.log(counted)
                log_shrink = take_log_shrink(j, masses, log_masses)
                keep_log(j, accumulators, log_accumulators, masses, log_masses)
                coefficient, multiplier = step_of_covariance(omegas[j], rate, distances[j], True)
                if multiplier < 0:
                    count_negatives(j, coefficient, negatives, counters)
                log_dets[j] += n_features * log_shrink + math.log(abs(multiplier))
                _absorb(
                    j, t, omegas[j], rate, coefficient, multiplier, near_side[j], projections[j], pulled[j],
                    shifts[j], directions[j], gains[j], errors[j], variance_weights[j], scales, updates,
                )  # fmt: skip
            if is_removable(ages[j], accumulators[j], rules.v_min, rules.sp_min):
                remove_from_block(j, column, components, page, alive, counters)
        if recording:
            record_learned(column, NOBODY, counters, measures, numbers)
    return size, DONE, log_likelihood


@inlined
def _absorb(
    j: int,
    t: int,
    omega: float,
    rate: float,
    coefficient: float,
    multiplier: float,
    side: Floats,
    projection: Floats,
    pulled: Floats,
    shift: Floats,
    directions: Floats,
    gains: Floats,
    errors: Floats,
    variance_weights: Floats,
    scales: Floats,
    updates: Ints,
) -> None:
    """Component j learns from sample t: one more direction. Takes views of arrays, as a tuple would cost time."""
    k, shrink, size = updates[j], 1 - rate, side.shape[0]
    error, direction = errors[k], directions[k]
    for i in range(t):
        error[i] = -shift[i]
    error[t] = 1.0
    for i in range(t + 1, size):
        error[i] = 0.0
    for i in range(size):
        direction[i] = error[i]
    for m in range(k):
        amount = gains[m] * projection[m]
        for i in range(t):
            direction[i] -= amount * directions[m, i]
    gains[k] = scales[j] * coefficient / (shrink * multiplier)
    scales[j] /= shrink
    for i in range(t + 1):
        shift[i] += omega * error[i]
    for i in range(size):
        pulled[i] += omega * side[i]
    for m in range(k):
        variance_weights[m] *= shrink
    variance_weights[size] *= shrink
    variance_weights[k] = coefficient
    updates[j] = k + 1
