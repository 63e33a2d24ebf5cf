"""Results of a run, kept until the next one starts; a status message would disappear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, SMALL, font

NOTHING = "To evaluate a run, hold out rows on the Data page."


class RunResult(NamedTuple):
    """One figure."""

    title: str
    value: str
    remark: str
    """What it was measured on."""
    help: str = ""


class ResultsView(QWidget):
    """The figures, one below the other, or a hint how to get some."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[tuple[Label, Label, Label]] = []
        self._hint = named(Label(NOTHING, wordWrap=True), "resultsHint", manner="small")
        # Two lines: a splitter ignores the height-for-width of labels.
        self._hint.setMinimumHeight(2 * QFontMetrics(font(SMALL)).lineSpacing())
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GRID)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(named(Label("RESULT"), "resultsTitle", manner="heading"))
        layout.addWidget(self._hint)
        layout.addLayout(self._grid)

    def show_results(self, results: Sequence[RunResult]) -> None:
        """Replace the figures."""
        while len(self._lines) < len(results):
            self._lines.append(self._make_line())
        for place, line in enumerate(self._lines):
            result = results[place] if place < len(results) else RunResult("", "", "")
            for label, text in zip(line, result[:3], strict=True):
                label.setText(text)
                label.setToolTip(result.help)
                label.setVisible(bool(text))
        self._hint.setVisible(not results)

    def clear(self) -> None:
        """Remove all figures."""
        self.show_results(())

    def readings(self) -> list[tuple[str, str, str]]:
        """The texts shown."""
        found = [(title.text(), value.text(), remark.text()) for title, value, remark in self._lines]
        return [line for line in found if line[0]]

    def _make_line(self) -> tuple[Label, Label, Label]:
        row = 2 * len(self._lines)
        title = named(Label(wordWrap=True), f"result{len(self._lines)}")
        value = named(Label(), f"resultValue{len(self._lines)}", manner="strong")
        remark = named(Label(wordWrap=True), f"resultRemark{len(self._lines)}", manner="small")
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._grid.addWidget(title, row, 0)
        self._grid.addWidget(value, row, 1)
        self._grid.addWidget(remark, row + 1, 0, 1, 2)
        return title, value, remark
