"""What becomes of components: who is new, who is about to be removed, and when they were born."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from figmn import Snapshot

NEW_SAMPLES, NEW_SHARE = 20, 0.1
"""A component is new for so many samples, or for this share of v_min."""
RISKY_SHARE = 0.8
"""Share of v_min after which a component that has not gathered sp_min is about to be removed."""
NEWBORN, AT_RISK, SETTLED = "newborn", "at risk", "–"

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def at_risk(snapshot: Snapshot) -> Bools:
    """Who is removed soon unless it gathers more evidence."""
    parameters = snapshot.parameters
    old: Bools = snapshot.ages > RISKY_SHARE * parameters.v_min
    return old & (snapshot.accumulators < parameters.sp_min)


def newborn(snapshot: Snapshot) -> Bools:
    """Who is young, and not at risk."""
    young = (snapshot.ages <= NEW_SAMPLES) | (snapshot.ages < NEW_SHARE * snapshot.parameters.v_min)
    return young & ~at_risk(snapshot)


def words(snapshot: Snapshot) -> NDArray[np.str_]:
    """The state of every component in a word."""
    return np.select([at_risk(snapshot), newborn(snapshot)], [AT_RISK, NEWBORN], SETTLED)


def probation(snapshot: Snapshot) -> Floats:
    """Age as a share of v_min while there is too little evidence to stay; NaN for those who may stay."""
    parameters = snapshot.parameters
    share = np.minimum(snapshot.ages / parameters.v_min, 1.0) if parameters.v_min else np.ones(len(snapshot.ages))
    return np.where(snapshot.accumulators < parameters.sp_min, share, np.nan)


def born_at(snapshot: Snapshot) -> Ints:
    """The sample, counted from 1, that every component was born from.

    Every sample after it either added 1 to its age or gave the next id to another component.
    """
    later = snapshot.next_id - 1 - snapshot.ids
    born: Ints = snapshot.n_seen - (snapshot.ages - 1) - later
    return born
