"""Throttles costly drawing: only some frames of a race are drawn."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

from workbench.run.race.frame import RaceFrame

LATE = 400
"""Milliseconds without a frame after which a frame that was skipped is drawn."""


def goes_on(before: RaceFrame | None, frame: RaceFrame) -> bool:
    """Whether a frame continues a running race; other frames must not be throttled."""
    return before is not None and before.run == frame.run and before.state == frame.state == "running"


class FramePace(QObject):
    """Throttle that calls `act` at most once per interval, and only when a frame arrives.

    Engines are suspended while the window draws a frame; drawing from a timer would disturb their times.
    """

    def __init__(self, act: Callable[[], None], interval: int, parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._interval = interval / 1000
        self._last = float("-inf")
        self._late = QTimer(self, singleShot=True, interval=LATE)
        self._late.timeout.connect(self.act_now)

    def ask(self, at_once: bool = False) -> bool:
        """Call `act` if the interval has passed or `at_once` is set; return whether it was called."""
        is_due = at_once or perf_counter() - self._last >= self._interval
        if is_due:
            self.act_now()
        else:
            self._late.start()
        return is_due

    def act_now(self) -> None:
        """Call `act` regardless of the interval."""
        self._late.stop()
        self._act()
        self._last = perf_counter()
