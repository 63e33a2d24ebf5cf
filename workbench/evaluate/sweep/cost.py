"""Estimates how long a sweep will take: times measured once, scaled by the speed of this machine.

Measured on two cores of an AMD EPYC with one BLAS thread, 300 rows and one component: a rough estimate.
"""

from __future__ import annotations

import math

import numpy as np

from figmn.bench import (
    CHOLESKY,
    INVERSE,
    LITERAL,
    MATURE,
    PROBE,
    PROBE_GROWTH,
    YOUNG,
    Case,
    Contender,
)
from workbench.evaluate.sweep.settings import SweepSettings

REFERENCE_RATE = 3.6e10
"""Operations per second of a matrix product on the machine where `MICROSECONDS` were measured."""
DIMS = (2, 8, 16, 64, 128, 160, 256, 512, 1024, 2048, 3072)
MICROSECONDS: dict[Contender, tuple[float, ...]] = {
    YOUNG: (0.8, 0.8, 0.9, 2.6, 8, 10, 20, 40, 105, 150, 200),
    MATURE: (0.5, 0.5, 0.8, 2.1, 8.8, 12, 19, 74, 170, 500, 1600),
    CHOLESKY: (0.7, 1.1, 1.9, 41, 146, 202, 500, 3000, 17_800, 99_000, 307_000),
    INVERSE: (1.7, 5.7, 8.3, 150, 500, 760, 3600, 20_000, 130_000, 950_000, 3_200_000),
    LITERAL: (78, 60, 63, 104, 186, 252, 470, 3000, 17_000, 66_000, 163_000),
}
"""Time per row at each of `DIMS`."""
DRAWING, MAKING = 15e-9, 5e-9
"""Seconds to draw one number of a row, and to create one number of a new model's matrix."""
TRUST = 2.0
"""Weight of the estimate against measured time, in seconds."""


def estimate_seconds(settings: SweepSettings, rate: float) -> float:
    """Seconds that a sweep will take on a machine with this rate, roughly.

    >>> settings = SweepSettings(dims=(16, 3072))
    >>> round(estimate_seconds(settings, REFERENCE_RATE / 2) / estimate_seconds(settings, REFERENCE_RATE), 1) > 1
    True
    """
    return sum(timing_costs(settings, rate))


def timing_costs(settings: SweepSettings, rate: float) -> list[float]:
    """Seconds of every timing in order, including its preparation."""
    found = []
    for case in settings.cases:
        costs = [_costs(contender, case, settings.seconds, rate) for contender in settings.contenders]
        drawn = DRAWING * case.n_features * sum({case.n_before(who) + case.n_rows for who in settings.contenders})
        first = [warm_up + timing for warm_up, timing in costs]
        first[0] += drawn
        found += first + [timing for _, timing in costs] * (settings.repeats - 1)
    return found


def seconds_left(costs: list[float], n_done: int, elapsed: float) -> float:
    """Seconds that remain: the estimate, corrected by the time that finished timings took.

    >>> seconds_left([10.0, 10.0], 0, 0.0), round(seconds_left([10.0, 10.0], 1, 22.0))
    (20.0, 20)
    """
    done = sum(costs[:n_done])
    return (sum(costs) - done) * (elapsed + TRUST) / (done + TRUST) if n_done else sum(costs)


def row_seconds(contender: Contender, case: Case, rate: float) -> float:
    """Seconds per row, interpolated linearly between the logarithms of measured times."""
    micros = np.interp(math.log(case.n_features), np.log(DIMS), np.log(MICROSECONDS[contender]))
    return float(1e-6 * np.exp(micros)) * case.n_components * REFERENCE_RATE / rate


def _costs(contender: Contender, case: Case, budget: float, rate: float) -> tuple[float, float]:
    """Seconds of the warm-up and of one timing, by the same steps as in the benchmark."""
    each = row_seconds(contender, case, rate)
    before = case.n_before(contender) * each
    make = before + MAKING * case.n_components * case.n_features**2
    n_timed = max(2, min(case.n_rows, int(budget / each)))
    probes = [PROBE, PROBE]
    while probes[-1] < case.n_rows and probes[-1] * each <= budget / 20:
        probes.append(probes[-1] * PROBE_GROWTH)
    rows = sum(min(probe, case.n_rows) for probe in probes)
    if contender.matures:  # made once
        return make + rows * each, n_timed * each
    return len(probes) * make + rows * each, make + n_timed * each
