"""Data of a sweep's plot, in decimal logarithms: points with error bars, fits, references, crossovers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figmn.system.arrays import Floats
from workbench.evaluate.sweep.settings import EngineRole, role_of
from workbench.evaluate.sweep.sweep import SweepResult
from workbench.evaluate.sweep.texts import dimensions, exponent_words

if TYPE_CHECKING:
    from figmn.bench import Contender, Exponent

MICRO = 6.0
"""Decimal logarithm of the microseconds in a second."""
APART = 0.35
"""Decades from a reference slope to the points beside it."""
REACH = 4.0
"""A crossover is shown up to this factor beyond the measured dimensions."""


@dataclass(frozen=True, eq=False)
class Series:
    """One engine."""

    role: EngineRole
    name: str
    points: Floats
    """(n, 2): dimensions, and the median in microseconds."""
    lows: Floats
    highs: Floats
    """(n,): the fastest and the slowest repeat."""
    fit: Floats
    """(2, 2): ends of the fitted line; (0, 2) where there is none."""
    growth: str
    """The exponent as text; empty if there is none."""


@dataclass(frozen=True, eq=False)
class Reference:
    """A reference slope."""

    name: str
    ends: Floats


@dataclass(frozen=True, eq=False)
class CrossoverMark:
    """A crossover: its position, and the extrapolated lines from the measurements to it."""

    place: Floats
    words: str
    lines: tuple[Floats, ...]


def series_of(result: SweepResult) -> list[Series]:
    """The series of every engine with a measurement."""
    found = ((contender, _series(result, contender)) for contender in result.settings.contenders)
    return [series for _, series in found if len(series.points)]


def references_of(all_series: list[Series], dims: tuple[int, ...]) -> list[Reference]:
    """D² below the fast engine and D³ above the cubic one, close to their points for comparison."""
    by_role = {series.role: series for series in all_series}
    square, cube = by_role.get("mature") or by_role.get("fast"), by_role.get("cubic")
    across = np.log10([dims[0], dims[-1]])
    found = []
    for name, slope, series, offset in (("D²", 2, square, -APART), ("D³", 3, cube, APART)):
        if series is not None and len(dims) > 1:
            x, y = series.points[-1]
            found.append(Reference(name, np.column_stack([across, y + offset + slope * (across - x)])))
    return found


def marks_of(result: SweepResult) -> list[CrossoverMark]:
    """Every crossover within `REACH` of the measured dimensions."""
    dims = result.settings.dims
    fits = {exponent.contender: exponent for exponent in result.exponents}
    seen = [
        (crossover, crossover.n_features)
        for crossover in result.crossovers
        if crossover.n_features is not None and max(1.0, dims[0] / REACH) <= crossover.n_features <= REACH * dims[-1]
    ]
    found = []
    for crossover, meet in seen:
        pair = fits[crossover.contender], fits[crossover.cubic]
        whose = f"{crossover.contender.name}: " if len(seen) > 1 else ""
        place = np.array([np.log10(meet), _log_micros(pair[0].at(meet))])
        lines = tuple(_line(fit, meet, _nearest(fit, meet)) for fit in pair if _nearest(fit, meet) != meet)
        found.append(CrossoverMark(place, f"{whose}crossover at {dimensions(meet)}", lines))
    return found


def _series(result: SweepResult, contender: Contender) -> Series:
    own = [m for m in result.measurements if m.contender == contender]
    fit = next((e for e in result.exponents if e.contender == contender), None)
    columns = [(m.case.n_features, 1e6 * m.median, 1e6 * min(m.seconds), 1e6 * max(m.seconds)) for m in own]
    numbers = np.log10(np.array(columns, dtype=np.float64).reshape(-1, 4))
    return Series(
        role_of(contender),
        contender.name,
        numbers[:, :2],
        numbers[:, 2],
        numbers[:, 3],
        np.empty((0, 2)) if fit is None else _line(fit, fit.dims[0], fit.dims[-1]),
        "" if fit is None else exponent_words(fit),
    )


def _line(fit: Exponent, first: float, last: float) -> Floats:
    return np.array([[np.log10(width), _log_micros(fit.at(width))] for width in (first, last)])


def _nearest(fit: Exponent, n_features: float) -> float:
    return min(max(n_features, fit.dims[0]), fit.dims[-1])


def _log_micros(seconds: float) -> float:
    return float(np.log10(seconds)) + MICRO
