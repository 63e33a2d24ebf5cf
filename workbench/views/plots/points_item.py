"""Samples as points, rasterised here: 100,000 of them must be drawn in a few milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyqtgraph.functions import ndarray_to_qimage
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPainterPath, QPen, QPixmap, QTransform

from workbench.run.show.frame import Scheme
from workbench.views.look.theme import Theme
from workbench.views.plots.palettes import code_colour, code_shape
from workbench.views.plots.plot_style import Mapping, ViewItem, colour, quiet_pen
from workbench.views.plots.plot_units import Units

SIZES = ((3_000, 7), (10_000, 5), (30_000, 3))
"""Number of points up to which a stamp has this many pixels; the first is antialiased, the others are not."""
SMALLEST = 2
FADES = (0.45, 0.6, 0.75, 0.9)
"""Opacity of the quarters of the points, from oldest to newest."""
UNMARKED, MARKED = len(FADES), len(FADES) + 1
OPACITIES = (*FADES, 0.15, 1.0)
"""Where some points are selected, age does not count: the others are faint."""
RIM = 2.0
"""Pixels of the outline of a point over a density, half of them outside."""
MOST_VECTORS = 5_000
"""Most points that an SVG file has as shapes; more are embedded as an image."""

PointCodes = NDArray[np.int16]
Numbers = NDArray[np.floating[Any]]


class Placed(NamedTuple):
    """Points inside the raster: centre, class and fade."""

    x: NDArray[np.int32]
    y: NDArray[np.int32]
    codes: NDArray[np.intp]
    """0 stands for no class."""
    fades: NDArray[np.intp]
    """Positions in `OPACITIES`."""


class PointsItem(ViewItem):
    """The latest samples in the colours and symbols of their classes; the raster is cached."""

    def __init__(self) -> None:
        super().__init__()
        self._x: Numbers = np.empty(0)
        self._y: Numbers = np.empty(0)
        self._codes: PointCodes = np.empty(0, np.int16)
        self._scheme: Scheme = "classes"
        self._marked: NDArray[np.bool_] | None = None
        self._data = 0
        """Version of the data, the cache key of the raster."""
        self._key: tuple[Any, ...] = ()
        self._is_over_density = False
        self._raster = QImage()

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self._codes)

    def set_points(self, x: Numbers, y: Numbers, codes: PointCodes, scheme: Scheme = "classes") -> None:
        """Show other points, the newest last, none of them marked; points with NaN are not drawn."""
        self._x, self._y, self._codes, self._scheme = x, y, codes, scheme
        self._marked = None
        self._data += 1
        self.update()

    @property
    def marked(self) -> NDArray[np.bool_] | None:
        """Which points are highlighted; None for none."""
        return self._marked

    def mark(self, marked: NDArray[np.bool_] | None) -> None:
        """Highlight some of the points, above the others, which are faint; None for none."""
        if marked is not self._marked:
            self._marked = marked
            self._data += 1
            self.update()

    def nearest(self, units: tuple[Units, Units], place: tuple[float, float], reach: tuple[float, float]) -> int | None:
        """The position of the point next to a place, both in the coordinates of the view; None beyond reach."""
        if not self.n_points:
            return None
        across, up = (
            (unit.to_view(values) - at) / most
            for unit, values, at, most in zip(units, (self._x, self._y), place, reach, strict=True)
        )
        with np.errstate(invalid="ignore", over="ignore"):
            distances = across**2 + up**2
        # Of equal ones the newest, which is drawn above the others.
        found = len(distances) - 1 - int(np.argmin(np.where(distances <= 1.0, distances, np.inf)[::-1]))
        return found if distances[found] <= 1.0 else None

    def set_over_density(self, is_over: bool) -> None:
        """Outline the points, so that they contrast with a density behind them."""
        self._is_over_density = is_over
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        if not self.n_points:
            return
        if painter.paintEngine().type() == QPaintEngine.Type.SVG and self.n_points <= MOST_VECTORS:
            self._draw_vectors(painter, mapping)
            return
        # Very many points on a high-resolution screen would take four times as long without a visible difference.
        coarseness = max(1, round(mapping.ratio)) if self.n_points > SIZES[-1][0] else 1
        mapping = mapping._replace(ratio=mapping.ratio / coarseness)
        area, ratio = mapping.area, mapping.ratio
        key = (
            self._data,
            self._is_over_density,
            self.theme.name,
            ratio,
            mapping.units,
            mapping.view.getRect(),
            area.getRect(),
        )
        size = self.size_of_points(ratio)
        left, top = (int(np.floor(edge * ratio)) - size for edge in (area.left(), area.top()))
        if key != self._key:
            width, height = (int(np.ceil(side * ratio)) + 2 * size + 1 for side in (area.width(), area.height()))
            placed = self._placed(mapping, left, top, width, height, size)
            draw = smooth if self.n_points <= SIZES[0][0] else stamped
            self._raster = draw(placed, width, height, size, self.theme, self._scheme, self._is_over_density)
            self._raster.setDevicePixelRatio(ratio)
            self._key = key
        painter.drawImage(QPointF(left / ratio, top / ratio), self._raster)

    def size_of_points(self, ratio: float) -> int:
        """Width of a point in device pixels."""
        return stamp_size(self.n_points, ratio)

    def _placed(self, mapping: Mapping, left: int, top: int, width: int, height: int, size: int) -> Placed:
        # The centre of an even stamp is between two pixels, that of an odd one in a pixel.
        half = 0.5 * (size % 2 == 0)
        x = mapping.across(self._x) * mapping.ratio - left + half
        y = mapping.up(self._y) * mapping.ratio - top + half
        kept = np.flatnonzero((x >= size) & (x < width - size) & (y >= size) & (y < height - size))
        if self._marked is not None:
            kept = kept[np.argsort(self._marked[kept], kind="stable")]
        fades = self._fades(kept)
        codes = self._codes[kept].astype(np.intp) + 1
        return Placed(x[kept].astype(np.int32), y[kept].astype(np.int32), codes, fades)

    def _fades(self, positions: NDArray[np.intp]) -> NDArray[np.intp]:
        """By age, except on a scale: the brightness of a colour says how large its number is."""
        if self._marked is not None:
            return np.where(self._marked[positions], MARKED, UNMARKED)
        if self._scheme == "scale":
            return np.full(len(positions), len(FADES) - 1)
        return fading(positions, self.n_points)

    def _draw_vectors(self, painter: QPainter, mapping: Mapping) -> None:
        pixels = mapping.pixels(np.column_stack([self._x, self._y]))
        painter.setPen(QPen(QColor(self.theme.base), RIM) if self._is_over_density else quiet_pen())
        fades = self._fades(np.arange(self.n_points))
        for (x, y), code, fade in zip(pixels.tolist(), self._codes.tolist(), fades.tolist(), strict=True):
            if np.isfinite(x) and np.isfinite(y) and mapping.area.contains(x, y):
                painter.setBrush(colour(code_colour(self.theme, self._scheme, code), OPACITIES[fade]))
                painter.drawPath(symbol(code_shape(self.theme, self._scheme, code), SIZES[0][1]).translated(x, y))


def fading(positions: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Fade of every point by its age; the newest is never faded."""
    found: NDArray[np.intp] = len(FADES) - 1 - (count - 1 - positions) * len(FADES) // count
    return found


