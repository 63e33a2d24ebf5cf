"""The list of columns: what a user reads, and what a click asks for."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find, wait
from workbench.pages.data.attributes.model import DISTINCT, KIND, MISSING, NAME, ROLE
from workbench.pages.data.attributes.table import AttributeTable
from workbench.source import Column, Table, sample
from workbench.views.look.theme import GRID


def shown(qtbot: QtBot, table: Table) -> AttributeTable:
    view = AttributeTable()
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show_table(table)
    with qtbot.waitExposed(view):
        view.show()
    return view


def wide(n_columns: int) -> Table:
    values = np.arange(10.0)
    return Table("wide", tuple(Column.numeric(f"c{i}", values) for i in range(n_columns)))


def text(view: AttributeTable, line: int, fact: int) -> str:
    return str(view.model.index(line, fact).data())


def open_choice(qtbot: QtBot, view: AttributeTable, line: int, fact: int, name: str) -> QComboBox:
    place = view.view.visualRect(view.model.index(line, fact)).center()
    click(view.view.viewport(), at=place)
    found = find(view.view, QComboBox, name)
    wait(qtbot, lambda: found.view().isVisible())
    return found


def test_every_column_is_listed_with_its_facts(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("labor").read())
    wait(qtbot, lambda: text(view, 0, MISSING) != "…")
    assert [text(view, 0, fact) for fact in range(6)] == ["1", "duration", "numeric", "input", "1 (1.8 %)", "3"]
    assert text(view, 16, ROLE) == "target"


def test_only_what_is_seen_is_computed(qtbot: QtBot) -> None:
    table = wide(10_000)
    view = shown(qtbot, table)
    wait(qtbot, lambda: text(view, 0, DISTINCT) == "10")
    assert sum("summary" in vars(column) for column in table) < 100
    view.view.scrollToBottom()
    view.view.viewport().repaint()
    wait(qtbot, lambda: text(view, 9_999, DISTINCT) == "10")


def test_one_click_opens_the_choice_and_choosing_asks_for_the_role(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    box = open_choice(qtbot, view, 2, ROLE, "roleChoice")
    assert [box.itemText(i) for i in range(box.count())] == ["input", "target", "ignored"]
    assert box.currentText() == "input"
    with qtbot.waitSignal(view.roles_wanted) as wanted:
        qtbot.keyClick(box.view(), Qt.Key.Key_Down)
        qtbot.keyClick(box.view(), Qt.Key.Key_Return)
    assert wanted.args == [["petallength"], "target"]
    assert text(view, 2, ROLE) == "input", "the list shows what the table says, and that is for its owner to change"
    wait(qtbot, lambda: view.view.findChild(QComboBox, "roleChoice") is None)


def test_the_keyboard_opens_the_choice_too(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    view.view.setCurrentIndex(view.model.index(1, KIND))
    view.view.setFocus()
    qtbot.keyClick(view.view, Qt.Key.Key_F2)
    box = find(view.view, QComboBox, "kindChoice")
    wait(qtbot, lambda: box.view().isVisible())
    qtbot.keyClick(box.view(), Qt.Key.Key_Escape)
    wait(qtbot, lambda: view.view.findChild(QComboBox, "kindChoice") is None)


def test_a_choice_that_changes_nothing_asks_for_nothing(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    with qtbot.assertNotEmitted(view.roles_wanted):
        view.model.setData(view.model.index(0, ROLE), "input")


def test_several_columns_get_a_role_at_once(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    bar = find(view, QPushButton, "setIgnored")
    assert not bar.isVisible()
    view.view.selectAll()
    assert bar.isVisible()
    with qtbot.waitSignal(view.roles_wanted) as wanted:
        click(bar)
    assert wanted.args == [["sepallength", "sepalwidth", "petallength", "petalwidth", "class"], "ignored"]


def test_the_menu_reads_columns_as_another_kind(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    menu = view.menu(["sepalwidth", "class"])
    action = next(action for action in menu.actions() if action.text() == "Read as string")
    with qtbot.waitSignal(view.kinds_wanted) as wanted:
        action.trigger()
    assert wanted.args == [["sepalwidth", "class"], "string"]


def test_the_menu_begins_with_what_it_is_for(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    for names, heading in ((["sepalwidth"], "sepalwidth"), (["sepalwidth", "class"], "2 columns")):
        first, second, *_ = view.menu(names).actions()
        assert (first.text(), first.isSeparator(), first.isEnabled()) == (heading, False, False)
        assert second.isSeparator()


def test_the_field_finds_columns_by_name(qtbot: QtBot) -> None:
    view = shown(qtbot, wide(30))
    assert view._filter.isVisible()
    qtbot.keyClicks(view._filter, "C2")
    names = [text(view, line, NAME) for line in range(view.model.rowCount())]
    assert names == ["c2", *(f"c2{i}" for i in range(10))]
    assert text(view, 1, 0) == "21", "the number is that of the column, not of the line"
    view.show_table(wide(12))
    assert not view._filter.isVisible()
    assert view.model.rowCount() == 12


def test_a_changed_role_keeps_what_is_selected(qtbot: QtBot) -> None:
    table = sample("iris").read()
    view = shown(qtbot, table)
    view.choose("petalwidth")
    with qtbot.assertNotEmitted(view.column_chosen):
        view.show_table(table.with_roles({"petalwidth": "target"}))
    assert view.selected() == ["petalwidth"]
    assert text(view, 3, ROLE) == "target"


def test_a_new_table_shows_its_first_column_that_is_not_always_the_same(qtbot: QtBot) -> None:
    columns = (Column.numeric("always 1", [1, 1, 1]), Column.numeric("lively", [1, 2, 3]))
    view = AttributeTable()
    qtbot.addWidget(view)
    with qtbot.waitSignal(view.column_chosen) as chosen:
        view.show_table(Table("t", columns))
    assert chosen.args == ["lively"]


@pytest.mark.parametrize("n_columns", [1, 1000])
def test_numbers_of_lines_are_not_cut(qtbot: QtBot, n_columns: int) -> None:
    view = shown(qtbot, wide(n_columns))
    needed = view.fontMetrics().horizontalAdvance(f"{n_columns:,}")
    assert view.view.columnWidth(0) > needed


def test_missing_values_of_a_million_rows_are_not_cut(qtbot: QtBot) -> None:
    """It said `39,720 (2.…`."""
    values = np.zeros(2_000_000)
    values[:1_500_000] = np.nan
    view = shown(qtbot, Table("t", (Column.numeric("x", values),)))
    wait(qtbot, lambda: text(view, 0, MISSING) == "1,500,000 (75.0 %)")
    assert view.view.columnWidth(MISSING) > view.fontMetrics().horizontalAdvance(text(view, 0, MISSING)) + GRID


def test_a_change_under_a_filter_that_finds_nothing(qtbot: QtBot) -> None:
    view = shown(qtbot, sample("iris").read())
    qtbot.keyClicks(find(view, QLineEdit, "attributeFilter"), "no such column")
    assert view.model.rowCount() == 0
    with qtbot.assertNotEmitted(view.model.dataChanged):  # of no lines: Qt warns of it
        view.show_table(sample("iris").read())
