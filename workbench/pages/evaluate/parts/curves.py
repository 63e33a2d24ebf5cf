"""ROC, precision–recall and calibration curves of a class."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from workbench.evaluate.trial.curves import Curve, calibration, precision_recall, roc
from workbench.evaluate.trial.outcome import Evaluation
from workbench.pages.evaluate.choice import Choice
from workbench.pages.evaluate.parts.drawn_part import INKS, DrawnPart
from workbench.pages.evaluate.parts.line_plot import Ink, Line, LinePlot
from workbench.pages.evaluate.parts.part import LONG
from workbench.pages.evaluate.words import label_text
from workbench.views.look.background import Background
from workbench.views.look.theme import Theme
from workbench.views.plots.data_view import Span
from workbench.words.numbers import fixed
from workbench.words.tables import csv_text

CurveKind = Literal["roc", "precision", "calibration"]
UNIT = Span(-0.02, 1.04)
ENDS = np.array([0.0, 1.0])


class Drawn(NamedTuple):
    """How a kind of curve is drawn."""

    title: str
    bottom: str
    left: str
    area: str
    """Name of the area in the legend; empty for none."""
    help: str
    find: Callable[..., Curve | None]


KINDS: dict[CurveKind, Drawn] = {
    "roc": Drawn(
        "ROC", "false alarms: share of the other rows", "found: share of the class", "AUC",
        "The diagonal is guessing; the upper left corner is always right.", roc,
    ),
    "precision": Drawn(
        "precision–recall", "recall: share of the class that is found", "precision: share of the found that is right",
        "average precision", "The dotted line is guessing: the share of the class among the test rows.",
        precision_recall,
    ),
    "calibration": Drawn(
        "calibration", "probability given", "how often it was right", "",
        "On the diagonal probabilities mean what they say. Numbers are test rows.", calibration,
    ),
}  # fmt: skip


class CurvesPart(DrawnPart):
    """A curve of both methods, with the class and the kind to choose."""

    key, title = "curves", "Curves"

    def __init__(self, background: Background) -> None:
        self.kind = Choice("curveKind", "kind of curve", "Kind of curve")
        self.kind.offer([(drawn.title, kind) for kind, drawn in KINDS.items()])
        self.label = Choice("curveClass", "class", "Class that is told from all others")
        self._found: list[tuple[str, Curve]] = []
        plot = LinePlot("evaluationCurves", "curves of the chosen class")
        super().__init__(background, {"Curve": self.kind, "Class": self.label}, plot, "curveWords")

    def fits(self, evaluation: Evaluation) -> bool:
        """Where classes are predicted."""
        return evaluation.plan.task.kind == "classes"

    def begin(self, evaluation: Evaluation) -> None:
        """Offer the classes."""
        self.label.offer([(label_text(label), place) for place, label in enumerate(evaluation.labels)])

    def compute(self) -> None:
        """Compute the curves of both methods in the background."""
        evaluation = self.evaluation
        if evaluation is None or self.label.currentData() is None:
            return
        find, place = self._drawn.find, int(self.label.currentData())

        def work() -> list[tuple[str, Curve | None, float]]:
            return [
                (outcome.title, find(outcome, place), float(np.mean(outcome.whole.truth == place)))
                for outcome in evaluation.outcomes
                if outcome.parts
            ]

        self.ask(LONG, work, self._show)

    def csv(self, raw: bool) -> Callable[[], str]:
        """All points of the curves."""
        drawn, found = self._drawn, list(self._found)
        headings = ("method", drawn.bottom, drawn.left, "rows")

        def rows() -> list[tuple[object, ...]]:
            return [
                (title, x, y, count)
                for title, curve in found
                for x, y, count in zip(
                    curve.x.tolist(), curve.y.tolist(),
                    [""] * len(curve.x) if curve.counts is None else curve.counts.tolist(), strict=True,
                )
            ]  # fmt: skip

        return lambda: csv_text(headings, rows(), raw)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._plot.set_theme(theme)

    @property
    def _drawn(self) -> Drawn:
        return KINDS[self.kind.currentData()]

    @property
    def _help(self) -> str:
        if not self._found:
            return "There is no such curve of this class: the tested rows are all of it, or none is."
        return self._drawn.help

    def _show(self, found: list[tuple[str, Curve | None, float]]) -> None:
        drawn, kind = self._drawn, self.kind.currentData()
        self._found = [(title, curve) for title, curve, _ in found if curve is not None]
        lines = [
            line_of(_legend(title, curve, drawn), curve, ink)
            for (title, curve), ink in zip(self._found, INKS, strict=False)
        ]
        guess = found[0][2] if found and kind == "precision" else None
        reference = ENDS if guess is None else np.full(2, guess)
        self._plot.set_titles(drawn.bottom, drawn.left)
        self._plot.show_lines([Line("", ENDS, reference, "reference"), *lines], UNIT, UNIT)
        self.words.setText(self._help)


def line_of(name: str, curve: Curve, ink: Ink) -> Line:
    """A curve as a line; with counts, its points are marked with them."""
    if curve.counts is None:
        return Line(name, curve.x, curve.y, ink)
    return Line(name, curve.x, curve.y, ink, has_marks=True, counts=tuple(f"{n:,}" for n in curve.counts.tolist()))


def _legend(title: str, curve: Curve, drawn: Drawn) -> str:
    if not drawn.area or math.isnan(curve.area):
        return title
    return f"{title}, {drawn.area} {fixed(curve.area, 4)}"
