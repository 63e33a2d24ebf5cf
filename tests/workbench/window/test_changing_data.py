"""Roles, kinds and colours of loaded data are changed, undone and done again."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtWidgets import (
    QComboBox,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find, text_of, wait
from tests.workbench.parts import data_page, stream_page
from tests.workbench.steps import log_text, open_sample, run_to_the_end
from workbench.pages.data.wiring import DataWiring
from workbench.run import Dataset, GeneratorOrigin, SampleOrigin
from workbench.source import Encoding, Order
from workbench.source.generators import BirthsAndDeaths
from workbench.source.table import table
from workbench.source.table.table import Kind
from workbench.views.plots.legend_item import MARKS
from workbench.window.shell import WindowShell


def test_every_change_of_the_data_can_be_undone(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    iris = shell.desk.data.dataset
    assert iris is not None
    data_page(shell).dataset_changed.emit(iris.with_roles({"class": "ignored"}), "role of class")
    data_page(shell).dataset_changed.emit(iris.with_order(Order("shuffled")), "order")
    assert shell.desk.data.dataset is not None
    assert shell.desk.data.dataset.order.kind == "shuffled"
    click(shell.window, "undoButton")
    assert shell.desk.data.dataset.roles["class"] == "ignored"
    shell.window.menus["undo"].trigger()
    assert shell.desk.data.dataset is iris
    click(shell.window, "redoButton")
    assert shell.desk.data.dataset.roles["class"] == "ignored"
    assert "Undone: role of class" in log_text(shell)


def test_the_kind_of_a_large_column_is_changed_in_the_background(
    qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four seconds at two million rows."""
    threads, go_on, with_kinds = list[threading.Thread](), threading.Event(), Dataset.with_kinds

    def slow(dataset: Dataset, kinds: dict[str, Kind]) -> Dataset:
        threads.append(threading.current_thread())
        go_on.wait(60)
        return with_kinds(dataset, kinds)

    shell.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), n_rows=60_000))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    monkeypatch.setattr(Dataset, "with_kinds", slow)
    page, button = data_page(shell), find(shell.window, QPushButton, "cancelLoad")
    page._set_kinds(["x"], "nominal")
    wait(qtbot, button.isVisible)
    assert text_of(shell.window, "loadWords") == "Changing the kind of x"
    click(button)
    go_on.set()
    wait(qtbot, lambda: not shell.desk.jobs.under_way)
    assert kind_of(shell, "x") == "numeric"
    go_on.clear()
    page._set_kinds(["x"], "nominal")
    page._set_roles(["y"], "ignored")  # meanwhile
    go_on.set()
    wait(qtbot, lambda: kind_of(shell, "x") == "nominal")
    assert shell.desk.data.dataset is not None
    assert shell.desk.data.dataset.roles["y"] == "ignored"
    assert threading.main_thread() not in threads
    shell.page(DataWiring).undo()
    assert kind_of(shell, "x") == "numeric"
    assert shell.desk.data.dataset.roles["y"] == "ignored"


def kind_of(shell: WindowShell, name: str) -> str:
    assert shell.desk.data.dataset is not None
    return shell.desk.data.dataset.table[name].kind


def test_undone_to_nothing_it_says_so(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    shell.page(DataWiring).undo()
    assert shell.desk.data.dataset is None
    assert text_of(shell.window, "dataTitle") == "no data yet"
    assert "iris" not in shell.window.windowTitle()
    assert text_of(shell.window, "statusRecipe").endswith("settings changed since this run")
    assert text_of(shell.window, "parameterStateText") == "Changed since this run: data"
    shell.window.menus["play"].trigger()
    assert "open a file or choose a sample first" in log_text(shell)
    shell.page(DataWiring).redo()
    assert shell.window.windowTitle().startswith("iris")
    assert text_of(shell.window, "statusRecipe").endswith("current")


def test_what_undo_can_no_longer_keep_is_told(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    iris = shell.desk.data.dataset
    assert iris is not None
    shell.desk.data.versions._budget = lambda: 0.0
    data_page(shell).dataset_changed.emit(iris.with_roles({"class": "ignored"}), "role of class")
    assert shell.desk.data.versions.undo_text == "role of class", "a role takes no memory"
    shell.page(DataWiring).load(SampleOrigin("wine"))
    wait(qtbot, lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == "wine")
    assert not find(shell.window, QWidget, "undoButton").isEnabled()
    assert "oldest steps can no longer be undone: their data took too much memory" in log_text(shell)


def test_a_role_is_changed_without_a_look_at_the_rows(
    qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With millions of rows, that look would hold up the window."""
    open_sample(qtbot, shell)
    iris = shell.desk.data.dataset
    assert iris is not None
    wait(qtbot, lambda: all("summary" in vars(column) for column in iris.table))
    monkeypatch.setattr(Encoding, "fit", lambda *_: pytest.fail("looked at all rows"))
    monkeypatch.setattr(table, "summarise", lambda *_: pytest.fail("looked at all rows"))
    data_page(shell).attributes.roles_wanted.emit(["sepallength"], "ignored")
    assert shell.desk.data.dataset is not None
    assert shell.desk.data.dataset.roles["sepallength"] == "ignored"
    assert text_of(shell.window, "learnedWords").startswith("6 columns")


def test_one_choice_of_colour_on_both_pages(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "German credit")
    data_page(shell)._set_roles(["class"], "ignored")
    run_to_the_end(qtbot, shell)
    on_data, on_stream = find(shell.window, QComboBox, "colourBy"), find(shell.window, QComboBox, "streamColour")
    assert (on_data.currentText(), on_stream.currentText()) == ("class", "class")
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.colour == "class", "what is not learned still has a colour"
    legend = stream_page(shell).mixture.area.legend
    assert legend.texts[:3] == ["class:", "good", "bad"]
    on_stream.setCurrentText("own_telephone")
    wait(qtbot, lambda: legend.texts[:3] == ["own_telephone:", "none", "yes"])
    assert on_data.currentText() == "own_telephone"
    assert not shell.desk.run.is_stale
    on_data.setCurrentIndex(0)
    wait(qtbot, lambda: legend.texts == list(MARKS))
    assert on_stream.currentIndex() == 0
    shell.page(DataWiring).undo()
    wait(qtbot, lambda: legend.texts[0] == "own_telephone:")
    assert (on_data.currentText(), on_stream.currentText()) == ("own_telephone", "own_telephone")


def test_points_are_coloured_by_numbers_and_by_components(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "German credit")
    run_to_the_end(qtbot, shell)
    box, area = find(shell.window, QComboBox, "streamColour"), stream_page(shell).mixture.area
    shell.window.menus["componentColours"].setChecked(False)
    box.setCurrentText("duration")
    wait(qtbot, lambda: area.legend.texts[:4] == ["duration:", "4.000", "", "72.00"])
    assert find(shell.window, QComboBox, "colourBy").currentText() == "duration"
    assert not area.ellipses.is_coloured
    box.setCurrentIndex(1)
    wait(qtbot, lambda: area.legend.texts[:2] == ["component:", "#0"])
    frame = shell.desk.run.frame
    assert frame is not None
    assert frame.picture.scheme == "components"
    assert set(frame.picture.codes.tolist()) <= set(frame.census.ids.tolist())
    assert area.ellipses.is_coloured, "an ellipse has the colour of its points"
    assert stream_page(shell).table._cells.is_coloured
    box.setCurrentIndex(0)
    wait(qtbot, lambda: not area.ellipses.is_coloured)
    assert not stream_page(shell).table._cells.is_coloured
