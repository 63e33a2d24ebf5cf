"""The only place where threads meet Qt: a timer lets the pages fetch their newest frames and messages."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal

INTERVAL = 16
"""Milliseconds between two polls."""
RATE_SECONDS = 1.0


class Pump(QObject):
    """Polls `takers` from a timer in the GUI thread.

    Parameters
    ----------
    takers
        Callbacks that process what threads have produced, and return the number of frames drawn.
    """

    frames_drawn = Signal()
    """At least one frame was drawn."""
    rate_changed = Signal(float)
    """Frames per second, about once a second."""

    def __init__(self, takers: Sequence[Callable[[], int]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._takers = takers
        self._n_frames, self._since = 0, time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.pump)
        self._timer.start(INTERVAL)

    def pump(self) -> None:
        """Call all takers once."""
        n_frames = sum(take() for take in self._takers)
        if n_frames:
            self._n_frames += n_frames
            self.frames_drawn.emit()
        elapsed = time.perf_counter() - self._since
        if elapsed >= RATE_SECONDS:
            self.rate_changed.emit(self._n_frames / elapsed)
            self._n_frames, self._since = 0, time.perf_counter()

    def stop(self) -> None:
        """Stop the timer."""
        self._timer.stop()
