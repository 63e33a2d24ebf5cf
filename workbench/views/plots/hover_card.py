"""What is said of the thing under the pointer of a plot, and a ring around the point that it is said of."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID
from workbench.views.plots.plot_style import Mapping, ViewItem

RADIUS = 6.0


class HoverCard(Label):
    """A text beside a place of its parent, where there is room."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, manner="card")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setMargin(GRID)
        self.hide()

    def tell(self, text: str, at: QPoint) -> None:
        """Show a text beside a place."""
        self.setText(text)
        self.adjustSize()
        parent = self.parentWidget()
        assert parent is not None
        width, height = self.width(), self.height()
        left = at.x() + 2 * GRID if at.x() + 2 * GRID + width <= parent.width() else at.x() - 2 * GRID - width
        top = min(max(0, at.y() - height - GRID), max(0, parent.height() - height))
        self.move(QPoint(max(0, left), top))
        self.show()


class RingItem(ViewItem):
    """A ring around one point, above all points."""

    def __init__(self) -> None:
        super().__init__()
        self.place: tuple[float, float] | None = None
        """In the units of the plot; None where no ring is drawn."""
        self.setZValue(25)

    def set_place(self, place: tuple[float, float] | None) -> None:
        """Move to a point."""
        if place != self.place:
            self.place = place
            self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        if self.place is None:
            return
        x, y = mapping.pixels(np.array(self.place))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, width in ((self.theme.base, 4.0), (self.theme.text, 2.0)):
            painter.setPen(QPen(QColor(ink), width))
            painter.drawEllipse(QPointF(x, y), RADIUS, RADIUS)
