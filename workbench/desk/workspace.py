"""What the window works on: the dataset with its past, the choices, the run, and work in the background. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from figmn import save
from workbench.desk.differences import recipe_differences
from workbench.desk.versions import Versions
from workbench.run.files import write_safely
from workbench.run.job import Job
from workbench.run.learn.runner import Runner, Wish
from workbench.run.learn.sample_log import write_csv
from workbench.run.recipe.choices import Change, Choices
from workbench.run.recipe.dataset import Dataset, Origin, load
from workbench.run.recipe.recipe import Recipe
from workbench.run.show.frame import LIVE, Frame, Plane
from workbench.run.show.mailbox import Mailbox
from workbench.run.show.points import KEPT
from workbench.run.speed import Speed
from workbench.source import Cancelled
from workbench.source.read.options import Progress
from workbench.words.sentences import UserError


class Workspace:
    """One for every window. Its methods return at once; what takes time runs in a thread and shows in the mailbox."""

    def __init__(self, choices: Choices = Choices()) -> None:
        self.mailbox: Mailbox[Frame] = Mailbox()
        self.versions: Versions[Dataset | None] = Versions(None, _sizes)
        self.choices = choices
        self._chosen_for: Origin | None = None
        """The data that were shown when the choices were made."""
        self.runner: Runner | None = None
        self.frame: Frame | None = None
        """The latest frame that the window has got."""
        self._speed = Speed()
        self.plane: Plane | None = None
        """What the user wants to see; None before a choice, and after the columns have changed."""
        self.pause_on = (False, False)
        self.trail = KEPT
        """Latest samples that a frame shows, as far as they are kept."""
        self.n_samples: int | None = None
        """Samples after which a run ends; None: with its data."""
        self.jobs: list[Job[Any]] = []
        self._ending: list[Runner] = []
        """Runs that were closed: their threads may still be at a last chunk, which nobody waits for."""
        self._n_runs = 0
        self._is_closed = False
        self._columns: tuple[tuple[str, str, str], ...] = ()
        """Columns of the latest run."""

    # Data

    @property
    def dataset(self) -> Dataset | None:
        """What the Data page shows."""
        return self.versions.present

    def load(self, origin: Origin, recipe: Recipe | None = None) -> Job[Dataset]:
        """Load a dataset in the background; a load that is under way gives way."""

        def work(progress: Progress) -> Dataset:
            dataset = load(origin, progress)
            return dataset if recipe is None else recipe.applied(dataset)

        self.cancel_loads()
        return self.work(f"Loading {origin.title}", work)

    def cancel_loads(self) -> None:
        """Stop loads that are under way; the dataset stays as it is."""
        for job in self.jobs:
            if not job.writes:
                job.cancel()

    def cancel_jobs(self) -> None:
        """Stop loads and exports that are under way; dataset and files stay as they are."""
        for job in self.jobs:
            job.cancel()

    def take_dataset(self, dataset: Dataset, what: str) -> None:
        """Make a dataset the present one; the run of another origin holds."""
        if self.runner is not None and self.dataset is not None and dataset.origin != self.dataset.origin:
            self.runner.pause()
        self.n_samples = None  # it belonged to the recipe of the data before
        self.versions.change(dataset, what)

    # The run

    @property
    def recipe(self) -> Recipe | None:
        """What a run would be made from now."""
        return None if self.dataset is None else Recipe.of(self.dataset, self.choices, self.n_samples)

    @property
    def is_live(self) -> bool:
        """Whether there is a run that can go on."""
        return self.runner is not None and self.runner.state in LIVE

    @property
    def is_of_the_data(self) -> bool:
        """Whether there is a run, and of the data that are shown."""
        if self.runner is None or self.dataset is None:
            return False
        return self.runner.recipe.origin == self.dataset.origin

    @property
    def goes_on(self) -> bool:
        """Whether play goes on with the run: one of other data than those that are shown is not what a user means."""
        return self.is_of_the_data and self.is_live

    @property
    def is_stale(self) -> bool:
        """Whether the run that is shown was made with something else than what is set now."""
        return bool(self.differences)

    @property
    def differences(self) -> list[str]:
        """What was changed since the run that is shown was made; changes during the run count as what they led to."""
        if self.runner is None:
            return []
        made = self.runner.recipe
        return ["data"] if self.recipe is None else recipe_differences(made, self.recipe, self.runner.n_columns)

    def start(self, wish: Wish = "play", run_to: int | None = None, changes: tuple[Change, ...] = ()) -> None:
        """Begin a new run of what is set now, with changes during the run where some are given; the one before ends.

        Nothing begins once the workspace is closed: nobody would end it.
        """
        if self._is_closed:
            return
        recipe, dataset = self.recipe, self.dataset
        if recipe is None or dataset is None:
            raise UserError("There is no data to run: open a file or choose a sample first.")
        self._forget_plane_of_other_columns(dataset)
        self.close_run()
        self._n_runs += 1
        self.frame = None
        self.runner = Runner(
            self._n_runs,
            replace(recipe, changes=changes),
            dataset,
            self.mailbox,
            wish=wish,
            speed=self.speed,
            plane=self.plane,
            pause_on=self.pause_on,
            trail=self.trail,
        )
        if run_to is not None:
            self.runner.run_to(run_to)

    def _forget_plane_of_other_columns(self, dataset: Dataset) -> None:
        columns = tuple((column.name, column.kind, column.role) for column in dataset.table)
        if columns != self._columns:
            self._columns, self.plane = columns, None

    def play(self) -> None:
        """Go on with the run, or begin one where none can go on."""
        if self.goes_on and self.runner is not None:
            self.runner.play()
        else:
            self.start()

    def step(self) -> None:
        """Learn one sample and hold."""
        if not self.goes_on:
            self.start("pause")
        if self.runner is not None:
            self.runner.step()

    def run_to(self, sample: int) -> None:
        """Learn up to a sample and hold; from the beginning where that lies behind."""
        done = self.frame.n_done if self.frame is not None else 0
        if self.goes_on and self.runner is not None and sample > done:
            self.runner.run_to(sample)
        else:
            self.start("pause", run_to=sample)

    def set_choices(self, choices: Choices) -> None:
        """Take other hyper-parameters; those that may change during a run apply from the next sample."""
        self.choices = choices
        self.keep_choices()
        if self.goes_on and self.runner is not None:
            self.runner.change(choices.parameters)

    def keep_choices(self) -> None:
        """Take the choices as made for the present data."""
        self._chosen_for = None if self.dataset is None else self.dataset.origin

    @property
    def carried_over(self) -> str:
        """Title of the other data that the choices were made for; empty for defaults and for the present data's own."""
        made_for, present = self._chosen_for, self.dataset
        if made_for is None or present is None or present.origin == made_for or self.choices == Choices():
            return ""
        return made_for.title

    @property
    def speed(self) -> float | None:
        """Samples a second, or None for as fast as it goes."""
        return self._speed.value

    def set_speed(self, speed: float | None) -> None:
        """Take the user's choice of samples a second, None for as fast as it goes."""
        self._speed.choose(speed)
        self._keep_speed()

    def toggle_unlimited(self) -> None:
        """Go as fast as it goes, or at the limit of before."""
        self._speed.toggle()
        self._keep_speed()

    def suit_speed(self) -> None:
        """Take the speed that the present data start with, unless they were there before or the user chose one."""
        before = self.speed
        if self.dataset is not None:
            self._speed.suit(self.dataset)
        if self.speed != before and self.is_of_the_data:
            self._keep_speed()

    def _keep_speed(self) -> None:
        if self.runner is not None:
            self.runner.set_speed(self.speed)

    def set_plane(self, plane: Plane) -> None:
        """Draw on another plane."""
        self.plane = plane
        if self.runner is not None:
            self.runner.set_plane(plane)

    def show_colour(self) -> None:
        """Colour the run by what is chosen for its data."""
        if self.runner is not None and self.is_of_the_data:
            assert self.dataset is not None
            self.runner.set_colour(self.dataset.colour_column)

    def set_trail(self, n_points: int) -> None:
        """Show the latest `n_points` samples; 0 for all that are kept."""
        self.trail = n_points or KEPT
        if self.runner is not None:
            self.runner.set_trail(self.trail)

    def set_pause_on(self, births: bool, removals: bool) -> None:
        """Hold at the next birth or removal."""
        self.pause_on = (births, removals)
        if self.runner is not None:
            self.runner.set_pause_on(births, removals)

    # Exports

    def export_log(self, path: str | Path, raw: bool = False) -> Job[str]:
        """Write what every sample did; `raw` keeps labels that begin like a formula as they are."""
        runner = self._require_run()
        asked = runner.ask(lambda learner, log: (log.lines(), learner.prepared.labels, learner.n_done))

        def work(progress: Progress) -> str:
            lines, labels, n_done = asked.result()
            write_csv(path, lines, labels, raw, progress)
            kept = "" if lines.n_samples == n_done else f" (the latest of {n_done:,})"
            return f"{lines.n_samples:,} samples{kept} written to {Path(path).name}"

        return self.work("Writing the per-sample CSV", work, writes=True)

    def export_model(self, path: str | Path) -> Job[str]:
        """Write the model as it is now."""
        asked = self._require_run().ask(lambda learner, log: learner.engine.snapshot())  # noqa: ARG005

        def work(progress: Progress) -> str:
            snapshot = asked.result()
            _write_unless_cancelled(path, lambda new: save(snapshot, new), progress)
            return f"{snapshot.n_components:,} components written to {Path(path).name}"

        return self.work("Writing the model", work, writes=True)

    def export_recipe(self, path: str | Path) -> Job[str]:
        """Write the recipe of the run, or of the next one where there is none yet."""
        recipe = self.runner.recipe if self.runner is not None else self.recipe
        if recipe is None:
            raise UserError("There is no recipe yet: open a file or choose a sample first.")
        return self.export_file(path, "recipe", lambda: recipe.to_json(path))

    def export_text(self, path: str | Path, text: Callable[[], str]) -> Job[str]:
        """Make a text and write it."""

        def work(progress: Progress) -> str:
            _write_unless_cancelled(path, lambda new: new.write_text(text(), encoding="utf-8"), progress)
            return f"File written to {Path(path).name}"

        return self.work("Writing the file", work, writes=True)

    def export_file(self, path: str | Path, what: str, write: Callable[[], object]) -> Job[str]:
        """Let `write` fill a file in the background: a disk may take its time."""

        def work(progress: Progress) -> str:  # noqa: ARG001 - whole or not at all
            write()
            return f"{what.capitalize()} written to {Path(path).name}"

        return self.work(f"Writing the {what}", work, writes=True)

    def _require_run(self) -> Runner:
        if self.runner is None:
            raise UserError("Nothing has been learned yet: press play first.")
        return self.runner

    # Background

    def work(self, title: str, function: Callable[[Progress], Any], writes: bool = False) -> Job[Any]:
        """Do something in the background; `writes` as in `Job`."""
        job: Job[Any] = Job(title, function, writes)
        self.jobs.append(job)
        return job

    @property
    def job(self) -> Job[Any] | None:
        """What is done in the background, started last; what was cancelled gives up behind the scenes."""
        return next((job for job in reversed(self.jobs) if not job.is_cancelled), None)

    def take_done(self) -> list[Job[Any]]:
        """Jobs that have ended since the last call."""
        done = [job for job in self.jobs if job.is_done]
        self.jobs = [job for job in self.jobs if job not in done]
        return done

    def close_run(self) -> None:
        """End the run; its thread follows soon."""
        if self.runner is not None:
            self.runner.close()
            self._ending.append(self.runner)
            self.runner = None

    def forget_ended(self) -> None:
        """Let go of runs whose threads have ended: the mixture and the log of a long one take many megabytes."""
        self._ending = [runner for runner in self._ending if runner.is_alive]

    def close(self) -> None:
        """End everything, and wait for it."""
        self._is_closed = True
        self.cancel_loads()
        self.close_run()
        for runner in self._ending:
            runner.join()
        for job in self.jobs:
            job.join()


def _write_unless_cancelled(path: str | Path, write: Callable[[Path], object], progress: Progress) -> None:
    """Let `write` fill a new file, and put it in its place unless that was cancelled meanwhile."""

    def fill(new: Path) -> None:
        write(new)
        if not progress(1, 1):
            raise Cancelled

    write_safely(path, fill)


def _sizes(dataset: Dataset | None) -> dict[int, int]:
    return {} if dataset is None else dataset.sizes()
