"""Axes, grid and fonts of all plots, decided once; and items that fill their view and draw in pixels."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTransform
from PySide6.QtWidgets import QWidgetAction
from shiboken6 import delete

from workbench.views.figures import exponent, stepped
from workbench.views.theme import GRID, LIGHT, SMALL, Theme, font

TICK_ROOM = {"bottom": 110.0, "left": 48.0}
"""Pixels of an axis for each of its marks, at least."""
STEPS = (1.0, 2.0, 5.0, 10.0)


class Ticks(NamedTuple):
    """Round numbers on an axis."""

    values: NDArray[np.float64]
    step: float

    def texts(self) -> list[str]:
        """What stands beside them."""
        return [stepped(value, self.step) for value in self.values.tolist()]


def ticks(low: float, high: float, most: float) -> Ticks:
    """Round numbers from low to high, about as many as asked for and never more.

    >>> ticks(0.13, 0.92, 4).values.round(3).tolist()
    [0.2, 0.4, 0.6, 0.8]
    """
    span = high - low
    if not (span > 0 and math.isfinite(span)):
        return Ticks(np.empty(0), 1.0)
    least = span / max(most, 1.0)
    unit = 10.0 ** exponent(least)
    step = next(factor * unit for factor in STEPS if factor * unit >= least * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return Ticks(np.arange(first, last + 1, dtype=np.float64) * step, step)


class Axis(pg.AxisItem):
    """An axis with few marks, in round numbers, in the font of the window."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.enableAutoSIPrefix(False)
        self.setStyle(
            tickLength=0, tickFont=font(SMALL), tickTextOffset=GRID // 2 + 2, autoReduceTextSpace=False,
            maxTickLevel=0, hideOverlappingLabels=False,
        )  # fmt: skip

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Called by pyqtgraph: one level of marks."""
        found = ticks(minVal, maxVal, size / TICK_ROOM[self.orientation])
        return [(found.step, found.values.tolist())]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:  # noqa: ARG002
        """Called by pyqtgraph: what stands at the marks."""
        return [stepped(value, spacing) for value in values]

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours of a look."""
        self.setPen(pg.mkPen(theme.border))
        self.setTextPen(pg.mkPen(theme.muted))
        self.label.setFont(font(SMALL))
        self.label.setDefaultTextColor(QColor(theme.muted))

    def set_title(self, text: str) -> None:
        """Name what the axis shows, unless it is so named already: that would cost a new layout."""
        if text != self.labelText:
            self.setLabel(text)
            self.label.setFont(font(SMALL))
            self.label.setDefaultTextColor(self.textPen().color())
            # pyqtgraph centres a title only when the axis is resized.
            self.resizeEvent(None)

    def resizeEvent(self, ev: Any = None) -> None:
        """Called by Qt: a title longer than its axis is cut, or it would run into what stands beside."""
        if self.label is not None and self.labelText:
            room = self.size().width() if self.orientation == "bottom" else self.size().height()
            metrics = QFontMetricsF(font(SMALL))
            self.label.setPlainText(metrics.elidedText(self.labelText, Qt.TextElideMode.ElideRight, room - GRID))
        super().resizeEvent(ev)


class Mapping(NamedTuple):
    """From the units of a view to the pixels of its window."""

    transform: QTransform
    area: QRectF
    """The view in pixels."""
    ratio: float
    """Pixels of the device to one of the window; a saved picture has more of them than the screen."""

    def pixels(self, points: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Points (..., 2) in pixels."""
        m = self.transform
        found: NDArray[np.float64] = points * np.array([m.m11(), m.m22()]) + np.array([m.dx(), m.dy()])
        return found


class ViewItem(pg.GraphicsObject):
    """An item that fills its view whatever is shown of it, and draws in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours of a look."""
        self.theme = theme
        self.update()

    def boundingRect(self) -> QRectF:
        """All that is seen."""
        return QRectF(self.viewRect())

    def viewTransformChanged(self) -> None:
        """Called by pyqtgraph when the view shows something else or is resized."""
        self.prepareGeometryChange()
        super().viewTransformChanged()

    def paint(self, painter: QPainter, *_: Any) -> None:
        """Called by Qt."""
        # From the item to the window, and from there to the device: a saved picture is scaled in the second step.
        inner = self.sceneTransform()
        outer = inner.inverted()[0] * painter.worldTransform()
        ratio = painter.device().devicePixelRatioF() * outer.m11()
        painter.save()
        painter.setWorldTransform(outer)
        self.draw(painter, Mapping(inner, inner.mapRect(self.boundingRect()), ratio))
        painter.restore()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        raise NotImplementedError


class GridItem(ViewItem):
    """Thin lines at the marks of both axes, behind everything."""

    def __init__(self, bottom: Axis, left: Axis) -> None:
        super().__init__()
        self._bottom, self._left = bottom, left
        self.setZValue(-100)

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        view, area, m = self.viewRect(), mapping.area, mapping.transform
        ((_, across),) = self._bottom.tickValues(view.left(), view.right(), area.width())
        ((_, up),) = self._left.tickValues(view.top(), view.bottom(), area.height())
        lines = [QLineF(x, area.top(), x, area.bottom()) for x in (round(v * m.m11() + m.dx()) + 0.5 for v in across)]
        lines += [QLineF(area.left(), y, area.right(), y) for y in (round(v * m.m22() + m.dy()) + 0.5 for v in up)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.theme.grid), 1.0))
        painter.drawLines(lines)


class Plot(pg.PlotItem):
    """A plot in our style: two axes, a grid behind, nothing of pyqtgraph's own menus and buttons."""

    def __init__(self, bottom: Axis | None = None, left: Axis | None = None) -> None:
        self.bottom, self.left = bottom or Axis("bottom"), left or Axis("left")
        super().__init__(axisItems={"bottom": self.bottom, "left": self.left}, enableMenu=False)
        drop_menu(self)
        self.hideButtons()
        self.vb.setBorder(None)
        self.vb.disableAutoRange()
        self.grid = GridItem(self.bottom, self.left)
        self.addItem(self.grid, ignoreBounds=True)

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours of a look."""
        for part in (self.bottom, self.left, self.grid):
            part.set_theme(theme)


def drop_menu(plot: pg.PlotItem) -> None:
    """Delete the menu of 65 widgets that pyqtgraph makes for every plot: nobody opens it here, and it has no parent."""
    for part in (plot.ctrlMenu, *plot.findChildren(QWidgetAction)):
        delete(part)
    plot.ctrlMenu = plot.ctrl = plot.stateGroup = None


def colour(name: str, alpha: float = 1.0) -> QColor:
    """A colour of the theme, more or less transparent."""
    found = QColor(name)
    found.setAlphaF(alpha)
    return found


def quiet_pen() -> QPen:
    """For what is filled and not outlined."""
    return QPen(Qt.PenStyle.NoPen)
