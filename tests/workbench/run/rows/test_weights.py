"""Weights of rows, as an ARFF file has them, on their way into the engines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figmn import IGMN, FastIGMN, load
from figmn.engine import Engine
from figmn.params import NEUTRAL
from tests.workbench.run.race.literal import THREE
from workbench.cli import main
from workbench.run import Choices, FileOrigin, Recipe, run
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import SampleLog
from workbench.run.race.headless import race
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.choices import ScaleSource
from workbench.run.rows.prepared import prepare
from workbench.source import Order, SourceError, read_table, write_arff

N_ROWS = 60
WEIGHTS = np.array([0.0 if row in {3, 41} else [0.5, 1.0, 2.0, 3.25][row % 4] for row in range(N_ROWS)])
VALUES = np.random.default_rng(0).normal(size=(N_ROWS, 2)).round(3) + 8 * (np.arange(N_ROWS) % 2)[:, None]
TOLD = "2 rows have the weight 0 and were skipped: rows 4 and 42 of weighted.arff"
SETTINGS: dict[str, Any] = {"delta": 0.5, "beta": 0.01, **NEUTRAL}


def write_weighted(path: Path, weights: Any = WEIGHTS) -> Path:
    lines = ["@relation weighted", "@attribute x numeric", "@attribute y numeric", "@data"]
    lines += [f"{x},{y}, {{{weight}}}" for (x, y), weight in zip(VALUES, weights, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def weighted(tmp_path: Path) -> Recipe:
    recipe = Recipe(FileOrigin(str(write_weighted(tmp_path / "weighted.arff"))), roles={"y": "input"})
    return recipe.with_parameters(SETTINGS)


def streamed_from_disk(recipe: Recipe) -> Recipe:
    assert isinstance(recipe.origin, FileOrigin)
    return replace(recipe, origin=replace(recipe.origin, streamed=True))


def with_scale(recipe: Recipe, scale: ScaleSource) -> Recipe:
    return replace(recipe, choices=Choices(recipe.choices.parameters, scale, recipe.choices.seed))


@pytest.mark.parametrize("engine", [FastIGMN, IGMN])
@pytest.mark.parametrize("streamed", [False, True])
def test_both_engines_learn_them(weighted: Recipe, streamed: bool, engine: type[Engine]) -> None:
    recipe = with_scale(streamed_from_disk(weighted) if streamed else weighted, "running")
    result = run(recipe, engine=engine)
    counts = WEIGHTS > 0
    expected = engine(**SETTINGS).learn(VALUES[counts], weights=WEIGHTS[counts])
    assert (result.model.n_seen, result.left_out) == (N_ROWS - 2, TOLD)
    np.testing.assert_array_equal(result.model.means, expected.means)
    np.testing.assert_array_equal(result.model.accumulators, expected.accumulators)
    assert result.model.accumulators.sum() == pytest.approx(WEIGHTS.sum())


def test_they_stay_with_their_rows_in_another_order_and_in_a_split(weighted: Recipe) -> None:
    recipe = replace(weighted, order=Order("shuffled"), test_share=0.25, choices=Choices(seed=5))
    prepared = prepare(recipe.dataset(), recipe)
    chunks = list(prepared.chunks())
    assert prepared.test_rows is not None
    assert prepared.test_weights is not None
    np.testing.assert_array_equal(prepared.test_weights, WEIGHTS[prepared.test_rows])
    seen = [*prepared.test_rows.tolist()]
    for chunk in chunks:
        assert chunk.weights is not None
        np.testing.assert_array_equal(chunk.weights, WEIGHTS[chunk.rows])
        np.testing.assert_array_equal(chunk.values, VALUES[chunk.rows])
        seen += chunk.rows.tolist()
    assert sorted(seen) == [row for row in range(N_ROWS) if WEIGHTS[row]]


def test_columns_that_change_kind_or_role_leave_them_alone(weighted: Recipe) -> None:
    dataset = weighted.dataset().with_kinds({"x": "nominal"}).with_roles({"x": "target"})
    assert dataset.table.weights is not None
    assert dataset.table.weights.tolist() == WEIGHTS.tolist()


@pytest.mark.parametrize("streamed", [False, True])
def test_totals_and_pieces_add_up(weighted: Recipe, streamed: bool) -> None:
    """Whatever the chunks, and where a chunk is learned again up to a birth in it."""
    recipe = streamed_from_disk(weighted) if streamed else weighted
    whole = run(recipe).model
    learner = Learner(recipe, prepare(recipe.dataset(), recipe), SampleLog())
    while len(learner.advance_to_event(7, births=True, removals=True)[0].values):
        assert learner.latest is not None
        assert learner.latest.weight == WEIGHTS[learner.latest.row]
    assert (learner.n_done, learner.n_total) == (N_ROWS - 2, N_ROWS - 2)
    assert learner.left_out == TOLD
    np.testing.assert_allclose(learner.engine.accumulators, whole.accumulators, rtol=1e-12)


def test_held_out_rows_count_by_their_weights(weighted: Recipe) -> None:
    recipe = replace(weighted, test_share=0.25)
    learner = Learner(recipe, prepare(recipe.dataset(), recipe), SampleLog())
    while len(learner.advance(100).values):
        pass
    rows, held_out = learner.prepared.test_rows, learner.held_out()
    assert rows is not None
    assert held_out is not None
    scores = learner.engine.score_samples(VALUES[rows])
    assert held_out.log_likelihood == pytest.approx(np.average(scores, weights=WEIGHTS[rows]), rel=1e-12)
    assert held_out.log_likelihood != pytest.approx(scores.mean(), rel=1e-6)


def test_a_weight_of_two_is_the_row_twice_where_there_is_one_component(tmp_path: Path) -> None:
    recipe = Recipe(FileOrigin(str(write_weighted(tmp_path / "w.arff", np.full(N_ROWS, 2)))))
    recipe = with_scale(recipe.with_parameters({"delta": 1.0, "beta": 0.0, **NEUTRAL}), "running")
    model = run(replace(recipe, n_samples=1)).model
    assert model.accumulators.tolist() == [2.0]
    model = run(recipe).model
    scale = np.ones(2)
    twice = FastIGMN(1.0, 0.0, scale=scale, **NEUTRAL).learn(np.repeat(VALUES, 2, axis=0))
    np.testing.assert_allclose(model.means, twice.means, rtol=1e-12)
    assert model.accumulators.sum() == twice.accumulators.sum() == 2 * N_ROWS


def test_the_engines_of_a_race_agree_on_them(weighted: Recipe) -> None:
    """The literal version of the paper's equations among them."""
    frame = race(weighted, RaceSettings(source="data", mode="sample", values="form"), contenders=THREE)
    assert (frame.state, frame.n_done, frame.n_total) == ("finished", N_ROWS - 2, N_ROWS - 2)
    assert [parity.divergence for parity in frame.parities] == [None, None]
    assert frame.level == "good"
    assert frame.left_out == TOLD
    for lane in frame.lanes:
        assert lane.census.accumulators.sum() == pytest.approx(WEIGHTS.sum())


