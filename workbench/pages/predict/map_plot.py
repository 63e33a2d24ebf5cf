"""Answers over a plane of two numbers, drawn: a number by colour, labels by regions."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from pyqtgraph.functions import ndarray_to_qimage
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QToolTip

from figmn.system.arrays import Floats
from workbench.pages.predict.drawing import (
    AXIS,
    TICK_ROOM_UP,
    TITLE,
    Drawing,
    draw_axis_names,
    draw_bottom_axis,
    draw_left_axis,
    left_room,
    marks_of,
    number_marks,
)
from workbench.pages.predict.value_texts import value_text
from workbench.run.ask.maps import AnswerMap
from workbench.views.look.naming import one_line, plain_tip
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, SMALL, Theme, font
from workbench.views.plots.plot_style import colour
from workbench.views.plots.points_item import draw_latest, premultiplied, symbol
from workbench.words.counts import counted
from workbench.words.numbers import percent, short

HEIGHT = 300
"""Pixels of the widget."""
BAR, SIDE = 10, 76
"""Pixels of the colour bar, and of all that stands right of the area beside a number."""
LEGEND, LINE, MOST_LABELS = 132, 18, 12
"""Pixels of the legend beside regions and of a line of it, and labels that it names."""
MOST_POINTS, SYMBOL, RIM = 600, 7.0, 1.6
FAINTEST, STRONGEST = 0.12, 0.62
"""Opacity of a region where all labels are as likely, and where one is certain."""
LEVELS, STALE = 256, 0.6
"""Steps of colour, and opacity of a map of another question, which is grey."""


class MapPlot(Drawing):
    """Cells, the rows of the table over them, and the place of the question. A click asks about another place."""

    place_chosen = Signal(float, float)
    """Values across and up."""

    def __init__(self) -> None:
        super().__init__("answerMap", HEIGHT)
        self._map: AnswerMap | None = None
        self._at: tuple[float | None, float | None] = (None, None)
        self._layer = QPixmap()
        """Cells, points and legend, kept while only the mark of the question moves."""
        self.setCursor(Qt.CursorShape.CrossCursor)

    def show_map(self, found: AnswerMap, at: tuple[float | None, float | None], is_current: bool) -> None:
        """Draw a map with the known values of its axes, None where open; in grey where it is of another question."""
        if found is not self._map:
            self._layer = QPixmap()
        self._map, self._at, self.is_current = found, at, is_current
        what = "regions" if found.wanted.has_labels else "map"
        self.setAccessibleName(f"{what} of {found.wanted.name} over {found.across.name} and {found.up.name}")
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._layer = QPixmap()
        super().set_theme(theme)

    def area(self) -> QRectF:
        """The pixels of the cells."""
        if self._map is None:
            return QRectF()
        side = LEGEND if self._map.wanted.has_labels else SIDE
        height = self.height() - AXIS - 2 * TITLE
        left = left_room(self._map.up, self._map.key.ends[1], height)
        return QRectF(left, TITLE, self.width() - left - GRID - side, height)

    def place_of(self, pixel: QPointF) -> tuple[float, float] | None:
        """The values at a pixel; None outside the cells."""
        area = self.area()
        if self._map is None or not area.contains(pixel):
            return None
        (left, right), (bottom, top) = self._map.key.ends
        across, up = (pixel.x() - area.left()) / area.width(), (area.bottom() - pixel.y()) / area.height()
        return left + (right - left) * across, bottom + (top - bottom) * up

    def words_at(self, place: tuple[float, float]) -> str:
        """What the map says at a place."""
        found = self._map
        assert found is not None, "there are places only on a map"
        row, column = (
            min(int((value - low) / (high - low) * count), count - 1)
            for value, (low, high), count in zip(place[::-1], found.key.ends[::-1], found.values.shape, strict=True)
        )
        value = float(found.values[row, column])
        where = ", ".join(
            f"{one_line(axis.name)} {value_text(axis, at)}"
            for axis, at in zip((found.across, found.up), place, strict=True)
        )
        if found.wanted.has_labels:
            return f"{where}\n{one_line(found.wanted.labels[found.best[row, column]])}, {percent(value)}"
        is_date = found.wanted.block.kind == "date" and found.key.figure == "mean"
        return f"{where}\n{value_text(found.wanted, value) if is_date else short(value)}"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        place = self.place_of(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.place_chosen.emit(*place)
        else:
            super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Called by Qt: the tooltip is that of the place."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self.place_of(QPointF(event.pos()))
            if place is not None:
                QToolTip.showText(event.globalPos(), plain_tip(self.words_at(place)), self)
                return True
        return super().event(event)

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        found, area = self._map, self.area()
        if found is None or area.width() <= 0:
            return
        ratio = self.devicePixelRatioF()
        if self._layer.size() != self.size() * ratio:
            self._layer = QPixmap(self.size() * ratio)
            self._layer.setDevicePixelRatio(ratio)
            self._layer.fill(QColor(self.theme.panel))
            self._draw_layer(found, area)
        painter = QPainter(self)
        if self.is_current:
            painter.drawPixmap(0, 0, self._layer)
        else:
            grey = self._layer.toImage().convertToFormat(QImage.Format.Format_Grayscale8)
            painter.setOpacity(STALE)
            painter.drawImage(0, 0, grey)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area)
        self._draw_question(painter, found, area)
        painter.end()

    def _draw_layer(self, found: AnswerMap, area: QRectF) -> None:
        across, up = found.key.ends
        painter = QPainter(self._layer)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_bottom_axis(painter, self.theme, area, found.across, across)
        draw_left_axis(painter, self.theme, area, found.up, up)
        draw_axis_names(painter, self.theme, area, found.across.name, found.up.name)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, self._picture(found))
        if found.wanted.has_labels:
            self._draw_legend(painter, found, area)
        else:
            self._draw_bar(painter, found, area)
        painter.setClipRect(area)
        self._draw_points(painter, found, area)
        painter.end()

    # Cells

    def _picture(self, found: AnswerMap) -> QImage:
        if found.wanted.has_labels:
            pixels = region_pixels(found, self.theme)
        else:
            low, high = _ends(found.values)
            levels = (found.values - low) / (high - low) if high > low else np.zeros_like(found.values)
            table = _number_colours()
            pixels = table[np.clip(levels * (LEVELS - 1), 0, LEVELS - 1).astype(np.intp)]
        image: QImage = ndarray_to_qimage(np.ascontiguousarray(pixels[::-1]), QImage.Format.Format_ARGB32_Premultiplied)
        return image.copy()  # with pixels of its own

    def _draw_bar(self, painter: QPainter, found: AnswerMap, area: QRectF) -> None:
        """The colours, and what they stand for."""
        low, high = _ends(found.values)
        bar = QRectF(area.right() + GRID, area.top(), BAR, area.height())
        column = np.ascontiguousarray(_number_colours()[::-1, None])
        painter.drawImage(bar, ndarray_to_qimage(column, QImage.Format.Format_ARGB32_Premultiplied))
        painter.setFont(font(SMALL))
        painter.setPen(QColor(self.theme.muted))
        if not high > low:
            room = QRectF(bar.right() + 4, area.center().y() - 8, SIDE - BAR, 16)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, short(low))
            return
        most = area.height() / TICK_ROOM_UP
        if found.key.figure == "mean":
            marks = marks_of(found.wanted, low, high, most, area.height())
        else:  # widths have no date
            marks = number_marks(low, high, most)
        for value, text in marks:
            y = area.bottom() - area.height() * (value - low) / (high - low)
            painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y))
            room = QRectF(bar.right() + 5, y - 8, SIDE - BAR - 5, 16)
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def _draw_legend(self, painter: QPainter, found: AnswerMap, area: QRectF) -> None:
        labels, metrics = found.wanted.labels, QFontMetricsF(font(SMALL))
        painter.setFont(font(SMALL))
        left = area.right() + 2 * GRID
        for place, label in enumerate(labels[:MOST_LABELS]):
            middle = area.top() + place * LINE + LINE / 2
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.theme.class_colour(place)))
            painter.drawPath(symbol(self.theme.class_shape(place), SYMBOL + 1).translated(left, middle))
            painter.setPen(QColor(self.theme.text))
            room = QRectF(left + GRID, middle - LINE / 2, LEGEND - 4 * GRID, LINE)
            text = metrics.elidedText(one_line(label), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        if len(labels) > MOST_LABELS:
            painter.setPen(QColor(self.theme.muted))
            room = QRectF(left + GRID, area.top() + MOST_LABELS * LINE, LEGEND - 4 * GRID, LINE)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, f"and {counted(len(labels) - MOST_LABELS, 'other')}")

    # Over the cells

    def _draw_points(self, painter: QPainter, found: AnswerMap, area: QRectF) -> None:
        points = found.points
        points = points[:: max(1, math.ceil(len(points) / MOST_POINTS))]
        low, high = _ends(found.values)
        has_levels = not found.wanted.has_labels and found.key.figure == "mean" and high > low
        painter.setPen(QPen(QColor(self.theme.base), RIM))
        for pixel, value in zip(_pixels(found, area, points[:, :2]), points[:, 2].tolist(), strict=True):
            code = int(value) if found.wanted.has_labels and math.isfinite(value) else -1
            ink = self.theme.class_colour(code)
            if has_levels and math.isfinite(value):
                level = round(min(max((value - low) / (high - low), 0.0), 1.0) * (LEVELS - 1))
                ink = _viridis()[level].name()
            painter.setBrush(QColor(ink))
            painter.drawPath(symbol(self.theme.class_shape(code), SYMBOL).translated(pixel))

    def _draw_question(self, painter: QPainter, found: AnswerMap, area: QRectF) -> None:
        """The place of the question; a line where one of its values is open."""
        x, y = self._at
        (left, right), (bottom, top) = found.key.ends
        if x is not None and y is not None:
            (pixel,) = _pixels(found, area, np.array([[x, y]]))
            painter.translate(pixel)
            draw_latest(painter, self.theme, 7.0)
            return
        painter.setPen(QPen(QColor(self.theme.text), 1.4, Qt.PenStyle.DashLine))
        if x is not None:
            painter.drawLine(*_pixels(found, area, np.array([[x, bottom], [x, top]])))
        elif y is not None:
            painter.drawLine(*_pixels(found, area, np.array([[left, y], [right, y]])))


def region_pixels(found: AnswerMap, theme: Theme) -> NDArray[np.uint32]:
    """The colour of the likeliest label in every cell, the stronger the likelier it is."""
    n_labels = max(len(found.wanted.labels), 2)
    certainty = ((found.values - 1 / n_labels) / (1 - 1 / n_labels)).clip(0.0, 1.0)
    steps = np.round(certainty * (LEVELS - 1)).astype(np.intp)
    pixels = np.zeros(found.best.shape, np.uint32)
    for code in np.unique(found.best).tolist():
        ink = theme.class_colour(code)
        shades = np.linspace(FAINTEST, STRONGEST, LEVELS)
        table = np.array([premultiplied(colour(ink, float(shade))) for shade in shades], np.uint32)
        inside = found.best == code
        pixels[inside] = table[steps[inside]]
    return pixels


def _pixels(found: AnswerMap, area: QRectF, places: Floats) -> list[QPointF]:
    (left, right), (bottom, top) = found.key.ends
    x = area.left() + area.width() * (places[:, 0] - left) / (right - left)
    y = area.bottom() - area.height() * (places[:, 1] - bottom) / (top - bottom)
    return [QPointF(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)]


def _ends(values: Floats) -> tuple[float, float]:
    """The finite range of the cells."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)


@lru_cache(maxsize=1)
def _viridis() -> list[QColor]:
    found: list[QColor] = pg.colormap.get("viridis").getLookupTable(nPts=LEVELS, mode="qcolor")
    return found


@lru_cache(maxsize=1)
def _number_colours() -> NDArray[np.uint32]:
    """Opaque colours in QImage's format."""
    return np.array([premultiplied(ink) for ink in _viridis()], np.uint32)
