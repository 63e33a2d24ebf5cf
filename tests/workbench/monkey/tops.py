"""What a rough hand does with what lies on top of the window: menus, popups, questions, file dialogs, dialogs."""

from __future__ import annotations

from pathlib import Path

import shiboken6
from PySide6.QtWidgets import QAbstractItemView, QDialog, QFileDialog, QLineEdit, QMenu, QMessageBox, QWidget

from tests.workbench.monkey.actions import ANYWHERE, QUIT, click_a_button, seen
from tests.workbench.monkey.hand import Hand

PATIENCE = 6
"""Further actions after which a dialog that should have closed is closed by force."""
NAMES = (
    "model",
    "a log",
    "picture.png",
    "drawing.svg",
    "rows.csv",
    "deep.name.json",
    "Größe δ",
    ".",
    "no/such/folder/x",
)


class Tops:
    """Acts in popups and dialogs, and closes each in the end."""

    def __init__(self, files: list[Path], out: Path) -> None:
        self._files, self._out = files, out
        self._left: dict[int, int] = {}
        """Actions that are left for a dialog; below zero it should have closed."""

    def act_in_popup(self, hand: Hand, popup: QWidget) -> None:
        if isinstance(popup, QMenu):
            _choose_action(hand, popup)
        elif isinstance(popup, QDialog):
            self.act_in_dialog(hand, popup)
        else:
            _choose_row(hand, popup)

    def act_in_dialog(self, hand: Hand, dialog: QWidget) -> None:
        if isinstance(dialog, QFileDialog):
            self._answer_file_dialog(hand, dialog)
        elif isinstance(dialog, QMessageBox):
            click_a_button(hand, dialog)
        elif self._has_time(hand, dialog):
            draw(hand, dialog)
        else:
            _end(hand, dialog)
        self._close_what_stays(hand, dialog)

    def _answer_file_dialog(self, hand: Hand, dialog: QFileDialog) -> None:
        """Type a path, or cancel. Nothing else: this dialog can rename and delete files."""
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        self._has_time(hand, dialog)
        if field is None or hand.chance.random() < 0.3:
            hand.press(dialog, "Esc")
            return
        saves = dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        path = self._out / hand.chance.choice(NAMES) if saves else hand.chance.choice(self._files)
        field.setFocus()
        field.clear()
        hand.write(dialog, str(path))
        if shiboken6.isValid(dialog):
            hand.press(dialog, "Return")

    def _has_time(self, hand: Hand, dialog: QWidget) -> bool:
        key = shiboken6.getCppPointer(dialog)[0]
        self._left[key] = self._left.get(key, hand.chance.randint(1, 12)) - 1
        return self._left[key] >= 0

    def _close_what_stays(self, hand: Hand, dialog: QWidget) -> None:
        if not shiboken6.isValid(dialog) or not dialog.isVisible():
            return
        key = shiboken6.getCppPointer(dialog)[0]
        if self._left.get(key, 0) < -PATIENCE:
            del self._left[key]
            hand.tell("close", dialog)
            dialog.close()


def draw(hand: Hand, root: QWidget) -> None:
    """Something that can be done in a dialog."""
    for action in hand.chance.choices(list(ANYWHERE), list(ANYWHERE.values()), k=20):
        if action(hand, root):
            return


def _end(hand: Hand, dialog: QWidget) -> None:
    """By its last button, the key Escape, or the cross."""
    way = hand.chance.random()
    if way < 0.5 and click_a_button(hand, dialog):
        return
    if way < 0.8:
        hand.press(dialog, "Esc")
    else:
        hand.tell("close", dialog)
        dialog.close()


def _choose_action(hand: Hand, menu: QMenu) -> None:
    found = [action for action in menu.actions() if action.isEnabled() and action.isVisible()]
    found = [action for action in found if not action.isSeparator() and action.objectName() != QUIT]
    if not found or hand.chance.random() < 0.15:
        hand.press(menu, "Esc")
        return
    action = hand.chance.choice(found)
    hand.tell("choose", menu, action.text())
    hand.click(menu, menu.actionGeometry(action).center())


def _choose_row(hand: Hand, popup: QWidget) -> None:
    views = seen(popup, QAbstractItemView)
    if not views or hand.chance.random() < 0.15:
        hand.press(popup, "Esc")
        return
    view = hand.chance.choice(views)
    cells = view.viewport()
    if hand.chance.random() < 0.3:
        hand.wheel(cells, hand.place_in(cells), hand.chance.choice((-3, 3)))
    if shiboken6.isValid(cells) and cells.isVisible():
        hand.click(cells, hand.place_in(cells))
