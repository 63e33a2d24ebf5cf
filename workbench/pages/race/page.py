"""The Race page: Fast IGMN against the cubic IGMN on the same stream, and their benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPaintDevice, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from workbench.desk.differences import changed_words
from workbench.pages.page import PageView
from workbench.pages.race.curves import RaceCurves
from workbench.pages.race.names import of_the_race
from workbench.pages.race.pace import FramePace, goes_on
from workbench.pages.race.panes import RacePanes
from workbench.pages.race.paper.view import PaperView
from workbench.pages.race.parity_view import START
from workbench.pages.race.start import RaceStart
from workbench.pages.race.sweep.view import SweepView
from workbench.pages.race.tools import RaceTools
from workbench.run.race.frame import RaceFrame
from workbench.views.fields.export_row import ExportButton, ExportRow
from workbench.views.fields.run_bar import LOW, RunBar
from workbench.views.look import pictures
from workbench.views.look.layouts import across
from workbench.views.look.naming import Label, named, plain_tip
from workbench.views.look.parts_head import parts_head
from workbench.views.look.scrolled import Scrolled
from workbench.views.look.still import Still
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.machine import fairness_line

INTERVAL = 110
"""Milliseconds between two updates: drawing the mixtures takes most of the GUI thread's time."""
SHOWN = 2
"""Differences that fit into one line in a window of 1280 pixels; the tooltip has all."""
FAIRNESS_HEIGHT = 32
"""Height of two lines."""
EXPORTS = (
    ExportButton("png", "raceExportPng", "PNG", "Save panes, figures and curves as a PNG file"),
    ExportButton("svg", "raceExportSvg", "SVG", "Save panes, figures and curves as an SVG file"),
    ExportButton(
        "csv", "raceExportCsv", "CSV", "The course of both engines as CSV: samples, K, µs per sample, engine time"
    ),
    ExportButton("json", "raceExportJson", "JSON", "Figures of both engines, parity, settings and machine, as JSON"),
)


