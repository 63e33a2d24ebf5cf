"""The list of all results, as in Weka: run again, compare, take the settings back, delete, save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.desk.evaluate import Result
from workbench.pages.evaluate.result_model import FOOT_ROLE, HEAD_ROLE, STALE_ROLE, ResultModel
from workbench.views.fields.menu_button import open_by
from workbench.views.look.flow import Flow
from workbench.views.look.naming import Label, named, one_line
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, NORMAL, SMALL, Theme, font
from workbench.views.tables.cells import CellIndex
from workbench.words.counts import counted

LINE = 5 * GRID
PAIR = 2
"""Results that can be compared."""
COMMANDS = {
    "again": ("Run again", "Make the same evaluation again: same data, settings and test option"),
    "compare": ("Compare", "Compare the two selected evaluations fold by fold"),
    "settings": ("Use settings", "Set the side panel to the hyper-parameters of this result"),
    "delete": ("Delete", "Delete the selected results (Del); this can be undone"),
}
SAVES = {"json": "All results as JSON…", "csv": "All figures as CSV…"}


class ResultCells(QStyledItemDelegate):
    """Number and title, and below them time, figure and whether it is out of date."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: CellIndex) -> QSize:  # noqa: ARG002
        """Called by Qt."""
        return QSize(160, LINE)

    @safe
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        """Called by Qt."""
        room: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(room, QColor(self.theme.selection))
        is_stale = bool(index.data(STALE_ROLE))
        inner = room.adjusted(2 * GRID, 3, -GRID, -3)
        upper, lower = inner.adjusted(0, 0, 0, -inner.height() // 2), inner.adjusted(0, inner.height() // 2, 0, 0)
        self._write(painter, upper, index.data(HEAD_ROLE), NORMAL, self.theme.text)
        foot = f"changed since · {index.data(FOOT_ROLE)}" if is_stale else index.data(FOOT_ROLE)
        self._write(painter, lower, foot, SMALL, self.theme.warning if is_stale else self.theme.muted)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(self.theme.accent))
            painter.drawRect(room.adjusted(0, 0, -1, -1))

    @staticmethod
    def _write(painter: QPainter, room: QRect, text: str, size: int, ink: str) -> None:
        painter.setFont(font(size))
        painter.setPen(QColor(ink))
        shown = QFontMetrics(font(size)).elidedText(one_line(text), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


class ResultList(QWidget):
    """The list with its commands.

    Parameters
    ----------
    is_current : whether data and settings are still those of a result
    """

    chosen = Signal(object)
    """The `Result` to show; None for none."""
    again_requested = Signal(object)
    compare_requested = Signal(object, object)
    settings_requested = Signal(object)
    delete_requested = Signal(object)
    """A list of results."""
    undo_requested = Signal()
    save_requested = Signal(str)
    """json or csv."""

    def __init__(self, is_current: Callable[[Result], bool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ResultModel(is_current, self)
        self.view = named(ResultView(), "resultList", "results, the newest first")
        self.view.setModel(self.model)
        self._cells = ResultCells(self.view)
        self.view.setItemDelegate(self._cells)
        self.buttons = {
            key: named(QToolButton(), f"result{key.capitalize()}", tip=tip) for key, (_, tip) in COMMANDS.items()
        }
        for key, button in self.buttons.items():
            button.setText(COMMANDS[key][0])
            button.clicked.connect(lambda _=False, key=key: self.act(key))
        self.save = named(QPushButton("Save all"), "resultSave", tip="Write all results with their recipes to a file")
        menu = QMenu(self)
        for kind, text in SAVES.items():
            menu.addAction(text, partial(self.save_requested.emit, kind))
        open_by(self.save, menu)
        self.deleted = named(Label(), "resultsDeleted", manner="muted")
        self.undo = named(QPushButton("Undo"), "resultUndo", tip="Put the deleted results back")
        self.undo.clicked.connect(self.undo_requested)
        self._lay_out()
        self.show_deleted(0)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._select())
        self.view.delete_pressed.connect(lambda: self.act("delete"))
        self.view.activated.connect(lambda _: self._select())
        self.view.customContextMenuRequested.connect(self._show_menu)
        self._show_buttons()

    @property
    def selected(self) -> list[Result]:
        """Selected results, the oldest first."""
        rows = sorted({index.row() for index in self.view.selectedIndexes()}, reverse=True)
        return [self.model.results[row] for row in rows]

    def show_results(self, results: Sequence[Result], chosen: Result | None = None) -> None:
        """Show these, given the oldest first, with one selected: by default what was selected before."""
        before = [chosen] if chosen is not None else self.selected
        self.model.show(list(results))
        for result in before:
            row = self.model.row_of(result)
            if row is not None:
                self.view.selectionModel().select(self.model.index(row, 0), QItemSelectionModel.SelectionFlag.Select)
                self.view.selectionModel().setCurrentIndex(
                    self.model.index(row, 0), QItemSelectionModel.SelectionFlag.NoUpdate
                )
        self._select()

    def look_again(self) -> None:
        """Data or settings may have changed."""
        self.model.look_again()

    def show_deleted(self, count: int) -> None:
        """Offer to put deleted results back; 0 hides the line."""
        self.deleted.setText(f"{counted(count, 'result')} deleted")
        for widget in (self.deleted, self.undo):
            widget.setVisible(count > 0)

    def act(self, key: str) -> None:
        """Do a command with what is selected."""
        selected = self.selected
        if not self._can(key, selected):
            return
        if key == "again":
            self.again_requested.emit(selected[0])
        elif key == "compare":
            self.compare_requested.emit(*selected)
        elif key == "settings":
            self.settings_requested.emit(selected[0])
        else:
            self.delete_requested.emit(selected)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.theme = theme
        self.view.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt: all lines of buttons are seen, however low the list is."""
        super().resizeEvent(event)
        self._commands.setMinimumHeight(self._commands.heightForWidth(event.size().width()))

    def context_menu(self) -> QMenu:
        """The commands as a menu."""
        menu = QMenu(self)
        selected = self.selected
        for key, (text, _) in COMMANDS.items():
            action = menu.addAction(text, partial(self.act, key))
            action.setEnabled(self._can(key, selected))
        menu.addSeparator()
        for kind, text in SAVES.items():
            menu.addAction(text, partial(self.save_requested.emit, kind)).setEnabled(bool(self.model.results))
        return menu

    def _show_menu(self, place: QPoint) -> None:
        menu = self.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(place))

    def _select(self) -> None:
        self._show_buttons()
        selected = self.selected
        current = self.view.currentIndex()
        shown = self.model.results[current.row()] if current.isValid() else None
        self.chosen.emit(shown if shown in selected else selected[-1] if selected else None)

    @staticmethod
    def _can(key: str, selected: list[Result]) -> bool:
        if key == "again":
            return len(selected) == 1 and selected[0].evaluation is not None
        if key == "compare":
            return len(selected) == PAIR
        return len(selected) == 1 if key == "settings" else bool(selected)

    def _show_buttons(self) -> None:
        selected = self.selected
        for key, button in self.buttons.items():
            button.setEnabled(self._can(key, selected))
        self.save.setEnabled(bool(self.model.results))

    def _lay_out(self) -> None:
        heading = Label("RESULTS")
        heading.setProperty("manner", "heading")
        heading.setBuddy(self.view)
        head = QHBoxLayout()
        head.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        head.addWidget(heading)
        head.addStretch(1)
        head.addWidget(self.save)
        self._commands = QWidget()
        row = Flow(self._commands)
        row.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        for button in self.buttons.values():
            row.addWidget(button)
        undo = QHBoxLayout()
        undo.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        undo.addWidget(self.deleted, 1)
        undo.addWidget(self.undo)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.view, 1)
        layout.addLayout(undo)
        layout.addWidget(self._commands)


class ResultView(QListView):
    """The list alone."""

    delete_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt."""
        if event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: two lines."""
        return QSize(160, 2 * LINE)
