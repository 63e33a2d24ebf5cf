"""The sample under the pointer: asked of the newest mixture, between two chunks. No Qt."""

from __future__ import annotations

import time
from concurrent.futures import Future

from workbench.desk.run import RunDesk
from workbench.run.show.row_facts import RowFacts

AGAIN = 0.25
"""Seconds between two questions about the same row while the mixture learns."""


class PointDesk:
    """One row at a time: while it is asked about, only the newest of those wanted meanwhile is kept."""

    def __init__(self, run: RunDesk) -> None:
        self._run = run
        self.row: int | None = None
        """The row that is wanted."""
        self.facts: RowFacts | None = None
        """The latest facts of that row; None before they are known."""
        self._pending: Future[RowFacts | None] | None = None
        self._asked: tuple[int | None, int | None, int] | None = None
        """Run, row and samples learned of the latest question."""
        self._rest_until = 0.0

    def ask(self, row: int | None) -> None:
        """Ask about another row; its facts come by `take`."""
        if row != self.row:
            self.row, self.facts, self._rest_until = row, None, 0.0

    def take(self) -> bool:
        """Collect the answer, and ask what is to be asked; True if there are new facts."""
        is_new = False
        if self._pending is not None:
            if not self._pending.done():
                return False
            pending, self._pending = self._pending, None
            found = None if pending.exception() is not None else pending.result()
            if found is not None and found.row == self.row:
                self.facts, is_new = found, True
        runner, frame = self._run.transport, self._run.frame
        if runner is None or self.row is None:
            return is_new
        wanted = (self._run.number, self.row, 0 if frame is None else frame.n_done)
        if wanted != self._asked and time.monotonic() >= self._rest_until:
            self._asked, self._rest_until = wanted, time.monotonic() + AGAIN
            self._pending = runner.about(self.row)
        return is_new
