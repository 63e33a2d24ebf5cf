"""What all loops share: why a loop returns, posteriors of a sample, what is recorded of it, and the covariance rule."""

from __future__ import annotations

import math

import numpy as np

from figmn.arguments import N_ALIVE, N_LOST, N_REMOVED, BlockComponents, ComponentArrays, Page, Rules, Work
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
from figmn.rules import covariance_step, is_spurious, negatives_after
from figmn.system.arrays import Bools, Floats, Ints
from figmn.system.compiling import inlined, part

DONE, GROW, CAREFUL, BIRTH = 0, 1, 2, 3
"""Why a loop returned: all rows are learned; there is no room for another component; the next row needs care, or a
block of its own; a component must be created."""
FAR = -45.0
"""A log weight this far below the largest is a posterior under 1e-19, which changes no accumulator."""

step_of_covariance = inlined(covariance_step)
is_removable = inlined(is_spurious)
_negatives_after = inlined(negatives_after)


@inlined
def weigh(count: int, n_features: int, accumulators: Floats, work: Work, asked: bool) -> float:
    """Turn the log weights in `work.posteriors` into posteriors; returns the log density if `asked`, else 0.

    A removed component has a log weight of minus infinity.
    """
    weights = work.posteriors
    top = -np.inf
    for j in range(count):
        top = max(top, weights[j])
    total, evidence = 0.0, 0.0
    for j in range(count):
        work.omegas[j] = 0.0
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
    return top + math.log(total / evidence) - 0.5 * n_features * math.log(2 * math.pi) if asked else 0.0


@part
def record_met(
    column: int, log_likelihood: float, nearest: int, count: int, n_alive: int, ids: Ints, work: Work, page: Page
) -> None:
    """Record what a sample meets: its log density, the nearest component and the one with the largest posterior."""
    page.measures[LOG_LIKELIHOOD, column] = log_likelihood
    if n_alive == 0:  # a birth follows, and records its own posterior
        page.measures[DISTANCE, column], page.numbers[NEAREST, column] = np.nan, NOBODY
        return
    page.measures[DISTANCE, column], page.numbers[NEAREST, column] = work.distances[nearest], ids[nearest]
    largest, owner = -1.0, 0
    for j in range(count):
        larger = work.posteriors[j] > largest
        largest, owner = work.posteriors[j] if larger else largest, j if larger else owner
    page.measures[POSTERIOR, column], page.numbers[OWNER, column] = largest, ids[owner]


@part
def record_learned(column: int, born: int, counters: Ints, page: Page) -> None:
    """Record the components after a sample; one that creates a component belongs to it."""
    page.numbers[BORN, column], page.numbers[N_COMPONENTS, column] = born, counters[N_ALIVE]
    page.numbers[N_INDEFINITE, column] = counters[N_LOST]
    if born != NOBODY:
        page.measures[POSTERIOR, column], page.numbers[OWNER, column] = 1.0, born


@part
def record_removed(column: int, id: int, counters: Ints, page: Page) -> None:
    """Record that a sample removes a component."""
    page.removals[counters[N_REMOVED], 0], page.removals[counters[N_REMOVED], 1] = column, id
    counters[N_REMOVED] += 1


@part
def count_negatives(j: int, coefficient: float, negatives: Ints, counters: Ints) -> None:
    """Count the eigenvalue that a step has moved through zero."""
    negatives[j], is_first = _negatives_after(coefficient, negatives[j])
    counters[N_LOST] += is_first


@inlined
def start_block(components: BlockComponents, work: Work, updates: Ints) -> Bools:
    """Prepare the work space for a block; returns which components are alive: all."""
    for j in range(updates.shape[0]):
        work.log_accumulators[j], updates[j] = math.log(components.accumulators[j]), 0
    return np.ones(updates.shape[0], np.bool_)


@inlined
def remove_from_block(
    j: int, column: int, components: BlockComponents, rules: Rules, alive: Bools, counters: Ints, page: Page
) -> None:
    """Remove a component with too little evidence: it stays in its place until the block is over, but is not alive."""
    if is_removable(components.ages[j], components.accumulators[j], rules.v_min, rules.sp_min):
        alive[j] = False
        counters[N_ALIVE] -= 1
        if page.numbers.shape[1] > 0:
            record_removed(column, components.ids[j], counters, page)


@inlined
def log_shrink_of(j: int, components: ComponentArrays | BlockComponents, work: Work) -> float:
    """log(1 - ω), where 1 - ω is the old accumulator over the new one; the logarithm of the new one is kept."""
    log_accumulator = math.log(components.accumulators[j])
    log_shrink: float = work.log_accumulators[j] - log_accumulator
    work.log_accumulators[j] = log_accumulator
    return log_shrink
