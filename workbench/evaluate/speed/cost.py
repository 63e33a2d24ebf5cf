"""Estimates how long the speed tables will take: operations of every step, divided by the rate of this machine."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.evaluate.speed.clock import LEAST
from workbench.evaluate.speed.printed import PHASES, Phase
from workbench.evaluate.speed.sets import LARGEST, SETS, PaperSet
from workbench.evaluate.speed.settings import N_FOLDS, TableSettings
from workbench.evaluate.speed.times import ENGINES, EngineName
from workbench.words.sentences import UserError


@dataclass(frozen=True)
class Estimate:
    """Seconds, to within a factor of about two."""

    total: float
    cubic_whole: float
    """IGMN on the largest set if it runs all rows."""
    cubic: float
    """IGMN on the largest set with these settings."""


def estimate_seconds(settings: TableSettings, rate: float) -> Estimate:
    """The time that the tables will take.

    Parameters
    ----------
    settings : what is to be measured
    rate : operations per second of this machine, as `workbench.evaluate.machine_rate` measures them

    Examples
    --------
    >>> some = estimate_seconds(TableSettings(), rate=3e10)
    >>> some.cubic < some.total < some.cubic_whole
    True
    """
    if not rate > 0:
        raise UserError(
            "The rate {value} is no number of operations a second: measure it by figmn.bench.dgemm_rate.",
            value=repr(rate),
        )
    whole = TableSettings(settings.n_runs, settings.solver, None, settings.seed)
    return Estimate(
        total=PREPARING + sum(_set_seconds(one, engine, settings, rate) for one in SETS for engine in ENGINES),
        cubic_whole=_set_seconds(LARGEST, "igmn", whole, rate),
        cubic=_set_seconds(LARGEST, "igmn", settings, rate),
    )


PREPARING = 3.0
"""Seconds to load compiled loops, read and encode."""


def _set_seconds(one: PaperSet, engine: EngineName, settings: TableSettings, rate: float) -> float:
    each = sum(_phase_seconds(one, phase, engine, settings, rate) for phase in PHASES)
    return settings.n_runs * N_FOLDS * each


def _phase_seconds(one: PaperSet, phase: Phase, engine: EngineName, settings: TableSettings, rate: float) -> float:
    """One engine on one fold: all rows, and one more to warm up."""
    if phase == "testing_kept":
        return _row_seconds(one, "testing", engine, settings, rate) + KEPT_CALL * one.n_rows / N_FOLDS
    row = _row_seconds(one, phase, engine, settings, rate)
    whole, least = row * one.n_rows / N_FOLDS, row * LEAST
    if settings.seconds_at_most is None or whole <= settings.seconds_at_most:
        return whole + row
    taking_over = row if phase == "testing" else 0.0  # IGMN has not learned all rows and copies the other's model
    return max(settings.seconds_at_most, least) + row + taking_over


def _row_seconds(one: PaperSet, phase: Phase, engine: EngineName, settings: TableSettings, rate: float) -> float:
    """D³ operations at the full rate, D² operations at a tenth of it (bound by memory), and the cost of a call."""
    width = one.n_columns
    if phase == "testing":
        cubic, square, call = (ANSWER if engine == "igmn" else 0.0), ANSWER_MEMORY, CALL
    else:
        cubic, square, call = (LEARN[settings.solver] if engine == "igmn" else 0.0), LEARN_MEMORY, 0.0
        call = CALL * one.n_gaps / one.n_rows
    return (cubic * width**3 + 10 * square * width**2) / rate + call


LEARN = {"cholesky": 0.5, "inverse": 3.5}
"""Operations per row in units of D³: a Cholesky factor, or an inverse and a determinant."""
ANSWER = 5.0
"""The same for an answer: a Cholesky factor, an inverse and a determinant."""
LEARN_MEMORY, ANSWER_MEMORY = 1.0, 2.0
CALL = 4e-4
"""Seconds of an answer, or of a row with missing values, independent of D."""
KEPT_CALL = 4e-5
"""Seconds of an answer whose pattern is cached."""
