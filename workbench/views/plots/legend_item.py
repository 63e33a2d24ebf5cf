"""The legend of a plot: a line above it, so that it covers nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPen

from workbench.run.show.frame import Scheme
from workbench.views.look.naming import one_line
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.palettes import code_colour, code_shape, scale_colours
from workbench.views.plots.plot_style import quiet_pen
from workbench.views.plots.points_item import draw_latest, symbol

MOST_CLASSES = 10
"""Most classes listed; of more, only the number is shown."""
SHORTEST, LONGEST = 40.0, 140.0
"""Most pixels of a label; longer ones are elided."""
MARK, GAP = 12.0, 4.0
LINE = 18.0
MARKS = ("latest", "newborn", "at risk")
"""Marks that need an explanation, beside the classes."""
HEADING, BAR = -len(MARKS) - 1, -len(MARKS) - 2
"""No symbol: the name of the column before its classes. All colours of a scale."""
BAR_WIDTH = 96.0

Entry = tuple[str, int, float]
"""A text, its symbol (the index of a class, or below zero one of the marks), and the width of both."""


class LegendItem(pg.GraphicsWidget):
    """Symbols and colours of the classes and the marks, in one or two lines."""

    def __init__(self, has_marks: bool = True) -> None:
        super().__init__()
        self._theme, self._has_marks = LIGHT, has_marks
        self._labels: tuple[str, ...] = ()
        self._column: str | None = None
        self._scheme: Scheme = "classes"
        self._codes: tuple[int, ...] = ()
        self._note = ""
        self._lines: list[list[Entry]] = []
        self.setFixedHeight(LINE)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def set_labels(
        self,
        labels: Sequence[str],
        column: str | None = None,
        scheme: Scheme = "classes",
        codes: Sequence[int] | None = None,
    ) -> None:
        """Set the classes or components, and the column whose labels they are; of a scale, the texts at its ends.

        Codes are those of the labels' colours; without them, the positions of the labels.
        """
        given = tuple(labels), column, scheme, tuple(range(len(labels)) if codes is None else codes)
        if given != (self._labels, self._column, self._scheme, self._codes):
            self._labels, self._column, self._scheme, self._codes = given
            self._arrange()

    def set_note(self, text: str) -> None:
        """Set a text at the right end, such as how many rows are selected."""
        if text != self._note:
            self._note = text
            self._arrange()
            self.update()

    @property
    def note(self) -> str:
        """The text at the right end."""
        return self._note

    @property
    def texts(self) -> list[str]:
        """The texts, in order."""
        return [text for line in self._lines for text, _, _ in line]

    def resizeEvent(self, event: Any) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self._arrange()

    @safe
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Called by Qt."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(SMALL))
        for number, line in enumerate(self._lines):
            left = 0.0
            for text, mark, width in line:
                before = 0.0 if mark == HEADING else MARK + GAP
                if mark == BAR:
                    self._draw_bar(painter, QRectF(left, (number + 0.5) * LINE - MARK / 2, BAR_WIDTH, MARK))
                elif mark != HEADING:
                    self._draw_mark(painter, mark, QPointF(left + MARK / 2, (number + 0.5) * LINE))
                painter.setPen(QColor(self._theme.muted))
                room = QRectF(left + before, number * LINE, width, LINE)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
                left += width

        if self._note:
            painter.setFont(font(SMALL, QFont.Weight.DemiBold))
            painter.setPen(QColor(self._theme.text))
            room = QRectF(0, 0, self.size().width(), LINE)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._note)

    @property
    def _room(self) -> float:
        """Width for the entries, left of the note."""
        metrics = QFontMetricsF(font(SMALL, QFont.Weight.DemiBold))
        note = metrics.horizontalAdvance(self._note) + 2 * GRID if self._note else 0.0
        return float(max(LONGEST, self.size().width() - note))

    def _draw_mark(self, painter: QPainter, mark: int, middle: QPointF) -> None:
        theme = self._theme
        painter.save()
        painter.translate(middle)
        if mark >= 0:
            painter.setPen(quiet_pen())
            code = self._codes[mark] if mark < len(self._codes) else mark
            painter.setBrush(QColor(code_colour(theme, self._scheme, code)))
            painter.drawPath(symbol(code_shape(theme, self._scheme, code), 8.0))
        elif MARKS[mark] == "latest":
            draw_latest(painter, theme, 4.5)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            dashed = MARKS[mark] == "at risk"
            style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
            pen = QPen(QColor(theme.accent), 1.25, style)
            if dashed:
                pen.setDashPattern([2.2, 1.6])
            painter.setPen(pen)
            for radius in (5.0,) if dashed else (5.5, 2.75):
                painter.drawEllipse(QPointF(0, 0), radius, radius)
        painter.restore()

    def _draw_bar(self, painter: QPainter, place: QRectF) -> None:
        gradient = QLinearGradient(place.topLeft(), place.topRight())
        colours = scale_colours(self._theme)
        for position in range(0, len(colours), 15):
            gradient.setColorAt(position / (len(colours) - 1), QColor(colours[position]))
        painter.setPen(QPen(QColor(self._theme.border), 1.0))
        painter.setBrush(gradient)
        painter.drawRect(place)

    def _arrange(self) -> None:
        entries = self._classes() + (self._marks() if self._has_marks else [])
        lines = _wrapped(entries, self._room)
        if len(lines) > 1:
            # The classes are more important than a second line of marks.
            lines = _wrapped(self._classes(), self._room) or [self._marks()]
        if lines != self._lines:
            self._lines = lines
            self.setFixedHeight(LINE * max(1, len(lines)))
            self.update()

    def _classes(self) -> list[Entry]:
        heading = [_entry(f"{self._column}:", HEADING)] if self._column is not None and self._labels else []
        if self._scheme == "scale" and self._labels:
            low, (text, mark, width) = (_entry(text, HEADING) for text in self._labels)
            return [*heading, low, ("", BAR, BAR_WIDTH + GRID), (text, mark, width + GRID)]
        if len(self._labels) > MOST_CLASSES:
            return [*heading, _entry(f"{len(self._labels):,} {self._scheme}", 0)]
        # Long names are elided until two lines are enough.
        in_a_line = max(1, -(-(len(heading) + len(self._labels)) // 2))
        longest = min(LONGEST, max(SHORTEST, self._room / in_a_line - MARK - GAP - 2 * GRID))
        return [*heading, *(_entry(label, position, longest) for position, label in enumerate(self._labels))]

    def _marks(self) -> list[Entry]:
        return [_entry(text, position - len(MARKS)) for position, text in enumerate(MARKS)]


def _entry(text: str, mark: int, longest: float = LONGEST) -> Entry:
    metrics = QFontMetricsF(font(SMALL))
    short = metrics.elidedText(one_line(text), Qt.TextElideMode.ElideMiddle, longest)
    if mark == HEADING:
        return short, mark, metrics.horizontalAdvance(short) + GRID
    return short, mark, MARK + GAP + metrics.horizontalAdvance(short) + 2 * GRID


def _wrapped(entries: list[Entry], width: float) -> list[list[Entry]]:
    lines: list[list[Entry]] = []
    room = 0.0
    for entry in entries:
        if entry[2] > room:
            lines.append([])
            room = max(width, entry[2])
        lines[-1].append(entry)
        room -= entry[2]
    return lines
