"""The plot of a histogram: bars on whole pixels, and axes that fit the column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip

from workbench.pages.data.attributes.bars import EMPTY, Bars
from workbench.views.fields.selection_button import how_of
from workbench.views.look.naming import one_line, plain_tip
from workbench.views.look.theme import GRID, SMALL, Theme, font
from workbench.views.plots.data_view import DataView, Span
from workbench.views.plots.date_ticks import date_ticks
from workbench.views.plots.palettes import code_colour
from workbench.views.plots.plot_style import Axis, Mapping, Marks, ViewItem, drop_menu, quiet_pen, round_marks
from workbench.views.plots.plot_units import Exact

TIP_CLASSES = 8
"""Classes that a tooltip names."""
FAINT = 0.3
"""Opacity of bars where only some of their rows are selected."""
COUNT_ROOM, NUMBER_ROOM = 32, 70
"""Pixels per tick of the count axis, and of the column axis."""


class BarPlot(pg.PlotWidget):
    """Bars over an axis of numbers, dates or labels, and a tooltip with the counts of a bar.

    A click chooses a bar, a drag several; with the keyboard, Left and Right go to a bar and Space chooses it.
    """

    bars_chosen = Signal(int, int, str)
    """The first and the last bar, and what to do with their rows."""

    def __init__(self) -> None:
        # Set before the base class is initialised, which calls resizeEvent.
        self._bars = EMPTY
        self._bottom, self._left = ColumnAxis(), CountAxis("left")
        axes = {"bottom": self._bottom, "left": self._left}
        self._view = DataView()
        super().__init__(viewBox=self._view, axisItems=axes, enableMenu=False, background=None)
        drop_menu(self.plotItem)
        self.setAccessibleName("Histogram")
        self.setObjectName("barPlot")
        self.setToolTip("Click a bar, or drag over some, to select their rows")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._item = BarsItem()
        self.addItem(self._item, ignoreBounds=True)
        self._left.set_title("rows")
        self._lines = RowLines(self._left)
        self.addItem(self._lines, ignoreBounds=True)
        self.plotItem.setContentsMargins(0, GRID, 0, 0)
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.setMinimumHeight(120)
        self._tips = BarTips(self)
        self._pressed: int | None = None
        """The bar at which a drag began."""

    @property
    def bars(self) -> Bars:
        """The bars drawn."""
        return self._bars

    def press(self, place: QPoint) -> None:
        """Begin to choose bars."""
        self._pressed = None if self._bars.is_empty else self.bar_at(place)
        self._item.aim(self._pressed, self._pressed)

    def drag(self, place: QPoint) -> None:
        """Extend the choice."""
        bar = self.bar_at(place)
        if self._pressed is not None and bar is not None:
            self._item.aim(*sorted((self._pressed, bar)))

    def release(self, held: Qt.KeyboardModifier) -> None:
        """Choose the bars of the drag."""
        first, last = self._item.aimed
        if self._pressed is not None and first is not None and last is not None:
            self._pressed = None
            self._item.aim(None, None)
            self.bars_chosen.emit(first, last, how_of(held))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt."""
        key, bar = Qt.Key(event.key()), self._item.aimed[0]
        if key in {Qt.Key.Key_Left, Qt.Key.Key_Right} and not self._bars.is_empty:
            step, last = 1 if key == Qt.Key.Key_Right else -1, len(self._bars.counts) - 1
            new = (0 if step > 0 else last) if bar is None else min(max(bar + step, 0), last)
            self._item.aim(new, new)
        elif key == Qt.Key.Key_Space and bar is not None:
            self.bars_chosen.emit(bar, bar, how_of(event.modifiers()))
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Called by Qt."""
        super().focusOutEvent(event)
        self._item.aim(None, None)

    def show_bars(self, bars: Bars, name: str) -> None:
        """Draw these bars."""
        self._bars = bars
        self._item.set_bars(bars)
        self._item.aim(None, None)
        highest = max(1, int(bars.counts.sum(axis=1).max()))
        self._view.show_windows(Span(*bars.edges[[0, -1]].tolist()).padded(0.02), Span(0.0, 1.05 * highest))
        self._bottom.show_bars(bars)
        self._bottom.set_title(name)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.setBackground(theme.base)
        self._lines.set_theme(theme)
        self._left.set_theme(theme)
        self._bottom.set_theme(theme)
        self._item.set_theme(theme)

    def bar_at(self, place: QPoint) -> int | None:
        """Index of the bar at a position in the widget; None if there is none."""
        x, _ = self._view.data_at(self.mapToScene(place))
        bar = int(np.searchsorted(self._bars.edges, x, side="right")) - 1
        return bar if 0 <= bar < len(self._bars.counts) else None

    def words(self, bar: int) -> str:
        """Tooltip text of a bar."""
        counts = self._bars.counts[bar]
        named = [
            f"{one_line(label)}: {count:,}"
            for label, count in zip(self._bars.groups, counts.tolist(), strict=False)
            if count
        ]
        more = [f"{len(named) - TIP_CLASSES} more"] if len(named) > TIP_CLASSES else []
        chosen = self._bars.selected
        selected = [] if chosen is None else [f"selected: {chosen[bar].sum():,}"]
        return "\n".join([f"{self._bars.names[bar]}: {counts.sum():,} rows", *selected, *named[:TIP_CLASSES], *more])

    def show_tip(self, event: QHelpEvent) -> None:
        """Show the counts of the bar under the mouse."""
        bar = None if self._bars.is_empty else self.bar_at(event.pos())
        QToolTip.showText(event.globalPos(), "" if bar is None else plain_tip(self.words(bar)), self)

    def resizeEvent(self, event: Any) -> None:
        """Called by Qt: labels of bars are shown as far as they fit."""
        super().resizeEvent(event)
        if self._bars.labels:
            self._bottom.show_bars(self._bars)


class BarTips(QObject):
    """Event filter for tooltips and the mouse: an override of `viewportEvent` would pass on errors of all events."""

    def __init__(self, plot: BarPlot) -> None:
        super().__init__(plot)
        self._plot = plot
        plot.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: ARG002
        """Called by Qt."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._plot.show_tip(event)
            return True
        if isinstance(event, QMouseEvent):
            self._take_mouse(event)
        return False

    def _take_mouse(self, event: QMouseEvent) -> None:
        place, left = event.position().toPoint(), Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == left:
            self._plot.press(place)
        elif event.type() == QEvent.Type.MouseMove and event.buttons() & left:
            self._plot.drag(place)
        elif event.type() == QEvent.Type.MouseButtonRelease and event.button() == left:
            self._plot.release(event.modifiers())


