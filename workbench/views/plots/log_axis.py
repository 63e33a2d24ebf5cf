"""A logarithmic axis with plain numbers."""

from __future__ import annotations

from collections.abc import Callable

from workbench.views.plots.plot_style import TICK_ROOM, Axis, Marks, Plot
from workbench.views.plots.plot_ticks import LARGEST_LOG, LEAST_LOG, LOGS_CLOSER, log_places, power_of_ten
from workbench.views.plots.plot_units import Exact


class LogAxis(Axis):
    """Values are decimal logarithms; ticks are at powers of ten, or of two where there are too few."""

    def __init__(self, orientation: str, text: Callable[[float], str] | None = None) -> None:
        super().__init__(orientation)
        self._text = text or power_of_ten

    def marks(self, low: Exact, high: Exact, size: float) -> Marks:
        """Ticks between two logarithms, within the range of floats."""
        first, last = max(float(low), LEAST_LOG), min(float(high), LARGEST_LOG)
        found = log_places(first, last, size / (LOGS_CLOSER * TICK_ROOM[self.orientation]))
        return self.written(found)

    def written(self, logarithms: list[float]) -> Marks:
        """Ticks at these positions."""
        return Marks(logarithms, [self._text(10.0**value) for value in logarithms])


class LogPlot(Plot):
    """A plot with logarithmic axes: its items take logarithms."""

    def __init__(self, bottom: Axis | None = None, left: Axis | None = None) -> None:
        super().__init__(bottom or LogAxis("bottom"), left or LogAxis("left"))
