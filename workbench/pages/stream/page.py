"""The Stream page: the mixture as it learns, its timelines, its components, and the run bar."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from workbench.pages.page import PageView
from workbench.pages.stream.component_details import ComponentDetails
from workbench.pages.stream.component_table import ComponentTable
from workbench.pages.stream.mixture_view import MixtureView
from workbench.pages.stream.model_strip import ModelStrip
from workbench.pages.stream.results import ResultsView, RunResult
from workbench.pages.stream.timelines import Timelines
from workbench.pages.stream.welcome import Welcome
from workbench.pages.stream.words import sentence
from workbench.run.ask.members import Members
from workbench.run.show.frame import INPUTS_AND_TARGETS, INPUTS_ONLY, Frame, HeldOut
from workbench.views.fields.export_row import ExportButton, ExportRow
from workbench.views.fields.run_bar import LOW, RunBar
from workbench.views.look.layouts import across
from workbench.views.look.naming import Label, named
from workbench.views.look.scrolled import Scrolled
from workbench.views.look.still import Still
from workbench.views.look.theme import GRID, Theme
from workbench.views.look.throttle import Throttle
from workbench.words.counts import counted
from workbench.words.numbers import short

SIDE_BY_SIDE = 760
"""Width in pixels from which plot and components are side by side."""
VERTICAL = Qt.Orientation.Vertical
WORDS_HEIGHT, PICTURE_HEIGHT = 36, 250
"""Heights of the sentence, and least height of the plot, for which the other views shrink in a low window. A plot of
height 0 took a gigabyte to draw."""
LOG_HELP = (
    "One line per sample: its row, label and weight, the nearest component, the component that takes most of it "
    "(owner) with its posterior, components born, removed and merged (7 into 4: #4 took in #7), log-likelihood of all "
    "columns (inputs and targets), µs"
)
HELD_OUT_HELP = (
    "Mean log density of the mixture at the held-out rows, which it has never learned. "
    "Larger is better; only runs on the same columns can be compared."
)
RECIPE_HELP = "Data, settings and seed of this run as JSON; python -m workbench run repeats it"

EXPORTS = (
    ExportButton("log", "exportLog", "Per-sample CSV", LOG_HELP),
    ExportButton(
        "model", "exportModel", "Model", "The mixture as a .figmn file, which File ▸ Open and figmn.load read"
    ),
    ExportButton("recipe", "exportRecipe", "Recipe", RECIPE_HELP),
)
INTERVAL = 200
"""Milliseconds between two updates of the numbers while running: faster changes are unreadable."""


class StreamPage(PageView):
    """Views of one run. All numbers on the page come from the same frame; only the plot may be ahead of them."""

    component_chosen = Signal(object)
    """Id of the component whose numbers are shown; None for none."""
    numbers_shown = Signal()
    """The numbers on the page are those of another frame, `shown`."""

    def __init__(self, versions: str = "") -> None:
        super().__init__(versions)
        self.welcome, self.model = Welcome(), ModelStrip()
        self.exports = ExportRow(EXPORTS)
        self.mixture, self.timelines = MixtureView(), Timelines()
        self.table, self.details = ComponentTable(), ComponentDetails()
        self.results = ResultsView()
        self.mixture.setMinimumHeight(PICTURE_HEIGHT)
        self.run_bar = RunBar()
        self.words = _words()
        self.shown: Frame | None = None
        """The frame whose numbers are shown."""
        self._frame: Frame | None = None
        self._chosen: int | None = None
        self._members: Members | None = None
        """Rows of the components of the run shown, as far as they are known."""
        self._is_crowded = False
        """Whether other panels of the window would leave the plot less than half of the height."""
        self._pace = Throttle(self._show_numbers, INTERVAL, self)
        self._lay_out()
        self.table.component_selected.connect(self._choose)
        self.mixture.component_clicked.connect(self._choose)
        self.table.name_wanted.connect(self.details.card.edit_name)

    def show_frame(self, frame: Frame) -> None:
        """Draw a frame of the run."""
        before = self._frame
        if before is None or before.run != frame.run:
            self._choose(None)  # component ids start again with each run
        if before is None or (before.columns, before.has_targets) != (frame.columns, frame.has_targets):
            self.mixture.set_columns(frame.columns, frame.has_targets)
            self.mixture.set_plane(frame.picture.plane)
        self._frame = frame
        self.mixture.show_frame(frame)
        if before is None or before.picture.scheme != frame.picture.scheme:
            self._show_component_colours()
        is_same = before is not None and (before.run, before.state) == (frame.run, frame.state)
        if is_same and (frame.state == "running" or frame.picture.plane.kind == "tour"):
            self._pace.ask()
        else:
            self._pace.act_now()

    def _show_numbers(self) -> None:
        frame = self._frame
        if frame is None:
            return
        self.shown = frame
        self.timelines.show_frame(frame)
        if frame.census.n_components:
            self.table.show_frame(frame)
        else:
            self.table.clear()
        self.details.show_component(frame, self._chosen, self._members)
        self.words.setText(sentence(frame))
        self.run_bar.show_state(frame.state, frame.n_done, frame.n_total, run_seconds_left(frame))
        self.numbers_shown.emit()

    def show_held_out(self, held_out: HeldOut, sample: int) -> None:
        """Show the score of the held-out rows until the next run."""
        n_rows, of_all, of_inputs = held_out
        remark = f"mean of {counted(n_rows, 'row')} not learned, at sample {sample:,}"
        title = "held-out log-likelihood"
        if of_inputs is None:
            self.results.show_results([RunResult(title, short(of_all), remark, HELD_OUT_HELP)])
            return
        figures = ((INPUTS_AND_TARGETS, of_all, ""), (INPUTS_ONLY, of_inputs, remark))
        self.results.show_results(
            [RunResult(f"{title}, {of}", short(value), told, HELD_OUT_HELP) for of, value, told in figures]
        )

    def clear(self) -> None:
        """Show nothing: there is no run."""
        self._frame, self.shown, self._chosen, self._members = None, None, None, None
        for view in (self.mixture, self.timelines, self.table, self.results):
            view.clear()
        self.details.show_component(None, None)
        self.words.setText("Press play to stream the data, or step to learn one sample at a time.")
        self.run_bar.show_state(None, 0, None, None)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        for view in (self.welcome, self.mixture, self.timelines, self.table, self.details, self.run_bar):
            view.set_theme(theme)

    def colour_components(self, is_coloured: bool) -> None:
        """Give each component its own colour in the plot and beside its id, or all the same."""
        self.mixture.colour_components(is_coloured)
        self._show_component_colours()

    def _show_component_colours(self) -> None:
        """Beside the ids of components, where these have colours in the plot."""
        for view in (self.table, self.details):
            view.colour_components(self.mixture.area.has_component_colours)

    def _choose(self, component: int | None) -> None:
        if component == self._chosen:
            return
        self._chosen = component
        self.table.select(component)
        self.mixture.select(component)
        self.details.show_component(self.shown, component, self._members)
        self.component_chosen.emit(component)

    def show_members(self, members: Members | None, n_selected: dict[int, int] | None) -> None:
        """Show which rows belong to the components, and how many of them are selected."""
        self._members = members
        self.table.show_members(members, n_selected)
        self.details.show_component(self.shown, self._chosen, members)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt: in a small window the components go below the plot, and the run bar takes fewer lines."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= SIDE_BY_SIDE
        self._halves.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        self._give_way()

    def fold_timelines(self, is_folded: bool) -> None:
        """Show the components alone, or all curves."""
        self.timelines.set_folded(is_folded)
        self._give_way()
        room = self._centre.height()
        least = self.timelines.sizeHint().height()
        self._centre.setSizes([max(PICTURE_HEIGHT, room - least), least])

    def set_crowded(self, is_crowded: bool) -> None:
        """Hide folded timelines and shorten the run bar, to leave more room to the plot."""
        self._is_crowded = is_crowded
        self._give_way()

    def _give_way(self) -> None:
        self.timelines.setVisible(not (self._is_crowded and self.timelines.is_folded))
        for part in (self.run_bar, self.welcome):
            part.set_brief(self._is_crowded or self.height() < LOW)

    def _lay_out(self) -> None:
        centre, right, halves = (QSplitter(way) for way in (VERTICAL, VERTICAL, Qt.Orientation.Horizontal))
        self._centre, self._halves = centre, halves
        centre.addWidget(self._picture())
        centre.addWidget(self.timelines)
        centre.setSizes([440, 260])
        centre.setStretchFactor(0, 1)
        centre.setStretchFactor(1, 0)
        right.addWidget(self.table)
        right.addWidget(self._lower_right())
        right.setSizes([270, 430])
        halves.addWidget(centre)
        halves.addWidget(right)
        halves.setStretchFactor(0, 1)
        halves.setSizes([700, 310])
        for splitter in (centre, right, halves):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
        layout = _column(self)
        body = Scrolled(self._body(), "streamScroll")
        for widget in (self.welcome, self.model, self.notice, body, across(), self.run_bar):
            layout.addWidget(widget, stretch=1 if isinstance(widget, Scrolled) else 0)

    def _body(self) -> QWidget:
        """All but the run bar: it scrolls in a low window, so that the bar is always visible."""
        body = named(QWidget(), "streamBody", manner="page")
        body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = _column(body)
        # Across the whole page, so that the tools fit into one line in a window of 1280 pixels.
        layout.addWidget(self.mixture.tools)
        layout.addWidget(self._halves, stretch=1)
        return body

    def _picture(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(GRID, 0, 0, GRID)
        layout.setSpacing(0)
        layout.addWidget(self.mixture, stretch=1)
        self.mixture.foot.insertWidget(0, Still(self.words, height=WORDS_HEIGHT), 1)
        return box

    def _lower_right(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.details, stretch=1)
        layout.addWidget(across())
        layout.addWidget(self.results)
        self.exports.row.insertStretch(1)
        self.exports.row.setContentsMargins(2 * GRID, GRID, GRID, GRID)
        layout.addWidget(self.exports)
        return box


def run_seconds_left(frame: Frame) -> float | None:
    """Seconds to the end at the present throughput; None for an endless stream or if nothing is learned."""
    if frame.n_total is None or frame.rows_per_second <= 0:
        return None
    return (frame.n_total - frame.n_done) / frame.rows_per_second


def _column(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout


def _words() -> Label:
    label = Label()
    label.setObjectName("sentence")
    label.setProperty("manner", "muted")
    label.setWordWrap(True)
    label.setContentsMargins(GRID, 0, GRID, 0)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
