"""Components as ellipses, all in one graphics item: hundreds of items are slow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from pyqtgraph.functions import arrayToQPath, arrayToQPolygonF
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from figmn.system.arrays import Bools, Floats, Ints
from workbench.run.show.frame import Picture, Population
from workbench.views.look.theme import SMALL, font
from workbench.views.plots.component_state import at_risk, newborn
from workbench.views.plots.plot_style import Mapping, ViewItem, colour, quiet_pen
from workbench.views.plots.plot_units import Units
from workbench.words.names import NO_NAMES, ComponentNames, component_name

FEW, MANY = 20, 28
"""Components up to which lines are broad with halos, and above which they are thin, which is ten times as fast.
In between they keep their width, so that they do not flicker."""
ALONE, FAINTEST = 8, 0.35
"""Components up to which fills have full strength, and the strength of each of very many."""
LEVELS, FILLED = 4, 80
"""Steps of opacity of thin lines, and how many components, by weight, are filled."""
LABELS, LABELS_OF_MANY = 28, 12
"""Most labels drawn."""
HALO, MIXED = 3.5, 0.5
"""Pixels of a halo, and the strength of fills in different colours."""
RING = 4.0
"""Pixels from the outline of a newborn component to the ring around it."""
TINY = 1e-9
"""A negative eigenvalue of this share of the other one is rounding."""
LONGEST_DASHES = 20_000.0
"""Most pixels of a dashed outline; a longer one is solid, because dashing it would take too long."""
CROSS, DOTS = 4.0, 10.0
"""Half the cross and the radius of the dots that mark a component without an ellipse."""
PAD = 3.0


@dataclass(frozen=True, eq=False)
class DrawnComponents:
    """What is drawn of a mixture on a plane, one entry per component."""

    ids: Ints
    centres: Floats
    covariances: Floats
    priors: Floats
    newborn: Bools
    at_risk: Bools

    @staticmethod
    def of(picture: Picture, population: Population) -> DrawnComponents:
        """The components of a picture."""
        return DrawnComponents(
            population.ids,
            picture.centres,
            picture.covariances,
            population.priors if len(population.ids) else np.empty(0),
            newborn(population),
            at_risk(population),
        )

    @staticmethod
    def none() -> DrawnComponents:
        """An empty mixture."""
        nothing, nobody = np.empty((0, 2)), np.empty(0, bool)
        return DrawnComponents(np.empty(0, np.int64), nothing, np.empty((0, 2, 2)), np.empty(0), nobody, nobody)

    def seen_in(self, units: tuple[Units, Units]) -> DrawnComponents:
        """The same in the coordinates of a view, in which products neither overflow nor underflow."""
        across, up = units
        centres = np.stack([across.to_view(self.centres[:, 0]), up.to_view(self.centres[:, 1])], axis=1)
        sizes = np.array([across.size, up.size])
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            covariances = self.covariances / sizes[:, None] / sizes
        return replace(self, centres=centres, covariances=covariances)

    @cached_property
    def definite(self) -> Bools:
        """Which covariances are positive definite: the published rule can make others, which have no ellipse."""
        (a, b), (_, c) = np.moveaxis(self.covariances, 0, -1)
        with np.errstate(invalid="ignore", over="ignore", under="ignore", divide="ignore"):
            largest = np.maximum(a, c)
            x, xy, y = a / largest, b / largest, c / largest
            positive = (largest > 0) & (a >= 0) & (c >= 0) & (x * y - xy * xy >= -TINY * (x + y) ** 2)
        found: Bools = positive & np.isfinite(largest)
        return found

    @cached_property
    def factors(self) -> Floats:
        """Lower triangular L with L Lᵀ = C, (K, 2, 2); zeros where there is none."""
        (a, b), (_, c) = np.where(self.definite, np.moveaxis(self.covariances, 0, -1), 0.0)
        found = np.zeros_like(self.covariances)
        found[:, 0, 0] = np.sqrt(a)
        found[:, 1, 0] = np.divide(b, found[:, 0, 0], out=np.zeros_like(b), where=a > 0)
        found[:, 1, 1] = np.sqrt(np.maximum(c - found[:, 1, 0] ** 2, 0.0))
        return found

    @cached_property
    def opacity(self) -> Floats:
        """Weights from 0 to 1: square roots of the priors, so that small ones differ visibly."""
        top = self.priors.max(initial=0.0) or 1.0
        found: Floats = np.sqrt(np.clip(self.priors / top, 0.0, 1.0))
        return found

    def extents(self, radius: float) -> Floats:
        """Half the width and height of every ellipse, (K, 2)."""
        found: Floats = radius * np.linalg.norm(self.factors, axis=2)
        return found

    def outlines(self, radius: float, n_points: int) -> Floats:
        """Closed outlines of the components, (K, n, 2)."""
        angles = np.linspace(0, 2 * np.pi, n_points)
        circle = np.stack([np.cos(angles), np.sin(angles)])
        found: Floats = self.centres[:, None] + radius * (self.factors @ circle).transpose(0, 2, 1)
        return found

    def at(self, x: float, y: float, radius: float, reach: tuple[float, float]) -> int | None:
        """The index of the smallest ellipse around a point, or of a centre within reach."""
        offsets = np.array([x, y]) - self.centres
        near = (np.abs(offsets) <= reach).all(axis=1)
        area = np.prod(self.factors[:, [0, 1], [0, 1]], axis=1)
        inside = self.definite & (_squared_distances(self.factors, offsets) <= radius**2)
        area = np.where(near, -1.0, area)
        found = np.flatnonzero(near | inside)
        return int(found[area[found].argmin()]) if len(found) else None


def _squared_distances(factors: Floats, offsets: Floats) -> Floats:
    """d² = |L⁻¹ e|²; infinite where a width is zero."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        first = offsets[:, 0] / factors[:, 0, 0]
        second = (offsets[:, 1] - factors[:, 1, 0] * first) / factors[:, 1, 1]
        found: Floats = np.nan_to_num(first**2 + second**2, nan=np.inf)
    return found


