"""Wanted columns given the known ones, for components that are kept as triangles: one row at a time, any columns."""

from __future__ import annotations

import math

import numpy as np

from figmn.kernels.distances import TINY
from figmn.system.arrays import Floats, Ints
from figmn.system.compiling import compiled, part


@compiled
def answer_row(
    given: Floats,
    offset: Floats,
    centres: Floats,
    matrices: Floats,
    masses: Floats,
    log_dets: Floats,
    accumulators: Floats,
) -> tuple[Floats, Floats]:
    """One row with its missing values filled in, and log p(j) + log p(known values | j) of every component.

    As `inference.recall` and `inference.log_joint`, without a pattern to keep: the cost is O(K D (D + o²)) for o missing
    values, and none of it is Python's.
    """
    count, n_features = centres.shape
    row, filled = given - offset, given.copy()
    wanted, n_wanted = np.empty(n_features, np.int64), 0
    for d in range(n_features):
        if math.isnan(row[d]):
            wanted[n_wanted] = d
            n_wanted += 1
    errors, white, columns = np.empty(n_features), np.empty(n_features), np.empty((n_wanted, n_features))
    answers, joint = np.empty((count, n_wanted)), np.empty(count)
    constant = (n_features - n_wanted) * math.log(2 * math.pi)
    evidence = 0.0
    for j in range(count):
        evidence += accumulators[j]
    for j in range(count):
        distance, log_ratio = condition(
            j, row, wanted, n_wanted, centres, matrices, masses[j], errors, white, columns, answers
        )
        prior = math.log(accumulators[j] / evidence)
        joint[j] = prior - 0.5 * (constant + log_dets[j] + log_ratio + distance)
    if n_wanted:
        average(joint.copy(), answers, n_wanted)
        for i in range(n_wanted):
            filled[wanted[i]] = answers[0, i] + offset[wanted[i]]
    return filled, joint


@part
def condition(
    j: int,
    row: Floats,
    wanted: Ints,
    n_wanted: int,
    centres: Floats,
    matrices: Floats,
    mass: float,
    errors: Floats,
    white: Floats,
    columns: Floats,
    answers: Floats,
) -> tuple[float, float]:
    """Conditional of component j: d² of the known values, and log|C| of the known columns minus that of all columns.

    ``answers[j]`` gets the conditional means of the columns ``wanted[:n_wanted]``, which are in ascending order; `row`
    may have anything in these places. `errors`, `white` and `columns` are work space.

    The wanted part of e minimises |F e|² with F = √(M v) W, and the minimum is d² (`conditional.ByFactor`). Here it is
    found by reflections from the last wanted column on, each of which moves a column of F onto one row. Wanted columns
    at the end need none, since F is lower triangular: then the cost is O(D²), that of a distance.
    """
    n_features = row.shape[0]
    for d in range(n_features):
        errors[d] = row[d] - centres[j, d]
    for i in range(n_wanted):
        errors[wanted[i]] = 0.0
    for d in range(n_features):
        dot = errors[d]
        for k in range(d):
            dot += matrices[j, d, k] * errors[k]
        root = math.sqrt(mass * matrices[j, d, d])
        white[d] = root * dot
        for i in range(n_wanted):
            column = wanted[i]
            columns[i, d] = root * matrices[j, d, column] if d > column else root if d == column else 0.0
    log_ratio, running = 0.0, 1.0
    n_known = n_features - n_wanted
    for i in range(n_wanted - 1, -1, -1):
        if wanted[i] < n_known + i:
            _reflect(i, wanted[i], n_known + i, columns, white)
        pivot = abs(columns[i, n_known + i])
        running *= pivot
        if not TINY < running < 1 / TINY:
            log_ratio += math.log(running)
            running = 1.0
    log_ratio += math.log(running)
    for i in range(n_wanted):
        left = white[n_known + i]
        for k in range(i):
            left += columns[k, n_known + i] * answers[j, k]
        answers[j, i] = -left / columns[i, n_known + i]
    for i in range(n_wanted):
        answers[j, i] += centres[j, wanted[i]]
    distance = 0.0
    for d in range(n_known):
        distance += white[d] * white[d]
    return distance, 2 * log_ratio


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
def average(log_weights: Floats, answers: Floats, n_wanted: int) -> None:
    """Mean of the answers of all components, weighted by the exponentials of their log weights; to ``answers[0]``."""
    top = -np.inf
    for j in range(log_weights.shape[0]):
        top = max(top, log_weights[j])
    total = 0.0
    for j in range(log_weights.shape[0]):
        log_weights[j] = math.exp(log_weights[j] - top)
        total += log_weights[j]
    for i in range(n_wanted):
        mean = 0.0
        for j in range(log_weights.shape[0]):
            mean += log_weights[j] * answers[j, i]
        answers[0, i] = mean / total
