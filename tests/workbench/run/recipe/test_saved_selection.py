"""Selections that are saved as columns live in the recipe."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.desk.differences import recipe_differences
from workbench.run import Choices, GeneratorOrigin, Recipe, SampleOrigin, run
from workbench.run.recipe.dataset import Colour, load
from workbench.run.recipe.recipe import RecipeError
from workbench.run.recipe.saved_selection import SavedSelection
from workbench.source import SourceError
from workbench.source.generators import BirthsAndDeaths

ROWS = [0, 1, 2, 60, 61, 149]


@given(st.sets(st.integers(0, 40)))
def test_ranges_hold_the_rows(rows: set[int]) -> None:
    saved = SavedSelection.of("some", sorted(rows))
    assert np.flatnonzero(saved.mask(41, "t")).tolist() == sorted(rows)
    assert len(saved.rows) == sum(row - 1 not in rows for row in rows), "as few as there can be"


def test_a_recipe_with_a_saved_selection_runs_again_headless(tmp_path: Path) -> None:
    iris = load(SampleOrigin("iris")).with_selection(SavedSelection.of("mine", ROWS))
    assert iris.roles["mine"] == "ignored"
    learned = iris.with_roles({"class": "ignored", "mine": "target"}).with_colour(Colour("mine"))
    recipe = Recipe.of(learned, Choices())
    recipe.to_json(tmp_path / "recipe.json")
    again = Recipe.from_json(tmp_path / "recipe.json")
    assert again == recipe
    column = again.dataset().table["mine"]
    assert np.flatnonzero(column.values == 0).tolist() == ROWS
    assert again.dataset().selections == recipe.selections
    first, second = run(recipe), run(again)
    assert first.model.columns is not None
    assert first.model.columns[-2:] == ("mine=selected", "mine=not selected")
    np.testing.assert_array_equal(first.model.means, second.model.means)


def test_a_recipe_without_selections_is_written_as_before() -> None:
    assert "selections" not in Recipe(SampleOrigin("iris")).to_text()


def test_a_selection_that_is_not_learned_changes_no_run() -> None:
    iris = load(SampleOrigin("iris"))
    saved = iris.with_selection(SavedSelection.of("mine", ROWS))
    before, after = (Recipe.of(dataset, Choices()) for dataset in (iris, saved))
    assert recipe_differences(before, after) == []
    learned = saved.with_roles({"mine": "input"})
    assert recipe_differences(before, Recipe.of(learned, Choices())) == ["role of mine"]
    other = iris.with_selection(SavedSelection.of("mine", [5])).with_roles({"mine": "input"})
    made, wanted = (Recipe.of(dataset, Choices()) for dataset in (learned, other))
    assert recipe_differences(made, wanted) == ["selection of mine"]


def test_what_cannot_be_saved_is_refused() -> None:
    iris = load(SampleOrigin("iris"))
    with pytest.raises(SourceError, match="has a column 'class' already"):
        iris.with_selection(SavedSelection.of("class", ROWS))
    with pytest.raises(SourceError, match=r"iris has 150 rows, but the selection 'x' has row 151"):
        iris.with_selection(SavedSelection.of("x", [150]))
    stream = load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    with pytest.raises(SourceError, match="is streamed"):
        stream.with_selection(SavedSelection.of("x", ROWS))
    with pytest.raises(SourceError, match="no name for a column"):
        SavedSelection(" ")


@pytest.mark.parametrize(
    "selections",
    [
        "x",
        [{"rows": [[1, 2]]}],
        [{"name": 1}],
        [{"name": "x", "rows": [[0, 2]]}],
        [{"name": "x", "rows": [[3, 2]]}],
        [{"name": "x", "rows": [[3, 5], [4, 9]]}],
        [{"name": "x", "rows": [[1]]}],
        [{"name": "x", "rows": [[1, 2.5]]}],
        [{"name": ""}],
    ],
)
def test_broken_selections_of_a_file_are_named(selections: Any) -> None:
    content = json.loads(Recipe(SampleOrigin("iris")).to_text())
    content["data"]["selections"] = selections
    with pytest.raises(RecipeError, match="selections"):
        Recipe.from_text(json.dumps(content))


def test_two_selections_of_one_name_are_refused() -> None:
    saved = SavedSelection.of("x", ROWS)
    with pytest.raises(SourceError, match="has a column 'x' already"):
        replace(Recipe(SampleOrigin("iris")), selections=(saved, saved)).dataset()
