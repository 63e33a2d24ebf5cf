"""The distribution of a wanted number, drawn; ticks of small plots."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from figmn.system.arrays import Floats
from workbench.run.ask.answer import NumberAnswer
from workbench.run.ask.attributes import Attribute
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.plot_style import colour, day_marks, round_marks

HEIGHT, AXIS = 112, 18
"""Pixels of the widget, and of its axis."""
TICK_ROOM = 90.0


class Curve(QWidget):
    """Prior in grey, conditional in colour with its regions filled; the mean and what the row has are marked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer: NumberAnswer | None = None
        self._truth: float | None = None
        self._is_current = True
        self._theme = LIGHT
        self.setObjectName("answerCurve")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_answer(self, answer: NumberAnswer, truth: float | None, is_current: bool) -> None:
        """Draw an answer, in grey where it is not to the present question."""
        self._answer, self._truth, self._is_current = answer, truth, is_current
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(240, HEIGHT)

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        answer, theme = self._answer, self._theme
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

        ink = QColor(theme.accent if self._is_current else theme.faint)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_axis(painter, area, low, high)
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

    def _draw_axis(self, painter: QPainter, area: QRectF, low: float, high: float) -> None:
        assert self._answer is not None
        draw_bottom_axis(painter, self._theme, area, self._answer.attribute, (low, high))


def draw_bottom_axis(
    painter: QPainter, theme: Theme, area: QRectF, attribute: Attribute, ends: tuple[float, float]
) -> None:
    """A line below an area, with ticks at round numbers or dates of an attribute."""
    low, high = ends
    painter.setFont(font(SMALL))
    painter.setPen(QPen(QColor(theme.border), 1.0))
    painter.drawLine(area.bottomLeft(), area.bottomRight())
    for value, text in marks_of(attribute, low, high, area.width() / TICK_ROOM, area.width()):
        x = area.left() + area.width() * (value - low) / (high - low)
        painter.setPen(QPen(QColor(theme.border), 1.0))
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3))
        painter.setPen(QColor(theme.muted))
        room = QRectF(x - TICK_ROOM / 2, area.bottom() + 3, TICK_ROOM, AXIS - 3)
        room.moveLeft(min(room.left(), area.right() + GRID / 2 - 3 * TICK_ROOM / 4))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)


def marks_of(attribute: Attribute, low: float, high: float, most: float, size: float) -> list[tuple[float, str]]:
    """Ticks of an attribute between two values."""
    marks = day_marks(low, high, size) if attribute.block.kind == "date" else round_marks(low, high, most)
    return [(float(value), text) for value, text in zip(marks.values, marks.texts, strict=True)]


def _closed(x: Floats, y: Floats, base: float) -> QPolygonF:
    """The area under a line."""
    points = [QPointF(x[0], base), *(QPointF(*pair) for pair in zip(x, y, strict=True)), QPointF(x[-1], base)]
    return QPolygonF(points)
