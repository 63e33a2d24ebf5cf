"""Model files in the window: looked at, learned on, asked and scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from figmn import FastIGMN, Parameters, load, save
from tests.workbench.hands import click, text_of, wait
from tests.workbench.parts import predict_page, stream_page
from tests.workbench.steps import answer_save, log_text, open_sample, run_to_the_end, state
from workbench.run import Choices, Recipe, SampleOrigin, run
from workbench.run.recipe.model_file import save_model
from workbench.window.application import Start, begin, picture_of
from workbench.window.shell import WindowShell


@pytest.fixture
def iris_model(tmp_path: Path) -> Path:
    result = run(Recipe(SampleOrigin("iris")))
    save_model(result.model.snapshot(), result.encoder, tmp_path / "<b>iris.figmn")
    return tmp_path / "<b>iris.figmn"


def look_at(qtbot: QtBot, shell: WindowShell, path: Path) -> None:
    shell.hub.open_requested.emit(str(path))
    wait(qtbot, lambda: state(shell) == "finished" and shell.desk.run.is_looked_at)


def test_a_model_is_looked_at(qtbot: QtBot, shell: WindowShell, iris_model: Path) -> None:
    begin(shell, Start(file=str(iris_model)))
    wait(qtbot, lambda: state(shell) == "finished")
    page, model = stream_page(shell), load(iris_model)
    assert text_of(page, "modelWords") == "Model <b>iris.figmn: 3 components, 7 columns, 150 samples."
    assert "A mixture of 150 samples, without its data." in text_of(page, "sentence")
    assert page.table.model.rowCount() == model.n_components
    assert shell.desk.run.frame is not None
    assert len(shell.desk.run.frame.picture.points) == 0
    np.testing.assert_allclose(page.mixture.ellipses.components.centres, model.means[:, :2])
    # All ellipses are seen, though there is no point to fit the view to.
    across, up = page.mixture.area.plot.view.seen()
    extents = page.mixture.ellipses.components.extents(2.0)
    assert across.low <= (model.means[:, 0] - extents[:, 0]).min()
    assert up.high >= (model.means[:, 1] + extents[:, 1]).max()
    assert shell.memory.recent == [str(iris_model)]
    assert shell.desk.data.choices.parameters == model.parameters
    assert page.model.open.isVisible()
    assert not page.model.go_on.isVisible()


def test_learning_goes_on_from_a_model(qtbot: QtBot, shell: WindowShell, iris_model: Path, tmp_path: Path) -> None:
    look_at(qtbot, shell, iris_model)
    open_sample(qtbot, shell)
    page = stream_page(shell)
    shell.show_page(page)
    assert shell.desk.run.is_looked_at  # data that are loaded leave the model shown
    click(page, "modelGoOn")
    wait(qtbot, lambda: state(shell) == "finished" and not shell.desk.run.is_looked_at)
    frame = shell.desk.run.frame
    assert frame is not None
    assert (frame.n_done, frame.n_seen) == (150, 300)
    assert text_of(page, "modelWords").startswith("Runs go on from <b>iris.figmn")
    assert shell.desk.run.differences == []
    shell.desk.exports.recipe(tmp_path / "on.json").join()
    again = run(Recipe.from_json(tmp_path / "on.json"))
    shell.desk.exports.model(tmp_path / "on.figmn").join()
    np.testing.assert_array_equal(load(tmp_path / "on.figmn").means, again.model.means)
    # Starting empty is another run, and the page says so.
    click(page, "modelEmpty")
    assert not page.model.isVisible()
    assert shell.desk.run.differences[-1] == "start: <b>iris.figmn → empty"
    shell.hub.run_requested.emit()
    wait(qtbot, lambda: shell.desk.run.number == 3 and state(shell) == "finished")
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.n_seen == 150


def test_a_table_that_does_not_fit_leaves_the_model_shown(qtbot: QtBot, shell: WindowShell, iris_model: Path) -> None:
    look_at(qtbot, shell, iris_model)
    open_sample(qtbot, shell, "wine")
    page = stream_page(shell)
    shell.show_page(page)
    click(page, "modelGoOn")
    wait(qtbot, page.notice.isVisible)
    assert "'sepallength' is not in the table" in log_text(shell)
    assert shell.desk.run.is_looked_at
    assert page.table.model.rowCount() == 3


def test_a_damaged_model_changes_nothing(qtbot: QtBot, shell: WindowShell, iris_model: Path) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    number = shell.desk.run.number
    iris_model.write_bytes(iris_model.read_bytes()[:-1])
    shell.hub.open_requested.emit(str(iris_model))
    wait(qtbot, lambda: "truncated" in log_text(shell))
    assert shell.desk.run.number == number
    assert shell.desk.run.model is None


def test_a_model_answers_and_scores_a_new_file(
    qtbot: QtBot, shell: WindowShell, iris_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at(qtbot, shell, iris_model)
    page = predict_page(shell)
    shell.show_page(page)
    wait(qtbot, lambda: shell.desk.predict.is_answered)
    assert not page.score.isVisible()  # nothing to score yet
    open_sample(qtbot, shell)
    shell.show_page(page)
    answer_save(monkeypatch, shell, tmp_path / "scored.csv")
    click(page.score)
    wait(qtbot, lambda: "150 rows written to scored.csv" in log_text(shell))
    scored, model = pd.read_csv(tmp_path / "scored.csv"), load(iris_model)
    rows = run(Recipe(SampleOrigin("iris"))).encoder.encode(SampleOrigin("iris").read()).values
    np.testing.assert_allclose(scored["log_density"], model.score_samples(rows), rtol=1e-6)


def test_a_recipe_with_a_model_runs_in_the_window(
    qtbot: QtBot, shell: WindowShell, iris_model: Path, tmp_path: Path
) -> None:
    look_at(qtbot, shell, iris_model)
    model = shell.desk.run.model
    assert model is not None
    Recipe(SampleOrigin("iris"), model=model.file, choices=model.choices).to_json(tmp_path / "on.json")
    shell.hub.open_requested.emit(str(tmp_path / "on.json"))
    wait(qtbot, lambda: state(shell) == "finished" and not shell.desk.run.is_looked_at)
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.n_seen == 300
    # One without a model starts empty, whatever is open.
    Recipe(SampleOrigin("iris")).to_json(tmp_path / "empty.json")
    shell.hub.open_requested.emit(str(tmp_path / "empty.json"))
    wait(qtbot, lambda: shell.desk.run.number == 3 and state(shell) == "finished")
    assert shell.desk.run.frame.n_seen == 150
    assert shell.desk.run.model is None
    assert not stream_page(shell).model.isVisible()


def test_a_recipe_whose_model_is_gone_goes_on_from_no_other(
    qtbot: QtBot, shell: WindowShell, iris_model: Path, tmp_path: Path
) -> None:
    look_at(qtbot, shell, iris_model)
    model = shell.desk.run.model
    assert model is not None
    gone = replace(model.file, path=str(tmp_path / "gone.figmn"))
    Recipe(SampleOrigin("wine"), model=gone, choices=model.choices).to_json(tmp_path / "gone.json")
    shell.hub.open_requested.emit(str(tmp_path / "gone.json"))
    wait(qtbot, lambda: "gone.figmn" in log_text(shell))
    assert shell.desk.run.model is None


def test_a_model_keeps_the_seed_and_starting_empty_brings_back_what_was_set(
    qtbot: QtBot, shell: WindowShell, iris_model: Path
) -> None:
    before = Choices(Parameters(delta=0.7), seed=42, label_width=0.1)
    shell.set_choices(before)
    look_at(qtbot, shell, iris_model)
    assert shell.desk.data.choices.seed == 42
    assert shell.desk.data.choices.parameters == load(iris_model).parameters
    stream_page(shell).model.empty_requested.emit()
    assert shell.desk.data.choices == before


def test_a_model_of_the_library_has_numbered_columns(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    save(FastIGMN(delta=1, scale=np.ones(12)).learn(rng.normal(size=(50, 12))), tmp_path / "wide.figmn")
    look_at(qtbot, shell, tmp_path / "wide.figmn")
    page = stream_page(shell)
    assert page.mixture.tools.x_column.itemText(11) == "x12"
    assert "The file does not say what its columns mean." in page.findChild(QLabel, "modelWords").text()  # type: ignore[union-attr]
    assert page.mixture.plane.kind == "pca"


def test_a_screenshot_of_a_model(shell: WindowShell, iris_model: Path, tmp_path: Path) -> None:
    start = Start(file=str(iris_model), screenshot=str(tmp_path / "model.png"))
    assert picture_of(shell, start) == ""
    assert (tmp_path / "model.png").exists()
