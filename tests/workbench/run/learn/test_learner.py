"""A run without a thread, against the library's own answers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.csv
import pytest

from figmn import FastIGMN, Parameters
from tests.workbench.run.learners import IRIS, learner_of, lines_of, rows_of
from workbench.run import FileOrigin, GeneratorOrigin, Recipe, RecipeError, SampleOrigin, run
from workbench.run.learn.input_scores import ROW_WORK
from workbench.run.learn.learner import HELD_OUT_WORK, Learner, events_text, latest_words
from workbench.run.learn.sample_log import SampleLog
from workbench.run.recipe.choices import Change
from workbench.run.rows.prepared import prepare
from workbench.source import Cancelled, Encoding, SourceError
from workbench.source.generators import BirthsAndDeaths


def test_a_run_is_what_the_library_learns_row_by_row() -> None:
    prepared = prepare(IRIS.dataset(), IRIS)
    model = FastIGMN(delta=0.2, beta=0.05, v_min=20, sp_min=2, scale=prepared.scale)
    traces = [model.learn_one(row) for row in rows_of(IRIS)]
    result = run(IRIS)
    lines = result.log.lines()
    np.testing.assert_allclose(result.model.means, model.means)
    assert lines.sample.tolist() == list(range(150))
    assert lines.born.tolist() == [-1 if trace.born is None else trace.born for trace in traces]
    assert lines.n_components.tolist() == [trace.n_after for trace in traces]
    np.testing.assert_allclose(lines.log_likelihood[1:], [trace.log_likelihood for trace in traces[1:]])
    np.testing.assert_allclose(lines.distance[1:], [trace.distances.min() for trace in traces[1:]])
    assert lines.nearest.tolist() == [-1, *(trace.ids[trace.distances.argmin()] for trace in traces[1:])]
    owners = [trace.born if trace.created else trace.ids[trace.posteriors.argmax()] for trace in traces]
    assert lines.owner.tolist() == owners
    posteriors = [1 if trace.created else trace.posteriors.max() for trace in traces]
    np.testing.assert_allclose(lines.posterior, posteriors)
    assert result.n_births == sum(trace.created for trace in traces)
    assert result.n_removals == sum(len(trace.removed) for trace in traces) > 0


def test_rows_and_labels_of_the_log_are_those_of_the_source() -> None:
    recipe = replace(IRIS, test_share=0.4)
    dataset = recipe.dataset()
    result = run(recipe)
    lines = result.log.lines()
    texts = dataset.table["class"].texts()
    assert lines.n_samples == 90
    assert len(set(lines.row.tolist())) == 90
    assert [texts[row] for row in lines.row.tolist()] == [result.labels[code] for code in lines.code.tolist()]
    assert result.held_out is not None
    n_rows, likelihood, of_inputs = result.held_out
    _, test = dataset.parts(recipe.choices.seed)
    assert test is not None
    encoder = dataset.encoding.fit(dataset.parts(recipe.choices.seed)[0])
    assert n_rows == 60
    values = encoder.encode(test).values.copy()
    assert likelihood == pytest.approx(result.model.score_samples(values).mean())
    values[:, encoder.targets] = np.nan
    assert of_inputs == pytest.approx(result.model.score_samples(values).mean())
    assert of_inputs != pytest.approx(likelihood)


@pytest.mark.parametrize("births", [True, False])
def test_stopping_at_events_learns_the_same(births: bool) -> None:
    whole, stops = learner_of(IRIS), learner_of(IRIS)
    while len(whole.advance(64).values):
        pass
    places = []
    while True:
        chunk, happened = stops.advance_to_event(64, births, not births)
        if not len(chunk.values):
            break
        if happened:
            places.append(stops.n_done - 1)
            assert stops.latest is not None
            assert (stops.latest.born is not None) if births else (stops.latest.removed or stops.latest.merged)
    lines = lines_of(whole)
    removed = np.flatnonzero(np.diff(lines.n_components, prepend=0) - (lines.born >= 0) < 0)
    assert places == (np.flatnonzero(lines.born >= 0) if births else removed).tolist()
    np.testing.assert_allclose(stops.engine.means, whole.engine.means, rtol=1e-12)
    assert (stops.n_births, stops.n_removals) == (whole.n_births, whole.n_removals)


def test_mergers_are_counted_told_and_stopped_at() -> None:
    limited = replace(
        IRIS, choices=replace(IRIS.choices, parameters=replace(IRIS.choices.parameters, max_components=3))
    )
    whole, stops = learner_of(limited), learner_of(limited)
    whole.advance(150)
    assert whole.record is not None
    merges = whole.record.merges.tolist()
    assert whole.n_merges == len(merges) == whole.past.timeline().merges.sum() > 0
    assert run(limited).n_merges == len(merges)
    _, happened = stops.advance_to_event(150, births=False, removals=True)
    assert happened
    assert stops.latest is not None
    sample, kept, taken = merges[0]
    assert (stops.n_done, stops.latest.merged) == (sample + 1, ((kept, taken),))
    assert latest_words(stops.latest) == f"#{stops.latest.born} born, #{kept} took in #{taken}"
    assert events_text(whole.record).endswith(f"removed, {len(merges)} merged.")
    assert stops.happened.endswith(f"Sample {sample + 1}: #{kept} took in #{taken}.") or "merged" in stops.happened


def test_a_change_on_the_way_is_in_the_recipe_and_repeats() -> None:
    live = learner_of(IRIS)
    live.advance(50)
    changed = Parameters(delta=0.2, beta=0.5, v_min=20, sp_min=2, memory=400)
    live.change(changed)
    while len(live.advance(64).values):
        pass
    assert live.recipe.changes == (Change(50, changed.changeable()),)
    again = run(Recipe.from_text(live.recipe.to_text()))
    np.testing.assert_allclose(again.model.means, live.engine.means, rtol=1e-12)
    assert (again.model.parameters.beta, again.model.parameters.memory) == (0.5, 400)
    assert again.model.n_components != run(IRIS).model.n_components


def test_missing_values_dropped_and_kept() -> None:
    recipe = Recipe(SampleOrigin("labor"))
    assert learner_of(recipe).n_total == 57
    dropped = replace(recipe, encoding=Encoding(missing="drop"), roles={"class": "input"})
    n_complete = sum(not any(column.missing[row] for column in dropped.dataset().table) for row in range(57))
    if n_complete:
        assert learner_of(dropped).n_total == n_complete == run(dropped).model.n_seen


def test_the_log_goes_to_a_file_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    result = run(IRIS, csv=path)
    table = pyarrow.csv.read_csv(path)
    lines = result.log.lines()
    assert table.column_names == [
        "sample", "row", "label", "weight", "nearest_on_arrival", "d2_to_nearest", "owner_on_arrival",
        "owner_posterior", "born", "removed", "merged", "log_likelihood_all_columns", "us", "K",
    ]  # fmt: skip
    assert table["sample"].to_pylist() == list(range(1, 151))
    np.testing.assert_array_equal(table["row"], lines.row + 1)
    np.testing.assert_array_equal(table["nearest_on_arrival"].to_numpy()[1:], lines.nearest[1:])
    np.testing.assert_array_equal(table["owner_on_arrival"], lines.owner)
    np.testing.assert_array_equal(table["d2_to_nearest"].to_numpy()[1:], lines.distance[1:])
    assert table["nearest_on_arrival"][0].as_py() is table["d2_to_nearest"][0].as_py() is None
    assert table["born"].to_pylist() == [born if born >= 0 else None for born in lines.born.tolist()]
    assert set(table["label"].to_pylist()) == set(result.labels)
    before = path.read_bytes()
    with pytest.raises(Cancelled):
        run(IRIS, lambda done, total: False, csv=path)  # noqa: ARG005
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["log.csv"]


def test_a_stream_without_end_needs_a_number() -> None:
    endless = Recipe(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    with pytest.raises(RecipeError, match=r"never ends\. Give the recipe a number of samples"):
        run(endless)
    assert run(replace(endless, n_samples=1000)).model.n_seen == 1000


def test_a_constant_column_is_told_not_raised() -> None:
    result = run(Recipe(SampleOrigin("ionosphere")))
    assert len(result.warnings) == 1
    assert "a02" in result.warnings[0] or "constant" in result.warnings[0]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_file_whose_rows_are_all_dropped_has_nothing_to_learn(tmp_path: Path, streamed: bool) -> None:
    path = tmp_path / "holes.csv"
    path.write_text("a,b\n1,\n,2\n3,\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"holes\.csv has no row to learn"):
        run(Recipe(FileOrigin(str(path), streamed=streamed), encoding=Encoding(missing="drop")))


def test_a_streamed_file_whose_holes_are_dropped_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "holes.csv"
    path.write_text("a,b\n1,2\n,2\n3,7\n", encoding="utf-8")
    recipe = Recipe(FileOrigin(str(path), streamed=True), encoding=Encoding(missing="drop"))
    assert run(recipe).model.n_seen == 2


def test_held_out_rows_cost_a_watched_run_little() -> None:
    """Many held-out rows in few dimensions took seconds, in which a pause did not show."""
    recipe = Recipe(GeneratorOrigin(BirthsAndDeaths(), n_rows=100_000), test_share=0.9)
    learner = Learner(recipe, prepare(recipe.dataset(), recipe), SampleLog())
    learner.advance(5000)
    some, everything = learner.held_out(), learner.held_out(math.inf)
    assert some is not None
    assert everything is not None
    assert some[0] * learner.engine.n_components * ROW_WORK <= HELD_OUT_WORK
    assert everything[0] == 90_000
