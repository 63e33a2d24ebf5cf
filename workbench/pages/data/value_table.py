"""The rows of a table: cells are formatted when they are shown, so that a million rows scroll like ten."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QSpinBox,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.pages.data.cell_delegate import CellDelegate
from workbench.pages.data.value_model import RIGHT, ValueModel
from workbench.source import Table
from workbench.views.look.naming import Label
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.tables.cell_texts import cell_text

MEASURED_COLUMNS, MEASURED_ROWS = 100, 20
"""Columns and rows measured for the column widths; further columns have the default width."""
NARROWEST, WIDEST = 48, 240


class ValueTable(QWidget):
    """The table of values, with a "Go to row" box."""

    column_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, title: str = "VALUES", with_go_to: bool = True) -> None:
        super().__init__(parent)
        self.model = ValueModel(self)
        self.view = QTableView()
        self._rows, self._cells = RowNumbers(self.view), CellDelegate(self.view)
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
        rows = self.model.rowCount()
        with QSignalBlocker(self._go_to):
            self._go_to.setRange(min(1, rows), rows)
            self._go_to.setEnabled(rows > 0)
        self._set_widths(table, fresh=self._measured != table.names)
        self._measured = table.names

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.model.set_theme(theme)
        self._cells.set_theme(theme)
        self._rows.set_theme(theme)
        self.view.viewport().update()

    def go_to_row(self, number: int) -> None:
        """Show a row and select it; rows are counted from 1."""
        if 1 <= number <= self.model.rowCount():
            index = self.model.index(number - 1, max(0, self.view.columnAt(0)))
            self.view.selectRow(number - 1)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _prepare(self, view: QTableView) -> None:
        view.setObjectName("valueTable")
        view.setAccessibleName("Values")
        view.setModel(self.model)
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
        head.addStretch(1)
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
    """The row numbers, faint and without grid lines."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(Qt.Orientation.Vertical, view)
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
        digits = f"{max(self.count(), 1000):,}"
        return QSize(QFontMetrics(font(SMALL)).horizontalAdvance(digits) + 2 * GRID, super().sizeHint().height())

    @safe
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        """Called by Qt."""
        painter.save()
        painter.fillRect(rect, QColor(self._theme.base))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(self._theme.grid))
        painter.setFont(font(SMALL))
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(rect.adjusted(0, 0, -GRID, -1), RIGHT, f"{logicalIndex + 1:,}")
        painter.restore()
