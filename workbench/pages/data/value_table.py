"""The rows of a table: cells are formatted when they are shown, so that a million rows scroll like ten."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from figmn.system.arrays import Bools, Ints
from workbench.pages.data.cell_delegate import CellDelegate
from workbench.pages.data.rows_view import RowsView
from workbench.pages.data.value_model import RIGHT, SELECTED_ROLE, ValueModel
from workbench.source import Table
from workbench.views.fields.selection_button import SelectionButton, SelectionCount
from workbench.views.look.naming import Label, named
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.tables.cell_texts import cell_text

MEASURED_COLUMNS, MEASURED_ROWS = 100, 20
"""Columns and rows measured for the column widths; further columns have the default width."""
NARROWEST, WIDEST = 48, 240
SELECT_HELP = (
    "Select rows: click one, drag over some, Shift+click for all between, Ctrl+click to add or remove one.\n"
    "With the keyboard: Space, Shift with an arrow, Ctrl+A. Bars of the histogram, components and points of the Stream "
    "page select rows, too."
)


class ValueTable(QWidget):
    """The table of values, with a "Go to row" box."""

    column_clicked = Signal(int)
    rows_chosen = Signal(object, str)
    """Rows of the table, and what to do with them."""

    def __init__(self, parent: QWidget | None = None, *, title: str = "VALUES", with_go_to: bool = True) -> None:
        super().__init__(parent)
        self.model = ValueModel(self)
        self.view = RowsView(self.model)
        self._rows, self._cells = RowNumbers(self.view, self.model), RowCells(self.view)
        self._selected: Bools | None = None
        self._is_choosing = False
        """While rows are chosen here, a filter stays as it is."""
        self.selecting = SelectionButton("valuesSelect", SELECT_HELP, without=("table",))
        self.selected = SelectionCount("valuesSelected")
        self.only = named(QToolButton(), "selectedOnly", tip="Show only the rows that are selected")
        self.only.setText("Selected only")
        self.only.setCheckable(True)
        self.only.toggled.connect(self._filter)
        self._prepare(self.view)
        self._title = Label(title)
        self._title.setProperty("manner", "heading")
        self._go_to = self._made_box()
        self._measured: tuple[str, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._made_head(with_go_to))
        layout.addWidget(self.view, 1)

    def show_table(self, table: Table) -> None:
        """Show the rows of a table."""
        self.model.show(table)
        self._show_filter()
        rows = table.n_rows
        with QSignalBlocker(self._go_to):
            self._go_to.setRange(min(1, rows), rows)
            self._go_to.setEnabled(rows > 0)
        self._set_widths(table, fresh=self._measured != table.names)
        self._measured = table.names

    def show_selection(self, selected: Bools | None, words: str) -> None:
        """Mark the rows selected; a filter follows what is selected elsewhere."""
        self._selected = selected
        self.model.show_selection(selected)
        self.selected.show_words(words)
        self.only.setEnabled(selected is not None)
        if selected is None:
            self.only.setChecked(False)
        elif self.only.isChecked() and not self._is_choosing:
            self._filter(True)

    def show_selected_only(self, is_only: bool) -> None:
        """Show the rows selected alone, or all."""
        self.only.setChecked(is_only and self._selected is not None)
        self._filter(self.only.isChecked())

    def _filter(self, is_only: bool) -> None:
        rows = None if not is_only or self._selected is None else np.flatnonzero(self._selected)
        if rows is not None or self.model.is_filtered:
            self.model.show_rows(rows)

    def _show_filter(self) -> None:
        with QSignalBlocker(self.only):
            self.only.setChecked(self.model.is_filtered)

    def _choose(self, rows: Ints, how: str) -> None:
        self._is_choosing = True
        self.rows_chosen.emit(rows, how)
        self._is_choosing = False

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.model.set_theme(theme)
        self._cells.set_theme(theme)
        self._rows.set_theme(theme)
        self.view.viewport().update()

    def go_to_row(self, number: int) -> None:
        """Show a row and make it the current one; rows are counted from 1. A filter that hides it is removed."""
        if self.model.is_filtered:
            self.only.setChecked(False)
        if 1 <= number <= self.model.rowCount():
            index = self.model.index(number - 1, max(0, self.view.columnAt(0)))
            self.view.setCurrentIndex(index)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _prepare(self, view: RowsView) -> None:
        view.setObjectName("valueTable")
        view.setAccessibleName("Values")
        view.setShowGrid(False)
        view.setVerticalHeader(self._rows)
        view.setItemDelegate(self._cells)
        view.setWordWrap(False)
        view.setCornerButtonEnabled(False)
        view.setTabKeyNavigation(False)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.sectionClicked.connect(self.column_clicked)
        view.rows_chosen.connect(self._choose)

    def _made_box(self) -> QSpinBox:
        box = QSpinBox()
        box.setObjectName("gotoRow")
        box.setAccessibleName("Go to row")
        box.setToolTip("Type the number of a row and press Enter")
        box.setGroupSeparatorShown(True)
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        box.setKeyboardTracking(False)
        box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        box.valueChanged.connect(self.go_to_row)
        # Enter with an unchanged number emits no valueChanged, but should still scroll to the row.
        box.lineEdit().returnPressed.connect(lambda: self.go_to_row(box.value()))
        return box

    def _made_head(self, with_go_to: bool) -> QWidget:
        words = Label("Go to row")
        words.setProperty("manner", "muted")
        words.setBuddy(self._go_to)
        bar = QWidget()
        head = QHBoxLayout(bar)
        # In a dialog the title is aligned with the other parts.
        head.setContentsMargins(2 * GRID if with_go_to else 0, GRID // 2, GRID, 0)
        head.setSpacing(GRID)
        head.addWidget(self._title)
        head.addWidget(self.selected)
        head.addStretch(1)
        for button in (self.only, self.selecting):
            head.addWidget(button)
            button.setVisible(with_go_to)
        for part in (words, self._go_to):
            head.addWidget(part)
            part.setVisible(with_go_to)
        return bar

    def _set_widths(self, table: Table, fresh: bool) -> None:
        """Fit the columns to names and first values; resizeColumnsToContents would format far more cells."""
        metrics, small = QFontMetrics(font()), QFontMetrics(font(SMALL))
        rows = range(min(MEASURED_ROWS, table.n_rows) if fresh else 0)
        for position, column in enumerate(table.columns[:MEASURED_COLUMNS]):
            heads = (column.name, f"{column.kind} · {column.role}")
            widths = [small.horizontalAdvance(text) for text in heads]
            widths += [metrics.horizontalAdvance(cell_text(column, row)) for row in rows]
            wanted = min(max(*widths, NARROWEST) + 2 * GRID, WIDEST)
            if fresh or wanted > self.view.columnWidth(position):
                self.view.setColumnWidth(position, wanted)


class RowNumbers(QHeaderView):
    """The row numbers, faint and without grid lines; a click or a drag chooses rows."""

    def __init__(self, view: RowsView, model: ValueModel) -> None:
        super().__init__(Qt.Orientation.Vertical, view)
        self._view, self._model = view, model
        self._theme = LIGHT
        self.setDefaultSectionSize(3 * GRID)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Called by Qt: as wide as the last number."""
        digits = f"{max(self._model.n_rows, 1000):,}"
        return QSize(QFontMetrics(font(SMALL)).horizontalAdvance(digits) + 2 * GRID, super().sizeHint().height())

    @safe
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Called by Qt."""
        painter.save()
        is_selected = self._model.is_marked(logicalIndex)
        painter.fillRect(rect, QColor(self._theme.selection if is_selected else self._theme.base))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(self._theme.grid))
        painter.setFont(font(SMALL))
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(rect.adjusted(0, 0, -GRID, -1), RIGHT, f"{self._model.source(logicalIndex) + 1:,}")
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._view.press(self.logicalIndexAt(event.position().toPoint()), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._view.drag(self.logicalIndexAt(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._view.release(self.logicalIndexAt(event.position().toPoint()), event.modifiers())


class RowCells(CellDelegate):
    """Cells of rows that are selected have another background."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Called by Qt."""
        before = option.state
        if index.data(SELECTED_ROLE):
            option.state |= QStyle.StateFlag.State_Selected
        super().paint(painter, option, index)
        option.state = before
