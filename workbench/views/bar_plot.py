"""The plot of a histogram: bars on whole pixels, and axes that fit the column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QLineF, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip

from workbench.views.bars import EMPTY, Bars
from workbench.views.date_ticks import date_ticks
from workbench.views.plot_style import Axis, Mapping, ViewItem, drop_menu, quiet_pen, ticks
from workbench.views.theme import GRID, SMALL, Theme, font

TIP_CLASSES = 8
"""Classes that a tooltip names."""
COUNT_ROOM, NUMBER_ROOM = 32, 70
"""Pixels for a mark beside the bars, and for a number under them."""


class BarPlot(pg.PlotWidget):
    """Bars over an axis of numbers, dates or labels, and the numbers behind the bar under the mouse."""

    def __init__(self) -> None:
        # Before all else: the base class resizes itself while it is made.
        self._bars, self._labels = EMPTY, ()  # type: tuple[Bars, Sequence[str]]
        self._bottom, self._left = ColumnAxis(), CountAxis("left")
        super().__init__(axisItems={"bottom": self._bottom, "left": self._left}, enableMenu=False, background=None)
        drop_menu(self.plotItem)
        self.setAccessibleName("Histogram")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # no key does anything here
        self._item = BarsItem()
        self.addItem(self._item, ignoreBounds=True)
        self._left.set_title("rows")
        self._lines = RowLines(self._left)
        self.addItem(self._lines, ignoreBounds=True)
        self.plotItem.setContentsMargins(0, GRID, 0, 0)
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.setMinimumHeight(120)

    def show_bars(self, bars: Bars, labels: Sequence[str], name: str) -> None:
        """Draw other bars."""
        self._bars, self._labels = bars, labels
        self._item.set_bars(bars)
        self._bottom.show_bars(bars)
        self._bottom.set_title(name)
        self.setXRange(bars.edges[0], bars.edges[-1], padding=0.02)
        self.setYRange(0, max(1, bars.counts.sum(axis=1).max()) * 1.05, padding=0)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours of a look."""
        self.setBackground(theme.base)
        self._lines.set_theme(theme)
        self._left.set_theme(theme)
        self._bottom.set_theme(theme)
        self._item.set_theme(theme)

    def bar_at(self, place: QPoint) -> int | None:
        """The bar under a place of the widget."""
        x = self.plotItem.vb.mapSceneToView(self.mapToScene(place)).x()
        bar = int(np.searchsorted(self._bars.edges, x, side="right")) - 1
        return bar if 0 <= bar < len(self._bars.counts) else None

    def words(self, bar: int) -> str:
        """What a bar shows."""
        counts = self._bars.counts[bar]
        named = [f"{label}: {count:,}" for label, count in zip(self._labels, counts.tolist(), strict=False) if count]
        more = [f"{len(named) - TIP_CLASSES} more classes"] if len(named) > TIP_CLASSES else []
        return "\n".join([f"{self._bars.names[bar]}: {counts.sum():,} rows", *named[:TIP_CLASSES], *more])

    def viewportEvent(self, event: QEvent) -> bool:
        """Qt's: the numbers behind a bar as a tooltip."""
        if isinstance(event, QHelpEvent) and not self._bars.is_empty:
            bar = self.bar_at(event.pos())
            QToolTip.showText(event.globalPos(), "" if bar is None else self.words(bar), self)
            return True
        return bool(super().viewportEvent(event))

    def resizeEvent(self, event: Any) -> None:
        """Qt's: names of bars come and go with the room they have."""
        super().resizeEvent(event)
        if self._bars.labels:
            self._bottom.show_bars(self._bars)


class BarsItem(ViewItem):
    """All pieces of all bars, on whole pixels and with one pixel between two bars."""

    def __init__(self) -> None:
        super().__init__()
        self._bars = EMPTY

    def set_bars(self, bars: Bars) -> None:
        """Draw other bars."""
        self._bars = bars
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels: rows without a class are grey, and blue where there are no classes at all."""
        m, counts = mapping.transform, self._bars.counts
        sides = np.rint(self._bars.edges * m.m11() + m.dx())
        heights = np.cumsum(np.column_stack([np.zeros(len(counts)), counts]), axis=1)
        levels = np.rint(heights * m.m22() + m.dy())
        widths = np.maximum(1, np.diff(sides) - 1)
        painter.setPen(quiet_pen())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for code in range(counts.shape[1]):
            painter.setBrush(QColor(self._colour(code)))
            places = np.column_stack([sides[:-1], levels[:, code + 1], widths, levels[:, code] - levels[:, code + 1]])
            painter.drawRects([QRectF(*place) for place in places[counts[:, code] > 0].tolist()])

    def _colour(self, code: int) -> str:
        last = self._bars.counts.shape[1] - 1
        return self.theme.class_colour(code if code < last else -1) if last else self.theme.accent


class RowLines(ViewItem):
    """Thin lines at the marks of the left axis, behind the bars."""

    def __init__(self, left: Axis) -> None:
        super().__init__()
        self._left = left
        self.setZValue(-100)

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        view, area, m = self.viewRect(), mapping.area, mapping.transform
        ((_, values),) = self._left.tickValues(view.top(), view.bottom(), area.height() / mapping.ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(QColor(self.theme.grid), 1.0))
        heights = (round(value * m.m22() + m.dy()) + 0.5 for value in values)
        painter.drawLines([QLineF(area.left(), y, area.right(), y) for y in heights])


class CountAxis(Axis):
    """Whole numbers alone, closer than on other axes: histograms are low."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """pyqtgraph's."""
        found = ticks(minVal, maxVal, size / COUNT_ROOM)
        return [(max(found.step, 1.0), [value for value in found.values.tolist() if value == int(value)])]


class ColumnAxis(Axis):
    """Numbers, dates or labels, as the column has them."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self._bars = EMPTY
        self._dates: dict[float, str] = {}

    def show_bars(self, bars: Bars) -> None:
        """Mark what the bars stand for."""
        self._bars = bars
        self.setTicks([self._label_ticks(bars)] if bars.labels else [[]] if bars.is_empty else None)

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """pyqtgraph's."""
        if self._bars.is_date:
            found_dates = date_ticks(minVal, maxVal, size)
            self._dates = dict(zip(found_dates.seconds, found_dates.texts, strict=True))
            return [(1.0, found_dates.seconds)]
        found = ticks(minVal, maxVal, size / NUMBER_ROOM)
        return [(found.step, found.values.tolist())]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """pyqtgraph's."""
        if self._bars.is_date:
            return [self._dates.get(value, "") for value in values]
        return super().tickStrings(values, scale, spacing)

    def _label_ticks(self, bars: Bars) -> list[tuple[int, str]]:
        """Labels where they fit, shortened if need be; otherwise their numbers in the list of labels."""
        metrics, labels = QFontMetrics(font(SMALL)), bars.labels
        room = max(1, int(self.width() / len(labels)) - 8)
        widest = max(metrics.horizontalAdvance(label) for label in labels)
        if room >= min(widest, metrics.horizontalAdvance("labels…")):
            elided = (metrics.elidedText(label, Qt.TextElideMode.ElideRight, room) for label in labels)
            return list(enumerate(elided))
        every = 1 + metrics.horizontalAdvance(f" {bars.numbers[-1]}") // room
        return [(place, str(bars.numbers[place])) for place in range(0, len(bars.numbers), every)]
