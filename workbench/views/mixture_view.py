"""Samples and components on a plane, as they are learned."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from scipy.special import chdtri

from workbench.run.frame import Frame, Plane
from workbench.views.auto_range import AutoRange, Box, box_of
from workbench.views.component_state import SETTLED, words
from workbench.views.density_item import DensityItem
from workbench.views.ellipses_item import Components, EllipsesItem
from workbench.views.figures import short, whole
from workbench.views.mixture_tools import MixtureTools
from workbench.views.naming import named
from workbench.views.plot_area import PlotArea
from workbench.views.points_item import LatestItem, PointsItem
from workbench.views.theme import GRID, Theme

REACH = 6
"""Pixels from its middle at which a component is met, whatever its size."""
STEP_INTERVAL = 16
"""Milliseconds between two steps of a view that grows."""


class MixtureView(QWidget):
    """The picture of a run and the tools for it. It asks for what it cannot do itself."""

    plane_changed = Signal(object)
    """The `Plane` that the next frames shall show."""
    component_clicked = Signal(object)
    """An id; None when the click met no component."""
    picture_requested = Signal(str)
    """What to do with the picture: png, svg or copy."""
    trail_changed = Signal(int)
    """Points to draw, 0 for all that are kept. The view itself draws no more of what a frame holds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tools = MixtureTools()
        self.area = named(PlotArea(), "mixturePlot", "samples and components")
        self.points, self.ellipses = PointsItem(), EllipsesItem()
        self.density, self.latest = DensityItem(), LatestItem()
        for item in (self.density, self.points, self.ellipses, self.latest):
            self.area.plot.addItem(item, ignoreBounds=True)
        self._card = named(QLabel(self.area), "componentCard", manner="card")
        self._card.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._card.setMargin(GRID)
        self._card.hide()
        self._frame: Frame | None = None
        self._pointer: tuple[float, float] | None = None
        self._range = AutoRange()
        self._follows = True
        self._growth = QTimer(self, interval=STEP_INTERVAL)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tools)
        layout.addWidget(self.area, 1)
        self._connect()

    # What is shown

    def show_frame(self, frame: Frame) -> None:
        """Draw a moment of a run."""
        before, self._frame = self._frame, frame
        if before is None or before.picture.plane != frame.picture.plane or before.columns != frame.columns:
            self._refit()
        components, radius = Components.of(frame), self._radius()[0]
        points = self._show_points(frame)
        self.ellipses.set_components(components, radius)
        self.density.set_components(components)
        for axis, text in zip((self.area.plot.bottom, self.area.plot.left), frame.picture.labels, strict=True):
            axis.set_title(text)
        self.area.legend.set_labels(frame.labels)
        self._show_note()
        self._follow(points, components, radius)
        self._show_hovered()

    def clear(self) -> None:
        """Show nothing; the next frame decides what part of the plane is seen."""
        self._frame = None
        self.points.set_points(np.empty(0), np.empty(0), np.empty(0, np.int16))
        self.ellipses.set_components(Components.none(), 1.0)
        self.ellipses.select(None)
        self.density.set_components(Components.none())
        self.latest.hide_place()
        self.area.legend.set_labels(())
        self.tools.note.clear()
        self._refit()
        self._show_hovered()

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours of a look."""
        self.area.set_theme(theme)
        for item in (self.points, self.ellipses, self.density, self.latest):
            item.set_theme(theme)

    def set_columns(self, names: tuple[str, ...]) -> None:
        """Offer these columns for the axes."""
        self.tools.set_columns(names)

    @property
    def plane(self) -> Plane:
        """What the user wants to see."""
        return self.tools.plane

    def set_plane(self, plane: Plane) -> None:
        """Let the tools show a plane that was chosen elsewhere."""
        self.tools.set_plane(plane)

    def select(self, id: int | None) -> None:
        """Let a component stand out."""
        self.ellipses.select(id)

    # Pictures

    def save_picture(self, path: str | Path) -> None:
        """Write the plot as PNG or SVG, by the ending; OSError with the path where that fails."""
        self.area.save(path)

    def copy_picture(self) -> None:
        """Put the plot on the clipboard."""
        QApplication.clipboard().setImage(self.area.picture())

    # Behind the scenes

    def _connect(self) -> None:
        tools = self.tools
        tools.plane_changed.connect(self.plane_changed)
        tools.picture_requested.connect(self.picture_requested)
        tools.trail_changed.connect(self.trail_changed)
        tools.trail_changed.connect(lambda _: self._show_again())
        tools.contour_changed.connect(self._show_again)
        tools.density_toggled.connect(self.density.setVisible)
        tools.fit_wanted.connect(self._fit)
        self.area.fit_wanted.connect(self._fit)
        self.area.moved_by_user.connect(self._stop_following)
        self.area.pointed.connect(self._point)
        self.area.clicked.connect(self._click)
        self._growth.timeout.connect(self._grow)

    def _show_again(self) -> None:
        if self._frame is not None:
            self.show_frame(self._frame)

    def _show_points(self, frame: Frame) -> Box:
        wanted = self.tools.n_points
        points, codes = frame.picture.points[-wanted:], frame.picture.codes[-wanted:]
        x, y = np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])
        self.points.set_points(x, y, codes)
        if frame.latest is not None and len(x):
            self.latest.set_place(float(x[-1]), float(y[-1]))
        else:
            self.latest.hide_place()
        return box_of(x, y)

    def _radius(self) -> tuple[float, str]:
        """The contour in standard deviations, and a remark where it is not the wanted one."""
        contour = self.tools.contour.currentData()
        if contour != "chi":
            return (1.0 if contour == "one" else 2.0), ""
        beta = self._frame.snapshot.parameters.beta if self._frame is not None else 0.0
        radius = math.sqrt(chdtri(2, beta))
        if radius and math.isfinite(radius):
            return radius, ""
        return 2.0, f"β = {beta:g}: 2σ instead of χ²"

    def _show_note(self) -> None:
        frame = self._frame
        assert frame is not None
        n_columns, share = len(frame.columns), frame.picture.share
        parts = [f"projection: {share:.0%} of the variance".replace("%", " %")] if share is not None else []
        if share is None and n_columns > 2:  # noqa: PLR2004 - a plane shows two
            parts.append(f"marginal of {n_columns:,} dimensions")
        parts.append(self._radius()[1])
        lost = int(np.count_nonzero(~self.ellipses.components.definite))
        parts.append(f"{lost:,} not positive definite" if lost else "")
        text = " · ".join(part for part in parts if part)
        if text != self.tools.note.text():
            self.tools.note.setText(text)
            self.tools.note.setToolTip(text)

    # The part of the plane that is seen

    def _fit(self) -> None:
        self._refit()
        self._show_again()

    def _refit(self) -> None:
        self._follows = True
        self._range.reset()

    def _stop_following(self) -> None:
        self._follows = False
        self._growth.stop()

    def _follow(self, points: Box, components: Components, radius: float) -> None:
        if not self._follows:
            return
        first = self._range.target is None
        target = self._range.see(points, components, radius)
        if target is not None and first:
            self._growth.stop()
            self._set_range(target)
        elif target is not None and not self._growth.isActive() and not self._is_at(target):
            self._growth.start()

    def _grow(self) -> None:
        target = self._range.target
        if target is None:
            self._growth.stop()
            return
        self._set_range(self._seen().towards(target))
        if self._is_at(target):
            self._growth.stop()

    def _seen(self) -> Box:
        (left, right), (low, high) = self.area.plot.vb.viewRange()
        return Box(np.array([left, low]), np.array([right, high]))

    def _is_at(self, target: Box) -> bool:
        return self._seen().is_close(target)

    def _set_range(self, box: Box) -> None:
        self.area.plot.vb.setRange(
            xRange=(box.low[0], box.high[0]), yRange=(box.low[1], box.high[1]), padding=0, disableAutoRange=True
        )

    # The component under the pointer

    def _point(self, place: tuple[float, float] | None) -> None:
        self._pointer = place
        self._show_hovered()

    def _click(self, x: float, y: float) -> None:
        found = self._met(x, y)
        met = None if found is None else int(self.ellipses.components.ids[found])
        self.select(met)
        self.component_clicked.emit(met)

    def _met(self, x: float, y: float) -> int | None:
        width, height = self.area.plot.vb.viewPixelSize()
        return self.ellipses.components.at(x, y, self.ellipses.radius, (REACH * width, REACH * height))

    def _show_hovered(self) -> None:
        found = None if self._pointer is None else self._met(*self._pointer)
        if found is None or self._frame is None or self._pointer is None:
            self.ellipses.hover(None)
            self._card.hide()
            return
        self.ellipses.hover(int(self.ellipses.components.ids[found]))
        self._card.setText(card_text(self._frame, found))
        self._card.adjustSize()
        self._card.move(self._card_place(*self._pointer))
        self._card.show()

    def _card_place(self, x: float, y: float) -> QPoint:
        """Beside the pointer, on the side where there is room."""
        at = self.area.mapFromScene(self.area.plot.vb.mapViewToScene(QPointF(x, y)))
        width, height = self._card.width(), self._card.height()
        left = at.x() + 2 * GRID if at.x() + 2 * GRID + width <= self.area.width() else at.x() - 2 * GRID - width
        top = min(max(0, at.y() - height - GRID), max(0, self.area.height() - height))
        return QPoint(max(0, left), top)


def card_text(frame: Frame, position: int) -> str:
    """The numbers of a component on the plane that is shown."""
    snapshot, picture = frame.snapshot, frame.picture
    state = str(words(snapshot)[position])
    lines = [f"#{snapshot.ids[position]}" + (f" · {state}" if state != SETTLED else "")]
    prior, evidence = float(snapshot.priors[position]), float(snapshot.accumulators[position])
    lines.append(f"prior {short(prior, 3)} · sp {short(evidence)} · v {whole(snapshot.ages[position])}")
    for axis, label in enumerate(picture.labels):
        variance = float(picture.covariances[position, axis, axis])
        spread = short(math.sqrt(variance) if variance >= 0 else math.nan)
        lines.append(f"{label}: {short(float(picture.centres[position, axis]))} ± {spread}")
    return "\n".join(lines)
