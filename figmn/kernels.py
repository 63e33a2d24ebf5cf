"""Compiled loops, released from the interpreter lock. Numba appears only here and in `figmn.system.compiling`.

`LEARN_ROWS` has the whole algorithm for few dimensions, both engines, by what the matrices are: every kind is compiled
when it is first asked for. For many dimensions `learn_scatter_block` (exact rule) and `learn_block` (published rule)
are what is left of it when the matrix products of a block of samples have been made (`figmn.keeping.Block`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from figmn.recorder import (
    BORN,
    DISTANCE,
    LOG_LIKELIHOOD,
    N_COMPONENTS,
    N_INDEFINITE,
    NEAREST,
    NOBODY,
    OWNER,
    POSTERIOR,
)
from figmn.scale import CONSTANT_FLOOR, SMALLEST
from figmn.system.compiling import compiled, inlined, part
from figmn.system.limits import EPSILON, INFLATION_LIMIT, LOST, NEGLIGIBLE, SINGULAR

DONE, GROW, CAREFUL, BIRTH = 0, 1, 2, 3
"""Why a loop came back: all rows learned; no room for a component; a row that needs care, or a block of its own; a
component to be born."""
TRIANGLE, PRECISION, CHOLESKY, INVERSE = 0, 1, 2, 3
"""What the matrices are: factors of scatters, precisions, or covariances, which the cubic engine solves in two ways."""

KINDS = {"triangle": TRIANGLE, "precision": PRECISION, "cholesky": CHOLESKY, "inverse": INVERSE}
COMPONENT_ARRAYS = ("ids", "centres", "matrices", "variances", "log_dets", "accumulators", "ages", "negatives")
"""The component arrays that `learn_rows` takes, in its order."""

FAR = -45.0
"""A log weight this far below the largest is a posterior under 1e-19, which no accumulator can feel."""
TINY = 1e-150
"""Products of pivots are turned into logarithms before they leave the range from this to its inverse."""
JUMP_LIMIT = 1e8
"""Largest factor by which one sample within a block may multiply a determinant; beyond it a block begins anew."""
AFRESH = 1024
"""Samples after which a log determinant is computed afresh."""


def _rows_learner(kind: int) -> Any:
    """Make `learn_rows` for one kind of matrices, a constant to the compiler: it drops the branches of all others.

    So the arithmetic stays in the loop itself, and no user waits for the compilation of what another needs.
    """

    @compiled
    def learn_rows(
        rows: Any,
        offset: Any,
        ids: Any,
        means: Any,
        matrices: Any,
        variances: Any,
        log_dets: Any,
        accumulators: Any,
        ages: Any,
        negatives: Any,
        seen: Any,
        seen_means: Any,
        seen_squares: Any,
        counters: Any,
        width: Any,
        delta: float,
        threshold: float,
        v_min: float,
        sp_min: float,
        published: bool,
        observe: bool,
        measures: Any,
        numbers: Any,
        removals: Any,
        column: int,
        errors: Any,
        products: Any,
        work: Any,
        factor: Any,
    ) -> tuple[int, int, float]:
        """Learn rows without gaps, less an offset, until all are learned, or one cannot be learned here.

        Component arrays have room for more than the ``counters[0]`` components there are. `width` is σ_ini, or empty
        where it follows the running statistics. `measures`, `numbers` and `removals` are the pages of a `Recorder`,
        `column` is the place of the first row in them, and ``counters[3]`` counts the removals there. `work` gets the
        distances, posteriors and learning rates of the last row.

        Returns the rows learned, the reason for coming back, and the log density of the last row before it was learned.
        """
        n_features = rows.shape[1]
        room = means.shape[0]
        recording = numbers.shape[1] > 0
        distances, weights, omegas, log_accumulators = work[0], work[1], work[2], work[3]
        for j in range(counters[0]):
            log_accumulators[j] = math.log(accumulators[j])
        log_likelihood = -np.inf
        row = np.empty(n_features)
        for n in range(rows.shape[0]):
            for d in range(n_features):
                row[d] = rows[n, d] - offset[d]
            count = counters[0]
            smallest, nearest = np.inf, 0
            for j in range(count):
                # Places in whole arrays, in this loop: a view or a call costs more than the arithmetic of two columns.
                for d in range(n_features):
                    errors[j, d] = row[d] - means[j, d]
                distance = 0.0
                if kind == TRIANGLE:
                    for d in range(n_features):
                        dot = errors[j, d]
                        for k in range(d):
                            dot += matrices[j, d, k] * errors[j, k]
                        products[j, d] = dot
                        distance += dot * dot * matrices[j, d, d]
                    distance *= accumulators[j]
                elif kind == PRECISION:
                    for d in range(n_features):
                        dot = 0.0
                        for k in range(matrices.shape[2]):  # n_features would be read from the stack in every row
                            dot += matrices[j, d, k] * errors[j, k]
                        products[j, d] = dot
                        distance += dot * errors[j, d]
                else:
                    if kind == CHOLESKY:
                        distance = _measure(errors[j], matrices[j], published, products[j], factor, log_dets, j)
                    else:
                        distance = _measure_by_inverse(errors[j], matrices[j], published, log_dets, j)
                    if math.isnan(distance):
                        return n, CAREFUL, log_likelihood
                if not published:
                    distance = max(distance, 0.0)
                distances[j] = distance
                # Chosen without a branch, which would be guessed wrong half of the time.
                nearer = distance < smallest
                smallest, nearest = distance if nearer else smallest, j if nearer else nearest
                weights[j] = log_accumulators[j] - 0.5 * (distance + log_dets[j])
            asked = recording or n == rows.shape[0] - 1
            log_density = _normalise(count, weights, accumulators, asked)
            if asked:
                log_likelihood = log_density - 0.5 * n_features * math.log(2 * math.pi)
            if recording:
                distance, whose = (smallest, ids[nearest]) if count else (np.nan, NOBODY)
                _note_measured(column + n, log_likelihood, distance, whose, measures, numbers)
                _note_owner(column + n, count, weights, ids, measures, numbers)
            for j in range(count):
                omegas[j] = 0.0
            if not smallest < threshold:
                if count == room:
                    return n, GROW, log_likelihood
                if observe:
                    _observe(row, seen, seen_means, seen_squares)
                _create(
                    count, row, counters[1], width, delta, seen, seen_squares, kind,
                    ids, means, matrices, variances, log_dets, accumulators, ages, negatives,
                )  # fmt: skip
                log_accumulators[count] = 0.0
                counters[0] += 1
                counters[1] += 1
                if recording:
                    _note_learned(column + n, ids[count], counters, numbers)
                    measures[POSTERIOR, column + n], numbers[OWNER, column + n] = 1.0, ids[count]
                continue
            for j in range(count):
                if weights[j] == 0.0:
                    continue
                omegas[j] = weights[j] / (accumulators[j] + weights[j])
            if observe:
                _observe(row, seen, seen_means, seen_squares)
            spurious = False
            for j in range(count):
                ages[j] += 1
                accumulators[j] += weights[j]
                spurious |= ages[j] > v_min and accumulators[j] < sp_min
                if omegas[j] <= NEGLIGIBLE:
                    continue
                log_accumulator = math.log(accumulators[j])
                # 1 - ω is the old accumulator over the new one.
                log_shrink = log_accumulators[j] - log_accumulator
                log_accumulators[j] = log_accumulator
                coefficient, multiplier = _covariance_step(omegas[j], distances[j], published)
                if multiplier < 0:
                    _count_negatives(j, coefficient, negatives, counters)
                _shift(j, omegas[j], coefficient, means, variances, errors)
                if kind == TRIANGLE:
                    strength = weights[j] * (1 - omegas[j])
                    multiplier = _add_to_triangle(j, strength, matrices, products, factor[0])
                elif kind == PRECISION:
                    shrink = 1 - omegas[j]
                    add_rank_one(matrices, 1 / shrink, -coefficient / (shrink * shrink * multiplier), products, j)
                else:
                    add_rank_one(matrices, 1 - omegas[j], coefficient, errors, j)
                    continue  # the determinants come from the next factorisation
                log_dets[j] += n_features * log_shrink + math.log(abs(multiplier))
                if kind == TRIANGLE and ages[j] % AFRESH == 0:
                    log_dets[j] = _log_determinant(j, matrices, log_accumulators[j])
            if spurious:
                kept = 0
                for j in range(count):
                    if ages[j] > v_min and accumulators[j] < sp_min:
                        if recording:
                            _note_removed(column + n, ids[j], counters, removals)
                        continue
                    if kept < j:
                        _move(j, kept, ids, means, matrices, variances, log_dets, accumulators, ages, negatives)
                        log_accumulators[kept] = log_accumulators[j]
                    kept += 1
                counters[0] = kept
            if recording:
                _note_learned(column + n, NOBODY, counters, numbers)
        return rows.shape[0], DONE, log_likelihood

    return learn_rows


LEARN_ROWS = {name: _rows_learner(kind) for name, kind in KINDS.items()}
"""The loop over the rows, by what the matrices are."""


@part
def _note_measured(
    column: int, log_likelihood: float, distance: float, nearest: int, measures: Any, numbers: Any
) -> None:
    """Write down what a sample meets: its log density, and the distance and the id of the nearest component."""
    measures[LOG_LIKELIHOOD, column], measures[DISTANCE, column] = log_likelihood, distance
    numbers[NEAREST, column] = nearest


@part
def _note_owner(column: int, count: int, posteriors: Any, ids: Any, measures: Any, numbers: Any) -> None:
    """Write down the component with the largest posterior; a birth writes its own over it."""
    largest, owner = -1.0, 0
    for j in range(count):
        larger = posteriors[j] > largest
        largest, owner = posteriors[j] if larger else largest, j if larger else owner
    if count:
        measures[POSTERIOR, column], numbers[OWNER, column] = largest, ids[owner]


@part
def _note_learned(column: int, born: int, counters: Any, numbers: Any) -> None:
    """Write down what a sample leaves."""
    numbers[BORN, column], numbers[N_COMPONENTS, column] = born, counters[0]
    numbers[N_INDEFINITE, column] = counters[2]


@part
def _note_removed(column: int, id: int, counters: Any, removals: Any) -> None:
    removals[counters[3], 0], removals[counters[3], 1] = column, id
    counters[3] += 1


@part
def _measure(error: Any, matrix: Any, published: bool, whitened: Any, factor: Any, log_dets: Any, j: int) -> float:
    """d² by a covariance, whose log determinant goes to place j; NaN where it needs care."""
    n_features = error.shape[0]
    distance = 0.0
    log_det = _cholesky(matrix, factor)
    if math.isnan(log_det):
        # An indefinite covariance of the published rule has no Cholesky factor.
        return _eliminate(error, matrix, factor, whitened, log_dets, j) if published else np.nan
    log_dets[j] = log_det
    for d in range(n_features):
        dot = error[d]
        for k in range(d):
            dot -= factor[d, k] * whitened[k]
        whitened[d] = dot / factor[d, d]
        distance += whitened[d] * whitened[d]
    return distance


@part
def _measure_by_inverse(error: Any, matrix: Any, published: bool, log_dets: Any, j: int) -> float:
    """The same by the inverse of the covariance, as the original IGMN has it."""
    n_features = error.shape[0]
    distance = 0.0
    inverse = np.linalg.inv(matrix)
    log_dets[j] = np.linalg.slogdet(matrix)[1]
    for d in range(n_features):
        if not published and matrix[d, d] * abs(inverse[d, d]) > INFLATION_LIMIT:
            return np.nan
        dot = 0.0
        for k in range(n_features):
            dot += inverse[d, k] * error[k]
        distance += dot * error[d]
    return distance


@part
def _eliminate(error: Any, matrix: Any, reduced: Any, solved: Any, log_dets: Any, j: int) -> float:
    """d² by any covariance, with pivots; its log determinant goes to place j. NaN where it is singular."""
    n_features = error.shape[0]
    log_det = 0.0
    for i in range(n_features):
        solved[i] = error[i]
        for k in range(n_features):
            reduced[i, k] = matrix[i, k]
    for k in range(n_features):
        pivot = k
        for i in range(k + 1, n_features):
            if abs(reduced[i, k]) > abs(reduced[pivot, k]):
                pivot = i
        if reduced[pivot, k] == 0.0:
            return np.nan
        if pivot != k:
            for c in range(k, n_features):
                reduced[k, c], reduced[pivot, c] = reduced[pivot, c], reduced[k, c]
            solved[k], solved[pivot] = solved[pivot], solved[k]
        log_det += math.log(abs(reduced[k, k]))
        for i in range(k + 1, n_features):
            factor = reduced[i, k] / reduced[k, k]
            solved[i] -= factor * solved[k]
            for c in range(k + 1, n_features):
                reduced[i, c] -= factor * reduced[k, c]
    distance = 0.0
    for k in range(n_features - 1, -1, -1):
        for c in range(k + 1, n_features):
            solved[k] -= reduced[k, c] * solved[c]
        solved[k] /= reduced[k, k]
        distance += solved[k] * error[k]
    log_dets[j] = log_det
    return distance


@part
def _cholesky(matrix: Any, factor: Any) -> float:
    """Lower factor of a covariance, and its log determinant; NaN where it is not safely positive definite."""
    determinant_logarithm, running = 0.0, 1.0
    for i in range(matrix.shape[0]):
        for k in range(i + 1):
            dot = matrix[i, k]
            for m in range(k):
                dot -= factor[i, m] * factor[k, m]
            if k < i:
                factor[i, k] = dot / factor[k, k]
        if not dot * INFLATION_LIMIT >= matrix[i, i]:
            return np.nan
        factor[i, i] = math.sqrt(dot)
        running *= dot
        if not TINY < running < 1 / TINY:
            determinant_logarithm += math.log(running)
            running = 1.0
    return determinant_logarithm + math.log(running)


@part
def _move(
    source: int,
    target: int,
    ids: Any,
    means: Any,
    matrices: Any,
    variances: Any,
    log_dets: Any,
    accumulators: Any,
    ages: Any,
    negatives: Any,
) -> None:
    """Put one component in the place of another."""
    ids[target], ages[target], negatives[target] = ids[source], ages[source], negatives[source]
    log_dets[target], accumulators[target] = log_dets[source], accumulators[source]
    for d in range(means.shape[1]):
        means[target, d], variances[target, d] = means[source, d], variances[source, d]
        for k in range(means.shape[1]):
            matrices[target, d, k] = matrices[source, d, k]


@inlined
def _normalise(count: int, weights: Any, accumulators: Any, with_density: bool) -> float:
    """Turn log weights into posteriors in place; the log density without its constant is returned on request.

    A component that counts no more has a log weight of minus infinity.
    """
    top = -np.inf
    for j in range(count):
        top = max(top, weights[j])
    total, evidence = 0.0, 0.0
    for j in range(count):
        if weights[j] == -np.inf:
            weights[j] = 0.0
            continue
        relative = weights[j] - top
        weights[j] = math.exp(relative) if relative > FAR else 0.0
        total += weights[j]
        evidence += accumulators[j]
    if total == 0.0:
        return -np.inf
    share = 1 / total
    for j in range(count):
        weights[j] *= share
    return top + math.log(total / evidence) if with_density else 0.0


@inlined
def _observe(row: Any, seen: Any, seen_means: Any, seen_squares: Any) -> None:
    """`ColumnStatistics.observe` for a row without gaps."""
    for d in range(row.shape[0]):
        seen[d] += 1
        deviation = row[d] - seen_means[d]
        seen_means[d] += deviation / seen[d]
        seen_squares[d] += deviation * (row[d] - seen_means[d])


@part
def _create(
    at: int,
    row: Any,
    id: int,
    width: Any,
    delta: float,
    seen: Any,
    seen_squares: Any,
    kind: int,
    ids: Any,
    means: Any,
    matrices: Any,
    variances: Any,
    log_dets: Any,
    accumulators: Any,
    ages: Any,
    negatives: Any,
) -> None:
    sigma = width if width.shape[0] else _widths(delta, seen, seen_squares)
    ids[at], accumulators[at], ages[at], negatives[at] = id, 1.0, 1, 0
    log_dets[at] = 0.0
    for d in range(row.shape[0]):
        means[at, d] = row[d]
        for k in range(row.shape[0]):
            matrices[at, d, k] = 0.0
        variance = sigma[d] * sigma[d]
        variances[at, d] = variance
        matrices[at, d, d] = variance if kind >= CHOLESKY else 1 / variance
        log_dets[at] += math.log(variance)


@part
def _widths(delta: float, seen: Any, seen_squares: Any) -> Any:
    """σ_ini from the running statistics: δ times `scale.with_floor` of their standard deviations.

    Loops where NumPy has a word for it: its median and masks alone would take the compiler four seconds.
    """
    n_features = seen.shape[0]
    widths, varying, count = np.empty(n_features), np.empty(n_features), 0
    for d in range(n_features):
        widths[d] = math.sqrt(seen_squares[d] / seen[d])
        if widths[d] >= SMALLEST:
            place = count
            while place > 0 and varying[place - 1] > widths[d]:
                varying[place] = varying[place - 1]
                place -= 1
            varying[place] = widths[d]
            count += 1
    floor = CONSTANT_FLOOR * 0.5 * (varying[(count - 1) // 2] + varying[count // 2]) if count else 1.0
    for d in range(n_features):
        widths[d] = delta * (widths[d] if widths[d] >= SMALLEST else floor)
    return widths


@inlined
def _covariance_step(omega: float, distance: float, published: bool) -> tuple[float, float]:
    """c(ω) of the covariance rule and the factor 1 + c d² / (1 - ω) of the determinant."""
    if not published:
        return omega * (1 - omega), 1 + omega * distance
    coefficient = omega * (1 - 3 * omega + omega * omega)
    multiplier = 1 + coefficient * distance / (1 - omega)
    if abs(multiplier) < SINGULAR:
        multiplier = math.copysign(SINGULAR, multiplier)
        coefficient = (multiplier - 1) * (1 - omega) / distance
    return coefficient, multiplier


@part
def _count_negatives(j: int, coefficient: float, negatives: Any, counters: Any) -> None:
    """A rank-one term moves at most one eigenvalue through zero, and flips the determinant's sign when it does."""
    if coefficient < 0:
        counters[2] += negatives[j] == 0
        negatives[j] += 1
    else:
        negatives[j] -= 1


