"""What the Race page works on: its settings, the race, and the sweep and tables in the background. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Generic, TypeVar

from figmn.bench import warm_up
from workbench.desk.differences import Ingredients, race_differences
from workbench.desk.machine_rate import RateMeter
from workbench.run.job import Job
from workbench.run.learn.learner import Stopwatch, timed
from workbench.run.race.frame import RaceFrame
from workbench.run.race.headless import recipe_of, require_data
from workbench.run.race.race import Race
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.recipe import Recipe
from workbench.run.show.frame import LIVE, Plane
from workbench.run.show.mailbox import Mailbox
from workbench.run.speed import Speed
from workbench.source.read.options import Progress

Found = TypeVar("Found")
IsBusy = Callable[[], bool]
"""Whether something is at work that would disturb what is timed."""
NAP = 0.005


class Measuring(Generic[Found]):
    """Something measured piece by piece in a thread of its own; the latest piece can be taken at any time.

    Nothing is measured while one of `others` is busy. Once cancelled, no further piece can be taken; a piece that is
    under way is finished behind the scenes.
    """

    def __init__(
        self, title: str, pieces: Callable[[], Generator[Found, None, None]], others: Sequence[IsBusy] = ()
    ) -> None:
        self._latest: Found | None = None
        self._is_new = False
        self._pieces, self._others = pieces, others
        self.job: Job[None] = Job(title, self._work)

    def _work(self, progress: Progress) -> None:
        while any(is_busy() for is_busy in self._others):
            if not progress(0, 0):
                return
            time.sleep(NAP)
        self._others = ()  # they may hold on to much
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

    def take(self) -> Found | None:
        """What was found, once; None where there is nothing new."""
        if not self._is_new:
            return None
        self._is_new = False
        return self._latest


class RaceDesk:
    """One for every window. Its methods return at once; what takes time runs in threads."""

    def __init__(self) -> None:
        self.mailbox: Mailbox[RaceFrame] = Mailbox()
        self.settings = RaceSettings()
        self.race: Race | None = None
        self.frame: RaceFrame | None = None
        """The latest frame that the window has got."""
        self._speed = Speed()
        self.plane: Plane | None = None
        """What the user wants to see; None before a choice, and after the columns have changed."""
        self.measuring: Measuring[Any] | None = None
        self.stopwatches: tuple[Stopwatch, Stopwatch] = (timed, timed)
        self._ending: list[Race] = []
        self._cancelled: list[Measuring[Any]] = []
        """Whose last step is not over yet."""
        self._loading: Job[float] | None = None
        self.rate_meter = RateMeter()
        self._n_races = 0
        self._is_closed = False
        self._made: Ingredients | None = None
        """What the race was made from."""
        self.columns: tuple[Any, ...] = ()
        """Those of the latest race."""

    def get_ready(self) -> None:
        """Load the compiled loops of both engines in the background, once: a race that is asked for need not wait."""
        if self._loading is None:
            self._loading = Job("Loading the engines", lambda progress: warm_up())  # noqa: ARG005

    def differences(self, form: Choices, dataset: Dataset | None) -> list[str]:
        """What was changed since the race that is shown was made."""
        if self.race is None or self._made is None:
            return []
        n_columns = len(self.frame.columns) if self.frame is not None else None
        return race_differences(self._made, self._ingredients(form, dataset), n_columns)

    def start(
        self, form: Choices, dataset: Dataset | None, *, is_held: bool = False, run_to: int | None = None
    ) -> None:
        """Begin a race of what is set now; the one before ends. Nothing begins once the desk is closed."""
        if self._is_closed:
            return
        settings = self.settings
        require_data(settings, dataset)
        self._forget_plane_of_other_columns(dataset)
        self.close_race()
        self._n_races += 1
        self._made, self.frame = self._ingredients(form, dataset), None
        self.race = Race(
            self._n_races,
            lambda: recipe_of(settings, form, dataset),
            settings,
            self.mailbox,
            others=self._others(),
            is_held=is_held,
            speed=self.speed,
            plane=self.plane,
            stopwatches=self.stopwatches,
        )
        if run_to is not None:
            self.race.run_to(run_to)

    def _ingredients(self, form: Choices, dataset: Dataset | None) -> Ingredients:
        choices, is_made_up = self.settings.choices(form), self.settings.source == "generator"
        recipe = None if is_made_up or dataset is None else Recipe.of(dataset, choices)
        return Ingredients(self.settings, choices, recipe)

    def _forget_plane_of_other_columns(self, dataset: Dataset | None) -> None:
        columns: tuple[Any, ...] = (self.settings.n_features,)
        if self.settings.source == "data" and dataset is not None:
            columns = tuple((column.name, column.kind, column.role) for column in dataset.table)
        if columns != self.columns:
            self.columns, self.plane = columns, None

    @property
    def is_live(self) -> bool:
        """Whether there is a race that can go on."""
        return self.race is not None and self.race.state in LIVE

    @property
    def speed(self) -> float | None:
        """Samples a second at most, or None for as fast as it goes."""
        return self._speed.value

    def set_speed(self, speed: float | None) -> None:
        """Take the user's choice of samples a second, None for as fast as it goes."""
        self._speed.choose(speed)
        self._keep_speed()

    def toggle_unlimited(self) -> None:
        """Go as fast as it goes, or at the limit of before; a race starts unlimited, whatever its data."""
        self._speed.toggle()
        self._keep_speed()

    def _keep_speed(self) -> None:
        if self.race is not None:
            self.race.set_speed(self.speed)

    def set_plane(self, plane: Plane) -> None:
        """Draw on another plane."""
        self.plane = plane
        if self.race is not None:
            self.race.set_plane(plane)

    def close_race(self) -> None:
        """End the race; its threads follow soon."""
        if self.race is not None:
            self.race.close()
            self._ending.append(self.race)
            self.race = None

    def forget_ended(self) -> None:
        """Let go of races whose threads have ended: one of 3,072 columns holds on to 160 MB."""
        ended = [race for race in self._ending if not race.is_alive]
        self._ending = [race for race in self._ending if race not in ended]
        for race in ended:
            race.forget()

    # Sweep and tables

    def measure(self, title: str, pieces: Callable[[], Generator[Any, None, None]]) -> None:
        """Measure something in the background; the race holds."""
        if self.race is not None:
            self.race.pause()
        self.measuring = Measuring(title, pieces, self._others())

    @property
    def is_measuring(self) -> bool:
        """Whether something is being measured that was not cancelled."""
        return self.measuring is not None

    def cancel(self) -> Any:
        """Stop measuring, and return what was found since it was taken last, if anything.

        The desk is free at once. A step inside of LAPACK cannot be interrupted: it is finished behind the scenes, its
        result is dropped, and nothing is timed before it has ended.
        """
        measuring, self.measuring = self.measuring, None
        if measuring is None:
            return None
        measuring.job.cancel()
        self._cancelled.append(measuring)
        return measuring.take()

    @property
    def is_waiting(self) -> bool:
        """Whether what was started last waits for a step of something else to finish."""
        latest = self.measuring or self.race
        return latest is not None and latest.is_waiting

    def _others(self) -> list[IsBusy]:
        """All that could disturb what is timed next."""
        self._cancelled = [one for one in self._cancelled if one.is_busy]
        races = [*self._ending, *([self.race] if self.race is not None else [])]
        return [*(partial(_is_racing, race) for race in races), *(partial(_is_busy, one) for one in self._cancelled)]

    def take_measured(self) -> tuple[Any, Job[None] | None]:
        """What was found since the last call, if anything, and the job where it has ended."""
        measuring = self.measuring
        if measuring is None:
            return None, None
        ended = measuring.job if measuring.job.is_done else None  # before what it found, which may be its last
        found = measuring.take()
        if ended is not None:
            self.measuring = None
        return found, ended

    def close(self) -> None:
        """End everything, and wait for it."""
        self._is_closed = True
        self.cancel()
        self.close_race()
        for race in self._ending:
            race.join()
        for measuring in self._cancelled:
            measuring.job.join()
        if self._loading is not None:
            self._loading.join()
        self.rate_meter.join()


def _is_racing(race: Race) -> bool:
    """Whether a race learns, or will go on to."""
    return race.is_alive and (race.is_at_work or race.state == "running")


def _is_busy(measuring: Measuring[Any]) -> bool:
    return measuring.is_busy
