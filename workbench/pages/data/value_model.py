"""The cells of a table as text, formatted when they are first shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor

from figmn.system.arrays import Bools, Ints
from workbench.source import Column, Table
from workbench.views.look.naming import one_line, plain_tip
from workbench.views.look.theme import Theme
from workbench.views.tables.cell_texts import cell_text, is_missing
from workbench.views.tables.cells import CellIndex
from workbench.words.sentences import shortened

MOST_ROWS = 50_000_000
"""A view's height in pixels must fit into 31 bits."""
NAME_LENGTH = 40
"""Characters of a column's name in the header, as many as the widest column has room for: Qt elides no second line."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
SELECTED_ROLE = int(Qt.ItemDataRole.UserRole)
"""Role: whether the row of a cell is selected."""
NOTHING = Table("nothing", (Column.numeric("nothing", []),))
"""Placeholder where there is no table, in place of None."""


class ValueModel(QAbstractTableModel):
    """Cells of a table as text; missing values are question marks."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = NOTHING
        self._selected: Bools | None = None
        self._preview = (0, -1)
        """First and last row that are being chosen."""
        self._shown: Ints | None = None
        """Rows of the table that are shown; None for all."""
        self._muted = QColor("grey")

    def show(self, table: Table) -> None:
        """Show a table."""
        if table is self._table:
            return
        if (table.names, table.n_rows) == (self._table.names, self._table.n_rows) and self._shown is None:
            self._table = table
            if table.n_rows:  # Qt warns of `dataChanged` without rows
                self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            return
        self.beginResetModel()
        self._table, self._shown = table, None
        self.endResetModel()

    def show_rows(self, rows: Ints | None) -> None:
        """Show these rows of the table alone; None for all."""
        self.beginResetModel()
        self._shown = rows
        self.endResetModel()

    @property
    def is_filtered(self) -> bool:
        """Whether only some rows are shown."""
        return self._shown is not None

    def show_selection(self, selected: Bools | None) -> None:
        """Mark the rows selected: one value per row of the table; None for none."""
        self._selected = selected
        self._announce()

    def show_preview(self, first: int = 0, last: int = -1) -> None:
        """Mark rows that are being chosen; without arguments, none."""
        self._preview = (first, last)
        self._announce()

    @property
    def n_rows(self) -> int:
        """Rows of the whole table."""
        return self._table.n_rows

    def is_marked(self, row: int) -> bool:
        """Whether a row that is shown is selected or being chosen."""
        return self._preview[0] <= row <= self._preview[1] or self.is_selected(row)

    def is_selected(self, row: int) -> bool:
        """Whether a row that is shown is selected."""
        source = self.source(row)
        return self._selected is not None and source < len(self._selected) and bool(self._selected[source])

    def source(self, row: int) -> int:
        """The row of the table that is shown in a row."""
        return row if self._shown is None else int(self._shown[row])

    def sources(self, first: int, last: int) -> Ints:
        """The rows of the table that are shown from one row to another."""
        return np.arange(first, last + 1) if self._shown is None else self._shown[first : last + 1]

    def _announce(self) -> None:
        if self.rowCount() and self.columnCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, self.rowCount() - 1)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._muted = QColor(theme.muted)

    def rowCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Rows that are shown, at most `MOST_ROWS`."""
        n_rows = self._table.n_rows if self._shown is None else len(self._shown)
        return 0 if parent.isValid() else min(n_rows, MOST_ROWS)

    def columnCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Columns of the table."""
        return 0 if parent.isValid() or self._table is NOTHING else len(self._table.columns)

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        column, row = self._table.columns[index.column()], self.source(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(column, row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._muted if column.role == "ignored" or is_missing(column, row) else None
        if role == SELECTED_ROLE:
            return self.is_marked(index.row())
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(column, row)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The number of a row; name, kind and role of a column."""
        if orientation == Qt.Orientation.Vertical:
            return f"{self.source(section) + 1:,}" if role == Qt.ItemDataRole.DisplayRole else None
        column = self._table.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{shortened(one_line(column.name), NAME_LENGTH)}\n{column.kind} · {column.role}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(f"{column.name}: {column.kind}, {column.role}")
        return None

    @staticmethod
    def _tip(column: Column, row: int) -> str | None:
        if is_missing(column, row):
            return "This value is missing"
        return plain_tip(str(column.values[row])) if column.kind == "string" else None


def _alignment(column: Column) -> Qt.AlignmentFlag:
    return RIGHT if column.kind in {"numeric", "date"} else LEFT
