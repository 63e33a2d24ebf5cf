"""Rows without a value in any input column: skipped, counted and told once, by the numbers they have in the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.workbench.penguins import COLUMNS, write_penguins
from workbench.cli import main
from workbench.run import Choices, FileOrigin, Recipe, run
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import SampleLog
from workbench.run.race.headless import race
from workbench.run.race.settings import RaceSettings
from workbench.run.race.texts import as_json, as_text
from workbench.run.rows.prepared import prepare
from workbench.source import Encoding, Order, SourceError
from workbench.source.encode.encoding import Missing
from workbench.source.table.table import Role

TOLD = "2 rows have no value in any input column and were skipped: rows 4 and 272 of penguins.csv"
Roles = dict[str, Role]
IGNORED: Roles = {"species": "ignored", "sex": "ignored"}
TARGET: Roles = {"species": "target", "sex": "ignored"}


@pytest.fixture
def penguins(tmp_path: Path) -> Recipe:
    return Recipe(FileOrigin(str(write_penguins(tmp_path / "penguins.csv"))), roles=IGNORED)


def streamed_from_disk(recipe: Recipe) -> Recipe:
    assert isinstance(recipe.origin, FileOrigin)
    return replace(recipe, origin=replace(recipe.origin, streamed=True))


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("roles", [IGNORED, TARGET])
@pytest.mark.parametrize("missing", ["model", "mean"])
def test_they_are_skipped_and_told(penguins: Recipe, streamed: bool, roles: Roles, missing: Missing) -> None:
    """A known target is not enough, and the mean of every column is no measurement."""
    recipe = streamed_from_disk(penguins) if streamed else penguins
    result = run(replace(recipe, roles=roles, encoding=Encoding(missing=missing)))
    assert result.model.n_seen == 342
    assert result.left_out == TOLD
    assert {3, 271}.isdisjoint(result.log.lines().row.tolist())


@pytest.mark.parametrize("order", ["as is", "shuffled"])
def test_rows_are_named_whatever_the_order_and_the_chunks(penguins: Recipe, order: str) -> None:
    recipe = replace(penguins, order=Order(order), test_share=0.3)  # type: ignore[arg-type]
    learner = Learner(recipe, prepare(recipe.dataset(), recipe), SampleLog())
    assert learner.left_out == TOLD  # before the first row, those held out included
    while len(learner.advance(7).values):
        assert learner.n_total is not None
        assert learner.n_done <= learner.n_total
    assert learner.n_done == learner.n_total
    held_out = learner.held_out()
    assert held_out is not None
    assert learner.n_done + held_out[0] == 342


def test_totals_of_a_streamed_file_add_up(penguins: Recipe) -> None:
    recipe = streamed_from_disk(penguins)
    seen: list[tuple[int, int]] = []

    def watch(done: int, total: int) -> bool:
        seen.append((done, total))
        return True

    run(recipe, watch)
    assert seen[-1] == (342, 342)
    some = run(replace(recipe, n_samples=100))
    assert some.model.n_seen == 100


def test_dropped_rows_are_told_likewise(penguins: Recipe) -> None:
    recipe = replace(penguins, roles={"species": "ignored"}, encoding=Encoding(missing="drop"))
    result = run(recipe)
    assert result.model.n_seen == 340
    assert result.left_out == "4 rows have a missing value and were dropped: rows 4, 9, 12 and 272 of penguins.csv"


def test_a_column_that_only_targets_know(penguins: Recipe) -> None:
    """Without an input the targets count."""
    targets: Roles = dict.fromkeys(COLUMNS, "target")
    recipe = replace(penguins, roles=targets | IGNORED)
    assert run(recipe).left_out == TOLD


def test_nothing_is_told_where_nothing_is_left_out(tmp_path: Path) -> None:
    path = write_penguins(tmp_path / "penguins.csv", empty=())
    result = run(Recipe(FileOrigin(str(path)), roles=IGNORED))
    assert (result.model.n_seen, result.left_out) == (344, "")


def test_a_file_without_a_value_has_nothing_to_learn(tmp_path: Path) -> None:
    path = tmp_path / "holes.csv"
    path.write_text("a,b,class\nNA,NA,x\nNA,NA,y\n", encoding="utf-8")
    recipe = Recipe(FileOrigin(str(path)), roles={"a": "input", "b": "input", "class": "target"})
    with pytest.raises(SourceError, match="Give a column that has values the role input"):
        run(recipe)


def test_both_engines_of_a_race_skip_the_same_rows(penguins: Recipe) -> None:
    frame = race(penguins, RaceSettings(source="data", mode="sample", values="form"))
    assert (frame.state, frame.n_done, frame.n_total) == ("finished", 342, 342)
    assert frame.lanes[0].figures.n_done == frame.lanes[1].figures.n_done == 342
    assert frame.parities[0].divergence is None
    assert frame.left_out == TOLD
    assert as_text(frame).endswith(TOLD)
    assert TOLD in as_json(frame, {})


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("order", ["as is", "shuffled"])
def test_an_error_names_the_row_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str, streamed: bool
) -> None:
    """It was the position within a chunk, counted from 0."""
    lines = [f"{np.sin(i):.3f},{np.cos(i):.3f}" for i in range(300)]
    lines[206] = "1e80,0"
    path = tmp_path / "huge.csv"
    path.write_text("\n".join(["a,b", *lines]) + "\n", encoding="utf-8")
    kind = "as is" if streamed else order
    origin, choices = FileOrigin(str(path), streamed=streamed), Choices(scale="running")
    recipe = Recipe(origin, order=Order(kind), choices=choices)  # type: ignore[arg-type]
    monkeypatch.setattr("workbench.run.learn.headless.CHUNK", 16)
    with pytest.raises(ValueError, match=r"^Row 207 of huge\.csv, column 'a': 1e\+80 cannot be used; the largest"):
        run(recipe)


def test_the_command_line_tells_it(penguins: Recipe, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    penguins.to_json(tmp_path / "recipe.json")
    assert main(["run", str(tmp_path / "recipe.json")]) == 0
    printed = capsys.readouterr().out
    assert printed.count(TOLD) == 1
    assert "samples 342 " in printed
