"""The cells of a table as text, formatted when they are first shown."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor

from workbench.source import Column, Table
from workbench.source.table.table import date_texts
from workbench.views.look.naming import one_line, plain_tip
from workbench.views.look.theme import Theme
from workbench.views.tables.cells import CellIndex
from workbench.words.numbers import MINUS, in_words
from workbench.words.sentences import shortened

MOST_ROWS = 50_000_000
"""A view's height in pixels must fit into 31 bits."""
NAME_LENGTH = 40
"""Characters of a column's name in the header, as many as the widest column has room for: Qt elides no second line."""
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
NOTHING = Table("nothing", (Column.numeric("nothing", []),))
"""Placeholder where there is no table, in place of None."""


class ValueModel(QAbstractTableModel):
    """Cells of a table as text; missing values are question marks."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = NOTHING
        self._muted = QColor("grey")

    def show(self, table: Table) -> None:
        """Show a table."""
        if table is self._table:
            return
        if (table.names, table.n_rows) == (self._table.names, self._table.n_rows):
            self._table = table
            if table.n_rows:  # Qt warns of `dataChanged` without rows
                self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            return
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._muted = QColor(theme.muted)

    def rowCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Rows of the table, at most `MOST_ROWS`."""
        return 0 if parent.isValid() else min(self._table.n_rows, MOST_ROWS)

    def columnCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Columns of the table."""
        return 0 if parent.isValid() or self._table is NOTHING else len(self._table.columns)

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        column = self._table.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell_text(column, index.row())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._muted if column.role == "ignored" or is_missing(column, index.row()) else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(column, index.row())
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The number of a row; name, kind and role of a column."""
        if orientation == Qt.Orientation.Vertical:
            return f"{section + 1:,}" if role == Qt.ItemDataRole.DisplayRole else None
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


def cell_text(column: Column, row: int) -> str:
    """One value as text.

    >>> [cell_text(Column.numeric("x", [5.10, 20000, np.nan]), row) for row in range(3)]
    ['5.1', '20,000', '?']
    """
    if is_missing(column, row):
        return "?"
    value = column.values[row]
    if column.kind == "nominal":
        return one_line(column.labels[int(value)])
    if column.kind == "date":
        return date_text(value)
    return figure(float(value)) if column.kind == "numeric" else one_line(str(value))


def is_missing(column: Column, row: int) -> bool:
    """Whether one value is missing, without scanning the column."""
    value = column.values[row]
    if column.kind == "nominal":
        return bool(value < 0)
    if column.kind == "date":
        return bool(np.isnat(value))
    return value is None if column.kind == "string" else bool(value != value)  # noqa: PLR0124 - only NaN differs from itself


def figure(value: float, digits: int = 6) -> str:
    """A number with at most `digits` significant digits.

    >>> figure(3.0), figure(1998), figure(123456.7), figure(0.30000000000000004), figure(1.5e-7), figure(-2.5e19)
    ('3', '1998', '123,457', '0.3', '1.5e−7', '−2.5e19')
    """
    if not math.isfinite(value):
        return "?" if math.isnan(value) else in_words(value)
    size = abs(value)
    if size and not 1e-4 <= size < 1e15:  # noqa: PLR2004
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}".replace("-", MINUS)
    places = max(0, digits - 1 - math.floor(math.log10(size))) if size else 0
    text = f"{value:,.{places}f}".replace("-", MINUS)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    # No thousands separator in years and the like.
    return text.replace(",", "") if size < 1e4 else text  # noqa: PLR2004


def date_text(moment: np.datetime64) -> str:
    """A date, and its time where it has one.

    >>> date_text(np.datetime64("2026-01-31T00:00", "us")), date_text(np.datetime64("2026-01-31T12:30", "us"))
    ('2026-01-31', '2026-01-31 12:30:00')
    """
    return date_texts(np.array([moment], dtype="datetime64[us]"))[0].replace("T", " ")


def _alignment(column: Column) -> Qt.AlignmentFlag:
    return RIGHT if column.kind in {"numeric", "date"} else LEFT
