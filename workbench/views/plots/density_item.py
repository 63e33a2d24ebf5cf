"""The density of the mixture's marginal over the visible plane, as a heat map behind the points."""

from __future__ import annotations

import math
from functools import lru_cache
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from pyqtgraph.functions import ndarray_to_qimage
from PySide6.QtCore import QRectF, QTimer, Signal
from PySide6.QtGui import QImage, QPainter

from figmn.system.arrays import Floats
from workbench.views.plots.ellipses_item import DrawnComponents
from workbench.views.plots.plot_style import Mapping, ViewItem
from workbench.views.plots.plot_units import Units

COLUMNS, ROWS = 120, 90
INTERVAL = 0.12
"""Least seconds between two images."""
NEGLIGIBLE = 1e-4
"""Components whose prior is below this share of the largest are left out."""
NARROWEST, FARTHEST = 1e-6, 1e6
"""Least width and largest distance, in the view's coordinates, of a component that is drawn."""
DEPTH = 12.0
"""Logarithm of the highest density over the lowest one shown."""
DECADES = DEPTH / math.log(10)
LARGEST_POWER = 999
"""Largest power of ten that is labelled."""
OPACITY = 0.6


class DensityItem(ViewItem):
    """The heat map. It is computed on painting, while visible, at a limited rate."""

    peak_changed = Signal(object)
    """The decimal logarithm of the highest visible density, in the data's units; None where there is none."""

    def __init__(self) -> None:
        super().__init__()
        self._components = DrawnComponents.none()
        self._raster = QImage()
        self._place = ((Units(), Units()), QRectF())
        """The part of the plane that the image covers."""
        self._done: tuple[Any, ...] = ()
        self._number = 0
        self._last = 0.0
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self.update)
        self.setZValue(-50)
        self.setVisible(False)

    def set_components(self, components: DrawnComponents) -> None:
        """Show another mixture."""
        self._components = components
        self._number += 1
        if self.isVisible():
            self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        view = mapping.view
        wanted = (self._number, view.getRect(), mapping.units)
        if wanted != self._done:
            wait = self._last + INTERVAL - perf_counter()
            if wait <= 0 or self._raster.isNull():
                density = density_grid(self._components.seen_in(mapping.units), view, COLUMNS, ROWS)
                peak = density_power(density.top, mapping.units)
                self._raster = heat_map(density.levels if peak is not None else np.full((1, 1), -np.inf, np.float32))
                self.peak_changed.emit(peak)
                self._place, self._done = (mapping.units, QRectF(view)), wanted
                self._last = perf_counter()
            else:
                # A paused run sends no more frames: a timer must draw the latest image.
                self._again.start(int(1000 * wait) + 1)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(_room(mapping, *self._place), self._raster)


def _room(mapping: Mapping, units: tuple[Units, Units], place: QRectF) -> QRectF:
    """The pixels of a part of the plane, whatever its units were."""
    (left, right), (low, high) = (place.left(), place.right()), (place.top(), place.bottom())
    x, y = (
        np.array([unit.to_data(end) for end in ends])
        for unit, ends in zip(units, ((left, right), (low, high)), strict=True)
    )
    (left, right), (bottom, top) = mapping.across(x).tolist(), mapping.up(y).tolist()
    return QRectF(left, top, right - left, bottom - top)


class Density(NamedTuple):
    """The density of a mixture over a view."""

    levels: NDArray[np.float32]
    """Log density at the centre of every cell, minus the largest; (rows, columns), from low y upwards."""
    top: float
    """The largest; minus infinity where nothing is visible."""


def density_power(top: float, units: tuple[Units, Units]) -> float | None:
    """The decimal logarithm of a density in the data's units, from its natural logarithm in those of a view."""
    found = (top - sum(math.log(unit.size) for unit in units)) / math.log(10)
    return found if abs(found) <= LARGEST_POWER else None


