"""Wanted columns given the known ones, for components that are kept as triangles: one row at a time, any columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from figmn.arguments import N_ALIVE, Columns, ComponentArrays, Unknowns, Work
from figmn.kernels.distances import TINY
from figmn.kernels.outcomes import FAR
from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled, inlined, part


@compiled
def answer_row(given: Floats, offset: Floats, arrays: Any, count: int) -> tuple[Floats, Floats]:
    """One row with its missing values filled in, and log p(j) + log p(known values | j) of every component.

    As `inference.recall` and `inference.log_joint`, without a pattern to keep: the cost is O(K D (D + o²)) for o
    missing values, and none of it is Python's. `arrays` are `ComponentArrays`.
    """
    filled, wanted = given.copy(), np.empty(given.shape[0], np.int64)
    n_wanted = _list_missing(given, wanted)
    components = ComponentArrays(*arrays)
    answers, joint, _ = _condition_row(given - offset, wanted, n_wanted, components, count, components.matrices[:0])
    _average(count, joint.copy(), answers, n_wanted)
    for i in range(n_wanted):
        filled[wanted[i]] = answers[0, i] + offset[wanted[i]]
    return filled, joint


@compiled
def condition_row(
    given: Floats, offset: Floats, arrays: Any, count: int
) -> tuple[Ints, Floats, Floats, Floats, Floats]:
    """The fields of `questions.Conditionals` for one row: wanted, log weights, distances, means and covariances."""
    wanted = np.empty(given.shape[0], np.int64)
    n_wanted = _list_missing(given, wanted)
    covariances = np.empty((count, n_wanted, n_wanted))
    answers, joint, distances = _condition_row(
        given - offset, wanted, n_wanted, ComponentArrays(*arrays), count, covariances
    )
    means = np.empty((count, n_wanted))
    for j in range(count):
        for i in range(n_wanted):
            means[j, i] = answers[j, i] + offset[wanted[i]]
    return wanted[:n_wanted].copy(), joint, distances, means, covariances


@part
def _condition_row(
    row: Floats, wanted: Ints, n_wanted: int, components: ComponentArrays, count: int, covariances: Floats
) -> tuple[Floats, Floats, Floats]:
    """Conditional means in the first columns, log p(j) + log p(known values | j), and d² of every component."""
    n_features, evidence = row.shape[0], 0.0
    logs, joint, distances = np.empty(count), np.empty(count), np.empty(count)
    for j in range(count):
        logs[j] = math.log(components.accumulators[j])
        evidence += components.accumulators[j]
    errors, white, columns = np.empty((count, n_features)), np.empty(n_features), np.empty((n_wanted, n_features))
    _condition(row, wanted, n_wanted, count, components, logs, errors, white, columns, joint, distances, covariances)
    constant = math.log(evidence) + 0.5 * (n_features - n_wanted) * math.log(2 * math.pi)
    for j in range(count):
        joint[j] -= constant
    return errors, joint, distances


@inlined
def predict_last(
    n: int,
    count: int,
    n_wanted: int,
    offset: Floats,
    centres: Floats,
    matrices: Floats,
    masses: Floats,
    log_dets: Floats,
    log_accumulators: Floats,
    errors: Floats,
    products: Floats,
    weights: Floats,
    shifts: Floats,
    answers: Floats,
) -> None:
    """Predict the last columns of row n, which has no missing values, given e and p = W e of every component.

    The first entries of p depend on the first columns alone, so d² and |C| of the known columns are at hand; the
    conditional mean is where the other entries are 0. `weights` and `shifts` are work space.
    """
    n_known = centres.shape[1] - n_wanted
    top = -np.inf
    for j in range(count):
        distance, ratio = 0.0, 1.0
        for d in range(n_known):
            distance += products[j, d] * products[j, d] * matrices[j, d, d]
        log_ratio = 0.0
        for d in range(n_known, centres.shape[1]):
            ratio *= masses[j] * matrices[j, d, d]
            if not TINY < ratio < 1 / TINY:
                log_ratio += math.log(ratio)
                ratio = 1.0
        log_ratio += math.log(ratio)
        weights[j] = log_accumulators[j] - 0.5 * (log_dets[j] + masses[j] * distance + log_ratio)
        top = max(top, weights[j])
    for i in range(n_wanted):
        answers[n, i] = 0.0 if count else np.nan
    total = 0.0
    for j in range(count):
        if weights[j] - top < FAR:
            continue
        weight = math.exp(weights[j] - top)
        total += weight
        for i in range(n_wanted):
            shift = 0.0
            for k in range(n_known):
                shift -= matrices[j, n_known + i, k] * errors[j, k]
            for k in range(i):
                shift -= matrices[j, n_known + i, n_known + k] * shifts[k]
            shifts[i] = shift
            answers[n, i] += weight * (centres[j, n_known + i] + shift)
    for i in range(n_wanted):
        answers[n, i] = answers[n, i] / total + offset[n_known + i]


@part
def find_unknowns(
    n: int,
    row: Floats,
    offset: Floats,
    places: Ints,
    components: ComponentArrays,
    columns: Columns,
    work: Work,
    unknowns: Unknowns,
    counters: Ints,
) -> int:
    """Predict the wanted values of row n and fill in its missing ones; returns the number of these.

    Their columns go to `places`. While there is no component, predictions are NaN, and missing values are filled with
    the running means of their columns.
    """
    count, n_features, wanted = counters[N_ALIVE], row.shape[0], unknowns.wanted
    if wanted.shape[0]:
        n_asked, at = 0, 0
        for d in range(n_features):
            is_wanted = at < wanted.shape[0] and wanted[at] == d
            at += is_wanted
            if is_wanted or math.isnan(row[d]):
                places[n_asked] = d
                n_asked += 1
        if count:
            _answer(row, places, n_asked, count, components, work)
        at = 0
        for i in range(n_asked):
            if at < wanted.shape[0] and places[i] == wanted[at]:
                unknowns.answers[n, at] = work.errors[0, i] + offset[places[i]] if count else np.nan
                at += 1
    if not unknowns.gaps[n]:
        return 0
    n_missing: int = _list_missing(row, places)
    if count:
        _answer(row, places, n_missing, count, components, work)
    for i in range(n_missing):
        row[places[i]] = work.errors[0, i] if count else columns.means[places[i]]
    for d in range(n_features):
        unknowns.filled[d] = row[d]
    return n_missing


@part
def _list_missing(row: Floats, places: Ints) -> int:
    """Put the columns of missing values into `places`, in ascending order; returns how many there are."""
    count = 0
    for d in range(row.shape[0]):
        if math.isnan(row[d]):
            places[count] = d
            count += 1
    return count


@part
def _answer(row: Floats, wanted: Ints, n_wanted: int, count: int, components: ComponentArrays, work: Work) -> None:
    """The mixture's answer to a row, to ``work.errors[0]``; `_learn_rows` overwrites all of the work space used."""
    logs, errors, weights = work.log_accumulators, work.errors, work.posteriors
    _condition(
        row, wanted, n_wanted, count, components, logs, errors, work.products[0], work.factor, weights, work.distances,
        components.matrices[:0],
    )  # fmt: skip
    _average(count, weights, errors, n_wanted)


