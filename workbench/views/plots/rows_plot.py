"""The plot of a mixture whose points are rows of a table: they tell of themselves, and can be selected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt, Signal

from figmn.system.arrays import Bools, Floats, Ints
from workbench.views.fields.selection_button import how_of
from workbench.views.look.theme import Theme
from workbench.views.plots.auto_range import Box
from workbench.views.plots.data_view import Span
from workbench.views.plots.hover_card import RingItem
from workbench.views.plots.mixture_plot import MixturePlot, Scene

REACH = 5
"""Pixels from a point at which it is hit."""


class RowsPlot(MixturePlot):
    """Tells the row under the pointer, and the rows that are chosen by a click or inside a rectangle.

    A drag with Shift draws a rectangle, as does one without where `let_select` says so. Other keys say what to do with
    the rows in it: Shift or Ctrl add, Alt removes, both intersect.
    """

    point_pointed = Signal(object)
    """Row in the source of the point under the pointer, or of the one clicked; None for none."""
    rows_chosen = Signal(object, str)
    """Rows whose points were chosen, and what to do: replace, add, remove or intersect; empty: what the menu says."""

    selection_shown = Signal()
    """Other points are highlighted."""

    def __init__(self) -> None:
        super().__init__()
        self.ring = RingItem()
        self.plot.addItem(self.ring, ignoreBounds=True)
        self._row: int | None = None
        """Row of the point that the card tells of."""
        self._pinned: int | None = None
        """Row of the point that was clicked, of which the card tells until the next click."""
        self._told: tuple[int | None, str] = (None, "")
        """A row and what is known of it."""
        self._is_selected: Callable[[Ints], Bools] | None = None
        self.plot.view.takes_bands = True
        self.plot.view.banded.connect(self._choose_band)

    def show_nothing(self) -> None:
        """Clear the plot; the next scene determines the range."""
        self._pinned = None
        super().show_nothing()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        self.ring.set_theme(theme)
        self.plot.view.set_band_colours(theme)

    def show_selection(self, is_selected: Callable[[Ints], Bools] | None) -> None:
        """Highlight the points of some rows: a function from rows to whether they are selected; None for no rows."""
        self._is_selected = is_selected
        self._mark_selected()
        self.selection_shown.emit()

    def let_select(self, is_tool: bool) -> None:
        """Let a drag without Shift draw a rectangle, or move the plot."""
        self.plot.view.is_banding = is_tool
        self.viewport().setCursor(Qt.CursorShape.CrossCursor if is_tool else Qt.CursorShape.ArrowCursor)

    def tell_of_row(self, row: int, text: str) -> None:
        """Show what is known of the row in `point_pointed`."""
        self._told = (row, text)
        self._show_hovered()

    # Points and their rows

    @property
    def rows(self) -> Ints:
        """Rows of the points drawn; empty where they are not told."""
        return np.empty(0, np.int64) if self._scene is None else self._scene.picture.rows[-self._n_points :]

    @property
    def _places(self) -> Floats:
        return np.empty((0, 2)) if self._scene is None else self._scene.picture.points[-self._n_points :]

    def _show_points(self, scene: Scene) -> Box:
        found = super()._show_points(scene)
        self._mark_selected()
        return found

    def _mark_selected(self) -> None:
        is_selected, rows = self._is_selected, self.rows
        self.points.mark(None if is_selected is None or len(rows) != self.points.n_points else is_selected(rows))

    # Choosing

    def _choose_band(self, across: Span, up: Span, how: str) -> None:
        if len(self.rows):
            x, y = self._places.T
            with np.errstate(invalid="ignore"):
                inside = (x >= across.low) & (x <= across.high) & (y >= up.low) & (y <= up.high)
            self.rows_chosen.emit(self.rows[inside], how)

    def _choose(self, x: float, y: float) -> None:
        point, how = self._met_point(x, y), how_of(self.held)
        if point is not None and (self.plot.view.is_banding or how):
            self.rows_chosen.emit(self.rows[[point]], how)
            return
        row = None if point is None else int(self.rows[point])
        self._pinned = None if row == self._pinned else row
        super()._choose(x, y)
        self._show_hovered()

    # The point under the pointer

    def _met_point(self, x: float, y: float) -> int | None:
        """Position of the point at a place, unless the centre of a component is there."""
        if not len(self.rows) or self._met(x, y, radius=0.0) is not None:
            return None
        return self.points.nearest(self.plot.view.units, self._seen(x, y), self._reach(REACH))

    def _show_hovered(self) -> None:
        super()._show_hovered()
        point = self._told_point()
        self._tell_row(None if point is None else int(self.rows[point]))
        if point is None:
            self.ring.set_place(None)
            return
        x, y = self._places[point].tolist()
        self.ring.set_place((x, y))
        row, text = self._told
        self._show_card(text if row == self._row else f"Row {self.rows[point] + 1:,}", x, y)

    def _told_point(self) -> int | None:
        """Position of the point under the pointer, else of the one that was clicked."""
        point = None if self._pointer is None else self._met_point(*self._pointer)
        if point is not None or self._pinned is None:
            return point
        same = np.flatnonzero(self.rows == self._pinned)
        return int(same[-1]) if len(same) else None

    def _tell_row(self, row: int | None) -> None:
        if row != self._row:
            self._row = row
            self.point_pointed.emit(row)
