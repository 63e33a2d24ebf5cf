"""A table of texts with its values for CSV: figures, classes, folds, candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QTableView, QWidget

from workbench.views.look.naming import named, plain_tip
from workbench.views.look.theme import GRID, Theme
from workbench.views.tables.cells import CellIndex, ThemedCells, alignment
from workbench.views.tables.plain_table import make_plain
from workbench.words.tables import csv_text

ROW = 3 * GRID
WIDEST = 300
"""Most pixels of a column."""
MEASURED = 60
"""Rows whose texts decide on the widths of the columns."""
NOT_SHOWN = QModelIndex()


@dataclass(frozen=True)
class Cells:
    """What a table shows."""

    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    values: tuple[tuple[Any, ...], ...] = ()
    """The same for CSV, numbers in full; empty: the texts."""
    tips: tuple[str, ...] = ()
    """Of the headings."""
    row_tips: tuple[str, ...] = ()
    marked: frozenset[int] = frozenset()
    """Rows that are set off."""
    csv_headings: tuple[str, ...] = ()
    """Where the values have other columns than the texts."""

    def csv(self, raw: bool) -> Callable[[], str]:
        """A function that returns the table as CSV; any thread may call it."""
        return partial(csv_text, self.csv_headings or self.headings, self.values or self.rows, raw)


class TextModel(QAbstractTableModel):
    """The cells for Qt."""

    def __init__(self, left: tuple[int, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.cells, self._left = Cells(), left

    def show(self, cells: Cells) -> None:
        """Show others; texts that change in place keep selection and scroll position."""
        before, self_cells = self.cells, cells
        if (before.headings, len(before.rows)) == (cells.headings, len(cells.rows)):
            self.cells = self_cells
            if cells.rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(cells.rows) - 1, len(cells.headings) - 1))
            return
        self.beginResetModel()
        self.cells = self_cells
        self.endResetModel()

    def rowCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self.cells.rows)

    def columnCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self.cells.headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Called by Qt."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self.cells.headings):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells.headings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(section, self._left)
        if role == Qt.ItemDataRole.ToolTipRole and section < len(self.cells.tips):
            return plain_tip(self.cells.tips[section])
        return None

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cells.rows[row][column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return alignment(column, self._left)
        if role == Qt.ItemDataRole.ToolTipRole and row < len(self.cells.row_tips):
            return plain_tip(self.cells.row_tips[row])
        return None


class TextCells(ThemedCells):
    """Marked rows in the accent colour."""

    def __init__(self, model: TextModel, left: tuple[int, ...], parent: QWidget) -> None:
        self._model, self._row = model, -1
        super().__init__(left, parent)

    def paint(self, painter: Any, option: Any, index: CellIndex) -> None:
        """Called by Qt."""
        self._row = index.row()
        super().paint(painter, option, index)

    def ink(self, text: str, column: int) -> QColor:  # noqa: ARG002
        """The colour of a text."""
        return QColor(self.theme.accent) if self._row in self._model.cells.marked else self.text


class TextTable(QTableView):
    """The table; Ctrl+C copies the selected rows."""

    def __init__(self, name: str, spoken: str, left: tuple[int, ...] = (0,), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, name, spoken)
        self.texts = TextModel(left, self)
        self._cells = TextCells(self.texts, left, self)
        self.setModel(self.texts)
        self.setItemDelegate(self._cells)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        make_plain(self, ROW)
        header = self.horizontalHeader()
        header.setMaximumSectionSize(WIDEST)
        header.setResizeContentsPrecision(MEASURED)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    @property
    def cells(self) -> Cells:
        """What is shown."""
        return self.texts.cells

    def show_cells(self, cells: Cells) -> None:
        """Show other texts."""
        self.texts.show(cells)
        self.resizeColumnsToContents()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.set_theme(theme)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            super().keyPressEvent(event)

    def _copy(self) -> None:
        rows = sorted({index.row() for index in self.selectedIndexes()}) or range(len(self.cells.rows))
        lines = [self.cells.headings, *(self.cells.rows[row] for row in rows)]
        QApplication.clipboard().setText("\n".join("\t".join(line) for line in lines))
