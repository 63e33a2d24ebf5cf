"""The dataset with its undo history, and the hyper-parameters chosen for it. No Qt."""

from __future__ import annotations

from numpy.typing import ArrayLike

from workbench.desk.selection import How, Selection
from workbench.desk.versions import Versions
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Dataset, Origin
from workbench.run.recipe.recipe import Recipe


class DataDesk:
    """Data and settings of the next run."""

    def __init__(self, choices: Choices = Choices()) -> None:
        self.versions: Versions[Dataset | None] = Versions(None, _sizes)
        self.choices = choices
        self.n_samples: int | None = None
        """Samples after which a run ends; None for the end of its data."""
        self._chosen_for: Origin | None = None
        """The data for which the choices were made."""
        self.how: How = "replace"
        """What choosing rows does to the selection where no key says otherwise."""
        self._selection = Selection()
        self._selected_of: Origin | None = None
        """The data whose rows are selected."""

    @property
    def dataset(self) -> Dataset | None:
        """The present dataset."""
        return self.versions.present

    @property
    def recipe(self) -> Recipe | None:
        """The recipe of a run with the present settings."""
        return None if self.dataset is None else Recipe.of(self.dataset, self.choices, self.n_samples)

    def take_dataset(self, dataset: Dataset, what: str) -> None:
        """Make a dataset the present one; `what` names the change, for undo."""
        self.n_samples = None  # it belonged to the recipe of the previous data
        self.versions.change(dataset, what)

    @property
    def selection(self) -> Selection:
        """The rows selected on all pages; of other data than those that they were selected in, none."""
        dataset = self.dataset
        if dataset is None:
            return Selection(n_rows=0)
        n_rows = dataset.table.n_rows if dataset.is_whole else None
        if self._selected_of == dataset.origin and self._selection.n_rows == n_rows:
            return self._selection
        return Selection(n_rows=n_rows)

    def select(self, rows: ArrayLike, how: How = "replace") -> None:
        """Select rows of the present dataset; UserError where it has no such rows."""
        self.take_selection(self.selection.changed(rows, how))

    def take_selection(self, selection: Selection) -> None:
        """Replace the selection."""
        self._selection, self._selected_of = selection, None if self.dataset is None else self.dataset.origin

    def set_choices(self, choices: Choices) -> None:
        """Set hyper-parameters, as chosen for the present data."""
        self.choices = choices
        self.keep_choices()

    def keep_choices(self) -> None:
        """Mark the choices as made for the present data."""
        self._chosen_for = None if self.dataset is None else self.dataset.origin

    @property
    def carried_over(self) -> str:
        """Title of the other data that the choices were made for; empty for defaults and for the present data's own."""
        made_for, present = self._chosen_for, self.dataset
        if made_for is None or present is None or present.origin == made_for or self.choices == Choices():
            return ""
        return made_for.title


def _sizes(dataset: Dataset | None) -> dict[int, int]:
    return {} if dataset is None else dataset.sizes()
