"""Figures of large data, computed outside the GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from workbench.run.worker import Worker

AT_ONCE = 50_000
"""Values up to which a figure is computed at once, in a few milliseconds."""
INTERVAL = 20
"""Milliseconds between two polls of the worker."""


class Background(QObject):
    """Computes for views: small requests at once, all others in a worker thread, the latest request first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = Worker()
        self._then: dict[Hashable, Callable[[Any], None]] = {}
        self._timer = QTimer(self, interval=INTERVAL)
        self._timer.timeout.connect(self._deliver)

    def compute(self, key: Hashable, n_values: int, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Call `then` with the result of `work` on `n_values` values; equal keys are the same request."""
        if n_values <= AT_ONCE:
            self._then.pop(key, None)
            then(work())
            return
        self._then[key] = then
        self._worker.ask(key, work)
        self._timer.start()

    def drop(self, key: Hashable) -> None:
        """Cancel one request."""
        self._then.pop(key, None)
        self._worker.drop(key)

    def forget(self) -> None:
        """Cancel all requests."""
        self._then.clear()
        self._worker.forget()

    def close(self) -> None:
        """End the thread, and wait for it."""
        self._timer.stop()
        self.forget()
        self._worker.join()

    def _deliver(self) -> None:
        for answer in self._worker.take():
            then = self._then.pop(answer.key, None)
            if answer.error is not None:
                raise answer.error
            if then is not None:
                then(answer.result)
        if not self._worker.is_busy:
            self._timer.stop()
