"""Axes, grid and fonts of all plots; and items that fill their view and draw in pixels."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidgetAction
from shiboken6 import delete

from workbench.views.look.naming import one_line
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.data_view import DataView
from workbench.views.plots.date_ticks import SECONDS, date_ticks
from workbench.views.plots.plot_ticks import (
    LARGEST_LOG,
    LEAST_LOG,
    LOGS_CLOSER,
    MOST,
    log_places,
    power_of_ten,
    ticks,
)
from workbench.views.plots.plot_units import Exact, Units

TICK_ROOM = {"bottom": 110.0, "left": 48.0}
"""Least pixels between two ticks of an axis."""
CLOSER = 3.0
"""How many times closer dates may be on a vertical than on a horizontal axis."""


class Marks(NamedTuple):
    """The ticks of an axis."""

    values: Sequence[Exact]
    """In the data's units."""
    texts: Sequence[str]
    origin: str = ""
    """The offset that the labels are relative to; empty for zero."""


Manner = Literal["numbers", "whole", "counts", "days", "logarithms"]
"""What an axis shows: any numbers; those of a column without fractions; counts; days since 1970, shown as dates;
decimal logarithms, shown as their numbers."""


class Axis(pg.AxisItem):
    """An axis with few ticks at round numbers, in the font of the window."""

    def __init__(self, orientation: str, manner: Manner = "numbers") -> None:
        self._title, self._origin, self._manner = "", "", manner
        self._texts: dict[float, str] = {}
        super().__init__(orientation)
        self.enableAutoSIPrefix(False)
        self.setStyle(
            tickLength=0, tickFont=font(SMALL), tickTextOffset=GRID // 2 + 2, autoReduceTextSpace=False,
            maxTickLevel=0, hideOverlappingLabels=False,
        )  # fmt: skip

    def marks(self, low: Exact, high: Exact, size: float) -> Marks:
        """Ticks between two values of the data, on an axis of `size` pixels."""
        if self._manner == "logarithms":
            return log_marks(float(low), float(high), size / (LOGS_CLOSER * TICK_ROOM[self.orientation]))
        if self._manner == "days":
            return day_marks(float(low), float(high), size * (CLOSER if self.orientation == "left" else 1.0))
        return round_marks(low, high, size / TICK_ROOM[self.orientation], self._manner)

    def set_manner(self, manner: Manner) -> None:
        """Set what the axis shows."""
        if manner != self._manner:
            self._manner = manner
            self.picture = None
            self.update()
            self._show_origin()

    def places(self, low: float, high: float, size: float) -> list[float]:
        """Positions of the ticks in the coordinates of the view."""
        return [self.units.place(value) for value in self._marks(low, high, size).values]

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Called by pyqtgraph: one level of ticks."""
        found = self._marks(minVal, maxVal, size)
        places = [self.units.place(value) for value in found.values]
        self._texts = dict(zip(places, found.texts, strict=True))
        return [(1.0, places)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:  # noqa: ARG002
        """Called by pyqtgraph: labels of the ticks."""
        return [self._texts.get(value, "") for value in values]

    @property
    def units(self) -> Units:
        """The units of the view."""
        view = self.linkedView()
        return view.units[self.orientation == "left"] if isinstance(view, DataView) else Units()

    @safe
    def paint(self, painter: QPainter, *args: Any) -> None:
        """Called by Qt."""
        super().paint(painter, *args)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.setPen(pg.mkPen(theme.border))
        self.setTextPen(pg.mkPen(theme.muted))
        self.label.setFont(font(SMALL))
        self.label.setDefaultTextColor(QColor(theme.muted))

    def set_title(self, text: str) -> None:
        """Set the title, unless it is the same: that would cost a new layout."""
        self._title = one_line(text)
        self._show_title()

    def labelString(self) -> str:
        """Called by pyqtgraph, which renders the title as HTML; a name is plain text."""
        return html.escape(self.labelText)

    def linkedViewChanged(self, view: Any, newRange: Any = None) -> None:
        """Called by pyqtgraph when the view's range changes."""
        super().linkedViewChanged(view, newRange)
        self._show_origin()

    def resizeEvent(self, ev: Any = None) -> None:
        """Called by Qt: a title longer than its axis is elided, or it would overlap its neighbour."""
        if self.label is not None and self.labelText:
            room = self.size().width() if self.orientation == "bottom" else self.size().height()
            metrics = QFontMetricsF(font(SMALL))
            self.label.setPlainText(metrics.elidedText(self.labelText, Qt.TextElideMode.ElideRight, room - GRID))
        super().resizeEvent(ev)

    def _marks(self, low: float, high: float, size: float) -> Marks:
        found = self.marks(self.units.exact(low), self.units.exact(high), size)
        return Marks(found.values[:MOST], found.texts[:MOST], found.origin)

    @safe
    def _show_origin(self) -> None:
        size = self.size().width() if self.orientation == "bottom" else self.size().height()
        low, high = self.range
        self._origin = self._marks(low, high, size).origin if size > 0 else ""
        self._show_title()

    def _show_title(self) -> None:
        text = ", ".join(filter(None, (self._title, f"from {self._origin}" if self._origin else "")))
        if text != self.labelText:
            self.setLabel(text)
            self.label.setFont(font(SMALL))
            self.label.setDefaultTextColor(self.textPen().color())
            # pyqtgraph centres a title only when the axis is resized.
            self.resizeEvent(None)


