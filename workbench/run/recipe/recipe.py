"""Everything that makes a result, frozen: data, encoding, hyper-parameters and seed. As JSON it can be run again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from figmn import Parameters
from figmn.params import BETA, DELTA, SP_MIN, V_MIN
from workbench.run.files import write_safely
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Colour, Dataset, Origin, load
from workbench.run.recipe.layout import ChangeLayout, DataLayout, Layout, OrderLayout, read_layout, write_layout
from workbench.run.recipe.typed_json import JsonError
from workbench.source import Encoding, Order
from workbench.source.errors import SourceError, shortened
from workbench.source.read.opening import require_regular
from workbench.source.read.options import Progress, silent
from workbench.source.table.table import Kind, Role
from workbench.words.sentences import UserError

LONGEST_TITLE = 32
"""Characters of a title in a description."""
CHANGEABLE = ("beta", "v_min", "sp_min")
"""Hyper-parameters that a run can change from one sample to the next."""


class RecipeError(UserError):
    """A recipe that cannot be used: the place, the value and the remedy."""


@dataclass(frozen=True)
class Change:
    """Hyper-parameters that were changed during the run, from a sample on."""

    sample: int
    """How many samples were learned before it."""
    beta: float
    v_min: float
    sp_min: float


@dataclass(frozen=True)
class Recipe:
    """What a run is made from.

    >>> from workbench.run.recipe.dataset import SampleOrigin
    >>> recipe = Recipe(SampleOrigin("iris"), roles={"class": "ignored"})
    >>> Recipe.from_text(recipe.to_text()) == recipe
    True
    >>> recipe.describe()
    'iris · δ automatic · β 0.0001 · v_min 100 · sp_min 3 · exact · seed 0'
    >>> recipe.describe(n_columns=4).split(" · ")[1]
    'δ automatic (0.33)'
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
    """Samples after which the run ends; None: with the data, which a generator without end never does."""
    changes: tuple[Change, ...] = ()
    colour: Colour | None = field(default=None, compare=False)
    """What points are coloured by; it makes no other run. None: by the class."""

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
        )

    def dataset(self, progress: Progress = silent) -> Dataset:
        """Load the data again and do to it what was done."""
        return self.applied(load(self.origin, progress))

    def applied(self, dataset: Dataset) -> Dataset:
        """A dataset as it was loaded, with what was done to it."""
        changed = dataset.with_kinds(dict(self.kinds)).with_roles(dict(self.roles)).with_encoding(self.encoding)
        return changed.with_order(self.order).with_test_share(self.test_share).with_colour(self.colour)

    @property
    def parameters(self) -> Parameters:
        """The hyper-parameters in force after the last change."""
        if not self.changes:
            return self.choices.parameters
        latest = self.changes[-1]
        return replace(self.choices.parameters, **{name: getattr(latest, name) for name in CHANGEABLE})

    def changed(self, sample: int, parameters: Parameters) -> Recipe:
        """The recipe of a run whose hyper-parameters are changed before its next sample."""
        if _changeable(parameters) == _changeable(self.parameters):
            return self
        earlier = tuple(change for change in self.changes if change.sample < sample)
        changed = replace(self, changes=earlier)
        if _changeable(parameters) == _changeable(changed.parameters):
            return changed
        change = Change(sample, **_changeable(parameters))
        return replace(self, changes=(*earlier, change))

    def describe(self, n_columns: int | None = None) -> str:
        """One line for people; the number of encoded columns, where it is known, tells the value of an automatic δ."""
        values = self.parameters
        numbers = ((BETA, values.beta), (V_MIN, values.v_min), (SP_MIN, values.sp_min))
        parts = [
            shortened(self.origin.title, LONGEST_TITLE),
            f"δ {delta_text(values.delta, n_columns)}",
            *(f"{declared.symbol} {declared.text(value)}" for declared, value in numbers),
        ]
        parts += [values.covariance]
        parts += [self.order.kind] * (self.order.kind != "as is") + [f"seed {self.choices.seed}"]
        return " · ".join(parts)

    def to_text(self) -> str:
        """As JSON."""
        order = OrderLayout(self.order.kind, self.order.column)
        data = DataLayout(self.origin, self.kinds, self.roles, self.encoding, order, self.test_share, self.colour)
        changes = tuple(ChangeLayout(**vars(change)) for change in self.changes)
        choices = self.choices
        return write_layout(Layout(data, choices.parameters, choices.scale, choices.seed, self.n_samples, changes))

    def to_json(self, path: str | Path) -> None:
        """Write it to a file; one that was there before stays whole until the new one is."""
        write_safely(path, lambda new: new.write_text(self.to_text(), encoding="utf-8"))

    @staticmethod
    def from_json(path: str | Path) -> Recipe:
        """Read a recipe; a file that it names is looked for from the recipe's folder."""
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
            return _from_layout(read_layout(text, folder))
        except JsonError as error:
            if error.place:
                raise RecipeError("{name}, {problem}.", name=name, problem=str(error).rstrip(".")) from error
            raise RecipeError("{name}: {problem}.", name=name, problem=str(error).rstrip(".")) from error


def delta_text(delta: float | None, n_columns: int | None = None) -> str:
    """δ in words and figures for people, where it is automatic with its value for a number of encoded columns.

    >>> delta_text(0.5), delta_text(None), delta_text(None, n_columns=13)
    ('0.5', 'automatic', 'automatic (1.08)')
    """
    if delta is not None:
        return DELTA.text(delta)
    return "automatic" if n_columns is None else f"automatic ({DELTA.default_for(n_columns):.3g})"


def _from_layout(layout: Layout) -> Recipe:
    data, start = layout.data, _changeable(layout.parameters)
    changes = [{name: part for name, part in vars(change).items() if part is not None} for change in layout.changes]
    return Recipe(
        origin=data.origin,
        kinds=data.kinds,
        roles=data.roles,
        encoding=data.encoding,
        order=data.order.order(layout.seed),
        test_share=data.test_share,
        choices=Choices(layout.parameters, layout.scale, layout.seed),
        n_samples=layout.n_samples,
        changes=tuple(Change(**(start | change)) for change in changes),
        colour=data.colour,
    )


def _unreadable(path: Path, error: Exception) -> RecipeError:
    if isinstance(error, UnicodeDecodeError):
        return RecipeError("{file} is not text, so it is no recipe. Choose a .json file.", file=path)
    if isinstance(error, SourceError):
        return RecipeError("{problem}", problem=error)
    reason = getattr(error, "strerror", None) or error
    return RecipeError("{file} cannot be read ({reason}). Choose another recipe.", file=path, reason=str(reason))


def _changeable(parameters: Parameters) -> dict[str, Any]:
    """What can be changed during a run."""
    return {name: getattr(parameters, name) for name in CHANGEABLE}
