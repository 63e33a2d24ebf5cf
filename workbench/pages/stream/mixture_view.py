"""Samples and components on a plane, as they are learned."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from workbench.run.show.frame import Frame, Plane
from workbench.views.look.naming import named
from workbench.views.look.pictures import Write
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.mixture_plot import MixturePlot, Scene
from workbench.views.plots.mixture_tools import MixtureTools


class MixtureView(QWidget):
    """The picture of a run and the tools for it. It asks for what it cannot do itself."""

    plane_changed = Signal(object)
    """The `Plane` that the next frames shall show."""
    colour_chosen = Signal(object)
    """The column to colour by; None for one colour."""
    component_clicked = Signal(object)
    """An id; None when the click met no component."""
    picture_requested = Signal(str)
    """What to do with the picture: png, svg or copy."""
    trail_changed = Signal(int)
    """Points to draw, 0 for all that are kept. The view itself draws no more of what a frame holds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tools = MixtureTools()
        self.area = named(MixturePlot(), "mixturePlot", "samples and components")
        self.area.set_n_points(self.tools.n_points)
        self.points, self.ellipses = self.area.points, self.area.ellipses
        self.density, self.latest = self.area.density, self.area.latest
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tools)
        layout.addWidget(self.area, 1)
        self.foot = QHBoxLayout()
        """Below the picture: what a reader must know of it, and before that what the owner puts there."""
        self.foot.setContentsMargins(GRID, 0, 2 * GRID, 0)
        self.foot.setSpacing(2 * GRID)
        self.foot.addWidget(self.tools.note)
        layout.addLayout(self.foot)
        self._connect()

    def show_frame(self, frame: Frame) -> None:
        """Draw a moment of a run."""
        self.area.show_scene(Scene.of(frame))
        self.tools.set_note(self.area.note())

    def clear(self) -> None:
        """Show nothing; the next frame decides what part of the plane is seen."""
        self.area.show_nothing()
        self.tools.set_note("")

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.area.set_theme(theme)
        self.tools.set_theme(theme)

    def colour_components(self, is_coloured: bool) -> None:
        """Give each component a colour of its own, or all the same."""
        self.area.colour_components(is_coloured)

    def set_columns(self, names: tuple[str, ...], has_targets: bool = False) -> None:
        """Offer these columns for the axes."""
        self.tools.set_columns(names, has_targets)

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

    def draw_picture(self, path: str | Path) -> Write:
        """Draw the plot as PNG or SVG, by the ending, and return what writes it."""
        return self.area.draw_picture(path)

    def copy_picture(self) -> None:
        """Put the plot on the clipboard."""
        QApplication.clipboard().setImage(self.area.picture())

    def _connect(self) -> None:
        tools = self.tools
        tools.plane_changed.connect(self.plane_changed)
        tools.colour_chosen.connect(self.colour_chosen)
        tools.picture_requested.connect(self.picture_requested)
        tools.trail_changed.connect(self.trail_changed)
        tools.trail_changed.connect(self.area.set_n_points)
        tools.contour_changed.connect(self._take_contour)
        tools.density_toggled.connect(self.area.show_density)
        tools.fit_wanted.connect(self._fit)
        self.area.fit_wanted.connect(self._fit)
        self.area.component_clicked.connect(self.component_clicked)

    def _take_contour(self) -> None:
        self.area.set_contour(self.tools.contour.currentData())
        self.tools.set_note(self.area.note())

    def _fit(self) -> None:
        self.area.follower.refit()
        self.area.show_again()
