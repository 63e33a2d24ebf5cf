"""Call a function at a limited rate."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Throttle(QObject):
    """Calls immediately when the interval has passed, otherwise once at its end."""

    def __init__(self, act: Callable[[], None], interval: int, parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._waits = False
        self._rest = QTimer(self, singleShot=True, interval=interval)
        self._rest.timeout.connect(self._awake)

    def ask(self) -> None:
        """Call now, or at the end of the interval."""
        if self._rest.isActive():
            self._waits = True
        else:
            self.act_now()

    def act_now(self) -> None:
        """Call now, whatever the interval."""
        self._waits = False
        self._act()
        self._rest.start()

    def _awake(self) -> None:
        if self._waits:
            self.act_now()
