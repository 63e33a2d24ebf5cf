"""The Evaluate page: what is tested and all results on the left, one result on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from workbench.desk.evaluate import Result
from workbench.evaluate.trial.comparison import Comparison
from workbench.evaluate.trial.outcome import Evaluation
from workbench.pages.evaluate.parts.comparing import ComparingPart
from workbench.pages.evaluate.parts.confusion import ConfusionPart
from workbench.pages.evaluate.parts.course import CoursePart
from workbench.pages.evaluate.parts.curves import CurvesPart
from workbench.pages.evaluate.parts.figures import FiguresPart
from workbench.pages.evaluate.parts.folds import FoldsPart
from workbench.pages.evaluate.parts.numbers import PredictedPart, ResidualsPart
from workbench.pages.evaluate.parts.part import Part
from workbench.pages.evaluate.plan_form import PlanForm
from workbench.pages.evaluate.result_list import ResultList
from workbench.pages.evaluate.tuning.view import TuningView
from workbench.pages.page import PageView
from workbench.views.fields.export_row import ExportButton, ExportRow
from workbench.views.look.background import Background
from workbench.views.look.icons import icon
from workbench.views.look.layouts import across
from workbench.views.look.naming import Label, named, one_line, plain_tip, set_property
from workbench.views.look.parts_head import parts_head
from workbench.views.look.scrolled import Scrolled
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.plot_area import PlotArea

EXPORTS = (
    ExportButton("csv", "evaluateExportCsv", "CSV", "Save the table, or the points of the plot, as a CSV file"),
    ExportButton("png", "evaluateExportPng", "PNG", "Save the plot as a PNG file"),
    ExportButton("svg", "evaluateExportSvg", "SVG", "Save the plot as an SVG file"),
    ExportButton("copy", "evaluateExportCopy", "Copy", "Copy the plot as a picture, or the table as text"),
)
NOTHING_YET = "Choose what is predicted and a test option, and press Start."


class EvaluatePage(PageView):
    """Form and results beside the parts of one result; before there are data, a hint.

    Parameters
    ----------
    is_current : whether data and settings are still those of a result
    compare : a figure of two results
    """

    export_requested = Signal(str)
    """csv, png, svg or copy: of the part in front."""
    open_requested = Signal()
    sample_requested = Signal()

    def __init__(
        self,
        is_current: Callable[[Result], bool],
        compare: Callable[[Result, Result, str], Comparison],
        versions: str = "",
    ) -> None:
        super().__init__(versions)
        self.setObjectName("evaluatePage")
        self.background = Background(self)
        self.form, self.results = PlanForm(), ResultList(is_current)
        self.figures, self.confusion = FiguresPart(self.background), ConfusionPart(self.background)
        self.course = CoursePart(self.background)
        self.parts: tuple[Part, ...] = (
            self.figures,
            self.confusion,
            CurvesPart(self.background),
            PredictedPart(self.background),
            ResidualsPart(self.background),
            self.course,
            FoldsPart(self.background),
        )
        self.comparing = ComparingPart(self.background, compare)
        self.tuning = TuningView()
        self._views: tuple[Part | ComparingPart | TuningView, ...] = (*self.parts, self.comparing, self.tuning)
        self.tabs = named(QTabBar(), "evaluateParts", "parts of this page")
        self.exports = ExportRow(EXPORTS, with_heading=False)
        self.title = named(Label(), "evaluationTitle", manner="strong")
        self.facts = named(Label(wordWrap=True), "evaluationFacts", manner="muted")
        self.stack, self._whole = QStackedWidget(), QStackedWidget()
        self.evaluation: Evaluation | None = None
        """What is shown."""
        self._is_run = False
        """Whether held-out figures of a stream run are shown."""
        self._wanted = 0
        """The part of results that the user looks at; of a result that has no such part, the figures are shown."""
        self._is_turning = False
        """Whether a tab is chosen here and not by the user."""
        self._lay_out()
        self.tabs.currentChanged.connect(self._take_tab)
        self.exports.chosen.connect(self.export_requested)
        self.form.task_changed.connect(self._show_task)
        self.show_nothing(NOTHING_YET)

    # What is shown

    def show_evaluation(self, evaluation: Evaluation, title: str, facts: str, is_stale: bool) -> None:
        """Show an evaluation, which may be under way."""
        self.evaluation, self._is_run = evaluation, False
        self._show_head(title, facts, is_stale)
        self._show_tabs({part for part in self.parts if part.fits(evaluation)})

    def show_lines(self, lines: tuple[tuple[str, str], ...], title: str, facts: str, is_stale: bool) -> None:
        """Show figures of a stream run."""
        self.evaluation, self._is_run = None, True
        self._show_head(title, facts, is_stale)
        self.figures.show_lines(lines)
        self._show_tabs({self.figures})

    def show_nothing(self, words: str) -> None:
        """Show no result, and say why."""
        self.evaluation, self._is_run = None, False
        self._aside.setText(words)
        for part in self.parts:
            part.forget()
        self._show_tabs({self.figures})

    def show_comparison(self, first: Result, second: Result) -> None:
        """Compare two results."""
        self.comparing.show_pair(first, second)
        with self._turning():
            self.tabs.setTabVisible(self._comparing, True)
            self.tabs.setCurrentIndex(self._comparing)
        self._show_part()

    def end_comparison(self) -> None:
        """Hide the comparison, as one of its results is gone."""
        self.comparing.pair = None
        with self._turning():
            if self.tabs.currentIndex() == self._comparing:
                self._turn_to_wanted()
            self.tabs.setTabVisible(self._comparing, False)
        self._show_part()

    def turn_to_result(self) -> None:
        """Leave comparison and search: a result was chosen."""
        if self.tabs.currentIndex() >= len(self.parts):
            with self._turning():
                self._turn_to_wanted()
            self._show_part()

    def want(self, part: Part) -> None:
        """Show this part of the next results that have it."""
        self._wanted = self.parts.index(part)

    def show_hint(self, words: str, can_open: bool) -> None:
        """Show nothing but why nothing can be evaluated; empty words show the page."""
        self._words.setText(words)
        for button in (self.open_file, self.try_sample):
            button.setVisible(can_open)
        self._whole.setCurrentIndex(0 if words else 1)

    @property
    def part(self) -> Part | ComparingPart | TuningView:
        """The part in front."""
        return self._views[self.tabs.currentIndex()]

    @property
    def plot(self) -> PlotArea | None:
        """The plot in front, for pictures."""
        part = self.part
        return None if isinstance(part, ComparingPart) else part.plot

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        self.results.set_theme(theme)
        for view in self._views:
            view.set_theme(theme)
        self._picture.setPixmap(icon("check", theme.muted).pixmap(48, 48))

    # Internal

    def _show_head(self, title: str, facts: str, is_stale: bool) -> None:
        self.title.setText(one_line(title))
        self.title.setToolTip(plain_tip(title))
        self.facts.setText(facts)
        set_property(self.facts, "manner", "warning" if is_stale else "muted")

    def _show_task(self) -> None:
        self.tuning.set_task(self.form.task)

    def _show_tabs(self, parts: set[Part]) -> None:
        """Offer these parts of a result; where the one in front is none of them, show the figures."""
        wanted = [part in parts for part in self.parts]
        if wanted != [self.tabs.isTabVisible(place) for place in range(len(wanted))]:
            with self._turning():
                is_of_result = self.tabs.currentIndex() < len(self.parts)
                for place, is_wanted in enumerate(wanted):
                    self.tabs.setTabVisible(place, is_wanted)
                if is_of_result:
                    self._turn_to_wanted()
        self._show_part()

    def _turn_to_wanted(self) -> None:
        self.tabs.setCurrentIndex(self._wanted if self.tabs.isTabVisible(self._wanted) else 0)

    @contextmanager
    def _turning(self) -> Iterator[None]:
        self._is_turning = True
        yield
        self._is_turning = False
        self.tabs.updateGeometry()  # its width is that of the visible tabs

    def _take_tab(self, place: int) -> None:
        if self._is_turning:
            return
        if place < len(self.parts):
            self._wanted = place
        self._show_part()

    def _show_part(self) -> None:
        part, place = self.part, self.tabs.currentIndex()
        is_result = isinstance(part, Part)
        is_empty = is_result and self.evaluation is None and not self._is_run
        if isinstance(part, Part) and self.evaluation is not None:
            part.show_evaluation(self.evaluation)
        self.stack.setCurrentIndex(0 if is_empty else place + 1)
        self._head.setVisible(is_result and not is_empty)
        for kind in ("png", "svg"):
            self.exports.button(kind).setEnabled(self.plot is not None)
        self.exports.setVisible(not is_empty)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.addWidget(self._left())
        halves.addWidget(self._right())
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(1)
        halves.setStretchFactor(0, 0)
        halves.setStretchFactor(1, 1)
        halves.setSizes([300, 700])
        self._whole.addWidget(self._hint())
        self._whole.addWidget(halves)
        layout.addWidget(self.notice)
        layout.addWidget(self._whole, 1)

    def _left(self) -> QWidget:
        left = named(QWidget(), "evaluateLeft", manner="side")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        form = Scrolled(self.form, "evaluateFormScroll")
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(form)
        parts.addWidget(self.results)
        parts.setChildrenCollapsible(False)
        parts.setHandleWidth(1)
        parts.setStretchFactor(0, 0)
        parts.setStretchFactor(1, 1)
        parts.setSizes([400, 300])
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(parts)
        left.setMinimumWidth(260)
        return left

    def _right(self) -> QWidget:
        bar = parts_head("evaluateHead", self.tabs, self.exports)
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        head.setSpacing(2)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        head.addWidget(self.title)
        head.addWidget(self.facts)
        self._aside = named(Label(wordWrap=True), "nothingEvaluated", manner="muted")
        self._aside.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack.addWidget(self._aside)
        for part in self.parts:
            self._add(part.title, part, part.key)
        self._comparing = self._add("Compare", self.comparing, "comparing")
        self._add("Tuning", self.tuning, "tuning")
        self.tabs.setTabVisible(self._comparing, False)
        right = named(QWidget(), "evaluateRight", manner="page")
        right.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(across())
        column.addWidget(self._head)
        column.addWidget(self.stack, 1)
        return right

    def _add(self, title: str, widget: QWidget, key: str) -> int:
        self.stack.addWidget(Scrolled(widget, f"{key}Scroll"))
        return self.tabs.addTab(title)

    def _hint(self) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setSpacing(GRID)
        layout.addStretch(2)
        self._picture, title, self._words = Label(), Label("Nothing to evaluate yet"), Label()
        title.setProperty("manner", "large")
        named(self._words, "evaluateHint", manner="muted")
        self.open_file = named(QPushButton("Open a file…"), "evaluateOpen", manner="main")
        self.try_sample = named(QPushButton("Try iris"), "evaluateSample", tip="Load the sample iris: 150 rows")
        self.open_file.clicked.connect(self.open_requested)
        self.try_sample.clicked.connect(self.sample_requested)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.open_file, self.try_sample):
            buttons.addWidget(button)
        buttons.addStretch(1)
        for widget in (self._picture, title, self._words):
            layout.addWidget(widget, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addLayout(buttons)
        layout.addStretch(3)
        return box
