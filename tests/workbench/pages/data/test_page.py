"""The Data page: every change is a new dataset, every refusal is said in place, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPushButton, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find, text_of, wait
from workbench.pages.data.attributes.bars import bars_of
from workbench.pages.data.attributes.model import DISTINCT, KIND, ROLE
from workbench.pages.data.options import share_words
from workbench.pages.data.page import DataPage
from workbench.run.recipe.dataset import Dataset, FileOrigin, GeneratorOrigin, PaintedOrigin, SampleOrigin, load
from workbench.source import GENERATORS, Column, Encoding, Order, Table, samples
from workbench.source.table.summary import summarise
from workbench.source.table.table import _missing
from workbench.views.look.background import AT_ONCE
from workbench.views.look.notice import Notice
from workbench.views.look.theme import DARK, LIGHT
from workbench.window.dataset_facts import facts

LEFT = Qt.MouseButton.LeftButton


def shown(qtbot: QtBot, dataset: Dataset | None = None) -> DataPage:
    page = DataPage()
    qtbot.addWidget(page)
    page.set_theme(LIGHT)
    page.resize(1000, 700)
    page.show_dataset(dataset)
    with qtbot.waitExposed(page):
        page.show()
    return page


def iris() -> Dataset:
    return load(SampleOrigin("iris"))


def cell(page: DataPage, name: str, fact: int) -> str:
    line = page.attributes.model.line(name)
    assert line is not None
    return str(page.attributes.model.index(line, fact).data())


def write(page: DataPage, name: str, fact: int, value: str) -> None:
    line = page.attributes.model.line(name)
    assert line is not None
    page.attributes.model.setData(page.attributes.model.index(line, fact), value)


def choose(page: DataPage, name: str, value: str) -> None:
    box = find(page, QComboBox, name)
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def notice(page: DataPage) -> str:
    found = find(page, Notice, "notice")
    return str(found.text()) if found.isVisible() else ""


def test_without_data_there_are_three_ways_on(qtbot: QtBot) -> None:
    page = shown(qtbot)
    assert find(page, QPushButton, "emptyOpen").isVisible()
    with qtbot.waitSignal(page.open_requested) as opened:
        click(find(page, QPushButton, "emptyOpen"))
    assert opened.args == [None]
    with qtbot.waitSignal(page.generator_requested):
        click(find(page, QPushButton, "emptyGenerator"))
    with qtbot.waitSignal(page.origin_requested) as wanted:
        find(page, QPushButton, "emptySample").menu().actions()[0].trigger()
    assert wanted.args == [SampleOrigin("iris")]


def test_the_samples_are_listed_with_size_and_description(qtbot: QtBot) -> None:
    page = shown(qtbot)
    actions = find(page, QPushButton, "sampleButton").menu().actions()
    assert [action.text().split("\t")[0] for action in actions] == [sample.name for sample in samples()]
    assert actions[-1].text().endswith("1,000 × 785")
    assert "28 × 28 pixels" in actions[-1].toolTip()
    with qtbot.waitSignal(page.origin_requested) as wanted:
        actions[2].trigger()
    assert wanted.args == [SampleOrigin("wine")]


def test_recent_files_appear_when_there_are_some(qtbot: QtBot) -> None:
    page = shown(qtbot)
    button = find(page, QPushButton, "recentButton")
    assert not button.isVisible()
    page.set_recent(["/data/b.csv", "/data/a.arff"])
    assert button.isVisible()
    assert [action.text() for action in button.menu().actions()] == ["b.csv", "a.arff"]
    with qtbot.waitSignal(page.open_requested) as opened:
        button.menu().actions()[1].trigger()
    assert opened.args == ["/data/a.arff"]
    page.set_recent([])
    assert not button.isVisible()


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("openButton", "open_requested"),
        ("generatorButton", "generator_requested"),
        ("paintButton", "paint_requested"),
        ("streamButton", "stream_requested"),
    ],
)
def test_buttons_tell_what_is_wanted(qtbot: QtBot, name: str, signal: str) -> None:
    page = shown(qtbot, iris())
    with qtbot.waitSignal(getattr(page, signal)):
        click(find(page, QAbstractButton, name))


def test_the_facts_of_a_dataset(qtbot: QtBot) -> None:
    page = shown(qtbot, load(SampleOrigin("soybean")))
    assert text_of(page, "datasetName") == "soybean"
    wait(qtbot, lambda: "2,337 missing values" in text_of(page, "datasetFacts"))
    assert text_of(page, "datasetFacts") == "683 rows × 36 columns · 2,337 missing values · 98 KB"
    assert text_of(page, "learnedWords") == "119 columns after encoding: 119 for the labels of 36 columns"


def test_weights_of_rows_are_among_the_facts(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "w.arff"
    path.write_text("@relation w\n@attribute x numeric\n@data\n1,{0.5}\n2,{0}\n3\n", encoding="utf-8")
    dataset = load(FileOrigin(str(path)))
    page = shown(qtbot, dataset)
    assert text_of(page, "datasetFacts").startswith("3 rows × 1 column · row weights from 0 to 1 · ")
    assert "1 row of weight 0 will not be learned" in find(page, QLabel, "datasetNotes").text()
    assert facts(dataset, 1) == "3 rows × 1 columns · weighted rows"
    assert share_words(dataset) == "Every row is learned, except 1 row of weight 0."


def test_an_endless_stream_says_so(qtbot: QtBot) -> None:
    page = shown(qtbot, load(GeneratorOrigin(GENERATORS[0](), 5000, endless=True)))
    assert text_of(page, "datasetFacts").startswith("3 columns, first 5,000 rows of an endless stream")


def test_notes_unfold(qtbot: QtBot) -> None:
    page = shown(qtbot, load(SampleOrigin("MNIST (1,000)")))
    button, notes = find(page, QToolButton, "notesButton"), find(page, QLabel, "datasetNotes")
    assert button.text() == "1 note"
    assert not notes.isVisible()
    click(button)
    assert notes.isVisible()
    assert notes.text().startswith("The class comes from mnist-1000-labels")


def test_a_role_set_in_the_list_makes_a_dataset_that_has_it(qtbot: QtBot) -> None:
    before = iris()
    page = shown(qtbot, before)
    with qtbot.waitSignal(page.dataset_changed) as changed:
        write(page, "petallength", ROLE, "ignored")
    assert changed.args is not None
    dataset, what = changed.args
    assert dataset.table["petallength"].role == "ignored"
    assert before.table["petallength"].role == "input"
    assert what == "role of petallength"
    assert cell(page, "petallength", ROLE) == "ignored"
    assert text_of(page, "learnedWords") == "6 columns after encoding: 3 numeric, 3 for class"


def test_several_roles_are_one_change(qtbot: QtBot) -> None:
    page = shown(qtbot, iris())
    page.attributes.view.selectAll()
    with qtbot.waitSignal(page.dataset_changed) as changed:
        click(find(page, QPushButton, "setIgnored"))
    assert changed.args is not None
    assert set(changed.args[0].table.roles) == {"ignored"}
    assert changed.args[1] == "roles of 5 columns"
    assert text_of(page, "learnedWords") == "iris has no column in use. Give a column the role input."
    assert not find(page, QPushButton, "streamButton").isEnabled()


def test_a_kind_that_cannot_be_is_said_and_taken_back(qtbot: QtBot) -> None:
    before = iris()
    page = shown(qtbot, before)
    with qtbot.assertNotEmitted(page.dataset_changed):
        write(page, "class", KIND, "numeric")
    assert notice(page).startswith("Column 'class': 'Iris-setosa' in row 1 is not a number.")
    assert cell(page, "class", KIND) == "nominal"
    with qtbot.waitSignal(page.dataset_changed) as changed:
        write(page, "petalwidth", KIND, "nominal")
    assert changed.args is not None
    assert changed.args[0].kinds == {"petalwidth": "nominal"}
    assert notice(page) == "", "what worked clears what did not"


def test_an_order_that_needs_a_kind_keeps_it(qtbot: QtBot) -> None:
    labelled = iris().with_kinds({"petalwidth": "nominal"})
    page = shown(qtbot, labelled.with_order(Order("interleaved", column="petalwidth")))
    with qtbot.assertNotEmitted(page.dataset_changed):
        write(page, "petalwidth", KIND, "numeric")
    assert "rows can be interleaved by labels only" in notice(page)
    assert cell(page, "petalwidth", KIND) == "nominal"


@pytest.mark.parametrize(
    ("name", "value", "field", "expected", "what"),
    [
        ("scalingBox", "standard", "encoding", Encoding(scaling="standard"), "scaling"),
        ("missingBox", "mean", "encoding", Encoding(missing="mean"), "missing values"),
        ("orderBox", "shuffled", "order", Order("shuffled"), "order"),
    ],
)
def test_options_make_datasets(qtbot: QtBot, name: str, value: str, field: str, expected: object, what: str) -> None:
    page = shown(qtbot, iris())
    with qtbot.waitSignal(page.dataset_changed) as changed:
        choose(page, name, value)
    assert changed.args is not None
    assert getattr(changed.args[0], field) == expected
    assert changed.args[1] == what


def test_a_share_that_leaves_nothing_is_said_and_taken_back(qtbot: QtBot) -> None:
    table = Table("two", (Column.numeric("x", [1.0, 2.0]),))
    page = shown(qtbot, Dataset(PaintedOrigin(()), table, table))
    share = find(page, QSpinBox, "testShare")
    with qtbot.assertNotEmitted(page.dataset_changed):
        share.setValue(10)
    assert "leaves no training or no test rows" in notice(page)
    assert share.value() == 0
    with qtbot.waitSignal(page.dataset_changed) as changed:
        share.setValue(50)
    assert changed.args is not None
    assert changed.args[0].test_share == 0.5


def test_the_owner_has_the_last_word(qtbot: QtBot) -> None:
    before = iris()
    page = shown(qtbot, before)
    write(page, "class", ROLE, "ignored")
    with qtbot.assertNotEmitted(page.dataset_changed):
        page.show_dataset(before)
    assert cell(page, "class", ROLE) == "target"
    page.show_dataset(None)
    assert find(page, QPushButton, "emptyOpen").isVisible()
    page.show_dataset(before)
    assert not find(page, QPushButton, "emptyOpen").isVisible()


def test_choosing_a_column_shows_its_figures(qtbot: QtBot) -> None:
    page = shown(qtbot, load(SampleOrigin("labor")))
    page.attributes.choose("working-hours")
    assert (text_of(page, "figureMissing"), text_of(page, "figureMinimum"), text_of(page, "figureMaximum")) == (
        "6 (10.5 %)",
        "27",
        "40",
    )
    assert text_of(page, "figureMean") == "38.039"
    page.attributes.choose("class")
    assert not find(page, QLabel, "figureMean").isVisible()
    labels = page.details._labels.model()
    assert [labels.index(row, 1).data() for row in range(2)] == ["bad", "good"]
    assert [labels.index(row, 2).data() for row in range(2)] == ["20", "37"]


def test_the_colour_follows_the_class_and_the_user(qtbot: QtBot) -> None:
    page = shown(qtbot, load(SampleOrigin("German credit")))
    box = find(page, QComboBox, "colourBy")
    assert box.currentText() == "class"
    assert page.details.histogram.legend.labels() == ("good", "bad")
    box.setCurrentText("own_telephone")
    assert page.details.histogram.legend.labels() == ("none", "yes")
    write(page, "duration", ROLE, "ignored")
    assert box.currentText() == "own_telephone", "a change of the table does not take it back"
    write(page, "own_telephone", KIND, "string")
    assert box.currentText() == "class", "what is no longer nominal cannot colour"
    page.show_dataset(load(SampleOrigin("Old Faithful")))
    assert box.currentText() == "nothing"


def test_undo_and_redo_say_what(qtbot: QtBot) -> None:
    page = shown(qtbot, iris())
    undo, redo = find(page, QToolButton, "undoButton"), find(page, QToolButton, "redoButton")
    assert not undo.isEnabled()
    page.show_undo(True, "role of petal length", False, "")
    assert undo.isEnabled()
    assert not redo.isEnabled()
    assert undo.toolTip() == "Undo: role of petal length"
    with qtbot.waitSignal(page.undo_requested):
        click(undo)
    page.show_undo(False, "", True, "order")
    assert redo.toolTip() == "Redo: order"
    with qtbot.waitSignal(page.redo_requested):
        click(redo)


def test_errors_are_said_in_place_and_go_with_the_next_dataset(qtbot: QtBot) -> None:
    page = shown(qtbot, iris())
    page.notice.show_error("wine.csv is empty. Choose another file.", "Traceback")
    assert notice(page) == "wine.csv is empty. Choose another file."
    page.show_dataset(load(SampleOrigin("wine")))
    assert notice(page) == ""


def test_ten_thousand_columns_appear_at_once(qtbot: QtBot) -> None:
    values = np.arange(50.0)
    table = Table("wide", tuple(Column.numeric(f"c{i}", values) for i in range(10_000)))
    dataset = Dataset(PaintedOrigin(()), table, table)
    page = shown(qtbot, dataset)
    page.grab()
    assert sum("summary" in vars(column) for column in table) < 200
    page.attributes.view.selectAll()
    with qtbot.waitSignal(page.change_wanted) as wanted:
        click(find(page, QPushButton, "setTarget"))
    assert wanted.args is not None
    assert set(wanted.args[0](dataset).table.roles) == {"target"}


def test_both_looks_are_drawn(qtbot: QtBot) -> None:
    page = shown(qtbot, iris())
    light = page.grab().toImage()
    page.set_theme(DARK)
    assert page.grab().toImage() != light


def test_a_column_of_another_name_is_no_trap(qtbot: QtBot) -> None:
    page = shown(qtbot, iris())
    page.attributes.choose("class")
    renamed = tuple(replace(column, name=f"new {column.name}") for column in iris().table)
    table = Table("renamed", renamed)
    page.show_dataset(Dataset(PaintedOrigin(()), table, table))
    assert page.details._title.text() == "new sepallength"


def large(n_rows: int = AT_ONCE + 10_000) -> Dataset:
    codes = (np.arange(n_rows) % 3).astype(np.int32)
    columns = (
        Column.numeric("x", np.arange(n_rows) % 1000 / 7),
        Column.numeric("y", np.arange(n_rows) % 11),
        Column("class", "nominal", codes, ("a", "b", "c"), "target"),
    )
    table = Table("large", columns)
    return Dataset(FileOrigin("large.csv"), table, table)


def test_figures_of_large_columns_are_computed_outside_of_the_windows_thread(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seconds at twenty million rows, in which the window stood still."""
    threads: set[threading.Thread] = set()

    def noted(work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            threads.add(threading.current_thread())
            return work(*arguments)

        return call

    monkeypatch.setattr("workbench.source.table.table.summarise", noted(summarise))
    monkeypatch.setattr("workbench.source.table.table._missing", noted(_missing))
    monkeypatch.setattr("workbench.pages.data.attributes.histogram_view.bars_of", noted(bars_of))
    page = shown(qtbot, large())
    plot = page.details.histogram.plot
    wait(qtbot, lambda: text_of(page, "figureDistinct") == "1,000" and plot.isVisible())
    wait(qtbot, lambda: page.attributes.model.index(2, DISTINCT).data() == "3")
    wait(qtbot, lambda: "no missing values" in text_of(page, "datasetFacts"))
    page.attributes.choose("y")
    assert text_of(page, "figureDistinct") in {"…", "11"}
    wait(qtbot, lambda: text_of(page, "figureDistinct") == "11" and plot.isVisible())
    page.attributes.choose("class")
    wait(qtbot, lambda: plot.isVisible() and plot._bars.labels == ("a", "b", "c"))
    assert threads
    assert threading.main_thread() not in threads
    page.background.close()


def test_bars_are_not_counted_again_for_another_role(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page = shown(qtbot, large())
    plot = page.details.histogram.plot
    wait(qtbot, plot.isVisible)
    monkeypatch.setattr(
        "workbench.pages.data.attributes.histogram_view.bars_of", lambda *_: pytest.fail("counted again")
    )
    page._set_roles(["x"], "ignored")
    assert plot.isVisible()
    page.background.close()


def test_roles_of_thousands_of_columns_change_in_the_background(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    page, before = shown(qtbot, iris()), iris()
    names = before.table.names
    monkeypatch.setattr("workbench.pages.data.page.COLUMNS_AT_ONCE", len(names) - 1)
    with qtbot.waitSignal(page.change_wanted) as wanted:
        page._set_roles(names, "ignored")
    assert cell(page, "class", ROLE) != "ignored", "the window waits for nothing"
    assert wanted.args is not None
    change, what = wanted.args
    assert set(change(before).table.roles) == {"ignored"}
    assert what == "roles of 5 columns"
    with qtbot.waitSignal(page.dataset_changed):
        page._set_roles(names[:1], "ignored")
