"""The search for settings: form, progress, heat map, candidates, and the way to the Stream page."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSplitter, QVBoxLayout, QWidget

from figmn.params import BETA, DELTA, LABEL_WIDTH, SP_MIN, V_MIN
from workbench.evaluate.trial.figures import Figure
from workbench.evaluate.trial.methods import FORMS
from workbench.evaluate.trial.plan import Task
from workbench.evaluate.trial.tuning import Candidate, Tuning
from workbench.pages.evaluate.parts.text_table import Cells, TextTable
from workbench.pages.evaluate.tuning.form import TuningForm
from workbench.pages.evaluate.tuning.heat_map import HeatMap
from workbench.pages.evaluate.words import with_spread
from workbench.views.look.naming import Label, chain, named, plain_tip, set_property
from workbench.views.look.still import Still
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.plot_area import PlotArea

MEAN_TIP = "Mean over the inner folds ± standard deviation"
NOTE = (
    "The figure of the best is a little too good: it was chosen by it. To test the choice, evaluate the form "
    "“Fast IGMN, tuned”, or these settings on rows of another file."
)


class TuningView(QWidget):
    """It searches for nothing itself: it requests a search and shows the results."""

    start_requested = Signal()
    """`form.search` is what to try."""
    cancel_requested = Signal()
    use_requested = Signal(object)
    """The `Candidate` whose settings are wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "tuningPart", manner="page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._is_running = False
        self.tuning: Tuning | None = None
        self._ranked: list[Candidate] = []
        self.form, self.map = TuningForm(), HeatMap()
        self.table = TextTable("tuneTable", "candidates, the best first")
        self.button = named(QPushButton("Start search"), "tuneStart", manner="main")
        self.use = named(
            QPushButton("Use these settings"),
            "tuneUse",
            tip="Set the side panel to the selected candidate, by default the best, and show the Stream page",
        )
        self.progress = named(Label(), "tuneProgress", manner="muted")
        self.bar = named(QProgressBar(textVisible=False), "tuneBar", "models learned")
        self.words = named(Label(NOTE, wordWrap=True), "tuneNote", manner="muted")
        kept = self.bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(kept)
        self._lay_out()
        self.button.clicked.connect(self.press)
        self.form.start_requested.connect(self._start)
        self.form.changed.connect(self._show_button)
        self.use.clicked.connect(self._use)
        self.map.reading.connect(lambda text: self.words.setText(text or NOTE))
        self.set_running(False)
        self.show_tuning(None)

    def set_task(self, task: Task | None) -> None:
        """Tune for a task; None: nothing can be tuned."""
        self.form.set_task(task)
        self._show_button()

    def set_running(self, is_running: bool) -> None:
        """Show whether a search is running."""
        self._is_running = is_running
        self.form.setEnabled(not is_running)
        self.bar.setVisible(is_running)
        self.button.setText("Cancel" if is_running else "Start search")
        set_property(self.button, "manner", "" if is_running else "main")
        self._show_button()

    def show_progress(self, done: int, total: int, words: str) -> None:
        """Show how far it is."""
        self.bar.setMaximum(total)
        self.bar.setValue(done)
        self.progress.setText(words)

    def show_tuning(self, tuning: Tuning | None) -> None:
        """Show a search, which may be under way."""
        self.tuning = tuning
        self.map.show_tuning(tuning)
        self._ranked = [] if tuning is None else ranked(tuning)
        self.table.show_cells(Cells() if tuning is None else candidate_cells(tuning, self._ranked))
        self.use.setEnabled(bool(self._ranked))

    @property
    def candidate(self) -> Candidate | None:
        """The selected candidate, by default the best."""
        rows = sorted({index.row() for index in self.table.selectedIndexes()})
        place = rows[0] if rows and rows[0] < len(self._ranked) else 0
        return self._ranked[place] if self._ranked else None

    @property
    def plot(self) -> PlotArea:
        """The heat map, for pictures."""
        return self.map

    def csv(self, raw: bool) -> Callable[[], str]:
        """All candidates with the figure of every fold."""
        return self.table.cells.csv(raw)

    def press(self) -> None:
        """Start, or cancel what is running."""
        if self._is_running:
            self.cancel_requested.emit()
        else:
            self._start()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.map.set_theme(theme)
        self.table.set_theme(theme)

    def _start(self) -> None:
        if self.button.isEnabled() and not self._is_running:
            self.start_requested.emit()

    def _use(self) -> None:
        if self.candidate is not None:
            self.use_requested.emit(self.candidate)

    def _show_button(self) -> None:
        problem = self.form.problem
        self.button.setEnabled(self._is_running or (not problem and self.form.search is not None))
        tip = "Stop; what was measured stays" if self._is_running else problem or "Try all candidates (Enter)"
        self.button.setToolTip(plain_tip(tip))

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        line.setSpacing(GRID)
        line.addWidget(self.button)
        line.addWidget(Still(self.progress), 1)
        line.addWidget(self.use)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(GRID, 0, GRID, 0)
        column.addWidget(self.table)
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(self.map)
        halves.addWidget(below)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(1)
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        self.words.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.form)
        layout.addLayout(line)
        layout.addWidget(self.bar)
        layout.addWidget(halves, 1)
        layout.addWidget(self.words)
        chain(self.form.n_random, self.button, self.use, self.map, self.table)


def ranked(tuning: Tuning) -> list[Candidate]:
    """Measured candidates, the best first."""
    known = [one for one in tuning.candidates if not math.isnan(one.value)]
    sign = 1 if tuning.measure.better == "less" else -1
    return sorted(known, key=lambda one: sign * one.value)


def candidate_cells(tuning: Tuning, candidates: list[Candidate]) -> Cells:
    """One line for every measured candidate; the best is set off."""
    measure, titles = tuning.measure, FORMS[tuning.plan.task.kind]
    has_forms, has_widths = len(tuning.search.methods) > 1, len(tuning.search.label_widths) > 1
    rows, values = [], []
    for place, one in enumerate(candidates, 1):
        numbers = one.parameters
        settings = (
            DELTA.text(numbers.delta), BETA.text(numbers.beta), V_MIN.text(numbers.v_min), SP_MIN.text(numbers.sp_min),
        )  # fmt: skip
        width = (LABEL_WIDTH.text(one.label_width),) if has_widths else ()
        form = (titles[one.method],) if has_forms else ()
        rows.append((str(place), with_spread(Figure(measure, one.value, one.folds)), *settings, *width, *form))
        plain = (numbers.delta, numbers.beta, numbers.v_min, numbers.sp_min, one.label_width)
        values.append((place, one.value, *map(_plain, plain), titles[one.method], *map(_plain, one.folds)))
    settings_names = ("δ", "β", "v_min", "sp_min")
    shown = (*((LABEL_WIDTH.label,) if has_widths else ()), *(("form",) if has_forms else ()))
    headings = ("#", measure.title, *settings_names, *shown)
    folds = tuple(f"fold {place + 1}" for place in range(tuning.search.n_folds))
    return Cells(
        headings,
        tuple(rows),
        tuple(values),
        (
            "",
            MEAN_TIP,
            *(number.help for number in (DELTA, BETA, V_MIN, SP_MIN)),
        ),
        marked=frozenset({0} if candidates else ()),
        csv_headings=("#", measure.title, *settings_names, LABEL_WIDTH.label, "form", *folds),
    )


def _plain(value: float | None) -> float | str:
    return "" if value is None or not math.isfinite(value) else value
