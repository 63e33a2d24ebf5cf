"""Footnotes below a plot, included in its pictures: the machine and the conditions of the measurement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from workbench.views.look.painting import safe
from workbench.views.look.theme import LIGHT, SMALL, Theme, font

LINE, GAP = 15.0, 4.0
"""Heights of a line, and of the gap above the first."""
SEPARATOR = " · "


class FootItem(pg.GraphicsWidget):
    """Each text starts a new line and wraps if it is too long."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._texts: tuple[str, ...] = ()
        self.lines: list[str] = []
        self.setFixedHeight(0)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def set_texts(self, texts: Sequence[str]) -> None:
        """Set the texts."""
        if tuple(texts) != self._texts:
            self._texts = tuple(texts)
            self._arrange()

    def resizeEvent(self, event: Any) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self._arrange()

    @safe
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Called by Qt."""
        painter.setFont(font(SMALL))
        painter.setPen(QColor(self._theme.muted))
        for number, text in enumerate(self.lines):
            room = QRectF(0, GAP + number * LINE, self.size().width(), LINE)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _arrange(self) -> None:
        lines = [line for text in self._texts for line in wrapped(text, self.size().width())]
        if lines != self.lines:
            self.lines = lines
            self.setFixedHeight(GAP * bool(lines) + LINE * len(lines))
            self.update()


def wrapped(text: str, width: float) -> list[str]:
    """A text wrapped to lines that fit, broken between its parts."""
    metrics = QFontMetricsF(font(SMALL))
    first, *others = text.split(SEPARATOR)
    lines = [first]
    for part in others:
        longer = lines[-1] + SEPARATOR + part
        if metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines
