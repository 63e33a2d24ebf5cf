"""Figures along a stream whose rows are tested before they are learned."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from figmn.system.arrays import Floats
from workbench.evaluate.trial.course import FIGURES
from workbench.evaluate.trial.outcome import Course, Evaluation
from workbench.evaluate.trial.plan import Prequential
from workbench.pages.evaluate.choice import Choice
from workbench.pages.evaluate.parts.drawn_part import INKS, DrawnPart
from workbench.pages.evaluate.parts.line_plot import Line, LinePlot
from workbench.views.look.background import Background
from workbench.views.look.theme import Theme
from workbench.views.plots.data_view import Span
from workbench.views.plots.plot_style import Axis, Plot
from workbench.words.tables import csv_text

OVERS = {"windows": "the latest rows", "faded": "fading weights", "overall": "all rows so far"}


class CoursePart(DrawnPart):
    """Curves of a figure over the stream, live while it runs."""

    key, title = "course", "Course"

    def __init__(self, background: Background) -> None:
        self.figure = Choice("courseFigure", "figure", "Figure that is drawn")
        self.over = Choice("courseOver", "taken over", "Rows over which the figure is taken")
        self.over.offer([(text, name) for name, text in OVERS.items()])
        plot = LinePlot("evaluationCourse", "figure along the stream", Plot(bottom=Axis("bottom", "counts")))
        super().__init__(background, {"Figure": self.figure, "over": self.over}, plot, "courseWords")

    def fits(self, evaluation: Evaluation) -> bool:
        """Where the test is prequential."""
        return isinstance(evaluation.plan.option, Prequential)

    def begin(self, evaluation: Evaluation) -> None:
        """Fit the view to another stream."""
        self._plot.fit()
        self._offer(evaluation)

    def compute(self) -> None:
        """Draw; nothing needs to be computed."""
        evaluation = self.evaluation
        if evaluation is None:
            return
        self._offer(evaluation)
        name = self.figure.currentData()
        lines = [
            Line(outcome.title, outcome.course.samples.astype(np.float64), self._values(outcome.course)[name], ink)
            for outcome, ink in zip(evaluation.outcomes, INKS, strict=False)
            if outcome.course is not None and name in self._values(outcome.course)
        ]
        self._plot.set_titles("row of the stream", self.figure.currentText())
        self._plot.show_lines(lines, Span(0.0, float(max(1, evaluation.n_total))))
        self.words.setText(self._help)

    def csv(self, raw: bool) -> Callable[[], str]:
        """All figures of both methods at all places."""
        outcomes = () if self.evaluation is None else self.evaluation.outcomes
        courses = [(outcome.title, outcome.course) for outcome in outcomes if outcome.course is not None]
        titles = {} if self.evaluation is None else dict(FIGURES[self.evaluation.plan.task.kind])
        return lambda: course_csv(courses, titles, raw)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._plot.set_theme(theme)

    def _offer(self, evaluation: Evaluation) -> None:
        course = next((outcome.course for outcome in evaluation.outcomes if outcome.course is not None), None)
        if course is not None:
            self.figure.offer([(title, name) for name, title in FIGURES[evaluation.plan.task.kind]])

    def _values(self, course: Course) -> Mapping[str, Floats]:
        values: Mapping[str, Floats] = getattr(course, self.over.currentData())
        return values

    @property
    def _help(self) -> str:
        option = None if self.evaluation is None else self.evaluation.plan.option
        if not isinstance(option, Prequential):
            return ""
        over = self.over.currentData()
        words = {
            "windows": f"Over the latest {option.window:,} rows.",
            "faded": f"Every row weighs {option.fading:g} times as much as the one after it.",
            "overall": "Over all rows so far.",
        }[over]
        helped = HELPS.get(self.figure.currentData(), "")
        return f"Every row is tested before it is learned. {words} {helped}".strip()


HELPS = {
    "kappa": "0 is as good as chance with the same frequencies, 1 always right.",
    "kappa_m": "0 is as good as the majority class so far, 1 always right.",
    "kappa_t": "0 is as good as repeating the last class, 1 always right.",
}


def course_csv(courses: list[tuple[str, Course]], titles: Mapping[str, str], raw: bool) -> str:
    """One line for every method and place."""
    headings = ["method", "row", *(f"{title}, {over}" for over in OVERS.values() for title in titles.values())]
    rows: list[list[object]] = []
    for method, course in courses:
        columns = [getattr(course, over)[name].tolist() for over in OVERS for name in titles]
        for sample, *values in zip(course.samples.tolist(), *columns, strict=True):
            rows.append([method, sample, *(value if math.isfinite(value) else "" for value in values)])
    return csv_text(headings, rows, raw)
