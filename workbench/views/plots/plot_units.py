"""Coordinates of a plot, of ordinary size whatever the data's range, as Qt's transforms need them."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST, TINIEST = sys.float_info.max, math.ulp(0.0)
COMFORT = 1024.0
"""Units suit a span that is at most this many of them wide or away from 0, and at least 1 / this many wide."""

Exact = Fraction | float


@dataclass(frozen=True)
class Units:
    """One axis of a plot: data = origin + size × view.

    Qt inverts no transform whose scale is below 1e-12, and a view far away from zero has no digits left for its
    width. So a view has its own units; data are converted when drawn, and positions when read.

    Examples
    --------
    >>> units = Units.around(1.7e18 - 1000, 1.7e18 + 1000)
    >>> units.to_view(np.array([1.7e18 - 1024, 1.7e18, 1.7e18 + 512])).tolist()
    [-0.5, 0.0, 0.25]
    >>> units.to_data(0.25) - 1.7e18
    512.0
    """

    origin: float = 0.0
    size: float = 1.0

    @staticmethod
    def around(low: float, high: float) -> Units:
        """Units in which this span lies within -1 and 1; a power of two, so that nothing is rounded."""
        half = high / 2 - low / 2
        power = math.frexp(half)[1] if half > 0 else 0
        return Units(low + half, max(math.ldexp(1.0, min(power, sys.float_info.max_exp - 1)), TINIEST))

    def suit(self, low: float, high: float) -> bool:
        """Whether a span can be shown in these units without losing digits."""
        if math.isinf(low - self.origin) or math.isinf(high - self.origin):
            return False
        first, last = self.place(low), self.place(high)
        return last - first >= 1 / COMFORT and max(abs(first), abs(last)) <= COMFORT

    def to_view(self, values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """View coordinates of values; infinite where they overflow."""
        with np.errstate(over="ignore", invalid="ignore"):
            found = values - np.float64(self.origin)
            found /= self.size
        return found

    def place(self, value: Exact) -> float:
        """The exact view coordinate of a value; infinite where it overflows."""
        found = (Fraction(value) - Fraction(self.origin)) / Fraction(self.size)
        try:
            return float(found)
        except OverflowError:
            return math.inf if found > 0 else -math.inf

    def exact(self, place: float) -> Fraction:
        """The exact value at a view coordinate, clipped to the largest float."""
        value = Fraction(self.origin) + Fraction(place) * Fraction(self.size)
        return min(max(value, Fraction(-LARGEST)), Fraction(LARGEST))

    def to_data(self, place: float) -> float:
        """The value at a view coordinate, clipped to the largest float."""
        return float(self.exact(place))