class EllipsesItem(ViewItem):
    """All ellipses; those hovered over and selected are highlighted.

    Parameters
    ----------
    is_light
        Draws thin lines without halos however few there are, for views that share their time with others.
    """

    def __init__(self, is_light: bool = False) -> None:
        super().__init__()
        self._is_light = is_light
        self.is_coloured = False
        """Whether each component has its own colour instead of its engine's."""
        self.is_over_density = False
        """Whether a heat map is behind: then halos are stronger, and nothing is filled."""
        self.components = DrawnComponents.none()
        self.radius = 2.0
        """Radius of the contour in standard deviations."""
        self.selected: int | None = None
        self.hovered: int | None = None
        """Ids."""
        self.labels: tuple[str, ...] = ()
        """Labels of the last painting."""
        self._names = NO_NAMES
        self._many = False
        self._seen = self.components
        self._seen_key: tuple[DrawnComponents, tuple[Units, Units]] | None = None
        self.setZValue(20)

    def set_components(self, components: DrawnComponents, radius: float, names: ComponentNames = NO_NAMES) -> None:
        """Show another mixture, whose components may have names."""
        self.components, self.radius, self._names = components, radius, names
        self.update()

    def set_manner(self, is_coloured: bool, is_over_density: bool) -> None:
        """Apply other drawing options."""
        self.is_coloured, self.is_over_density = is_coloured, is_over_density
        self.update()

    def select(self, id: int | None) -> None:
        """Highlight a selected component."""
        self.selected = id
        self.update()

    def hover(self, id: int | None) -> None:
        """Highlight the component under the pointer."""
        if id != self.hovered:
            self.hovered = id
            self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        shown = self._shown(mapping.units)
        if not len(shown.ids):
            return
        is_many = len(shown.ids) > (FEW if self._many else MANY)
        self._many = is_many or self._is_light
        outlines = mapping.placed(shown.outlines(self.radius, 33 if is_many else 65))
        visible = _touching(outlines, mapping.area) & shown.definite
        # The heaviest last, so that nothing is drawn over them.
        order = np.argsort(shown.priors, kind="stable")
        self._draw_ellipses(painter, outlines, order[visible[order]])
        self._draw_newborn(painter, mapping, outlines, visible)
        self._draw_indefinite(painter, mapping)
        self._draw_chosen(painter, outlines, visible)
        self._draw_labels(painter, mapping.area, outlines, visible)

    def _shown(self, units: tuple[Units, Units]) -> DrawnComponents:
        """The components in the coordinates of the view, cached until either changes."""
        key = (self.components, units)
        if self._seen_key != key:
            self._seen_key, self._seen = key, self.components.seen_in(units)
        return self._seen

    def _draw_ellipses(self, painter: QPainter, outlines: Floats, order: Ints) -> None:
        drawn = order if self.is_over_density else order[-FILLED:]
        polygons = {k: arrayToQPolygonF(*outlines[k].T) for k in drawn.tolist()}
        # Without antialiasing, in a tenth of the time: the outlines hide the jagged edges.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if not self.is_over_density:
            self._fill(painter, polygons)
        if self.is_over_density or not self._many:
            painter.setPen(QPen(colour(self.theme.base, 1.0 if self.is_over_density else 0.6), HALO))
            for polygon in polygons.values():
                painter.drawPolyline(polygon)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._many:
            self._draw_thin_lines(painter, outlines, order)
            return
        for k, polygon in polygons.items():
            risky, opacity = bool(self.components.at_risk[k]), float(self.components.opacity[k])
            alpha, width = (1.0, 2.0) if self.is_over_density else (0.6 + 0.4 * opacity, 1.5)
            painter.setPen(self._pen(self._ink(k), alpha, width, risky, outlines[k]))
            painter.drawPolyline(polygon)

    def _fill(self, painter: QPainter, polygons: dict[int, QPolygonF]) -> None:
        painter.setPen(quiet_pen())
        # Where many overlap, each must be more transparent, most of all where colours would mix.
        strength = max(FAINTEST, min(1.0, np.sqrt(ALONE / len(self.components.ids))))
        strength *= MIXED * strength if self.is_coloured else 1.0
        for k, polygon in polygons.items():
            painter.setBrush(colour(self._ink(k), strength * (0.03 + 0.13 * self.components.opacity[k])))
            painter.drawPolygon(polygon)

    def _draw_thin_lines(self, painter: QPainter, outlines: Floats, order: Ints) -> None:
        """Draw components of one colour and similar opacity as one path."""
        shown, palette = self.components, self._palette
        levels = np.minimum((shown.opacity * LEVELS).astype(int), LEVELS - 1) + LEVELS * shown.at_risk
        kinds = (len(palette) * levels + self._inks)[order]
        for kind in np.unique(kinds).tolist():
            level, ink = divmod(kind, len(palette))
            chosen = outlines[order[kinds == kind]]
            alpha = 1.0 if self.is_over_density else 0.5 + 0.5 * (level % LEVELS + 0.5) / LEVELS
            painter.strokePath(_path(chosen), self._pen(palette[ink], alpha, 1.0, level >= LEVELS, chosen))

    def _draw_newborn(self, painter: QPainter, mapping: Mapping, outlines: Floats, visible: Bools) -> None:
        inks = np.where(self.components.newborn & visible, self._inks, -1)
        for ink, name in enumerate(self._palette):
            chosen = np.flatnonzero(inks == ink)
            if not len(chosen):
                continue
            centres = mapping.placed(self._shown(mapping.units).centres[chosen])[:, None]
            away = outlines[chosen] - centres
            length = np.linalg.norm(away, axis=2, keepdims=True)
            rings = centres + away * (1 + RING / np.maximum(length, 1e-9))
            painter.strokePath(_path(rings), self._pen(name, 1.0, 1.0))

    def _draw_indefinite(self, painter: QPainter, mapping: Mapping) -> None:
        shown = self._shown(mapping.units)
        centres = mapping.placed(shown.centres[~shown.definite])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for x, y in centres[np.isfinite(centres).all(axis=1)].tolist():
            painter.setPen(QPen(QColor(self.theme.bad), 1.75))
            painter.drawLine(QPointF(x - CROSS, y - CROSS), QPointF(x + CROSS, y + CROSS))
            painter.drawLine(QPointF(x - CROSS, y + CROSS), QPointF(x + CROSS, y - CROSS))
            painter.setPen(QPen(QColor(self.theme.bad), 1.25, Qt.PenStyle.DotLine))
            painter.drawEllipse(QPointF(x, y), DOTS, DOTS)

    def _draw_chosen(self, painter: QPainter, outlines: Floats, visible: Bools) -> None:
        for chosen, fill, width in ((self.hovered, 0.08, 2.0), (self.selected, 0.12, 3.0)):
            for k in np.flatnonzero((self.components.ids == chosen) & visible).tolist() if chosen is not None else ():
                path, ink = _path(outlines[k : k + 1]), self._ink(k)
                painter.setBrush(Qt.BrushStyle.NoBrush if self.is_over_density else colour(ink, fill))
                painter.setPen(QPen(QColor(self.theme.text if chosen == self.selected else self.theme.base), width + 2))
                painter.drawPath(path)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(self._pen(ink, 1.0, width, bool(self.components.at_risk[k]), outlines[k]))
                painter.drawPath(path)

    def _draw_labels(self, painter: QPainter, area: QRectF, outlines: Floats, visible: Bools) -> None:
        shown = self.components
        small = font(SMALL, QFont.Weight.DemiBold)
        painter.setFont(small)
        texts = [component_name(number, self._names) for number in shown.ids.tolist()]
        most = LABELS_OF_MANY if self._many else LABELS
        places = label_places(outlines, visible, self._importance(), texts, area, most)
        halo, ink = colour(self.theme.base, 0.78), QColor(self.theme.text)
        for k, place in places:
            painter.setPen(QPen(QColor(self._ink(k)), 1.0) if self.is_coloured else quiet_pen())
            painter.setBrush(halo)
            painter.drawRoundedRect(place, 3, 3)
            painter.setPen(ink)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, texts[k])
        self.labels = tuple(texts[k] for k, _ in places)

    def _importance(self) -> Floats:
        shown = self.components
        chosen = (shown.ids == self.selected) | (shown.ids == self.hovered)
        found: Floats = shown.priors + 2.0 * chosen
        return found

    @property
    def _palette(self) -> tuple[str, ...]:
        return self.theme.components if self.is_coloured else (self.theme.accent,)

    @property
    def _inks(self) -> Ints:
        """Indices into the palette."""
        found: Ints = self.components.ids % len(self._palette)
        return found

    def _ink(self, k: int) -> str:
        return self.theme.component_colour(int(self.components.ids[k])) if self.is_coloured else self.theme.accent

    def _pen(self, ink: str, alpha: float, width: float, dashed: bool = False, outline: Floats | None = None) -> QPen:
        pen = QPen(colour(ink, min(alpha, 1.0)), width)
        # Thin lines stay one device pixel wide on high-resolution screens: broader ones take ten times as long.
        pen.setCosmetic(width == 1.0)
        if dashed and outline is not None and np.abs(np.diff(outline, axis=-2)).sum() < LONGEST_DASHES:
            pen.setDashPattern([4.0, 3.0])
        return pen


