"""A confusion matrix as a table: counts and shares of the row, the darker the more."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from figmn.system.arrays import Ints
from workbench.pages.evaluate.words import label_text
from workbench.views.look.naming import named, plain_tip
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, NORMAL, SMALL, Theme, font
from workbench.words.counts import counted
from workbench.words.numbers import percent, whole

CellIndex = QModelIndex | QPersistentModelIndex
CELL, SMALL_CELL = QSize(72, 44), QSize(52, 24)
"""Pixels of a cell; of many classes, of a lower one without the shares."""
WIDEST_CELL = 140
MANY = 12
"""Classes from which cells are small."""
WIDEST_NAME, MEASURED = 180, 200
"""Most pixels of a name beside the matrix, and names that are measured for it."""
STRONGEST = 0.85
"""Opacity of a cell that holds its whole row."""
NOT_SHOWN = QModelIndex()
SELECTED, FOCUSED = QStyle.StateFlag.State_Selected, QStyle.StateFlag.State_HasFocus


class MatrixModel(QAbstractTableModel):
    """Counts; lines are true classes, columns predicted ones."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.labels: tuple[str, ...] = ()
        self.counts: Ints = np.zeros((0, 0), np.int64)
        self.sums: Ints = np.zeros(0, np.int64)

    def show(self, labels: tuple[str, ...], counts: Ints) -> None:
        """Show another matrix."""
        if labels == self.labels and len(labels) and counts.shape == self.counts.shape:
            self.counts, self.sums = counts, counts.sum(axis=1)
            self.dataChanged.emit(self.index(0, 0), self.index(len(labels) - 1, len(labels) - 1))
            return
        self.beginResetModel()
        self.labels, self.counts, self.sums = labels, counts, counts.sum(axis=1)
        self.endResetModel()

    def rowCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return 0 if parent.isValid() else len(self.labels)

    def columnCount(self, parent: CellIndex = NOT_SHOWN) -> int:
        """Called by Qt."""
        return self.rowCount(parent)

    def share(self, row: int, column: int) -> float:
        """Of the row."""
        return float(self.counts[row, column] / self.sums[row]) if self.sums[row] else 0.0

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        """Called by Qt."""
        if section >= len(self.labels):
            return None
        label = self.labels[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return label_text(label)
        if role == Qt.ItemDataRole.ToolTipRole:
            if orientation == Qt.Orientation.Vertical:
                return plain_tip(f"Rows of {label}: {whole(self.sums[section])}")
            return plain_tip(f"Rows taken for {label}: {whole(self.counts[:, section].sum())}")
        return None

    def data(self, index: CellIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Called by Qt."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return whole(self.counts[row, column])
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            words = self.words(row, column)
            return plain_tip(f"{words}\nClick to select these rows") if role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def words(self, row: int, column: int) -> str:
        """A cell in words."""
        count, share = int(self.counts[row, column]), percent(self.share(row, column))
        how = "taken for" if row != column else "recognised as"
        labels = [label_text(self.labels[place]) for place in (row, column)]
        return f"{counted(count, 'row')} of {labels[0]} {how} {labels[1]}: {share} of {labels[0]}"


class MatrixCells(QStyledItemDelegate):
    """Draws a count over its share; right ones in the accent colour, wrong ones in that of errors."""

    def __init__(self, model: MatrixModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.theme = LIGHT

    @safe
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        """Called by Qt."""
        row, column = index.row(), index.column()
        room: QRect = option.rect.adjusted(1, 1, -1, -1)
        share = self._model.share(row, column)
        ink = QColor(self.theme.accent if row == column else self.theme.bad)
        ink.setAlphaF(STRONGEST * share)
        painter.fillRect(room, ink)
        if option.state & (SELECTED | FOCUSED):
            painter.setPen(QPen(QColor(self.theme.text), 1.5))
            painter.drawRect(room.adjusted(1, 1, -2, -2))
        count = int(self._model.counts[row, column])
        is_dark = share * STRONGEST > 0.55  # noqa: PLR2004 - text is readable on either side of this
        painter.setPen(QColor(self.theme.on_accent if is_dark else self.theme.text if count else self.theme.faint))
        painter.setFont(font(NORMAL))
        if room.height() < CELL.height() - 2:
            painter.setFont(font(SMALL))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, whole(count))
            return
        half = room.height() // 2
        painter.drawText(room.adjusted(0, 2, 0, -half + 4), Qt.AlignmentFlag.AlignCenter, whole(count))
        if count:
            painter.setFont(font(SMALL))
            painter.drawText(room.adjusted(0, half - 2, 0, -4), Qt.AlignmentFlag.AlignCenter, percent(share))


class MatrixView(QTableView):
    """The matrix. Click, Enter or Space choose a cell."""

    cell_chosen = Signal(int, int, bool)
    """True class, predicted class, and whether the rows are added to those selected (Ctrl or Shift)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "confusionMatrix", "confusion matrix: lines are true classes, columns predicted ones")
        self.matrix = MatrixModel(self)
        self._cells = MatrixCells(self.matrix, self)
        self.setModel(self.matrix)
        self.setItemDelegate(self._cells)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        for mode in (self.setHorizontalScrollMode, self.setVerticalScrollMode):
            mode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setHighlightSections(False)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setMinimumSectionSize(16)
            header.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.clicked.connect(self._choose)

    def show_matrix(self, labels: tuple[str, ...], counts: Ints) -> None:
        """Show another matrix."""
        self.matrix.show(labels, counts)
        metrics = QFontMetrics(font(SMALL, QFont.Weight.Medium))
        widest = max((metrics.horizontalAdvance(label_text(label)) for label in labels[:MEASURED]), default=0)
        if len(labels) < MANY:
            width, height = min(WIDEST_CELL, max(CELL.width(), widest + 3 * GRID)), CELL.height()
        else:
            width, height = SMALL_CELL.width(), SMALL_CELL.height()
        self.horizontalHeader().setDefaultSectionSize(width)
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalHeader().setFixedWidth(min(WIDEST_NAME, widest + 3 * GRID))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.theme = theme
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _choose(self, index: CellIndex) -> None:
        modifiers = QGuiApplication.keyboardModifiers()
        adds = bool(modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier))
        self.cell_chosen.emit(index.row(), index.column(), adds)
