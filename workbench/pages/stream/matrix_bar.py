"""The line above a scatter matrix: which columns it shows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.run.show.matrix import MOST
from workbench.views.fields.name_box import NameBox
from workbench.views.look.flow import Flow
from workbench.views.look.naming import named, one_line
from workbench.views.look.theme import GRID
from workbench.views.plots.mixture_tools import SEARCHED, make_searchable

NONE = "–"
FEWEST = 2
NARROW = 88
"""Pixels of a choice: all six fit into one line beside the components in a window of 1280 pixels."""


class MatrixBar(QWidget):
    """Up to six choices of a column."""

    columns_changed = Signal(object)
    """Positions of the chosen columns, a tuple."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "matrixBar")
        self._names: tuple[str, ...] = ()
        self.boxes = [
            NameBox(f"matrixColumn{number + 1}", f"column {number + 1}", "A column of the scatter matrix")
            for number in range(MOST)
        ]
        row = Flow(self)
        row.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        for box in self.boxes:
            box.setMaxVisibleItems(SEARCHED)
            box.setMinimumWidth(NARROW)
            row.addWidget(box)
            box.currentIndexChanged.connect(lambda _: self._tell())
        self.hide()

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the chosen columns, each once."""
        chosen = (box.currentIndex() - 1 for box in self.boxes)
        return tuple(dict.fromkeys(column for column in chosen if column >= 0))

    def set_names(self, names: Sequence[str]) -> None:
        """Offer these columns."""
        if tuple(names) == self._names:
            return
        self._names = tuple(names)
        for box in self.boxes:
            box.blockSignals(True)
            box.clear()
            box.addItems([NONE, *(one_line(name) for name in names)])
            make_searchable(box, len(names) > SEARCHED)
            box.blockSignals(False)

    def show_columns(self, columns: Sequence[int]) -> None:
        """Show a choice that was made elsewhere, without a signal."""
        if tuple(columns) == self.columns:
            return
        padded = [*columns, *[-1] * MOST]
        for box, column in zip(self.boxes, padded, strict=False):
            box.blockSignals(True)
            box.setCurrentIndex(column + 1)
            box.blockSignals(False)

    def _tell(self) -> None:
        if len(self.columns) >= FEWEST:
            self.columns_changed.emit(self.columns)
