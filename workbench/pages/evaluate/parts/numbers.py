"""Predicted numbers against true ones, and what is left over."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QVBoxLayout

from figmn.system.arrays import Bools, Floats, Ints
from workbench.evaluate.trial.outcome import Evaluation, Outcome
from workbench.pages.evaluate.choice import Choice, ChoiceLine, offer_methods
from workbench.pages.evaluate.parts.line_plot import Ink, Line, LinePlot, LinesItem, ink_of, span_of
from workbench.pages.evaluate.parts.part import Part
from workbench.views.look.background import Background
from workbench.views.look.naming import Label, named, one_line
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.data_view import Span
from workbench.views.plots.plot_style import Axis, Manner, Mapping, Plot, ViewItem, colour
from workbench.views.plots.points_item import PointsItem
from workbench.words.counts import counted
from workbench.words.numbers import fixed, short
from workbench.words.tables import csv_text

MOST_POINTS = 200_000
"""Points that are drawn; of more, evenly spread ones."""
USUAL = (0.005, 0.995)
"""Quantiles of the predictions that are seen whatever their size; the view may leave out those beyond."""
N_BINS, NARROWEST = 40, 1e-9
"""Of the histogram, and its least width as a share of the values."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Rows with a true and a predicted number."""

    rows: Ints
    truth: Floats
    predicted: Floats
    covered: Bools | None
    """Whether each lies in its 90 % interval; None where there are none."""
    n_thinned: int
    """Rows that the points stand for."""
    edges: Floats
    counts: Ints
    """Histogram of the residuals."""

    @property
    def residuals(self) -> Floats:
        """Predicted minus true."""
        return self.predicted - self.truth


