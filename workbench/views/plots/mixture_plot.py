"""The plot of a mixture: samples, components, the latest sample, and the numbers of the component under the pointer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget
from scipy.special import chdtri

from workbench.run.race.frame import LaneFrame, RaceFrame
from workbench.run.show.frame import Frame, Latest, Picture, Population
from workbench.views.look.theme import Theme
from workbench.views.plots.auto_range import Box, Follower, box_of
from workbench.views.plots.axis_scales import LINEAR, LoggedComponents, logged, logs_of
from workbench.views.plots.colour_bar import ColourBar
from workbench.views.plots.component_state import SETTLED, words
from workbench.views.plots.density_item import DensityItem
from workbench.views.plots.ellipses_item import DrawnComponents, EllipsesItem
from workbench.views.plots.hover_card import HoverCard
from workbench.views.plots.legend_item import LegendItem
from workbench.views.plots.mixture_tools import Contour
from workbench.views.plots.plot_area import PlotArea
from workbench.views.plots.plot_style import Manner
from workbench.views.plots.points_item import LatestItem, PointsItem
from workbench.words.counts import counted
from workbench.words.names import NO_NAMES, ComponentNames, component_name
from workbench.words.numbers import short, whole
from workbench.words.values import value_text, width_text

EngineInk = Literal["accent", "cubic"]
JUDGED = 1000
"""Points that are examined to find columns without fractions."""
REACH = 6
"""Pixels from its centre at which a component is hit, whatever its size."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One mixture on a plane, of a run or of an engine in a race."""

    picture: Picture
    population: Population
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    latest: Latest | None
    colour: str | None
    """The column that gives the labels."""
    names: ComponentNames = field(default_factory=lambda: NO_NAMES)
    """Of components."""

    @staticmethod
    def of(frame: Frame) -> Scene:
        """The scene of a run."""
        return Scene(frame.picture, frame.census, frame.labels, frame.columns, frame.latest, frame.colour, frame.names)

    @staticmethod
    def of_lane(frame: RaceFrame, lane: LaneFrame) -> Scene:
        """The scene of one engine of a race."""
        return Scene(lane.picture, lane.census, frame.labels, frame.columns, lane.latest, frame.colour)