@inlined
def _shift(j: int, omega: float, coefficient: float, means: Any, variances: Any, errors: Any) -> None:
    """μ' = μ + ω e, and the diagonal of C' = (1 - ω) C + c e eᵀ."""
    shrink = 1 - omega
    for d in range(means.shape[1]):
        means[j, d] += omega * errors[j, d]
        variances[j, d] = shrink * variances[j, d] + coefficient * errors[j, d] * errors[j, d]


@part
def _add_to_triangle(j: int, strength: float, matrices: Any, products: Any, sums: Any) -> float:
    """S' = S + h e eᵀ as a step of W and v, S⁻¹ = Wᵀ diag(v) W, with p = W e at hand; `sums` is work space.

    `figmn-sherman1/2` in one step, S'⁻¹ = S⁻¹ - h S⁻¹e (S⁻¹e)ᵀ / (1 + h eᵀS⁻¹e), column by column: v only shrinks by a
    quotient below 1, so no digits are lost (Bierman; Agee and Turner). Returns |S'| / |S|.
    """
    before, inverse = 1.0, 1.0
    for c in range(products.shape[1]):
        p = products[j, c]
        q = p * matrices[j, c, c]
        amount = strength * p * inverse
        for i in range(c):
            old = matrices[j, c, i]
            matrices[j, c, i] = old - amount * sums[i]
            sums[i] += q * old
        sums[c] = q
        after = before + strength * q * p
        inverse = 1 / after
        matrices[j, c, c] *= before * inverse
        before = after
    return before