class LatestItem(ViewItem):
    """A cross in a ring at the latest sample, above everything."""

    RADIUS = 7.0

    def __init__(self) -> None:
        super().__init__()
        self._place: tuple[float, float] | None = None
        self.setZValue(30)

    def set_place(self, x: float, y: float) -> None:
        """Move to a sample; hidden where a value is missing."""
        self._place = (x, y) if np.isfinite(x) and np.isfinite(y) else None
        self.update()

    def hide_place(self) -> None:
        """Hide the mark."""
        self._place = None
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        if self._place is None:
            return
        x, y = mapping.pixels(np.array(self._place))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(x, y)
        draw_latest(painter, self.theme, self.RADIUS)


def draw_latest(painter: QPainter, theme: Theme, radius: float) -> None:
    """The mark of the latest sample, centred at the origin, with a halo."""
    arm = radius * 0.62
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for name, width in ((theme.base, 4.5), (theme.text, 1.75)):
        painter.setPen(QPen(QColor(name), width, c=Qt.PenCapStyle.RoundCap))
        painter.drawEllipse(QPointF(0, 0), radius, radius)
        painter.drawLine(QPointF(-arm, -arm), QPointF(arm, arm))
        painter.drawLine(QPointF(-arm, arm), QPointF(arm, -arm))


def stamp_size(n_points: int, ratio: float) -> int:
    """Width of a point in device pixels."""
    size = next((size for most, size in SIZES if n_points <= most), SMALLEST)
    return max(SMALLEST, round(size * ratio))


