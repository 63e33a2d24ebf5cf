"""A sweep over the dimensions: both engines timed in turns, growing as it is measured, stopped at any time."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from figmn.bench import Contender, Exponent, Measurement, crossover, fit_exponents, machine, measuring, pinned, warm_up
from workbench.evaluate.sweep.cost import estimate_seconds, machine_rate, seconds_left, timing_costs
from workbench.evaluate.sweep.settings import GRIDS, SweepSettings, typed_dims
from workbench.words.factors import speed_up

__all__ = [
    "GRIDS", "Crossover", "SpeedUp", "SweepResult", "SweepSettings", "estimate_seconds", "machine_rate", "sweep",
    "sweeping", "typed_dims",
]  # fmt: skip

THREADS = 1
"""BLAS threads of every engine while a sweep runs."""


@dataclass(frozen=True)
class Crossover:
    """Where the fits of an engine and of the cubic one meet."""

    contender: Contender
    cubic: Contender
    n_features: float | None
    """Dimensions; None where the fits never meet."""
    faster_above: Contender
    """Who is faster in more dimensions; where they never meet, in all."""
    is_always_faster: bool
    """Whether that one was faster at every D at which both were measured."""


@dataclass(frozen=True)
class SpeedUp:
    """How many times faster an engine is than the cubic one: its median time into the other's."""

    n_features: int
    contender: Contender
    factor: float


@dataclass(frozen=True)
class SweepResult:
    """What has been measured so far, and what follows from it."""

    settings: SweepSettings
    measurements: tuple[Measurement, ...]
    exponents: tuple[Exponent, ...]
    """Of every engine with three dimensions or more."""
    crossovers: tuple[Crossover, ...]
    speed_ups: tuple[SpeedUp, ...]
    n_done: int
    n_total: int
    now: str
    """What is being timed, in words; empty where nothing is any more."""
    seconds_left: float
    machine: tuple[tuple[str, str], ...]
    """The processor and the versions that times depend on, by name."""
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
        """Draw the conclusions of measurements."""
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
        """Whether everything was measured that was asked for."""
        return self.n_done == self.n_total

    def measurement(self, n_features: int, contender: Contender) -> Measurement | None:
        """The times of an engine; None where there are none yet."""
        found = (m for m in self.measurements if (m.case.n_features, m.contender) == (n_features, contender))
        return next(found, None)

    def speed_up(self, n_features: int, contender: Contender) -> float | None:
        """How many times faster than the cubic engine; None where one of the two was not timed yet."""
        found = (s.factor for s in self.speed_ups if (s.n_features, s.contender) == (n_features, contender))
        return next(found, None)


def sweep(
    settings: SweepSettings,
    show: Callable[[SweepResult], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> SweepResult:
    """Run a whole sweep, or as much of it as there is time for.

    Parameters
    ----------
    settings
        What is measured.
    show
        Given the result as it grows, before every timing and at the end.
    is_cancelled
        Asked before every timing; what was measured until then is returned.
    """
    with closing(sweeping(settings)) as results:
        for result in results:
            show(result)
            if is_cancelled():
                break
    return result


def sweeping(settings: SweepSettings) -> Generator[SweepResult, None, None]:
    """The result as it grows; closing the generator ends the sweep and gives the BLAS threads back."""
    warm_up()
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
    """Of every other engine with the cubic one."""
    cubic = next((exponent for exponent in exponents if exponent.contender.cubic), None)
    if cubic is None:
        return []
    return [_crossover(exponent, cubic, measurements) for exponent in exponents if exponent is not cubic]


def _crossover(exponent: Exponent, cubic: Exponent, measurements: Sequence[Measurement]) -> Crossover:
    meet = crossover(exponent, cubic)
    # Above the place where they meet the slower growth wins; without one, who is faster anywhere.
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
