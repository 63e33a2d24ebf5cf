"""State of the Race page: its settings, the race, and the sweep and tables in the background. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any

from figmn.bench import warm_up
from workbench.desk.data import DataDesk
from workbench.desk.differences import Ingredients, race_differences
from workbench.desk.machine_rate import RateMeter
from workbench.desk.measuring import IsBusy, Measuring
from workbench.desk.seat import Seat
from workbench.run.job import Job
from workbench.run.learn.learner import Stopwatch
from workbench.run.race.frame import RaceFrame
from workbench.run.race.headless import recipe_of, require_data
from workbench.run.race.race import Race
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.recipe import Recipe


class RaceDesk(Seat[Race, RaceFrame]):
    """Races, one after the other, and benchmarks, one at a time. A race starts unlimited, whatever its data."""

    def __init__(self, data: DataDesk) -> None:
        super().__init__()
        self._data = data
        self.settings = RaceSettings()
        self.measuring: Measuring[Any] | None = None
        self.stopwatches: Sequence[Stopwatch] = ()
        """One for each contender, for tests."""
        self._cancelled: list[Measuring[Any]] = []
        """Cancelled benchmarks whose last step is still running."""
        self._loading: Job[float] | None = None
        self.rate_meter = RateMeter()
        self._made: Ingredients | None = None
        """What the race was made from."""

    def get_ready(self) -> None:
        """Load the compiled loops of the engines in the background, once, so that a race starts without delay."""
        if self._loading is None:
            self._loading = Job("Loading the engines", lambda progress: warm_up())  # noqa: ARG005

    def start(self, *, is_held: bool = False, run_to: int | None = None) -> None:
        """Start a race with the present settings; the previous one is closed."""
        if self._is_closed:
            return
        settings, choices, dataset = self.settings, self._data.choices, self._data.dataset
        require_data(settings, dataset)
        self._made = self._ingredients()

        def make(number: int) -> Race:
            return Race(
                number,
                lambda: recipe_of(settings, choices, dataset),
                settings,
                self.mailbox,
                others=self._others(),
                is_held=is_held,
                speed=self.speed,
                plane=self.plane,
                stopwatches=self.stopwatches,
            )

        columns: tuple[Any, ...] = (settings.n_features,)
        if settings.source == "data" and dataset is not None:
            columns = tuple((column.name, column.kind, column.role) for column in dataset.table)
        self._begin(make, columns, run_to)

    @property
    def goes_on(self) -> bool:
        """Whether play continues the race; False if the settings have changed."""
        return self.is_live and not self.differences

    @property
    def differences(self) -> list[str]:
        """What was changed since the race shown was made."""
        if self.transport is None or self._made is None:
            return []
        n_columns = len(self.frame.columns) if self.frame is not None else None
        return race_differences(self._made, self._ingredients(), n_columns)

    def _ingredients(self) -> Ingredients:
        choices, dataset = self.settings.choices(self._data.choices), self._data.dataset
        is_synthetic = self.settings.source == "generator"
        recipe = None if is_synthetic or dataset is None else Recipe.of(dataset, choices)
        return Ingredients(self.settings, choices, recipe)

    def painted(self) -> None:
        """Tell the race that its latest frame has been painted."""
        if self.transport is not None:
            self.transport.painted()

    # Sweep and tables

    def measure(self, title: str, pieces: Callable[[], Generator[Any, None, None]]) -> None:
        """Run a benchmark in the background; the race is paused."""
        self.pause()
        self.measuring = Measuring(title, pieces, self._others())

    @property
    def is_measuring(self) -> bool:
        """Whether a benchmark is running that was not cancelled."""
        return self.measuring is not None

    def cancel(self) -> Any:
        """Cancel the benchmark, and return its latest piece if it was not taken yet.

        Returns at once. A step within LAPACK cannot be interrupted: it is finished in the background, its
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
        """Whether the race or benchmark started last waits for a step of another to finish."""
        latest = self.measuring or self.transport
        return latest is not None and latest.is_waiting

    def _others(self) -> list[IsBusy]:
        """Callbacks for everything that could disturb the next timing."""
        self._cancelled = [one for one in self._cancelled if one.is_busy]
        races = [*self._ending, *([self.transport] if self.transport is not None else [])]
        return [*(partial(_is_racing, race) for race in races), *(partial(_is_busy, one) for one in self._cancelled)]

    def take_measured(self) -> tuple[Any, Job[None] | None]:
        """The latest piece if it is new, and the job if it has ended."""
        measuring = self.measuring
        if measuring is None:
            return None, None
        ended = measuring.job if measuring.job.is_done else None  # before `take`, to get the last piece
        found = measuring.take()
        if ended is not None:
            self.measuring = None
        return found, ended

    def close(self) -> None:
        """End all threads and wait for them."""
        self.cancel()
        super().close()
        for measuring in self._cancelled:
            measuring.job.join()
        if self._loading is not None:
            self._loading.join()
        self.rate_meter.join()


def _is_racing(race: Race) -> bool:
    """Whether a race is learning, or will continue."""
    return race.is_alive and (race.is_at_work or race.state == "running")


def _is_busy(measuring: Measuring[Any]) -> bool:
    return measuring.is_busy
