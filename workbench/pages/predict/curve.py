"""The distribution of a wanted number, drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF

from figmn.system.arrays import Floats
from workbench.pages.predict.drawing import AXIS, Drawing, draw_bottom_axis
from workbench.run.ask.answer import NumberAnswer
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID
from workbench.views.plots.plot_style import colour

HEIGHT = 112
"""Pixels of the widget."""


class Curve(Drawing):
    """Prior in grey, conditional in colour with its regions filled; the mean and what the row has are marked."""

    def __init__(self) -> None:
        super().__init__("answerCurve", HEIGHT)
        self._answer: NumberAnswer | None = None
        self._truth: float | None = None

    def show_answer(self, answer: NumberAnswer, truth: float | None, is_current: bool) -> None:
        """Draw an answer, in grey where it is not to the present question."""
        self._answer, self._truth, self.is_current = answer, truth, is_current
        self.update()

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        answer, theme = self._answer, self.theme
        if answer is None:
            return
        area = QRectF(GRID / 2, 2, self.width() - GRID, self.height() - AXIS - 2)
        low, high = answer.places[0], answer.places[-1]
        if not (np.isfinite([low, high]).all() and high > low and area.width() > 0):
            return
        top = float(max(answer.heights.max(), answer.prior_heights.max()))

        def across(values: Floats) -> Floats:
            return np.asarray(area.left() + area.width() * (values - low) / (high - low))

        def up(heights: Floats) -> Floats:
            return np.asarray(area.bottom() - area.height() * heights / top)

        ink = self.ink()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_bottom_axis(painter, theme, area, answer.attribute, (low, high))
        x = across(answer.places)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.grid))
        painter.drawPolygon(_closed(x, up(answer.prior_heights), area.bottom()))
        painter.setBrush(colour(ink.name(), 0.25))
        for first, last in answer.regions:
            inside = (answer.places >= first) & (answer.places <= last)
            places = np.concatenate([[first], answer.places[inside], [last]])
            heights = np.interp(places, answer.places, answer.heights)
            painter.drawPolygon(_closed(across(places), up(heights), area.bottom()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, 1.6))
        painter.drawPolyline(QPolygonF([QPointF(*pair) for pair in zip(x, up(answer.heights), strict=True)]))
        self._draw_mark(painter, area, float(across(np.array(answer.mean))), ink, Qt.PenStyle.DashLine)
        if self._truth is not None and low <= self._truth <= high:
            place = float(across(np.array(self._truth)))
            self._draw_mark(painter, area, place, QColor(theme.good), Qt.PenStyle.SolidLine)
        painter.end()

    def _draw_mark(self, painter: QPainter, area: QRectF, x: float, ink: QColor, style: Qt.PenStyle) -> None:
        painter.setPen(QPen(ink, 1.4, style))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))


def _closed(x: Floats, y: Floats, base: float) -> QPolygonF:
    """The area under a line."""
    points = [QPointF(x[0], base), *(QPointF(*pair) for pair in zip(x, y, strict=True)), QPointF(x[-1], base)]
    return QPolygonF(points)
