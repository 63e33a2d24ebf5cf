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
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    table = sample("iris").read()
    result = run(Recipe(SampleOrigin("iris")))
    model_path, log_path, recipe_path = tmp_path / "iris.figmn", tmp_path / "log.csv", tmp_path / "recipe.json"
    answer_save(monkeypatch, wiring, model_path)
    click(wiring.window, "exportModel")
    wait(qtbot, model_path.exists)
    np.testing.assert_allclose(load(model_path).means, result.model.means, rtol=1e-12)
    answer_save(monkeypatch, wiring, log_path)
    click(wiring.window, "exportLog")
    wait(qtbot, log_path.exists)
    log = pyarrow.csv.read_csv(log_path)
    assert log["label"].to_pylist() == table["class"].texts()
    np.testing.assert_allclose(
        log["log_likelihood_all_columns"].to_numpy()[1:], result.log.lines().log_likelihood[1:], rtol=1e-9
    )
    answer_save(monkeypatch, wiring, recipe_path)
    click(wiring.window, "exportRecipe")
    wait(qtbot, recipe_path.exists)
    assert Recipe.from_json(recipe_path) == Recipe(SampleOrigin("iris"), roles=wiring.desk.data.dataset.roles)  # type: ignore[union-attr]
    for name, action in (("picture.png", "exportPng"), ("picture.svg", "exportSvg"), ("table.csv", "exportTable")):
        answer_save(monkeypatch, wiring, tmp_path / name)
        wiring.window.menus[action].trigger()
        wait(qtbot, (tmp_path / name).exists)
        assert (tmp_path / name).stat().st_size > 100
    components = pyarrow.csv.read_csv(tmp_path / "table.csv")
    np.testing.assert_allclose(components["petallength"], result.model.means[:, 2], rtol=1e-12)
    wiring.window.menus["copyPicture"].trigger()
    assert QGuiApplication.clipboard().image().width() > 100


def test_labels_that_begin_like_a_formula_are_neutral_in_exports_unless_raw_is_wished(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, act = tmp_path / "x.csv", wiring.window.menus
    path.write_text("=x,@y,class\n1,2,=1+1\n3,4,-1\n5,6,@b\n", encoding="utf-8")
    wiring.page(DataWiring).run_unattended(None, str(path), 10)
    wait(qtbot, lambda: state(wiring) == "finished")
    for raw, mark in ((False, "'"), (True, "")):
        act["rawCsv"].setChecked(raw)
        assert wiring.memory.raw_csv is raw
        answer_save(monkeypatch, wiring, tmp_path / f"log-{raw}.csv")
        act["exportLog"].trigger()
        wait(qtbot, (tmp_path / f"log-{raw}.csv").exists)
        labels = pyarrow.csv.read_csv(tmp_path / f"log-{raw}.csv")["label"].to_pylist()
        assert labels == [f"{mark}=1+1", "-1", f"{mark}@b"]
        answer_save(monkeypatch, wiring, tmp_path / f"components-{raw}.csv")
        act["exportTable"].trigger()
        wait(qtbot, (tmp_path / f"components-{raw}.csv").exists)
        first = (tmp_path / f"components-{raw}.csv").read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith(f"id,prior,sp,v,log_determinant,{mark}=x,{mark}@y,")


def test_an_export_that_fails_leaves_what_was_there(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    answer_save(monkeypatch, wiring, tmp_path / "no" / "such" / "model.figmn")
    click(wiring.window, "exportModel")
    wait(qtbot, stream_page(wiring).notice.isVisible)
    assert "such" in stream_page(wiring).notice.text()
    assert "Traceback" in stream_page(wiring).notice.report()
    assert "ERROR" in log_text(wiring).upper()
    assert state(wiring) == "finished"


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
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str, kind: str
) -> None:
    """A picture held it for a tenth of a second, and a slow disk for as long as it takes."""
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    writers = threads_of(monkeypatch, os, "fsync")
    answer_save(monkeypatch, wiring, tmp_path / f"file.{kind}")
    wiring.window.menus[action].trigger()
    wait(qtbot, lambda: f"written to file.{kind}" in log_text(wiring))
    assert writers
    assert threading.main_thread() not in writers


def test_the_components_become_text_in_the_background(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some hundred components of MNIST are a quarter of a million numbers."""
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    writers = threads_of(monkeypatch, component_table, "csv_text")
    answer_save(monkeypatch, wiring, tmp_path / "components.csv")
    wiring.window.menus["exportTable"].trigger()
    wait(qtbot, (tmp_path / "components.csv").exists)
    assert writers
    assert threading.main_thread() not in writers


def test_a_picture_is_packed_in_the_background(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packers = threads_of(monkeypatch, pictures, "png_of")
    for page in (stream_page(wiring), race_page(wiring)):
        wiring.window.show_page(page)
        answer_save(monkeypatch, wiring, tmp_path / "picture.png")
        wiring.window.menus["exportPng"].trigger()
        wait(qtbot, lambda: not wiring.desk.jobs.under_way)
    assert len(packers) == 2
    assert threading.main_thread() not in packers


def test_an_export_gets_its_ending_and_replaces_nothing_unasked(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    answer_save(monkeypatch, wiring, tmp_path / "iris v1.2")
    wiring.window.menus["exportPng"].trigger()
    picture = tmp_path / "iris v1.2.png"
    wait(qtbot, lambda: not wiring.desk.jobs.under_way)
    assert picture.stat().st_size > 100
    picture.write_text("kept", encoding="utf-8")
    wiring.window.menus["exportPng"].trigger()
    assert picture.read_text(encoding="utf-8") == "kept"
    assert "already exists" in stream_page(wiring).notice.text()
