"""The confusion matrix, and how well every class is recognised."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from figmn.system.arrays import Ints
from workbench.evaluate.trial.figures import ClassFigures, cell_rows, class_figures, confusion
from workbench.evaluate.trial.outcome import Evaluation, Outcome
from workbench.pages.evaluate.choice import Choice, ChoiceLine, offer_methods
from workbench.pages.evaluate.parts.matrix import MatrixView
from workbench.pages.evaluate.parts.part import LONG, Part
from workbench.pages.evaluate.parts.text_table import Cells, TextTable
from workbench.pages.evaluate.words import label_text
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme
from workbench.words.numbers import NO_FIGURE, fixed
from workbench.words.tables import csv_text

HINT = "Lines: true classes. Columns: predicted classes. Click a cell to select its rows; with Ctrl to add them."
HEADINGS = ("class", "rows", "precision", "recall", "F1", "AUC")
TIPS = (
    "",
    "Test rows of the class",
    "Share of the rows taken for the class that are of it",
    "Share of the rows of the class that were recognised",
    "Harmonic mean of precision and recall",
    "Area under the ROC curve of the class against all others",
)


class ConfusionPart(Part):
    """The matrix over the table of classes."""

    key, title = "confusion", "Confusion"
    rows_chosen = Signal(object, bool, str)
    """Row numbers of the source, whether they are added to those selected, and what they are in words."""
    plot_requested = Signal()
    table_requested = Signal()

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self.method = Choice("confusionMethod", "method", "Whose predictions are shown")
        self.matrix, self.classes = MatrixView(), TextTable("classTable", "precision and recall of every class")
        self.chosen = named(Label(HINT), "confusionChosen", manner="muted")
        self.to_plot = named(QPushButton("Show on plot"), "confusionToPlot", tip="Show these rows on the Stream page")
        self.to_table = named(QPushButton("Show in table"), "confusionToTable", tip="Show these rows on the Data page")
        self._lay_out()
        self._show_buttons(False)
        self.method.currentIndexChanged.connect(lambda _: self.compute())
        self.matrix.cell_chosen.connect(self._choose)
        self.to_plot.clicked.connect(self.plot_requested)
        self.to_table.clicked.connect(self.table_requested)

    def fits(self, evaluation: Evaluation) -> bool:
        """Where classes are predicted."""
        return evaluation.plan.task.kind == "classes"

    def begin(self, evaluation: Evaluation) -> None:
        """Offer the methods."""
        offer_methods(self.method, evaluation)
        self._forget_choice()

    def compute(self) -> None:
        """Count, and compute the figures of all classes."""
        evaluation = self.evaluation
        if evaluation is None:
            return
        offer_methods(self.method, evaluation)
        outcome = self._outcome
        if outcome is not None and outcome.parts:
            self.ask(LONG, lambda: (confusion(evaluation, outcome), class_figures(evaluation, outcome)), self._show)

    def csv(self, raw: bool) -> Callable[[], str]:
        """The matrix, and the table of classes beside it."""
        labels, counts, cells = self.matrix.matrix.labels, self.matrix.matrix.counts, self.classes.cells
        headings = ("true class", *(f"taken for {label}" for label in labels), *cells.headings[1:])
        values = [values[1:] for values in cells.values]
        rows = [(label, *line, *more) for label, line, more in zip(labels, counts.tolist(), values, strict=True)]
        return lambda: csv_text(headings, rows, raw)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.matrix.set_theme(theme)
        self.classes.set_theme(theme)

    @property
    def _outcome(self) -> Outcome | None:
        place = self.method.currentData()
        return None if self.evaluation is None or place is None else self.evaluation.outcomes[place]

    def _show(self, found: tuple[Ints, tuple[ClassFigures, ...]]) -> None:
        counts, figures = found
        assert self.evaluation is not None
        self.matrix.show_matrix(self.evaluation.labels, counts)
        self.classes.show_cells(class_cells(figures))

    def _choose(self, truth: int, predicted: int, adds: bool) -> None:
        outcome = self._outcome
        if outcome is None:
            return
        words = self.matrix.matrix.words(truth, predicted)
        self.chosen.setText(words)
        self.rows_chosen.emit(cell_rows(outcome, truth, predicted), adds, words)

    def show_selected(self, words: str, is_selected: bool) -> None:
        """Say what was selected, and offer to show it."""
        self.chosen.setText(words)
        self._show_buttons(is_selected)

    def _forget_choice(self) -> None:
        self.matrix.clearSelection()
        self.chosen.setText(HINT)
        self._show_buttons(False)

    def _show_buttons(self, is_selected: bool) -> None:
        for button in (self.to_plot, self.to_table):
            button.setVisible(is_selected)

    def _lay_out(self) -> None:
        choices = ChoiceLine()
        choices.add("Method", self.method)
        self.chosen.setWordWrap(True)
        chosen = QHBoxLayout()
        chosen.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        chosen.setSpacing(GRID)
        chosen.addWidget(self.chosen, 1)
        for button in (self.to_plot, self.to_table):
            chosen.addWidget(button)
        upper, lower = QWidget(), QWidget()
        for widget, inner in ((upper, self.matrix), (lower, self.classes)):
            column = QVBoxLayout(widget)
            column.setContentsMargins(GRID, 0, GRID, 0)
            column.setSpacing(0)
            column.addWidget(inner, 1)
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(upper)
        halves.addWidget(lower)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(1)
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(choices)
        layout.addLayout(chosen)
        layout.addWidget(halves, 1)


def class_cells(figures: tuple[ClassFigures, ...]) -> Cells:
    """One line for every class."""
    numbers = [(one.precision, one.recall, one.f1, one.area) for one in figures]
    return Cells(
        HEADINGS,
        tuple(
            (label_text(one.label), f"{one.n_rows:,}", *(NO_FIGURE if math.isnan(x) else fixed(x, 4) for x in line))
            for one, line in zip(figures, numbers, strict=True)
        ),
        tuple(
            (one.label, one.n_rows, *("" if math.isnan(x) else x for x in line))
            for one, line in zip(figures, numbers, strict=True)
        ),
        TIPS,
        tuple(one.label for one in figures),
    )
