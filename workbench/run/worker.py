"""Small computations in the background, last in first out; those that are no longer wanted are dropped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

Wish = Callable[[], Any]


class Answer(NamedTuple):
    """The result of a request, or its exception."""

    key: Hashable
    result: Any
    error: BaseException | None = None


class Worker:
    """One thread at most, which ends when there are no requests left.

    >>> worker = Worker()
    >>> worker.ask("answer", lambda: 6 * 7)
    >>> worker.join()
    >>> [(answer.key, answer.result) for answer in worker.take()]
    [('answer', 42)]
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wishes: dict[Hashable, Wish] = {}
        self._done: list[Answer] = []
        self._at: Hashable = None
        """What is being computed."""
        self._thread: threading.Thread | None = None

    def ask(self, key: Hashable, wish: Wish) -> None:
        """Queue a computation before all that are waiting. A key that is being computed is not queued again."""
        with self._lock:
            if key == self._at:
                return
            self._wishes.pop(key, None)
            self._wishes[key] = wish
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="column figures")
                self._thread.start()

    def drop(self, key: Hashable) -> None:
        """Remove a request that has not begun."""
        with self._lock:
            self._wishes.pop(key, None)

    def forget(self) -> None:
        """Remove all requests, and drop the result of the one under way."""
        with self._lock:
            self._wishes.clear()
            self._done.clear()
            self._at = None

    def take(self) -> list[Answer]:
        """Answers since the last call."""
        with self._lock:
            found, self._done = self._done, []
            return found

    @property
    def is_busy(self) -> bool:
        """Whether results are waiting or to come."""
        with self._lock:
            return bool(self._wishes or self._done or self._at is not None)

    def join(self) -> None:
        """Wait until no requests are left."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._wishes:
                    self._thread = None
                    return
                key, wish = self._wishes.popitem()
                self._at = key
            try:
                answer = Answer(key, wish())
            except BaseException as error:  # noqa: BLE001 - whoever asked is told
                answer = Answer(key, None, error)
            with self._lock:
                if self._at is not None:
                    self._done.append(answer)
                self._at = None
