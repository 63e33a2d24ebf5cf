"""A plot with its legend, pointer and keyboard navigation, and pictures for files and the clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from workbench.views.look import pictures
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.views.plots.legend_item import LegendItem
from workbench.views.plots.plot_style import Plot

PAN, ZOOM = 0.1, 0.8
"""Per key press: the share of the view moved, and the zoom factor."""
ARROWS = {
    Qt.Key.Key_Left: (-PAN, 0.0),
    Qt.Key.Key_Right: (PAN, 0.0),
    Qt.Key.Key_Up: (0.0, PAN),
    Qt.Key.Key_Down: (0.0, -PAN),
}
ZOOMS = {Qt.Key.Key_Plus: ZOOM, Qt.Key.Key_Equal: ZOOM, Qt.Key.Key_Minus: 1 / ZOOM}


class PlotArea(pg.GraphicsLayoutWidget):
    """The plot can be dragged, zoomed by the wheel, and moved by the arrows, + and -; 0 or a double click fits it."""

    pointed = Signal(object)
    """The pointer's position (x, y) in the units of the plot; None when it has left."""
    clicked = Signal(float, float)
    moved_by_user = Signal()
    fit_wanted = Signal()

    def __init__(self, parent: QWidget | None = None, plot: Plot | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self.held = Qt.KeyboardModifier.NoModifier
        """Keys that were held at the latest click."""
        self._is_portrayed = False
        """While a picture is made, in which the focus frame is not drawn."""
        self.legend, self.plot = LegendItem(), plot or Plot()
        self.ci.layout.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        self.ci.layout.setSpacing(0)
        self.addItem(self.legend, 0, 0)
        self.addItem(self.plot, 1, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plot.vb.sigRangeChangedManually.connect(lambda *_: self.moved_by_user.emit())
        self.scene().sigMouseMoved.connect(self._point)
        self.scene().sigMouseClicked.connect(self._click)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.setBackground(theme.base)
        self.legend.set_theme(theme)
        self.plot.set_theme(theme)

    def draw_picture(self, path: str | Path) -> pictures.Write:
        """Draw the plot as PNG or SVG, by the file's ending, and return a function that writes it."""
        return pictures.drawn(path, self.picture, self.svg)

    def picture(self) -> QImage:
        """The plot as an image in twice the resolution."""
        image = QImage(self.viewport().size() * pictures.FINENESS, QImage.Format.Format_RGB32)
        image.fill(QColor(self._theme.base))
        self._paint(image, QRectF(image.rect()))
        image.setDevicePixelRatio(pictures.FINENESS)
        return image

    def svg(self) -> bytes:
        """The plot as the bytes of an SVG file."""
        size = self.viewport().size()
        whole = QRectF(0, 0, size.width(), size.height())
        return pictures.svg_of(
            size, self.logicalDpiX(), "Fast IGMN workbench", lambda device: self._paint(device, whole)
        )

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(480, 320)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt."""
        key = Qt.Key(event.key())
        view = self.plot.vb.viewRect()
        if key in ARROWS:
            x, y = ARROWS[key]
            self.plot.vb.translateBy(x=x * view.width(), y=y * view.height())
        elif key in ZOOMS:
            self.plot.vb.scaleBy((ZOOMS[key], ZOOMS[key]))
        elif key in {Qt.Key.Key_0, Qt.Key.Key_Home}:
            self.fit_wanted.emit()
            return
        else:
            super().keyPressEvent(event)
            return
        self.plot.view.settle()
        self.moved_by_user.emit()

    @safe
    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Called by Qt: draws the focus frame."""
        super().drawForeground(painter, rect)
        if self.hasFocus() and not self._is_portrayed:
            painter.setPen(QPen(QColor(self._theme.accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.mapToScene(self.viewport().rect()).boundingRect().adjusted(0.5, 0.5, -1.5, -1.5))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Called by Qt."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Called by Qt."""
        super().focusOutEvent(event)
        self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        """Called by Qt."""
        super().leaveEvent(event)
        self.pointed.emit(None)

    def _point(self, place: QPointF) -> None:
        inside = self.plot.vb.sceneBoundingRect().contains(place)
        self.pointed.emit(self._units(place) if inside else None)

    def _click(self, event: Any) -> None:
        inside = self.plot.vb.sceneBoundingRect().contains(event.scenePos())
        if event.button() != Qt.MouseButton.LeftButton or not inside:
            return
        if event.double():
            self.fit_wanted.emit()
        else:
            self.held = event.modifiers()
            self.clicked.emit(*self._units(event.scenePos()))

    def _units(self, place: QPointF) -> tuple[float, float]:
        return self.plot.view.data_at(place)

    def _paint(self, device: Any, target: QRectF) -> None:
        self.scene().prepareForPaint()
        self._is_portrayed = True
        painter = QPainter(device)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.render(painter, target, self.viewport().rect())
        painter.end()
        self._is_portrayed = False
