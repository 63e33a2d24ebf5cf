"""What the window writes: models, logs, recipes, tables and pictures."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pyarrow.csv
import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from figmn import load
from tests.workbench.hands import click, wait
from tests.workbench.parts import race_page, stream_page
from tests.workbench.steps import answer_save, log_text, open_sample, run_to_the_end, state, threads_of
from workbench.pages.data.wiring import DataWiring
from workbench.pages.stream import component_table
from workbench.run import Recipe, SampleOrigin, run
from workbench.source import sample
from workbench.views.look import pictures
from workbench.window.shell import WindowShell


def test_exports_are_the_librarys_own_answers(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    table = sample("iris").read()
    result = run(Recipe(SampleOrigin("iris")))
    model_path, log_path, recipe_path = tmp_path / "iris.figmn", tmp_path / "log.csv", tmp_path / "recipe.json"
    answer_save(monkeypatch, shell, model_path)
    click(shell.window, "exportModel")
    wait(qtbot, model_path.exists)
    np.testing.assert_allclose(load(model_path).means, result.model.means, rtol=1e-12)
    answer_save(monkeypatch, shell, log_path)
    click(shell.window, "exportLog")
    wait(qtbot, log_path.exists)
    log = pyarrow.csv.read_csv(log_path)
    assert log["label"].to_pylist() == table["class"].texts()
    np.testing.assert_allclose(
        log["log_likelihood_all_columns"].to_numpy()[1:], result.log.lines().log_likelihood[1:], rtol=1e-9
    )
    answer_save(monkeypatch, shell, recipe_path)
    click(shell.window, "exportRecipe")
    wait(qtbot, recipe_path.exists)
    assert Recipe.from_json(recipe_path) == Recipe(SampleOrigin("iris"), roles=shell.desk.data.dataset.roles)  # type: ignore[union-attr]
    for name, action in (("picture.png", "exportPng"), ("picture.svg", "exportSvg"), ("table.csv", "exportTable")):
        answer_save(monkeypatch, shell, tmp_path / name)
        shell.window.menus[action].trigger()
        wait(qtbot, (tmp_path / name).exists)
        assert (tmp_path / name).stat().st_size > 100
    components = pyarrow.csv.read_csv(tmp_path / "table.csv")
    np.testing.assert_allclose(components["petallength"], result.model.means[:, 2], rtol=1e-12)
    shell.window.menus["copyPicture"].trigger()
    assert QGuiApplication.clipboard().image().width() > 100


def test_labels_that_begin_like_a_formula_are_neutral_in_exports_unless_raw_is_wished(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, act = tmp_path / "x.csv", shell.window.menus
    path.write_text("=x,@y,class\n1,2,=1+1\n3,4,-1\n5,6,@b\n", encoding="utf-8")
    shell.page(DataWiring).run_unattended(None, str(path), 10)
    wait(qtbot, lambda: state(shell) == "finished")
    for raw, mark in ((False, "'"), (True, "")):
        act["rawCsv"].setChecked(raw)
        assert shell.memory.raw_csv is raw
        answer_save(monkeypatch, shell, tmp_path / f"log-{raw}.csv")
        act["exportLog"].trigger()
        wait(qtbot, (tmp_path / f"log-{raw}.csv").exists)
        labels = pyarrow.csv.read_csv(tmp_path / f"log-{raw}.csv")["label"].to_pylist()
        assert labels == [f"{mark}=1+1", "-1", f"{mark}@b"]
        answer_save(monkeypatch, shell, tmp_path / f"components-{raw}.csv")
        act["exportTable"].trigger()
        wait(qtbot, (tmp_path / f"components-{raw}.csv").exists)
        first = (tmp_path / f"components-{raw}.csv").read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith(f"id,prior,sp,v,log_determinant,{mark}=x,{mark}@y,")


def test_an_export_that_fails_leaves_what_was_there(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    answer_save(monkeypatch, shell, tmp_path / "no" / "such" / "model.figmn")
    click(shell.window, "exportModel")
    wait(qtbot, stream_page(shell).notice.isVisible)
    assert "such" in stream_page(shell).notice.text()
    assert "Traceback" in stream_page(shell).notice.report()
    assert "ERROR" in log_text(shell).upper()
    assert state(shell) == "finished"


KINDS = {
    "exportPng": "png",
    "exportSvg": "svg",
    "exportTable": "csv",
    "exportRecipe": "json",
    "exportLog": "csv",
    "exportModel": "figmn",
}


@pytest.mark.parametrize(("action", "kind"), KINDS.items())
def test_the_windows_thread_writes_no_file(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str, kind: str
) -> None:
    """A picture held it for a tenth of a second, and a slow disk for as long as it takes."""
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    writers = threads_of(monkeypatch, os, "fsync")
    answer_save(monkeypatch, shell, tmp_path / f"file.{kind}")
    shell.window.menus[action].trigger()
    wait(qtbot, lambda: f"written to file.{kind}" in log_text(shell))
    assert writers
    assert threading.main_thread() not in writers


def test_the_components_become_text_in_the_background(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some hundred components of MNIST are a quarter of a million numbers."""
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    writers = threads_of(monkeypatch, component_table, "csv_text")
    answer_save(monkeypatch, shell, tmp_path / "components.csv")
    shell.window.menus["exportTable"].trigger()
    wait(qtbot, (tmp_path / "components.csv").exists)
    assert writers
    assert threading.main_thread() not in writers


def test_a_picture_is_packed_in_the_background(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packers = threads_of(monkeypatch, pictures, "png_of")
    for page in (stream_page(shell), race_page(shell)):
        shell.window.show_page(page)
        answer_save(monkeypatch, shell, tmp_path / "picture.png")
        shell.window.menus["exportPng"].trigger()
        wait(qtbot, lambda: not shell.desk.jobs.under_way)
    assert len(packers) == 2
    assert threading.main_thread() not in packers


def test_an_export_gets_its_ending_and_replaces_nothing_unasked(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    answer_save(monkeypatch, shell, tmp_path / "iris v1.2")
    shell.window.menus["exportPng"].trigger()
    picture = tmp_path / "iris v1.2.png"
    wait(qtbot, lambda: not shell.desk.jobs.under_way)
    assert picture.stat().st_size > 100
    picture.write_text("kept", encoding="utf-8")
    shell.window.menus["exportPng"].trigger()
    assert picture.read_text(encoding="utf-8") == "kept"
    assert "already exists" in stream_page(shell).notice.text()
