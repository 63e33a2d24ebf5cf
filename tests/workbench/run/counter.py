"""The simplest transport: a worker that only counts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.waiting import PATIENCE
from workbench.run.show.frame import Plane, State
from workbench.run.show.mailbox import Mailbox
from workbench.run.transport import Transport
from workbench.source import Cancelled


class Count(NamedTuple):
    """A frame of the counter."""

    run: int
    state: State
    n_done: int
    plane: Plane


class Counter(Transport[Count]):
    """Counts one sample after the other up to `n_total`; one of `n_total` 0 counts for ever."""

    def __init__(self, mailbox: Mailbox[Count], n_total: int = 0, **options: Any) -> None:
        super().__init__(options.pop("number", 1), "counter", mailbox, **options)
        self.n_total, self.n_done, self.plane = n_total, 0, Plane()
        self.may_begin, self.has_begun = threading.Event(), threading.Event()
        self.hooks: list[str] = []
        self.problem: Exception | None = None
        self.cannot_show: Exception | None = None

    def start(self) -> None:
        """Start the thread; it waits for `may_begin`."""
        self._start()

    def ask(self, question: Callable[[], Any]) -> Any:
        """The answer of the thread."""
        return self._ask(question).result(PATIENCE)

    def _begin(self) -> None:
        self.has_begun.set()
        while not self.may_begin.wait(0.001):
            if self._is_closed.is_set():
                raise Cancelled

    def _work(self) -> None:
        if self._state == "running" and self._pace.due() > 0:
            if self.problem is not None:
                raise self.problem
            self.n_done += 1
            self._pace.learned(1)
            if self.n_done == self.n_total:
                self._end("finished", f"Finished after {self.n_done}")
            elif self.n_done == self._until:
                self._hold(f"Paused at sample {self.n_done}")
        if self._frame_is_due():
            self._is_shown = True
            if self.cannot_show is not None:
                raise self.cannot_show
            self._mailbox.show(Count(self.number, self._state, self.n_done, self.plane))

    def _patience(self) -> float | None:
        return min(0.01, self._pace.wait()) if self._state == "running" else None

    @property
    def _n_done(self) -> int:
        return self.n_done

    def _draw_on(self, plane: Plane) -> None:
        self.plane, self._is_shown = plane, False

    def _resumed(self) -> None:
        self.hooks.append("resumed")

    def _held(self) -> None:
        self.hooks.append("held")

    def _ended(self) -> None:
        self.hooks.append("ended")

    def _failed(self) -> None:
        self.hooks.append("failed")

    def _closed(self) -> None:
        self.hooks.append("closed")
