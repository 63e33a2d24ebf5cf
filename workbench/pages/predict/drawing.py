"""What the drawn answers share: theme, height, colour, and axes with few ticks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.run.ask.attributes import Attribute
from workbench.views.look.naming import one_line
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.plot_style import day_marks
from workbench.views.plots.plot_ticks import ticks

AXIS, LEFT, WIDEST_LEFT, TITLE = 18, 56, 128, 16
"""Pixels of a bottom axis, of a left axis at least and at most, and of the names of both."""
TICK_ROOM, TICK_ROOM_UP = 90.0, 28.0
"""Least pixels between two ticks of a bottom and of a left axis."""


class Drawing(QWidget):
    """A drawn answer, as wide as there is room."""

    def __init__(self, name: str, height: int) -> None:
        super().__init__()
        self.setObjectName(name)
        self.theme = LIGHT
        self.is_current = True
        """Whether it answers the present question; otherwise it is drawn in grey."""
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(240, self._height)

    def ink(self, colour: str = "") -> QColor:
        """A colour of the answer, by default the accent; grey where it is not to the present question."""
        return QColor(colour or self.theme.accent) if self.is_current else QColor(self.theme.faint)


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


def draw_left_axis(
    painter: QPainter, theme: Theme, area: QRectF, attribute: Attribute, ends: tuple[float, float]
) -> None:
    """Ticks left of an area, with lines across it."""
    low, high = ends
    painter.setFont(font(SMALL))
    for value, text in marks_of(attribute, low, high, area.height() / TICK_ROOM_UP, area.height()):
        y = area.bottom() - area.height() * (value - low) / (high - low)
        painter.setPen(QPen(QColor(theme.grid), 1.0))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        painter.setPen(QColor(theme.muted))
        room = QRectF(0, y - 8, area.left() - GRID / 2, 16)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def draw_axis_names(painter: QPainter, theme: Theme, area: QRectF, across: str, up: str) -> None:
    """The name of the left axis above an area, and that of the bottom axis below it."""
    metrics = QFontMetricsF(font(SMALL))
    painter.setFont(font(SMALL))
    painter.setPen(QColor(theme.muted))
    for name, room, side in (
        (up, QRectF(area.left(), area.top() - TITLE, area.width(), TITLE), Qt.AlignmentFlag.AlignLeft),
        (across, QRectF(area.left(), area.bottom() + AXIS, area.width(), TITLE), Qt.AlignmentFlag.AlignHCenter),
    ):
        text = metrics.elidedText(one_line(name), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, text)


def left_room(attribute: Attribute, ends: tuple[float, float], height: float) -> float:
    """Pixels of a left axis: as many as its longest label takes, within limits."""
    metrics = QFontMetricsF(font(SMALL))
    marks = marks_of(attribute, *ends, height / TICK_ROOM_UP, height)
    widest = max((metrics.horizontalAdvance(text) for _, text in marks), default=0.0)
    return min(max(LEFT, widest + GRID), WIDEST_LEFT)


def marks_of(attribute: Attribute, low: float, high: float, most: float, size: float) -> list[tuple[float, str]]:
    """Ticks of an attribute between two values, with all digits: there is no room to name an offset."""
    if attribute.block.kind == "date":
        marks = day_marks(low, high, size)
        return [(float(value), text) for value, text in zip(marks.values, marks.texts, strict=True)]
    return number_marks(low, high, most)


def number_marks(low: float, high: float, most: float) -> list[tuple[float, str]]:
    """Round numbers between two values."""
    found = ticks(low, high, most)
    return list(zip(found.values.tolist(), found.texts(), strict=True))
