"""What was changed since a run or a race was made, by name: parameters with their old and new values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from figmn.params import DECLARED, LABEL_WIDTH
from workbench.run.race.settings import MODE_NAMES, SOURCE_NAMES, TURN_NAMES, RaceSettings
from workbench.run.recipe.choices import DRIFT_NAMES, SCALE_NAMES, Choices
from workbench.run.recipe.model_file import ModelFile
from workbench.run.recipe.recipe import Recipe
from workbench.words.names import SOLVER_NAMES

SHOWN = 3
"""Differences that a line has room for."""
ENCODING = {"scaling": "scaling", "nominal": "label encoding", "missing": "missing values"}


@dataclass(frozen=True)
class Ingredients:
    """All that determines a race; the recipe only if it runs on a dataset."""

    settings: RaceSettings
    choices: Choices
    recipe: Recipe | None


def recipe_differences(made: Recipe, wanted: Recipe, n_columns: int | None = None) -> list[str]:
    """What differs between the recipe of a run, at its end, and the present settings; empty if nothing does.

    `n_columns` is the number of encoded columns of the run, for the value of an automatic δ.

    >>> from workbench.run.recipe.dataset import SampleOrigin
    >>> from figmn import Parameters
    >>> made = Recipe(SampleOrigin("iris"), choices=Choices(Parameters(delta=2)))
    >>> recipe_differences(made, Recipe(SampleOrigin("iris"), test_share=0.1))
    ['δ 2 → automatic', 'held-out rows']
    """
    now = replace(made.choices, parameters=made.parameters)
    watched = (DRIFT_NAMES[recipe.choices.drift] for recipe in (made, wanted))
    return [
        *choice_differences(now, wanted.choices, n_columns),
        *_changed("drift detection", *watched),
        *_data_differences(made, wanted),
    ]


def race_differences(made: Ingredients, wanted: Ingredients, n_columns: int | None = None) -> list[str]:
    """What differs between the ingredients of a race and the present settings; empty if nothing does.

    >>> before, after = RaceSettings(), RaceSettings(n_features=64, mode="sample")
    >>> race_differences(Ingredients(before, Choices(), None), Ingredients(after, Choices(), None))
    ['D 784 → 64', 'same clock → same sample']
    """
    old, new = made.settings, wanted.settings
    found = [
        *_changed("", SOURCE_NAMES[old.source], SOURCE_NAMES[new.source]),
        *([] if old.source != new.source else _changed("D", f"{old.n_features:,}", f"{new.n_features:,}")),
        *([] if old.source != new.source else _changed("N", f"{old.n_rows:,}", f"{new.n_rows:,}")),
        *_changed("IGMN by", SOLVER_NAMES[old.solver], SOLVER_NAMES[new.solver]),
        *_changed("", MODE_NAMES[old.mode], MODE_NAMES[new.mode]),
        *_changed("", TURN_NAMES[old.takes_turns], TURN_NAMES[new.takes_turns]),
        *choice_differences(made.choices, wanted.choices, n_columns),
    ]
    if made.recipe is not None and wanted.recipe is not None:
        found += _data_differences(made.recipe, wanted.recipe)
    return found


def choice_differences(made: Choices, wanted: Choices, n_columns: int | None = None) -> list[str]:
    """Parameters that have changed, each with its old and its new value.

    >>> from figmn import Parameters
    >>> choice_differences(Choices(), Choices(Parameters(delta=1.0), seed=7), n_columns=13)
    ['δ automatic (1.08) → 1', 'seed 0 → 7']
    """
    old, new = made.parameters, wanted.parameters
    return [
        *(
            f"{old.phrase(name, n_columns)} → {declared.text(getattr(new, name))}"
            for name, declared in DECLARED.items()
            if getattr(old, name) != getattr(new, name)
        ),
        *_changed("δ relative to", SCALE_NAMES[made.scale], SCALE_NAMES[wanted.scale]),
        *_changed(LABEL_WIDTH.label, *(LABEL_WIDTH.text(_label_width(choices)) for choices in (made, wanted))),
        *_changed("seed", f"{made.seed}", f"{wanted.seed}"),
    ]


def _label_width(choices: Choices) -> float:
    """The label width in force: running deviations have none."""
    return choices.label_width if choices.scale == "dataset" else LABEL_WIDTH.default


def changed_words(differences: Sequence[str], what: str = "run", most: int | None = SHOWN) -> str:
    """One sentence with at most `most` differences; None for all.

    >>> changed_words(["δ 2 → 1"])
    'Changed since this run: δ 2 → 1'
    >>> changed_words(["order", "scaling", "missing values", "seed 0 → 1", "kind of x"], "race")
    'Changed since this race: order, scaling, missing values and 2 more'
    """
    shown = differences[:most]
    more = len(differences) - len(shown)
    return f"Changed since this {what}: {', '.join(shown)}{f' and {more:,} more' if more else ''}"


def _data_differences(made: Recipe, wanted: Recipe) -> list[str]:
    if made.origin != wanted.origin:
        return ["data"]  # the other differences follow from the data
    orders = ((order.kind, order.column) for order in (made.order, wanted.order))
    return [
        *_starts(made.model, wanted.model),
        *_columns("kind", made.kinds, wanted.kinds),
        *_columns("role", *_roles(made, wanted)),
        *_columns("selection", *_learned_selections(made, wanted)),
        *(words for name, words in ENCODING.items() if getattr(made.encoding, name) != getattr(wanted.encoding, name)),
        *_named("order", orders),
        *_named("held-out rows", (made.test_share, wanted.test_share)),
        *_named("number of samples", (made.n_samples, wanted.n_samples)),
    ]


def _roles(made: Recipe, wanted: Recipe) -> list[dict[str, str]]:
    """A saved selection that is not learned changes nothing, whether it is there or not."""
    unlearned = {saved.name: "ignored" for saved in (*made.selections, *wanted.selections)}
    return [{**unlearned, **recipe.roles} for recipe in (made, wanted)]


def _learned_selections(made: Recipe, wanted: Recipe) -> list[dict[str, str]]:
    """The rows of selections that both recipes learn from, as text."""
    found = [
        {
            saved.name: str(saved.rows)
            for saved in recipe.selections
            if recipe.roles.get(saved.name, "ignored") != "ignored"
        }
        for recipe in (made, wanted)
    ]
    both = found[0].keys() & found[1].keys()
    return [{name: rows[name] for name in both} for rows in found]


def _starts(made: ModelFile | None, wanted: ModelFile | None) -> list[str]:
    before, after = ("empty" if model is None else model.title for model in (made, wanted))
    return [] if made == wanted else _changed("start:", before, after) or [f"start: another {after}"]


def _columns(thing: str, made: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    names = [name for name in {**made, **wanted} if made.get(name) != wanted.get(name)]
    return [] if not names else [f"{thing} of {names[0]}" if len(names) == 1 else f"{thing}s of {len(names):,} columns"]


def _changed(name: str, before: str, after: str) -> list[str]:
    return [] if before == after else [f"{name} {before} → {after}".strip()]


def _named(name: str, both: Iterable[Any]) -> list[str]:
    before, after = both
    return [] if before == after else [name]
