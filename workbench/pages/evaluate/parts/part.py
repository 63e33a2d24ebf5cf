"""What the parts that show a result have in common."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.evaluate.trial.outcome import Evaluation
from workbench.views.look.background import AT_ONCE, Background
from workbench.views.look.naming import named
from workbench.views.look.theme import Theme
from workbench.views.plots.plot_area import PlotArea

_numbers = count()


class Part(QWidget):
    """One way to look at an evaluation. What takes long is computed in the background.

    While an evaluation runs, its newer states wait until the present one is shown.
    """

    key: str
    """For object names and files."""
    title: str
    """Of the tab."""

    def __init__(self, background: Background) -> None:
        super().__init__()
        named(self, f"{self.key}Part", manner="page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._background = background
        self._request: tuple[str, int] | None = None
        self._next: Evaluation | None = None
        self.evaluation: Evaluation | None = None
        """What is shown, or being computed."""
        self.seconds = 0.0
        """How long it took to compute what is shown."""

    def fits(self, evaluation: Evaluation) -> bool:
        """Whether there is something to show of such an evaluation."""
        raise NotImplementedError

    def show_evaluation(self, evaluation: Evaluation) -> None:
        """Show an evaluation, which may be a newer state of the one that is shown."""
        if evaluation is self.evaluation:
            return
        is_newer = self.evaluation is not None and is_same_run(self.evaluation, evaluation)
        if is_newer and self._request is not None:
            self._next = evaluation
            return
        if not is_newer:
            self.begin(evaluation)
        self.evaluation, self._next = evaluation, None
        self.compute()

    def forget(self) -> None:
        """Drop what is shown and what was asked for."""
        if self._request is not None:
            self._background.drop(self._request)
        self._request, self._next, self.evaluation = None, None, None

    def begin(self, evaluation: Evaluation) -> None:
        """Offer the choices of another evaluation."""

    def compute(self) -> None:
        """Compute what is shown, and show it."""
        raise NotImplementedError

    def csv(self, raw: bool) -> Callable[[], str] | None:  # noqa: ARG002
        """A function that returns what is shown as CSV; None where there is no table."""
        return None

    @property
    def plot(self) -> PlotArea | None:
        """The plot, for pictures; None where there is none."""
        return None

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        raise NotImplementedError

    def ask(self, n_values: int, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Compute something of the evaluation, in place of what was asked for before."""
        if self._request is not None:
            self._background.drop(self._request)
        request, began = (self.key, next(_numbers)), time.monotonic()
        self._request = request

        def deliver(found: Any) -> None:
            if self._request != request:
                return
            self._request, self.seconds = None, time.monotonic() - began
            then(found)
            if self._next is not None:
                self.show_evaluation(self._next)

        self._background.compute(request, n_values, work, deliver)


def is_same_run(one: Evaluation, other: Evaluation) -> bool:
    """Whether both are states of one evaluation."""
    return one.plan is other.plan and one.began == other.began


LONG = AT_ONCE + 1
"""Number of values of what is always computed in the background."""