@part
def _log_determinant(j: int, matrices: Any, log_accumulator: float) -> float:
    """log|C| from v: where it is only carried on, its rounding errors add up."""
    log_determinant, running = 0.0, 1.0
    n_features: int = matrices.shape[1]
    for d in range(n_features):
        running *= matrices[j, d, d]
        if not TINY < running < 1 / TINY:
            log_determinant += math.log(running)
            running = 1.0
    return -log_determinant - math.log(running) - n_features * log_accumulator


@compiled
def add_rank_one(matrices: Any, shrink: float, gain: float, directions: Any, j: int) -> None:
    """A' = shrink A + gain v vᵀ in one pass, for the matrix and the direction at place j; v is scaled in place."""
    # The outer product of a vector with itself is symmetric to the last bit, and so the matrix stays.
    sign, root = math.copysign(1.0, gain), math.sqrt(abs(gain))
    for d in range(directions.shape[1]):
        directions[j, d] *= root
    for d in range(directions.shape[1]):
        scaled = sign * directions[j, d]
        for k in range(directions.shape[1]):
            matrices[j, d, k] = shrink * matrices[j, d, k] + scaled * directions[j, k]


@compiled
def learn_scatter_block(
    grams: Any,
    ids: Any,
    log_dets: Any,
    accumulators: Any,
    ages: Any,
    counters: Any,
    n_features: int,
    threshold: float,
    v_min: float,
    sp_min: float,
    places: Any,
    rates: Any,
    strengths: Any,
    corners: Any,
    updates: Any,
    measures: Any,
    numbers: Any,
    removals: Any,
    column: int,
    work: Any,
) -> tuple[int, int, float]:
    """Learn a block of samples under the exact rule, in its own coordinates: no work grows with the dimensions.

    With e₀ᵢ = xᵢ - μ₀ and S₀ as they are before the block, ``grams[j, i, k]`` is e₀ᵢᵀ S₀⁻¹ e₀ₖ of component j. As long
    as the block lasts, its mean is μ₀ + Σ ωₖ eₖ and its scatter S₀ + Σ hₖ eₖ eₖᵀ, where eₖ is the error of the k-th
    sample that it learns from, measured from its mean at that time; with Γ the Gram matrix of the eₖ, H⁻¹ + Γ = T Tᵀ
    grows by a row a sample, and d² / sp = eᵀS₀⁻¹e - |T⁻¹ (eₖᵀS₀⁻¹e)|².
    On return ``updates[j]`` is the number of k, ``places[j, k]`` the sample of each, ωₖ is in ``rates[j, k]``, hₖ in
    ``strengths[j, k]`` and T in ``corners[j]``. `counters` and the pages of a `Recorder` are as in `learn_rows`; of a
    sample that gives birth only what it meets is written down.

    Returns the samples learned, the reason for coming back, and the log density of the last one before it was learned.
    A sample whose d² would lose its digits in the difference comes back as one that needs a block of its own.
    """
    n_components, size = grams.shape[0], grams.shape[1]
    recording = numbers.shape[1] > 0
    distances, weights, omegas, log_accumulators, alive = work[0], work[1], work[2], work[3], work[4]
    pulled = np.zeros((n_components, size))  # e₀ᵢᵀ S₀⁻¹ (μ - μ₀)
    near_side = np.empty((n_components, size))  # e₀ᵢᵀ S₀⁻¹ e of the sample at hand
    projections = np.empty((n_components, size))  # T⁻¹ (eₖᵀ S₀⁻¹ e)
    for j in range(n_components):
        log_accumulators[j], alive[j], updates[j] = math.log(accumulators[j]), 1.0, 0
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
            drift, squares = 0.0, 0.0  # (μ - μ₀)ᵀ S₀⁻¹ e as far as the k-th sample, and |T⁻¹ (eₖᵀ S₀⁻¹ e)|²
            for k in range(updates[j]):
                dot = side[places[j, k]] - drift
                drift += rates[j, k] * dot
                for m in range(k):
                    dot -= corners[j, k, m] * projection[m]
                dot /= corners[j, k, k]
                projection[k] = dot
                squares += dot * dot
            whole = side[t] - drift
            distances[j] = max(whole - squares, 0.0) * accumulators[j]
            most = max(grams[j, t, t], abs(whole)) * accumulators[j]
            is_lost |= t > 0 and EPSILON * most > LOST * max(1.0, distances[j])
            nearer = distances[j] < smallest
            smallest, nearest = distances[j] if nearer else smallest, j if nearer else nearest
            weights[j] = log_accumulators[j] - 0.5 * (distances[j] + log_dets[j])
        if is_lost:
            return t, CAREFUL, log_likelihood
        log_density = _normalise(n_components, weights, accumulators, True)
        for j in range(n_components):
            omegas[j] = 0.0
        log_likelihood = log_density - 0.5 * n_features * math.log(2 * math.pi)
        if recording:
            distance, whose = (smallest, ids[nearest]) if counters[0] else (np.nan, NOBODY)
            _note_measured(column + t, log_likelihood, distance, whose, measures, numbers)
            _note_owner(column + t, n_components, weights, ids, measures, numbers)
        if not smallest < threshold:
            return t, BIRTH, log_likelihood
        for j in range(n_components):
            if not alive[j]:
                continue
            ages[j] += 1
            before = accumulators[j]
            accumulators[j] += weights[j]
            omegas[j] = weights[j] / accumulators[j]
            if omegas[j] > NEGLIGIBLE:
                log_accumulator = math.log(accumulators[j])
                log_shrink = log_accumulators[j] - log_accumulator
                log_accumulators[j] = log_accumulator
                log_dets[j] += n_features * log_shrink + math.log1p(omegas[j] * distances[j])
                k = updates[j]
                places[j, k], rates[j, k], strengths[j, k] = t, omegas[j], weights[j] * (before / accumulators[j])
                for m in range(k):
                    corners[j, k, m] = projections[j, m]
                corners[j, k, k] = math.sqrt(1 / strengths[j, k] + distances[j] / before)
                for m in range(k + 1, size):
                    corners[j, k, m] = 0.0
                for i in range(size):
                    pulled[j, i] += omegas[j] * near_side[j, i]
                updates[j] = k + 1
            if ages[j] > v_min and accumulators[j] < sp_min:
                alive[j] = 0.0
                counters[0] -= 1
                if recording:
                    _note_removed(column + t, ids[j], counters, removals)
        if recording:
            _note_learned(column + t, NOBODY, counters, numbers)
    return size, DONE, log_likelihood


