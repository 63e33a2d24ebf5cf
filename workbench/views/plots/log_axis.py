"""A logarithmic axis with plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from workbench.views.plots.plot_style import TICK_ROOM, Axis, Marks, Plot
from workbench.views.plots.plot_units import Exact

CLOSER = 0.6
"""Ticks of a logarithmic axis may be closer than others: with fewer than two its scale is not recognised."""
FEWEST, MOST = -300.0, 300.0
"""Decimal logarithms of the smallest and the largest float."""
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class LogAxis(Axis):
    """Values are decimal logarithms; ticks are at powers of ten, or of two where there are too few."""

    def __init__(self, orientation: str, text: Callable[[float], str] | None = None) -> None:
        super().__init__(orientation)
        self._text = text or power_of_ten

    def marks(self, low: Exact, high: Exact, size: float) -> Marks:
        """Ticks between two logarithms, within the range of floats."""
        first, last = max(float(low), FEWEST), min(float(high), MOST)
        found = marks(first, last, size / (CLOSER * TICK_ROOM[self.orientation]))
        return self.written(found)

    def written(self, logarithms: list[float]) -> Marks:
        """Ticks at these positions."""
        return Marks(logarithms, [self._text(10.0**value) for value in logarithms])


def marks(low: float, high: float, most: float) -> list[float]:
    """Logarithms of round numbers: powers of ten, or of two where fewer than two powers of ten are in the range.

    Where there is no room for all of them, as many as possible: two of three rather than the one in the middle.

    >>> [round(10**mark) for mark in marks(0.5, 3.6, 5)], [round(10**mark) for mark in marks(0.1, 0.95, 9)]
    ([10, 100, 1000], [2, 4, 8])
    >>> [round(10**mark) for mark in marks(0.8, 3.2, 2.8)]
    [10, 1000]
    """
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return []
    unit = 1.0 if math.floor(high) - math.ceil(low) >= 1 else math.log10(2)
    first, last = math.ceil(low / unit - 1e-9), math.floor(high / unit + 1e-9)
    step = max(1, math.ceil((last - first + 1) / max(most, 1.0)))
    begins = [math.ceil(first / step) * step, first]
    begin = max(begins, key=lambda begin: (last - begin) // step)
    found: list[float] = (np.arange(begin, last + 1, step) * unit).tolist()
    return found


def power_of_ten(value: float) -> str:
    """A number on a logarithmic axis.

    >>> power_of_ten(1e-4), power_of_ten(100), power_of_ten(0.1), power_of_ten(1e6), power_of_ten(256)
    ('10⁻⁴', '100', '0.1', '10⁶', '256')
    """
    power = math.log10(value)
    if abs(power - round(power)) < 1e-6 and not -2 <= round(power) <= 4:  # noqa: PLR2004 - short as plain numbers
        return raised(round(power))
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"  # noqa: PLR2004


def raised(power: int) -> str:
    """A power of ten, however large or small.

    >>> raised(-4), raised(600)
    ('10⁻⁴', '10⁶⁰⁰')
    """
    return "10" + str(power).translate(SUPERSCRIPTS)


class LogPlot(Plot):
    """A plot with logarithmic axes: its items take logarithms."""

    def __init__(self, bottom: Axis | None = None, left: Axis | None = None) -> None:
        super().__init__(bottom or LogAxis("bottom"), left or LogAxis("left"))
