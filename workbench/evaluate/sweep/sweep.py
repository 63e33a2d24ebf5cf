"""A sweep over the dimensions: engines timed in turns, with partial results, cancellable at any time."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module

from figmn.bench import Contender, Exponent, Measurement, crossover, fit_exponents, machine, measuring, pinned, warm_up
from workbench.evaluate.machine_rate import machine_rate
from workbench.evaluate.sweep.cost import estimate_seconds, seconds_left, timing_costs
from workbench.evaluate.sweep.settings import GRIDS, SweepSettings, typed_dims
from workbench.words.factors import speed_up

__all__ = [
    "GRIDS", "Crossover", "SpeedUp", "SweepResult", "SweepSettings", "estimate_seconds", "sweep",
    "sweeping", "typed_dims",
]  # fmt: skip

THREADS = 1
"""BLAS threads of every engine while a sweep runs."""


@dataclass(frozen=True)
class Crossover:
    """Where the fitted times of an engine and of the cubic engine are equal."""

    contender: Contender
    cubic: Contender
    n_features: float | None
    """D; None where the fits do not cross."""
    faster_above: Contender
    """The faster engine above that D; where the fits do not cross, at every D."""
    is_always_faster: bool
    """Whether it was faster at every D that both were measured at."""


@dataclass(frozen=True)
class SpeedUp:
    """Median time of the cubic engine divided by that of another."""

    n_features: int
    contender: Contender
    factor: float


@dataclass(frozen=True)
class SweepResult:
    """Measurements so far, with exponents, crossovers and speed-ups."""

    settings: SweepSettings
    measurements: tuple[Measurement, ...]
    exponents: tuple[Exponent, ...]
    """For every engine with three or more D."""
    crossovers: tuple[Crossover, ...]
    speed_ups: tuple[SpeedUp, ...]
    n_done: int
    n_total: int
    now: str
    """What is being timed, in words; empty at the end."""
    seconds_left: float
    machine: tuple[tuple[str, str], ...]
    """Processor and library versions, by name."""
    threads: int = THREADS

    @staticmethod
    def of(
        settings: SweepSettings,
        measurements: Sequence[Measurement],
        *,
        machine: Sequence[tuple[str, str]],
        n_done: int | None = None,
        now: str = "",
        seconds_left: float = 0.0,
    ) -> SweepResult:
        """Compute exponents, crossovers and speed-ups of measurements."""
        exponents = fit_exponents(measurements)
        return SweepResult(
            settings,
            tuple(measurements),
            tuple(exponents),
            tuple(_crossovers(exponents, measurements)),
            tuple(_speed_ups(measurements)),
            settings.n_timings if n_done is None else n_done,
            settings.n_timings,
            now,
            seconds_left,
            tuple(machine),
        )

    @property
    def is_whole(self) -> bool:
        """Whether all timings are done."""
        return self.n_done == self.n_total

    def measurement(self, n_features: int, contender: Contender) -> Measurement | None:
        """Times of an engine at one D; None if not measured yet."""
        found = (m for m in self.measurements if (m.case.n_features, m.contender) == (n_features, contender))
        return next(found, None)

    def speed_up(self, n_features: int, contender: Contender) -> float | None:
        """Speed-up over the cubic engine at one D; None if one of the two is not measured yet."""
        found = (s.factor for s in self.speed_ups if (s.n_features, s.contender) == (n_features, contender))
        return next(found, None)


def sweep(
    settings: SweepSettings,
    show: Callable[[SweepResult], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> SweepResult:
    """Run a whole sweep, or as much of it as is not cancelled.

    Parameters
    ----------
    settings
        What to measure.
    show
        Callback with the partial result, before every timing and at the end.
    is_cancelled
        Called before every timing; True ends the sweep, and what was measured is returned.
    """
    with closing(sweeping(settings)) as results:
        for result in results:
            show(result)
            if is_cancelled():
                break
    return result


def sweeping(settings: SweepSettings) -> Generator[SweepResult, None, None]:
    """Yield partial results; closing the generator cancels the sweep and restores the BLAS threads."""
    warm_up()
    import_module("scipy.stats")  # for the fits: up to 1.3 s, before anything is timed
    known = tuple(machine().items())
    costs = timing_costs(settings, machine_rate())
    began = time.perf_counter()
    stages = measuring(settings.cases, settings.contenders, settings.repeats, settings.seconds)
    with pinned(THREADS), closing(stages):
        for stage in stages:
            left = seconds_left(costs, stage.n_done, time.perf_counter() - began)
            yield SweepResult.of(
                settings,
                stage.measurements,
                machine=known,
                n_done=stage.n_done,
                now=stage.label if stage.now else "",
                seconds_left=left if stage.now else 0.0,
            )


def _crossovers(exponents: Sequence[Exponent], measurements: Sequence[Measurement]) -> list[Crossover]:
    """Crossover of every other engine with the cubic one."""
    cubic = next((exponent for exponent in exponents if exponent.contender.cubic), None)
    if cubic is None:
        return []
    return [_crossover(exponent, cubic, measurements) for exponent in exponents if exponent is not cubic]


def _crossover(exponent: Exponent, cubic: Exponent, measurements: Sequence[Measurement]) -> Crossover:
    meet = crossover(exponent, cubic)
    # Above the crossover the smaller exponent wins; without a crossover, the lower fit at any D.
    grows_less = exponent.slope < cubic.slope if meet else exponent.at(exponent.dims[-1]) < cubic.at(exponent.dims[-1])
    faster = exponent if grows_less else cubic
    factors = [found.factor for found in _speed_ups(measurements) if found.contender == exponent.contender]
    is_always = all((factor > 1) == (faster is exponent) for factor in factors)
    return Crossover(exponent.contender, cubic.contender, meet, faster.contender, is_always)


def _speed_ups(measurements: Sequence[Measurement]) -> list[SpeedUp]:
    cubic = {m.case.n_features: m.median for m in measurements if m.contender.cubic}
    return [
        SpeedUp(m.case.n_features, m.contender, speed_up(m.median, cubic[m.case.n_features]))
        for m in measurements
        if not m.contender.cubic and m.case.n_features in cubic
    ]
