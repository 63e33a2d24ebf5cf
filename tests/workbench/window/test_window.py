"""The commands of the window: each has one name and one key."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QToolButton,
)

from tests.workbench.hands import find
from workbench.window.shell import WindowShell


def test_menus_and_buttons_call_the_same_things_by_the_same_names(wiring: WindowShell) -> None:
    """Two things were called Log."""
    act = wiring.window.menus
    assert find(wiring.window, QToolButton, "exportLog").text() == "Per-sample CSV"
    assert act["exportLog"].text().replace("&", "") == "Export per-sample CSV…"
    assert wiring.window.dock.windowTitle() == "Messages"
    assert wiring.window.dock.toggleViewAction().text() == "&Messages"
    for action in wiring.window.menus.all_commands():
        assert "log" not in action.text().lower().split()


def test_every_command_has_a_name_and_an_object_name(wiring: WindowShell) -> None:
    actions = wiring.window.menus.all_commands()
    assert len(actions) > 25
    keys = [key for action in actions if (key := action.shortcut().toString())]
    assert len(keys) == len(set(keys))