@compiled
def follow_mean(rows: Any, places: Any, rates: Any, strengths: Any) -> Any:
    """Turn errors from the mean before a block into errors from the mean as each sample found it, in place.

    Row k becomes the error of sample ``places[k]``, which moves the mean by ``rates[k]`` times itself and adds
    ``strengths[k]`` times its square to the scatter. Rows may be in any coordinates. Returns how far the mean has moved
    and what the scatter has grown by on its diagonal, (2, D).
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
def sum_rows(rows: Any, centre: Any) -> Any:
    """Sums of the deviations of rows from a centre, and of their squares, (2, D)."""
    sums = np.zeros((2, rows.shape[1]))
    for n in range(rows.shape[0]):
        for d in range(rows.shape[1]):
            deviation = rows[n, d] - centre[d]
            sums[0, d] += deviation
            sums[1, d] += deviation * deviation
    return sums


@compiled
def learn_block(
    grams: Any,
    ids: Any,
    log_dets: Any,
    accumulators: Any,
    ages: Any,
    negatives: Any,
    counters: Any,
    n_features: int,
    threshold: float,
    v_min: float,
    sp_min: float,
    shifts: Any,
    directions: Any,
    gains: Any,
    errors: Any,
    variance_weights: Any,
    scales: Any,
    updates: Any,
    posteriors: Any,
    measures: Any,
    numbers: Any,
    removals: Any,
    column: int,
    work: Any,
) -> tuple[int, int, float]:
    """Learn a block of samples under the published rule, as `learn_scatter_block` does under the exact one.

    With e₀ᵢ = xᵢ - μ₀ and Λ₀ as they are before the block, ``grams[j]`` holds e₀ᵢᵀ Λ₀ e₀ₖ of component j. As long as
    the block lasts, its mean is μ₀ + Σ aᵢ e₀ᵢ and its precision is s (Λ₀ - Σ gₖ wₖ wₖᵀ), every wₖ = Λ₀ Σ cₖᵢ e₀ᵢ.
    On return a is in ``shifts[j]``, cₖ in ``directions[j, k]``, gₖ in ``gains[j, k]``, s in ``scales[j]`` and the
    number of k in ``updates[j]``; ``errors[j, k]`` has the coefficients of the error e that made k, and the variances
    are ``variance_weights[j, -1]`` times the old ones plus ``variance_weights[j, k]`` times e². ``posteriors[j, i]`` is
    what sample i counted for. `counters` and the pages of a `Recorder` are as in `learn_rows`; of a sample that gives
    birth only what it meets is written down.

    Returns the samples learned, the reason for coming back, and the log density of the last one before it was learned.
    """
    n_components, size = grams.shape[0], grams.shape[1]
    recording = numbers.shape[1] > 0
    distances, weights, omegas, log_accumulators, alive = work[0], work[1], work[2], work[3], work[4]
    pulled = np.zeros((n_components, size))  # e₀ᵢᵀ Λ₀ (μ - μ₀)
    near_side = np.empty((n_components, size))  # e₀ᵢᵀ Λ₀ e of the sample at hand
    projections = np.empty((n_components, size))  # wₖᵀ e
    for j in range(n_components):
        log_accumulators[j], alive[j], scales[j], updates[j] = math.log(accumulators[j]), 1.0, 1.0, 0
        variance_weights[j, size] = 1.0
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
            if distances[j] < smallest:
                smallest, nearest = distances[j], j
            weights[j] = log_accumulators[j] - 0.5 * (distances[j] + log_dets[j])
        log_density = _normalise(n_components, weights, accumulators, True)
        for j in range(n_components):
            omegas[j] = 0.0
        log_likelihood = log_density - 0.5 * n_features * math.log(2 * math.pi)
        if recording:
            distance, whose = (smallest, ids[nearest]) if counters[0] else (np.nan, NOBODY)
            _note_measured(column + t, log_likelihood, distance, whose, measures, numbers)
            _note_owner(column + t, n_components, weights, ids, measures, numbers)
        if not smallest < threshold:
            return t, BIRTH, log_likelihood
        for j in range(n_components):
            omegas[j] = weights[j] / (accumulators[j] + weights[j])
            if t > 0 and omegas[j] > NEGLIGIBLE and omegas[j] * abs(distances[j]) > JUMP_LIMIT:
                return t, CAREFUL, log_likelihood
        for j in range(n_components):
            posteriors[j, t] = 0.0
            if not alive[j]:
                continue
            ages[j] += 1
            accumulators[j] += weights[j]
            if omegas[j] > NEGLIGIBLE:
                posteriors[j, t] = weights[j]
                log_accumulator = math.log(accumulators[j])
                log_shrink = log_accumulators[j] - log_accumulator
                log_accumulators[j] = log_accumulator
                coefficient, multiplier = _covariance_step(omegas[j], distances[j], True)
                if multiplier < 0:
                    _count_negatives(j, coefficient, negatives, counters)
                log_dets[j] += n_features * log_shrink + math.log(abs(multiplier))
                _absorb_in_block(
                    j, t, omegas[j], coefficient, multiplier, near_side[j], projections[j], pulled[j],
                    shifts[j], directions[j], gains[j], errors[j], variance_weights[j], scales, updates,
                )  # fmt: skip
            if ages[j] > v_min and accumulators[j] < sp_min:
                alive[j] = 0.0
                counters[0] -= 1
                if recording:
                    _note_removed(column + t, ids[j], counters, removals)
        if recording:
            _note_learned(column + t, NOBODY, counters, numbers)
    return size, DONE, log_likelihood


@inlined
def _absorb_in_block(
    j: int,
    t: int,
    omega: float,
    coefficient: float,
    multiplier: float,
    side: Any,
    projection: Any,
    pulled: Any,
    shift: Any,
    directions: Any,
    gains: Any,
    errors: Any,
    variance_weights: Any,
    scales: Any,
    updates: Any,
) -> None:
    k, shrink, size = updates[j], 1 - omega, side.shape[0]
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
