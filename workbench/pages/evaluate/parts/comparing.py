"""Two results beside each other: a figure fold by fold, and how sure the difference is."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.desk.evaluate import Result
from workbench.evaluate.trial.comparison import Comparison
from workbench.evaluate.trial.figures import Figure, figure, measures_of
from workbench.pages.evaluate.choice import Choice, ChoiceLine
from workbench.pages.evaluate.parts.part import LONG
from workbench.pages.evaluate.parts.text_table import Cells, TextTable
from workbench.pages.evaluate.words import difference_text, figure_text, probability_text, with_spread
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme
from workbench.words.counts import counted
from workbench.words.numbers import fixed, short
from workbench.words.sentences import UserError

KEY = "comparison"
NOTE = (
    "The paired t-test takes the folds for independent, and finds differences too easily: folds share training rows. "
    "The corrected resampled test (Nadeau and Bengio 2003) allows for that, and so do the probabilities "
    "(Corani and Benavoli 2015)."
)


class ComparingPart(QWidget):
    """The comparison of two results.

    Parameters
    ----------
    compare : finds out about a figure of two results; UserError where they cannot be compared
    """

    def __init__(self, background: Background, compare: Callable[[Result, Result, str], Comparison]) -> None:
        super().__init__()
        named(self, "comparisonPart", manner="page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._background, self._compare = background, compare
        self.pair: tuple[Result, Result] | None = None
        self._n_asked = 0
        self.titles = named(Label(wordWrap=True), "comparedTitles")
        self.titles.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.figure = Choice("comparedFigure", "figure", "Figure by which the two are compared")
        self.figure.currentIndexChanged.connect(lambda _: self._ask())
        self.table = TextTable("comparisonTable", "comparison of two results")
        self.problem = named(Label(wordWrap=True), "comparisonProblem", manner="warning")
        self.note = named(Label(NOTE, wordWrap=True), "comparisonNote", manner="muted")
        line = ChoiceLine()
        line.add("Figure", self.figure)
        for label in (self.titles, self.problem, self.note):
            label.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, 0, GRID, 0)
        layout.setSpacing(0)
        layout.addWidget(self.titles)
        layout.addWidget(line)
        layout.addWidget(self.problem)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.note)
        self.problem.hide()

    def show_pair(self, first: Result, second: Result) -> None:
        """Compare two results."""
        self.pair = first, second
        self.titles.setText(f"first: {first.number}, {first.title}\nsecond: {second.number}, {second.title}")
        evaluation = first.evaluation or second.evaluation
        measures = () if evaluation is None else measures_of(evaluation)
        self.figure.offer([(measure.title, measure.name) for measure in measures if measure.better])
        self._ask()

    def csv(self, raw: bool) -> Callable[[], str]:
        """The table."""
        return self.table.cells.csv(raw)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.table.set_theme(theme)

    def _ask(self) -> None:
        if self.pair is None:
            return
        first, second = self.pair
        name, compare = str(self.figure.currentData() or ""), self._compare

        def work() -> tuple[Cells, str]:
            try:
                return comparison_cells(compare(first, second, name), first, second), ""
            except UserError as error:
                return Cells(), str(error)

        self._n_asked += 1
        key = (KEY, self._n_asked)
        self._background.drop((KEY, self._n_asked - 1))
        self._background.compute(key, LONG, work, self._show)

    def _show(self, found: tuple[Cells, str]) -> None:
        cells, problem = found
        self.table.show_cells(cells)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.note.setVisible(not problem)


def comparison_cells(found: Comparison, first: Result, second: Result) -> Cells:
    """What was found, line by line."""
    assert first.evaluation is not None
    assert second.evaluation is not None
    measure = found.measure
    figures: list[Figure] = [
        figure(result.evaluation, result.evaluation.outcomes[0], measure.name)
        for result in (first, second)
        if result.evaluation is not None
    ]
    means = [Figure(measure, mean, one.folds) for mean, one in zip((found.first, found.second), figures, strict=True)]
    margin = f"more than {figure_text(measure, found.margin)}"
    lines: list[tuple[str, str, float, str]] = [
        (f"{measure.title}, first", with_spread(means[0]), found.first, "Mean over the folds ± standard deviation"),
        (f"{measure.title}, second", with_spread(means[1]), found.second, "Mean over the folds ± standard deviation"),
        (
            "difference, first − second",
            difference_text(measure, found.first - found.second),
            found.first - found.second,
            "Of the means",
        ),
        ("folds", counted(found.n_folds, "fold"), found.n_folds, "Same rows tested in both"),
        ("P(first better)", probability_text(found.better), found.better, f"By {margin}"),
        (
            "P(same)",
            probability_text(found.same),
            found.same,
            f"That both differ by at most {figure_text(measure, found.margin)}: the same in practice",
        ),
        ("P(first worse)", probability_text(found.worse), found.worse, f"By {margin}"),
        ("margin", figure_text(measure, found.margin), found.margin, "Differences up to this make none in practice"),
        ("paired t-test", _test_text(found.test.t, found.test.p), found.test.p, "Two-sided; t and p"),
        (
            "corrected resampled t-test",
            _test_text(found.corrected.t, found.corrected.p),
            found.corrected.p,
            "Two-sided; t and p, with the variance of folds that share training rows",
        ),
    ]
    return Cells(
        ("", "value"),
        tuple((name, text) for name, text, _, _ in lines),
        tuple((name, value if math.isfinite(value) else "") for name, _, value, _ in lines),
        ("", ""),
        tuple(tip for *_, tip in lines),
    )


def _test_text(t: float, p: float) -> str:
    return f"t = {fixed(t, 2)}, p = {'< 0.0001' if p < 1e-4 else short(p, 3)}"  # noqa: PLR2004
