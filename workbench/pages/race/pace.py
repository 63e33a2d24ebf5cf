"""Drawing something costly with some frames of a race, and with none between them."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

from workbench.run.race.frame import RaceFrame

LATE = 400
"""Milliseconds without a frame after which the latest one is drawn, though it came too early."""


def goes_on(before: RaceFrame | None, frame: RaceFrame) -> bool:
    """Whether a frame is one of many: the first one, and those of a race that does not run, are drawn at once."""
    return before is not None and before.run == frame.run and before.state == frame.state == "running"


class FramePace(QObject):
    """Calls with a frame that comes long enough after the one before, and otherwise leaves it out.

    Engines rest while the window draws a frame. What is drawn by a clock of its own would disturb their times.
    """

    def __init__(self, act: Callable[[], None], interval: int, parent: QObject) -> None:
        super().__init__(parent)
        self._act = act
        self._interval = interval / 1000
        self._last = float("-inf")
        self._late = QTimer(self, singleShot=True, interval=LATE)
        self._late.timeout.connect(self.act_now)

    def ask(self, at_once: bool = False) -> bool:
        """Act, unless that was done a moment ago; and say whether it was done now."""
        is_due = at_once or perf_counter() - self._last >= self._interval
        if is_due:
            self.act_now()
        else:
            self._late.start()
        return is_due

    def act_now(self) -> None:
        """Act whatever the clock says."""
        self._late.stop()
        self._act()
        self._last = perf_counter()
