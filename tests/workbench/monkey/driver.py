"""One action after the other, by a timer: dialogs and menus run event loops of their own, and are acted in as well."""

from __future__ import annotations

import faulthandler
from collections.abc import Callable
from pathlib import Path
from random import Random

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from tests.workbench.monkey.actions import IN_THE_WINDOW, Action
from tests.workbench.monkey.errands import Errands
from tests.workbench.monkey.findings import Journal
from tests.workbench.monkey.hand import Hand
from tests.workbench.monkey.tops import Tops
from workbench.window.shell import WindowShell

FLEETING = {Qt.WindowType.Popup, Qt.WindowType.ToolTip}
HANG = 120.0
"""Seconds without an action after which all stacks are written and the process ends."""


class Driver(QObject):
    """Acts in whatever lies on top, until so many actions are done; then closes what is open."""

    def __init__(
        self,
        shell: WindowShell,
        journal: Journal,
        seed: int,
        files: list[Path],
        out: Path,
        each: Callable[[int], None],
    ) -> None:
        super().__init__()
        self._window, self._journal, self._seed, self._each = shell.window, journal, seed, each
        self._tops, self._errands = Tops(files, out), Errands(shell, files)
        self._busy: list[int] = []
        """What actions are under way in: an action that opens a dialog lasts until that is closed."""
        self._n_actions, self._pace = 0, 0
        self._done: Callable[[], None] = lambda: None
        shell.window.menus["quit"].setEnabled(False)  # until the end

    def start(self, n_actions: int, pace: float, done: Callable[[], None]) -> None:
        self._n_actions, self._pace, self._done = n_actions, round(1000 * pace), done
        self._arm()

    def _arm(self) -> None:
        faulthandler.dump_traceback_later(HANG, exit=True, file=self._journal.faults)
        QTimer.singleShot(self._pace, self, self._tick)

    def _tick(self) -> None:
        top = self._top()
        key = shiboken6.getCppPointer(top)[0]
        is_over = self._journal.number >= self._n_actions
        if is_over and top is self._window and not self._busy:
            faulthandler.cancel_dump_traceback_later()
            self._done()
            return
        self._arm()  # before acting: the action may open an event loop
        if key in self._busy or (is_over and top is self._window):
            return  # an action is under way here, or in something above that is being closed
        self._busy.append(key)
        try:
            self._close(top) if is_over else self._act(top)
        finally:
            self._busy.remove(key)

    def _top(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._window

    def _act(self, top: QWidget) -> None:
        self._journal.number += 1
        self._each(self._journal.number)
        hand = Hand(Random(f"{self._seed} {self._journal.number}"), self._journal.say)
        if top is self._window:
            self._act_in_window(hand)
        elif top is QApplication.activePopupWidget():
            self._tops.act_in_popup(hand, top)
        else:
            self._tops.act_in_dialog(hand, top)

    def _act_in_window(self, hand: Hand) -> None:
        ways: dict[Action, int] = IN_THE_WINDOW | self._errands.all
        for action in hand.chance.choices(list(ways), list(ways.values()), k=20):
            if action(hand, self._root(hand)):
                return

    def _root(self, hand: Hand) -> QWidget:
        """The window; now and then another one that is open beside it, such as a dock that floats."""
        others = [
            widget
            for widget in QApplication.topLevelWidgets()
            if widget.isVisible() and widget is not self._window and widget.windowType() not in FLEETING
        ]
        return hand.chance.choice(others) if others and hand.chance.random() < 0.2 else self._window

    def _close(self, top: QWidget) -> None:
        if isinstance(top, QDialog):
            top.reject()
        else:
            top.close()
