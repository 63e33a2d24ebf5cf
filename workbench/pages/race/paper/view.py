"""The paper's speed tables: settings, estimated duration, and the tables beside the printed figures."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from figmn.params import Solver
from workbench.evaluate.speed.cost import estimate_seconds
from workbench.evaluate.speed.printed import PHASES, Phase
from workbench.evaluate.speed.settings import N_FOLDS, RUNS, TableSettings
from workbench.evaluate.speed.times import SpeedTables
from workbench.evaluate.speed.words import TITLES, conditions, cpu_note
from workbench.pages.race.paper.table import PaperTable
from workbench.views.fields.calm_box import CalmBox
from workbench.views.look.naming import Label, chain, named, plain_tip
from workbench.views.look.still import Still
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.durations import about
from workbench.words.machine import machine_line
from workbench.words.names import SOLVER_NAMES

LIMITS: tuple[float | None, ...] = (1.0, 5.0, 30.0, 120.0, None)
"""Time limits in seconds for one engine to learn or predict one fold."""
EXPORTS = {
    "csv": ("CSV", "Save every timing of every fold as a CSV file"),
    "json": ("JSON", "Save everything, with settings and machine, as a JSON file"),
    "latex": ("LaTeX", "Save all tables with the printed figures for a paper"),
    "copy": ("Copy", "Copy all tables as plain text"),
}
FIRST = 0
"""Index of the table of training times."""
LONGEST = 17
"""Characters that fit into a combo box."""
TWO = 920
"""Height from which two tables are shown, one below the other: training, and one of testing."""


class PaperView(QWidget):
    """Requests a measurement, and shows its results so far."""

    start_requested = Signal(object)
    """`TableSettings`."""
    cancel_requested = Signal()
    export_requested = Signal(str)
    """One of csv, json, latex and copy."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "paperView")
        self._tables: SpeedTables | None = None
        self._rate: float | None = None
        self._is_running, self._before = False, ""
        self._make_choices()
        self._make_parts()
        self._lay_out()
        for changed in (self.runs.valueChanged, self.solver.currentIndexChanged, self.limit.currentIndexChanged):
            changed.connect(self._write)
        self.measure_button.clicked.connect(self._start_or_cancel)
        self.switch.currentChanged.connect(self._arrange)
        chain(self.runs, self.solver, self.limit, self.measure_button, *self.exports.values(), self.switch)
        self.set_theme(LIGHT)
        self._write()

    @property
    def settings(self) -> TableSettings:
        """The chosen settings."""
        solver: Solver = self.solver.currentData()
        return TableSettings(n_runs=self.runs.value(), solver=solver, seconds_at_most=self.limit.currentData())

    def show_tables(self, tables: SpeedTables | None) -> None:
        """Show the measurements so far; None for nothing."""
        self._tables = tables
        for table in self.tables.values():
            table.show_tables(SpeedTables() if tables is None else tables)
        self._write()

    def set_running(self, is_running: bool, words: str = "") -> None:
        """Show whether a measurement is running, and `words` until its first result; a new one clears the view."""
        if is_running and not self._is_running:
            self.show_tables(None)
        self._is_running, self._before = is_running, words or "Preparing the engines…"
        for choice in (self.runs, self.solver, self.limit):
            choice.setEnabled(not is_running)
        self.measure_button.setText("Cancel" if is_running else "Measure all tables")
        self._write()

    def set_rate(self, rate: float | None) -> None:
        """Set the machine's operations per second, for the estimate; None if unknown."""
        self._rate = rate
        self._write()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        for table in self.tables.values():
            table.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt: show two tables at once where they fit."""
        super().resizeEvent(event)
        self._arrange()

    def _start_or_cancel(self) -> None:
        if self._is_running:
            self.cancel_requested.emit()
        else:
            self.start_requested.emit(self.settings)

    def _arrange(self) -> None:
        two = self.height() >= TWO
        self.switch.setTabVisible(FIRST, not two)
        self.title.setVisible(two)
        for position, phase in enumerate(PHASES):
            is_chosen = self.switch.currentIndex() == position
            self.tables[phase].setVisible(is_chosen or (two and position == FIRST))
        self._put_switch_above(self.tables[PHASES[FIRST + 1]] if two else self.title)

    def _put_switch_above(self, part: QWidget) -> None:
        body = self._body
        if body.indexOf(self.switch) + 1 != body.indexOf(part):
            body.removeWidget(self.switch)
            body.insertWidget(body.indexOf(part), self.switch)

    def _write(self) -> None:
        tables = self._tables
        self.status.setText(self._status())
        self.status.setToolTip(plain_tip(self._status()))
        self.progress.setVisible(self._is_running)
        self.progress.setRange(0, 1 if tables is None else tables.n_total)
        self.progress.setValue(0 if tables is None else tables.n_done)
        for button in self.exports.values():
            button.setEnabled(tables is not None and not tables.is_empty and not self._is_running)
        shown = SpeedTables(self.settings) if tables is None else tables
        notes = [*conditions(shown.settings), cpu_note(shown), machine_line(dict(shown.machine), shown.threads)]
        text = "\n".join(note for note in notes if note)
        if text != self.notes.text():
            self.notes.setText(text)

    def _status(self) -> str:
        tables, estimate = self._tables, self._estimate()
        if self._is_running:
            return self._before if tables is None else f"{tables.n_done} of {tables.n_total} timings · {tables.now}"
        if tables is None or tables.is_empty:
            return estimate
        if tables.settings != self.settings:
            return f"Other settings than in the tables: {estimate}"
        if not tables.is_whole:
            return f"Stopped after {tables.n_done} of {tables.n_total} timings; what was measured is kept."
        return f"All {tables.n_total} timings are done. Again: {estimate}"

    def _estimate(self) -> str:
        if self._rate is None:
            return "no time estimate yet"
        found = estimate_seconds(self.settings, self._rate)
        alone = "IGMN alone on the CIFAR-10-shaped set"
        if self.settings.seconds_at_most is None:
            return f"{about(found.total)}, of which {alone}: {about(found.cubic)}"
        return f"{about(found.total)}; {alone}, whole: {about(found.cubic_whole)}"

    def _make_choices(self) -> None:
        tip = f"How often the rows are divided into {N_FOLDS} folds; every run adds {N_FOLDS} times to each mean"
        self.runs = named(QSpinBox(), "paperRuns", "Runs", tip)
        self.runs.setRange(int(RUNS.low), int(RUNS.high))
        self.runs.setAlignment(Qt.AlignmentFlag.AlignRight)  # like all numbers
        self.solver = named(CalmBox(), "paperSolver", "Solver of IGMN", "How IGMN computes distances while it learns")
        for solver, words in SOLVER_NAMES.items():
            self.solver.addItem(words, solver)
        tip = "Where an engine takes longer over a fold, only the first rows are run and the time is extrapolated"
        self.limit = named(CalmBox(), "paperLimit", "Time for a fold", tip)
        for box in (self.solver, self.limit):
            box.setMinimumContentsLength(LONGEST)
            box.setMinimumWidth(12 * GRID)  # otherwise the window could not shrink
        for limit in LIMITS:
            self.limit.addItem("without limit" if limit is None else f"at most {limit:g} s", limit)
        chosen = TableSettings()
        self.runs.setValue(chosen.n_runs)
        self.solver.setCurrentIndex(self.solver.findData(chosen.solver))
        self.limit.setCurrentIndex(LIMITS.index(chosen.seconds_at_most))

    def _make_parts(self) -> None:
        self.measure_button = named(QPushButton("Measure all tables"), "paperMeasure", manner="main")
        self.status = named(Label(), "paperStatus", manner="muted")
        self.progress = named(QProgressBar(textVisible=False), "paperProgress", "Timings done")
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        self.exports = {name: self._export_button(name) for name in EXPORTS}
        self.switch = named(QTabBar(), "paperSwitch", "Table", manner="plain")
        self.switch.setDrawBase(False)
        self.switch.setExpanding(False)
        self.title = named(Label(TITLES[PHASES[FIRST]]), f"{PHASES[FIRST]}Title", manner="strong")
        self.tables: dict[Phase, PaperTable] = {}
        for phase in PHASES:
            self.switch.addTab(TITLES[phase])
            self.tables[phase] = PaperTable(phase)
        self.notes = named(Label(), "paperNotes", manner="small")
        self.notes.setWordWrap(True)

    def _export_button(self, name: str) -> QPushButton:
        text, tip = EXPORTS[name]
        button = named(QPushButton(text), f"paper{name.capitalize()}", tip=tip)
        button.clicked.connect(lambda: self.export_requested.emit(name))
        return button

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        first = [_label("Runs", self.runs), self.runs, _label(f"of {N_FOLDS} folds")]
        first += [_label("IGMN by", self.solver), self.solver, _label("each fold", self.limit), self.limit]
        layout.addLayout(_line(*first, None, self.measure_button))
        layout.addLayout(_line(Still(self.status), *self.exports.values()))
        layout.addWidget(self.progress)
        self._body = QVBoxLayout()
        for part in (self.switch, self.title, *self.tables.values()):
            self._body.addWidget(part)
        layout.addLayout(self._body)
        layout.addWidget(self.notes)
        layout.addStretch(1)


def _label(text: str, buddy: QWidget | None = None) -> Label:
    label = Label(text)
    label.setProperty("manner", "muted")
    if buddy is not None:
        label.setBuddy(buddy)
    return label


def _line(*parts: QWidget | None) -> QHBoxLayout:
    """Widgets side by side; None is a stretch."""
    line = QHBoxLayout()
    line.setSpacing(GRID)
    for part in parts:
        if part is None:
            line.addStretch(1)
        else:
            line.addWidget(part, 1 if isinstance(part, Still) else 0)
    return line
