"""Errands in the main window that luck alone would run too seldom: keep it learning or racing, open files, themes."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QWidget

from tests.workbench.monkey.actions import Action
from tests.workbench.monkey.hand import Hand
from workbench.window.shell import WindowShell


class Errands:
    """What needs to know the window from inside: what runs, and which files there are."""

    def __init__(self, shell: WindowShell, files: list[Path]) -> None:
        self._shell, self._files = shell, files

    @property
    def all(self) -> dict[Action, int]:
        """How often each is drawn."""
        return {
            self.keep_going: 8,
            self.drop_files: 4,
            self.load_a_sample: 2,
            self.change_the_look: 1,
            self.cancel: 2,
            self.evaluate: 2,
        }

    def keep_going(self, hand: Hand, root: QWidget) -> bool:
        """Let the stream or the race go on where neither does."""
        runner, race = self._shell.desk.run.transport, self._shell.desk.race.transport
        if any(one is not None and one.state == "running" for one in (runner, race)):
            return False
        hand.press(root, hand.chance.choice(("Ctrl+2", "Ctrl+2", "Ctrl+3")))
        hand.press(root, hand.chance.choice(("F5", "F5", "Ctrl+F5", "F6")))
        return True

    def drop_files(self, hand: Hand, root: QWidget) -> bool:
        hand.drop(root, hand.chance.sample(self._files, hand.chance.choice((1, 1, 1, 2))))
        return True

    def load_a_sample(self, hand: Hand, root: QWidget) -> bool:
        hand.press(root, "Ctrl+1")
        button = root.findChild(QAbstractButton, hand.chance.choice(("sampleButton", "emptySample", "paintButton")))
        if button is None or not button.isVisible() or button.visibleRegion().isEmpty():
            return False
        hand.click(button)
        return True

    def evaluate(self, hand: Hand, root: QWidget) -> bool:
        """Start an evaluation or a search for settings."""
        hand.press(root, "Ctrl+5")
        button = root.findChild(QAbstractButton, hand.chance.choice(("evaluateStart", "evaluateStart", "tuneStart")))
        if button is None or not button.isVisible() or not button.isEnabled() or button.visibleRegion().isEmpty():
            return False
        hand.click(button)
        return True

    def change_the_look(self, hand: Hand, root: QWidget) -> bool:
        wish = hand.chance.choice(("light", "dark", "system"))
        hand.tell("theme", root, wish)
        self._shell.window.menus[f"theme-{wish}"].trigger()
        return True

    def cancel(self, hand: Hand, root: QWidget) -> bool:
        """Cancel a sweep or a table that is being measured."""
        buttons = root.findChildren(QAbstractButton)
        found = [button for button in buttons if button.isVisible() and button.text().startswith("Cancel")]
        if not found:
            return False
        hand.click(hand.chance.choice(found))
        return True
