"""The list of columns; kinds and roles of one or several columns are edited in place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.pages.data.attributes.choice_delegate import ChoiceDelegate
from workbench.pages.data.attributes.model import DISTINCT, KIND, MISSING, NAME, NUMBER, ROLE, AttributeModel
from workbench.pages.data.cell_delegate import CellDelegate
from workbench.pages.data.value_model import NOTHING
from workbench.source import Table
from workbench.source.table.table import KINDS, ROLES
from workbench.views.look.background import Background
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, name_action
from workbench.views.look.theme import GRID, Theme, font
from workbench.views.tables.plain_table import make_plain

WIDTHS = {NUMBER: 44, KIND: 86, ROLE: 80, MISSING: 98, DISTINCT: 68}
LOOK = 50
"""Rows checked for whether a column is constant."""
FILTERED = 20
"""With more columns than this, a field to filter by name is shown."""
LONGEST = 240
"""Most pixels of a name in a menu."""


class AttributeTable(QWidget):
    """The list of columns, a field to filter by name, and a bar that sets the role of all selected columns."""

    column_chosen = Signal(str)
    kinds_wanted = Signal(object, str)
    """Names of columns, and their new kind."""
    roles_wanted = Signal(object, str)
    """Names of columns, and their new role."""

    def __init__(self, background: Background | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = AttributeModel(background or Background(self), self)
        self.model.kind_wanted.connect(lambda name, kind: self.kinds_wanted.emit([name], kind))
        self.model.role_wanted.connect(lambda name, role: self.roles_wanted.emit([name], role))
        self._table = NOTHING
        self._filter = self._made_filter()
        self.view = self._made_view()
        self._several = Label()
        self._bar = self._made_bar()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._made_head())
        layout.addWidget(self.view, 1)
        layout.addWidget(self._bar)

    def show_table(self, table: Table) -> None:
        """Show the columns of a table; selected columns stay selected if the names are the same."""
        same = table.names == self._table.names
        self._table = table
        self._filter.setVisible(len(table.columns) > FILTERED)
        if not same:
            self._filter.clear()
        self.model.show(table, self._filter.text())
        self._set_widths(table)
        if not same and table is not NOTHING:
            self.choose(_first_choice(table))

    def choose(self, name: str) -> None:
        """Select one column and show it."""
        line = self.model.line(name)
        if line is not None:
            index = self.model.index(line, NAME)
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.view.selectionModel().setCurrentIndex(index, flag)
            self.view.scrollTo(index)

    def selected(self) -> list[str]:
        """Names of the selected columns."""
        return [self.model.column(line).name for line in self._selected_lines()]

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.model.set_theme(theme)
        self._search.setIcon(icon("search", theme.muted))
        for delegate in self._delegates:
            delegate.set_theme(theme)
        self.view.viewport().update()

    def _made_filter(self) -> QLineEdit:
        field = QLineEdit()
        field.setObjectName("attributeFilter")
        field.setPlaceholderText("Find columns by name")
        field.setAccessibleName("Find columns by name")
        field.setClearButtonEnabled(True)
        self._search = field.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        field.textChanged.connect(self._refilter)
        field.hide()
        return field

    def _made_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(2 * GRID, 0, GRID, 0)
        head.addWidget(self._filter)
        return head

    def _made_view(self) -> QTableView:
        view = QTableView()
        view.setObjectName("attributeTable")
        view.setAccessibleName("Columns of the data")
        view.setModel(self.model)
        make_plain(view, 7 * GRID // 2)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        for fact, width in WIDTHS.items():
            view.setColumnWidth(fact, width)
        view.horizontalHeader().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        plain, kinds, roles = (
            CellDelegate(view),
            *(ChoiceDelegate(choices, name, view) for choices, name in ((KINDS, "kindChoice"), (ROLES, "roleChoice"))),
        )
        view.setItemDelegate(plain)
        view.setItemDelegateForColumn(KIND, kinds)
        view.setItemDelegateForColumn(ROLE, roles)
        self._delegates: tuple[CellDelegate, ...] = (plain, kinds, roles)
        view.clicked.connect(self._open_choice)
        view.activated.connect(self._open_choice)
        view.customContextMenuRequested.connect(self._open_menu)
        view.selectionModel().currentRowChanged.connect(self._announce)
        view.selectionModel().selectionChanged.connect(self._show_bar)
        return view

    def _made_bar(self) -> QWidget:
        bar = QWidget()
        bar.setObjectName("roleBar")
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(2 * GRID, GRID // 2, GRID, GRID // 2)
        layout.addWidget(self._several)
        for role in ROLES:
            button = QPushButton(role)
            button.setObjectName(f"set{role.capitalize()}")
            button.setToolTip(f"Give all selected columns the role {role}")
            button.clicked.connect(lambda _=False, role=role: self.roles_wanted.emit(self.selected(), role))
            layout.addWidget(button)
        layout.addStretch(1)
        bar.hide()
        return bar

    def _set_widths(self, table: Table) -> None:
        metrics = QFontMetrics(font())
        rows = f"{table.n_rows:,}"
        for fact, widest in ((NUMBER, f"{len(table.columns):,}"), (MISSING, f"{rows} (99.9 %)"), (DISTINCT, rows)):
            self.view.setColumnWidth(fact, max(WIDTHS[fact], metrics.horizontalAdvance(widest) + 2 * GRID))

    def _refilter(self, text: str) -> None:
        chosen = self.selected()
        self.model.show(self._table, text)
        if len(chosen) == 1:
            self.choose(chosen[0])

    def _open_choice(self, index: QModelIndex) -> None:
        if index.column() in {KIND, ROLE}:
            self.view.edit(index)

    def _open_menu(self, place: QPoint) -> None:
        names = self.selected()
        if names:
            self.menu(names).popup(self.view.viewport().mapToGlobal(place))

    def menu(self, names: list[str]) -> QMenu:
        """Context menu of some columns."""
        menu = QMenu(self.view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # With a style sheet, Qt draws a section as a line without its text.
        heading = menu.addAction("")
        name_action(heading, "", _shortened(names[0]) if len(names) == 1 else f"{len(names):,} columns")
        heading.setEnabled(False)
        menu.addSeparator()
        for role in ROLES:
            menu.addAction(f"Make {role}", partial(self.roles_wanted.emit, names, role))
        menu.addSeparator()
        for kind in KINDS:
            menu.addAction(f"Read as {kind}", partial(self.kinds_wanted.emit, names, kind))
        return menu

    def _announce(self, current: QModelIndex) -> None:
        if current.isValid():
            self.column_chosen.emit(self.model.column(current.row()).name)

    def _selected_lines(self) -> list[int]:
        # In place of selectedRows, which takes most of a second for ten thousand rows.
        chosen = self.view.selectionModel().selection()
        parts = [chosen.at(place) for place in range(chosen.size())]
        return sorted({line for part in parts for line in range(part.top(), part.bottom() + 1)})

    def _show_bar(self) -> None:
        count = len(self._selected_lines())
        self._several.setText(f"Role of {count:,} selected:")
        self._bar.setVisible(count > 1)


def _shortened(name: str) -> str:
    return QFontMetrics(font()).elidedText(name[:LONGEST], Qt.TextElideMode.ElideMiddle, LONGEST)


def _first_choice(table: Table) -> str:
    """The column shown first: the first input that is not constant, as pixels in the corners of images are."""
    inputs = [column for column in table if column.role == "input"]
    lively = (column.name for column in inputs if len(set(column.values[:LOOK].tolist())) > 1)
    return next(lively, inputs[0].name if inputs else table.names[0])
