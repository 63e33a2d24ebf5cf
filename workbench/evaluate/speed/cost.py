"""How long the speed tables take, before they are measured: operations of every step by the rate of this machine."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.evaluate.speed.clock import LEAST
from workbench.evaluate.speed.printed import PHASES, Phase
from workbench.evaluate.speed.sets import LARGEST, SETS, PaperSet
from workbench.evaluate.speed.settings import N_FOLDS, TableSettings
from workbench.evaluate.speed.times import ENGINES, EngineName
from workbench.words.sentences import UserError

RATE_DIMENSIONS = 512
"""What `figmn.bench.dgemm_rate` is asked for, with one BLAS thread."""


@dataclass(frozen=True)
class Estimate:
    """Seconds, within a factor of two or so."""

    total: float
    cubic_whole: float
    """IGMN alone on the largest set, if it runs all rows."""
    cubic: float
    """IGMN alone on the largest set, as the settings have it."""


def estimate_seconds(settings: TableSettings, rate: float) -> Estimate:
    """The time that the tables will take.

    Parameters
    ----------
    settings : what is to be measured
    rate : operations a second of a matrix product, as `figmn.bench.dgemm_rate(512)` says it with one BLAS thread

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
"""Seconds for compiled loops, reading and encoding."""


def _set_seconds(one: PaperSet, engine: EngineName, settings: TableSettings, rate: float) -> float:
    each = sum(_phase_seconds(one, phase, engine, settings, rate) for phase in PHASES)
    return settings.n_runs * N_FOLDS * each


def _phase_seconds(one: PaperSet, phase: Phase, engine: EngineName, settings: TableSettings, rate: float) -> float:
    """One engine on one fold: the rows, and one for warming up."""
    if phase == "testing_kept":
        return _row_seconds(one, "testing", engine, settings, rate) + KEPT_CALL * one.n_rows / N_FOLDS
    row = _row_seconds(one, phase, engine, settings, rate)
    whole, least = row * one.n_rows / N_FOLDS, row * LEAST
    if settings.seconds_at_most is None or whole <= settings.seconds_at_most:
        return whole + row
    taking_over = row if phase == "testing" else 0.0  # of what the other has learned, as IGMN has not learned all rows
    return max(settings.seconds_at_most, least) + row + taking_over


def _row_seconds(one: PaperSet, phase: Phase, engine: EngineName, settings: TableSettings, rate: float) -> float:
    """Operations that grow with D³ by the rate, those with D² by a tenth of it (memory), and the call."""
    width = one.n_columns
    if phase == "testing":
        cubic, square, call = (ANSWER if engine == "igmn" else 0.0), ANSWER_MEMORY, CALL
    else:
        cubic, square, call = (LEARN[settings.solver] if engine == "igmn" else 0.0), LEARN_MEMORY, 0.0
        call = CALL * one.n_gaps / one.n_rows
    return (cubic * width**3 + 10 * square * width**2) / rate + call


LEARN = {"cholesky": 0.5, "inverse": 3.5}
"""Operations a row in units of D³: a factor, or an inverse and a determinant."""
ANSWER = 5.0
"""A factor, an inverse and a determinant."""
LEARN_MEMORY, ANSWER_MEMORY = 1.0, 2.0
CALL = 4e-4
"""Seconds of a question, or of a row with gaps, whatever the columns."""
KEPT_CALL = 4e-5
"""Seconds of a question whose pattern is kept."""