def pairs_of(outcome: Outcome) -> Pairs:
    """The pairs of a method, thinned where there are very many."""
    whole = outcome.whole
    assert whole.predicted is not None
    truth, predicted = whole.truth.astype(np.float64), whole.predicted
    covered = None if whole.low is None or whole.high is None else (whole.low <= truth) & (truth <= whole.high)
    known = np.flatnonzero(np.isfinite(truth) & np.isfinite(predicted))
    residuals = predicted[known] - truth[known]
    usual = residuals[np.isfinite(residuals)]
    low, high = np.quantile(usual, USUAL).tolist() if len(usual) else (0.0, 1.0)
    least = NARROWEST * max(abs(low), abs(high))  # narrower ones are rounding errors, and have too few floats
    span = Span(low, high) if high - low > least else Span(low - 0.5 - least, high + 0.5 + least)
    counts, edges = np.histogram(usual, N_BINS, (span.low, span.high))
    step = -(-len(known) // MOST_POINTS) if len(known) else 1
    shown = known[::step]
    return Pairs(
        whole.rows[shown], truth[shown], predicted[shown],
        None if covered is None else covered[known], len(known), edges, counts.astype(np.int64),
    )  # fmt: skip


class PairsPart(Part):
    """What both parts of numbers share: the method to choose, and the words below."""

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self.method = Choice(f"{self.key}Method", "method", "Whose predictions are shown")
        self.method.currentIndexChanged.connect(lambda _: self.compute())
        self.words = named(Label(wordWrap=True), f"{self.key}Words", manner="muted")
        self.words.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        self.pairs: Pairs | None = None
        line = ChoiceLine()
        line.add("Method", self.method)
        self.lines = QVBoxLayout(self)
        self.lines.setContentsMargins(0, 0, 0, 0)
        self.lines.setSpacing(0)
        self.lines.addWidget(line)

    def fits(self, evaluation: Evaluation) -> bool:
        """Where numbers are predicted."""
        return evaluation.plan.task.kind == "numbers"

    def begin(self, evaluation: Evaluation) -> None:
        """Offer the methods."""
        offer_methods(self.method, evaluation)

    def compute(self) -> None:
        """Collect the pairs."""
        if self.evaluation is None:
            return
        offer_methods(self.method, self.evaluation)
        outcomes = self.evaluation.outcomes
        if outcomes and (outcome := outcomes[self._place]).parts:
            n_rows = sum(len(part.rows) for part in outcome.parts)
            self.ask(n_rows, lambda: pairs_of(outcome), self._take)

    def csv(self, raw: bool) -> Callable[[], str] | None:
        """Row, true and predicted number of every point."""
        pairs = self.pairs
        if pairs is None:
            return None
        columns = (pairs.rows + 1, pairs.truth, pairs.predicted, pairs.residuals)
        headings = ("row", "true", "predicted", "residual")
        return lambda: csv_text(headings, zip(*(column.tolist() for column in columns), strict=True), raw)

    def _take(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self.show_pairs(pairs)

    def show_pairs(self, pairs: Pairs) -> None:
        """Draw."""
        raise NotImplementedError

    @property
    def _place(self) -> int:
        return int(self.method.currentData() or 0)

    @property
    def _ink(self) -> Ink:
        return "second" if self._place else "first"

    @property
    def _target(self) -> str:
        return "" if self.evaluation is None else one_line(self.evaluation.plan.task.words)

    @property
    def _manner(self) -> Manner:
        """How values of the target are written on an axis."""
        return "days" if self.evaluation is not None and self.evaluation.plan.task.is_date else "numbers"

    def _thinned_words(self, pairs: Pairs) -> str:
        if len(pairs.rows) == pairs.n_thinned:
            return f"{counted(pairs.n_thinned, 'row')}."
        return f"{counted(pairs.n_thinned, 'row')}, of which {len(pairs.rows):,} are drawn."


class PredictedPart(PairsPart):
    """Predicted against true numbers, with the diagonal."""

    key, title = "predicted", "Predicted"

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self._plot = LinePlot("predictedPlot", "predicted against true numbers")
        self.points = PointsItem()
        self._plot.plot.addItem(self.points, ignoreBounds=True)
        self.lines.addWidget(self._plot, 1)
        self.lines.addWidget(self.words)

    @property
    def plot(self) -> LinePlot:
        """The plot, for pictures."""
        return self._plot

    def show_pairs(self, pairs: Pairs) -> None:
        """Draw the pairs."""
        span = span_of([pairs.truth, _usual(pairs.predicted)])
        self.points.set_points(pairs.truth, pairs.predicted, np.full(len(pairs.rows), self._place, np.int16))
        ends = np.array([span.low, span.high])
        for axis in (self._plot.plot.bottom, self._plot.plot.left):
            axis.set_manner(self._manner)
        self._plot.set_titles(f"{self._target}, true", f"{self._target}, predicted")
        self._plot.show_lines([Line("predicted = true", ends, ends, "reference")], span, span)
        self.words.setText(" ".join([self._thinned_words(pairs), *_outside(pairs.predicted, span), _coverage(pairs)]))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._plot.set_theme(theme)
        self.points.set_theme(theme)


class ResidualsPart(PairsPart):
    """Residuals against predictions, and their histogram."""

    key, title = "residuals", "Residuals"

    def __init__(self, background: Background) -> None:
        super().__init__(background)
        self._plot = ResidualsPlot()
        self.lines.addWidget(self._plot, 1)
        self.lines.addWidget(self.words)

    @property
    def plot(self) -> ResidualsPlot:
        """Both plots, for pictures."""
        return self._plot

    def show_pairs(self, pairs: Pairs) -> None:
        """Draw the residuals."""
        residuals = pairs.residuals
        left = "predicted − true, days" if self._manner == "days" else "predicted − true"
        self._plot.plot.bottom.set_manner(self._manner)
        self._plot.set_titles(f"{self._target}, predicted", left)
        self._plot.show_pairs(pairs, self._place, self._ink)
        known = residuals[np.isfinite(residuals)]
        with np.errstate(over="ignore", invalid="ignore"):
            mean, spread = (float(known.mean()), float(known.std())) if len(known) else (math.nan, math.nan)
        words = f"Mean residual {short(mean)}, standard deviation {short(spread)}."
        beyond = pairs.n_thinned - int(pairs.counts.sum())
        more = [f"{counted(beyond, 'row')} beyond the histogram."] if beyond else []
        self.words.setText(" ".join([self._thinned_words(pairs), words, *more]))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._plot.set_theme(theme)


class ResidualsPlot(LinePlot):
    """Residuals against predictions, and below them their histogram."""

    def __init__(self) -> None:
        self.lower = Plot(left=Axis("left", "counts"))
        super().__init__("residualsPlot", "residuals against predicted numbers, and their histogram")
        self.points, self.bars, self.zero = PointsItem(), BarsItem(), LinesItem()
        self.plot.addItem(self.points, ignoreBounds=True)
        for item in (self.bars, self.zero):
            self.lower.addItem(item, ignoreBounds=True)
        self.addItem(self.lower, 2, 0)
        self.ci.layout.setRowSpacing(1, GRID)
        self.ci.layout.setRowStretchFactor(1, 3)
        self.ci.layout.setRowStretchFactor(2, 2)
        self._lower_windows: tuple[Span, Span] | None = None

    def set_titles(self, bottom: str, left: str) -> None:
        """Name the axes."""
        super().set_titles(bottom, left)
        self.lower.bottom.set_title(left)
        self.lower.left.set_title("rows")

    def show_pairs(self, pairs: Pairs, place: int, ink: Ink) -> None:
        """Draw the residuals of a method."""
        residuals = pairs.residuals
        across, up = span_of([_usual(pairs.predicted)]), span_of([_usual(residuals), np.zeros(1)])
        self.points.set_points(pairs.predicted, residuals, np.full(len(pairs.rows), place, np.int16))
        self.bars.set_bars(pairs.edges, pairs.counts, ink)
        height = 1.05 * float(pairs.counts.max(initial=1))
        self.zero.set_lines((Line("", np.zeros(2), np.array([0.0, height]), "reference"),))
        self._lower_windows = Span(float(pairs.edges[0]), float(pairs.edges[-1])).padded(0.02), Span(0.0, height)
        level = Line("predicted = true", np.array([across.low, across.high]), np.zeros(2), "reference")
        self.show_lines([level], across, up)

    def fit(self) -> None:
        """Fit both views."""
        super().fit()
        if self._lower_windows is not None:
            self.lower.view.show_windows(*self._lower_windows)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        super().set_theme(theme)
        for part in (self.lower, self.points, self.bars, self.zero):
            part.set_theme(theme)


class BarsItem(ViewItem):
    """Bars of a histogram."""

    def __init__(self) -> None:
        super().__init__()
        self._edges: Floats = np.empty(0)
        self._counts: Ints = np.empty(0, np.int64)
        self._ink: Ink = "first"
        self.setZValue(-10)

    def set_bars(self, edges: Floats, counts: Ints, ink: Ink) -> None:
        """Draw others."""
        self._edges, self._counts, self._ink = edges, counts, ink
        self.update()

    def draw(self, painter: QPainter, mapping: Mapping) -> None:
        """Draw in pixels."""
        if not len(self._counts):
            return
        painter.setClipRect(mapping.area)
        x, y = np.rint(mapping.across(self._edges)), mapping.up(self._counts.astype(np.float64))
        bottom = float(mapping.up(np.zeros(1))[0])
        ink = colour(ink_of(self._ink, self.theme), 0.75)
        for left, right, top in zip(x[:-1].tolist(), x[1:].tolist(), y.tolist(), strict=True):
            painter.fillRect(int(left), int(top), max(1, int(right - left) - 1), int(bottom - top) + 1, ink)


def _usual(values: Floats) -> Floats:
    """The ends between which nearly all values are."""
    known = values[np.isfinite(values)]
    found: Floats = np.quantile(known, USUAL) if len(known) else np.empty(0)
    return found


def _outside(values: Floats, span: Span) -> list[str]:
    n_outside = int(np.sum((values < span.low) | (values > span.high)))
    return [f"{counted(n_outside, 'prediction')} outside of the view."] if n_outside else []


def _coverage(pairs: Pairs) -> str:
    if pairs.covered is None or not len(pairs.covered):
        return ""
    return f"The 90 % intervals cover {fixed(100 * float(pairs.covered.mean()), 1)} %."
