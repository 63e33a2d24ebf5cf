"""The command palette: some letters find a command, Enter gives it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click
from workbench.window.command_palette import HINT, CommandPalette, hint, rating, title

MENUS = {
    "&File": ["&Open…", "Save &recipe…", "Export picture as PNG…", "Export table as CSV…"],
    "&Run": ["Play or pause", "Step", "Restart"],
}


class Window(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        self.resize(1000, 700)
        self.given: list[str] = []
        self.commands: dict[str, QAction] = {}
        for menu, names in MENUS.items():
            made = self.menuBar().addMenu(menu)
            for name in names:
                action = made.addAction(name)
                action.triggered.connect(lambda _=False, name=name: self.given.append(name))
                self.commands[title(action)] = action
        self.commands["Play or pause"].setShortcut("F5")
        self.palette_of_commands = CommandPalette(lambda: list(self.commands.values()), self)


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def palette(window: Window) -> CommandPalette:
    window.palette_of_commands.show()
    return window.palette_of_commands


def names(palette: CommandPalette) -> list[str]:
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def test_opens_with_all_commands_in_their_order(palette: CommandPalette, window: Window) -> None:
    assert palette.isVisible()
    assert names(palette) == list(window.commands)
    assert palette.list.currentRow() == 0


def test_menu_and_keys_stand_at_the_right(palette: CommandPalette, window: Window) -> None:
    row = names(palette).index("Play or pause")
    assert palette.list.item(row).data(HINT) == "Run   F5"
    assert hint(window.commands["Open"]) == "File"


def test_a_menu_in_a_menu_has_both_names(window: Window) -> None:
    menu = window.menuBar().addMenu("View").addMenu("The&me")
    action = menu.addAction("Dark")
    assert hint(action) == "View › Theme"


def test_letters_find_commands_the_best_first(qtbot: QtBot, palette: CommandPalette) -> None:
    qtbot.keyClicks(palette.field, "res")
    assert names(palette)[0] == "Restart"
    palette.field.clear()
    qtbot.keyClicks(palette.field, "ex csv")
    assert names(palette) == ["Export table as CSV"]


def test_a_menu_finds_its_commands_after_those_of_that_name(qtbot: QtBot, palette: CommandPalette) -> None:
    qtbot.keyClicks(palette.field, "run")
    assert set(names(palette)[:3]) == {"Play or pause", "Step", "Restart"}
    palette.field.clear()
    qtbot.keyClicks(palette.field, "file step")
    assert names(palette) == []


def test_enter_gives_the_command(qtbot: QtBot, palette: CommandPalette, window: Window) -> None:
    qtbot.keyClicks(palette.field, "STEP")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.given == ["Step"]
    assert not palette.isVisible()


def test_the_arrows_choose_from_the_field(qtbot: QtBot, palette: CommandPalette, window: Window) -> None:
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(palette.field, key)
    assert window.given == ["Save &recipe…"]


def test_the_arrows_stop_at_the_ends(qtbot: QtBot, palette: CommandPalette) -> None:
    qtbot.keyClick(palette.field, Qt.Key.Key_PageDown)
    assert palette.list.currentRow() == palette.list.count() - 1
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentRow() == palette.list.count() - 1


def test_a_click_gives_the_command_once(palette: CommandPalette, window: Window) -> None:
    place = palette.list.visualItemRect(palette.list.item(0)).center()
    click(palette.list.viewport(), at=place)
    assert window.given == ["&Open…"]


def test_escape_closes_and_gives_nothing(qtbot: QtBot, palette: CommandPalette, window: Window) -> None:
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert window.given == []


def test_only_what_can_be_done_is_shown(window: Window) -> None:
    window.commands["Step"].setEnabled(False)
    window.palette_of_commands.show()
    assert "Step" not in names(window.palette_of_commands)
    window.palette_of_commands.reject()
    window.commands["Step"].setEnabled(True)
    window.palette_of_commands.show()
    assert "Step" in names(window.palette_of_commands)


def test_nothing_found_is_said(qtbot: QtBot, palette: CommandPalette, window: Window) -> None:
    qtbot.keyClicks(palette.field, "zzz")
    assert palette.nothing.isVisible()
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert (palette.isVisible(), window.given) == (True, [])


def test_stays_inside_of_a_small_window(window: Window) -> None:
    window.resize(400, 300)
    window.palette_of_commands.show()
    assert window.geometry().contains(window.palette_of_commands.geometry())


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("step", "Step", "Save the picture"),
        ("pl", "Play or pause", "Export table"),
        ("log", "Log", "Clear log"),
        ("table", "Export table as CSV", "Restart a big log file"),
    ],
)
def test_letters_close_together_at_the_beginning_of_a_word_fit_better(typed: str, better: str, worse: str) -> None:
    good, bad = rating([typed], better), rating([typed], worse)
    assert good is not None
    assert bad is None or good < bad


def test_what_stands_at_the_right_of_a_menu_is_no_part_of_the_name(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    action = window.menuBar().addMenu("&Samples").addAction("iris\t150 × 5")
    assert (title(action), hint(action)) == ("iris", "Samples   150 × 5")
