"""Recipes that earlier versions wrote still open, with every value that they hold."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from figmn import Parameters
from workbench.run import Choices, FileOrigin, GeneratorOrigin, PaintedOrigin, Recipe, SampleOrigin
from workbench.run.recipe.choices import Change
from workbench.run.recipe.dataset import Colour
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
RECIPES = {
    "sample": Recipe(SampleOrigin("iris")),
    "file": Recipe(
        FileOrigin(str(GOLDEN / "penguins.csv"), OPTIONS, streamed=True),
        kinds={"year": "nominal"},
        roles={"species": "target", "year": "ignored"},
        encoding=Encoding(scaling="standard", nominal="index", missing="drop"),
        order=Order("as is", seed=11),
        choices=Choices(Parameters(), "running", 11),
        n_samples=300,
    ),
    "generator": Recipe(
        GeneratorOrigin(Rings(rings=4, seed=7), 500, endless=True),
        choices=Choices(Parameters(beta=0.01, v_min=math.inf, sp_min=0)),
        n_samples=10_000,
    ),
    "painted": Recipe(
        PaintedOrigin(((1.5, 2.0, 0), (3.0, 4.25, 2), (-1e3, 0.0, 0))),
        roles={"class": "input"},
    ),
    "changes": Recipe(
        SampleOrigin("iris"),
        choices=Choices(Parameters(delta=0.3)),
        changes=(
            Change(7, {"beta": 0.5, "v_min": 9.0, "sp_min": 2.0}),
            Change(40, {"beta": 1e-4, "v_min": math.inf, "sp_min": 3.0}),
        ),
    ),
    "all_options": Recipe(
        SampleOrigin("German credit"),
        kinds={"age": "nominal"},
        roles={"class": "ignored", "age": "target"},
        encoding=Encoding(scaling="standard", nominal="one-hot", missing="mean"),
        order=Order("sorted", seed=3, column="duration"),
        test_share=0.25,
        choices=Choices(Parameters(0.5, 0.001, 50, 2.5, "published"), "dataset", 3),
        n_samples=400,
        colour=Colour("housing"),
    ),
}


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
    before = (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    recipe = Recipe.from_text(before)  # without a folder, so that the path stays as it was
    assert json.loads(recipe.to_text()) == json.loads(before)
