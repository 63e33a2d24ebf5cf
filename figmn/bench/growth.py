"""How the time of a contender grows with the dimensions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from figmn.bench.contenders import Contender
from figmn.bench.timing import Measurement

MOST_POWER = 100.0
"""Fits that cross beyond e to this power are treated as parallel."""
MATRIX_WORK_FROM = 64
"""Dimensions from which operations on D x D matrices dominate; with fewer, calls and loops over D take as much time."""
FEWEST_FITTED = 3
LARGEST_RISE = 0.25
"""Largest `Exponent.rise` of an asymptotic fit: ten percent of noise make 0.15."""


@dataclass(frozen=True)
class Exponent:
    """Growth of a contender's time with the dimensions: time = scale · D^slope."""

    contender: Contender
    slope: float
    low: float
    high: float
    """95 % confidence interval of the slope."""
    dims: tuple[int, ...]
    """The dimensions that it was fitted over."""
    scale: float
    """Seconds per row, extrapolated to one dimension."""
    rise: float = 0.0
    """Slope over the last two dimensions minus the slope of the fit: positive if the growth still rises."""

    @property
    def is_asymptotic(self) -> bool:
        """Whether the fit holds for larger D: work on matrices dominates in it, and the slope no longer rises.

        >>> from figmn.bench import CHOLESKY
        >>> Exponent(CHOLESKY, 1.5, 1.4, 1.6, (2, 4, 8), scale=1e-7).is_asymptotic
        False
        """
        return self.dims[0] >= MATRIX_WORK_FROM and self.rise <= LARGEST_RISE

    @property
    def margin(self) -> float:
        """Half the width of the confidence interval."""
        return (self.high - self.low) / 2

    def at(self, n_features: float) -> float:
        """Seconds per row according to the fit."""
        return float(self.scale * float(n_features) ** self.slope)


def fit_exponents(measurements: Sequence[Measurement]) -> list[Exponent]:
    """Least-squares slope of log time against log D for every contender with three dimensions or more.

    Only dimensions from `MATRIX_WORK_FROM` on are fitted, unless there are fewer than three of them.

    >>> from figmn.bench import CHOLESKY, Case
    >>> cases = [Case(n_features=width, n_rows=10) for width in (10, 20, 40, 80)]
    >>> cubic = [Measurement(CHOLESKY, case, 10, (1e-9 * case.n_features**3,)) for case in cases]
    >>> round(fit_exponents(cubic)[0].slope, 6)
    3.0
    """
    groups = [
        _fitted([m for m in measurements if m.contender == contender])
        for contender in dict.fromkeys(m.contender for m in measurements)
    ]
    return [_exponent(own) for own in groups if len({m.case.n_features for m in own}) >= FEWEST_FITTED]


def _exponent(own: Sequence[Measurement]) -> Exponent:
    from scipy.stats import linregress  # takes up to 1.3 s to import: only where it is needed

    dims = tuple(m.case.n_features for m in own)
    x, y = np.log(dims), np.log([m.median for m in own])
    line = linregress(x, y)
    slope, margin = float(line.slope), float(stdtrit(len(own) - 2, 0.975) * line.stderr)
    rise = float((y[-1] - y[-2]) / (x[-1] - x[-2])) - slope
    return Exponent(own[0].contender, slope, slope - margin, slope + margin, dims, math.exp(line.intercept), rise)


def _fitted(own: list[Measurement]) -> list[Measurement]:
    many = [m for m in own if m.case.n_features >= MATRIX_WORK_FROM]
    return sorted(many if len(many) >= FEWEST_FITTED else own, key=lambda m: m.case.n_features)


def crossover(first: Exponent, second: Exponent) -> float | None:
    """Dimensions in which both fits give the same time; None where they grow alike and never meet.

    >>> from figmn.bench import CHOLESKY, MATURE
    >>> square = Exponent(MATURE, 2.0, 2.0, 2.0, (2, 4, 8), scale=1e-7)
    >>> cube = Exponent(CHOLESKY, 3.0, 3.0, 3.0, (2, 4, 8), scale=1e-8)
    >>> round(crossover(square, cube), 6), crossover(cube, cube) is None
    (10.0, True)
    """
    if first.slope == second.slope:
        return None
    power = math.log(first.scale / second.scale) / (second.slope - first.slope)
    return math.exp(power) if abs(power) < MOST_POWER else None
