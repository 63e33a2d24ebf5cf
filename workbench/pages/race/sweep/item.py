"""The graphics item of a sweep: points with error bars, fits, reference slopes, crossovers, and labels between them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from figmn.system.arrays import Floats
from workbench.evaluate.sweep.sweep import SweepResult
from workbench.pages.race.sweep.series import (
    CrossoverMark,
    Reference,
    Series,
    marks_of,
    references_of,
    series_of,
)
from workbench.pages.race.sweep.words import SYMBOLS, colour_of
from workbench.views.look.theme import GRID, SMALL, font
from workbench.views.plots.plot_style import Mapping, ViewItem, colour, quiet_pen
from workbench.views.plots.points_item import symbol

MARKER, CAP = 9.0, 3.0
"""Pixels of a point, and of half the cap of its error bar."""
LINE = 14.0
"""Height of a line of text."""
STEPS = 80
"""Segments of a line that labels are kept off."""
BOLD, PLAIN = QFont.Weight.DemiBold, QFont.Weight.Normal
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
EMPTY = "Start a sweep to see how the time of a sample grows with the dimensions"


class SweepItem(ViewItem):
    """Draws the measurements so far."""

    def __init__(self) -> None:
        super().__init__()
        self.series: list[Series] = []
        self.references: list[Reference] = []
        self.marks: list[CrossoverMark] = []
        self.placed: dict[str, QRectF] = {}
        """Rectangles of the labels drawn last."""

    def show_result(self, result: SweepResult | None) -> None:
        """Draw a result; None for nothing."""
        self.series = [] if result is None else series_of(result)
        self.references = [] if result is None else references_of(self.series, result.settings.dims)
        self.marks = [] if result is None else marks_of(result)
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        painter.setClipRect(mapping.area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(SMALL))
        self.placed = {}
        if not self.series:
            self._draw_note(painter, mapping.area)
            return
        for reference in self.references:
            self._draw_lines(painter, [mapping.pixels(reference.ends)], self.theme.muted, [6.0, 5.0])
        for mark in self.marks:
            self._draw_mark(painter, mapping, mark)
        for series in self.series:
            self._draw_series(painter, mapping, series)
        taken = [*self._taken(mapping), *self._draw_names(painter, mapping)]
        self._draw_words(painter, mapping, taken)

    def _draw_note(self, painter: QPainter, area: QRectF) -> None:
        room = QFontMetricsF(font(SMALL)).boundingRect(EMPTY).adjusted(-GRID, -GRID, GRID, GRID)
        room.moveCenter(area.center())
        painter.fillRect(room, QColor(self.theme.base))
        painter.setPen(QColor(self.theme.muted))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, EMPTY)

    # Lines and points

    def _draw_lines(
        self, painter: QPainter, lines: list[Floats], ink: str, dashes: list[float] | None = None, width: float = 1.0
    ) -> None:
        pen = QPen(QColor(ink), width)
        if dashes:
            pen.setDashPattern(dashes)
        painter.setPen(pen)
        painter.drawLines([QLineF(*start, *end) for start, end in (line.tolist() for line in lines)])

    def _draw_mark(self, painter: QPainter, mapping: Mapping, mark: CrossoverMark) -> None:
        x, area = float(mapping.pixels(mark.place)[0]), mapping.area
        upright = np.array([[x, area.top()], [x, area.bottom()]])
        lines = [mapping.pixels(line) for line in mark.lines]
        self._draw_lines(painter, [upright, *lines], self.theme.muted, [1.0, 3.0])

    def _draw_series(self, painter: QPainter, mapping: Mapping, series: Series) -> None:
        ink = colour_of(series.role, self.theme)
        if len(series.fit):
            self._draw_lines(painter, [mapping.pixels(series.fit)], ink, width=1.5)
        places = mapping.pixels(series.points)
        lows, highs = (self._heights(mapping, series, ends) for ends in (series.lows, series.highs))
        painter.setPen(QPen(QColor(ink), 1.25))
        for (x, _), low, high in zip(places.tolist(), lows, highs, strict=True):
            if low - high > 1:
                ends = (QLineF(x - CAP, end, x + CAP, end) for end in (low, high))
                painter.drawLines([QLineF(x, low, x, high), *ends])
        painter.setPen(QPen(QColor(self.theme.base), 1.0))
        painter.setBrush(QColor(ink))
        for x, y in places.tolist():
            painter.drawPath(symbol(SYMBOLS[series.role], MARKER).translated(x, y))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    @staticmethod
    def _heights(mapping: Mapping, series: Series, values: Floats) -> list[float]:
        found: list[float] = mapping.pixels(np.column_stack([series.points[:, 0], values]))[:, 1].tolist()
        return found

    # Labels

    def _draw_names(self, painter: QPainter, mapping: Mapping) -> list[QRectF]:
        """Name and exponent of every engine, to the right of the last points, one below the other."""
        left = max(float(mapping.pixels(series.points)[-1, 0]) for series in self.series) + MARKER + GRID / 2
        left = min(left, mapping.area.right() - names_width(self.series))
        wanted = [(float(mapping.pixels(series.points)[-1, 1]), series) for series in self.series]
        wanted.sort(key=lambda pair: pair[0])
        heights = [LINE * (1 + bool(series.growth)) for _, series in wanted]
        if sum(heights) > mapping.area.height():  # in a low window only the names
            heights = [LINE] * len(wanted)
        tops = without_overlap(
            [y - height / 2 for (y, _), height in zip(wanted, heights, strict=True)], heights, mapping.area
        )
        rooms = []
        for top, height, (_, series) in zip(tops, heights, wanted, strict=True):
            room = QRectF(left, top, names_width([series]), height)
            self._draw_name(painter, room, series)
            rooms.append(room)
        return rooms

    def _draw_name(self, painter: QPainter, room: QRectF, series: Series) -> None:
        painter.fillRect(room, colour(self.theme.base, 0.8))
        painter.setPen(QColor(colour_of(series.role, self.theme)))
        for number, (text, weight) in enumerate(((series.name, BOLD), (series.growth, PLAIN))):
            if text and (number + 1) * LINE <= room.height():
                painter.setFont(font(SMALL, weight))
                line = QRectF(room.left(), room.top() + number * LINE, room.width(), LINE)
                painter.drawText(line, LEFT, text)
                self.placed[f"{series.name} growth" if number else text] = line

    def _draw_words(self, painter: QPainter, mapping: Mapping, taken: list[QRectF]) -> None:
        """Labels of slopes and crossovers, each at the first free position along its line."""
        for mark in self.marks:
            x = float(mapping.pixels(mark.place)[0])
            upright = np.array([[x, mapping.area.bottom()], [x, mapping.area.top()]])
            self._place(painter, mapping, mark.words, upright, taken)
        for reference in self.references:
            self._place(painter, mapping, reference.name, mapping.pixels(reference.ends)[::-1], taken)

    def _place(self, painter: QPainter, mapping: Mapping, text: str, line: Floats, taken: list[QRectF]) -> None:
        width = QFontMetricsF(font(SMALL)).horizontalAdvance(text) + 2
        inside = mapping.area.adjusted(2, 2, -2, -2)
        for room in _candidates(line, width):
            if inside.contains(room) and not any(room.intersects(other) for other in taken):
                painter.setFont(font(SMALL))
                painter.setPen(quiet_pen())
                painter.fillRect(room, colour(self.theme.base, 0.8))
                painter.setPen(QColor(self.theme.muted))
                painter.drawText(room, LEFT, text)
                taken.append(room)
                self.placed[text] = room
                return

    def _taken(self, mapping: Mapping) -> Iterator[QRectF]:
        """Rectangles covered by points, error bars and lines."""
        for series in self.series:
            ends = zip(self._heights(mapping, series, series.lows), self._heights(mapping, series, series.highs),
                       strict=True)  # fmt: skip
            for x, (low, high) in zip(mapping.pixels(series.points)[:, 0].tolist(), ends, strict=True):
                yield QRectF(x, high, 0, low - high).adjusted(-MARKER, -MARKER, MARKER, MARKER)
        lines = [*(series.fit for series in self.series if len(series.fit)), *(r.ends for r in self.references)]
        for line in lines:
            for x, y in _pieces(mapping.pixels(line)):
                yield QRectF(x - 1, y - 1, 2, 2)


def names_width(all_series: list[Series]) -> float:
    """Width in pixels of the names and exponents of engines."""
    bold, plain = QFontMetricsF(font(SMALL, BOLD)), QFontMetricsF(font(SMALL))
    widths = [max(bold.horizontalAdvance(s.name), plain.horizontalAdvance(s.growth)) for s in all_series]
    return max(widths, default=0.0) + 2


def without_overlap(tops: list[float], heights: list[float], area: QRectF) -> list[float]:
    """Tops in ascending order, moved as little as needed so that none overlaps the next and all are inside.

    >>> without_overlap([10.0, 12.0, 95.0], [14.0, 14.0, 14.0], QRectF(0, 0, 10, 100))
    [10.0, 24.0, 86.0]
    """
    found: list[float] = []
    least = area.top()
    for top, height in zip(tops, heights, strict=True):
        found.append(max(top, least))
        least = found[-1] + height
    most = area.bottom()
    for position in reversed(range(len(found))):
        found[position] = min(found[position], most - heights[position])
        most = found[position]
    return found


def _pieces(line: Floats) -> list[list[float]]:
    shares = np.linspace(0, 1, STEPS)[:, None]
    found: list[list[float]] = (line[0] + shares * (line[1] - line[0])).tolist()
    return found


def _candidates(line: Floats, width: float) -> Iterator[QRectF]:
    """Rectangles along a line, from its beginning: to the right, to the left, above, below."""
    across, down = (float(step) for step in line[1] - line[0])
    rise = abs(down / across) * width / 2 + LINE / 2 + 2 if across else 0.0
    for x, y in _pieces(line):
        yield QRectF(x + GRID / 2, y - LINE / 2, width, LINE)
        yield QRectF(x - GRID / 2 - width, y - LINE / 2, width, LINE)
        if across:
            yield QRectF(x - width / 2, y - rise - LINE / 2, width, LINE)
            yield QRectF(x - width / 2, y + rise - LINE / 2, width, LINE)