def heat_map(levels: NDArray[np.float32]) -> QImage:
    """Logarithms from zero down to -DEPTH as colours; the first line is at the top."""
    shares = np.clip(1 + levels / DEPTH, 0.0, 1.0)
    pixels = viridis()[(255 * shares).astype(np.uint8)[::-1]]
    found: QImage = ndarray_to_qimage(np.ascontiguousarray(pixels), QImage.Format.Format_ARGB32_Premultiplied)
    return found


def density_grid(components: DrawnComponents, view: QRectF, n_columns: int, n_rows: int) -> Density:
    """The density of a mixture in every cell of a view, both in the same coordinates."""
    priors, widths = components.priors, components.factors[:, [0, 1], [0, 1]]
    used = (priors > NEGLIGIBLE * priors.max(initial=0.0)) & (widths > NARROWEST).all(axis=1)
    used &= (np.abs(components.centres) < FARTHEST).all(axis=1)
    if not used.any():
        return Density(np.full((n_rows, n_columns), -np.inf, np.float32), -math.inf)
    forms = _forms(components.factors[used], components.centres[used], view)
    forms[:, 0] += np.log(priors[used] / np.prod(widths[used], axis=1) / (2 * np.pi))
    # Single precision takes half the time; its error is far below a step of colour.
    exponents = forms.astype(np.float32) @ _monomials(n_columns, n_rows)
    largest = exponents.max()
    exponents -= largest
    with np.errstate(under="ignore", divide="ignore"):
        total = np.exp(exponents, out=exponents).sum(axis=0)
        levels = np.log(total).reshape(n_rows, n_columns)
    return Density(levels - levels.max(), float(largest) + float(levels.max()))


def _forms(factors: Floats, centres: Floats, view: QRectF) -> Floats:
    """-d²/2 of every component as a polynomial in u and v, which run from -1 to 1 over the view; (K, 6)."""
    half = np.array([view.width(), view.height()]) / 2
    middle = np.array([view.center().x(), view.center().y()])
    # L⁻¹ (middle + half u - centre) = p + q u + r v, component by component.
    inverse = np.linalg.inv(factors)
    p = (inverse @ (middle - centres)[:, :, None])[:, :, 0]
    q, r = inverse[:, :, 0] * half[0], inverse[:, :, 1] * half[1]
    pairs = ((p, p, 1), (p, q, 2), (p, r, 2), (q, q, 1), (q, r, 2), (r, r, 1))
    return np.stack([-0.5 * times * (left * right).sum(axis=1) for left, right, times in pairs], axis=1)


@lru_cache(maxsize=4)
def _monomials(n_columns: int, n_rows: int) -> NDArray[np.float32]:
    """1, u, v, u², uv and v² at the centre of every cell; (6, rows times columns)."""
    u, v = ((2 * np.arange(count) + 1) / count - 1 for count in (n_columns, n_rows))
    v, u = (grid.ravel() for grid in np.meshgrid(v, u, indexing="ij"))
    return np.stack([np.ones_like(u), u, v, u * u, u * v, v * v]).astype(np.float32)


@lru_cache(maxsize=1)
def scale_image() -> QImage:
    """All colours in a column, the highest density at the top."""
    return heat_map(np.linspace(-DEPTH, 0, 256, dtype=np.float32)[:, None])


@lru_cache(maxsize=1)
def viridis() -> NDArray[np.uint32]:
    """256 colours of increasing opacity, in QImage's format."""
    red, green, blue = pg.colormap.get("viridis").getLookupTable(nPts=256)[:, :3].T.astype(float)
    alpha = OPACITY * np.minimum(np.linspace(0, 1, 256) * 2.5, 1.0)
    parts = [np.round(part).astype(np.uint32) for part in (255 * alpha, red * alpha, green * alpha, blue * alpha)]
    return ((parts[0] << 24) | (parts[1] << 16) | (parts[2] << 8) | parts[3]).astype(np.uint32)