def round_marks(low: Exact, high: Exact, most: float, manner: Manner = "numbers") -> Marks:
    """Round numbers; whole ones for columns without fractions."""
    found = ticks(low, high, most if manner == "numbers" else float(min(most, max(1, high - low))))
    return Marks(found.exact, found.texts()) if manner == "counts" else Marks(found.exact, *found.short_texts())


def log_marks(low: float, high: float, most: float) -> Marks:
    """Round numbers between two decimal logarithms."""
    found = log_places(max(low, LEAST_LOG), min(high, LARGEST_LOG), most)
    return Marks(found, [power_of_ten(10.0**value) for value in found])


def day_marks(low: float, high: float, size: float) -> Marks:
    """Round dates between two days since 1970."""
    seconds, texts = date_ticks(low * SECONDS["D"], high * SECONDS["D"], size)
    return Marks([second / SECONDS["D"] for second in seconds], texts)


class Mapping(NamedTuple):
    """Maps data to pixels."""

    units: tuple[Units, Units]
    view: QRectF
    """The visible rectangle in the coordinates of the view."""
    area: QRectF
    """The same in pixels."""
    ratio: float
    """Device pixels per pixel of the window; a saved picture has more than the screen."""

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels per unit of the view, horizontally and vertically."""
        return self.area.width() / self.view.width(), self.area.height() / self.view.height()

    def across(self, values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Values of the bottom axis in pixels."""
        found = self.units[0].to_view(values)
        found -= self.view.left()
        found *= self.scale[0]
        found += self.area.left()
        return found

    def up(self, values: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Values of the left axis in pixels, which count from the top."""
        found = self.units[1].to_view(values)
        found -= self.view.top()
        found *= -self.scale[1]
        found += self.area.bottom()
        return found

    def pixels(self, points: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Points (..., 2) of the data in pixels."""
        return np.stack([self.across(points[..., 0]), self.up(points[..., 1])], axis=-1)

    def placed(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points (..., 2) in the coordinates of the view in pixels."""
        across, up = self.scale
        found: NDArray[np.float64] = (points - [self.view.left(), self.view.top()]) * [across, -up]
        found += [self.area.left(), self.area.bottom()]
        return found


FLATTEST = 1e-3
"""Least scale at which anything is drawn."""


class ViewItem(pg.GraphicsObject):
    """An item that fills its view and draws in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.theme = theme
        self.update()

    def boundingRect(self) -> QRectF:
        """The visible rectangle."""
        return QRectF(self.viewRect())

    def viewTransformChanged(self) -> None:
        """Called by pyqtgraph when the view's range or size changes."""
        self.prepareGeometryChange()
        super().viewTransformChanged()

    @safe
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Called by Qt."""
        # From the item to the window, and from there to the device: a saved picture is scaled in the second step.
        inner = self.sceneTransform()
        inverse, is_invertible = inner.inverted()
        outer = inverse * painter.worldTransform()
        if not is_invertible or min(outer.m11(), outer.m22()) < FLATTEST:
            return  # a view without height, in which Qt cannot draw text
        ratio = painter.device().devicePixelRatioF() * outer.m11()
        view = self.boundingRect()
        painter.save()
        try:
            painter.setWorldTransform(outer)
            self.draw(painter, Mapping(self.getViewBox().units, view, inner.mapRect(view), ratio))
        finally:
            painter.restore()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        raise NotImplementedError


class GridItem(ViewItem):
    """Grid lines at the ticks of both axes, behind everything."""

    def __init__(self, bottom: Axis, left: Axis) -> None:
        super().__init__()
        self._bottom, self._left = bottom, left
        self.setZValue(-100)

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        view, area = mapping.view, mapping.area
        across = [(place, view.top()) for place in self._bottom.places(view.left(), view.right(), area.width())]
        up = [(view.left(), place) for place in self._left.places(view.top(), view.bottom(), area.height())]
        pixels = np.rint(mapping.placed(np.array([*across, *up]).reshape(-1, 2))) + 0.5
        lines = [QLineF(x, area.top(), x, area.bottom()) for x in pixels[: len(across), 0].tolist()]
        lines += [QLineF(area.left(), y, area.right(), y) for y in pixels[len(across) :, 1].tolist()]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.theme.grid), 1.0))
        painter.drawLines(lines)


class Plot(pg.PlotItem):
    """A plot with two axes and a grid, without pyqtgraph's menus and buttons."""

    def __init__(self, bottom: Axis | None = None, left: Axis | None = None) -> None:
        self.bottom, self.left = bottom or Axis("bottom"), left or Axis("left")
        self.view = DataView()
        axes = {"bottom": self.bottom, "left": self.left}
        super().__init__(viewBox=self.view, axisItems=axes, enableMenu=False)
        drop_menu(self)
        self.hideButtons()
        self.vb.setBorder(None)
        self.vb.disableAutoRange()
        self.grid = GridItem(self.bottom, self.left)
        self.addItem(self.grid, ignoreBounds=True)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        for part in (self.bottom, self.left, self.grid):
            part.set_theme(theme)


def drop_menu(plot: pg.PlotItem) -> None:
    """Delete the context menu of 65 widgets that pyqtgraph makes for every plot: it is unused and has no parent."""
    for part in (plot.ctrlMenu, *plot.findChildren(QWidgetAction)):
        delete(part)
    plot.ctrlMenu = plot.ctrl = plot.stateGroup = None


def colour(name: str, alpha: float = 1.0) -> QColor:
    """A colour of the theme with an opacity."""
    found = QColor(name)
    found.setAlphaF(alpha)
    return found


def quiet_pen() -> QPen:
    """The pen for shapes that are filled and not outlined."""
    return QPen(Qt.PenStyle.NoPen)
