"""The log-log plot of a sweep, with the machine and the conditions of the measurement below it."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from workbench.evaluate.sweep.sweep import SweepResult
from workbench.evaluate.sweep.texts import asymptotic_line, conditions_line, crossover_words, exponent_words
from workbench.pages.race.sweep.foot import FootItem
from workbench.pages.race.sweep.item import MARKER, SweepItem, names_width
from workbench.views.look.naming import named
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.data_view import Span
from workbench.views.plots.log_axis import LogAxis, LogPlot
from workbench.views.plots.plot_area import PlotArea
from workbench.views.plots.plot_style import Marks
from workbench.views.plots.plot_units import Exact
from workbench.words.machine import machine_line

TICK_ROOM = 44.0
"""Least pixels between two ticks of the dimensions."""
USUAL = ((16, 512), (0.0, 4.0))
"""Default ranges before anything is measured: dimensions, and decades of microseconds."""


class DimensionsAxis(LogAxis):
    """An axis with ticks at the measured dimensions, as far as they fit."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self._dims: tuple[int, ...] = ()

    def set_dims(self, dims: tuple[int, ...]) -> None:
        """Set the dimensions to mark."""
        self._dims = dims
        self.picture = None
        self.update()

    def marks(self, low: Exact, high: Exact, size: float) -> Marks:
        """Ticks: always the largest, and those of the others that are far enough apart."""
        first, last = float(low), float(high)
        inside = [float(place) for place in np.log10(self._dims or (1,)) if first <= place <= last]
        if not inside or not self._dims:
            return super().marks(low, high, size)
        found = [inside.pop()]
        for place in reversed(inside):
            if (found[-1] - place) * size / (last - first) >= TICK_ROOM:
                found.append(place)
        return self.written(found[::-1])


class SweepPlot(PlotArea):
    """Time per sample against the dimensions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.bottom = DimensionsAxis()
        super().__init__(parent, plot=LogPlot(bottom=self.bottom))
        named(self, "sweepPlot", "time of a sample against the dimensions")
        # No legend: the engines are named beside their lines.
        self.removeItem(self.legend)
        self.item, self.foot = SweepItem(), FootItem()
        self.plot.addItem(self.item, ignoreBounds=True)
        self.addItem(self.foot, 2, 0)
        self.plot.bottom.set_title("dimensions D")
        self.plot.left.set_title("µs per sample")
        self.ci.layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        self._result: SweepResult | None = None
        self._follows = True
        self.moved_by_user.connect(self._let_go)
        self.fit_wanted.connect(self.fit)
        self.plot.vb.sigResized.connect(lambda *_: self._follow())
        self.fit()

    def show_result(self, result: SweepResult | None) -> None:
        """Draw a result; None for nothing."""
        self._result = result
        self.item.show_result(result)
        self.bottom.set_dims(result.settings.dims if result else ())
        self.foot.set_texts(foot_texts(result) if result else ())
        self.setAccessibleDescription(spoken(result) if result else "")
        self._follow()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        self.item.set_theme(theme)
        self.foot.set_theme(theme)

    def fit(self) -> None:
        """Fit the view to all data, and keep it fitted."""
        self._follows = True
        self._follow()

    def _let_go(self) -> None:
        self._follows = False

    def _follow(self) -> None:
        if not self._follows:
            return
        (first, last), (low, high) = self._ranges()
        # The names of the engines need room to the right of the last points.
        width = max(self.plot.vb.width(), 1.0)
        room = min(names_width(self.item.series) + MARKER + GRID, width / 2) if self.item.series else GRID
        margin = 2 * GRID
        unit = (last - first) / max(width - room - 2 * margin, 1.0)
        self.plot.view.show_windows(Span(first - margin * unit, last + (margin + room) * unit), Span(low, high))

    def _ranges(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Logarithmic ranges of the axes: all requested dimensions, and the times in half decades."""
        dims = self._result.settings.dims if self._result else USUAL[0]
        across = [*np.log10([dims[0], dims[-1]]).tolist(), *(float(mark.place[0]) for mark in self.item.marks)]
        if len(dims) == 1:
            across += [across[0] - 0.3, across[0] + 0.3]
        ends = [float(end) for series in self.item.series for end in (*series.lows, *series.highs)]
        if not ends:
            return (min(across), max(across)), USUAL[1]
        low, high = np.floor(2 * (min(ends) - 0.2)) / 2, np.ceil(2 * (max(ends) + 0.2)) / 2
        return (min(across), max(across)), (float(low), float(high))


def foot_texts(result: SweepResult) -> list[str]:
    """Footnotes of the plot."""
    dims = result.settings.dims
    fitted = [f"fits over D = {e.dims[0]:,} to {e.dims[-1]:,}, 95 % intervals" for e in result.exponents[:1]]
    crossovers = [crossover_words(crossover, dims) for crossover in result.crossovers]
    texts = (
        " · ".join([*fitted, *crossovers]),
        asymptotic_line(result.exponents),
        conditions_line(result),
        machine_line(dict(result.machine)),
    )
    return [text for text in texts if text]


def spoken(result: SweepResult) -> str:
    """The plot as text, for screen readers."""
    growths = [f"{exponent.contender.name}: {exponent_words(exponent)}" for exponent in result.exponents]
    return "; ".join([*growths, *(crossover_words(found, result.settings.dims) for found in result.crossovers)])