def label_places(
    outlines: Floats, visible: Bools, importance: Floats, texts: list[str], area: QRectF, most: int
) -> list[tuple[int, QRectF]]:
    """Label positions without overlap, the most important first: above an ellipse, or else beside it."""
    metrics = QFontMetricsF(font(SMALL, QFont.Weight.DemiBold))
    height = metrics.capHeight() + 2 * PAD
    taken: list[QRectF] = []
    found: list[tuple[int, QRectF]] = []
    order = np.argsort(-importance, kind="stable")
    for k in order[visible[order]][: 2 * most].tolist():
        if len(found) >= most:
            break
        width = metrics.horizontalAdvance(texts[k]) + 2 * PAD
        for place in _candidates(outlines[k], width, height):
            if area.contains(place) and not any(place.intersects(other) for other in taken):
                taken.append(place)
                found.append((k, place))
                break
    return found


def _candidates(outline: Floats, width: float, height: float) -> list[QRectF]:
    """Above, below, right and left of an outline."""
    x, y = outline.T
    (top_x, top), (low_x, low) = outline[y.argmin()].tolist(), outline[y.argmax()].tolist()
    (right, right_y), (left, left_y) = outline[x.argmax()].tolist(), outline[x.argmin()].tolist()
    return [
        QRectF(top_x - width / 2, top - height + PAD, width, height),
        QRectF(low_x - width / 2, low - PAD, width, height),
        QRectF(right - PAD, right_y - height / 2, width, height),
        QRectF(left - width + PAD, left_y - height / 2, width, height),
    ]


def _touching(outlines: Floats, area: QRectF) -> Bools:
    """Which outlines are at least partly visible."""
    with np.errstate(invalid="ignore"):
        low, high = outlines.min(axis=1), outlines.max(axis=1)
        seen = (high >= [area.left(), area.top()]) & (low <= [area.right(), area.bottom()])
    found: Bools = seen.all(axis=1)
    return found


def _path(outlines: Floats) -> QPainterPath:
    """Closed outlines (K, n, 2) as one path, in which overlaps are filled once."""
    count, length, _ = outlines.shape
    connect = np.ones((count, length), np.int32)
    connect[:, -1] = 0
    flat = outlines.reshape(-1, 2)
    path: QPainterPath = arrayToQPath(flat[:, 0], flat[:, 1], connect=connect.ravel(), finiteCheck=False)
    path.setFillRule(Qt.FillRule.WindingFill)
    return path
