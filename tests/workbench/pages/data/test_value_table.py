"""The table of values: what the cells say, and that a million rows cost nothing."""

from __future__ import annotations

import tracemalloc
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSpinBox
from pytestqt.qtbot import QtBot

from tests.lines_run import lines_run
from tests.workbench.hands import click, find
from workbench.pages.data.value_model import ValueModel
from workbench.pages.data.value_table import ValueTable
from workbench.source import Column, Table, sample
from workbench.views.look.theme import DARK
from workbench.views.tables.cell_texts import cell_text, figure

MILLION = 1_000_000


def shown(qtbot: QtBot, table: Table) -> ValueTable:
    view = ValueTable()
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show_table(table)
    with qtbot.waitExposed(view):
        view.show()
    return view


def mixed() -> Table:
    return Table(
        "mixed",
        (
            Column.numeric("size", [1.50, 12345.0, np.nan]),
            Column.nominal("class", ["a", None, "b"], role="target"),
            Column("when", "date", np.array(["2026-01-31", "2026-01-31T12:30", "NaT"], dtype="datetime64[us]")),
            Column("note", "string", np.array(["two\nlines", None, "x"], dtype=object), role="ignored"),
        ),
    )


def million() -> Table:
    return Table("million", (Column.numeric("x", np.arange(float(MILLION))), Column.numeric("y", np.ones(MILLION))))


def test_cells_are_written_as_people_write() -> None:
    rows = [[cell_text(column, row) for column in mixed()] for row in range(3)]
    assert rows == [
        ["1.5", "a", "2026-01-31", "two lines"],
        ["12,345", "?", "2026-01-31 12:30:00", "?"],
        ["?", "b", "?", "x"],
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.1, "−0.1"),
        (2026, "2026"),
        (20260131, "20,260,131"),
        (float(np.float32(0.1)), "0.1"),
        (1 / 3, "0.333333"),
        (9.9999999, "10"),
        (1e300, "1e300"),
        (-2.5e-9, "−2.5e−9"),
        (float("inf"), "infinite"),
    ],
)
def test_numbers_have_no_more_digits_than_help(value: float, text: str) -> None:
    assert figure(value) == text


def test_missing_values_and_ignored_columns_are_faint(qtbot: QtBot) -> None:
    view = shown(qtbot, mixed())
    view.set_theme(DARK)
    colours = {
        (row, column): view.model.index(row, column).data(Qt.ItemDataRole.ForegroundRole)
        for row in range(3)
        for column in range(4)
    }
    faint = {place for place, colour in colours.items() if colour == QColor(DARK.muted)}
    assert faint == {(2, 0), (1, 1), (2, 2), (0, 3), (1, 3), (2, 3)}


def test_headers_tell_kind_and_role(qtbot: QtBot) -> None:
    model = shown(qtbot, mixed()).model
    assert model.headerData(1, Qt.Orientation.Horizontal) == "class\nnominal · target"
    assert model.headerData(1999, Qt.Orientation.Vertical) == "2,000"
    long = shown(qtbot, Table("long", (Column.numeric("width " * 20, [1.0]),))).model
    assert long.headerData(0, Qt.Orientation.Horizontal).startswith("width width")
    assert "…\nnumeric" in long.headerData(0, Qt.Orientation.Horizontal)


@pytest.mark.usefixtures("qapp")
def test_the_last_of_a_million_rows_is_there_at_once() -> None:
    table = million()
    model = ValueModel()
    tracemalloc.start()
    model.show(table)
    for row in range(MILLION - 1000, MILLION):
        assert model.index(row, 1).data() == "1"
    assert model.index(MILLION - 1, 0).data() == "999,999"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20, "a copy of a column would be eight megabytes"


@pytest.mark.usefixtures("qapp")
def test_a_long_table_is_shown_in_no_more_steps() -> None:
    model = ValueModel()
    model.show(mixed())
    short, long = (lines_run(partial(model.show, table)) for table in (mixed(), million()))
    assert long < short + 100


def test_go_to_row_shows_it(qtbot: QtBot) -> None:
    view = shown(qtbot, million())
    box = find(view, QSpinBox, "gotoRow")
    box.selectAll()
    qtbot.keyClicks(box, "987654")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert view.view.currentIndex().row() == 987_653
    assert view.view.visualRect(view.model.index(987_653, 0)).intersects(view.view.viewport().rect())
    view.view.scrollToTop()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert view.view.visualRect(view.model.index(987_653, 0)).intersects(view.view.viewport().rect())


def test_rows_that_are_not_there_cannot_be_gone_to(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    box = find(view, QSpinBox, "gotoRow")
    assert (box.minimum(), box.maximum()) == (1, 150)
    view.go_to_row(151)
    assert view.view.selectionModel().selectedRows() == []


def test_another_role_keeps_the_place(qtbot: QtBot) -> None:
    table = million()
    view = shown(qtbot, table)
    view.go_to_row(500_000)
    place = view.view.verticalScrollBar().value()
    view.show_table(table.with_roles({"x": "target"}))
    assert view.view.verticalScrollBar().value() == place
    assert view.model.headerData(0, Qt.Orientation.Horizontal) == "x\nnumeric · target"


def test_a_click_on_a_name_tells_which(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    header = view.view.horizontalHeader()
    with qtbot.waitSignal(view.column_clicked) as clicked:
        place = QPoint(header.sectionViewportPosition(2) + 10, 8)
        click(header.viewport(), at=place)
    assert clicked.args == [2]


def test_a_table_without_rows_is_shown(qtbot: QtBot) -> None:
    view = shown(qtbot, Table("empty", (Column.numeric("x", np.empty(0)),)))
    assert view.model.rowCount() == 0
    assert view.model.columnCount() == 1
    view.grab()


def test_a_changed_table_without_rows_announces_no_cells(qtbot: QtBot) -> None:
    empty = Table("no rows", (Column.numeric("x", []), Column.numeric("y", [])))
    view = shown(qtbot, empty)
    with qtbot.assertNotEmitted(view.model.dataChanged):  # Qt warns of a change of no cells
        view.show_table(empty.with_roles({"y": "target"}))