def test_where_no_row_counts_nothing_can_be_learned(tmp_path: Path) -> None:
    recipe = Recipe(FileOrigin(str(write_weighted(tmp_path / "none.arff", np.zeros(N_ROWS)))))
    for each in (recipe, streamed_from_disk(recipe)):
        with pytest.raises(SourceError, match=r"none.arff has no row to learn.* a weight above 0"):
            run(each)


@pytest.mark.parametrize("weight", ["-1", "NaN", "x", "", "?", "1e999", "Infinity"])
def test_what_is_no_weight_is_refused_with_its_line(tmp_path: Path, weight: str) -> None:
    weights = ["1"] * N_ROWS
    weights[10] = weight
    recipe = Recipe(FileOrigin(str(write_weighted(tmp_path / "w.arff", weights))))
    for each in (recipe, streamed_from_disk(recipe)):
        with pytest.raises(SourceError, match=r"w\.arff, line 15: .* is not the weight of a row\. (Write|A weight)"):
            run(each)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_weight_beyond_what_doubles_can_tell_apart_is_refused_by_the_row_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    weights = np.ones(N_ROWS)
    weights[[3, 40]] = 0, 1e10
    recipe = Recipe(FileOrigin(str(write_weighted(tmp_path / "w.arff", weights)), streamed=streamed))
    monkeypatch.setattr("workbench.run.learn.headless.CHUNK", 16)
    with pytest.raises(
        ValueError, match=r"^Row 41 of w\.arff has the weight 1e\+10: the largest is 1e\+09; divide all"
    ):
        run(recipe)


def test_the_command_line_learns_them_and_tells_it(
    weighted: Recipe, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weighted.to_json(tmp_path / "recipe.json")
    assert main(["run", str(tmp_path / "recipe.json"), "--model", str(tmp_path / "m.figmn")]) == 0
    assert capsys.readouterr().out.count(TOLD) == 1
    assert load(tmp_path / "m.figmn").accumulators.sum() == pytest.approx(WEIGHTS.sum())


def test_they_are_written_and_read_again(weighted: Recipe, tmp_path: Path) -> None:
    table = replace(weighted, order=Order("shuffled"), test_share=0.5).dataset().parts(0)[0]
    write_arff(table, tmp_path / "half.arff")
    back = read_table(tmp_path / "half.arff")
    assert back.weights is not None
    assert table.weights is not None
    assert back.weights.tolist() == table.weights.tolist()


def test_a_file_without_weights_has_none(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("x,y\n1,2\n3,4\n", encoding="utf-8")
    recipe = Recipe(FileOrigin(str(path)))
    (chunk,) = prepare(recipe.dataset(), recipe).chunks()
    assert (chunk.weights, chunk.weightless.tolist()) == (None, [])
