"""Log densities of the inputs alone: of some rows of each chunk, before it is learned."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from figmn.engine import Engine
from figmn.system.arrays import Floats
from workbench.run.show.frame import SCORED

WORK, ROW_WORK = 4e7, 2000
"""Multiplications that the rows of a chunk may cost, and how many a row costs at each component beside those of its D²:
a command waits no longer for them than for a chunk."""
SHARE = 0.02
"""Share of the time that scoring may take."""
FIRST, SAVED = 0.005, 0.1
"""Seconds of scoring that are available at the start, and at most, after a pause or at a low speed."""


class InputScores:
    """Scores the first rows of a chunk as long as that takes a small share of the time.

    The engine learns a chunk in one go, so all its rows are scored under the mixture before it: the first row as it
    would be by itself, the last under a mixture that is `SCORED` - 1 samples older. At a slow speed chunks are that
    small, and every row is scored.

    Parameters
    ----------
    targets : positions of the columns that do not count
    clock : seconds by the clock on the wall; one of a test's may stand still
    own_clock : seconds of this thread alone: waiting for the window's thread costs nothing
    """

    def __init__(
        self,
        targets: NDArray[np.intp],
        clock: Callable[[], float] = time.perf_counter,
        own_clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self._targets, self._clock, self._own_clock = targets, clock, own_clock
        self._credit, self._counted = FIRST, clock()

    def of(self, engine: Engine, rows: Floats) -> Floats:
        """Log density of every encoded row's inputs, NaN where it is not scored."""
        found = np.full(len(rows), np.nan)
        now = self._clock()
        self._credit = min(SAVED, self._credit + SHARE * (now - self._counted))
        self._counted = now
        if self._credit > 0 and engine.n_components:
            began = self._own_clock()
            some = rows[: n_scored(engine)]
            found[: len(some)] = log_density(engine, some, self._targets)
            self._credit -= self._own_clock() - began
        return found


def n_scored(engine: Engine) -> int:
    """Rows of a chunk that may be scored."""
    each = engine.n_components * (engine.n_features**2 + ROW_WORK)
    return int(min(SCORED, max(1.0, WORK / each)))


def log_density(engine: Engine, rows: Floats, unknown: NDArray[np.intp]) -> Floats:
    """Log density of encoded rows without some of their columns; NaN where it cannot be computed.

    >>> from figmn import FastIGMN
    >>> model = FastIGMN(delta=1, scale=[1.0, 2.0]).learn([[0, 0]])
    >>> log_density(model, np.array([[1.0, 7.0]]), np.array([1])) == model.score_samples([[1.0, np.nan]])
    array([ True])
    """
    known = rows.copy()
    known[:, unknown] = np.nan
    try:
        with np.errstate(all="ignore"):
            return engine.score_samples(known)
    except np.linalg.LinAlgError:  # a singular block, which the published rule allows
        return np.full(len(rows), np.nan)
