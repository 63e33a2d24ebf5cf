"""Doing something at once, but not too often."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Throttle(QObject):
    """Calls at once when asked after a rest, and once more at the end of the rest when asked during it."""

    def __init__(self, act: Callable[[], None], interval: int, parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._waits = False
        self._rest = QTimer(self, singleShot=True, interval=interval)
        self._rest.timeout.connect(self._awake)

    def ask(self) -> None:
        """Act now or at the end of the rest."""
        if self._rest.isActive():
            self._waits = True
        else:
            self.act_now()

    def act_now(self) -> None:
        """Act whatever the clock says."""
        self._waits = False
        self._act()
        self._rest.start()

    def _awake(self) -> None:
        if self._waits:
            self.act_now()
