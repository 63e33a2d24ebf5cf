"""What is evaluated and how: the data and settings of a recipe, what is predicted, by whom, and on which rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workbench.run.recipe.dataset import FileOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.source import Table
from workbench.words.numbers import percent
from workbench.words.sentences import UserError

TaskKind = Literal["classes", "numbers", "density"]
MOST_FOLDS, MOST_REPEATS = 100, 100


def _check(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise UserError(
            "{value:,} {what} are not possible: choose a number from {low:,} to {high:,}.",
            value=value,
            what=what,
            low=low,
            high=high,
        )


def _times(n_repeats: int) -> str:
    return f", {n_repeats:,} times" if n_repeats > 1 else ""


@dataclass(frozen=True)
class Task:
    """What is predicted: a nominal target, a number, or nothing but the density of the rows."""

    kind: TaskKind
    target: str | None = None
    """None for the density."""
    is_date: bool = False
    """Whether its numbers are days since 1970."""

    @property
    def words(self) -> str:
        """The target, or that there is none."""
        return "density of the rows" if self.target is None else self.target


def tasks_of(table: Table) -> tuple[Task, ...]:
    """What can be evaluated: every target with values, and the density of all columns in use.

    >>> from workbench.source import sample
    >>> [task.words for task in tasks_of(sample("iris").read())]
    ['class', 'density of the rows']
    """
    found = [
        Task("classes" if column.kind == "nominal" else "numbers", column.name, column.kind == "date")
        for column in table.targets
        if column.kind != "string" and not column.is_empty
    ]
    return (*found, Task("density"))


@dataclass(frozen=True)
class TrainingSet:
    """All rows are learned, and the same rows are tested."""

    @property
    def words(self) -> str:
        """For people."""
        return "on the training set"


@dataclass(frozen=True)
class SuppliedFile:
    """All rows are learned, and those of another file are tested."""

    origin: FileOrigin

    @property
    def words(self) -> str:
        """For people."""
        return f"on {self.origin.title}"


@dataclass(frozen=True)
class Folds:
    """Cross-validation: every row is tested once in every repeat, by a model that has not learned it."""

    n_folds: int = 10
    n_repeats: int = 1

    def __post_init__(self) -> None:
        _check("folds", self.n_folds, 2, MOST_FOLDS)
        _check("repeats", self.n_repeats, 1, MOST_REPEATS)

    @property
    def words(self) -> str:
        """For people.

        >>> Folds().words, Folds(5, 3).words
        ('10-fold cross-validation', '5-fold cross-validation, 3 times')
        """
        return f"{self.n_folds}-fold cross-validation{_times(self.n_repeats)}"


@dataclass(frozen=True)
class Split:
    """A share of the rows is learned, and the rest is tested."""

    share: float = 0.66
    n_repeats: int = 1
    is_ordered: bool = False
    """The first rows, in the order of the recipe, are learned; otherwise rows are drawn, every class by the same
    share."""

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise UserError(
                "{value:.4g} of the rows cannot be learned: the share must lie between 0 and 1.", value=self.share
            )
        _check("repeats", self.n_repeats, 1, 1 if self.is_ordered else MOST_REPEATS)

    @property
    def words(self) -> str:
        """For people.

        >>> Split().words, Split(0.5, is_ordered=True).words
        ('66 % learned, the rest tested', 'the first 50 % learned, the rest tested')
        """
        which = "the first " if self.is_ordered else ""
        return f"{which}{percent(self.share)} learned, the rest tested{_times(self.n_repeats)}"


@dataclass(frozen=True)
class Prequential:
    """Every row is tested before it is learned, in the order of the recipe."""

    window: int = 200
    """Latest rows over which figures are taken."""
    fading: float = 0.995
    """Weight of a row relative to the row after it."""
    delay: int = 0
    """Rows between a row and the one before which its target becomes known, so that it is learned."""

    def __post_init__(self) -> None:
        _check("rows of the window", self.window, 1, 10**7)
        _check("rows of delay", self.delay, 0, 10**7)
        if not 0 < self.fading < 1:
            raise UserError(
                "A fading factor of {value:.6g} is not possible: choose one between 0 and 1.", value=self.fading
            )

    @property
    def words(self) -> str:
        """For people.

        >>> Prequential().words, Prequential(delay=50).words
        ('prequential', 'prequential, targets 50 rows late')
        """
        return "prequential" + (f", targets {self.delay:,} rows late" if self.delay else "")


TestOption = TrainingSet | SuppliedFile | Folds | Split | Prequential


@dataclass(frozen=True)
class Plan:
    """An evaluation that can be made again."""

    recipe: Recipe
    """Data, roles, encoding, order, hyper-parameters and seed; its own held-out share does not count."""
    task: Task
    option: TestOption = Folds()
    method: str = "joint"
    """Form of Fast IGMN: a name of `methods.forms`."""
    baseline: str | None = None
    """What it is compared with on the same rows: a name of `methods.baselines`."""
