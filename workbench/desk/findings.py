"""Answers that take longer: computed on demand in the background, of the mixture as it is then. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from figmn import Snapshot
from workbench.desk.jobs import Jobs
from workbench.run.job import Job
from workbench.run.learn.runner import Runner
from workbench.source.read.options import Progress
from workbench.words.sentences import UserError

Found = TypeVar("Found")


class Finding(Generic[Found]):
    """The latest result of one kind, and the job that computes the next; a new job replaces it."""

    def __init__(self, title: str, jobs: Jobs) -> None:
        self._title, self._jobs = title, jobs
        self.latest: Found | None = None
        self._job: Job[Found] | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether a job is running."""
        return self._job is not None

    def begin(self, runner: Runner | None, work: Callable[[Snapshot, Progress], Found]) -> None:
        """Compute `work` of a snapshot of the run's mixture."""
        if runner is None:
            raise UserError("Nothing has been learned yet: press play first.")
        if runner.recipe.choices.parameters.covariance != "exact":
            raise UserError(
                "This needs covariances that are positive definite: set the covariance to exact in the side panel, "
                "and stream the data again."
            )
        self.cancel()
        asked = runner.ask(lambda learner, _: learner.engine.snapshot())

        def compute(progress: Progress) -> Found:
            snapshot = asked.result()
            if not snapshot.n_components:
                raise UserError("The mixture has no component yet: let it learn some samples first.")
            return work(snapshot, progress)

        self._job = self._jobs.start(self._title, compute)

    def take(self) -> bool:
        """Collect the result of a job that has ended; True if there was one. The window reports errors."""
        if self._job is None or not self._job.is_done:
            return False
        job, self._job = self._job, None
        self.latest = job.result if job.result is not None else self.latest
        return True

    def cancel(self) -> None:
        """Drop the job that is under way."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def forget(self) -> None:
        """Drop job and result."""
        self.cancel()
        self.latest = None
