"""Files, samples, recipes and the demo are opened in the window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDialog,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from figmn import Parameters
from tests.workbench.hands import WAIT, click, find, let_pass, text_of, wait
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import log_text, open_sample, state
from workbench.pages.data.dialogs.preview_dialog import PreviewDialog
from workbench.pages.data.wiring import DataWiring
from workbench.pages.stream.wiring import DEMO_CHOICES, StreamWiring
from workbench.run import Choices, Recipe, SampleOrigin, run
from workbench.source import Order, Preview, preview
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell


def test_a_file_is_previewed_loaded_and_remembered(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x;y\n1,5;2\n2,5;3\n0,5;1\n", encoding="utf-8")
    monkeypatch.setattr(PreviewDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)  # noqa: ARG005
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    drop = QDropEvent(
        QPointF(50, 50), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    shell.window.dropEvent(drop)
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    assert shell.desk.data.dataset is not None
    assert shell.desk.data.dataset.table["x"].values.tolist() == [1.5, 2.5, 0.5]
    assert shell.memory.recent == [str(path)]
    path.unlink()
    shell.page(DataWiring).open_file(str(path))
    assert "no longer exists" in log_text(shell)
    assert shell.desk.data.dataset.title == "points.csv"


def test_a_load_is_cancelled_and_nothing_is_lost(
    qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_sample(qtbot, shell)
    before = shell.desk.data.dataset

    def slow(self: SampleOrigin, progress: Callable[[int, int], bool]) -> object:  # noqa: ARG001
        while progress(1, 10):
            pass
        from workbench.source import Cancelled

        raise Cancelled

    monkeypatch.setattr(SampleOrigin, "read", slow)
    shell.page(DataWiring).load(SampleOrigin("wine"))
    button = find(shell.window, QPushButton, "cancelLoad")
    wait(qtbot, button.isVisible)
    click(button)
    assert not button.isVisible()
    wait(qtbot, lambda: "cancelled, nothing was changed" in log_text(shell))
    assert shell.desk.data.dataset is before


@pytest.mark.parametrize("page", ["data", "stream", "race"])
def test_a_look_at_a_file_shows_itself_on_every_page_and_is_cancelled_there(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
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
    shell.show_page(next(one.view for one in shell.pages if one.key == page))
    shell.page(DataWiring).open_file(str(path))
    button = find(shell.window, QPushButton, "cancelLoad")
    assert button.isVisible()
    assert text_of(shell.window, "loadWords") == "Previewing slow.csv"
    click(button)
    assert not button.isVisible()
    go_on.set()
    wait(qtbot, lambda: not shell.desk.jobs.under_way)
    assert "Previewing slow.csv: cancelled, nothing was changed" in log_text(shell)
    let_pass(qtbot)
    assert not was_asked
    assert shell.desk.data.dataset is None


def test_the_first_file_does_not_wait_for_pandas(tmp_path: Path) -> None:
    """Arrow imports it with its first list, unless told that there is none: two seconds of nothing."""
    path = write_penguins(tmp_path / "penguins.csv")
    code = (
        "import sys; from workbench.window import application; from workbench.source import read_table;"
        "_, shell = application.make(application.Start());"
        f"table = read_table({str(path)!r}); shell.window.close();"
        "sys.exit('pandas' in sys.modules or table.n_rows != 344)"
    )
    environment = {**os.environ, FILE_VARIABLE: str(tmp_path / "settings.ini"), "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=WAIT / 1000)


def test_a_refused_file_is_looked_at_once(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    shell.page(DataWiring).open_file(str(path))
    wait(qtbot, lambda: bool(said))
    assert "it is a PNG picture" in said[0]
    assert len(looks) == 1
    assert looks[0] is not threading.main_thread()


def test_a_recipe_runs_with_all_it_names(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    recipe = Recipe(
        SampleOrigin("wine"), order=Order("shuffled", seed=4), choices=Choices(Parameters(delta=0.8, beta=0.01), seed=4)
    )
    path = tmp_path / "wine.json"
    recipe.to_json(path)
    shell.page(DataWiring).open_file(str(path))  # a recipe is known by its content
    wait(qtbot, lambda: state(shell) == "finished")
    frame = shell.desk.run.frame
    assert frame is not None
    np.testing.assert_allclose(frame.census.means, run(recipe).model.means, rtol=1e-12)
    assert find(shell.window, QAbstractSpinBox, "deltaBox").text() == "0.8"
    assert not shell.desk.run.is_stale
    assert text_of(shell.window, "statusCount") == f"K {frame.census.n_components}"
    path.write_text(json.dumps({"format": "figmn recipe", "version": 77}), encoding="utf-8")
    shell.page(DataWiring).open_file(str(path))
    assert "wine.json, version: 77 is not known" in log_text(shell)
    assert shell.desk.data.dataset is not None
    assert shell.desk.data.dataset.title == "wine"


def test_the_demo_moves_and_gives_way_to_the_users_data(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(StreamWiring).show_demo()
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done > 200)
    assert find(shell.window, QWidget, "welcome").isVisible()
    assert shell.desk.data.choices == DEMO_CHOICES
    open_sample(qtbot, shell)
    assert not find(shell.window, QWidget, "welcome").isVisible()
    assert shell.desk.data.choices == Choices()
    wait(qtbot, lambda: shell.desk.run.transport is not None and shell.desk.run.transport.state == "paused")
    assert shell.desk.run.transport is not None
    assert shell.desk.run.transport.recipe.parameters == DEMO_CHOICES.parameters  # what was shown stays as it was made


def test_the_run_goes_on_behind_the_preview_of_a_file(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked inside the pump's timer, the question would have held it, and with it all views."""
    path = tmp_path / "points.csv"
    path.write_text("x,y\n1,2\n2,3\n", encoding="utf-8")
    seen = []

    def answer(_: PreviewDialog) -> QDialog.DialogCode:
        before = shell.desk.run.frame
        wait(qtbot, lambda: shell.desk.run.frame is not before)
        seen.append(True)
        return QDialog.DialogCode.Rejected

    monkeypatch.setattr(PreviewDialog, "exec", answer)
    shell.page(StreamWiring).show_demo()
    wait(qtbot, lambda: shell.desk.run.frame is not None)
    shell.page(DataWiring).open_file(str(path))
    wait(qtbot, lambda: bool(seen))


