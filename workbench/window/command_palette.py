"""The command palette: fuzzy search of all commands by name; Enter runs the selected one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPainter, QPalette, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from workbench.views.look.naming import Label, named, plain_tip
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID

WIDTH, HEIGHT = 70 * GRID, 50 * GRID
ROW_HEIGHT = 4 * GRID
MENU_PENALTY = 3
"""Penalty of a word that matches only with the menu's name."""
HINT = Qt.ItemDataRole.UserRole
"""Role of the text at the right of a line."""


class CommandPalette(QDialog):
    """A list of the commands that are enabled, best match first.

    Parameters
    ----------
    actions
        Called for the commands whenever the list opens.
    """

    def __init__(self, actions: Callable[[], list[QAction]], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("commandPalette")
        self.setAccessibleName("Commands")
        self._find, self._actions, self._shown = actions, list[QAction](), list[QAction]()
        self._make_parts()
        self._lay_out()
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list.itemActivated.connect(lambda item: self._do(self.list.row(item)))
        self.list.itemClicked.connect(lambda item: self._do(self.list.row(item)))

    def showEvent(self, event: QShowEvent) -> None:
        """Called by Qt: list all commands, and move to the upper middle of the window."""
        self._actions = [action for action in self._find() if action.isEnabled() and title(action)]
        self.field.clear()
        self._filter("")
        self._place()
        self.field.setFocus()
        super().showEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Called by Qt: forward navigation keys from the field to the list."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._take_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _make_parts(self) -> None:
        self.field = named(QLineEdit(self), "paletteField", "Search commands")
        self.field.setPlaceholderText("Search commands")
        self.list = named(QListWidget(self), "paletteList", "Commands found")
        self.list.setItemDelegate(_CommandDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The field handles the keys of the list, which needs no focus.
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.nothing = named(Label("No matching command.", self), "paletteNothing")
        self.nothing.setProperty("manner", "muted")
        self.nothing.setMargin(GRID)

    def _lay_out(self) -> None:
        card = QFrame(self)
        card.setProperty("manner", "card")
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(card)
        column = QVBoxLayout(card)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(GRID)
        column.addWidget(self.field)
        column.addWidget(self.nothing)
        column.addWidget(self.list, 1)

    def _place(self) -> None:
        parent = self.parentWidget()
        if parent is None:
            self.resize(WIDTH, HEIGHT)
            return
        window = parent.window().geometry()
        self.resize(min(WIDTH, window.width() - 4 * GRID), min(HEIGHT, window.height() - 12 * GRID))
        self.move(window.left() + (window.width() - self.width()) // 2, window.top() + 8 * GRID)

    def _filter(self, typed: str) -> None:
        words = typed.lower().split()
        rated = [(rating(words, title(action), path(action)), action) for action in self._actions]
        found = sorted(((rate, action) for rate, action in rated if rate is not None), key=lambda pair: pair[0])
        self._shown = [action for _, action in found]
        self.list.clear()
        for action in self._shown:
            item = QListWidgetItem(title(action), self.list)
            item.setData(HINT, hint(action))
            item.setToolTip(plain_tip(action.statusTip()))
        self.list.setCurrentRow(0)
        self.nothing.setVisible(not self._shown)
        self.list.setVisible(bool(self._shown))

    def _take_key(self, key: Qt.Key) -> bool:
        page = max(1, self.list.viewport().height() // ROW_HEIGHT)
        moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page}
        if key in moves:
            last = self.list.count() - 1
            self.list.setCurrentRow(min(max(self.list.currentRow() + moves[key], 0), last))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._do(self.list.currentRow())
        else:
            return False
        return True

    def _do(self, row: int) -> None:
        if 0 <= row < len(self._shown):
            action = self._shown[row]
            self.accept()
            action.trigger()


def rating(words: Sequence[str], name: str, menus: str = "") -> float | None:
    """How well typed words match a command, the smaller the better; None if the letters of a word are not all found.

    >>> rating(["ex", "png"], "Export picture as PNG") is None, rating(["xz"], "Export") is None
    (False, True)
    """
    total = len(name) / 1000 if words else 0.0
    for word in words:
        # A word also matches the menu's name, ranked below matches in the command's own name.
        spreads = ((_spread(word, name.lower()), 0), (_spread(word, f"{menus} {name}".lower()), MENU_PENALTY))
        found = [spread + penalty for spread, penalty in spreads if spread is not None]
        if not found:
            return None
        total += min(found)
    return total


def _spread(word: str, text: str) -> float | None:
    """Least total gap between the letters of a word, found in order in a text, over all starting positions."""
    starts = [place for place, letter in enumerate(text) if letter == word[0]]
    spreads = (_spread_from(word, text, start) for start in starts)
    return min((spread for spread in spreads if spread is not None), default=None)


def _spread_from(word: str, text: str, start: int) -> float | None:
    place = start
    for letter in word[1:]:
        place = text.find(letter, place + 1)
        if place < 0:
            return None
    inside_of_a_word = start > 0 and text[start - 1].isalnum()
    return place - start + 1 - len(word) + 5 * inside_of_a_word + start / 100


def title(action: QAction) -> str:
    """The name of a command without its mnemonic, and without the text at the right of the menu."""
    return action.text().partition("\t")[0].replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip(".…")


def path(action: QAction) -> str:
    """The menus that contain a command.

    Empty for a command in no menu.
    """
    menus = [found for found in action.associatedObjects() if isinstance(found, QMenu)]
    if not menus:
        return ""
    above = path(menus[0].menuAction())
    name = title(menus[0].menuAction())
    return f"{above} › {name}" if above else name


def hint(action: QAction) -> str:
    """Menus and shortcut of a command, or the text that the menu shows in place of a shortcut."""
    keys = action.text().partition("\t")[2] or action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return "   ".join(part for part in (path(action), keys) if part)


class _CommandDelegate(QStyledItemDelegate):
    """A line with the command at the left, and its menu and keys at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT)

    @safe
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self.initStyleOption(option, index)
        name, option.text = option.text, ""
        widget = option.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        room = QRect(option.rect).adjusted(GRID, 0, -GRID, 0)
        right = index.data(HINT)
        painter.save()
        painter.setFont(option.font)
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        room.setRight(room.right() - option.fontMetrics.horizontalAdvance(right) - 2 * GRID)
        short = option.fontMetrics.elidedText(name, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, short)
        painter.restore()
