"""The whole window, driven by its widgets: data go in, and what the user would see is read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow.csv
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from figmn import FastIGMN, Parameters, load
from tests.places import ROOT
from tests.workbench.parts import data_page, race_page, stream_page
from tests.workbench.penguins import write_penguins
from workbench.pages.data.dialogs.preview_dialog import PreviewDialog
from workbench.pages.data.wiring import DataWiring
from workbench.pages.stream import component_table
from workbench.pages.stream.wiring import DEMO_CHOICES, StreamWiring
from workbench.run import Choices, Dataset, FileOrigin, GeneratorOrigin, Plane, Recipe, SampleOrigin, run
from workbench.run.learn.rest import Rest
from workbench.run.learn.runner import Runner
from workbench.source import Encoding, Order, Preview, preview, sample
from workbench.source.generators import BirthsAndDeaths
from workbench.source.table import table
from workbench.source.table.table import Kind
from workbench.views.look import pictures
from workbench.views.plots.legend_item import MARKS
from workbench.window import application
from workbench.window.about import AboutDialog
from workbench.window.settings import FILE_VARIABLE, Memory
from workbench.window.shell import WindowShell

Found = TypeVar("Found", bound=QWidget)
WAIT = 60_000


def find(wiring: WindowShell, kind: type[Found], name: str) -> Found:
    found = wiring.window.findChild(kind, name)
    assert found is not None, name
    return found


def click(qtbot: QtBot, wiring: WindowShell, name: str) -> None:
    button = find(wiring, QWidget, name)
    assert button.isEnabled(), name
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    qtbot.waitUntil(condition, timeout=WAIT)


def state(wiring: WindowShell) -> str | None:
    return None if wiring.desk.workspace.frame is None else wiring.desk.workspace.frame.state


def open_sample(qtbot: QtBot, wiring: WindowShell, name: str = "iris") -> None:
    wiring.page(DataWiring).load(SampleOrigin(name))
    wait(qtbot, lambda: wiring.desk.workspace.dataset is not None and wiring.desk.workspace.dataset.title == name)


def run_to_the_end(qtbot: QtBot, wiring: WindowShell) -> None:
    click(qtbot, wiring, "streamButton")
    wait(qtbot, lambda: state(wiring) == "finished")


def answer_save(monkeypatch: pytest.MonkeyPatch, wiring: WindowShell, path: Path) -> None:
    monkeypatch.setattr(wiring.window, "ask_save", lambda *_: str(path))


def threads_of(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[threading.Thread]:
    """The threads that call a function from now on."""
    found: list[threading.Thread] = []
    call = getattr(owner, name)

    def noted(*arguments: Any) -> Any:
        found.append(threading.current_thread())
        return call(*arguments)

    monkeypatch.setattr(owner, name, noted)
    return found


def write(qtbot: QtBot, box: QAbstractSpinBox, text: str) -> None:
    box.lineEdit().selectAll()
    qtbot.keyClicks(box.lineEdit(), text)


def log_text(wiring: WindowShell) -> str:
    return wiring.window.log.text()


def test_a_sample_is_shown_streamed_and_read_back(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    assert wiring.window.tabs.currentWidget() is data_page(wiring)
    assert find(wiring, QLabel, "dataTitle").text() == "iris"
    run_to_the_end(qtbot, wiring)
    assert wiring.window.tabs.currentWidget() is stream_page(wiring)
    frame = wiring.desk.workspace.frame
    assert frame is not None
    expected = run(Recipe(SampleOrigin("iris"))).model
    np.testing.assert_allclose(frame.census.means, expected.means, rtol=1e-12)
    assert find(wiring, QLabel, "sampleLabel").text().replace("sample ", "") == "150 / 150"
    assert "Sample 150" in find(wiring, QLabel, "sentence").text()
    wait(qtbot, lambda: f"K {expected.n_components}" == find(wiring, QLabel, "statusCount").text())
    assert find(wiring, QLabel, "statusRecipe").text().endswith("current")
    assert "Finished after 150 samples" in log_text(wiring)


@pytest.mark.parametrize("streamed", [False, True])
def test_rows_without_a_measurement_are_told_on_the_page(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, streamed: bool
) -> None:
    """They failed the run, and the error named a position within a chunk."""
    path = write_penguins(tmp_path / "penguins.csv")
    wiring.page(DataWiring).run_recipe(
        Recipe(FileOrigin(str(path), streamed=streamed), roles={"species": "ignored", "sex": "ignored"})
    )
    wait(qtbot, lambda: state(wiring) == "finished")
    told = "2 rows have no value in any input column and were skipped: rows 4 and 272 of penguins.csv"
    wait(qtbot, lambda: stream_page(wiring).notice.text() == told)
    assert find(wiring, QLabel, "sampleLabel").text().replace("sample ", "") == "342 / 342"
    assert log_text(wiring).count(told) == 1


def test_play_pause_step_and_stop(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    wait(qtbot, lambda: wiring.desk.workspace.dataset is not None)
    wiring.show_page(stream_page(wiring))
    click(qtbot, wiring, "playButton")
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None and wiring.desk.workspace.frame.n_done > 100)
    click(qtbot, wiring, "playButton")
    wait(qtbot, lambda: state(wiring) == "paused")
    frame = wiring.desk.workspace.frame
    assert frame is not None
    n_done = frame.n_done
    click(qtbot, wiring, "stepButton")
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None and wiring.desk.workspace.frame.n_done == n_done + 1)
    assert f"Sample {n_done + 1:,}." in find(wiring, QLabel, "sentence").text()
    click(qtbot, wiring, "stopButton")
    wait(qtbot, lambda: state(wiring) == "stopped")
    click(qtbot, wiring, "playButton")  # begins anew
    wait(qtbot, lambda: state(wiring) == "running")


def test_run_to_a_sample_and_restart(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    box = find(wiring, QWidget, "runToBox")
    box.setFocus()
    qtbot.keyClicks(box, "60")
    click(qtbot, wiring, "runToButton")
    wait(qtbot, lambda: state(wiring) == "paused")
    assert wiring.desk.workspace.frame is not None
    assert wiring.desk.workspace.frame.n_done == 60
    click(qtbot, wiring, "restartButton")
    wait(qtbot, lambda: state(wiring) == "finished")
    assert wiring.desk.workspace.frame.run == 2


def test_a_wrong_parameter_blocks_the_start_and_says_why(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    box = find(wiring, QAbstractSpinBox, "betaBox")
    write(qtbot, box, "7")
    wiring.window.menus["play"].trigger()  # what was typed a moment ago counts
    assert "beta = 7" in find(wiring, QLabel, "betaProblem").text()
    assert not find(wiring, QWidget, "playButton").isEnabled()
    assert "beta = 7" in find(wiring, QLabel, "startBlocked").text()
    assert wiring.desk.workspace.runner is None
    write(qtbot, box, "0.1")
    qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Return)
    assert find(wiring, QWidget, "playButton").isEnabled()
    assert wiring.desk.workspace.choices.parameters.beta == 0.1


def test_a_change_during_a_run_counts_or_marks_it_stale(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    wiring.desk.workspace.run_to(50)
    wait(qtbot, lambda: state(wiring) == "paused")
    assert find(wiring, QLabel, "statusRecipe").text().startswith("iris · δ automatic (0.58) · ")
    wiring.window.form._choose(Choices(Parameters(beta=0.2)))
    wait(qtbot, lambda: wiring.desk.workspace.runner is not None and bool(wiring.desk.workspace.runner.recipe.changes))
    assert not wiring.desk.workspace.is_stale
    wiring.window.form._choose(Choices(Parameters(beta=0.2, delta=0.9)))
    assert wiring.desk.workspace.is_stale
    assert find(wiring, QLabel, "statusRecipe").text().endswith("settings changed since this run")
    assert find(wiring, QLabel, "parameterStateText").text() == "Changed since this run: δ automatic (0.58) → 0.9"
    iris = wiring.desk.workspace.dataset
    assert iris is not None
    wiring.page(DataWiring).change_dataset(
        iris.with_order(Order("shuffled")).with_encoding(Encoding(missing="drop")), "order"
    )
    text = "Changed since this run: δ automatic (0.58) → 0.9, missing values, order"
    assert find(wiring, QLabel, "parameterStateText").text() == text
    wiring.page(DataWiring).undo()
    click(qtbot, wiring, "restartWithThese")
    wait(qtbot, lambda: state(wiring) == "finished")
    assert not wiring.desk.workspace.is_stale
    assert wiring.desk.workspace.frame is not None
    assert wiring.desk.workspace.frame.census.parameters == Parameters(beta=0.2, delta=0.9)


def test_every_change_of_the_data_can_be_undone(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    iris = wiring.desk.workspace.dataset
    assert iris is not None
    data_page(wiring).dataset_changed.emit(iris.with_roles({"class": "ignored"}), "role of class")
    data_page(wiring).dataset_changed.emit(iris.with_order(Order("shuffled")), "order")
    assert wiring.desk.workspace.dataset is not None
    assert wiring.desk.workspace.dataset.order.kind == "shuffled"
    click(qtbot, wiring, "undoButton")
    assert wiring.desk.workspace.dataset.roles["class"] == "ignored"
    wiring.window.menus["undo"].trigger()
    assert wiring.desk.workspace.dataset is iris
    click(qtbot, wiring, "redoButton")
    assert wiring.desk.workspace.dataset.roles["class"] == "ignored"
    assert "Undone: role of class" in log_text(wiring)


def test_exports_are_the_librarys_own_answers(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    table = sample("iris").read()
    result = run(Recipe(SampleOrigin("iris")))
    model_path, log_path, recipe_path = tmp_path / "iris.figmn", tmp_path / "log.csv", tmp_path / "recipe.json"
    answer_save(monkeypatch, wiring, model_path)
    click(qtbot, wiring, "exportModel")
    wait(qtbot, model_path.exists)
    np.testing.assert_allclose(load(model_path).means, result.model.means, rtol=1e-12)
    answer_save(monkeypatch, wiring, log_path)
    click(qtbot, wiring, "exportLog")
    wait(qtbot, log_path.exists)
    log = pyarrow.csv.read_csv(log_path)
    assert log["label"].to_pylist() == table["class"].texts()
    np.testing.assert_allclose(
        log["log_likelihood_all_columns"].to_numpy()[1:], result.log.lines().log_likelihood[1:], rtol=1e-9
    )
    answer_save(monkeypatch, wiring, recipe_path)
    click(qtbot, wiring, "exportRecipe")
    wait(qtbot, recipe_path.exists)
    assert Recipe.from_json(recipe_path) == Recipe(SampleOrigin("iris"), roles=wiring.desk.workspace.dataset.roles)  # type: ignore[union-attr]
    for name, action in (("picture.png", "exportPng"), ("picture.svg", "exportSvg"), ("table.csv", "exportTable")):
        answer_save(monkeypatch, wiring, tmp_path / name)
        wiring.window.menus[action].trigger()
        wait(qtbot, (tmp_path / name).exists)
        assert (tmp_path / name).stat().st_size > 100
    components = pyarrow.csv.read_csv(tmp_path / "table.csv")
    np.testing.assert_allclose(components["petallength"], result.model.means[:, 2], rtol=1e-12)
    wiring.window.menus["copyPicture"].trigger()
    assert QGuiApplication.clipboard().image().width() > 100


def test_no_button_has_an_icon_of_the_desktop(qtbot: QtBot) -> None:
    dialog = AboutDialog({})
    qtbot.addWidget(dialog)
    buttons = dialog.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    assert buttons.standardButtons() == QDialogButtonBox.StandardButton.NoButton, "these are black in a dark look, too"


def test_colours_of_components_are_remembered(qtbot: QtBot, wiring: WindowShell) -> None:
    action, stream = wiring.window.menus["componentColours"], stream_page(wiring)
    assert action.isChecked()
    assert stream.mixture.ellipses.is_coloured
    assert not race_page(wiring).panes.fast.plot.ellipses.is_coloured, "there colours are those of the engines"
    action.trigger()
    assert not stream.mixture.ellipses.is_coloured
    wiring.memory.save()
    _, other = application.make(application.Start(theme="light"))
    qtbot.addWidget(other.window)
    assert not stream_page(other).mixture.ellipses.is_coloured
    other.window.close()


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


def test_menus_and_buttons_call_the_same_things_by_the_same_names(wiring: WindowShell) -> None:
    """Two things were called Log."""
    act = wiring.window.menus
    assert find(wiring, QToolButton, "exportLog").text() == "Per-sample CSV"
    assert act["exportLog"].text().replace("&", "") == "Export per-sample CSV…"
    assert wiring.window.dock.windowTitle() == "Messages"
    assert wiring.window.dock.toggleViewAction().text() == "&Messages"
    for action in wiring.window.menus.all_commands():
        assert "log" not in action.text().lower().split()


def test_an_export_that_fails_leaves_what_was_there(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    answer_save(monkeypatch, wiring, tmp_path / "no" / "such" / "model.figmn")
    click(qtbot, wiring, "exportModel")
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
    writers = threads_of(monkeypatch, component_table, "CsvWriter")
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
        wait(qtbot, lambda: not wiring.desk.workspace.jobs)
    assert len(packers) == 2
    assert threading.main_thread() not in packers


def test_work_that_is_done_in_a_moment_does_not_move_the_page(
    qtbot: QtBot, wiring: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page made room for a bar and took it back, however short the work was."""
    go_on = threading.Event()
    monkeypatch.setattr("workbench.window.wiring.UNSEEN_SECONDS", float("inf"))
    wiring.desk.workspace.work("Writing the file", lambda progress: go_on.wait(60))  # noqa: ARG005
    wiring.pump.pump()
    assert wiring.window.loading.isHidden()
    monkeypatch.setattr("workbench.window.wiring.UNSEEN_SECONDS", 0.0)
    wiring.pump.pump()
    assert not wiring.window.loading.isHidden()
    go_on.set()
    wait(qtbot, wiring.window.loading.isHidden)