def test_dropped_folders_are_named_and_files_beside_them_opened(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PreviewDialog, "exec", lambda dialog: QDialog.DialogCode.Accepted)  # noqa: ARG005
    shell.window.files_dropped.emit([str(tmp_path)])
    assert f"{tmp_path} is a folder: open a file in it" in log_text(shell)
    path = tmp_path / "points.csv"
    path.write_text("x,y\n1,2\n2,3\n", encoding="utf-8")
    shell.window.files_dropped.emit([str(tmp_path), str(path)])
    assert "2 files were dropped" in shell.window.statusBar().currentMessage()
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == "points.csv")


def test_a_pipe_is_refused_at_once_whatever_it_is_called(shell: WindowShell, tmp_path: Path) -> None:
    for name in ("rows.csv", "recipe.json"):
        os.mkfifo(tmp_path / name)
        shell.page(DataWiring).open_file(str(tmp_path / name))
        assert f"{name} is a pipe. Write its content to a file, then open that." in log_text(shell)
    shell.page(DataWiring).open_recipe(str(tmp_path / "recipe.json"))
    assert "recipe.json is a pipe. Write its content to a file, then open that." in log_text(shell)


def test_a_job_that_ended_before_it_was_looked_at_leaves_no_bar_behind(qtbot: QtBot, shell: WindowShell) -> None:
    """The bar of a short preview stayed until the next job."""
    job = shell.desk.jobs.start("Previewing", lambda progress: progress(1, 1))
    job.join()
    shell.show_progress(job)
    assert not shell.window.loading.isHidden()
    wait(qtbot, shell.window.loading.isHidden)


def test_work_that_is_done_in_a_moment_does_not_move_the_page(
    qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page made room for a bar and took it back, however short the work was."""
    go_on = threading.Event()
    monkeypatch.setattr("workbench.window.shell.UNSEEN_SECONDS", float("inf"))
    shell.desk.jobs.start("Writing the file", lambda progress: go_on.wait(60))  # noqa: ARG005
    shell.pump.pump()
    assert shell.window.loading.isHidden()
    monkeypatch.setattr("workbench.window.shell.UNSEEN_SECONDS", 0.0)
    shell.pump.pump()
    assert not shell.window.loading.isHidden()
    go_on.set()
    wait(qtbot, shell.window.loading.isHidden)
