"""Points of a few classes on two axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt

from workbench.views.look.theme import LIGHT, Theme
from workbench.views.plots.data_view import Span
from workbench.views.plots.plot_style import Mapping, Plot
from workbench.views.plots.points_item import FADES, Placed, PointsItem


class SolidPoints(PointsItem):
    """Points that do not fade with age."""

    def _placed(self, mapping: Mapping, left: int, top: int, width: int, height: int, size: int) -> Placed:
        placed = super()._placed(mapping, left, top, width, height, size)
        return placed._replace(fades=np.full_like(placed.fades, len(FADES) - 1))


class PointsPlot(pg.PlotWidget):
    """A scatter plot that cannot be zoomed."""

    def __init__(self) -> None:
        self.plot = Plot()
        super().__init__(plotItem=self.plot)
        self.setAccessibleName("First rows as points")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it handles no keys
        self.points = SolidPoints()
        self.plot.addItem(self.points, ignoreBounds=True)
        self.plot.setMouseEnabled(x=False, y=False)
        self.set_theme(LIGHT)

    def set_points(self, x: NDArray[Any], y: NDArray[Any], codes: NDArray[Any]) -> None:
        """Show these points; negative codes mean no class."""
        self.points.set_points(x.astype(np.float64), y.astype(np.float64), codes.astype(np.int16))

    def fit(self, x: NDArray[Any], y: NDArray[Any]) -> None:
        """Set the axes to the range of these points."""
        across, up = (Span(float(v.min()), float(v.max())) if len(v) else Span(0.0, 1.0) for v in (x, y))
        self.plot.view.show_windows(across.widened().padded(0.06), up.widened().padded(0.06))

    def set_names(self, x: str, y: str) -> None:
        """Set the axis titles."""
        self.plot.bottom.set_title(x)
        self.plot.left.set_title(y)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.setBackground(theme.base)
        self.plot.set_theme(theme)
        self.points.set_theme(theme)