def test_a_file_is_previewed_loaded_and_remembered(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x;y\n1,5;2\n2,5;3\n0,5;1\n", encoding="utf-8")
    monkeypatch.setattr(PreviewDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)  # noqa: ARG005
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    drop = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    wiring.window.dropEvent(drop)
    wait(qtbot, lambda: wiring.desk.workspace.dataset is not None)
    assert wiring.desk.workspace.dataset is not None
    assert wiring.desk.workspace.dataset.table["x"].values.tolist() == [1.5, 2.5, 0.5]
    assert wiring.memory.recent == [str(path)]
    path.unlink()
    wiring.page(DataWiring).open_file(str(path))
    assert "no longer exists" in log_text(wiring)
    assert wiring.desk.workspace.dataset.title == "points.csv"


def test_a_load_is_cancelled_and_nothing_is_lost(
    qtbot: QtBot, wiring: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, wiring)
    before = wiring.desk.workspace.dataset

    def slow(self: SampleOrigin, progress: Callable[[int, int], bool]) -> object:  # noqa: ARG001
        while progress(1, 10):
            pass
        from workbench.source import Cancelled

        raise Cancelled

    monkeypatch.setattr(SampleOrigin, "read", slow)
    wiring.page(DataWiring).load(SampleOrigin("wine"))
    button = find(wiring, QPushButton, "cancelLoad")
    wait(qtbot, button.isVisible)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.isVisible()
    wait(qtbot, lambda: "cancelled, nothing was changed" in log_text(wiring))
    assert wiring.desk.workspace.dataset is before


@pytest.mark.parametrize("page", ["data", "stream", "race"])
def test_a_look_at_a_file_shows_itself_on_every_page_and_is_cancelled_there(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """It showed itself on the Data page alone, and the dialog came in spite of the cancel."""
    path, go_on = tmp_path / "slow.csv", threading.Event()
    was_asked: list[PreviewDialog] = []
    path.write_text("x,y\n1,2\n", encoding="utf-8")

    def slow(*arguments: Any) -> Preview:
        go_on.wait(60)
        return preview(*arguments)

    monkeypatch.setattr("workbench.pages.data.dialogs.preview_dialog.preview", slow)
    monkeypatch.setattr(PreviewDialog, "exec", was_asked.append)
    wiring.window.show_page(getattr(wiring.window, page))
    wiring.page(DataWiring).open_file(str(path))
    button = find(wiring, QPushButton, "cancelLoad")
    assert button.isVisible()
    assert find(wiring, QLabel, "loadWords").text() == "Previewing slow.csv"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.isVisible()
    go_on.set()
    wait(qtbot, lambda: not wiring.desk.workspace.jobs)
    assert "Previewing slow.csv: cancelled, nothing was changed" in log_text(wiring)
    qtbot.wait(1)
    assert not was_asked
    assert wiring.desk.workspace.dataset is None


def test_the_first_file_does_not_wait_for_pandas(tmp_path: Path) -> None:
    """Arrow imports it with its first list, unless told that there is none: two seconds of nothing."""
    path = write_penguins(tmp_path / "penguins.csv")
    code = (
        "import sys; from workbench.window import application; from workbench.source import read_table;"
        "_, wiring = application.make(application.Start());"
        f"table = read_table({str(path)!r}); wiring.window.close();"
        "sys.exit('pandas' in sys.modules or table.n_rows != 344)"
    )
    environment = {**os.environ, FILE_VARIABLE: str(tmp_path / "settings.ini"), "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=WAIT / 1000)


def test_the_kind_of_a_large_column_is_changed_in_the_background(
    qtbot: QtBot, wiring: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four seconds at two million rows."""
    threads, go_on, with_kinds = list[threading.Thread](), threading.Event(), Dataset.with_kinds

    def slow(dataset: Dataset, kinds: dict[str, Kind]) -> Dataset:
        threads.append(threading.current_thread())
        go_on.wait(60)
        return with_kinds(dataset, kinds)

    wiring.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), n_rows=60_000))
    wait(qtbot, lambda: wiring.desk.workspace.dataset is not None)
    monkeypatch.setattr(Dataset, "with_kinds", slow)
    page, button = data_page(wiring), find(wiring, QPushButton, "cancelLoad")
    page._set_kinds(["x"], "nominal")
    wait(qtbot, button.isVisible)
    assert find(wiring, QLabel, "loadWords").text() == "Changing the kind of x"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    go_on.set()
    wait(qtbot, lambda: not wiring.desk.workspace.jobs)
    assert kind_of(wiring, "x") == "numeric"
    go_on.clear()
    page._set_kinds(["x"], "nominal")
    page._set_roles(["y"], "ignored")  # meanwhile
    go_on.set()
    wait(qtbot, lambda: kind_of(wiring, "x") == "nominal")
    assert wiring.desk.workspace.dataset is not None
    assert wiring.desk.workspace.dataset.roles["y"] == "ignored"
    assert threading.main_thread() not in threads
    wiring.page(DataWiring).undo()
    assert kind_of(wiring, "x") == "numeric"
    assert wiring.desk.workspace.dataset.roles["y"] == "ignored"


def kind_of(wiring: WindowShell, name: str) -> str:
    assert wiring.desk.workspace.dataset is not None
    return wiring.desk.workspace.dataset.table[name].kind


def test_a_refused_file_is_looked_at_once(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second time, it was in the thread of the window."""
    path, looks = tmp_path / "no.csv", []
    path.write_bytes(b"\x89PNG\r\n")

    def counted(*arguments: Any) -> Preview:
        looks.append(threading.current_thread())
        return preview(*arguments)

    monkeypatch.setattr("workbench.pages.data.dialogs.preview_dialog.preview", counted)
    said: list[str] = []

    def hear(dialog: PreviewDialog) -> QDialog.DialogCode:
        said.append(dialog._notice.text())
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(PreviewDialog, "exec", hear)
    wiring.page(DataWiring).open_file(str(path))
    wait(qtbot, lambda: bool(said))
    assert "it is a PNG picture" in said[0]
    assert len(looks) == 1
    assert looks[0] is not threading.main_thread()


def test_a_recipe_runs_with_all_it_names(qtbot: QtBot, wiring: WindowShell, tmp_path: Path) -> None:
    recipe = Recipe(
        SampleOrigin("wine"), order=Order("shuffled", seed=4), choices=Choices(Parameters(delta=0.8, beta=0.01), seed=4)
    )
    path = tmp_path / "wine.json"
    recipe.to_json(path)
    wiring.page(DataWiring).open_file(str(path))  # a recipe is known by its content
    wait(qtbot, lambda: state(wiring) == "finished")
    frame = wiring.desk.workspace.frame
    assert frame is not None
    np.testing.assert_allclose(frame.census.means, run(recipe).model.means, rtol=1e-12)
    assert find(wiring, QAbstractSpinBox, "deltaBox").text() == "0.8"
    assert not wiring.desk.workspace.is_stale
    assert find(wiring, QLabel, "statusCount").text() == f"K {frame.census.n_components}"
    path.write_text(json.dumps({"format": "figmn recipe", "version": 77}), encoding="utf-8")
    wiring.page(DataWiring).open_file(str(path))
    assert "wine.json, version: 77 is not known" in log_text(wiring)
    assert wiring.desk.workspace.dataset is not None
    assert wiring.desk.workspace.dataset.title == "wine"


def test_the_demo_moves_and_gives_way_to_the_users_data(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(StreamWiring).show_demo()
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None and wiring.desk.workspace.frame.n_done > 200)
    assert find(wiring, QWidget, "welcome").isVisible()
    assert wiring.desk.workspace.choices == DEMO_CHOICES
    open_sample(qtbot, wiring)
    assert not find(wiring, QWidget, "welcome").isVisible()
    assert wiring.desk.workspace.choices == Choices()
    wait(qtbot, lambda: wiring.desk.workspace.runner is not None and wiring.desk.workspace.runner.state == "paused")
    assert wiring.desk.workspace.runner is not None
    assert (
        wiring.desk.workspace.runner.recipe.parameters == DEMO_CHOICES.parameters
    )  # what was shown stays as it was made


@pytest.mark.parametrize("wish", ["dark", "light", "system"])
def test_the_look_changes_live_and_is_remembered(qtbot: QtBot, wiring: WindowShell, wish: str) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    wiring.window.menus[f"theme-{wish}"].trigger()
    picture = stream_page(wiring).mixture.area.grab().toImage()
    assert picture.pixelColor(3, 3).name() == wiring.theme.base
    assert wiring.memory.theme == wish


def test_a_run_rests_while_the_look_changes(qtbot: QtBot, wiring: WindowShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside MNIST both took turns at the interpreter, for up to half a second."""
    wiring.page(StreamWiring).show_demo()
    rests: list[Rest] = []
    ended: list[Rest] = []
    rest, end = Runner.rest, Rest.end

    def noted(runner: Runner) -> Rest:
        rests.append(rest(runner))
        return rests[-1]

    def noted_end(rest: Rest) -> None:
        ended.append(rest)
        end(rest)

    monkeypatch.setattr(Runner, "rest", noted)
    monkeypatch.setattr(Rest, "end", noted_end)
    wiring.window.menus["theme-dark"].trigger()
    assert len(rests) == 1
    assert not ended, "not before all is drawn"
    wait(qtbot, lambda: ended == rests)


def test_it_fits_a_small_screen(wiring: WindowShell) -> None:
    smallest = wiring.window.minimumSizeHint()
    assert smallest.width() <= 1280
    assert smallest.height() <= 720


def test_every_command_has_a_name_and_an_object_name(wiring: WindowShell) -> None:
    actions = wiring.window.menus.all_commands()
    assert len(actions) > 25
    keys = [key for action in actions if (key := action.shortcut().toString())]
    assert len(keys) == len(set(keys))


def test_an_error_nobody_foresaw_is_told(qtbot: QtBot, wiring: WindowShell, monkeypatch: pytest.MonkeyPatch) -> None:
    open_sample(qtbot, wiring)

    def broken(*_: object, **__: object) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(wiring.desk.workspace, "start", broken)
    click(qtbot, wiring, "streamButton")
    assert "Unexpected error (KeyError)" in stream_page(wiring).notice.text()


def test_closing_in_the_middle_of_a_run_leaves_no_thread(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(StreamWiring).show_demo()
    wiring.desk.workspace.set_speed(None)
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None)
    wiring.window.close()
    assert wiring.desk.workspace.runner is None


def test_a_model_of_the_window_goes_on_in_the_library(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring, "Old Faithful")
    run_to_the_end(qtbot, wiring)
    runner = wiring.desk.workspace.runner
    assert runner is not None
    model = FastIGMN.from_snapshot(runner.ask(lambda learner, log: learner.engine.snapshot()).result(60))  # noqa: ARG005
    assert model.learn_one([3.0, 70.0]).sample == 272


def test_a_low_window_keeps_room_for_the_picture(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.window.resize(800, 500)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert stream_page(wiring).mixture.area.height() > 100


def test_play_runs_the_data_that_are_shown(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(StreamWiring).show_demo()
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None)
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    wait(qtbot, lambda: state(wiring) == "paused")
    click(qtbot, wiring, "playButton")
    wait(qtbot, lambda: state(wiring) == "finished")
    assert wiring.desk.workspace.frame is not None
    assert wiring.desk.workspace.frame.recipe.origin == SampleOrigin("iris")


def test_the_length_of_a_recipe_is_not_that_of_the_next_data(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(DataWiring).run_recipe(Recipe(SampleOrigin("wine"), n_samples=10))
    wait(qtbot, lambda: state(wiring) == "finished")
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert wiring.desk.workspace.frame is not None
    assert wiring.desk.workspace.frame.n_done == 150


def test_small_data_start_at_a_speed_that_can_be_watched(qtbot: QtBot, wiring: WindowShell) -> None:
    act, bar = wiring.window.menus["unlimited"], stream_page(wiring).run_bar
    act.trigger()
    open_sample(qtbot, wiring)
    assert find(wiring, QLabel, "speedLabel").text() == "7 /s"
    click(qtbot, wiring, "streamButton")
    wait(qtbot, lambda: state(wiring) == "running")
    act.trigger()
    assert (bar.speed(), find(wiring, QLabel, "speedLabel").text()) == (None, "unlimited")
    wait(qtbot, lambda: state(wiring) == "finished")
    click(qtbot, wiring, "unlimitedButton")
    assert bar.speed() == wiring.desk.workspace.speed == 7
    bar.speed_slider.setValue(bar.speed_slider.minimum())
    wiring.page(DataWiring).undo()
    wiring.page(DataWiring).redo()
    open_sample(qtbot, wiring, "wine")
    assert bar.speed() == wiring.desk.workspace.speed == 10


def test_the_key_for_unlimited_is_for_the_page_that_is_shown(wiring: WindowShell) -> None:
    wiring.show_page(race_page(wiring))
    wiring.window.menus["unlimited"].trigger()
    assert race_page(wiring).run_bar.speed() == wiring.desk.race.speed == 100
    assert wiring.desk.workspace.speed is None
    wiring.window.menus["unlimited"].trigger()
    assert race_page(wiring).run_bar.speed() is wiring.desk.race.speed is None


def test_what_nobody_watches_is_not_slowed_down(qtbot: QtBot, wiring: WindowShell, tmp_path: Path) -> None:
    """Pictures and runs without a screen."""
    wiring.window.menus["unlimited"].trigger()
    path = write_penguins(tmp_path / "penguins.csv")
    wiring.page(DataWiring).run_unattended(None, str(path), 10)
    wait(qtbot, lambda: state(wiring) is not None)
    assert wiring.desk.workspace.speed is None


def carried_over(wiring: WindowShell) -> str:
    note = find(wiring, QLabel, "carriedOverText")
    return note.text() if note.isVisible() else ""


def test_parameters_carried_over_say_so_until_they_are_reset_kept_or_changed(qtbot: QtBot, wiring: WindowShell) -> None:
    other = Choices(Parameters(beta=0.2))
    open_sample(qtbot, wiring)
    for answer in ("carriedOverReset", "carriedOverKeep", "betaBox"):
        wiring.window.form._choose(other)
        assert carried_over(wiring) == ""
        open_sample(qtbot, wiring, "wine")
        assert carried_over(wiring) == "Parameters carried over from iris"
        if answer == "betaBox":
            write(qtbot, find(wiring, QAbstractSpinBox, answer), "0.3")
            qtbot.keyClick(find(wiring, QAbstractSpinBox, answer).lineEdit(), Qt.Key.Key_Return)
        else:
            click(qtbot, wiring, answer)
        assert carried_over(wiring) == ""
        assert (wiring.desk.workspace.choices == Choices()) is (answer == "carriedOverReset")
        wiring.window.form._choose(Choices())
        open_sample(qtbot, wiring)
        assert carried_over(wiring) == ""


def test_the_parameters_of_a_recipe_are_not_carried_over(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.window.form._choose(Choices(Parameters(beta=0.2)))
    wiring.page(DataWiring).run_recipe(Recipe(SampleOrigin("wine"), choices=Choices(Parameters(beta=0.2))))
    wait(qtbot, lambda: state(wiring) == "finished")
    assert carried_over(wiring) == ""


def test_undone_to_nothing_it_says_so(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    wiring.page(DataWiring).undo()
    assert wiring.desk.workspace.dataset is None
    assert find(wiring, QLabel, "dataTitle").text() == "no data yet"
    assert "iris" not in wiring.window.windowTitle()
    assert find(wiring, QLabel, "statusRecipe").text().endswith("settings changed since this run")
    assert find(wiring, QLabel, "parameterStateText").text() == "Changed since this run: data"
    wiring.window.menus["play"].trigger()
    assert "open a file or choose a sample first" in log_text(wiring)
    wiring.page(DataWiring).redo()
    assert wiring.window.windowTitle().startswith("iris")
    assert find(wiring, QLabel, "statusRecipe").text().endswith("current")


def test_a_run_that_holds_before_its_first_sample_is_shown(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    wiring.desk.workspace.start("pause")
    wait(qtbot, lambda: state(wiring) == "paused")
    assert find(wiring, QLabel, "sentence").text() == "Nothing has been learned yet."
    click(qtbot, wiring, "stepButton")
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None and wiring.desk.workspace.frame.n_done == 1)


def test_the_run_goes_on_behind_the_preview_of_a_file(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked inside the pump's timer, the question would have held it, and with it all views."""
    path = tmp_path / "points.csv"
    path.write_text("x,y\n1,2\n2,3\n", encoding="utf-8")
    seen = []

    def answer(_: PreviewDialog) -> QDialog.DialogCode:
        before = wiring.desk.workspace.frame
        wait(qtbot, lambda: wiring.desk.workspace.frame is not before)
        seen.append(True)
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(PreviewDialog, "exec", answer)
    wiring.page(StreamWiring).show_demo()
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None)
    wiring.page(DataWiring).open_file(str(path))
    wait(qtbot, lambda: bool(seen))


def test_dropped_folders_are_named_and_files_beside_them_opened(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PreviewDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)  # noqa: ARG005
    wiring.window.files_dropped.emit([str(tmp_path)])
    assert f"{tmp_path} is a folder: open a file in it" in log_text(wiring)
    path = tmp_path / "points.csv"
    path.write_text("x,y\n1,2\n2,3\n", encoding="utf-8")
    wiring.window.files_dropped.emit([str(tmp_path), str(path)])
    assert "2 files were dropped" in wiring.window.statusBar().currentMessage()
    wait(
        qtbot, lambda: wiring.desk.workspace.dataset is not None and wiring.desk.workspace.dataset.title == "points.csv"
    )


def test_a_pipe_is_refused_at_once_whatever_it_is_called(wiring: WindowShell, tmp_path: Path) -> None:
    for name in ("rows.csv", "recipe.json"):
        os.mkfifo(tmp_path / name)
        wiring.page(DataWiring).open_file(str(tmp_path / name))
        assert f"{name} is a pipe. Write its content to a file, then open that." in log_text(wiring)
    wiring.page(DataWiring).open_recipe(str(tmp_path / "recipe.json"))
    assert "recipe.json cannot be read (is a pipe): choose another recipe" in log_text(wiring)


def test_an_export_gets_its_ending_and_replaces_nothing_unasked(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    answer_save(monkeypatch, wiring, tmp_path / "iris v1.2")
    wiring.window.menus["exportPng"].trigger()
    picture = tmp_path / "iris v1.2.png"
    wait(qtbot, lambda: not wiring.desk.workspace.jobs)
    assert picture.stat().st_size > 100
    picture.write_text("kept", encoding="utf-8")
    wiring.window.menus["exportPng"].trigger()
    assert picture.read_text(encoding="utf-8") == "kept"
    assert "already exists" in stream_page(wiring).notice.text()


def test_moving_delta_in_a_run_changes_nothing_but_its_staleness(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(StreamWiring).show_demo()
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None)
    for step in range(10):
        wiring.window.form._choose(Choices(replace(DEMO_CHOICES.parameters, delta=0.3 + 0.01 * step)))
    qtbot.wait(100)
    assert wiring.desk.workspace.runner is not None
    assert not wiring.desk.workspace.runner.recipe.changes
    assert "From sample" not in log_text(wiring)
    assert wiring.desk.workspace.is_stale


@pytest.mark.parametrize("content", ["[General]\nrecent=@Variant(\\0\\0\\x7f\n[window]\ngeometry=7\n", "\x00\x01[", ""])
@pytest.mark.usefixtures("qapp")
def test_damaged_settings_count_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    path = tmp_path / "settings.ini"
    path.write_text(content, encoding="latin-1")
    monkeypatch.setenv(FILE_VARIABLE, str(path))
    memory = Memory()
    assert (memory.recent, memory.theme, memory.folder) == ([], "system", "")


@pytest.mark.parametrize("arguments", [[], ["--screenshot", "long.png", "--recipe", "long.json"]])
def test_ctrl_c_ends_the_window(tmp_path: Path, arguments: list[str]) -> None:
    """On a screen that nobody sees, but with the loop of the window."""
    Recipe(GeneratorOrigin(BirthsAndDeaths(), endless=True), n_samples=10**9).to_json(tmp_path / "long.json")
    program = (
        "import sys\nfrom workbench import cli\nfrom workbench.window import application\n"
        "application.has_display = lambda: True\n"
    )
    program += "make = application.make\n"
    program += "def told(start):\n    made = make(start)\n"
    program += "    made[1].pump.frames_drawn.connect(lambda: print('frame', flush=True))\n    return made\n"
    program += "application.make = told\nsys.exit(cli.main(sys.argv[1:]))\n"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", FILE_VARIABLE: str(tmp_path / "settings.ini")}
    environment["PYTHONPATH"] = str(ROOT)
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "frame\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        finally:
            process.kill()


def test_one_choice_of_colour_on_both_pages(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring, "German credit")
    data_page(wiring)._set_roles(["class"], "ignored")
    run_to_the_end(qtbot, wiring)
    on_data, on_stream = find(wiring, QComboBox, "colourBy"), find(wiring, QComboBox, "streamColour")
    assert (on_data.currentText(), on_stream.currentText()) == ("class", "class")
    assert wiring.desk.workspace.frame is not None
    assert wiring.desk.workspace.frame.colour == "class", "what is not learned still has a colour"
    legend = stream_page(wiring).mixture.area.legend
    assert legend.texts[:3] == ["class:", "good", "bad"]
    on_stream.setCurrentText("own_telephone")
    wait(qtbot, lambda: legend.texts[:3] == ["own_telephone:", "none", "yes"])
    assert on_data.currentText() == "own_telephone"
    assert not wiring.desk.workspace.is_stale
    on_data.setCurrentIndex(0)
    wait(qtbot, lambda: legend.texts == list(MARKS))
    assert on_stream.currentIndex() == 0
    wiring.page(DataWiring).undo()
    wait(qtbot, lambda: legend.texts[0] == "own_telephone:")
    assert (on_data.currentText(), on_stream.currentText()) == ("own_telephone", "own_telephone")


def test_the_held_out_log_likelihood_stays_until_the_next_run(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    results = stream_page(wiring).results
    assert results.readings() == []
    assert wiring.desk.workspace.dataset is not None
    wiring.page(DataWiring).change_dataset(wiring.desk.workspace.dataset.with_test_share(0.2), "held-out rows")
    run_to_the_end(qtbot, wiring)
    wait(qtbot, lambda: bool(results.readings()))
    expected = run(Recipe(SampleOrigin("iris"), test_share=0.2)).held_out
    assert expected is not None
    shown, of_inputs = (f"{value:.3f}".replace("-", "\u2212") for value in expected[1:])
    assert results.readings() == [
        ("held-out log-likelihood, inputs and targets", shown, ""),
        ("held-out log-likelihood, inputs only", of_inputs, "mean of 30 rows not learned, at sample 120"),
    ]
    wiring.window.statusBar().clearMessage()
    wiring.desk.workspace.set_plane(Plane("columns", 0, 1))
    wait(qtbot, lambda: wiring.desk.workspace.frame is not None and wiring.desk.workspace.frame.picture.plane.x == 0)
    assert results.readings()[0][1] == shown
    wiring.page(DataWiring).change_dataset(wiring.desk.workspace.dataset.with_test_share(0.0), "held-out rows")
    wiring.page(StreamWiring).restart()
    wait(qtbot, lambda: results.readings() == [])


def test_without_targets_the_held_out_log_likelihood_has_one_name(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    dataset = wiring.desk.workspace.dataset
    assert dataset is not None
    wiring.page(DataWiring).change_dataset(
        dataset.with_roles({"class": "ignored"}).with_test_share(0.2), "held-out rows"
    )
    run_to_the_end(qtbot, wiring)
    results = stream_page(wiring).results
    wait(qtbot, lambda: bool(results.readings()))
    (line,) = results.readings()
    assert (line[0], line[2]) == ("held-out log-likelihood", "mean of 30 rows not learned, at sample 120")


def test_the_likelihood_of_the_inputs_is_there_while_it_plays_and_steps(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    page, timelines = stream_page(wiring), stream_page(wiring).timelines
    wiring.window.show_page(page)
    page.fold_timelines(False)
    for n_done in (1, 2):
        click(qtbot, wiring, "stepButton")
        wait(qtbot, lambda: page.shown is not None and page.shown.n_done == n_done)  # noqa: B023 - waited for here
    assert timelines.shown is not None
    assert np.isfinite(timelines.shown.timeline.input_log_likelihoods).tolist() == [False, True]
    click(qtbot, wiring, "inputsOnly")
    title = list(timelines.readings())[2]
    assert "inputs only" in title
    assert timelines.readings()[title] != "–"
    click(qtbot, wiring, "playButton")
    wait(qtbot, lambda: page.shown is not None and page.shown.state == "finished")
    assert timelines.readings()[title] != "–"
    click(qtbot, wiring, "inputsOnly")
    assert "inputs and targets" in list(timelines.readings())[2]


def in_sight(wiring: WindowShell, widget: QWidget) -> bool:
    window = wiring.window
    return widget.isVisible() and window.rect().contains(widget.rect().translated(widget.mapTo(window, QPoint(0, 0))))


def all_in_sight(wiring: WindowShell, widgets: Iterable[QWidget]) -> bool:
    return all(in_sight(wiring, widget) for widget in widgets)


def test_the_plot_has_half_of_a_low_window(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert (wiring.window.width(), wiring.window.height()) == (1280, 800)
    plot = stream_page(wiring).mixture.area.plot.vb
    wait(qtbot, lambda: plot.height() >= 400)
    assert stream_page(wiring).timelines.is_folded
    assert wiring.window.side.isVisible()
    wiring.window.resize(1600, 1000)
    wait(qtbot, lambda: not stream_page(wiring).timelines.is_folded)
    assert plot.height() >= 400


def test_the_log_makes_the_window_no_taller(qtbot: QtBot, wiring: WindowShell) -> None:
    for page in (data_page(wiring), stream_page(wiring), race_page(wiring)):
        wiring.window.show_page(page)
        wiring.window.dock.show()
        wait(qtbot, wiring.window.log.isVisible)
        assert wiring.window.height() == 800
        wiring.window.dock.hide()
        assert wiring.window.height() == 800


def test_the_plot_has_half_of_a_large_window_too(qtbot: QtBot, wiring: WindowShell) -> None:
    """It had 38 %: the curves below it had grown with the window."""
    wiring.window.resize(1920, 1080)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    page = stream_page(wiring)
    wiring.window.show_page(page)
    wait(qtbot, lambda: page.mixture.area.height() >= 540)
    assert not page.timelines.is_folded


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
def test_the_plot_has_half_of_the_window_beside_messages(
    qtbot: QtBot, wiring: WindowShell, size: tuple[int, int]
) -> None:
    """It had 36, 20 and 37 %: messages took their room from it, and all curves were open from 860 pixels on."""
    wiring.window.resize(*size)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    plot, timelines = stream_page(wiring).mixture.area.plot.vb, stream_page(wiring).timelines
    wait(qtbot, lambda: plot.height() >= size[1] / 2)
    assert timelines.isVisible()
    wiring.window.dock.show()
    wait(qtbot, lambda: wiring.window.dock.taken > 0 and plot.height() >= size[1] / 2)
    assert wiring.window.log.field.viewport().height() >= 4 * wiring.window.log.field.fontMetrics().lineSpacing()
    assert (wiring.window.width(), wiring.window.height()) == size
    wiring.window.dock.hide()
    wait(qtbot, lambda: timelines.isVisible() and plot.height() >= size[1] / 2)


def test_timelines_that_the_user_opens_stay_beside_messages(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    timelines = stream_page(wiring).timelines
    wiring.window.dock.show()
    wait(qtbot, lambda: not timelines.isVisible())
    wiring.window.menus["timelines"].trigger()
    assert timelines.isVisible()
    assert not timelines.is_folded
    wiring.window.menus["timelines"].trigger()
    assert not timelines.isVisible()


def test_messages_keep_the_height_that_the_user_gave_them(qtbot: QtBot, wiring: WindowShell) -> None:
    window = wiring.window
    window.dock.show()
    wait(qtbot, lambda: 0 < window.dock.height() < 120)
    window.resizeDocks([window.dock], [200], Qt.Orientation.Vertical)
    wait(qtbot, lambda: window.dock.height() == 200)
    window.dock.hide()
    window.dock.show()
    window.resize(1270, 790)
    wait(qtbot, lambda: window.width() == 1270 and window.dock.height() == 200)


def test_messages_at_a_side_or_in_a_window_of_their_own_take_no_height(qtbot: QtBot, wiring: WindowShell) -> None:
    window = wiring.window
    window.show_page(stream_page(wiring))
    window.dock.show()
    wait(qtbot, lambda: not stream_page(wiring).timelines.isVisible())
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.dock)
    wait(qtbot, stream_page(wiring).timelines.isVisible)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, window.dock)
    wait(qtbot, lambda: not stream_page(wiring).timelines.isVisible())
    window.dock.setFloating(True)
    wait(qtbot, stream_page(wiring).timelines.isVisible)


def test_the_log_leaves_the_plot_its_room(qtbot: QtBot, wiring: WindowShell, tmp_path: Path) -> None:
    wiring.page(DataWiring).run_unattended(None, str(write_penguins(tmp_path / "penguins.csv")), 20)
    wait(qtbot, lambda: state(wiring) == "finished")
    wiring.window.dock.show()
    wait(qtbot, lambda: stream_page(wiring).mixture.area.height() > 280)


def test_the_smallest_window_does_not_grow_with_the_log(qtbot: QtBot, wiring: WindowShell, tmp_path: Path) -> None:
    wiring.window.resize(600, 400)
    wiring.page(DataWiring).run_unattended(None, str(write_penguins(tmp_path / "penguins.csv")), 20)
    wait(qtbot, lambda: state(wiring) == "finished" and stream_page(wiring).notice.isVisible())
    wiring.window.dock.show()
    wait(qtbot, wiring.window.log.isVisible)
    for _ in range(5):
        QApplication.processEvents()
        assert wiring.window.height() == 400


@pytest.mark.parametrize("size", [(600, 400), (640, 370)])
def test_the_run_bar_is_in_sight_on_the_smallest_screens(
    qtbot: QtBot, wiring: WindowShell, size: tuple[int, int]
) -> None:
    wiring.window.resize(*size)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert (wiring.window.width(), wiring.window.height()) == size
    for page in (stream_page(wiring), race_page(wiring)):
        wiring.window.show_page(page)
        bar = page.run_bar
        parts = (bar.restart_button, bar.play_button, bar.step_button, bar.stop_button, bar.speed_slider)
        wait(qtbot, partial(all_in_sight, wiring, parts))
    bar = stream_page(wiring).run_bar
    wiring.show_page(stream_page(wiring))
    assert not bar.run_to_box.isVisible()
    bar.more_button.click()
    wait(qtbot, lambda: in_sight(wiring, bar.run_to_box))


def test_panels_that_are_folded_away_are_remembered(qtbot: QtBot, wiring: WindowShell) -> None:
    window, act = wiring.window, wiring.window.menus
    act["sidePanel"].trigger()
    assert not window.side.isVisible()
    assert wiring.memory.panel("side") is False
    act["sidePanel"].trigger()
    assert window.side.isVisible()
    assert wiring.memory.panel("side") is None, "the room decides again"
    act["timelines"].trigger()
    assert not stream_page(wiring).timelines.is_folded
    assert wiring.memory.panel("timelines") is True
    window.resize(700, 700)
    wait(qtbot, lambda: not window.side.isVisible())
    assert not stream_page(wiring).timelines.is_folded, "the user's choice stays"


def test_what_undo_can_no_longer_keep_is_told(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    iris = wiring.desk.workspace.dataset
    assert iris is not None
    wiring.desk.workspace.versions._budget = lambda: 0.0
    data_page(wiring).dataset_changed.emit(iris.with_roles({"class": "ignored"}), "role of class")
    assert wiring.desk.workspace.versions.undo_text == "role of class", "a role takes no memory"
    wiring.page(DataWiring).load(SampleOrigin("wine"))
    wait(qtbot, lambda: wiring.desk.workspace.dataset is not None and wiring.desk.workspace.dataset.title == "wine")
    assert not find(wiring, QWidget, "undoButton").isEnabled()
    assert "oldest steps can no longer be undone: their data took too much memory" in log_text(wiring)


def test_a_role_is_changed_without_a_look_at_the_rows(
    qtbot: QtBot, wiring: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With millions of rows, that look would hold up the window."""
    open_sample(qtbot, wiring)
    iris = wiring.desk.workspace.dataset
    assert iris is not None
    wait(qtbot, lambda: all("summary" in vars(column) for column in iris.table))
    monkeypatch.setattr(Encoding, "fit", lambda *_: pytest.fail("looked at all rows"))
    monkeypatch.setattr(table, "summarise", lambda *_: pytest.fail("looked at all rows"))
    data_page(wiring).attributes.roles_wanted.emit(["sepallength"], "ignored")
    assert wiring.desk.workspace.dataset is not None
    assert wiring.desk.workspace.dataset.roles["sepallength"] == "ignored"
    assert find(wiring, QLabel, "learnedWords").text().startswith("6 columns")
