"""Everything that determines a result, frozen: data, encoding, hyper-parameters and seed. As JSON it can be re-run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from figmn import Parameters
from figmn.params import CHANGEABLE, CHOICES, LABEL_WIDTH, NEUTRAL, NUMBERS
from workbench.run.files import write_safely
from workbench.run.recipe.choices import Change, Choices
from workbench.run.recipe.dataset import Colour, Dataset, Origin, load
from workbench.run.recipe.layout import DataLayout, Layout, OrderLayout, read_layout, write_layout
from workbench.run.recipe.model_file import ModelFile
from workbench.run.recipe.saved_selection import SavedSelection
from workbench.source import Encoding, Order
from workbench.source.errors import SourceError, shortened
from workbench.source.read.opening import require_regular
from workbench.source.read.options import Progress, silent
from workbench.source.table.table import Kind, Role
from workbench.words.decode import DecodeError
from workbench.words.sentences import UserError

LONGEST_TITLE = 32
"""Characters of a title in a description."""


class RecipeError(UserError):
    """A recipe that cannot be used: the place, the value and the remedy."""


@dataclass(frozen=True)
class Recipe:
    """What a run is made from.

    >>> from workbench.run.recipe.dataset import SampleOrigin
    >>> recipe = Recipe(SampleOrigin("iris"), roles={"class": "ignored"})
    >>> Recipe.from_text(recipe.to_text()) == recipe
    True
    >>> recipe.with_parameters(NEUTRAL).describe()
    'iris · δ automatic · β 0.0001 · v_min 100 · sp_min 3 · exact · seed 0'
    >>> recipe.with_parameters(NEUTRAL | {"memory": 500}).describe(n_columns=4)
    'iris · δ automatic (0.33) · β 0.0001 · v_min 100 · sp_min 3 · memory 500 · exact · seed 0'
    """

    origin: Origin
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    encoding: Encoding = Encoding()
    order: Order = Order()
    """Its seed is that of the choices."""
    test_share: float = 0.0
    choices: Choices = Choices()
    n_samples: int | None = None
    """Samples after which the run ends; None: at the end of the data, which an endless generator does not have."""
    changes: tuple[Change, ...] = ()
    colour: Colour | None = field(default=None, compare=False)
    """What points are coloured by; it does not affect results. None: by the class."""
    model: ModelFile | None = None
    """The model that the run goes on from, with its columns, labels, units and widths; None: it starts empty."""
    selections: tuple[SavedSelection, ...] = ()
    """Columns that say which rows the user has selected."""

    @staticmethod
    def of(dataset: Dataset, choices: Choices, n_samples: int | None = None) -> Recipe:
        """The recipe of a dataset as it was loaded and changed."""
        return Recipe(
            dataset.origin,
            dataset.kinds,
            dataset.roles,
            dataset.encoding,
            replace(dataset.order, seed=choices.seed),
            dataset.test_share,
            choices,
            n_samples,
            colour=dataset.colour,
            selections=dataset.selections,
        )

    def dataset(self, progress: Progress = silent) -> Dataset:
        """Load the data again and apply saved selections, kinds, roles, encoding, order, split and colour."""
        return self.applied(load(self.origin, progress))

    def applied(self, dataset: Dataset) -> Dataset:
        """A freshly loaded dataset with kinds, roles, encoding, order, split and colour of the recipe."""
        for saved in self.selections:
            dataset = dataset.with_selection(saved)
        changed = dataset.with_kinds(dict(self.kinds)).with_roles(dict(self.roles)).with_encoding(self.encoding)
        return changed.with_order(self.order).with_test_share(self.test_share).with_colour(self.colour)

    @property
    def parameters(self) -> Parameters:
        """The hyper-parameters in force after the last change."""
        if not self.changes:
            return self.choices.parameters
        return replace(self.choices.parameters, **self.changes[-1].values)

    def with_parameters(self, values: Mapping[str, Any]) -> Recipe:
        """With other values of some hyper-parameters, for the whole run: changes during the run keep them too.

        >>> from workbench.run.recipe.dataset import SampleOrigin
        >>> Recipe(SampleOrigin("iris")).with_parameters({"beta": 0.5}).parameters.beta
        0.5
        """
        choices = replace(self.choices, parameters=replace(self.choices.parameters, **values))
        changeable = {name: value for name, value in values.items() if name in CHANGEABLE}
        changes = tuple(replace(change, values={**change.values, **changeable}) for change in self.changes)
        return replace(self, choices=choices, changes=changes)

    def watching_drift(self) -> Recipe:
        """The same run, watched for drifts.

        >>> from workbench.run.recipe.dataset import SampleOrigin
        >>> Recipe(SampleOrigin("iris")).watching_drift().choices.drift
        True
        """
        return replace(self, choices=replace(self.choices, drift=True))

    def changed(self, sample: int, parameters: Parameters) -> Recipe:
        """The recipe of a run whose hyper-parameters are changed before its next sample."""
        values = parameters.changeable()
        if values == self.parameters.changeable():
            return self
        earlier = tuple(change for change in self.changes if change.sample < sample)
        changed = replace(self, changes=earlier)
        if values == changed.parameters.changeable():
            return changed
        return replace(self, changes=(*earlier, Change(sample, values)))

    def describe(self, n_columns: int | None = None) -> str:
        """One line for people; `n_columns`, the number of encoded columns, gives the value of an automatic δ.

        What the paper does not have is named only where it changes something.
        """
        values = self.parameters
        named = [name for name in NUMBERS if name not in NEUTRAL or getattr(values, name) != NEUTRAL[name]]
        parts = [
            shortened(self.origin.title, LONGEST_TITLE),
            *(values.phrase(name, n_columns) for name in named),
            *(getattr(values, name) for name in CHOICES),
        ]
        if self.choices.scale == "dataset" and self.choices.label_width != LABEL_WIDTH.default:
            parts.append(f"{LABEL_WIDTH.label} {LABEL_WIDTH.text(self.choices.label_width)}")
        parts += [self.order.kind] * (self.order.kind != "as is") + [f"seed {self.choices.seed}"]
        parts += [] if self.model is None else [f"goes on from {shortened(self.model.title, LONGEST_TITLE)}"]
        return " · ".join(parts)

    def to_text(self) -> str:
        """The recipe as JSON."""
        if isinstance(self.origin, ModelFile):
            raise RecipeError(
                "{file} is a model, and no recipe says how it was learned. Open a table to go on learning first.",
                file=Path(self.origin.path),
            )
        order = OrderLayout(self.order.kind, self.order.column)
        data = DataLayout(self.origin, self.kinds, self.roles, self.encoding, order, self.test_share, self.colour)
        data = replace(data, selections=self.selections)
        made = self.choices
        given = (made.parameters, made.scale, made.seed, self.n_samples, self.changes, made.drift, made.label_width)
        return write_layout(Layout(data, *given, self.model))

    def to_json(self, path: str | Path) -> None:
        """Write it to a file, atomically: an existing file is replaced only by a complete one."""
        write_safely(path, lambda new: new.write_text(self.to_text(), encoding="utf-8"))

    @staticmethod
    def from_json(path: str | Path) -> Recipe:
        """Read a recipe; a relative path of a data file starts at the recipe's folder."""
        path = Path(path)
        try:
            require_regular(path)
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            raise _unreadable(path, error) from error
        return Recipe.from_text(text, path.name, path.parent)

    @staticmethod
    def from_text(text: str, name: str = "recipe", folder: Path | None = None) -> Recipe:
        """Read a recipe from JSON."""
        try:
            return _from_layout(read_layout(text, name, folder))
        except DecodeError as error:
            raise RecipeError("{problem}", problem=error) from error


def _from_layout(layout: Layout) -> Recipe:
    data = layout.data
    return Recipe(
        origin=data.origin,
        kinds=data.kinds,
        roles=data.roles,
        encoding=data.encoding,
        order=data.order.order(layout.seed),
        test_share=data.test_share,
        choices=Choices(layout.parameters, layout.scale, layout.seed, layout.drift, layout.label_width),
        n_samples=layout.n_samples,
        changes=layout.changes,
        colour=data.colour,
        selections=data.selections,
        model=layout.model,
    )


def _unreadable(path: Path, error: Exception) -> RecipeError:
    if isinstance(error, UnicodeDecodeError):
        return RecipeError("{file} is not text, so it is no recipe. Choose a .json file.", file=path)
    if isinstance(error, SourceError):
        return RecipeError("{problem}", problem=error)
    reason = getattr(error, "strerror", None) or error
    return RecipeError("{file} cannot be read ({reason}). Choose another recipe.", file=path, reason=str(reason))
