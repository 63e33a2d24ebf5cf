"""Benchmarks in the background: a sweep or tables, measured piece by piece. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Generic, TypeVar

from workbench.run.job import Job
from workbench.source.read.options import Progress

Piece = TypeVar("Piece")
IsBusy = Callable[[], bool]
"""Whether something is running that would disturb a timing."""
NAP = 0.005


class Measuring(Generic[Piece]):
    """A benchmark that runs piece by piece in its own thread; the latest piece can be taken at any time.

    It starts once none of `others` is busy. Once cancelled, no further piece can be taken; a piece that has started
    is finished in the background.
    """

    def __init__(
        self, title: str, pieces: Callable[[], Generator[Piece, None, None]], others: Sequence[IsBusy] = ()
    ) -> None:
        self._latest: Piece | None = None
        self._is_new = False
        self._pieces, self._others = pieces, others
        self.job: Job[None] = Job(title, self._work)

    def _work(self, progress: Progress) -> None:
        while self.is_waiting:
            if not progress(0, 0):
                return
            time.sleep(NAP)
        self._others = ()  # they may hold much memory
        with closing(self._pieces()) as pieces:  # in this thread: BLAS threads that were pinned are released here
            for found in pieces:
                if not progress(0, 0):
                    return
                self._latest, self._is_new = found, True

    @property
    def is_waiting(self) -> bool:
        """Whether it has not started because something else is still busy."""
        return any(is_busy() for is_busy in self._others)

    @property
    def is_busy(self) -> bool:
        """Whether its thread is still running, even after it was cancelled."""
        return not self.job.is_done

    def take(self) -> Piece | None:
        """The latest piece, once; None if there is no new one."""
        if not self._is_new:
            return None
        self._is_new = False
        return self._latest
