"""A plot of curves of both methods, with a legend above it and a reading at the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyqtgraph as pg
from pyqtgraph.functions import arrayToQPath
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from figmn.system.arrays import Floats
from workbench.views.look.naming import named, one_line
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.data_view import Span
from workbench.views.plots.plot_area import PlotArea
from workbench.views.plots.plot_style import Mapping, Plot, ViewItem
from workbench.views.plots.points_item import symbol

Ink = Literal["first", "second", "reference"]
SHAPES: dict[Ink, str] = {"first": "o", "second": "s", "reference": "o"}
LINE, MARK, SAMPLE = 18.0, 7.0, 20.0
"""Pixels of a line of the legend, of a marker, and of a line's sample in the legend."""
AIR = 0.04
"""Share of the range that is left around the curves."""


def ink_of(ink: Ink, theme: Theme) -> str:
    """Fast IGMN has the accent colour everywhere; the baseline another."""
    return {"first": theme.accent, "second": theme.classes[1], "reference": theme.muted}[ink]


@dataclass(frozen=True, eq=False)
class Line:
    """One curve."""

    name: str
    """For the legend; empty for none."""
    x: Floats
    y: Floats
    ink: Ink
    has_marks: bool = False
    is_stepped: bool = False
    counts: tuple[str, ...] = ()
    """Texts beside the marks."""

    def at(self, x: float) -> float:
        """The value at a place, that of the nearest point; NaN where there is none."""
        if not len(self.x):
            return float("nan")
        return float(self.y[int(np.argmin(np.abs(self.x - x)))])


class LinesItem(ViewItem):
    """The curves."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[Line, ...] = ()

    def set_lines(self, lines: tuple[Line, ...]) -> None:
        """Draw others."""
        self.lines = lines
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        painter.setClipRect(mapping.area.adjusted(-MARK, -MARK, MARK, MARK))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        taken: list[QRectF] = []
        for line in self.lines:
            x, y = mapping.across(line.x), mapping.up(line.y)
            self._draw_line(painter, line, x, y)
            if line.has_marks or len(x) == 1:
                self._draw_marks(painter, line, x, y)
            self._draw_counts(painter, line, x, y, taken)

    def _draw_line(self, painter: QPainter, line: Line, x: Floats, y: Floats) -> None:
        if line.is_stepped:
            x, y = np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
        if len(x) < 2:  # noqa: PLR2004 - one point makes no line
            return
        pen = pen_of(line.ink, self.theme)
        painter.strokePath(arrayToQPath(x, y, connect="finite"), pen)

    def _draw_marks(self, painter: QPainter, line: Line, x: Floats, y: Floats) -> None:
        painter.setPen(QPen(QColor(self.theme.base), 1.0))
        painter.setBrush(QColor(ink_of(line.ink, self.theme)))
        for place in np.flatnonzero(np.isfinite(x) & np.isfinite(y)):
            painter.drawPath(symbol(SHAPES[line.ink], MARK).translated(x[place], y[place]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _draw_counts(self, painter: QPainter, line: Line, x: Floats, y: Floats, taken: list[QRectF]) -> None:
        """Each text above its mark, or below it; left out where there is no room."""
        painter.setFont(font(SMALL))
        metrics = QFontMetricsF(font(SMALL))
        for text, left, top in zip(line.counts, x.tolist(), y.tolist(), strict=False):
            width = metrics.horizontalAdvance(text)
            for shift in (-LINE, GRID / 2):
                room = QRectF(left - width / 2, top + shift, width, LINE - GRID / 2)
                if not any(room.intersects(other) for other in taken):
                    painter.setPen(QColor(self.theme.muted))
                    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
                    taken.append(room)
                    break


def pen_of(ink: Ink, theme: Theme) -> QPen:
    """The baseline is dashed and references dotted, so that colour is not all that tells them apart."""
    pen = QPen(QColor(ink_of(ink, theme)), 1.0 if ink == "reference" else 1.75)
    if ink != "first":
        pen.setDashPattern([5.0, 3.0] if ink == "second" else [1.5, 3.0])
    return pen


class LineLegend(pg.GraphicsWidget):
    """Names of the curves with samples of their lines, above the plot."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self.entries: tuple[tuple[str, Ink], ...] = ()
        self.setFixedHeight(LINE)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def set_entries(self, entries: Sequence[tuple[str, Ink]]) -> None:
        """Show others."""
        self.entries = tuple(entries)
        self.update()

    @safe
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Called by Qt."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(SMALL))
        metrics, left = QFontMetricsF(font(SMALL)), 0.0
        longest = max(0.0, self.size().width() / max(1, len(self.entries)) - SAMPLE - 2 * GRID)
        for name, ink in self.entries:
            painter.setPen(pen_of(ink, self._theme))
            painter.drawLine(QPointF(left, LINE / 2), QPointF(left + SAMPLE, LINE / 2))
            text = metrics.elidedText(one_line(name), Qt.TextElideMode.ElideMiddle, longest)
            painter.setPen(QColor(self._theme.muted))
            left += SAMPLE + GRID / 2
            width = metrics.horizontalAdvance(text)
            painter.drawText(QRectF(left, 0, width + 2, LINE), Qt.AlignmentFlag.AlignVCenter, text)
            left += width + 2 * GRID