@part
def _condition(
    row: Floats,
    wanted: Ints,
    n_wanted: int,
    count: int,
    components: ComponentArrays,
    log_accumulators: Floats,
    errors: Floats,
    white: Floats,
    columns: Floats,
    log_weights: Floats,
    distances: Floats,
    covariances: Floats,
) -> None:
    """Condition every component on the known values of a row: log weights up to a constant, and means of the others.

    The columns ``wanted[:n_wanted]`` are in ascending order; `row` may have anything in these places. Their conditional
    means in component j go to ``errors[j]``, their covariances to ``covariances[j]`` unless that is empty, and d² of
    the known values to ``distances[j]``. `white` and `columns` are work space.

    The wanted part of e minimises |F e|² with F = √(M v) W, and the minimum is d² (`conditional.ByFactor`). Here it is
    found by reflections from the last wanted column on, each of which moves a column of F onto one row. Wanted columns
    at the end need none, since F is lower triangular: then the cost is O(D²), that of a distance.
    """
    centres, matrices, masses, log_dets = (
        components.centres,
        components.matrices,
        components.masses,
        components.log_dets,
    )
    n_features = row.shape[0]
    n_known = n_features - n_wanted
    for j in range(count):
        for d in range(n_features):
            errors[j, d] = row[d] - centres[j, d]
        for i in range(n_wanted):
            errors[j, wanted[i]] = 0.0
        for d in range(n_features):
            dot = errors[j, d]
            for k in range(d):
                dot += matrices[j, d, k] * errors[j, k]
            root = math.sqrt(masses[j] * matrices[j, d, d])
            white[d] = root * dot
            for i in range(n_wanted):
                column = wanted[i]
                columns[i, d] = root * matrices[j, d, column] if d > column else root if d == column else 0.0
        log_ratio, running = 0.0, 1.0  # log|C| of the known columns minus that of all columns, halved
        for i in range(n_wanted - 1, -1, -1):
            last = n_known + i
            if wanted[i] < last:
                _reflect(i, wanted[i], last, columns, white)
            running *= abs(columns[i, last])
            if not TINY < running < 1 / TINY:
                log_ratio += math.log(running)
                running = 1.0
        log_ratio += math.log(running)
        distance = 0.0
        for d in range(n_known):
            distance += white[d] * white[d]
        distances[j] = distance
        log_weights[j] = log_accumulators[j] - 0.5 * (log_dets[j] + distance) - log_ratio
        for i in range(n_wanted):
            left = white[n_known + i]
            for k in range(i):
                left += columns[k, n_known + i] * errors[j, k]
            errors[j, i] = -left / columns[i, n_known + i]
        for i in range(n_wanted):
            errors[j, i] += centres[j, wanted[i]]
        if covariances.shape[0]:
            _invert(n_wanted, n_known, columns, covariances[j])


