"""A plane on which points are painted with the mouse, stroke by stroke."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from workbench.pages.data.dialogs.points_plot import PointsPlot
from workbench.views.look.theme import Theme
from workbench.views.plots.data_view import Span
from workbench.views.plots.plot_style import Mapping, ViewItem

Tool = Literal["brush", "point", "eraser"]
Points = NDArray[np.float64]

LOW, HIGH = 0.0, 10.0
"""Range of both axes."""
MOST_POINTS, MOST_STROKES = 20_000, 50
"""Most points in all, and most strokes that can be undone."""


class Canvas(PointsPlot):
    """Turns mouse strokes into points; keeps the points from before each stroke, for undo."""

    changed = Signal()

    def __init__(self) -> None:
        # Set before the base class is initialised, which calls set_theme.
        self._ring = _Ring()
        super().__init__()
        self.tool: Tool = "brush"
        self.code = 0
        self.reach, self.density = 0.8, 6
        self._points: Points = np.empty((0, 3))
        self._before: list[Points] = []
        self._last: tuple[float, float] | None = None
        self._random = np.random.default_rng(0)
        self.plot.addItem(self._ring, ignoreBounds=True)
        self.plot.view.show_windows(*2 * (Span(LOW, HIGH).padded(0.02),))
        self.set_names("x", "y")
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName("Plane to paint on")
        self.setMinimumSize(320, 320)

    @property
    def all_points(self) -> Points:
        """(n, 3): x, y and the number of the class, in the order of painting."""
        return self._points

    @property
    def can_undo(self) -> bool:
        """Whether there is a stroke to undo."""
        return bool(self._before)

    def undo(self) -> None:
        """Undo the last stroke."""
        if self._before:
            self._points = self._before.pop()
            self._show()

    def clear_points(self) -> None:
        """Remove all points; this can be undone."""
        if len(self._points):
            self._remember()
            self._points = np.empty((0, 3))
            self._show()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        self._ring.set_theme(theme)

    def place(self, pixel: QPoint) -> tuple[float, float]:
        """Coordinates of a pixel of the widget."""
        return self.plot.view.data_at(self.mapToScene(pixel))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Called by Qt: begin a stroke."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._remember()
            self._last = None
            self._stroke(self.place(event.position().toPoint()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Called by Qt: continue a stroke, and move the ring."""
        place = self.place(event.position().toPoint())
        self._ring.move(None if self.tool == "point" else place, self.reach)
        if event.buttons() & Qt.MouseButton.LeftButton and self._before and self.tool != "point":
            self._stroke(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Called by Qt: forget a stroke that changed nothing."""
        if event.button() == Qt.MouseButton.LeftButton and self._before and self._before[-1] is self._points:
            self._before.pop()
            self.changed.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """Called by Qt."""
        super().leaveEvent(event)
        self._ring.move(None, self.reach)

    def _stroke(self, place: tuple[float, float]) -> None:
        if self.tool == "eraser":
            away = np.hypot(*(self._points[:, :2] - place).T) > self.reach
            if not away.all():
                self._points = self._points[away]
                self._show()
            return
        # Spray per distance, not per event: a slow mouse sends many events.
        if self._last is not None and np.hypot(*np.subtract(place, self._last)) < self.reach / 4:
            return
        self._last = place
        self._add(np.array([place]) if self.tool == "point" else self._sprayed(place))

    def _sprayed(self, place: tuple[float, float]) -> Points:
        return np.array(place) + self._random.standard_normal((self.density, 2)) * self.reach / 2

    def _add(self, places: Points) -> None:
        inside = places[((places >= LOW) & (places <= HIGH)).all(axis=1)][: MOST_POINTS - len(self._points)]
        if len(inside):
            self._points = np.vstack([self._points, np.column_stack([inside, np.full(len(inside), self.code)])])
            self._show()

    def _remember(self) -> None:
        self._before = [*self._before, self._points][-MOST_STROKES:]

    def _show(self) -> None:
        x, y, codes = self._points.T
        self.set_points(x, y, codes)
        self.changed.emit()


class _Ring(ViewItem):
    """Outline of brush and eraser."""

    def __init__(self) -> None:
        super().__init__()
        self._place: tuple[float, float] | None = None
        self._size = 1.0
        self.setZValue(20)

    def move(self, place: tuple[float, float] | None, size: float) -> None:
        """Move to coordinates; None hides the ring."""
        self._place, self._size = place, size
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        if self._place is not None:
            x, y = mapping.pixels(np.array(self._place))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.muted), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            right, top = mapping.pixels(np.array(self._place) + self._size)
            painter.drawEllipse(QPointF(x, y), abs(right - x), abs(top - y))
