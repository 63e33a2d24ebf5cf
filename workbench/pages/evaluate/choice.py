"""Boxes to choose what a part shows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QMargins, QSignalBlocker, QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from workbench.evaluate.trial.outcome import Evaluation
from workbench.views.fields.name_box import NameBox
from workbench.views.look.layouts import label_for
from workbench.views.look.theme import GRID


class ChoiceLine(QWidget):
    """Boxes above a plot or a table."""

    def __init__(self) -> None:
        super().__init__()
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        self._line.setSpacing(GRID)
        self._line.addStretch(1)

    def add(self, text: str, box: QWidget) -> None:
        """Add a box with its label in front."""
        for widget in (label_for(text, box), box):
            self._line.insertWidget(self._line.count() - 1, widget)


class Choice(NameBox):
    """A box of texts with values, whose choice stays where the texts change."""

    def sizeHint(self) -> QSize:
        """Called by Qt: its hint lacks the padding of the style sheet."""
        return super().sizeHint().grownBy(QMargins(0, 0, 2 * GRID, 0))

    def offer(self, entries: list[tuple[str, Any]]) -> None:
        """Offer these, without a signal; what was chosen stays chosen where it is offered."""
        if [(self.itemText(place), self.itemData(place)) for place in range(self.count())] == entries:
            return
        before = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for text, value in entries:
                self.addItem(text, value)
            values = [value for _, value in entries]
            self.setCurrentIndex(values.index(before) if before in values else 0)
        self.tell_whole(self.currentText())


def offer_methods(box: Choice, evaluation: Evaluation) -> None:
    """Offer the methods that have been tested; at the beginning it may be one only."""
    box.offer([(outcome.title, place) for place, outcome in enumerate(evaluation.outcomes)])
