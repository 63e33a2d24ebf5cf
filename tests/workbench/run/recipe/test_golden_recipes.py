"""Recipes that earlier versions wrote still open, with every value that they hold."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from figmn import Parameters
from figmn.params import DECLARED, NEUTRAL
from workbench.run import Choices, FileOrigin, GeneratorOrigin, PaintedOrigin, Recipe, SampleOrigin
from workbench.run.recipe.choices import Change
from workbench.run.recipe.dataset import Colour
from workbench.run.recipe.layout import VERSION
from workbench.source import Encoding, Order, ReadOptions
from workbench.source.generators import Rings

GOLDEN = Path(__file__).parent / "golden"
OPTIONS = ReadOptions(
    encoding="latin-1",
    delimiter=";",
    decimal=",",
    header=True,
    skip_lines=1,
    quote="'",
    missing=("", "?", "NA"),
    kinds={"island": "nominal"},
    bad_lines="skip",
    member="Sheet 2",
)
LIVE = {"memory": math.inf, "max_components": math.inf, "merge_below": 0.0}
"""What may change during a run and version 1 did not have."""
RECIPES = {
    "sample": Recipe(SampleOrigin("iris"), choices=Choices(Parameters(**NEUTRAL))),
    "file": Recipe(
        FileOrigin(str(GOLDEN / "penguins.csv"), OPTIONS, streamed=True),
        kinds={"year": "nominal"},
        roles={"species": "target", "year": "ignored"},
        encoding=Encoding(scaling="standard", nominal="index", missing="drop"),
        order=Order("as is", seed=11),
        choices=Choices(Parameters(**NEUTRAL), "running", 11),
        n_samples=300,
    ),
    "generator": Recipe(
        GeneratorOrigin(Rings(rings=4, seed=7), 500, endless=True),
        choices=Choices(Parameters(beta=0.01, v_min=math.inf, sp_min=0, **NEUTRAL)),
        n_samples=10_000,
    ),
    "painted": Recipe(
        PaintedOrigin(((1.5, 2.0, 0), (3.0, 4.25, 2), (-1e3, 0.0, 0))),
        roles={"class": "input"},
        choices=Choices(Parameters(**NEUTRAL)),
    ),
    "changes": Recipe(
        SampleOrigin("iris"),
        choices=Choices(Parameters(delta=0.3, **NEUTRAL)),
        changes=(
            Change(7, {"beta": 0.5, "v_min": 9.0, "sp_min": 2.0, **LIVE}),
            Change(40, {"beta": 1e-4, "v_min": math.inf, "sp_min": 3.0, **LIVE}),
        ),
    ),
    "all_options": Recipe(
        SampleOrigin("German credit"),
        kinds={"age": "nominal"},
        roles={"class": "ignored", "age": "target"},
        encoding=Encoding(scaling="standard", nominal="one-hot", missing="mean"),
        order=Order("sorted", seed=3, column="duration"),
        test_share=0.25,
        choices=Choices(Parameters(0.5, 0.001, 50, 2.5, "published", **NEUTRAL), "dataset", 3),
        n_samples=400,
        colour=Colour("housing"),
    ),
    "version_2": Recipe(
        SampleOrigin("iris"),
        choices=Choices(Parameters(prior_count=2.5, memory=500, max_components=20, merge_below=0.1)),
        changes=(
            Change(7, {"beta": 0.5, "v_min": 9.0, "sp_min": 2.0, **LIVE}),
            Change(
                40,
                {"beta": 1e-4, "v_min": 9.0, "sp_min": 2.0, "memory": 50.0, "max_components": 7.0, "merge_below": 0.2},
            ),
        ),
    ),
    "version_2_short": Recipe(SampleOrigin("iris"), choices=Choices(Parameters(beta=0.01, memory=math.inf))),
}
"""In version 1, which has no number in its name, what the paper does not have is neutral whatever the defaults are; in
version 2 what is left out has its default."""


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_of_an_earlier_version_opens(name: str) -> None:
    found = Recipe.from_json(GOLDEN / f"{name}.json")
    assert found == RECIPES[name]
    assert found.colour == RECIPES[name].colour, "it is not compared"


def test_every_golden_recipe_is_expected() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_what_is_written_now_has_the_members_of_before(name: str) -> None:
    """Programs of users read recipes too."""
    text = (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    before = json.loads(text)
    now = json.loads(Recipe.from_text(text).to_text())  # without a folder, so that the path stays as it was
    assert now["version"] == VERSION
    assert now["parameters"].keys() == DECLARED.keys()
    assert now == _with_all_of(now, before) | {"version": VERSION}


def _with_all_of(now: Any, before: Any) -> Any:
    """`now` with every value of `before` in its place; members that `before` does not have stay."""
    if isinstance(before, dict):
        return {**now, **{name: _with_all_of(now[name], value) for name, value in before.items()}}
    if isinstance(before, list) and len(before) == len(now):
        return [_with_all_of(new, old) for new, old in zip(now, before, strict=True)]
    return before
