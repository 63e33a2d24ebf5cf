"""The loop over the rows in few dimensions: the whole algorithm, for both engines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from figmn.arguments import N_ALIVE, NEXT_ID, Columns, ComponentArrays, RecorderPage, Rules, Unknowns, Work
from figmn.kernels.conditionals import find_unknowns, predict_last
from figmn.kernels.distances import TINY, measure_by_cholesky, measure_by_inverse
from figmn.kernels.outcomes import (
    CAREFUL,
    CROWDED,
    DONE,
    GROW,
    count_negatives,
    count_of,
    is_removable,
    keep_log,
    normalise,
    record_learned,
    record_met,
    record_removed,
    step_of_covariance,
    take_log_shrink,
)
from figmn.kernels.sums import add_rank_one
from figmn.recorder import NOBODY
from figmn.scale import CONSTANT_FLOOR, SMALLEST
from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled, inlined, part
from figmn.system.limits import LEAST_EVIDENCE, NEGLIGIBLE

TRIANGLE, PRECISION, CHOLESKY, INVERSE = 0, 1, 2, 3
"""What the matrices are: factors of scatters, precisions, or covariances, which the cubic engine solves in two ways."""
KINDS = {"triangle": TRIANGLE, "precision": PRECISION, "cholesky": CHOLESKY, "inverse": INVERSE}
AFRESH = 1024
"""Samples after which a log determinant is recomputed."""


def _rows_learner(kind: int) -> Any:
    """Make `learn_rows` for one kind of matrices, a constant to the compiler, which drops the branches of the others.

    So the arithmetic stays inside the loop, and only the kinds that are used are compiled.
    """

    @compiled
    def learn_rows(
        rows: Floats,
        row_weights: Floats,
        offset: Floats,
        observe: bool,
        components: Any,
        columns: Any,
        rules: Any,
        page: Any,
        work: Any,
        counters: Ints,
    ) -> tuple[int, int, float]:
        # Python passes plain tuples: numba takes 0.4 µs to recognise a named one, where the whole call takes 12 µs.
        return _learn_rows(
            kind, False, rows, row_weights, offset, observe,
            ComponentArrays(*components), Columns(*columns), Rules(*rules), RecorderPage(*page), Work(*work),
            None, counters,
        )  # fmt: skip

    return learn_rows


@compiled
def fill_and_learn_rows(
    rows: Floats,
    row_weights: Floats,
    offset: Floats,
    observe: bool,
    components: Any,
    columns: Any,
    rules: Any,
    page: Any,
    work: Any,
    counters: Ints,
    unknowns: Any,
) -> tuple[int, int, float]:
    """`_learn_rows` for triangles that finds the `Unknowns` of every row before it learns the row."""
    return _learn_rows(
        TRIANGLE, True, rows, row_weights, offset, observe,
        ComponentArrays(*components), Columns(*columns), Rules(*rules), RecorderPage(*page), Work(*work),
        Unknowns(*unknowns), counters,
    )  # fmt: skip


LEARN_ROWS = {name: _rows_learner(kind) for name, kind in KINDS.items()}
"""`_learn_rows` by what the matrices are; its named tuples are passed as plain tuples."""


@inlined
def _learn_rows(
    kind: int,
    fills: bool,
    rows: Floats,
    row_weights: Floats,
    offset: Floats,
    observe: bool,
    components: ComponentArrays,
    columns: Columns,
    rules: Rules,
    page: RecorderPage,
    work: Work,
    unknowns: Any,
    counters: Ints,
) -> tuple[int, int, float]:
    """Learn rows minus an offset, until all are learned or one cannot be learned here.

    They have no missing values unless `fills`, a constant to the compiler as well: then `Unknowns` are given.

    Without `row_weights`, each row has the weight 1. `observe` counts the rows in the running statistics of the
    columns.

    Returns the rows learned, the reason for returning, and the log density of the last row before it was learned.
    """
    # Arrays in local names, in one loop: reading one from a tuple costs reference counting, and a view or a call costs
    # more than the arithmetic of two columns.
    ids, means, matrices, variances = components.ids, components.centres, components.matrices, components.variances
    log_dets, accumulators, ages = components.log_dets, components.accumulators, components.ages
    negatives, measures, numbers = components.negatives, page.measures, page.numbers
    masses, log_masses = components.masses, work.log_masses
    distances, weights, omegas, log_accumulators = work.distances, work.posteriors, work.omegas, work.log_accumulators
    errors, products, factor = work.errors, work.products, work.factor
    seen, seen_means, seen_squares = columns.counts, columns.means, columns.squares
    threshold, v_min, sp_min, published = rules.threshold, rules.v_min, rules.sp_min, rules.published
    surplus, decay, is_weighted = rules.surplus, rules.decay, row_weights.shape[0] > 0
    n_features, first = rows.shape[1], page.column
    recording = numbers.shape[1] > 0
    for j in range(counters[N_ALIVE]):
        log_masses[j] = math.log(masses[j])
        keep_log(j, accumulators, log_accumulators, masses, log_masses)
    log_likelihood = -np.inf
    row = np.empty(n_features)
    if fills:
        missing, n_missing = np.empty(n_features, np.int64), 0
        gaps, answers, n_wanted = unknowns.gaps, unknowns.answers, unknowns.wanted.shape[0]
        are_last = n_wanted > 0 and unknowns.wanted[0] == n_features - n_wanted
    for n in range(rows.shape[0]):
        for d in range(n_features):
            row[d] = rows[n, d] - offset[d]
        if fills:
            n_missing, simply = 0, n_wanted > 0 and are_last and not gaps[n]
            if gaps[n] or (n_wanted > 0 and not simply):
                n_missing = find_unknowns(n, row, offset, missing, components, columns, work, unknowns, counters)
        row_weight = row_weights[n] if is_weighted else 1.0
        count = counters[N_ALIVE]
        smallest, nearest = np.inf, 0
        for j in range(count):
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
                distance *= masses[j]
            elif kind == PRECISION:
                for d in range(n_features):
                    dot = 0.0
                    for k in range(matrices.shape[2]):  # n_features would be read from the stack in every row
                        dot += matrices[j, d, k] * errors[j, k]
                    products[j, d] = dot
                    distance += dot * errors[j, d]
            else:
                if kind == CHOLESKY:
                    distance = measure_by_cholesky(errors[j], matrices[j], published, products[j], factor, log_dets, j)
                else:
                    distance = measure_by_inverse(errors[j], matrices[j], published, log_dets, j)
                if math.isnan(distance):
                    return n, CAREFUL, log_likelihood
            if not published:
                distance = max(distance, 0.0)
            distances[j] = distance
            # Without a branch, which would be mispredicted half of the time.
            nearer = distance < smallest
            smallest, nearest = distance if nearer else smallest, j if nearer else nearest
            weights[j] = log_accumulators[j] - 0.5 * (distance + log_dets[j])
        if fills and simply:
            predict_last(
                n, count, n_wanted, offset, means, matrices, masses, log_dets, log_accumulators, errors, products,
                omegas, factor[0], answers,
            )  # fmt: skip
        asked = recording or n == rows.shape[0] - 1
        log_density = normalise(count, weights, accumulators, asked)
        if asked:
            log_likelihood = log_density - 0.5 * n_features * math.log(2 * math.pi)
        if recording:
            record_met(first + n, log_likelihood, smallest, nearest, count, counters, ids, weights, measures, numbers)
        for j in range(count):
            omegas[j] = 0.0
        if not smallest < threshold:
            if count == ids.shape[0]:
                return n, GROW, log_likelihood
            if fills and n_missing and observe:
                _observe_known(row, missing, n_missing, seen, seen_means, seen_squares)
            elif observe:
                _observe(row, seen, seen_means, seen_squares)
            _create(count, counters[NEXT_ID], row, row_weight, kind, components, columns, rules)
            log_masses[count] = math.log(masses[count])
            keep_log(count, accumulators, log_accumulators, masses, log_masses)
            counters[N_ALIVE] += 1
            counters[NEXT_ID] += 1
            if recording:
                record_learned(first + n, ids[count], counters, measures, numbers)
            if counters[N_ALIVE] > rules.most:
                return n + 1, CROWDED, log_likelihood
            continue
        for j in range(count):
            if weights[j] == 0.0:
                continue
            evidence = row_weight * weights[j]
            omegas[j] = evidence / (decay * accumulators[j] + evidence)
        if fills and n_missing and observe:
            _observe_known(row, missing, n_missing, seen, seen_means, seen_squares)
        elif observe:
            _observe(row, seen, seen_means, seen_squares)
        spurious = False
        for j in range(count):
            ages[j] += 1
            evidence, before = row_weight * weights[j], decay * accumulators[j]
            accumulators[j] = max(before + evidence, LEAST_EVIDENCE)
            spurious |= is_removable(ages[j], accumulators[j], v_min, sp_min)
            if omegas[j] <= NEGLIGIBLE:
                if decay < 1:
                    log_accumulators[j] = math.log(accumulators[j])
                continue
            counted = count_of(before, surplus)
            unit = 1.0 if masses[j] == counted else masses[j] / counted
            rate = omegas[j] if counted == before else evidence / (counted + evidence)
            masses[j] += unit * evidence
            log_shrink = take_log_shrink(j, masses, log_masses)
            keep_log(j, accumulators, log_accumulators, masses, log_masses)
            coefficient, multiplier = step_of_covariance(omegas[j], rate, distances[j], published)
            if multiplier < 0:
                count_negatives(j, coefficient, negatives, counters)
            _shift(j, omegas[j], rate, coefficient, means, variances, errors)
            if kind == TRIANGLE:
                strength = unit * (evidence * (1 - omegas[j]))
                multiplier = _add_to_triangle(j, strength, matrices, products, factor[0])
            elif kind == PRECISION:
                shrink = 1 - rate
                add_rank_one(matrices, 1 / shrink, -coefficient / (shrink * shrink * multiplier), products, j)
            else:
                add_rank_one(matrices, 1 - rate, coefficient, errors, j)
            if kind <= PRECISION:  # else the determinants come from the next factorisation
                log_dets[j] += n_features * log_shrink + math.log(abs(multiplier))
            if kind == TRIANGLE and ages[j] % AFRESH == 0:
                log_dets[j] = _log_determinant(j, matrices, log_masses[j])
        if spurious:
            _remove(first + n, components, rules, page, work, counters)
        if recording:
            record_learned(first + n, NOBODY, counters, measures, numbers)
    return rows.shape[0], DONE, log_likelihood


# The four functions below exist in NumPy as well, for rows that do not pass through this loop (values missing, many
# dimensions, a collinear covariance), where importing and calling compiled code costs more than it saves.


@inlined
def _observe(row: Floats, counts: Ints, means: Floats, squares: Floats) -> None:
    """`ColumnStatistics.observe` for a row without missing values."""
    for d in range(row.shape[0]):
        counts[d] += 1
        deviation = row[d] - means[d]
        means[d] += deviation / counts[d]
        squares[d] += deviation * (row[d] - means[d])


@part
def _observe_known(row: Floats, missing: Ints, n_missing: int, counts: Ints, means: Floats, squares: Floats) -> None:
    """`ColumnStatistics.observe` for a row that has been filled in at the places ``missing[:n_missing]``."""
    place = 0
    for d in range(row.shape[0]):
        if place < n_missing and missing[place] == d:
            place += 1
            continue
        counts[d] += 1
        deviation = row[d] - means[d]
        means[d] += deviation / counts[d]
        squares[d] += deviation * (row[d] - means[d])


@part
def _create(
    at: int,
    id: int,
    row: Floats,
    row_weight: float,
    kind: int,
    components: ComponentArrays,
    columns: Columns,
    rules: Rules,
) -> None:
    """`Engine._give_birth`, at the index `at`."""
    sigma = columns.given_width if columns.given_width.shape[0] else _widths(rules.delta, columns)
    prior_count, mass = 1.0 + rules.surplus, count_of(row_weight, rules.surplus)
    share = prior_count / mass
    components.ids[at], components.accumulators[at], components.masses[at] = id, row_weight, mass
    components.ages[at], components.negatives[at] = 1, 0
    components.log_dets[at] = 0.0
    for d in range(row.shape[0]):
        components.centres[at, d] = row[d]
        for k in range(row.shape[0]):
            components.matrices[at, d, k] = 0.0
        variance = share * (sigma[d] * sigma[d])
        components.variances[at, d] = variance
        if kind == TRIANGLE:
            components.matrices[at, d, d] = 1 / (mass * variance)
        else:
            components.matrices[at, d, d] = variance if kind >= CHOLESKY else 1 / variance
        components.log_dets[at] += math.log(variance)


@part
def _widths(delta: float, columns: Columns) -> Floats:
    """σ_ini from the running statistics: δ times `scale.with_floor` of their standard deviations.

    Loops in place of NumPy functions: compiling its median and masks alone would take four seconds.
    """
    n_features = columns.counts.shape[0]
    widths, varying, count = np.empty(n_features), np.empty(n_features), 0
    for d in range(n_features):
        widths[d] = math.sqrt(columns.squares[d] / columns.counts[d])
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


@part
def _remove(
    column: int, components: ComponentArrays, rules: Rules, page: RecorderPage, work: Work, counters: Ints
) -> None:
    """`Engine._prune`: remove components with too little evidence, and close the gaps."""
    kept = 0
    for j in range(counters[N_ALIVE]):
        if is_removable(components.ages[j], components.accumulators[j], rules.v_min, rules.sp_min):
            if page.numbers.shape[1] > 0:
                record_removed(column, components.ids[j], counters, page.removals)
            continue
        if kept < j:
            _move(j, kept, components)
            work.log_accumulators[kept], work.log_masses[kept] = work.log_accumulators[j], work.log_masses[j]
        kept += 1
    counters[N_ALIVE] = kept


@part
def _move(source: int, target: int, components: ComponentArrays) -> None:
    """Put one component in the place of another."""
    for numbers in (components.ids, components.ages, components.negatives):
        numbers[target] = numbers[source]
    for values in (components.log_dets, components.accumulators, components.masses):
        values[target] = values[source]
    for d in range(components.centres.shape[1]):
        components.centres[target, d] = components.centres[source, d]
        components.variances[target, d] = components.variances[source, d]
        for k in range(components.centres.shape[1]):
            components.matrices[target, d, k] = components.matrices[source, d, k]


@inlined
def _shift(
    j: int, omega: float, rate: float, coefficient: float, means: Floats, variances: Floats, errors: Floats
) -> None:
    """μ' = μ + ω e, and the diagonal of C' = (1 - r) C + c e eᵀ."""
    shrink = 1 - rate
    for d in range(means.shape[1]):
        means[j, d] += omega * errors[j, d]
        variances[j, d] = shrink * variances[j, d] + coefficient * errors[j, d] * errors[j, d]


@part
def _add_to_triangle(j: int, strength: float, matrices: Floats, products: Floats, sums: Floats) -> float:
    """S' = S + h e eᵀ as a step of W and v, S⁻¹ = Wᵀ diag(v) W, given p = W e; `sums` is work space.

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
def _log_determinant(j: int, matrices: Floats, log_mass: float) -> float:
    """log|C| from v; if it were only updated, rounding errors would accumulate."""
    log_determinant, running = 0.0, 1.0
    n_features: int = matrices.shape[1]
    for d in range(n_features):
        running *= matrices[j, d, d]
        if not TINY < running < 1 / TINY:
            log_determinant += math.log(running)
            running = 1.0
    return -log_determinant - math.log(running) - n_features * log_mass
