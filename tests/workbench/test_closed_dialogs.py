"""A dialog that was closed is gone: with its widgets, timers and shortcuts, however often it is opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.parts import data_page
from workbench.pages.data.dialogs.preview_dialog import PreviewDialog
from workbench.pages.data.wiring import DataWiring
from workbench.run.recipe.dataset import SampleOrigin, load
from workbench.source import preview
from workbench.window.shell import WindowShell

TIMES = 50
Act = Callable[[WindowShell, Path], object]


def look_at(path: Path, shell: WindowShell) -> None:
    shell.page(DataWiring)._load_from(PreviewDialog(path, preview(path), shell.window))


def open_menu(shell: WindowShell, _: Path) -> None:
    table = data_page(shell).attributes
    table.choose(table.model.column(0).name)
    table._open_menu(QPoint(5, 5))
    close_what_is_open()


def open_choice(shell: WindowShell, _: Path) -> None:
    table = data_page(shell).attributes
    table._open_choice(table.model.index(0, 2))
    close_what_is_open()


def add_recent(shell: WindowShell, folder: Path) -> None:
    """The menu is filled with every file that is loaded."""
    for number in range(8):
        (folder / f"{number}.csv").touch()
        shell.memory.add_recent(str(folder / f"{number}.csv"))
    shell.page(DataWiring).show_recent()


def save_selection(shell: WindowShell, _: Path) -> None:
    shell.hub.selection_requested.emit([0], "replace")
    shell.page(DataWiring).selecting.ask_name()


KINDS: dict[str, Act] = {
    "about": lambda shell, _: shell.window.show_about(),
    "command palette": lambda shell, _: shell.window.show_palette(),
    "generator": lambda shell, _: shell.page(DataWiring).generate(),
    "paint": lambda shell, _: shell.page(DataWiring).paint(),
    "preview of text": lambda shell, folder: look_at(folder / "points.csv", shell),
    "preview of a format without options": lambda shell, folder: look_at(folder / "points.jsonl", shell),
    "save a selection": save_selection,
    "open a file": lambda shell, folder: shell.window.ask_open(str(folder)),
    "save a file": lambda shell, folder: shell.window.ask_save("Save", str(folder / "new.csv"), "CSV (*.csv)"),
}
MENUS: dict[str, Act] = {
    "recent files": add_recent,
    "menu of columns": open_menu,
    "choice in a cell": open_choice,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "points.csv").write_text("x,y,c\n1,2,a\n2,3,b\n", encoding="utf-8")
    (tmp_path / "points.jsonl").write_text('{"x": 1, "y": 2}\n{"x": 2, "y": 3}\n', encoding="utf-8")
    return tmp_path


def test_what_was_closed_is_gone(qtbot: QtBot, shell: WindowShell, folder: Path) -> None:  # noqa: ARG001
    shell.page(DataWiring).take_dataset(load(SampleOrigin("iris")), "load of iris")
    left = {kind: left_by(kind, shell, folder) for kind in (*KINDS, *MENUS)}
    assert {kind: objects for kind, objects in left.items() if objects} == {}


def left_by(kind: str, shell: WindowShell, folder: Path) -> Counter[str]:
    open_and_close(kind, shell, folder)  # some things are made once, when they are first needed
    before = living()
    for _ in range(TIMES):
        open_and_close(kind, shell, folder)
    return living() - before


def open_and_close(kind: str, shell: WindowShell, folder: Path) -> None:
    if kind in KINDS:
        QTimer.singleShot(0, shell.window, close_what_is_open)
    {**KINDS, **MENUS}[kind](shell, folder)
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def close_what_is_open() -> None:
    QApplication.processEvents()
    open_now: QWidget | None = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    assert open_now is not None
    open_now.close()


def living() -> Counter[str]:
    """Every widget, and every object that belongs to one, by its class."""
    found = {id(part): part for top in QApplication.topLevelWidgets() for part in (top, *top.findChildren(QObject))}
    return Counter(type(part).__name__ for part in found.values())
