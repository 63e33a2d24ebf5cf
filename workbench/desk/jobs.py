"""Work in the background: loads, exports and other changes of the dataset. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.run.job import Job
from workbench.run.recipe.dataset import Dataset, Origin, load
from workbench.run.recipe.recipe import Recipe
from workbench.source.read.options import Progress


class Jobs:
    """Running jobs, the latest last."""

    def __init__(self) -> None:
        self.under_way: list[Job[Any]] = []

    def start(
        self, title: str, function: Callable[[Progress], Any], writes: bool = False, is_long: bool = False
    ) -> Job[Any]:
        """Call `function` in the background; `writes` and `is_long` as in `Job`."""
        job: Job[Any] = Job(title, function, writes, is_long)
        self.under_way.append(job)
        return job

    def load(self, origin: Origin, recipe: Recipe | None = None) -> Job[Dataset]:
        """Load a dataset, with roles, encoding and order of a recipe where one is given. Other loads are cancelled."""

        def work(progress: Progress) -> Dataset:
            dataset = load(origin, progress)
            return dataset if recipe is None else recipe.applied(dataset)

        self.cancel_loads()
        return self.start(f"Loading {origin.title}", work)

    @property
    def shown(self) -> Job[Any] | None:
        """The job that was started last and was not cancelled."""
        return next((job for job in reversed(self.under_way) if not job.is_cancelled), None)

    def take_done(self) -> list[Job[Any]]:
        """Jobs that have ended since the last call."""
        done = [job for job in self.under_way if job.is_done]
        self.under_way = [job for job in self.under_way if job not in done]
        return done

    def cancel_loads(self) -> None:
        """Cancel all short jobs that write no file of the user's; the dataset stays as it is."""
        for job in self.under_way:
            if not job.writes and not job.is_long:
                job.cancel()

    def cancel(self) -> None:
        """Cancel all jobs; dataset and files stay as they are."""
        for job in self.under_way:
            job.cancel()

    def close(self) -> None:
        """Cancel loads and what is long, and wait for all jobs: other files that are being written are completed."""
        self.cancel_loads()
        for job in self.under_way:
            if job.is_long:
                job.cancel()
            job.join()
