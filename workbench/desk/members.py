"""The component of every row of the run's table: found in a thread of its own, again as the mixture learns. No Qt."""

from __future__ import annotations

import time

from workbench.desk.run import RunDesk
from workbench.run.ask.members import Members, members_of
from workbench.run.job import Job
from workbench.run.learn.runner import Runner
from workbench.source.read.options import Progress

AGAIN, SHARE = 1.0, 0.1
"""Seconds between two answers while the mixture learns, and the share of the time for them."""


class MembersDesk:
    """Asks as long as somebody wants to know: now and then while the run learns, at once where it rests."""

    def __init__(self, run: RunDesk) -> None:
        self._run = run
        self.is_wanted = False
        self.latest: Members | None = None
        """Of the present run; None before they are known."""
        self._job: Job[Members] | None = None
        self._asked: tuple[int | None, int] | None = None
        """Run and samples learned of the latest question."""
        self._rest_until = 0.0

    @property
    def is_current(self) -> bool:
        """Whether the latest answer is of the mixture in the latest frame."""
        frame = self._run.frame
        return self.latest is not None and frame is not None and self.latest.n_seen == frame.n_seen

    def take(self) -> bool:
        """Collect the answer, and ask again where that is due; True if there are other members."""
        is_new = self._follow_run() | self._collect()
        runner, frame = self._run.transport, self._run.frame
        if runner is None or frame is None or not self.is_wanted or not frame.census.n_components:
            return is_new
        wanted = (self._run.number, frame.n_done)
        is_resting = frame.state != "running"
        if wanted == self._asked or not (is_resting or time.monotonic() >= self._rest_until):
            return is_new
        if self._job is not None and is_resting:
            self._job.cancel()  # of an earlier mixture
        if self._job is None and runner.table is not None:
            self._asked = wanted
            self._job = self._started(runner)
        return is_new

    def close(self) -> None:
        """End the thread, and wait for it."""
        if self._job is not None:
            self._job.cancel()
            self._job.join()

    def _started(self, runner: Runner) -> Job[Members]:
        table = runner.table
        assert table is not None
        asked = runner.ask(lambda learner, _: (learner.engine.snapshot(), learner.prepared.encoder))

        def work(progress: Progress) -> Members:
            return members_of(*asked.result(), table, progress)

        return Job("Finding the rows of components", work)

    def _collect(self) -> bool:
        job = self._job
        if job is None or not job.is_done:
            return False
        self._job = None
        self._rest_until = time.monotonic() + max(AGAIN, job.seconds / SHARE)
        if job.was_cancelled:
            self._asked = None
            return False
        if job.error is not None:
            raise job.error
        self.latest = job.result
        return True

    def _follow_run(self) -> bool:
        """Forget what another run had; True if there was something to forget."""
        if self._asked is None or self._asked[0] == self._run.number:
            return False
        had, self._asked, self.latest = self.latest is not None, None, None
        if self._job is not None:
            self._job.cancel()
        return had
