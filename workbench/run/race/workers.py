"""Threads that work for a race: one for each contender and one for the comparison of their numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any


class Workers:
    """One thread for each key. Results return to the thread that submitted the work, as a queued command.

    Parameters
    ----------
    keys
        One for each thread.
    tell
        Queues a function for the thread that submits.
    """

    def __init__(self, keys: Iterable[Hashable], tell: Callable[[Callable[[], None]], None]) -> None:
        self._executors = {key: ThreadPoolExecutor(1, f"race {key}") for key in keys}
        self._tell = tell
        self._latest: dict[Hashable, Future[Any]] = {}
        """The latest work of every thread."""
        self.busy: set[Hashable] = set()
        """Keys whose result has not been received yet."""

    def submit(self, key: Hashable, work: Callable[[], Any], receive: Callable[[Any], None]) -> None:
        """Call `work` in the thread of `key`, then `receive` with its result in the submitting thread."""
        self.busy.add(key)

        def arrive(done: Future[Any]) -> None:
            self.busy.discard(key)
            receive(done.result())

        self._latest[key] = self._executors[key].submit(work)
        self._latest[key].add_done_callback(lambda done: self._tell(lambda: arrive(done)))

    @property
    def is_at_work(self) -> bool:
        """Whether a thread is computing at this moment, even if nobody will receive its result."""
        return any(not future.done() for future in self._latest.values())

    def close(self) -> None:
        """Let the threads end after what they are computing now. Returns at once."""
        for executor in self._executors.values():
            executor.shutdown(wait=False, cancel_futures=True)

    def join(self) -> None:
        """Wait for the end of all threads."""
        for executor in self._executors.values():
            executor.shutdown(wait=True)

    def forget(self) -> None:
        """Drop the futures, whose results may take much memory."""
        self._latest = {}
