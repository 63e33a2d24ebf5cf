"""Samples and components on a plane, as they are learned."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from workbench.pages.stream.matrix_bar import MatrixBar
from workbench.pages.stream.tour_bar import TourBar
from workbench.run.show.frame import Frame, Plane
from workbench.views.look.naming import named
from workbench.views.look.pictures import Write
from workbench.views.look.theme import GRID, Theme
from workbench.views.look.throttle import Throttle
from workbench.views.plots.mixture_plot import Scene
from workbench.views.plots.mixture_tools import MixtureTools
from workbench.views.plots.rows_plot import RowsPlot
from workbench.views.plots.scatter_matrix import ScatterMatrix

MATRIX_INTERVAL = 200
"""Milliseconds between two drawings of a scatter matrix while running: with 100,000 points each takes 50."""


class MixtureView(QWidget):
    """The plot of a run and its tools; emits requests for what the page must do."""

    plane_changed = Signal(object)
    """The `Plane` to show from the next frame."""
    matrix_wanted = Signal(object)
    """Columns of the scatter matrix in the next frames, none for those that suit the data; None for no matrix."""
    colour_chosen = Signal(object)
    """The `Colour` to show from the next frame."""
    component_clicked = Signal(object)
    """The id; None if the click hit no component."""
    point_pointed = Signal(object)
    """Row of the point under the pointer, or of the one clicked; None for none."""
    rows_chosen = Signal(object, str)
    """Rows whose points were chosen, and what to do with them."""
    picture_requested = Signal(str)
    """png, svg or copy."""
    trail_changed = Signal(int)
    """Points to draw, 0 for all that are kept; the view applies the limit to the present frame itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tools, self.tour = MixtureTools(), TourBar()
        self.matrix, self.matrix_bar = ScatterMatrix(), MatrixBar()
        self.matrix.hide()
        self.area = named(RowsPlot(), "mixturePlot", "samples and components")
        self.area.set_n_points(self.tools.n_points)
        self.points, self.ellipses = self.area.points, self.area.ellipses
        self.density, self.latest = self.area.density, self.area.latest
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tools)
        layout.addWidget(self.tour)
        layout.addWidget(self.matrix_bar)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.matrix, 1)
        self.foot = QHBoxLayout()
        """Line below the plot: widgets of the owner, then notes on the plot."""
        self.foot.setContentsMargins(GRID, 0, 2 * GRID, 0)
        self.foot.setSpacing(2 * GRID)
        self.foot.addWidget(self.tools.note)
        layout.addLayout(self.foot)
        self._frame: Frame | None = None
        self._matrix_pace = Throttle(self._show_matrix, MATRIX_INTERVAL, self)
        self._connect()

    def show_frame(self, frame: Frame) -> None:
        """Draw a frame of a run."""
        before, self._frame = self._frame, frame
        self.area.show_scene(Scene.of(frame))
        if not self.tools.is_matrix:
            self.tools.set_note(self.area.note())
        elif before is not None and before.run == frame.run and before.state == frame.state == "running":
            self._matrix_pace.ask()
        else:
            self._matrix_pace.act_now()

    def _show_matrix(self) -> None:
        frame = self._frame
        if frame is None or frame.matrix is None or not self.tools.is_matrix:
            return
        self.matrix_bar.show_columns(frame.matrix.columns)
        radius, remark = self.area.contour_radius(frame.census)
        is_coloured, marked = self.area.has_component_colours, self.points.marked
        self.matrix.show_frame(frame, self.tools.n_points, radius, is_coloured, marked)
        marginals = f"marginals of {len(frame.columns):,} dimensions"
        self.tools.set_note(" · ".join(part for part in (marginals, remark) if part))

    def clear(self) -> None:
        """Show nothing; the view is fitted to the next frame."""
        self._frame = None
        self.area.show_nothing()
        self.matrix.clear()
        self.tools.set_note("")

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.tour.set_theme(theme)
        self.matrix.set_theme(theme)
        self.area.set_theme(theme)
        self.tools.set_theme(theme)

    def colour_components(self, is_coloured: bool) -> None:
        """Give each component its own colour, or all the same."""
        self.area.colour_components(is_coloured)
        self._show_matrix()

    def set_columns(self, names: tuple[str, ...], has_targets: bool = False) -> None:
        """Offer these columns for the axes."""
        self.tools.set_columns(names, has_targets)
        self.matrix_bar.set_names(names)

    @property
    def plane(self) -> Plane:
        """The plane that the user chose."""
        return self.tools.plane

    def set_plane(self, plane: Plane) -> None:
        """Show in the tools a plane that was chosen elsewhere."""
        self.tools.set_plane(plane)
        self._show_bars()

    def select(self, id: int | None) -> None:
        """Highlight a component."""
        self.ellipses.select(id)
        self.matrix.select(id)

    def draw_picture(self, path: str | Path) -> Write:
        """Draw the plot as PNG or SVG, by the file's suffix, and return a function that writes it."""
        return self.matrix.draw_picture(path) if self.tools.is_matrix else self.area.draw_picture(path)

    def copy_picture(self) -> None:
        """Copy the plot to the clipboard."""
        QApplication.clipboard().setImage(self.matrix.picture() if self.tools.is_matrix else self.area.picture())

    def _connect(self) -> None:
        tools = self.tools
        tools.plane_changed.connect(self.plane_changed)
        tools.plane_changed.connect(self._show_bars)
        tools.matrix_toggled.connect(self._toggle_matrix)
        self.matrix_bar.columns_changed.connect(self.matrix_wanted)
        self.matrix.pair_chosen.connect(lambda x, y: tools.choose(Plane("columns", x, y)))
        self.tour.keep_requested.connect(self._keep)
        self.area.selection_shown.connect(self._show_matrix)
        tools.colour_chosen.connect(self.colour_chosen)
        tools.picture_requested.connect(self.picture_requested)
        tools.trail_changed.connect(self.trail_changed)
        tools.trail_changed.connect(self.area.set_n_points)
        tools.trail_changed.connect(lambda _: self._show_matrix())
        tools.contour_changed.connect(self._take_contour)
        tools.density_toggled.connect(self.area.show_density)
        tools.fit_wanted.connect(self._fit)
        self.area.fit_wanted.connect(self._fit)
        self.area.component_clicked.connect(self.component_clicked)
        self.area.point_pointed.connect(self.point_pointed)
        self.area.rows_chosen.connect(self.rows_chosen)
        tools.select.toggled.connect(self.area.let_select)

    def set_logs(self, across: bool, up: bool) -> None:
        """Draw on logarithmic axes, where all values are positive; the note says where not."""
        self.area.set_logs(across, up)
        self._show_note()

    def set_equal(self, is_equal: bool) -> None:
        """Give a unit of both axes the same length."""
        self.area.set_equal(is_equal)
        self._show_note()

    def _show_note(self) -> None:
        if not self.tools.is_matrix:
            self.tools.set_note(self.area.note())

    def start_tour(self) -> None:
        """Choose the tour, where there are planes to turn through."""
        self.tools.kind.setCurrentIndex(max(0, self.tools.kind.findData("tour")))

    def _keep(self) -> None:
        if self._frame is not None and self._frame.picture.loadings is not None:
            self.tools.keep(self._frame.picture.loadings)

    def _toggle_matrix(self, is_matrix: bool) -> None:
        self.area.setVisible(not is_matrix)
        self.matrix.setVisible(is_matrix)
        self._show_bars()
        self.matrix_wanted.emit(self.matrix_bar.columns if is_matrix else None)

    def _show_bars(self) -> None:
        """The lines above the plot: of the tour or of the matrix, while one is shown."""
        is_matrix = self.tools.is_matrix
        self.matrix_bar.setVisible(is_matrix)
        self.tour.show_tour(self.plane.kind == "tour" and not is_matrix)

    def _take_contour(self) -> None:
        self.area.set_contour(self.tools.contour.currentData())
        self.tools.set_note(self.area.note())
        self._show_matrix()

    def _fit(self) -> None:
        self.area.follower.refit()
        self.area.show_again()
        self.matrix.refit()
        self._show_matrix()
