"""The lines of the result list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from workbench.desk.evaluate import Result
from workbench.evaluate.trial.figures import figure, measures_of
from workbench.pages.evaluate.words import figure_text
from workbench.views.look.naming import plain_tip
from workbench.views.tables.cells import CellIndex

NOT_SHOWN = QModelIndex()
HEAD_ROLE, FOOT_ROLE, STALE_ROLE = (int(Qt.ItemDataRole.UserRole) + place for place in range(3))
STALE = "data or settings have changed since"


class ResultModel(QAbstractTableModel):
    """Results, the newest first. What a line says is computed when it is first seen.

    Parameters
    ----------
    is_current : whether data and settings are still those of a result
    """

    def __init__(self, is_current: Callable[[Result], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._is_current = is_current
        self.results: list[Result] = []
        self._headlines: dict[int, str] = {}
        self._stale: dict[int, bool] = {}

    def show(self, results: list[Result]) -> None:
        """Show these, given the oldest first."""
        self.beginResetModel()
        self.results = results[::-1]
        known = {result.number for result in results}
        self._headlines = {number: text for number, text in self._headlines.items() if number in known}
        self._stale.clear()
        self.endResetModel()

    def look_again(self) -> None:
        """Data or settings may have changed."""
        if self.results:
            self._stale.clear()
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.results) - 1, 0))

    def row_of(self, result: Result) -> int | None:
        """Where a result stands; None where it does not."""
        return next((row for row, one in enumerate(self.results) if one is result), None)

    def headline(self, result: Result) -> str:
        """The figure that a result is known by."""
        if result.number not in self._headlines:
            self._headlines[result.number] = headline_of(result)
        return self._headlines[result.number]

    def is_stale(self, result: Result) -> bool:
        """Whether data or settings have changed since."""
        if result.number not in self._stale:
            self._stale[result.number] = not self._is_current(result)
        return self._stale[result.number]

    def rowCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self.results)

    def columnCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt: the list has one."""
        return 0 if parent.isValid() else 1

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        result = self.results[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, HEAD_ROLE}:
            return f"{result.number}: {result.title}"
        if role == FOOT_ROLE:
            return " · ".join((result.began.rpartition(" ")[2], self.headline(result)))
        if role == STALE_ROLE:
            return self.is_stale(result)
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            words = self._words(result)
            return plain_tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def _words(self, result: Result) -> str:
        lines = [f"{result.number}: {result.title}", f"{result.dataset}, {result.began}", self.headline(result)]
        lines.append(result.recipe.describe())
        if self.is_stale(result):
            lines.append(STALE[0].upper() + STALE[1:])
        return "\n".join(lines)


def headline_of(result: Result) -> str:
    """The first figure of an evaluation with its name, or the last line of a stream run."""
    evaluation = result.evaluation
    if evaluation is None:
        name, value = result.lines[-1]
        return f"{name} {value}"
    measure = measures_of(evaluation)[0]
    values = [figure(evaluation, outcome, measure.name).value for outcome in evaluation.outcomes]
    return f"{measure.title} {' | '.join(figure_text(measure, value) for value in values)}"
