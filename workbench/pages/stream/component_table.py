"""All components with their numbers: sortable, linked with the plot, stable while they change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QPushButton,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.pages.stream.component_model import AGE, BAR_ROLE, ID, ID_ROLE, PRIOR, ROWS, STATE, WORDS, ComponentModel
from workbench.run.ask.members import Members
from workbench.run.show.frame import Frame
from workbench.views.look.naming import Label, named
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.component_state import AT_RISK, NEWBORN, SETTLED
from workbench.views.tables.cells import PADDING, CellIndex, ThemedCells
from workbench.views.tables.plain_table import make_plain
from workbench.words.tables import csv_text

WIDTHS = (41, 51, 51, 51, 54, 60, 110, 80)
"""All but the last two fill a panel of 310 pixels; a scroll bar covers only the empty end of the state column."""
WIDEST_NAME = 120
"""Most pixels of a component's number and name."""
ROW = 24
BAR, STRIPE = 3, 4


class ComponentTable(QWidget):
    """The components of the latest frame."""

    component_selected = Signal(object)
    """The id, or None."""
    name_wanted = Signal()
    """The user wants to name the component selected."""
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frame: Frame | None = None
        self._selected: int | None = None
        self._busy = False
        """True while rows are updated: Qt then changes the selection itself."""
        self.model, self._cells = ComponentModel(self), ComponentCells(WORDS, self)
        self._count = named(Label("K = 0"), "componentCount", manner="strong")
        tip = "Save all components with all their means as a CSV file"
        self._export = named(QPushButton("CSV"), "exportTable", tip=tip)
        self._export.setEnabled(False)
        self.view = self._make_view()
        self._lay_out()
        self._export.clicked.connect(self.export_requested)
        self.view.selectionModel().selectionChanged.connect(self._take_selection)
        self.view.doubleClicked.connect(lambda _: self.name_wanted.emit())
        rename = QShortcut(QKeySequence(Qt.Key.Key_F2), self.view, context=Qt.ShortcutContext.WidgetShortcut)
        rename.activated.connect(lambda: None if self._selected is None else self.name_wanted.emit())

    def show_frame(self, frame: Frame) -> None:
        """Show the components of a frame."""
        self._frame = frame
        self._update()

    def clear(self) -> None:
        """Show nothing and forget the selection."""
        self._frame = self._selected = None
        self._update()

    def show_members(self, members: Members | None, n_selected: dict[int, int] | None) -> None:
        """Show how many rows belong to every component, and how many of them are selected."""
        self.model.show_members(members, n_selected)

    def select(self, id: int | None) -> None:
        """Select a component without emitting a signal, and scroll to it."""
        self._selected = id
        self._restore_selection()
        row = self.model.row_of(id)
        if row is not None:
            self.view.scrollTo(self.model.index(row, 0))

    @property
    def selected(self) -> int | None:
        """The id that was selected last; the component may have been removed."""
        return self._selected

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.set_theme(theme)
        self.view.viewport().update()

    def colour_components(self, is_coloured: bool) -> None:
        """Show each component's colour in the picture, or none."""
        self._cells.is_coloured = is_coloured
        self.view.viewport().update()

    def as_csv(self, raw: bool = False) -> Callable[[], str]:
        """A function that returns all components of the latest frame as CSV; any thread may call it."""
        return partial(as_csv, self._frame, raw)

    def _make_view(self) -> QTableView:
        view = named(QTableView(), "componentTable", "components")
        view.setModel(self.model)
        view.setItemDelegate(self._cells)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        make_plain(view, ROW)
        header = view.horizontalHeader()
        header.setStretchLastSection(True)
        header.setMinimumSectionSize(36)
        for column, width in enumerate(WIDTHS):
            view.setColumnWidth(column, width)
        header.setSortIndicator(PRIOR, Qt.SortOrder.DescendingOrder)
        view.setSortingEnabled(True)
        # The headings contain their own sort arrows: Qt would draw its arrow over the text.
        header.setSortIndicatorShown(False)
        return view

    def _lay_out(self) -> None:
        heading = Label("COMPONENTS")
        heading.setProperty("manner", "heading")
        heading.setBuddy(self.view)
        line = QHBoxLayout()
        line.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        line.addWidget(heading)
        line.addStretch(1)
        line.addWidget(self._count)
        line.addSpacing(GRID)
        line.addWidget(self._export)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(line)
        layout.addWidget(self.view, 1)

    def _update(self) -> None:
        self._busy = True
        if self._frame is None:
            self.model.clear()
        else:
            self.model.show(self._frame)
        self._busy = False
        self._restore_selection()
        self._fit_numbers()
        self._count.setText(f"K = {self.model.rowCount():,}")
        self._export.setEnabled(self._frame is not None)

    def _fit_numbers(self) -> None:
        """Widen the id column as ids and names get longer; it never shrinks."""
        metrics = self.view.fontMetrics()
        longest = max((metrics.horizontalAdvance(name) for name in self.model.named), default=0)
        wanted = min(longest, WIDEST_NAME) + 2 * PADDING + GRID
        if wanted > self.view.columnWidth(ID):
            self.view.setColumnWidth(ID, wanted)

    def _restore_selection(self) -> None:
        """Undo that Qt selects a neighbour when the selected row is removed."""
        row, selection = self.model.row_of(self._selected), self.view.selectionModel()
        rows = [index.row() for index in selection.selectedRows()]
        if rows == ([] if row is None else [row]):
            return
        self._busy = True
        if row is None:
            selection.clear()
        else:
            modes = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            # Setting the current row would scroll to it, which only `select` should do.
            selection.select(self.model.index(row, 0), modes)
        self._busy = False

    def _take_selection(self) -> None:
        if self._busy:
            return
        rows = self.view.selectionModel().selectedRows()
        found = self.model.id_at(rows[0].row()) if rows else None
        if found != self._selected:
            self._selected = found
            self.component_selected.emit(found)