class RacePage(PageView):
    """The race, the sweep and the paper's tables."""

    settings_changed = Signal(object)
    """The user chose other `RaceSettings`."""
    plane_changed = Signal(object)
    """The `Plane` to show from the next frame."""
    export_requested = Signal(str)
    """png, svg, csv or json."""
    numbers_shown = Signal()
    """The numbers on the page are those of another frame, `shown_frame`."""
    painted = Signal()
    """The latest frame has been painted, is not visible, or was skipped by the throttle."""

    def __init__(self, versions: str = "") -> None:
        super().__init__(versions)
        self.setObjectName("racePage")
        self.parts = named(QTabBar(), "raceParts", "parts of this page")
        self.stack, self.content = QStackedWidget(), QStackedWidget()
        self._parts: list[QWidget] = []
        self.tools, self.panes, self.curves = RaceTools(), RacePanes(), RaceCurves()
        self.start, self.sweep, self.paper = RaceStart(), SweepView(), PaperView()
        self.exports = ExportRow(EXPORTS)
        self.run_bar = of_the_race(RunBar(with_pauses=False))
        self.stale = named(Label(wordWrap=True), "raceStale", manner="warning")
        self.fairness = named(Label(wordWrap=True), "raceFairness", "what makes the times comparable", manner="small")
        self._theme = LIGHT
        self._machine, self._reason = "", ""
        self._title: str | None = None
        self.shown_frame: RaceFrame | None = None
        """The frame whose numbers are shown."""
        self._frame: RaceFrame | None = None
        self._pace = FramePace(self._show, INTERVAL, self)
        self._lay_out()
        self._connect()
        self.show_stale(())
        self._show_words()
        self.clear()

    def show_frame(self, frame: RaceFrame) -> None:
        """Draw a frame of the race, throttled; all views show the same frame."""
        before, self._frame = self._frame, frame
        if before is None:
            self._show_start(False)
        if not self._pace.ask(at_once=not goes_on(before, frame)):
            self.painted.emit()

    def clear(self, words: str = "") -> None:
        """Show no race but this text; without a text, the start view."""
        self._frame, self.shown_frame = None, None
        self._show_start(not words)
        self.panes.clear(words or START)
        self.curves.clear()
        self.run_bar.show_state(None, 0, None, None)
        self.exports.setEnabled(False)
        self._show_fairness()

    def show_stale(self, differences: Sequence[str]) -> None:
        """Show what was changed since the race shown was made."""
        if differences:
            self.stale.setText(f"{changed_words(differences, 'race', SHOWN)}. Restart to apply.")
            self.stale.setToolTip(plain_tip(changed_words(differences, "race", None)))
        self.stale.setVisible(bool(differences))

    def set_machine(self, text: str) -> None:
        """Show machine and libraries below the curves."""
        self._machine = text
        self._show_fairness()

    def set_dataset(self, title: str | None, needs_rows: bool = False) -> None:
        """Offer the dataset of the Data page; None if there is none."""
        self.tools.set_dataset(title, needs_rows)
        self._title = title
        self._show_words()

    def set_start_blocked(self, reason: str) -> None:
        """Disable the start and show why; an invalid number on this page disables it as well."""
        self._reason = reason
        self._block()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt: in a low window the run bar takes fewer lines."""
        super().resizeEvent(event)
        self.run_bar.set_brief(event.size().height() < LOW)

    def _add_part(self, title: str, widget: QWidget) -> None:
        """Add a tab beside the race; its view scrolls where it does not fit."""
        self.parts.addTab(title)
        self._parts.append(widget)
        self.stack.addWidget(Scrolled(widget, f"part{len(self._parts)}Scroll"))

    @property
    def part(self) -> QWidget:
        """The part in front."""
        return self._parts[self.stack.currentIndex()]

    def show_part(self, widget: QWidget) -> None:
        """Bring a part to the front."""
        self.parts.setCurrentIndex(self._parts.index(widget))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        super().set_theme(theme)
        for view in (self.start, self.tools, self.panes, self.curves, self.run_bar, self.sweep, self.paper):
            view.set_theme(theme)

    # Pictures

    def draw_picture(self, path: str | Path) -> pictures.Write:
        """Draw panes, figures and curves as PNG or SVG, by the ending, and return what writes them."""
        return pictures.drawn(path, self.picture, self.svg)

    def picture(self) -> QImage:
        """The race as an image, at twice the resolution."""
        image = QImage(self.shown.size() * pictures.FINENESS, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(pictures.FINENESS)
        image.fill(QColor(self._theme.base))
        self.shown.render(image, QPoint(0, 0))
        return image

    def svg(self) -> bytes:
        """The race as an SVG file."""
        title = "Fast IGMN workbench: race"
        return pictures.svg_of(self.shown.size(), self.logicalDpiX(), title, self._paint)

    def _paint(self, device: QPaintDevice) -> None:
        painter = QPainter(device)
        painter.fillRect(self.shown.rect(), QColor(self._theme.base))
        self.shown.render(painter, QPoint(0, 0))
        painter.end()

    # Internal

    def _connect(self) -> None:
        self.parts.currentChanged.connect(self._show_part)
        self.exports.chosen.connect(self.export_requested)
        self.tools.changed.connect(self.settings_changed)
        self.tools.changed.connect(self._show_fairness)
        self.tools.changed.connect(self._show_words)
        self.start.start_requested.connect(self.run_bar.play_requested)
        self.tools.problem_changed.connect(self._block)
        self.panes.plane_changed.connect(self.plane_changed)
        self.panes.figures.painted.connect(self.painted)

    def _show(self) -> None:
        frame = self._frame
        if frame is None:
            return
        self.shown_frame = frame
        # First: Qt repaints a progress bar immediately, together with everything changed before it.
        self.run_bar.show_state(frame.state, frame.n_done, frame.n_total, frame.seconds_left)
        self.panes.show_frame(frame)
        self.curves.show_frame(frame)
        self.exports.setEnabled(True)
        self._show_fairness()
        self.numbers_shown.emit()

    def _show_part(self, position: int) -> None:
        self.stack.setCurrentIndex(position)
        self.exports.setVisible(position == 0)

    def _block(self) -> None:
        reason = " ".join(part for part in (self._reason, self.tools.problem()) if part)
        self.run_bar.set_start_blocked(reason)
        self.start.set_blocked(reason)

    def _show_start(self, is_shown: bool) -> None:
        """Show the start view in place of the panes and their tools, or the panes."""
        self.content.setCurrentWidget(self.start if is_shown else self.shown)
        self.panes.tools.setVisible(not is_shown)

    def _show_words(self) -> None:
        self.start.show_settings(self.tools.settings(), self._title)

    def _show_fairness(self) -> None:
        """Show the conditions of the race, or of the chosen settings before there is one."""
        frame = self._frame
        settings = self.tools.settings() if frame is None else frame.settings
        turns = "engines take turns" if settings.takes_turns else "engines work at the same time"
        text = fairness_line(1 if frame is None else frame.threads, self._machine, turns=turns)
        if text != self.fairness.text():
            self.fairness.setText(text)
            self.fairness.setToolTip(plain_tip(text))

    def _lay_out(self) -> None:
        head = parts_head("raceHead", self.parts, self.exports)
        self._add_part("Race", self._race())
        self._add_part("Sweep over D", self.sweep)
        self._add_part("The paper's tables", self.paper)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(head)
        layout.addWidget(across())
        layout.addWidget(self.stack, 1)

    def _race(self) -> QWidget:
        self.panes.tools.setContentsMargins(GRID, 0, 0, 0)
        self.stale.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, 0)
        self.shown = self._shown()
        for view in (self.start, self.shown):
            self.content.addWidget(view)
        race, body = QWidget(), named(QWidget(), "raceBody", manner="page")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner, outer = QVBoxLayout(body), QVBoxLayout(race)
        for layout in (inner, outer):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        for part in (self.tools, self.panes.tools, self.stale):
            inner.addWidget(part)
        inner.addWidget(self.content, 1)
        # In a low window all but the run bar scrolls, so that the bar is always visible.
        outer.addWidget(Scrolled(body, "raceScroll"), 1)
        outer.addWidget(across())
        outer.addWidget(self.run_bar)
        return race

    def _shown(self) -> QWidget:
        """The widget that pictures are taken of; in a low window it is larger than the visible part."""
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(self.panes)
        halves.addWidget(self.curves)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(1)
        halves.setSizes([420, 190])
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 1)
        self.fairness.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        shown = named(QWidget(), "raceShown", manner="page")
        shown.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(shown)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(halves, 1)
        # A label with word wrap would make the scroll area request the full size hints of the plots.
        layout.addWidget(Still(self.fairness, height=FAIRNESS_HEIGHT))
        return shown
