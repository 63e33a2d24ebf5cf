"""Learning a block of samples under the exact rule, in coordinates of the block."""

from __future__ import annotations

import math

import numpy as np

from figmn.arguments import BlockComponents, RecorderPage, Rules, ScatterSteps, Work
from figmn.kernels.outcomes import (
    BIRTH,
    CAREFUL,
    DONE,
    count_of,
    is_removable,
    keep_log,
    normalise,
    record_learned,
    record_met,
    remove_from_block,
    start_block,
    take_log_shrink,
)
from figmn.recorder import NOBODY
from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled
from figmn.system.limits import EPSILON, LEAST_EVIDENCE, LOST, NEGLIGIBLE


@compiled
def learn_scatter_block(
    grams: Floats,
    row_weights: Floats,
    n_features: int,
    components: BlockComponents,
    rules: Rules,
    steps: ScatterSteps,
    page: RecorderPage,
    work: Work,
    counters: Ints,
) -> tuple[int, int, float]:
    """Learn a block of samples under the exact rule, in coordinates of the block: the cost does not depend on D.

    With e₀ᵢ = xᵢ - μ₀ and S₀ as they are before the block, ``grams[j, i, k]`` is e₀ᵢᵀ S₀⁻¹ e₀ₖ of component j. Within
    the block, its mean is μ₀ + Σ ωₖ eₖ and its scatter S₀ + Σ hₖ eₖ eₖᵀ, where eₖ is the error of the k-th sample that
    it learns from, measured from its mean at that time; with Γ the Gram matrix of the eₖ, H⁻¹ + Γ = T Tᵀ grows by a row
    with each sample, and d² / M = eᵀS₀⁻¹e - |T⁻¹ (eₖᵀS₀⁻¹e)|².
    On return ``updates[j]`` is the number of k, ``places[j, k]`` the sample of each, ωₖ is in ``rates[j, k]``, hₖ in
    ``strengths[j, k]`` and T in ``corners[j]``. Of a sample that creates a component only `record_met` is done.

    Returns the samples learned, the reason for returning, and the log density of the last one before it was learned.
    A sample whose d² would lose too many digits to cancellation is returned as `CAREFUL`: it begins a new block.
    """
    # Arrays in local names: reading one from a tuple costs reference counting.
    ids, log_dets, accumulators = components.ids, components.log_dets, components.accumulators
    ages, masses, log_masses = components.ages, components.masses, work.log_masses
    surplus, decay, is_weighted = rules.surplus, rules.decay, row_weights.shape[0] > 0
    distances, weights, omegas, log_accumulators = work.distances, work.posteriors, work.omegas, work.log_accumulators
    measures, numbers = page.measures, page.numbers
    places, rates, strengths, corners, updates = (
        steps.places,
        steps.rates,
        steps.strengths,
        steps.corners,
        steps.updates,
    )
    n_components, size = grams.shape[0], grams.shape[1]
    recording = numbers.shape[1] > 0
    pulled = np.zeros((n_components, size))  # e₀ᵢᵀ S₀⁻¹ (μ - μ₀)
    near_side = np.empty((n_components, size))  # e₀ᵢᵀ S₀⁻¹ e of the current sample
    projections = np.empty((n_components, size))  # T⁻¹ (eₖᵀ S₀⁻¹ e)
    alive = start_block(accumulators, log_accumulators, masses, log_masses, updates)
    log_likelihood = -np.inf
    for t in range(size):
        smallest, nearest, is_lost = np.inf, 0, False
        for j in range(n_components):
            weights[j] = -np.inf
            if not alive[j]:
                continue
            side, projection = near_side[j], projections[j]
            for i in range(size):
                side[i] = grams[j, t, i] - pulled[j, i]
            drift, squares = 0.0, 0.0  # (μ - μ₀)ᵀ S₀⁻¹ e up to the k-th sample, and |T⁻¹ (eₖᵀ S₀⁻¹ e)|²
            for k in range(updates[j]):
                dot = side[places[j, k]] - drift
                drift += rates[j, k] * dot
                for m in range(k):
                    dot -= corners[j, k, m] * projection[m]
                dot /= corners[j, k, k]
                projection[k] = dot
                squares += dot * dot
            whole = side[t] - drift
            distance = max(whole - squares, 0.0) * masses[j]
            most = max(grams[j, t, t], abs(whole)) * masses[j]
            is_lost |= t > 0 and EPSILON * most > LOST * max(1.0, distance)
            distances[j] = distance
            smallest, nearest = (distance, j) if distance < smallest else (smallest, nearest)
            weights[j] = log_accumulators[j] - 0.5 * (distance + log_dets[j])
        if is_lost:
            return t, CAREFUL, log_likelihood
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
            if not alive[j]:
                continue
            ages[j] += 1
            evidence, before = row_weight * weights[j], decay * accumulators[j]
            accumulators[j] = max(before + evidence, LEAST_EVIDENCE)
            omegas[j] = evidence / accumulators[j]
            if omegas[j] <= NEGLIGIBLE:
                if decay < 1:
                    log_accumulators[j] = math.log(accumulators[j])
            else:
                counted, kept = count_of(before, surplus), before / accumulators[j]
                unit = 1.0 if masses[j] == counted else masses[j] / counted
                strength = unit * (evidence * kept)
                corner = math.sqrt(1 / strength + distances[j] / masses[j])
                # r (1 - ω) / (1 - r); a branch, since the compiler would reorder the product even where it is ω.
                growth = omegas[j] if counted == before else evidence * kept / counted
                masses[j] += unit * evidence
                log_shrink = take_log_shrink(j, masses, log_masses)
                keep_log(j, accumulators, log_accumulators, masses, log_masses)
                log_dets[j] += n_features * log_shrink + math.log1p(growth * distances[j])
                k = updates[j]
                places[j, k], rates[j, k], strengths[j, k] = t, omegas[j], strength
                for m in range(k):
                    corners[j, k, m] = projections[j, m]
                corners[j, k, k] = corner
                for m in range(k + 1, size):
                    corners[j, k, m] = 0.0
                for i in range(size):
                    pulled[j, i] += omegas[j] * near_side[j, i]
                updates[j] = k + 1
            if is_removable(ages[j], accumulators[j], rules.v_min, rules.sp_min):
                remove_from_block(j, column, components, page, alive, counters)
        if recording:
            record_learned(column, NOBODY, counters, measures, numbers)
    return size, DONE, log_likelihood