class MixturePlot(PlotArea):
    """Draws one scene at a time.

    Parameters
    ----------
    ink
        The colour of the theme that components are drawn in: that of their engine.
    follower
        Moves the view along with the data; plots that share one show the same part of the plane.
    is_light
        Draws ellipses in the fastest way.
    """

    component_clicked = Signal(object)
    """The id of the component clicked; None where the click hit none."""

    def __init__(
        self,
        ink: EngineInk = "accent",
        follower: Follower | None = None,
        is_light: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._ink = ink
        self.follower = follower or Follower(self)
        self.follower.add(self.plot.view)
        self.points, self.ellipses = PointsItem(), EllipsesItem(is_light)
        self.density, self.latest = DensityItem(), LatestItem()
        for item in (self.density, self.points, self.ellipses, self.latest):
            self.plot.addItem(item, ignoreBounds=True)
        self._card = HoverCard("componentCard", self)
        self.colour_bar = ColourBar()
        # Beside the view, with its height.
        self.plot.layout.addItem(self.colour_bar, 2, 3)
        self.density.peak_changed.connect(self.colour_bar.set_peak)
        self._is_coloured = False
        self._scene: Scene | None = None
        """What is drawn; the logarithms of its points on logarithmic axes."""
        self._given: Scene | None = None
        self._wanted_logs, self._logs, self._log_remarks = LINEAR, LINEAR, list[str]()
        self._is_equal = False
        self._contour: Contour = "two"
        self._n_points = 0
        self._pointer: tuple[float, float] | None = None
        self.moved_by_user.connect(self.follower.stop)
        self.pointed.connect(self._hover)
        self.clicked.connect(self._choose)

    # Content

    def show_scene(self, scene: Scene) -> None:
        """Draw a scene."""
        self._given = scene
        self._logs, self._log_remarks = logs_of(scene.picture, self._wanted_logs)
        self._scene = scene = replace(scene, picture=logged(scene.picture, self._logs))
        self.plot.view.set_equal(self._is_equal and self._logs == LINEAR)
        self.follower.look_at((scene.picture.plane, scene.columns, self._logs))
        components = LoggedComponents.on(DrawnComponents.of(scene.picture, scene.population), self._logs)
        radius, _ = self._radius(scene)
        points = self._show_points(scene)
        self.ellipses.set_components(components, radius, scene.names)
        # A density over logarithms would be another one.
        self.density.set_components(components if self._logs == LINEAR else DrawnComponents.none())
        found = zip((self.plot.bottom, self.plot.left), manners(scene.picture), self._logs, strict=True)
        for axis, manner, is_log in found:
            axis.set_manner("logarithms" if is_log else manner)
        for axis, text in zip((self.plot.bottom, self.plot.left), scene.picture.labels, strict=True):
            axis.set_title(text)
        show_legend(self.legend, scene)
        self._show_colours()
        self.follower.see(points, components, radius)
        self._show_hovered()

    def show_nothing(self) -> None:
        """Clear the plot; the next scene determines the range."""
        self._scene = self._given = None
        self.points.set_points(np.empty(0), np.empty(0), np.empty(0, np.int16))
        self.ellipses.set_components(DrawnComponents.none(), 1.0)
        self.ellipses.select(None)
        self.density.set_components(DrawnComponents.none())
        self.latest.hide_place()
        self.legend.set_labels(())
        self.follower.refit()
        self._show_hovered()

    def show_again(self) -> None:
        """Draw the same scene again, after an option has changed."""
        if self._given is not None:
            self.show_scene(self._given)

    def set_logs(self, across: bool, up: bool) -> None:
        """Draw on logarithmic axes, where all values are positive."""
        self._wanted_logs = (across, up)
        self.show_again()

    def set_equal(self, is_equal: bool) -> None:
        """Give a unit of both axes the same length, unless one is logarithmic."""
        self._is_equal = is_equal
        self.follower.refit()
        self.show_again()

    def show_density(self, is_shown: bool) -> None:
        """Show or hide the density, with a colour bar."""
        for part in (self.density, self.colour_bar):
            part.setVisible(is_shown)
        self.plot.layout.activate()  # otherwise the next image would have the old width
        self.points.set_over_density(is_shown)
        self.ellipses.set_manner(self.has_component_colours, is_shown)

    def colour_components(self, is_coloured: bool) -> None:
        """Give each component its own colour, or all that of their engine."""
        self._is_coloured = is_coloured
        self._show_colours()

    @property
    def has_component_colours(self) -> bool:
        """Whether each component has its own colour: by choice, or because its points have it."""
        return self._is_coloured or (self._scene is not None and self._scene.picture.scheme == "components")

    def set_contour(self, contour: Contour) -> None:
        """Set the contour."""
        self._contour = contour
        self.show_again()

    def set_n_points(self, n_points: int) -> None:
        """Draw the latest `n_points` samples; 0 for all."""
        self._n_points = n_points
        self.show_again()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        for item in (self.points, self.density, self.latest, self.colour_bar):
            item.set_theme(theme)
        engine = replace(theme, accent=getattr(theme, self._ink))
        self.ellipses.set_theme(engine)
        self.legend.set_theme(replace(theme, accent=theme.muted) if self.has_component_colours else engine)

    def note(self) -> str:
        """Remarks on the picture, such as that it is a projection; empty where there are none."""
        if self._scene is None:
            return ""
        n_columns, share = len(self._scene.columns), self._scene.picture.share
        of = "the inputs' variance" if self._scene.picture.plane.kind == "input pca" else "the variance"
        parts = [f"projection: {share:.0%} of {of}".replace("%", " %")] if share is not None else []
        about = self._scene.picture.about
        if share is None and (about or n_columns > 2):  # noqa: PLR2004 - a plane shows two
            parts.append(about or f"marginal of {n_columns:,} dimensions")
        parts.append(self._radius(self._scene)[1])
        parts += self._log_remarks
        if self._logs != LINEAR and (self._is_equal or self.density.isVisible()):
            both = ("equal aspect", self._is_equal), ("density", self.density.isVisible())
            parts.append(f"no {' and no '.join(name for name, is_on in both if is_on)} on a log axis")
        lost = int(np.count_nonzero(~self.ellipses.components.definite))
        parts.append(f"{lost:,} not positive definite" if lost else "")
        late = self._scene.picture.n_outdated
        parts.append(f"components of {counted(late, 'point')} to be updated" if late else "")
        return " · ".join(part for part in parts if part)

    # Private

    def _show_colours(self) -> None:
        if self.ellipses.is_coloured != self.has_component_colours:
            self.ellipses.set_manner(self.has_component_colours, self.density.isVisible())
            self.set_theme(self._theme)

    def _show_points(self, scene: Scene) -> Box:
        points, codes = scene.picture.points[-self._n_points :], scene.picture.codes[-self._n_points :]
        x, y = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
        self.points.set_points(x, y, codes, scene.picture.scheme)
        if scene.latest is not None and len(x):
            self.latest.set_place(float(x[-1]), float(y[-1]))
        else:
            self.latest.hide_place()
        return box_of(x, y)

    def _radius(self, scene: Scene) -> tuple[float, str]:
        return self.contour_radius(scene.population)

    def contour_radius(self, population: Population) -> tuple[float, str]:
        """The contour in standard deviations, and a remark where it is not the chosen one."""
        if self._contour != "chi":
            return (1.0 if self._contour == "one" else 2.0), ""
        beta = population.parameters.beta
        radius = math.sqrt(chdtri(2, beta))
        if radius and math.isfinite(radius):
            return radius, ""
        return 2.0, f"β = {beta:g}: 2σ instead of χ²"

    # The component under the pointer

    def _hover(self, place: tuple[float, float] | None) -> None:
        self._pointer = place
        self._show_hovered()

    def _choose(self, x: float, y: float) -> None:
        found = self._met(x, y)
        met = None if found is None else int(self.ellipses.components.ids[found])
        self.ellipses.select(met)
        self.component_clicked.emit(met)

    def _met(self, x: float, y: float, radius: float | None = None) -> int | None:
        """Position of the component whose ellipse, of this radius or the one drawn, or whose centre is at a place."""
        shown = self.ellipses.components.seen_in(self.plot.view.units)
        return shown.at(*self._seen(x, y), self.ellipses.radius if radius is None else radius, self._reach(REACH))

    def _seen(self, x: float, y: float) -> tuple[float, float]:
        across, up = self.plot.view.units
        return across.place(x), up.place(y)

    def _reach(self, pixels: int) -> tuple[float, float]:
        width, height = self.plot.view.viewPixelSize()
        return pixels * width, pixels * height

    def _show_hovered(self) -> None:
        found = None if self._pointer is None else self._met(*self._pointer)
        self.ellipses.hover(None if found is None else int(self.ellipses.components.ids[found]))
        if found is None or self._scene is None or self._pointer is None:
            self._card.hide()
        else:
            self._show_card(
                card_text(self._scene.picture, self._scene.population, found, self._scene.names), *self._pointer
            )

    def _show_card(self, text: str, x: float, y: float) -> None:
        self._card.tell(text, self.mapFromScene(self.plot.view.scene_place(x, y)))


def show_legend(legend: LegendItem, scene: Scene) -> None:
    """Name the colours of a scene's points."""
    scheme, scale = scene.picture.scheme, scene.picture.scale
    if scheme == "components":
        ids = scene.population.ids.tolist()
        legend.set_labels([component_name(number, scene.names) for number in ids], "component", scheme, ids)
    elif scheme == "scale":
        ends = () if scale is None else (value_text(end, scale.kind) for end in scale[:2])
        legend.set_labels(tuple(ends), scene.colour, scheme)
    else:
        legend.set_labels(scene.labels, scene.colour)


def manners(picture: Picture) -> list[Manner]:
    """The manner of each axis: dates, whole numbers for columns without fractions, or any numbers."""
    found: list[Manner] = []
    for kind, values in zip(picture.kinds, picture.points.T, strict=True):
        judged = values[:: max(1, len(values) // JUDGED)]
        known = judged[np.isfinite(judged)]
        is_whole = bool(len(known)) and bool((known == np.rint(known)).all())
        found.append("days" if kind == "date" else "whole" if is_whole else "numbers")
    return found


def card_text(picture: Picture, population: Population, position: int, names: ComponentNames = NO_NAMES) -> str:
    """The figures of a component on the visible plane."""
    state = str(words(population)[position])
    lines = [component_name(int(population.ids[position]), names) + (f" · {state}" if state != SETTLED else "")]
    prior, evidence = float(population.priors[position]), float(population.accumulators[position])
    lines.append(f"prior {short(prior, 3)} · sp {short(evidence)} · v {whole(population.ages[position])}")
    for axis, label in enumerate(picture.labels):
        variance = float(picture.covariances[position, axis, axis])
        kind, width = picture.kinds[axis], math.sqrt(variance) if variance >= 0 else math.nan
        centre = value_text(float(picture.centres[position, axis]), kind, size=width)
        lines.append(f"{label}: {centre} ± {width_text(width, kind)}")
    return "\n".join(lines)
