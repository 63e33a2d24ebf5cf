"""The first two engines of a race side by side, with the figures between them and one set of tools."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from workbench.pages.race.figures import NO_RACE, WIDTH, RaceFigures
from workbench.pages.race.names import of_the_race
from workbench.pages.race.pane import RacePane
from workbench.pages.race.parity_view import START, ParityView
from workbench.run.race.frame import RaceFrame
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.auto_range import Follower
from workbench.views.plots.mixture_tools import MixtureTools


class RacePanes(QWidget):
    """Two panes with linked views of the same plane."""

    plane_changed = Signal(object)
    """The `Plane` to show from the next frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tools = of_the_race(MixtureTools(is_brief=True))
        """Tools for both panes; the owner places them above this widget."""
        # Animation between frames would disturb the engines' times.
        follower = Follower(self, is_gradual=False)
        self.lanes = (
            RacePane("raceFast", NO_RACE[0], "accent", follower),
            RacePane("raceCubic", NO_RACE[1], "cubic", follower),
        )
        """One for each of the first two contenders."""
        self.figures, self.parity = RaceFigures(), ParityView()
        self._follower = follower
        self._frame: RaceFrame | None = None
        self._lay_out()
        self._connect()

    def show_frame(self, frame: RaceFrame) -> None:
        """Draw a frame of a race; heads, figures and parity show the same frame."""
        before, self._frame = self._frame, frame
        if before is None or (before.columns, before.has_targets) != (frame.columns, frame.has_targets):
            self.tools.set_columns(frame.columns, frame.has_targets)
            self.tools.set_plane(frame.reference.picture.plane)
        for pane, lane in zip(self.lanes, frame.lanes, strict=False):  # others are in figures, curves and parity
            pane.show_lane(frame, lane)
        self.parity.show_frame(frame)
        self.figures.show_frame(frame)
        self._between.setFixedWidth(self.figures.sizeHint().width())
        self._show_note()

    def clear(self, words: str = START) -> None:
        """Show only this text: there is no race."""
        self._frame = None
        for view in (*self.lanes, self.figures):
            view.clear()
        self.parity.clear(words)
        self.tools.set_note("")

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        for view in (*self.lanes, self.figures, self.parity):
            view.set_theme(theme)

    def _lay_out(self) -> None:
        self._between = between = QWidget()
        between.setFixedWidth(WIDTH)
        between.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        column = QVBoxLayout(between)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID // 2)
        rule = QFrame()
        rule.setProperty("manner", "line")
        rule.setFixedHeight(1)
        column.addWidget(self.figures)
        column.addWidget(rule)
        column.addWidget(self.parity, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        left, right = self.lanes
        row.addWidget(left, 1)
        row.addWidget(between)
        row.addWidget(right, 1)

    def _connect(self) -> None:
        self.tools.plane_changed.connect(self.plane_changed)
        self.tools.contour_changed.connect(self._take_contour)
        left, right = (pane.plot for pane in self.lanes)
        for source in (self.tools, left, right):
            source.fit_wanted.connect(self._fit)
        # A component has the same id in both panes: selecting it in one selects it in the other.
        left.component_clicked.connect(right.ellipses.select)
        right.component_clicked.connect(left.ellipses.select)

    def _take_contour(self) -> None:
        for pane in self.lanes:
            pane.plot.set_contour(self.tools.contour.currentData())
        self._show_note()

    def _fit(self) -> None:
        self._follower.refit()
        for pane in self.lanes:
            pane.plot.show_again()

    def _show_note(self) -> None:
        """Show the note of both panes, or each with its name if they differ."""
        notes = [pane.plot.note() for pane in self.lanes]
        names = NO_RACE if self._frame is None else self._frame.short_titles
        each = " · ".join(f"{name}: {note or '–'}" for name, note in zip(names, notes, strict=False))
        self.tools.set_note(notes[0] if notes[0] == notes[1] else each)
