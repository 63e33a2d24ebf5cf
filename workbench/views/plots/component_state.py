"""What becomes of components: who is new, who is about to be removed, and when they were born."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.run.show.frame import Population

NEW_SAMPLES, NEW_SHARE = 20, 0.1
"""A component is new for so many samples, or for this share of v_min."""
RISKY_SHARE = 0.8
"""Share of v_min after which a component that has not gathered sp_min is about to be removed."""
NEWBORN, AT_RISK, SETTLED = "newborn", "at risk", "–"

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def at_risk(population: Population) -> Bools:
    """Who is removed soon unless it gathers more evidence."""
    parameters = population.parameters
    old: Bools = population.ages > RISKY_SHARE * parameters.v_min
    return old & (population.accumulators < parameters.sp_min)


def newborn(population: Population) -> Bools:
    """Who is young, and not at risk."""
    young = (population.ages <= NEW_SAMPLES) | (population.ages < NEW_SHARE * population.parameters.v_min)
    return young & ~at_risk(population)


def words(population: Population) -> NDArray[np.str_]:
    """The state of every component in a word."""
    return np.select([at_risk(population), newborn(population)], [AT_RISK, NEWBORN], SETTLED)


def probation(population: Population) -> Floats:
    """Age as a share of v_min while there is too little evidence to stay; NaN for those who may stay."""
    parameters = population.parameters
    ages, v_min = population.ages, parameters.v_min
    share = np.minimum(ages, v_min) / v_min if v_min else np.ones(len(ages))  # v_min may be as small as 1e-320
    return np.where(population.accumulators < parameters.sp_min, share, np.nan)


def born_at(population: Population, n_seen: int, n_births: int) -> Ints:
    """The sample, counted from 1, that every component was born from, after `n_seen` samples and `n_births` births.

    Every sample after it either added 1 to its age or gave the next id to another component.
    """
    later = n_births - 1 - population.ids
    born: Ints = n_seen - (population.ages - 1) - later
    return born