def as_csv(frame: Frame | None, raw: bool = False) -> str:
    """All components of a frame as CSV in original units, with numbers that round-trip exactly.

    Parameters
    ----------
    frame : None gives an empty text
    raw : write names of columns as they are, even those that begin like a formula
    """
    if frame is None:
        return ""
    census, units, rows = frame.census, frame.units, list[list[float | str]]()
    if len(census.ids):
        volumes, means = units.log_determinants(census.log_determinants), units.means(census.means)
        columns = (census.ids, census.priors, census.accumulators, census.ages, volumes)
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        rows = [[*line, *mean] for line, mean in zip(numbers, means.tolist(), strict=True)]
    headings = ["id", "prior", "sp", "v", "log_determinant", *frame.columns]
    if frame.names:
        headings.insert(1, "name")
        for line, number in zip(rows, census.ids.tolist(), strict=True):
            line.insert(1, frame.names.get(number, ""))
    return csv_text(headings, rows, raw)


class ComponentCells(ThemedCells):
    """Cells with the component's colour, and a bar below the age of components with too little evidence to stay."""

    is_coloured = False

    def ink(self, text: str, column: int) -> QColor:
        """The colour of a text, by the state of the component."""
        if column == ROWS:
            return QColor(self.theme.accent) if "/" in text else self.text
        names = {NEWBORN: self.theme.accent, AT_RISK: self.theme.cubic, SETTLED: self.theme.muted}
        return QColor(names.get(text, self.theme.text)) if column == STATE else self.text

    @safe
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        """Called by Qt."""
        super().paint(painter, option, index)
        if self.is_coloured and index.column() == ID:
            stripe = QRectF(option.rect.left(), option.rect.top() + STRIPE, STRIPE, option.rect.height() - 2 * STRIPE)
            painter.fillRect(stripe, QColor(self.theme.component_colour(index.data(ID_ROLE))))
        share = index.data(BAR_ROLE) if index.column() == AGE else None
        if share is not None:
            room = QRectF(option.rect).adjusted(PADDING, 0, -PADDING, 0)
            bar = QRectF(room.left(), room.bottom() - BAR, room.width(), BAR)
            painter.fillRect(bar, QColor(self.theme.border))
            bar.setWidth(room.width() * share)
            painter.fillRect(bar, QColor(self.theme.cubic))
