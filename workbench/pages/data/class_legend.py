"""Legend of the colours and shapes of classes, wrapped over several lines."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.run.show.frame import Scheme
from workbench.views.look.naming import one_line, plain_tip
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.palettes import code_colour, code_shape
from workbench.views.plots.points_item import symbol

MARK = 9
"""Pixels of a shape."""
WIDEST = 160
"""Most pixels of a label; longer ones are elided."""


class ClassLegend(QWidget):
    """Shape, colour and name of each class."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: tuple[str, ...] = ()
        self._scheme: Scheme = "classes"
        self._colours: tuple[int, ...] = ()
        self._theme = LIGHT
        self._metrics = QFontMetrics(font(SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setObjectName("classLegend")
        self.hide()

    def show_labels(
        self, labels: Sequence[str], scheme: Scheme = "classes", colours: Sequence[int] | None = None
    ) -> None:
        """Show these classes, components or ranges, in colours of the scheme; an empty sequence hides the legend."""
        self._labels = tuple(map(one_line, labels))
        self._scheme, self._colours = scheme, tuple(range(len(labels)) if colours is None else colours)
        self.setVisible(bool(labels))
        self.setAccessibleName("Classes: " + ", ".join(self._labels))
        self.setToolTip(plain_tip("\n".join(self._labels)))
        self.updateGeometry()
        self.update()

    def labels(self) -> tuple[str, ...]:
        """Classes shown."""
        return self._labels

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(200, self.heightForWidth(max(200, self.width())))

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(80, self._line())

    def heightForWidth(self, width: int) -> int:
        """Called by Qt."""
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(SMALL))
        for code, (label, place) in enumerate(zip(self._labels, self._places(self.width()), strict=True)):
            centre = QPointF(place.left() + MARK / 2, place.center().y() + 0.5)
            draw_mark(painter, centre, MARK, self._colours[code], self._theme, self._scheme)
            painter.setPen(QColor(self._theme.muted))
            painter.drawText(place.adjusted(MARK + 4, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._cut(label))
        painter.end()

    def _places(self, width: int) -> list[QRect]:
        found, x, y = [], 0, 0
        for label in self._labels:
            size = MARK + 4 + self._metrics.horizontalAdvance(self._cut(label)) + 2
            if x and x + size > width:
                x, y = 0, y + self._line()
            found.append(QRect(x, y, size, self._line()))
            x += size + GRID
        return found

    def _line(self) -> int:
        return self._metrics.height() + 4

    def _cut(self, label: str) -> str:
        return self._metrics.elidedText(one_line(label), Qt.TextElideMode.ElideRight, WIDEST)


def draw_mark(
    painter: QPainter, centre: QPointF, size: float, code: int, theme: Theme, scheme: Scheme = "classes"
) -> None:
    """Draw the shape of a class in its colour."""
    path = symbol(code_shape(theme, scheme, code), size).translated(centre)
    painter.fillPath(path, QColor(code_colour(theme, scheme, code)))


def class_mark(code: int, theme: Theme, size: int = 16) -> QPixmap:
    """The shape of a class as a picture for buttons."""
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_mark(painter, QPointF(size / 2, size / 2), 0.8 * size, code, theme)
    painter.end()
    return picture
