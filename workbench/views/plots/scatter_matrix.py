"""A scatter matrix: every pair of up to six columns with samples and ellipses, and each column's distribution.

One widget paints all cells: 21 plots of their own would take ten times as long to lay out and draw.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from figmn.system.arrays import Bools, Floats
from workbench.run.show.frame import Frame
from workbench.run.show.matrix import Matrix
from workbench.views.look import pictures
from workbench.views.look.naming import named, one_line, plain_tip
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.plots.component_state import at_risk, newborn
from workbench.views.plots.data_view import Span
from workbench.views.plots.ellipses_item import DrawnComponents, EllipsesItem
from workbench.views.plots.legend_item import LegendItem
from workbench.views.plots.matrix_figures import column_range, density_curve, tick_shares
from workbench.views.plots.mixture_plot import Scene, show_legend
from workbench.views.plots.plot_style import Mapping, colour, day_marks, round_marks
from workbench.views.plots.plot_units import Units
from workbench.views.plots.points_item import PointsItem

GAP = 6
"""Pixels between two cells."""
LEFT, BOTTOM, TOP = 56, 22, 4
"""Pixels for the numbers at the left and below, and above all."""
FEW_POINTS = 3_000
SMALL_POINT, TINY_POINT = 4, 2
"""Pixels of a point, up to `FEW_POINTS` and beyond."""
BINS = 30
"""Bars of a histogram."""
TICK_ROOM = {"bottom": 46.0, "left": 26.0}
"""Least pixels between two numbers."""
HELP = "Click a cell, or choose it by the arrow keys and press Enter, to draw its two columns alone"


class CellPoints(PointsItem):
    """Small points: a cell is small."""

    def size_of_points(self, ratio: float) -> int:
        """Width of a point in device pixels."""
        size = SMALL_POINT if self.n_points <= FEW_POINTS else TINY_POINT
        return max(TINY_POINT, round(size * ratio))


class CellEllipses(EllipsesItem):
    """Thin ellipses without labels."""

    def __init__(self) -> None:
        super().__init__(is_light=True)

    def _draw_labels(self, *_: Any) -> None:
        """There is no room for labels."""


class ScatterMatrix(QWidget):
    """The lower triangle of all pairs; distributions on the diagonal."""

    pair_chosen = Signal(int, int)
    """Encoded columns of a cell: at the horizontal and at the vertical axis."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "scatterMatrix", "scatter matrix", HELP)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._theme, self._radius, self._is_coloured = LIGHT, 2.0, False
        self._selected: int | None = None
        self._matrix: Matrix | None = None
        self._frame: Frame | None = None
        self._ranges: list[Span] = []
        """Of the columns; they grow with the data."""
        self._seen_key: tuple[Any, ...] = ()
        self._cells: dict[tuple[int, int], tuple[CellPoints, CellEllipses]] = {}
        self._counts: list[Floats] = []
        """Histograms of the columns."""
        self._legend = LegendItem(has_marks=False)
        self._chosen: tuple[int, int] | None = None
        """Row and column of the cell that the keyboard has chosen, or the pointer is over."""

    # Content

    def show_frame(
        self, frame: Frame, n_points: int, radius: float, is_coloured: bool, marked: Bools | None = None
    ) -> None:
        """Draw the matrix of a frame, with its latest `n_points` samples (0: all) and ellipses of this radius.

        `marked` says which of the samples are highlighted; None for none.
        """
        matrix = frame.matrix
        if matrix is None:
            return
        self._frame, self._matrix, self._radius, self._is_coloured = frame, matrix, radius, is_coloured
        points = matrix.points[-n_points:]
        self._grow(matrix, points, (frame.run, matrix.columns))
        self._fill(frame, matrix, points, marked if marked is None or len(marked) == len(points) else None)
        known = (column[np.isfinite(column)] for column in points.T)
        pairs = zip(known, self._ranges, strict=True)
        self._counts = [np.histogram(values, BINS, span)[0].astype(np.float64) for values, span in pairs]
        show_legend(self._legend, Scene.of(frame))
        self.update()

    def clear(self) -> None:
        """Show nothing."""
        self._matrix, self._frame, self._ranges, self._seen_key = None, None, [], ()
        self.update()

    def refit(self) -> None:
        """Let the next frame alone determine the ranges."""
        self._seen_key = ()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self._legend.set_theme(theme)
        for items in self._cells.values():
            for item in items:
                item.set_theme(theme)
        self.update()

    @property
    def columns(self) -> tuple[int, ...]:
        """The encoded columns that are shown."""
        return () if self._matrix is None else self._matrix.columns

    def _grow(self, matrix: Matrix, points: Floats, key: tuple[Any, ...]) -> None:
        found = [column_range(points[:, i], matrix.centres[:, i]) for i in range(len(matrix.columns))]
        if key != self._seen_key:
            self._seen_key, self._ranges = key, found
            return
        pairs = zip(self._ranges, found, strict=True)
        self._ranges = [Span(min(old.low, new.low), max(old.high, new.high)) for old, new in pairs]

    def select(self, id: int | None) -> None:
        """Highlight a component."""
        self._selected = id
        for _, ellipses in self._cells.values():
            ellipses.select(id)
        self.update()

    def _fill(self, frame: Frame, matrix: Matrix, points: Floats, marked: Bools | None) -> None:
        size, census = len(matrix.columns), frame.census
        pairs = [(i, j) for i in range(size) for j in range(i)]
        if set(self._cells) != set(pairs):
            self._cells = {pair: (CellPoints(), CellEllipses()) for pair in pairs}
            self.set_theme(self._theme)
        codes = frame.picture.codes[-len(points) :] if len(points) else frame.picture.codes[:0]
        priors = census.priors if census.n_components else np.empty(0)
        young, risky = newborn(census), at_risk(census)
        is_coloured = self._is_coloured or frame.picture.scheme == "components"
        for (i, j), (dots, ellipses) in self._cells.items():
            x, y = np.ascontiguousarray(points[:, j]), np.ascontiguousarray(points[:, i])
            dots.set_points(x, y, codes, frame.picture.scheme)
            dots.mark(marked)
            pair = [j, i]
            covariances = matrix.covariances[:, pair][:, :, pair]
            components = DrawnComponents(census.ids, matrix.centres[:, pair], covariances, priors, young, risky)
            ellipses.set_manner(is_coloured, False)
            ellipses.set_components(components, self._radius, frame.names)
            ellipses.select(self._selected)

    # Places

    def _cell(self, i: int, j: int) -> QRectF:
        """Row i from above, column j from the left."""
        size = max(1, len(self.columns))
        width = (self.width() - LEFT - GRID - GAP * (size - 1)) / size
        height = (self.height() - BOTTOM - TOP - GAP * (size - 1)) / size
        return QRectF(LEFT + j * (width + GAP), TOP + i * (height + GAP), max(width, 1.0), max(height, 1.0))

    def _cell_at(self, place: QPointF) -> tuple[int, int] | None:
        return next((pair for pair in self._cells if self._cell(*pair).contains(place)), None)

    def _mapping(self, i: int, j: int, ratio: float) -> Mapping:
        across, up = self._ranges[j], self._ranges[i]
        units = (Units.around(*across), Units.around(*up))
        left, right = (units[0].place(end) for end in across)
        low, high = (units[1].place(end) for end in up)
        return Mapping(units, QRectF(left, low, right - left, high - low), self._cell(i, j), ratio)

    # Painting

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QPainter(self)
        self._paint(painter, self.devicePixelRatioF())
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _paint(self, painter: QPainter, ratio: float) -> None:
        painter.fillRect(self.rect(), QColor(self._theme.base))
        matrix = self._matrix
        if matrix is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(SMALL))
        size = len(matrix.columns)
        for i in range(size):
            self._paint_column(painter, matrix, i)
        for i, j in self._cells:
            self._paint_cell(painter, i, j, ratio)
        for i in range(size):
            self._paint_marks(painter, i)
        self._paint_legend(painter)

    def _paint_cell(self, painter: QPainter, i: int, j: int, ratio: float) -> None:
        area = self._cell(i, j)
        painter.save()
        painter.setClipRect(area)
        mapping = self._mapping(i, j, ratio)
        for item in self._cells[i, j]:
            painter.save()
            item.draw(painter, mapping)
            painter.restore()
        painter.restore()
        is_chosen = (i, j) == self._chosen
        painter.setPen(QPen(QColor(self._theme.accent if is_chosen else self._theme.border), 2.0 if is_chosen else 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)

    def _paint_column(self, painter: QPainter, matrix: Matrix, i: int) -> None:
        """The histogram of a column's samples, the density of the mixture in it, and its name."""
        area, span = self._cell(i, i), self._ranges[i]
        frame = self._frame
        assert frame is not None
        counts = self._counts[i]
        places, heights = density_curve(matrix, frame.census.priors, i, span)
        heights = heights * span.width / BINS * counts.sum() if counts.sum() else heights
        top = max(float(counts.max(initial=0.0)), float(heights.max(initial=0.0))) or 1.0
        room = area.height() - QFontMetricsF(font(SMALL)).height() - 4
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(self._theme.muted, 0.35))
        for number, count in enumerate(counts.tolist()):
            height = room * count / top
            left = area.left() + area.width() * number / BINS
            painter.drawRect(QRectF(left, area.bottom() - height, area.width() / BINS, height))
        if len(heights):
            x = area.left() + area.width() * np.linspace(0, 1, len(places))
            y = area.bottom() - room * heights / top
            painter.setPen(QPen(QColor(self._theme.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]))
        painter.setPen(QColor(self._theme.text))
        metrics = QFontMetricsF(font(SMALL))
        text = metrics.elidedText(one_line(matrix.names[i]), Qt.TextElideMode.ElideMiddle, area.width() - 4)
        painter.drawText(area.adjusted(2, 1, -2, 0), Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter, text)
        painter.setPen(QPen(QColor(self._theme.border), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area)

    def _paint_legend(self, painter: QPainter) -> None:
        """In the upper right, where there is no cell."""
        place = self._cell(0, 1).united(self._cell(0, max(1, len(self.columns) - 1)))
        self._legend.resize(place.width() - GRID, self._legend.size().height())
        painter.save()
        painter.translate(place.left() + GRID, place.top())
        self._legend.paint(painter)
        painter.restore()

    def _paint_marks(self, painter: QPainter, i: int) -> None:
        """Numbers of column i below the lowest row and, but for the first, at the left."""
        size = len(self.columns)
        painter.setPen(QColor(self._theme.muted))
        metrics = QFontMetricsF(font(SMALL))
        below = self._cell(size - 1, i)
        for share, text in self._marks(i, below.width(), "bottom"):
            # Inside of its cell, so that it does not meet that of the next.
            width = metrics.horizontalAdvance(text)
            left = below.left() + share * below.width() - width / 2
            left = max(below.left(), min(left, below.right() - width))
            painter.drawText(QRectF(left, below.bottom() + 2, width + 1, BOTTOM - 2), Qt.AlignmentFlag.AlignTop, text)
        if i == 0:
            return  # its row has a distribution alone, whose height is no value of the column
        beside = self._cell(i, 0)
        for share, text in self._marks(i, beside.height(), "left"):
            y = beside.bottom() - share * beside.height()
            place = QRectF(0, y - 8, LEFT - 4, 16)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _marks(self, i: int, size: float, side: str) -> list[tuple[float, str]]:
        """Places from 0 to 1 along the range of a column, and their texts, for an axis of `size` pixels."""
        span, matrix = self._ranges[i], self._matrix
        assert matrix is not None
        if matrix.kinds[i] == "date":
            found = day_marks(span.low, span.high, size)
        else:
            found = round_marks(span.low, span.high, max(size / TICK_ROOM[side], 1.5))
        return [(float(share), text) for share, text in tick_shares(found, span) if 0 <= share <= 1]

    # Pictures

    def draw_picture(self, path: str | Path) -> pictures.Write:
        """Draw the matrix as PNG or SVG, by the file's suffix, and return a function that writes it."""
        return pictures.drawn(path, self.picture, self._svg)

    def picture(self) -> QImage:
        """The matrix as an image in twice the resolution."""
        image = QImage(self.size() * pictures.FINENESS, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(pictures.FINENESS)
        image.fill(QColor(self._theme.base))
        painter = QPainter(image)
        self._paint(painter, pictures.FINENESS)
        painter.end()
        return image

    def _svg(self) -> bytes:
        def draw(device: Any) -> None:
            painter = QPainter(device)
            self._paint(painter, 1.0)
            painter.end()

        return pictures.svg_of(self.size(), self.logicalDpiX(), "Fast IGMN workbench", draw)

    # Mouse and keyboard

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(480, 320)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Called by Qt: the cell under the pointer is marked, and named in full."""
        found = self._cell_at(event.position())
        if found != self._chosen:
            self._choose(found)

    def leaveEvent(self, event: Any) -> None:
        """Called by Qt."""
        super().leaveEvent(event)
        self._choose(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Called by Qt: a click draws the pair alone."""
        found = self._cell_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            self._open(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt: arrows choose a cell, Enter draws it alone."""
        steps = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
        key = Qt.Key(event.key())
        if key in steps and self._cells:
            i, j = self._chosen or (1, 0)
            wanted = (i + steps[key][0], j + steps[key][1]) if self._chosen else (1, 0)
            if wanted in self._cells:
                self._choose(wanted)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} and self._chosen is not None:
            self._open(self._chosen)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Called by Qt."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Called by Qt."""
        super().focusOutEvent(event)
        self.update()

    def _choose(self, cell: tuple[int, int] | None) -> None:
        self._chosen = cell
        names = (
            () if cell is None or self._matrix is None else (self._matrix.names[cell[1]], self._matrix.names[cell[0]])
        )
        self.setToolTip(plain_tip("\n".join([" × ".join(names), HELP])) if names else "")
        self.update()

    def _open(self, cell: tuple[int, int]) -> None:
        if self._matrix is not None:
            self.pair_chosen.emit(self._matrix.columns[cell[1]], self._matrix.columns[cell[0]])
