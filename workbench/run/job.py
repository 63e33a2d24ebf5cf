"""Work in the background that can be watched and cancelled: a load, an export."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Generic, TypeVar

from workbench.source import Cancelled
from workbench.source.read.options import Progress

Result = TypeVar("Result")


class Job(Generic[Result]):
    """One function in a thread of its own. It is given a progress callback, through which it is cancelled.

    A plain `Future` can be cancelled only before it runs, and reports no progress.

    >>> job = Job("counting", lambda progress: 41 + progress(1, 2))
    >>> job.join()
    >>> job.is_done, job.result, job.progress
    (True, 42, (1, 2))
    """

    def __init__(self, title: str, work: Callable[[Progress], Result], writes: bool = False) -> None:
        self.title = title
        self.writes = writes
        """Whether it writes a file of the user's, which only the user cancels."""
        self.progress = (0, 0)
        """What is done, and the total; 0 where that is not known."""
        self._work = work
        """Kept until the job is dropped: it may hold objects of Qt, not to be deleted in the worker's thread."""
        self._began = time.monotonic()
        self._is_cancelled = threading.Event()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=f"job: {title}")
        self._future = self._pool.submit(work, self._watch)
        self._pool.shutdown(wait=False)  # the thread ends with the work

    @property
    def seconds(self) -> float:
        """How long ago it began."""
        return time.monotonic() - self._began

    @property
    def is_done(self) -> bool:
        """Whether there is a result or an error."""
        return self._future.done()

    @property
    def result(self) -> Result | None:
        """What the function returned; None before, and where it failed."""
        return self._future.result() if self.is_done and self.error is None else None

    @property
    def error(self) -> BaseException | None:
        """What went wrong; `Cancelled` where the user stopped it."""
        return self._future.exception() if self.is_done else None

    @property
    def is_cancelled(self) -> bool:
        """Whether it was asked to stop, also before it has."""
        return self._is_cancelled.is_set()

    @property
    def was_cancelled(self) -> bool:
        """Whether it ended because it was asked to."""
        return isinstance(self.error, Cancelled)

    def cancel(self) -> None:
        """Ask it to stop; nothing is changed by a load or an export that was stopped."""
        self._is_cancelled.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end and that of its thread."""
        if wait([self._future], timeout).done:
            self._pool.shutdown()

    def _watch(self, done: int, total: int) -> bool:
        self.progress = (done, total)
        return not self._is_cancelled.is_set()
