"""The commands of the window: each has one name and one key."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QToolButton,
)

from tests.workbench.hands import find
from workbench.window.shell import WindowShell


def test_menus_and_buttons_call_the_same_things_by_the_same_names(shell: WindowShell) -> None:
    """Two things were called Log."""
    act = shell.window.menus
    assert find(shell.window, QToolButton, "exportLog").text() == "Per-sample CSV"
    assert act["exportLog"].text().replace("&", "") == "Export per-sample CSV…"
    assert shell.window.dock.windowTitle() == "Messages"
    assert shell.window.dock.toggleViewAction().text() == "&Messages"
    for action in shell.window.menus.all_commands():
        assert "log" not in action.text().lower().split()


def test_every_command_has_a_name_and_an_object_name(shell: WindowShell) -> None:
    actions = shell.window.menus.all_commands()
    assert len(actions) > 25
    keys = [key for action in actions if (key := action.shortcut().toString())]
    assert len(keys) == len(set(keys))


def test_the_corners_of_the_tabs_come_after_the_pages_in_the_order_of_the_tab_key(shell: WindowShell) -> None:
    names, widget = [], shell.window.nextInFocusChain()
    while widget is not None and widget is not shell.window:
        names.append(widget.objectName())
        widget = widget.nextInFocusChain()
    places = [names.index(name) for name in ("streamButton", "playButton", "searchCommands", "sideButton")]
    assert places == sorted(places)
