"""A width suggested for a recipe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from figmn.choosing import FINAL_SHARE
from workbench.run import Choices, FileOrigin, GeneratorOrigin, Recipe, SampleOrigin
from workbench.run.rows.suggestion import MOST_ROWS, suggest_width
from workbench.source import Cancelled, ReadOptions
from workbench.source.generators import GaussianBlobs, SineRegression, TwoSpirals
from workbench.source.table.table import Role

MEASURES = ("sepallength", "sepalwidth", "petallength", "petalwidth")


def test_a_class_is_predicted() -> None:
    found = suggest_width(Recipe(GeneratorOrigin(TwoSpirals(), 194)))
    assert found.measure == "classes"
    assert found.delta <= 0.15
    assert found.n_rows == 194


def test_numbers_are_predicted() -> None:
    assert suggest_width(Recipe(GeneratorOrigin(SineRegression(), 300))).measure == "numbers"


@pytest.mark.parametrize(
    "roles",
    [{"class": "ignored"}, {"class": "input"}, dict.fromkeys(MEASURES, "ignored"), dict.fromkeys(MEASURES, "target")],
    ids=["no class", "class as input", "class alone", "only targets"],
)
def test_without_inputs_or_targets_the_density_is_judged(roles: dict[str, Role]) -> None:
    assert suggest_width(Recipe(SampleOrigin("iris"), roles=roles)).measure == "density"


def test_rows_that_are_held_out_are_not_used() -> None:
    assert suggest_width(Recipe(SampleOrigin("iris"), test_share=0.5)).n_rows == 75


def test_streams_without_an_end() -> None:
    found = suggest_width(Recipe(GeneratorOrigin(GaussianBlobs(), endless=True)))
    assert found.n_rows == MOST_ROWS // FINAL_SHARE, "those of the final"


def test_files_that_stay_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    np.savetxt(path, np.random.default_rng(0).normal(size=(400, 2)), delimiter=",", header="a,b", comments="")
    found = suggest_width(Recipe(FileOrigin(str(path), ReadOptions(), streamed=True)))
    assert found.n_rows == 400


def test_running_widths_are_those_of_the_rows() -> None:
    recipe = Recipe(SampleOrigin("iris"), choices=Choices(scale="running"))
    assert suggest_width(recipe).candidates


def test_it_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        suggest_width(Recipe(SampleOrigin("iris")), lambda *_: False)