def smooth(
    placed: Placed, width: int, height: int, size: int, theme: Theme, scheme: Scheme = "classes", rimmed: bool = False
) -> QImage:
    """Few points: antialiased symbols, newer ones on top."""
    raster = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    raster.fill(Qt.GlobalColor.transparent)
    painter = QPainter(raster)
    half = size // 2 + 1
    kinds = (placed.codes * len(OPACITIES) + placed.fades).tolist()
    stamps = {
        kind: symbol_picture(theme, scheme, kind // len(OPACITIES) - 1, kind % len(OPACITIES), size, rimmed)
        for kind in set(kinds)
    }
    for x, y, kind in zip((placed.x - half).tolist(), (placed.y - half).tolist(), kinds, strict=True):
        painter.drawPixmap(x, y, stamps[kind])
    painter.end()
    return raster


def stamped(
    placed: Placed, width: int, height: int, size: int, theme: Theme, scheme: Scheme = "classes", opaque: bool = False
) -> QImage:
    """Many points: one array assignment for each pixel of the stamp; the newest win."""
    # The raster has a margin, so that no stamp wraps into the next line.
    pixels = np.zeros((height, width), np.uint32)
    flat = pixels.reshape(-1)
    used = np.bincount(placed.codes) > 0
    names, codes = tuple((np.flatnonzero(used) - 1).tolist()), (np.cumsum(used) - 1)[placed.codes]
    values = point_colours(theme, scheme, names, opaque)[placed.fades, codes]
    middle = placed.y.astype(np.intp) * width + placed.x
    shapes = masks(theme, scheme, names, size)
    for row in range(size):
        for column in range(size):
            position = middle + ((row - size // 2) * width + column - size // 2)
            covered = shapes[:, row, column]
            if covered.all():
                flat[position] = values
            elif covered.any():
                chosen = covered[codes]
                flat[position[chosen]] = values[chosen]
    raster: QImage = ndarray_to_qimage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    return raster


@lru_cache(maxsize=64)
def symbol(shape: str, size: float) -> QPainterPath:
    """The path of a symbol, centred at the origin; symbols that look small are larger."""
    scale = size * {"o": 1.0, "s": 0.88, "d": 1.25, "+": 1.2, "star": 1.3}.get(shape, 1.1)
    path: QPainterPath = QTransform.fromScale(scale, scale).map(Symbols[shape])
    return path


@lru_cache(maxsize=4096)
def symbol_picture(theme: Theme, scheme: Scheme, code: int, fade: int, size: int, rimmed: bool = False) -> QPixmap:
    """A symbol as a pixmap, with an outline where `rimmed`."""
    picture = QPixmap(size + 4, size + 4)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = size // 2 + 1 + 0.5 * (size % 2)
    painter.translate(middle, middle)
    path = symbol(code_shape(theme, scheme, code), size)
    if rimmed:
        painter.fillPath(path, QColor(theme.base))
        painter.strokePath(path, QPen(QColor(theme.base), RIM))
    if fade == MARKED:
        painter.strokePath(path, QPen(QColor(theme.text), RIM))
    painter.fillPath(path, colour(code_colour(theme, scheme, code), OPACITIES[fade]))
    painter.end()
    return picture


@lru_cache(maxsize=16)
def point_colours(theme: Theme, scheme: Scheme, codes: tuple[int, ...], opaque: bool = False) -> NDArray[np.uint32]:
    """Colours in QImage's format, (fade, code)."""
    rows: Sequence[Sequence[int]] = [
        [premultiplied(colour(code_colour(theme, scheme, code), opacity)) for code in codes]
        for opacity in ((*[1.0] * len(FADES), *OPACITIES[UNMARKED:]) if opaque else OPACITIES)
    ]
    return np.array(rows, np.uint32)


def premultiplied(wanted: QColor) -> int:
    """A premultiplied colour as one integer."""
    alpha = wanted.alphaF()
    red, green, blue = (round(part * alpha) for part in (wanted.red(), wanted.green(), wanted.blue()))
    return (round(255 * alpha) << 24) | (red << 16) | (green << 8) | blue


@lru_cache(maxsize=16)
def masks(theme: Theme, scheme: Scheme, codes: tuple[int, ...], size: int) -> NDArray[np.bool_]:
    """Which pixels of a stamp belong to its symbol, (code, row, column); the smallest are all square."""
    found = np.ones((len(codes), size, size), bool)
    if size > SIZES[2][1]:
        middle = QRectF(0, 0, size, size).center()
        shapes = [code_shape(theme, scheme, code) for code in codes]
        for shape in set(shapes):
            path, same = symbol(shape, size).translated(middle), np.array([one == shape for one in shapes])
            for row, column in np.ndindex(size, size):
                found[same, row, column] = path.contains(QPointF(column + 0.5, row + 0.5))
    return found
