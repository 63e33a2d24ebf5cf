"""All figures of an evaluation, of Fast IGMN and of the baseline, and how sure the difference is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from workbench.evaluate.trial.comparison import Comparison, compare
from workbench.evaluate.trial.figures import Figure, figures_of, measures_of
from workbench.evaluate.trial.outcome import Evaluation
from workbench.pages.evaluate.parts.part import LONG, Part
from workbench.pages.evaluate.parts.text_table import Cells, TextTable
from workbench.pages.evaluate.words import figure_text, probability_text, with_spread
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme
from workbench.words.counts import counted
from workbench.words.sentences import UserError

VALUE_TIP = "Over all test rows together, ± the standard deviation over the folds"
SURE_TIPS = (
    "Probability that Fast IGMN is better than the baseline by more than the margin, by the Bayesian correlated t-test "
    "over the folds (Corani and Benavoli 2015)",
    "Probability that both are the same in practice: they differ by at most the margin, 0.01 for shares, areas, Kappa, "
    "R² and F1, otherwise 1 % of the mean value",
    "Probability that Fast IGMN is worse than the baseline by more than the margin",
)


class FiguresPart(Part):
    """The table, and below it what must be known to read it."""

    key, title = "figures", "Figures"

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self.table = TextTable("figuresTable", "figures of the evaluation")
        self.remarks = named(Label(wordWrap=True), "evaluationRemarks", manner="muted")
        self.remarks.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.remarks.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, 0, GRID, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.remarks)

    def fits(self, evaluation: Evaluation) -> bool:  # noqa: ARG002
        """Always."""
        return True

    def begin(self, evaluation: Evaluation) -> None:  # noqa: ARG002
        """Clear the table: the figures of another evaluation are not these."""
        self.table.show_cells(Cells())
        self.remarks.clear()

    def compute(self) -> None:
        """Compute all figures in the background: one for every fold takes a while."""
        evaluation = self.evaluation
        assert evaluation is not None
        self.ask(LONG, lambda: figure_cells(evaluation), self.table.show_cells)
        self.remarks.setText("\n".join(remarks_of(evaluation)))
        self.remarks.setVisible(bool(self.remarks.text()))

    def show_lines(self, lines: tuple[tuple[str, str], ...]) -> None:
        """Show figures of a stream run, which has no evaluation."""
        self.forget()
        self.table.show_cells(Cells(("figure", "value"), lines))
        self.remarks.clear()
        self.remarks.hide()

    def csv(self, raw: bool) -> Callable[[], str]:
        """The table with values and spreads in full."""
        return self.table.cells.csv(raw)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.table.set_theme(theme)


def remarks_of(evaluation: Evaluation) -> list[str]:
    """What was tested, and the remarks."""
    parts = evaluation.outcomes[0].parts if evaluation.outcomes else ()
    n_rows = sum(len(part.rows) for part in parts)
    if not n_rows:
        return list(evaluation.remarks)
    folds = f" in {counted(len(parts), 'fold')}" if len(parts) > 1 else ""
    return [f"{counted(n_rows, 'row')} tested{folds}.", *evaluation.remarks]


def figure_cells(evaluation: Evaluation) -> Cells:
    """One line for every figure that one of the methods has."""
    outcomes = [outcome for outcome in evaluation.outcomes if outcome.parts]
    by_method = [{one.measure.name: one for one in figures_of(evaluation, outcome)} for outcome in outcomes]
    names = list(dict.fromkeys(name for figures in by_method for name in figures))
    names.sort(key=[measure.name for measure in measures_of(evaluation)].index)
    compared = [_compared(evaluation, name) for name in names]
    is_compared = any(found is not None for found in compared)
    headings = ("figure", *(outcome.title for outcome in outcomes))
    csv_headings = ["figure"]
    for outcome in outcomes:
        csv_headings += [outcome.title, f"{outcome.title}, standard deviation over the folds"]
    sure = ("P(better)", "P(same)", "P(worse)") if is_compared else ()
    rows, values, tips = [], [], []
    for name, found in zip(names, compared, strict=True):
        figures = [figures.get(name) for figures in by_method]
        measure = next(one.measure for one in figures if one is not None)
        rows.append((measure.title, *map(_text, figures), *(_sure_texts(found) if is_compared else ())))
        values.append(
            (measure.title, *(value for one in figures for value in _values(one)), *_sure_values(found, is_compared))
        )
        tips.append(measure.help + _folds_words(figures) + _margin_words(found))
    return Cells(
        (*headings, *sure),
        tuple(rows),
        tuple(values),
        ("", *(VALUE_TIP for _ in outcomes), *(SURE_TIPS if is_compared else ())),
        tuple(tips),
        csv_headings=(*csv_headings, *sure),
    )


def _compared(evaluation: Evaluation, name: str) -> Comparison | None:
    """How sure the difference of a figure is; None where that cannot be said."""
    outcomes = evaluation.outcomes
    measure = next(measure for measure in measures_of(evaluation) if measure.name == name)
    if len(outcomes) < 2 or not measure.better:  # noqa: PLR2004 - two methods
        return None
    try:
        return compare(evaluation, evaluation, name, (outcomes[0], outcomes[1]))
    except UserError:
        return None  # too few folds, or a fold in which it is not defined


def _text(figure: Figure | None) -> str:
    return "–" if figure is None else with_spread(figure)


def _values(figure: Figure | None) -> tuple[Any, Any]:
    if figure is None:
        return "", ""
    return _known(figure.value), _known(figure.spread)


def _known(value: float) -> float | str:
    return "" if math.isnan(value) else value


def _sure_texts(found: Comparison | None) -> tuple[str, str, str]:
    if found is None:
        return "", "", ""
    return probability_text(found.better), probability_text(found.same), probability_text(found.worse)


def _sure_values(found: Comparison | None, is_compared: bool) -> tuple[Any, ...]:
    if not is_compared:
        return ()
    return ("", "", "") if found is None else (found.better, found.same, found.worse)


def _folds_words(figures: list[Figure | None]) -> str:
    """Lowest and highest value over the folds."""
    found = []
    for figure in figures:
        known = [] if figure is None else [value for value in figure.folds if not math.isnan(value)]
        if figure is not None and len(known) > 1:
            low, high = (figure_text(figure.measure, value) for value in (min(known), max(known)))
            found.append(f"{low} to {high}")
    return f"\nOver the folds: {'; '.join(found)}" if found else ""


def _margin_words(found: Comparison | None) -> str:
    return "" if found is None else f"\nThe same in practice: at most {figure_text(found.measure, found.margin)} apart"
