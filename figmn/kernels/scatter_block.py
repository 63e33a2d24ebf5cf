"""A block of samples under the exact rule, in its own coordinates."""

from __future__ import annotations

import math

import numpy as np

from figmn.arguments import N_ALIVE, BlockComponents, Page, Rules, ScatterSteps, Work
from figmn.kernels.outcomes import (
    BIRTH,
    CAREFUL,
    DONE,
    log_shrink_of,
    record_learned,
    record_met,
    remove_from_block,
    start_block,
    weigh,
)
from figmn.recorder import NOBODY
from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled, inlined
from figmn.system.limits import EPSILON, LOST, NEGLIGIBLE


@compiled
def learn_scatter_block(
    grams: Floats,
    n_features: int,
    components: BlockComponents,
    rules: Rules,
    steps: ScatterSteps,
    page: Page,
    work: Work,
    counters: Ints,
) -> tuple[int, int, float]:
    """Learn a block of samples under the exact rule, in its own coordinates: no work grows with the dimensions.

    With e₀ᵢ = xᵢ - μ₀ and S₀ as they are before the block, ``grams[j, i, k]`` is e₀ᵢᵀ S₀⁻¹ e₀ₖ of component j. Within
    the block, its mean is μ₀ + Σ ωₖ eₖ and its scatter S₀ + Σ hₖ eₖ eₖᵀ, where eₖ is the error of the k-th sample that
    it learns from, measured from its mean at that time; with Γ the Gram matrix of the eₖ, H⁻¹ + Γ = T Tᵀ grows by a row
    with each sample, and d² / sp = eᵀS₀⁻¹e - |T⁻¹ (eₖᵀS₀⁻¹e)|².
    On return ``updates[j]`` is the number of k, ``places[j, k]`` the sample of each, ωₖ is in ``rates[j, k]``, hₖ in
    ``strengths[j, k]`` and T in ``corners[j]``. Of a sample that creates a component only what it meets is recorded.

    Returns the samples learned, the reason for returning, and the log density of the last one before it was learned.
    A sample whose d² would lose its digits in the difference is returned as one that needs a block of its own.
    """
    n_components, size = grams.shape[0], grams.shape[1]
    recording = page.numbers.shape[1] > 0
    pulled = np.zeros((n_components, size))  # e₀ᵢᵀ S₀⁻¹ (μ - μ₀)
    near_side = np.empty((n_components, size))  # e₀ᵢᵀ S₀⁻¹ e of the sample at hand
    projections = np.empty((n_components, size))  # T⁻¹ (eₖᵀ S₀⁻¹ e)
    alive = start_block(components, work, steps.updates)
    log_likelihood = -np.inf
    for t in range(size):
        smallest, nearest, is_lost = np.inf, 0, False
        for j in range(n_components):
            work.posteriors[j] = -np.inf
            if not alive[j]:
                continue
            side, projection = near_side[j], projections[j]
            for i in range(size):
                side[i] = grams[j, t, i] - pulled[j, i]
            drift, squares = 0.0, 0.0  # (μ - μ₀)ᵀ S₀⁻¹ e as far as the k-th sample, and |T⁻¹ (eₖᵀ S₀⁻¹ e)|²
            for k in range(steps.updates[j]):
                dot = side[steps.places[j, k]] - drift
                drift += steps.rates[j, k] * dot
                for m in range(k):
                    dot -= steps.corners[j, k, m] * projection[m]
                dot /= steps.corners[j, k, k]
                projection[k] = dot
                squares += dot * dot
            whole = side[t] - drift
            distance = max(whole - squares, 0.0) * components.accumulators[j]
            most = max(grams[j, t, t], abs(whole)) * components.accumulators[j]
            is_lost |= t > 0 and EPSILON * most > LOST * max(1.0, distance)
            work.distances[j] = distance
            smallest, nearest = (distance, j) if distance < smallest else (smallest, nearest)
            work.posteriors[j] = work.log_accumulators[j] - 0.5 * (distance + components.log_dets[j])
        if is_lost:
            return t, CAREFUL, log_likelihood
        log_likelihood = weigh(n_components, n_features, components.accumulators, work, True)
        column = page.column + t
        if recording:
            record_met(column, log_likelihood, nearest, n_components, counters[N_ALIVE], components.ids, work, page)
        if not smallest < rules.threshold:
            return t, BIRTH, log_likelihood
        for j in range(n_components):
            if not alive[j]:
                continue
            components.ages[j] += 1
            before = components.accumulators[j]
            components.accumulators[j] += work.posteriors[j]
            work.omegas[j] = work.posteriors[j] / components.accumulators[j]
            if work.omegas[j] > NEGLIGIBLE:
                log_shrink = log_shrink_of(j, components, work)
                components.log_dets[j] += n_features * log_shrink + math.log1p(work.omegas[j] * work.distances[j])
                strength = work.posteriors[j] * (before / components.accumulators[j])
                corner = math.sqrt(1 / strength + work.distances[j] / before)
                _append(j, t, work.omegas[j], strength, corner, projections, steps)
                for i in range(size):
                    pulled[j, i] += work.omegas[j] * near_side[j, i]
            remove_from_block(j, column, components, rules, alive, counters, page)
        if recording:
            record_learned(column, NOBODY, counters, page)
    return size, DONE, log_likelihood


@inlined
def _append(
    j: int, t: int, rate: float, strength: float, corner: float, projections: Floats, steps: ScatterSteps
) -> None:
    """Component j learns from sample t: T gets a row."""
    k = steps.updates[j]
    steps.places[j, k], steps.rates[j, k], steps.strengths[j, k] = t, rate, strength
    for m in range(k):
        steps.corners[j, k, m] = projections[j, m]
    steps.corners[j, k, k] = corner
    for m in range(k + 1, projections.shape[1]):
        steps.corners[j, k, m] = 0.0
    steps.updates[j] = k + 1
