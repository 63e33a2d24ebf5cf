"""The state of components: newborn, at risk of removal, or settled; and when they were born."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from figmn.system.arrays import Bools, Floats, Ints
from workbench.run.show.frame import Population

NEW_SAMPLES, NEW_SHARE = 20, 0.1
"""A component is newborn for this many samples, or for this share of v_min."""
RISKY_SHARE = 0.8
"""Share of v_min after which a component with less evidence than sp_min is at risk."""
NEWBORN, AT_RISK, SETTLED = "newborn", "at risk", "–"


def at_risk(population: Population) -> Bools:
    """Components that will be removed unless they gather more evidence."""
    parameters = population.parameters
    old: Bools = population.ages > RISKY_SHARE * parameters.v_min
    return old & (population.accumulators < parameters.sp_min)


def newborn(population: Population) -> Bools:
    """Components that are young and not at risk."""
    young = (population.ages <= NEW_SAMPLES) | (population.ages < NEW_SHARE * population.parameters.v_min)
    return young & ~at_risk(population)


def words(population: Population) -> NDArray[np.str_]:
    """The state of every component as a word."""
    return np.select([at_risk(population), newborn(population)], [AT_RISK, NEWBORN], SETTLED)


def probation(population: Population) -> Floats:
    """Age as a share of v_min for components with less evidence than sp_min; NaN for the others."""
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
