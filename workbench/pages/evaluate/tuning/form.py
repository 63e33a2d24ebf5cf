"""What a search for settings tries, and what it judges by."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from figmn.params import BETA, DELTA, LABEL_WIDTH, SP_MIN, V_MIN
from workbench.evaluate.trial.figures import measures_of_task
from workbench.evaluate.trial.methods import FORMS, TUNED
from workbench.evaluate.trial.plan import MOST_FOLDS, Task, TaskKind
from workbench.evaluate.trial.tuning import MOST_CANDIDATES, Search
from workbench.pages.evaluate.choice import Choice
from workbench.views.fields.calm_spin import CalmCount
from workbench.views.fields.number_scale import text_of
from workbench.views.look.layouts import label_for, side_by_side
from workbench.views.look.naming import Label, named, set_property
from workbench.views.look.theme import GRID
from workbench.words.counts import counted
from workbench.words.sentences import UserError

WIDTHS = (0.1, 0.3, 1.0)
"""Label widths that are tried at first."""
AS_SET = "as in the side panel"
"""What an empty field stands for."""
SEPARATOR = re.compile(r"[,;\s]+")
Value = TypeVar("Value")
TIPS = {
    "deltas": "Values of δ to try, the width of new components, separated by commas",
    "betas": "Values of β to try, the novelty level, separated by commas",
    "widths": "Values of the label width to try, for the mixture over inputs and labels, separated by commas",
    "prunings": "What is removed: v_min / sp_min, separated by commas, such as 100/3, 20/2, never",
}


class TuningForm(QWidget):
    """Fields of a search. Enter starts."""

    changed = Signal()
    start_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        usual = Search()
        self._kind: TaskKind | None = None
        self.deltas = _line("tuneDeltas", "values of δ", TIPS["deltas"], ", ".join(map(_text, usual.deltas)))
        self.betas = _line("tuneBetas", "values of β", TIPS["betas"], ", ".join(map(_text, usual.betas)))
        self.prunings = _line("tunePrunings", "pruning", TIPS["prunings"], "")
        self.widths = _line("tuneWidths", LABEL_WIDTH.label, TIPS["widths"], ", ".join(map(_text, WIDTHS)))
        for field in (self.prunings, self.widths):
            field.setPlaceholderText(AS_SET)
        self.forms: dict[str, QCheckBox] = {}
        self.measure = Choice("tuneMeasure", "figure to judge by", "Figure that candidates are judged by")
        self.folds = named(
            CalmCount(2, MOST_FOLDS, usual.n_folds),
            "tuneFolds",
            "inner folds",
            "Folds in which every candidate is tested",
        )
        self.is_random = named(
            QCheckBox("only"), "tuneRandom", "draw candidates", "Try only some of the candidates, drawn by the seed"
        )
        self.n_random = named(
            CalmCount(1, MOST_CANDIDATES, 20), "tuneCount", "candidates drawn", "Number of candidates that are drawn"
        )
        self.n_random.setEnabled(False)
        self.words = named(Label(wordWrap=True), "tuneWords", manner="muted")
        self._lay_out()
        for field in (self.deltas, self.betas, self.prunings, self.widths):
            field.textChanged.connect(lambda _: self._judge())
        for box in (self.folds, self.n_random):
            box.valueChanged.connect(lambda _: self._judge())
        self.is_random.toggled.connect(self._take_random)
        self.measure.currentIndexChanged.connect(lambda _: self._judge())
        self.problem = ""
        self.search: Search | None = None
        self.set_task(None)

    def set_task(self, task: Task | None) -> None:
        """Offer the figures and forms of a kind of task."""
        kind = None if task is None else task.kind
        if kind == self._kind:
            return
        self._kind = kind
        measures = () if task is None else measures_of_task(task.kind)
        self.measure.offer([(measure.title, measure.name) for measure in measures if measure.better])
        for box in self.forms.values():
            self._form_line.removeWidget(box)
            box.hide()
            box.deleteLater()
        titles = {} if task is None else {name: title for name, title in FORMS[task.kind].items() if name != TUNED}
        self.forms = {
            name: named(QCheckBox(title), f"tuneForm{place}", tip="Try this form of Fast IGMN")
            for place, (name, title) in enumerate(titles.items())
        }
        for place, box in enumerate(self.forms.values()):
            box.setChecked(place == 0)
            box.toggled.connect(lambda _: self._judge())
            self._form_line.insertWidget(place, box)
        for widget in (self._form_label, self._form_row, self._width_label, self.widths):
            widget.setVisible(kind == "classes")
        self._judge()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt: Enter starts."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.start_requested.emit()
        else:
            super().keyPressEvent(event)

    def _take_random(self, is_on: bool) -> None:
        self.n_random.setEnabled(is_on)
        self._judge()

    def _judge(self) -> None:
        """Read the fields, or say what is wrong with one."""
        self.problem, self.search = "", None
        if not self._kind:
            self.words.clear()
            self.changed.emit()
            return
        deltas = self._read(self.deltas, "δ", lambda text: numbers_in(text, _delta))
        betas = self._read(self.betas, "β", lambda text: numbers_in(text, _beta))
        prunings = self._read(self.prunings, "pruning", prunings_in, is_needed=False)
        widths: tuple[float, ...] = ()
        if self._kind == "classes":
            read = partial(numbers_in, check=_width)
            widths = self._read(self.widths, LABEL_WIDTH.label, read, is_needed=False)
        methods = tuple(name for name, box in self.forms.items() if box.isChecked())
        if not self.problem:
            try:
                self.search = Search(
                    deltas,
                    betas,
                    prunings,
                    methods,
                    widths,
                    self.folds.value(),
                    self.n_random.value() if self.is_random.isChecked() else None,
                    str(self.measure.currentData() or ""),
                )
            except UserError as error:
                self.problem = str(error)
        set_property(self.words, "manner", "error" if self.problem else "muted")
        self.words.setText(self.problem or self._count_words())
        self.changed.emit()

    def _count_words(self) -> str:
        search = self.search
        if search is None:
            return ""
        n_candidates = search.n_candidates(self._kind or "classes")
        return f"{counted(n_candidates, 'candidate')}, {counted(n_candidates * search.n_folds, 'model')} to learn"

    def _read(
        self, field: QLineEdit, what: str, read: Callable[[str], tuple[Value, ...]], is_needed: bool = True
    ) -> tuple[Value, ...]:
        try:
            found = read(field.text())
        except ValueError as error:
            self.problem = self.problem or f"{what}: {error}"
            set_property(field, "wrong", True)
            return ()
        is_missing = is_needed and not found
        set_property(field, "wrong", is_missing)
        if is_missing:
            self.problem = self.problem or f"Give at least one value for {what}."
        return found

    def _lay_out(self) -> None:
        self._form_row = QWidget()
        self._form_line = QHBoxLayout(self._form_row)
        self._form_line.setContentsMargins(0, 0, 0, 0)
        self._form_line.setSpacing(2 * GRID)
        self._form_line.addStretch(1)
        self._form_label = Label("Forms")
        self._form_label.setProperty("manner", "muted")
        drawn = side_by_side([self.is_random, self.n_random, _muted("drawn candidates")])
        grid = QGridLayout(self)
        grid.setContentsMargins(2 * GRID, GRID, 2 * GRID, 0)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        fields = (
            (label_for("δ", self.deltas), self.deltas, label_for("Judge by", self.measure), self.measure),
            (label_for("β", self.betas), self.betas, label_for("Inner folds", self.folds), self.folds),
            (label_for("Pruning", self.prunings), self.prunings, label_for("Try", self.is_random), drawn),
        )
        for row, widgets in enumerate(fields):
            for column, widget in enumerate(widgets):
                grid.addWidget(widget, row, column)
        self._width_label = label_for("Labels", self.widths)
        grid.addWidget(self._width_label, 3, 0)
        grid.addWidget(self.widths, 3, 1)
        grid.addWidget(self._form_label, 4, 0)
        grid.addWidget(self._form_row, 4, 1, 1, 3)
        grid.addWidget(self.words, 5, 0, 1, 4)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(3, 1)


def numbers_in(text: str, check: Callable[[str], float]) -> tuple[float, ...]:
    """Different numbers in a text, in ascending order.

    >>> numbers_in("1, 0.1; 0.1", float)
    (0.1, 1.0)
    """
    return tuple(sorted({check(part) for part in SEPARATOR.split(text.strip()) if part}))


def prunings_in(text: str) -> tuple[tuple[float, float], ...]:
    """Pairs of v_min and sp_min in a text.

    >>> prunings_in("100/3, never")
    ((100.0, 3.0), (inf, 3.0))
    """
    parts = SEPARATOR.split(re.sub(r"\s*/\s*", "/", text.strip()))
    return tuple(dict.fromkeys(_pair(part) for part in parts if part))


def _pair(text: str) -> tuple[float, float]:
    first, slash, second = text.partition("/")
    v_min = V_MIN.parse(first)
    if not slash and v_min != math.inf:
        raise UserError("{value!r} is no pair: write v_min / sp_min such as 100/3, or never.", value=text)
    assert v_min is not None
    return v_min, float(SP_MIN.default if not slash else SP_MIN.parse(second) or 0.0)


def _delta(text: str) -> float:
    return DELTA.check(_number(text))


def _beta(text: str) -> float:
    return BETA.check(_number(text))


def _width(text: str) -> float:
    return LABEL_WIDTH.check(_number(text))


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _text(value: float) -> str:
    return text_of(value)


def _line(name: str, spoken: str, tip: str, text: str) -> QLineEdit:
    field = named(QLineEdit(text), name, spoken, tip)
    field.setCursorPosition(0)
    return field


def _muted(text: str) -> Label:
    label = Label(text)
    label.setProperty("manner", "muted")
    return label
