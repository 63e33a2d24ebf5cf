"""Small computations in the background: the latest request first, and none that is no longer wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

Request = Callable[[], Any]


class Answer(NamedTuple):
    """Result of a request."""

    key: Hashable
    result: Any
    error: BaseException | None = None


class Worker:
    """One thread at most, which ends when there is nothing left to do.

    Not a `ThreadPoolExecutor`: it serves first come, first served, where the user looks at what was asked for last.

    >>> worker = Worker()
    >>> worker.ask("answer", lambda: 6 * 7)
    >>> worker.join()
    >>> [(answer.key, answer.result) for answer in worker.take()]
    [('answer', 42)]
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[Hashable, Request] = {}
        self._done: list[Answer] = []
        self._at: Hashable = None
        """What is being computed."""
        self._thread: threading.Thread | None = None

    def ask(self, key: Hashable, request: Request) -> None:
        """Compute something before all that is waiting; a key that waits moves up, one under way is not repeated."""
        with self._lock:
            if key == self._at:
                return
            self._requests.pop(key, None)
            self._requests[key] = request
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="figures")
                self._thread.start()

    def drop(self, key: Hashable) -> None:
        """Withdraw a request that has not begun."""
        with self._lock:
            self._requests.pop(key, None)

    def forget(self) -> None:
        """Withdraw all requests, and drop the answer of the one under way."""
        with self._lock:
            self._requests.clear()
            self._done.clear()
            self._at = None

    def take(self) -> list[Answer]:
        """Answers since the last call."""
        with self._lock:
            found, self._done = self._done, []
            return found

    @property
    def is_busy(self) -> bool:
        """Whether an answer is there or to come."""
        with self._lock:
            return bool(self._requests or self._done or self._at is not None)

    def join(self) -> None:
        """Wait until nothing is left to do."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._requests:
                    self._thread = None
                    return
                key, request = self._requests.popitem()
                self._at = key
            try:
                answer = Answer(key, request())
            except BaseException as error:  # noqa: BLE001 - whoever asked is told
                answer = Answer(key, None, error)
            with self._lock:
                if self._at is not None:
                    self._done.append(answer)
                self._at = None
