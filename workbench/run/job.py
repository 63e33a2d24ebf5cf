"""Work in the background that can be watched and cancelled: a load, an export."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from workbench.source import Cancelled
from workbench.source.read.options import Progress

Result = TypeVar("Result")


class Job(Generic[Result]):
    """One function in a thread of its own. It is given a progress callback, through which it is cancelled.

    A plain thread: an executor of one thread is no shorter, its futures can be cancelled only before they run, and it
    drops the function in the worker's thread, where Qt objects that it holds must not be deleted.

    >>> job = Job("counting", lambda progress: 41 + progress(1, 2))
    >>> job.join()
    >>> job.is_done, job.result, job.progress
    (True, 42, (1, 2))
    """

    def __init__(
        self, title: str, work: Callable[[Progress], Result], writes: bool = False, is_long: bool = False
    ) -> None:
        self.title = title
        self.writes = writes
        """Whether it writes a file of the user, so that only the user cancels it."""
        self.is_long = is_long
        """Whether it may take minutes, so that it is cancelled where the window closes."""
        self.progress = (0, 0)
        """Done and total; a total of 0 is unknown."""
        self.result: Result | None = None
        self.error: BaseException | None = None
        """The exception that ended it; `Cancelled` where it was cancelled."""
        self._work = work
        self._began = time.monotonic()
        self._is_cancelled = threading.Event()
        self._is_done = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"job: {title}")
        self._thread.start()

    @property
    def seconds(self) -> float:
        """Wall-clock time since it began."""
        return time.monotonic() - self._began

    @property
    def is_done(self) -> bool:
        """Whether there is a result or an error."""
        return self._is_done.is_set()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called; it may still be running."""
        return self._is_cancelled.is_set()

    def cancel(self) -> None:
        """Request cancellation; a cancelled load or export changes nothing."""
        self._is_cancelled.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end of the thread."""
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            self.result = self._work(self._watch)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the window must say it
            self.error = error
        finally:
            self._is_done.set()

    def _watch(self, done: int, total: int) -> bool:
        self.progress = (done, total)
        return not self._is_cancelled.is_set()

    @property
    def was_cancelled(self) -> bool:
        """Whether it ended because it was cancelled."""
        return isinstance(self.error, Cancelled)
