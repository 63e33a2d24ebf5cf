"""Sweeps that were never measured: every time is known."""

from __future__ import annotations

from figmn.bench import Case, Contender, Measurement
from workbench.evaluate.sweep.settings import EngineRole, SweepSettings, role_of
from workbench.evaluate.sweep.sweep import SweepResult

LAWS: dict[EngineRole, tuple[float, float]] = {
    "fast": (2e-6, 1.0),
    "mature": (1e-7, 2.0),
    "cubic": (1e-8, 3.0),
    "literal": (6e-5, 1.0),
}
"""Seconds in one dimension, and the power of the dimensions: the mature engine meets the cubic one at D = 10."""
MACHINE = (("CPU", "a processor"), ("cores", "2"), ("NumPy", "2.0.0"))
SETTINGS = SweepSettings(dims=(8, 16, 32, 64), repeats=3, with_literal=True)


def made_up(settings: SweepSettings = SETTINGS, n_cases: int | None = None, now: str = "") -> SweepResult:
    """The sweep, or its first few dimensions: repeats at a median of 1, from 0.8 to 1.5 times the law."""
    cases = settings.cases[:n_cases]
    found = [_measurement(contender, case) for case in cases for contender in settings.contenders]
    n_done = len(cases) * settings.repeats * len(settings.contenders)
    return SweepResult.of(settings, found, machine=MACHINE, n_done=n_done, now=now, seconds_left=20.0 * bool(now))


def _measurement(contender: Contender, case: Case) -> Measurement:
    scale, power = LAWS[role_of(contender)]
    seconds = scale * case.n_features**power
    return Measurement(
        contender, case, case.n_rows, (seconds, 0.8 * seconds, 1.5 * seconds), (0.9 * seconds, 0.7 * seconds, seconds)
    )
