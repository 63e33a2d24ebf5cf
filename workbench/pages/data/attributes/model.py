"""The columns of a table, one per line: kind, role and figures, which are computed when they are first shown."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor

from workbench.pages.data.value_model import NOTHING
from workbench.source import Column, Summary, Table
from workbench.views.look.background import Background
from workbench.views.look.naming import plain_tip
from workbench.views.look.theme import Theme
from workbench.views.tables.cells import CellIndex

HEADINGS = ("no.", "name", "kind", "role", "missing", "distinct")
NUMBER, NAME, KIND, ROLE, MISSING, DISTINCT = range(len(HEADINGS))
BATCH = 0.01
"""Seconds of computing figures before control returns to the event loop."""
PLAIN = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
EDITABLE = PLAIN | Qt.ItemFlag.ItemIsEditable
TIPS = {
    KIND: "How the values are read. Click to change it.",
    ROLE: "input: known when asked; target: to be predicted; ignored: left out. Click to change it.",
    MISSING: "Values that the file does not have, and their share of all rows",
    DISTINCT: "Different values",
}


class AttributeModel(QAbstractTableModel):
    """One line per column of the table. Figures are computed when they are first shown, a few at a time."""

    kind_wanted = Signal(str, str)
    role_wanted = Signal(str, str)

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._table = NOTHING
        self._shown: list[int] = []
        self._filter = ""
        self._muted = QColor("grey")
        self._waiting: dict[int, None] = {}
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._compute)

    def show(self, table: Table, wanted: str = "") -> None:
        """Show the columns of a table whose names contain the wanted text."""
        known = (self._table.names, self._filter) == (table.names, wanted)
        self._waiting.clear()
        if known:
            self._table = table
            if self._shown:  # Qt warns of `dataChanged` without lines
                self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, DISTINCT))
            return
        self.beginResetModel()
        self._table, self._filter = table, wanted
        self._shown = [position for position, name in enumerate(table.names) if wanted.lower() in name.lower()]
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._muted = QColor(theme.muted)

    def column(self, row: int) -> Column:
        """The column in a line of the list."""
        return self._table.columns[self._shown[row]]

    def line(self, name: str) -> int | None:
        """The line of a column; None if it is not shown."""
        return next((line for line, position in enumerate(self._shown) if self._table.names[position] == name), None)

    def rowCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Number of columns shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: CellIndex = QModelIndex()) -> int:  # noqa: B008
        """Number of facts per column."""
        return 0 if parent.isValid() else len(HEADINGS)

    def flags(self, index: CellIndex) -> Qt.ItemFlag:
        """Kind and role can be edited."""
        return EDITABLE if index.column() in {KIND, ROLE} else PLAIN

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One fact about one column."""
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return self._text(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == Qt.ItemDataRole.ForegroundRole:
            faint = index.column() == NUMBER or self.column(index.row()).role == "ignored"
            return self._muted if faint else None
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = self.column(index.row()).name if index.column() == NAME else TIPS.get(index.column())
            return None if tip is None else plain_tip(tip)
        return None

    def setData(self, index: CellIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Request another kind or role; the list shows it once the table has changed."""
        if role != Qt.ItemDataRole.EditRole or value == self.data(index):
            return False
        wanted = self.kind_wanted if index.column() == KIND else self.role_wanted
        wanted.emit(self.column(index.row()).name, value)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Names of the facts."""
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADINGS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return TIPS.get(section) if role == Qt.ItemDataRole.ToolTipRole else None

    def _text(self, line: int, fact: int) -> str:
        column = self.column(line)
        if fact >= MISSING:
            found = self._summary(line)
            return "…" if found is None else missing_text(found) if fact == MISSING else f"{found.n_distinct:,}"
        return (f"{self._shown[line] + 1:,}", column.name, column.kind, column.role)[fact]

    def _summary(self, line: int) -> Summary | None:
        """The figures if they are known; otherwise request them and return None."""
        column = self.column(line)
        if "summary" in vars(column):
            return column.summary
        # The latest request is served first: lines that were scrolled past can wait.
        self._waiting.pop(line, None)
        self._waiting[line] = None
        if not self._timer.isActive():
            self._timer.start()
        return None

    def _compute(self) -> None:
        end = perf_counter() + BATCH
        while self._waiting and perf_counter() < end:
            line, _ = self._waiting.popitem()
            column = self.column(line)
            self._background.compute(
                ("line", column), len(column.values), partial(getattr, column, "summary"), partial(self._tell, column)
            )
        if self._waiting:
            self._timer.start()

    def _tell(self, column: Column, _: Summary) -> None:
        """Emit `dataChanged` for the figures of a column, if it is still shown."""
        line = self.line(column.name)
        if line is not None and self.column(line) is column:
            self.dataChanged.emit(self.index(line, MISSING), self.index(line, DISTINCT))


def missing_text(summary: Summary) -> str:
    """Number and percentage of missing values.

    >>> missing_text(Summary(768, 12, 3, 0)), missing_text(Summary(768, 0, 3, 0)), missing_text(Summary(10**6, 1, 3, 0))
    ('12 (1.6 %)', '0', '1 (<0.1 %)')
    """
    if not summary.n_missing:
        return "0"
    percent = summary.missing_percent
    return f"{summary.n_missing:,} ({f'{percent:.1f}' if percent >= 0.1 else '<0.1'} %)"  # noqa: PLR2004


def _alignment(fact: int) -> Qt.AlignmentFlag:
    right = fact in {NUMBER, MISSING, DISTINCT}
    return (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft) | Qt.AlignmentFlag.AlignVCenter