@part
def _invert(n_wanted: int, n_known: int, columns: Floats, covariance: Floats) -> None:
    """C of the wanted columns given the others: (Lᵀ L)⁻¹ of the triangle L that reflections have left in `columns`."""
    for c in range(n_wanted):  # L⁻¹, below the diagonal of `covariance` and on it
        for i in range(c, n_wanted):
            left = 1.0 if i == c else 0.0
            for k in range(c, i):
                left -= columns[k, n_known + i] * covariance[k, c]
            covariance[i, c] = left / columns[i, n_known + i]
    for i in range(n_wanted - 1, -1, -1):  # L⁻¹ L⁻ᵀ in its place, from the last row on
        for k in range(i, -1, -1):
            dot = 0.0
            for c in range(k + 1):
                dot += covariance[i, c] * covariance[k, c]
            covariance[i, k] = dot
    for i in range(n_wanted):
        for k in range(i):
            covariance[k, i] = covariance[i, k]


@part
def _reflect(i: int, first: int, last: int, columns: Floats, white: Floats) -> None:
    """Reflect rows `first` to `last` so that column i is left with its last entry alone; other columns go along.

    The largest entry is put last first: so rows of small weight keep their digits beside rows of large weight, which
    collinear columns have (Powell and Reid).
    """
    place = last
    for d in range(first, last):
        if abs(columns[i, d]) > abs(columns[i, place]):
            place = d
    if place != last:
        white[place], white[last] = white[last], white[place]
        for k in range(i + 1):
            columns[k, place], columns[k, last] = columns[k, last], columns[k, place]
    largest = columns[i, last]
    squares = 0.0
    for d in range(first, last):
        columns[i, d] /= largest
        squares += columns[i, d] * columns[i, d]
    norm = math.sqrt(1 + squares)
    # The reflection is I - u uᵀ / (norm (norm + 1)) with u = (column / largest, norm + 1).
    share = 1 / (norm * (norm + 1))
    dot = white[last] * (norm + 1)
    for d in range(first, last):
        dot += white[d] * columns[i, d]
    dot *= share
    white[last] -= dot * (norm + 1)
    for d in range(first, last):
        white[d] -= dot * columns[i, d]
    for k in range(i):
        dot = columns[k, last] * (norm + 1)
        for d in range(first, last):
            dot += columns[k, d] * columns[i, d]
        dot *= share
        columns[k, last] -= dot * (norm + 1)
        for d in range(first, last):
            columns[k, d] -= dot * columns[i, d]
    columns[i, last] = -norm * largest


@part
def _average(count: int, log_weights: Floats, answers: Floats, n_wanted: int) -> None:
    """Mean of the answers of all components by their weights, which are overwritten; to ``answers[0]``."""
    top = -np.inf
    for j in range(count):
        top = max(top, log_weights[j])
    total = 0.0
    for j in range(count):
        log_weights[j] = math.exp(log_weights[j] - top)
        total += log_weights[j]
    for i in range(n_wanted):
        mean = 0.0
        for j in range(count):
            mean += log_weights[j] * answers[j, i]
        answers[0, i] = mean / total
