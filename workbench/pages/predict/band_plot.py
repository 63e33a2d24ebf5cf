"""How a wanted number follows the only known one, drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF

from figmn.system.arrays import Floats
from workbench.pages.predict.drawing import (
    AXIS,
    TITLE,
    Drawing,
    draw_axis_names,
    draw_bottom_axis,
    draw_left_axis,
    left_room,
)
from workbench.run.ask.bands import COVERAGES, Bands
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID
from workbench.views.plots.plot_style import colour

HEIGHT = 210
"""Pixels of the widget."""
MOST_POINTS = 600
"""Points that are drawn: a picture that changes while a slider moves."""


class BandPlot(Drawing):
    """Mean, 50 % and 90 % bands over the data; the value that is known is marked."""

    def __init__(self) -> None:
        super().__init__("answerBands", HEIGHT)
        self._bands: Bands | None = None
        self.hide()

    def show_bands(self, bands: Bands | None, is_current: bool) -> None:
        """Draw bands; None hides the plot."""
        self._bands, self.is_current = bands, is_current
        self.setVisible(bands is not None)
        if bands is not None:
            self.setAccessibleName(f"{bands.wanted.name} against {bands.known.name}, with bands of 50 and 90 %")
        self.update()

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        bands, theme = self._bands, self.theme
        if bands is None:
            return
        widest = bands.bands[COVERAGES[0]]
        low, high = bands.places[0], bands.places[-1]
        bottom, top = float(widest.min()), float(widest.max())
        if len(bands.points):
            bottom, top = min(bottom, bands.points[:, 1].min()), max(top, bands.points[:, 1].max())
        if not (np.isfinite([low, high, bottom, top]).all() and high > low and top > bottom):
            return
        height = self.height() - AXIS - 2 * TITLE
        left = left_room(bands.wanted, (bottom, top), height)
        area = QRectF(left, TITLE, self.width() - left - GRID, height)
        if area.width() <= 0:
            return

        def place(x: Floats, y: Floats) -> list[QPointF]:
            across = area.left() + area.width() * (x - low) / (high - low)
            up = area.bottom() - area.height() * (y - bottom) / (top - bottom)
            return [QPointF(*pair) for pair in zip(across, up, strict=True)]

        ink = self.ink()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_bottom_axis(painter, theme, area, bands.known, (low, high))
        draw_left_axis(painter, theme, area, bands.wanted, (bottom, top))
        draw_axis_names(painter, theme, area, bands.known.name, bands.wanted.name)
        painter.setClipRect(area)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(theme.muted, 0.55))
        step = max(1, len(bands.points) // MOST_POINTS)
        for point in place(bands.points[::step, 0], bands.points[::step, 1]):
            painter.drawEllipse(point, 1.8, 1.8)
        painter.setBrush(colour(ink.name(), 0.22))
        for coverage in COVERAGES:
            band = bands.bands[coverage]
            edge = place(bands.places, band[:, 0]) + place(bands.places[::-1], band[::-1, 1])
            painter.drawPolygon(QPolygonF(edge))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, 1.8))
        painter.drawPolyline(QPolygonF(place(bands.places, bands.means)))
        painter.setPen(QPen(QColor(theme.text), 1.2, Qt.PenStyle.DashLine))
        (foot,) = place(np.array([bands.at]), np.array([bottom]))
        painter.drawLine(foot, QPointF(foot.x(), area.top()))
        painter.end()
