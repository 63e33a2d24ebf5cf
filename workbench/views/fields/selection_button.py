"""The button and the menu to select rows, the same on every page that shows them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from workbench.views.fields.menu_button import open_by
from workbench.views.look.naming import Label, named

HOWS = (
    ("replace", "Replace the selection", "Rows that are chosen become the selection"),
    ("add", "Add to the selection (Shift or Ctrl)", "Rows that are chosen are selected, too"),
    ("remove", "Remove from the selection (Alt)", "Rows that are chosen are no longer selected"),
    ("intersect", "Keep only what is in both (Shift+Alt)", "Of the rows selected, those that are chosen stay"),
)
DOINGS = (
    ("all", "Select all rows"),
    ("invert", "Invert the selection"),
    ("clear", "Clear the selection"),
    ("", ""),
    ("table", "Show the rows selected in the table"),
    ("plot", "Show the rows selected on the plot"),
    ("", ""),
    ("save", "Save the selection as a column…"),
)
NEEDING_ROWS = ("clear", "table", "plot", "save")
"""What can be done only where rows are selected."""


def how_of(modifiers: Qt.KeyboardModifier, ignored: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> str:
    """What keys held while choosing rows say: add, remove or intersect; empty without keys, for what the menu says.

    >>> keys = Qt.KeyboardModifier
    >>> how_of(keys.ShiftModifier), how_of(keys.AltModifier), how_of(keys.AltModifier | keys.ControlModifier)
    ('add', 'remove', 'intersect')
    """
    held = modifiers & ~ignored
    adds = bool(held & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
    if held & Qt.KeyboardModifier.AltModifier:
        return "intersect" if adds else "remove"
    return "add" if adds else ""


class SelectionButton(QToolButton):
    """Opens the menu; where it is a tool, a click also switches between moving the plot and selecting in it.

    It shows a text where it is given no icon.
    """

    how_chosen = Signal(str)
    """replace, add, remove or intersect, from now on where no key is held."""
    doing_chosen = Signal(str)
    """One of `DOINGS`."""

    def __init__(self, name: str, tip: str, without: Sequence[str] = (), is_tool: bool = False) -> None:
        super().__init__()
        named(self, name, "Select rows", tip, manner="" if is_tool else "menu")
        self.setText("Select")
        self.setCheckable(is_tool)
        self._tip = tip
        modes = QToolButton.ToolButtonPopupMode
        self.setPopupMode(modes.MenuButtonPopup if is_tool else modes.InstantPopup)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self._hows = self._add_hows(menu)
        self._doings = self._add_doings(menu, without)
        open_by(self, menu)
        self.show_selection(False, "replace")

    def show_selection(self, is_any: bool, how: str) -> None:
        """Show what choosing rows does, and offer what can be done."""
        for name, action in self._hows.items():
            with QSignalBlocker(action):
                action.setChecked(name == how)
        for name in NEEDING_ROWS:
            if name in self._doings:
                self._doings[name].setEnabled(is_any)

    def _add_hows(self, menu: QMenu) -> dict[str, QAction]:
        group, found = QActionGroup(self), {}
        for name, text, tip in HOWS:
            action = menu.addAction(text)
            action.setObjectName(f"{self.objectName()}-{name}")
            action.setToolTip(tip)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, name=name: self.how_chosen.emit(name))
            found[name] = action
        menu.addSeparator()
        return found

    def _add_doings(self, menu: QMenu, without: Sequence[str]) -> dict[str, QAction]:
        found = {}
        for name, text in DOINGS:
            if not name:
                menu.addSeparator()
            elif name not in without:
                action = menu.addAction(text)
                action.setObjectName(f"{self.objectName()}-{name}")
                action.triggered.connect(lambda _=False, name=name: self.doing_chosen.emit(name))
                found[name] = action
        return found


class SelectionCount(Label):
    """How many rows are selected; hidden where none is."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, name, "Rows selected", manner="strong")
        self.hide()

    def show_words(self, words: str) -> None:
        """Show "52 of 344 rows selected"."""
        self.setText(words)
        self.setVisible(bool(words))
