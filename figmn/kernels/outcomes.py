"""Shared by all loops: reasons for returning, posteriors of a sample, recording, and the covariance rule."""

from __future__ import annotations

import math

import numpy as np

from figmn.arguments import N_ALIVE, N_LOST, N_REMOVED, BlockComponents, RecorderPage
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
from figmn.rules import counted_by, covariance_step, is_spurious, negatives_after
from figmn.system.arrays import Bools, Floats, Ints
from figmn.system.compiling import inlined, part

DONE, GROW, CAREFUL, BIRTH, CROWDED = 0, 1, 2, 3, 4
"""Why a loop returned: all rows are learned; there is no room for another component; the next row needs care, or a
new block; a component must be created; there are more components than allowed."""
FAR = -45.0
"""A log weight this far below the largest is a posterior under 1e-19, which changes no accumulator."""

count_of = inlined(counted_by)
step_of_covariance = inlined(covariance_step)
is_removable = inlined(is_spurious)
_negatives_after = inlined(negatives_after)


@inlined
def normalise(count: int, weights: Floats, accumulators: Floats, asked: bool) -> float:
    """Turn log weights into posteriors in place; returns the log density without its constant if asked, else 0.

    A removed component has a log weight of minus infinity.
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
    return top + math.log(total / evidence) if asked else 0.0


@inlined
def take_log_shrink(j: int, masses: Floats, log_masses: Floats) -> float:
    """log(1 - r), where 1 - r is the old mass over the new one; the logarithm of the new one is kept."""
    log_mass = math.log(masses[j])
    log_shrink: float = log_masses[j] - log_mass
    log_masses[j] = log_mass
    return log_shrink


@inlined
def keep_log(j: int, accumulators: Floats, log_accumulators: Floats, masses: Floats, log_masses: Floats) -> None:
    """Keep the logarithm of an accumulator; it is the mass where nothing is forgotten and the prior counts for 1."""
    is_same = accumulators[j] == masses[j]
    log_accumulators[j] = log_masses[j] if is_same else math.log(accumulators[j])


@part
def record_met(
    column: int,
    log_likelihood: float,
    distance: float,
    nearest: int,
    count: int,
    counters: Ints,
    ids: Ints,
    posteriors: Floats,
    measures: Floats,
    numbers: Ints,
) -> None:
    """Record a sample before it is learned: log density, nearest component and the one with the largest posterior."""
    measures[LOG_LIKELIHOOD, column] = log_likelihood
    if counters[N_ALIVE] == 0:  # a birth follows, and records its own posterior
        measures[DISTANCE, column], numbers[NEAREST, column] = np.nan, NOBODY
        return
    measures[DISTANCE, column], numbers[NEAREST, column] = distance, ids[nearest]
    largest, owner = -1.0, 0
    for j in range(count):
        larger = posteriors[j] > largest
        largest, owner = posteriors[j] if larger else largest, j if larger else owner
    measures[POSTERIOR, column], numbers[OWNER, column] = largest, ids[owner]


@part
def record_learned(column: int, born: int, counters: Ints, measures: Floats, numbers: Ints) -> None:
    """Record the components after a sample; a sample that creates a component is owned by it."""
    numbers[BORN, column], numbers[N_COMPONENTS, column] = born, counters[N_ALIVE]
    numbers[N_INDEFINITE, column] = counters[N_LOST]
    if born != NOBODY:
        measures[POSTERIOR, column], numbers[OWNER, column] = 1.0, born


@part
def record_removed(column: int, id: int, counters: Ints, removals: Ints) -> None:
    """Record that a sample removes a component."""
    removals[counters[N_REMOVED], 0], removals[counters[N_REMOVED], 1] = column, id
    counters[N_REMOVED] += 1


@part
def count_negatives(j: int, coefficient: float, negatives: Ints, counters: Ints) -> None:
    """Count the eigenvalue that a step has moved through zero."""
    negatives[j], is_first = _negatives_after(coefficient, negatives[j])
    counters[N_LOST] += is_first


@inlined
def start_block(
    accumulators: Floats, log_accumulators: Floats, masses: Floats, log_masses: Floats, updates: Ints
) -> Bools:
    """Prepare the work space for a block; returns a mask of live components: all of them."""
    for j in range(updates.shape[0]):
        log_masses[j], updates[j] = math.log(masses[j]), 0
        keep_log(j, accumulators, log_accumulators, masses, log_masses)
    return np.ones(updates.shape[0], np.bool_)


@part
def remove_from_block(
    j: int, column: int, components: BlockComponents, page: RecorderPage, alive: Bools, counters: Ints
) -> None:
    """Mark a component as not alive; it keeps its place until the end of the block."""
    alive[j] = False
    counters[N_ALIVE] -= 1
    if page.numbers.shape[1] > 0:
        record_removed(column, components.ids[j], counters, page.removals)
