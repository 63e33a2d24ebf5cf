"""Benchmarks in the background: a sweep or a table that is measured piece by piece. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import Generic, TypeVar

from workbench.run.job import Job
from workbench.source.read.options import Progress

Piece = TypeVar("Piece")
IsBusy = Callable[[], bool]
"""Whether something is at work that would disturb what is timed."""
NAP = 0.005


class Measuring(Generic[Piece]):
    """Something measured piece by piece in a thread of its own; the latest piece can be taken at any time.

    Nothing is measured while one of `others` is busy. Once cancelled, no further piece can be taken; a piece that is
    under way is finished in the background.
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
        """Whether it has not begun, because something else is still busy."""
        return any(is_busy() for is_busy in self._others)

    @property
    def is_busy(self) -> bool:
        """Whether its thread is still at work, also after it was cancelled."""
        return not self.job.is_done

    def take(self) -> Piece | None:
        """What was found, once; None where there is nothing new."""
        if not self._is_new:
            return None
        self._is_new = False
        return self._latest
