"""What was changed since a run or a race: everything that makes another one is named."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from figmn import Parameters
from workbench.desk.differences import Ingredients, changed_words, race_differences, recipe_differences
from workbench.run import Choices, Recipe, SampleOrigin
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.choices import Change
from workbench.run.recipe.model_file import ModelFile
from workbench.run.recipe.saved_selection import SavedSelection
from workbench.source import Encoding, Order

MADE = Recipe(SampleOrigin("iris"), roles={"class": "target", "petalwidth": "input"})
OTHERS: dict[str, tuple[Any, str]] = {
    "origin": (SampleOrigin("wine"), "data"),
    "kinds": ({"petalwidth": "nominal"}, "kind of petalwidth"),
    "roles": ({"class": "ignored", "petalwidth": "ignored"}, "roles of 2 columns"),
    "encoding": (
        Encoding(scaling="standard", nominal="index", missing="drop"),
        "scaling, label encoding, missing values",
    ),
    "order": (Order("shuffled"), "order"),
    "test_share": (0.2, "held-out rows"),
    "n_samples": (100, "number of samples"),
    "changes": ((Change(10, Parameters(beta=0.5).changeable()),), "β 0.5 → 0.0001"),
    "model": (ModelFile("models/iris.figmn", "ab"), "start: empty → iris.figmn"),
}
CHOICES = (
    (Choices(Parameters(delta=1.0)), "δ automatic (0.58) → 1"),
    (Choices(Parameters(beta=0.0)), "β 0.0001 → 0"),
    (Choices(Parameters(v_min=float("inf"), sp_min=2)), "v_min 100 → never, sp_min 3 → 2"),
    (Choices(Parameters(covariance="published")), "covariance exact → published"),
    (Choices(scale="running"), "δ relative to column std → running std"),
    (Choices(seed=3), "seed 0 → 3"),
)


def words(made: Recipe, wanted: Recipe) -> str:
    return ", ".join(recipe_differences(made, wanted, n_columns=7))


@pytest.mark.parametrize("name", OTHERS)
def test_each_part_of_a_recipe_is_named(name: str) -> None:
    other = replace(MADE, **{name: OTHERS[name][0]})
    pair = (other, MADE) if name == "changes" else (MADE, other)
    assert words(*pair) == OTHERS[name][1]
    assert not words(MADE, MADE)


def test_another_model_of_the_same_name_is_another_start() -> None:
    made, wanted = (replace(MADE, model=ModelFile("iris.figmn", sha256)) for sha256 in ("ab", "cd"))
    assert words(made, wanted) == "start: another iris.figmn"


def test_no_part_of_a_recipe_is_forgotten() -> None:
    compared = {field.name for field in fields(Recipe) if field.compare}
    assert compared == {*OTHERS, "choices", "selections"}


def test_a_saved_selection_is_told_where_it_is_learned() -> None:
    some, others = (SavedSelection.of("mine", rows) for rows in ([1, 2], [1, 3]))
    assert words(MADE, replace(MADE, selections=(some,))) == "", "it is ignored"
    learned = replace(MADE, selections=(some,), roles={**MADE.roles, "mine": "input"})
    assert words(MADE, learned) == "role of mine"
    assert words(learned, replace(learned, selections=(others,))) == "selection of mine"


@pytest.mark.parametrize(("choices", "expected"), CHOICES)
def test_parameters_are_named_with_old_and_new_values(choices: Choices, expected: str) -> None:
    assert words(MADE, replace(MADE, choices=choices)) == expected


def test_of_other_data_only_the_data_and_the_parameters_are_told() -> None:
    wanted = Recipe(SampleOrigin("wine"), order=Order("shuffled"), choices=Choices(seed=1))
    assert words(MADE, wanted) == "seed 0 → 1, data"


def race_words(made: Ingredients, **wanted: Any) -> str:
    return ", ".join(race_differences(made, replace(made, **wanted), n_columns=4))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"source": "data", "n_rows": 60}, "synthetic Gaussian → my data"),
        ({"n_features": 64, "n_rows": 60}, "D 784 → 64, N 500 → 60"),
        ({"solver": "inverse"}, "IGMN by Cholesky → inverse + determinant"),
        ({"mode": "sample"}, "same clock → same sample"),
        ({"takes_turns": False}, "take turns → at the same time"),
        ({"values": "form"}, ""),  # told by the parameters that come of it
    ],
)
def test_each_setting_of_a_race_is_named(changes: dict[str, Any], expected: str) -> None:
    assert race_words(Ingredients(RaceSettings(), Choices(), None), settings=RaceSettings(**changes)) == expected


def test_a_race_on_data_names_parameters_and_data() -> None:
    made = Ingredients(RaceSettings(source="data", values="form"), Choices(), MADE)
    wanted = {"choices": Choices(Parameters(delta=2.0)), "recipe": replace(MADE, order=Order("shuffled"))}
    assert race_words(made, **wanted) == "δ automatic (0.33) → 2, order"


def test_a_long_list_is_shortened_and_told_whole() -> None:
    found = [f"role of x{i}" for i in range(6)]
    assert changed_words(found) == "Changed since this run: role of x0, role of x1, role of x2 and 3 more"
    assert changed_words(found, most=None).endswith("role of x4, role of x5")
    assert changed_words(found[:3]).endswith("role of x1, role of x2")