class BarsItem(ViewItem):
    """All pieces of all bars, on whole pixels and with one pixel between two bars."""

    def __init__(self) -> None:
        super().__init__()
        self._bars = EMPTY
        self.aimed: tuple[int | None, int | None] = (None, None)
        """The first and the last bar that are being chosen."""

    def set_bars(self, bars: Bars) -> None:
        """Draw these bars."""
        self._bars = bars
        self.update()

    def aim(self, first: int | None, last: int | None) -> None:
        """Mark bars that are being chosen."""
        if (first, last) != self.aimed:
            self.aimed = (first, last)
            self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels: rows without a group are grey, or blue if there are no groups."""
        bars = self._bars
        sides = np.rint(mapping.across(bars.edges))
        painter.setPen(quiet_pen())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        self._draw_aim(painter, mapping.area, sides)
        if bars.selected is None:
            self._draw_pieces(painter, mapping, sides, bars.counts)
            return
        # All bars faint, and in front of them the rows that are selected.
        painter.setOpacity(FAINT)
        self._draw_pieces(painter, mapping, sides, bars.counts)
        painter.setOpacity(1.0)
        self._draw_pieces(painter, mapping, sides, bars.selected)

    def _draw_pieces(
        self, painter: QPainter, mapping: Mapping, sides: NDArray[np.float64], counts: NDArray[np.int64]
    ) -> None:
        heights = np.cumsum(np.column_stack([np.zeros(len(counts)), counts]), axis=1)
        levels = np.rint(mapping.up(heights))
        widths = np.maximum(1, np.diff(sides) - 1)
        for code in range(counts.shape[1]):
            painter.setBrush(QColor(self._colour(code)))
            places = np.column_stack([sides[:-1], levels[:, code + 1], widths, levels[:, code] - levels[:, code + 1]])
            painter.drawRects([QRectF(*place) for place in places[counts[:, code] > 0].tolist()])

    def _draw_aim(self, painter: QPainter, area: QRectF, sides: NDArray[np.float64]) -> None:
        first, last = self.aimed
        if first is not None and last is not None and last + 1 < len(sides):
            painter.fillRect(
                QRectF(sides[first], area.top(), sides[last + 1] - sides[first], area.height()),
                QColor(self.theme.selection),
            )

    def _colour(self, code: int) -> str:
        colours = self._bars.colours
        if not colours:
            return self.theme.accent
        return code_colour(self.theme, self._bars.scheme, colours[code] if code < len(colours) else -1)


class RowLines(ViewItem):
    """Grid lines at the ticks of the left axis, behind the bars."""

    def __init__(self, left: Axis) -> None:
        super().__init__()
        self._left = left
        self.setZValue(-100)

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        view, area = mapping.view, mapping.area
        places = self._left.places(view.top(), view.bottom(), area.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(QColor(self.theme.grid), 1.0))
        pixels = mapping.placed(np.array([(view.left(), place) for place in places]).reshape(-1, 2))
        heights = np.rint(pixels[:, 1]) + 0.5
        painter.drawLines([QLineF(area.left(), y, area.right(), y) for y in heights.tolist()])


class CountAxis(Axis):
    """Integer ticks, closer than on other axes since histograms are low."""

    def marks(self, low: Exact, high: Exact, size: float) -> Marks:
        """Ticks between two counts."""
        return round_marks(low, high, size / COUNT_ROOM, "counts")


class ColumnAxis(Axis):
    """Axis of numbers, dates or labels, by the kind of the column."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self._bars = EMPTY

    def show_bars(self, bars: Bars) -> None:
        """Set the ticks for these bars."""
        self._bars = bars
        self.setTicks([self._label_ticks(bars)] if bars.labels else [[]] if bars.is_empty else None)

    def marks(self, low: Exact, high: Exact, size: float) -> Marks:
        """Ticks between two values of the column."""
        if self._bars.is_date:
            return Marks(*date_ticks(float(low), float(high), size))
        return round_marks(low, high, size / NUMBER_ROOM, "whole" if self._bars.is_whole else "numbers")

    def _label_ticks(self, bars: Bars) -> list[tuple[float, str]]:
        """Labels where they fit, elided if necessary; otherwise their numbers in the list of labels."""
        metrics, labels = QFontMetrics(font(SMALL)), [one_line(label) for label in bars.labels]
        room = max(1, int(self.width() / len(labels)) - 8)
        widest = max(metrics.horizontalAdvance(label) for label in labels)
        if room >= min(widest, metrics.horizontalAdvance("labels…")):
            elided = (metrics.elidedText(label, Qt.TextElideMode.ElideRight, room) for label in labels)
            return [(self.units.place(float(place)), text) for place, text in enumerate(elided)]
        every = 1 + metrics.horizontalAdvance(f" {bars.numbers[-1]}") // room
        shown = range(0, len(bars.numbers), every)
        return [(self.units.place(float(place)), str(bars.numbers[place])) for place in shown]
