"""The colours of the latest samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.workbench.run.learners import IRIS, learner_of
from workbench.run import GeneratorOrigin, Recipe, SampleOrigin
from workbench.run.learn.learner import Learner
from workbench.run.recipe.dataset import Colour
from workbench.run.recipe.saved_selection import SavedSelection
from workbench.run.show import colours as colours_module
from workbench.run.show.colours import PointColours, numbers_of, steps
from workbench.run.show.frame import ColourScale
from workbench.run.show.points import LatestPoints
from workbench.source import Column
from workbench.source.generators import BirthsAndDeaths


def coloured(learner: Learner, colour: Colour, in_memory: bool = True) -> tuple[PointColours, LatestPoints]:
    prepared = learner.prepared
    points = LatestPoints(prepared.encoder.n_columns, prepared.colours)
    table = learner.recipe.dataset().table if in_memory else None
    found = PointColours(prepared, table, points)
    found.choose(colour)
    return found, points


def test_numbers_are_steps_of_the_whole_column() -> None:
    learner = learner_of(Recipe(SampleOrigin("iris"), roles={"petallength": "ignored"}))
    colours, points = coloured(learner, Colour("petallength"))
    points.add(learner.advance(20))
    values = learner.recipe.dataset().table["petallength"].values
    found = colours.details(learner.engine, 20)
    scale = found["scale"]
    assert scale == (values.min(), values.max(), "numeric"), "of all rows, not of those shown, though it is not learned"
    assert found["scheme"] == "scale"
    assert found["codes"].tolist() == steps(values[:20], scale).tolist()
    assert found["codes"].max() < 64, "the first flowers have the shortest petals"


def test_the_scale_of_a_stream_grows_with_its_points() -> None:
    recipe = Recipe(GeneratorOrigin(BirthsAndDeaths(), endless=True), roles={"class": "ignored"})
    learner = learner_of(recipe)
    colours, points = coloured(learner, Colour("x"), in_memory=False)
    first = learner.advance(10)
    points.add(first)
    narrow = colours.details(learner.engine, 10)["scale"]
    assert (narrow.low, narrow.high) == (first.values[:, 0].min(), first.values[:, 0].max())
    points.add(learner.advance(500))
    wide = colours.details(learner.engine, 10)["scale"]
    assert wide.low <= narrow.low
    assert wide.high >= narrow.high


def test_components_are_those_of_the_present_mixture() -> None:
    learner = learner_of(IRIS)
    colours, points = coloured(learner, Colour(by="component"))
    chunks = []
    for _ in range(5):
        chunks.append(learner.advance(30))
        points.add(chunks[-1])
        rows = np.concatenate([chunk.values for chunk in chunks])[-70:]
        expected = learner.engine.ids[learner.engine.responsibilities(rows).argmax(axis=1)]
        found = colours.details(learner.engine, 70)
        assert (found["scheme"], found["n_outdated"]) == ("components", 0)
        assert found["codes"].tolist() == expected.tolist()


def test_without_time_the_oldest_answers_are_renewed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colours_module, "SECONDS", -1.0)
    learner = learner_of(IRIS)
    colours, points = coloured(learner, Colour(by="component"))
    points.add(learner.advance(150))
    work = learner.engine.n_components * (learner.engine.n_features**2 + colours_module.ROW_WORK)
    monkeypatch.setattr(colours_module, "BLOCK_WORK", 60 * work)
    left = [colours.details(learner.engine, 150)["n_outdated"] for _ in range(4)]
    assert left == [90, 30, 0, 0]
    assert (colours.details(learner.engine, 150)["codes"] >= 0).all()


def test_a_place_of_the_ring_forgets_the_component_of_its_former_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.run.show.points.KEPT", 40)
    monkeypatch.setattr(colours_module, "SECONDS", -1.0)
    monkeypatch.setattr(colours_module, "BLOCK_WORK", 1.0)
    learner = learner_of(IRIS)
    colours, points = coloured(learner, Colour(by="component"))
    points.add(learner.advance(40))
    for _ in range(40):
        last = colours.details(learner.engine, 40)
    assert last["n_outdated"] == 0
    points.add(learner.advance(30))
    codes = colours.details(learner.engine, 40)["codes"]
    assert (codes[-30:] < 0).sum() == 29, "one was asked about, the others are not those before them"


def test_labels_of_a_stream_are_left_to_the_ring() -> None:
    learner = learner_of(Recipe(SampleOrigin("iris"), roles={"class": "ignored"}))
    colours, points = coloured(learner, Colour("class"), in_memory=False)
    points.add(learner.advance(5))
    assert (colours.column, colours.details(learner.engine, 5)) == ("class", {})
    assert "Iris-setosa" in colours.labels
    colours.choose(Colour())
    assert (colours.column, len(colours.labels), colours.details(learner.engine, 5)) == (None, 0, {})


def test_a_column_that_the_run_does_not_have_colours_its_rows() -> None:
    learner = learner_of(replace(IRIS, roles={"class": "ignored"}))
    colours, points = coloured(learner, Colour())
    chunk = learner.advance(40)
    points.add(chunk)
    saved = SavedSelection.of("mine", np.arange(0, 150, 3)).column(150, "iris")
    colours.choose(Colour("mine"), saved)
    assert colours.labels == ("selected", "not selected")
    assert colours.details(learner.engine, 40)["codes"].tolist() == np.where(chunk.rows % 3 == 0, 0, 1).tolist()
    colours.choose(Colour("gone"))
    assert set(colours.details(learner.engine, 40)["codes"].tolist()) == {-1}, "a column of other data"


def test_steps_of_odd_numbers() -> None:
    huge = np.array([-1e308, 0.0, 1e308, np.inf, np.nan])
    assert steps(huge, ColourScale(-1e308, 1e308)).tolist() == [0, 128, 255, -1, -1]
    assert steps(np.array([3.0, 3.0]), ColourScale(3.0, 3.0)).tolist() == [128, 128]
    assert steps(np.array([np.nan]), None).tolist() == [-1]
    dates = Column("when", "date", np.array(["1970-01-03", "NaT"], "datetime64[us]"))
    assert numbers_of(dates)[0] == 2.0
    assert np.isnan(numbers_of(dates, np.array([1]))[0])
