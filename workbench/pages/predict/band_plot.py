"""How a wanted number follows the only known one, drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF

from figmn.system.arrays import Floats
from workbench.pages.predict.drawing import AXIS, Drawing, draw_bottom_axis, marks_of
from workbench.run.ask.bands import COVERAGES, Bands
from workbench.views.look.naming import one_line
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, SMALL, font
from workbench.views.plots.plot_style import colour

HEIGHT, LEFT, TITLE = 210, 56, 16
"""Pixels of the widget, of its left axis, and of the names of its axes."""
TICK_ROOM = 28.0
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
        area = QRectF(LEFT, TITLE, self.width() - LEFT - GRID, self.height() - AXIS - 2 * TITLE)
        if not (np.isfinite([low, high, bottom, top]).all() and high > low and top > bottom and area.width() > 0):
            return

        def place(x: Floats, y: Floats) -> list[QPointF]:
            across = area.left() + area.width() * (x - low) / (high - low)
            up = area.bottom() - area.height() * (y - bottom) / (top - bottom)
            return [QPointF(*pair) for pair in zip(across, up, strict=True)]

        ink = self.ink()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_axes(painter, area, (low, high), (bottom, top))
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

    def _draw_axes(self, painter: QPainter, area: QRectF, across: tuple[float, float], up: tuple[float, float]) -> None:
        assert self._bands is not None
        theme, bands = self.theme, self._bands
        draw_bottom_axis(painter, theme, area, bands.known, across)
        bottom, top = up
        metrics = QFontMetricsF(font(SMALL))
        for value, text in marks_of(bands.wanted, bottom, top, area.height() / TICK_ROOM, area.height()):
            y = area.bottom() - area.height() * (value - bottom) / (top - bottom)
            painter.setPen(QPen(QColor(theme.grid), 1.0))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(theme.muted))
            room = QRectF(0, y - 8, LEFT - GRID / 2, 16)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        for name, room, side in (
            (bands.wanted.name, QRectF(GRID / 2, 0, self.width() - GRID, TITLE), Qt.AlignmentFlag.AlignLeft),
            (
                bands.known.name,
                QRectF(area.left(), area.bottom() + AXIS, area.width(), TITLE),
                Qt.AlignmentFlag.AlignHCenter,
            ),
        ):
            text = metrics.elidedText(one_line(name), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)
