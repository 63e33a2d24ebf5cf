"""The figures of every fold."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout

from workbench.evaluate.trial.figures import figures_of
from workbench.evaluate.trial.outcome import Evaluation, Outcome
from workbench.pages.evaluate.choice import Choice, ChoiceLine, offer_methods
from workbench.pages.evaluate.parts.part import LONG, Part
from workbench.pages.evaluate.parts.text_table import Cells, TextTable
from workbench.pages.evaluate.words import figure_text
from workbench.views.look.background import Background
from workbench.views.look.theme import GRID, Theme

FIXED = ("repeat", "fold", "test rows", "training rows")


class FoldsPart(Part):
    """A table with one line for every fold."""

    key, title = "folds", "Folds"

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self.method = Choice("foldsMethod", "method", "Whose figures are shown")
        self.method.currentIndexChanged.connect(lambda _: self.compute())
        self.table = TextTable("foldsTable", "figures of every fold", left=())
        line = ChoiceLine()
        line.add("Method", self.method)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, 0, GRID, 0)
        layout.setSpacing(0)
        layout.addWidget(line)
        layout.addWidget(self.table, 1)

    def fits(self, evaluation: Evaluation) -> bool:
        """Where there is more than one fold."""
        return any(len(outcome.parts) > 1 for outcome in evaluation.outcomes)

    def begin(self, evaluation: Evaluation) -> None:
        """Offer the methods."""
        offer_methods(self.method, evaluation)
        self.table.show_cells(Cells())

    def compute(self) -> None:
        """Compute the figures of all folds in the background."""
        evaluation = self.evaluation
        if evaluation is None:
            return
        offer_methods(self.method, evaluation)
        outcome = evaluation.outcomes[self.method.currentData() or 0]
        self.ask(LONG, lambda: fold_cells(evaluation, outcome), self.table.show_cells)

    def csv(self, raw: bool) -> Callable[[], str]:
        """The table with values in full."""
        return self.table.cells.csv(raw)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.table.set_theme(theme)


def fold_cells(evaluation: Evaluation, outcome: Outcome) -> Cells:
    """One line for every fold, one column for every figure."""
    figures = figures_of(evaluation, outcome) if outcome.parts else ()
    rows, values = [], []
    for place, part in enumerate(outcome.parts):
        fixed = (part.repeat + 1, part.fold + 1, len(part.rows), part.n_trained)
        found = [one.folds[place] for one in figures]
        rows.append(
            (
                *(f"{number:,}" for number in fixed),
                *(figure_text(one.measure, value) for one, value in zip(figures, found, strict=True)),
            )
        )
        values.append((*fixed, *("" if math.isnan(value) else value for value in found)))
    tips = ("Repeat of the whole test", "Fold of the repeat", "Rows tested", "Rows learned before")
    return Cells(
        (*FIXED, *(one.measure.title for one in figures)),
        tuple(rows),
        tuple(values),
        (*tips, *(one.measure.help for one in figures)),
    )
