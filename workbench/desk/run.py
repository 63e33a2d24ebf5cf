"""The run of the Stream page: data, speed and display. No Qt."""

from __future__ import annotations

from dataclasses import replace

from workbench.desk.data import DataDesk
from workbench.desk.differences import recipe_differences
from workbench.desk.seat import Seat
from workbench.run.learn.runner import Runner
from workbench.run.recipe.choices import Change
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.model_file import ModelFile, OpenedModel
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.going_on import require_fit
from workbench.run.show.frame import Frame
from workbench.run.show.points import KEPT
from workbench.source.table.table import Table
from workbench.words.names import file_name_of
from workbench.words.sentences import UserError


class RunDesk(Seat[Runner, Frame]):
    """Runs of the present dataset, one after the other."""

    def __init__(self, data: DataDesk) -> None:
        super().__init__()
        self._data = data
        self.pause_on = (False, False)
        """Whether to pause at births, and at removals."""
        self.trail = KEPT
        """Latest samples that a frame shows, as far as they are kept."""
        self.matrix: tuple[int, ...] | None = None
        """Columns of the scatter matrix, none for those that suit the data; None: no matrix is shown."""
        self.tour_speed = 0.0
        """Radians a second by which the plane of the tour turns; 0: it stands still."""
        self.model: OpenedModel | None = None
        """The model that runs go on from; None: they start empty."""

    def start(self, *, is_held: bool = False, run_to: int | None = None, changes: tuple[Change, ...] = ()) -> None:
        """Start a run with the present settings, and `changes` of parameters during it; the previous one is closed."""
        if self._is_closed:
            return
        recipe, dataset = self.next_recipe, self._data.dataset
        if recipe is None or dataset is None:
            raise UserError("There is no data to run: open a file or choose a sample first.")
        recipe = replace(recipe, changes=changes)
        if self.model is not None:
            require_fit(self.model, recipe, dataset)  # before what is shown is given up
        self._run(recipe, dataset, is_held, run_to)

    def look_at(self, model: OpenedModel) -> None:
        """Show a model alone, from which the next runs go on; the previous run is closed."""
        if self._is_closed:
            return
        self.model = model
        table = model.table
        self._run(Recipe(model.file, choices=model.choices), Dataset(model.file, table, table), True, None)

    def start_empty(self) -> None:
        """Runs no longer go on from a model; one that is only looked at is closed."""
        self.model = None
        if self.is_looked_at:
            self.close_transport()
            self.frame = None

    @property
    def is_looked_at(self) -> bool:
        """Whether a model is shown without data."""
        return self.transport is not None and isinstance(self.transport.recipe.origin, ModelFile)

    @property
    def table(self) -> Table | None:
        """Rows to ask about and to score: of the run, or of the present dataset where a model is looked at."""
        if self.transport is None or not self.is_looked_at:
            return None if self.transport is None else self.transport.table
        dataset = self._data.dataset
        return dataset.table if dataset is not None and dataset.is_whole else None

    def _run(self, recipe: Recipe, dataset: Dataset, is_held: bool, run_to: int | None) -> None:
        def make(number: int) -> Runner:
            return Runner(
                number,
                recipe,
                dataset,
                self.mailbox,
                is_held=is_held,
                speed=self.speed,
                plane=self.plane,
                pause_on=self.pause_on,
                trail=self.trail,
                model=self.model,
                tour_speed=self.tour_speed,
                matrix=self.matrix,
            )

        columns = tuple((column.name, column.kind, column.role) for column in dataset.table)
        if columns != self.columns and self.matrix is not None:
            self.matrix = ()
        self._begin(make, columns, run_to)

    @property
    def next_recipe(self) -> Recipe | None:
        """The recipe of a run with the present settings; None without data."""
        recipe = self._data.recipe
        return recipe if recipe is None or self.model is None else replace(recipe, model=self.model.file)

    @property
    def file_name(self) -> str:
        """The name of a file to propose for what the run has made, without an ending."""
        return file_name_of("workbench" if self.transport is None else self.transport.recipe.origin.title)

    @property
    def is_of_the_data(self) -> bool:
        """Whether there is a run of the present dataset."""
        dataset = self._data.dataset
        return self.transport is not None and dataset is not None and self.transport.recipe.origin == dataset.origin

    @property
    def goes_on(self) -> bool:
        """Whether play continues the run; False if it is of other data than the present."""
        return self.is_of_the_data and self.is_live

    @property
    def is_stale(self) -> bool:
        """Whether the run shown was made with other settings than the present ones."""
        return bool(self.differences)

    @property
    def differences(self) -> list[str]:
        """What was changed since the run shown was made; changes during the run do not count."""
        if self.transport is None or self.is_looked_at:
            return []
        wanted = self.next_recipe
        if wanted is None:
            return ["data"]
        return recipe_differences(self.transport.recipe, wanted, self.transport.n_columns)

    def apply_choices(self) -> None:
        """Use the chosen hyper-parameters in the present run, as far as they may change during a run."""
        if self.transport is not None and self.goes_on:
            self.transport.change(self._data.choices.parameters)

    def suit_speed(self) -> None:
        """Set the default speed for the present data, unless they are unchanged or the user chose a speed."""
        before = self.speed
        if self._data.dataset is not None:
            self._speed.suit(self._data.dataset)
        if self.speed != before and self.is_of_the_data:
            self._apply_speed()

    def show_colour(self) -> None:
        """Colour the points by what is chosen for the dataset."""
        dataset = self._data.dataset
        if self.transport is not None and dataset is not None and self.is_of_the_data:
            name = dataset.colour_column
            column = dataset.table[name] if dataset.is_whole and name is not None else None
            self.transport.set_colour(dataset.colour_choice, column)

    def set_trail(self, n_points: int) -> None:
        """Show the latest `n_points` samples; 0 for all that are kept."""
        self.trail = n_points or KEPT
        if self.transport is not None:
            self.transport.set_trail(self.trail)

    def set_matrix(self, columns: tuple[int, ...] | None) -> None:
        """Show a scatter matrix of these columns, of some where none are given; None for the single plot."""
        self.matrix = columns
        if self.transport is not None:
            self.transport.set_matrix(columns)

    def set_tour_speed(self, radians_per_second: float) -> None:
        """Turn the plane of the tour; 0 stops it."""
        self.tour_speed = radians_per_second
        if self.transport is not None:
            self.transport.set_tour_speed(radians_per_second)

    def set_pause_on(self, births: bool, removals: bool) -> None:
        """Pause at the next birth or removal."""
        self.pause_on = (births, removals)
        if self.transport is not None:
            self.transport.set_pause_on(births, removals)