class LinePlot(PlotArea):
    """Curves over two axes; it fits them until the user moves it."""

    reading = Signal(str)
    """Values of the curves at the pointer; empty where it has left."""

    def __init__(self, name: str, spoken: str, plot: Plot | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent, plot)
        named(self, name, spoken)
        self.removeItem(self.legend)
        self.names, self.item = LineLegend(), LinesItem()
        self.addItem(self.names, 0, 0)
        self.plot.addItem(self.item, ignoreBounds=True)
        self.ci.layout.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        self._windows: tuple[Span, Span] | None = None
        self._is_fitted = True
        self.moved_by_user.connect(self._let_go)
        self.fit_wanted.connect(self.fit)
        self.pointed.connect(self._read)

    def set_titles(self, bottom: str, left: str) -> None:
        """Name the axes."""
        self.plot.bottom.set_title(bottom)
        self.plot.left.set_title(left)

    def show_lines(self, lines: Sequence[Line], across: Span | None = None, up: Span | None = None) -> None:
        """Draw curves in these ranges, by default those of the curves."""
        self.item.set_lines(tuple(lines))
        self.names.set_entries([(line.name, line.ink) for line in lines if line.name])
        self.setAccessibleDescription("; ".join(line.name for line in lines if line.name))
        self._windows = (
            across or span_of([line.x for line in lines]),
            up or span_of([line.y for line in lines]),
        )
        if self._is_fitted:
            self.fit()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        self.names.set_theme(theme)
        self.item.set_theme(theme)

    def fit(self) -> None:
        """Fit the view to the curves, and keep it fitted."""
        self._is_fitted = True
        if self._windows is not None:
            self.plot.view.show_windows(*self._windows)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(240, 160)

    def _let_go(self) -> None:
        self._is_fitted = False

    def _read(self, place: tuple[float, float] | None) -> None:
        if place is None:
            self.reading.emit("")
            return
        self.reading.emit(self.reading_at(place[0]))

    def reading_at(self, x: float) -> str:
        """Values of the named curves near a place, in words."""
        texts = [
            f"{one_line(line.name)} {value:.4g}"
            for line in self.item.lines
            if line.name and line.ink != "reference" and np.isfinite(value := line.at(x))
        ]
        return f"{self.plot.bottom.labelText} {x:.4g}: {' · '.join(texts)}" if texts else ""


def span_of(values: Sequence[Floats]) -> Span:
    """The range of all finite values, with some air."""
    known = np.concatenate([np.asarray(one, np.float64).ravel() for one in values]) if values else np.empty(0)
    known = known[np.isfinite(known)]
    if not len(known):
        return Span(0.0, 1.0)
    return Span(float(known.min()), float(known.max())).widened().padded(AIR)
