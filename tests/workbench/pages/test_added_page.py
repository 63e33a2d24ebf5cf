"""A page is one folder and one line: one that is added in a temporary folder is found everywhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.workbench.hands import find
from workbench import pages
from workbench.views.look.theme import DARK, LIGHT
from workbench.window import application
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell

PAGE = """
from PySide6.QtWidgets import QVBoxLayout
from workbench.pages.page import PageView


class ProbePage(PageView):
    def __init__(self, versions):
        super().__init__(versions)
        self.themes = []
        QVBoxLayout(self).addWidget(self.notice)

    def set_theme(self, theme):
        super().set_theme(theme)
        self.themes.append(theme)
"""
WIRING = """
from workbench.pages.page import Command, Page, Staleness, StatusFigures
from workbench.pages.probe.page import ProbePage


def open_page(shell, desk):
    return Probe(shell)


class Probe(Page):
    key, title, icon = "probe", "Pro&be", "info"

    def __init__(self, shell):
        super().__init__(shell, ProbePage(shell.versions))
        self.controls, self.done = self, []
        self.commands = [Command("exportProbe", "export", "Export the &probe", lambda: self.done.append("export"))]

    def play_or_pause(self):
        self.done.append("play")

    def step(self):
        self.done.append("step")

    def restart(self):
        self.done.append("restart")

    def stop(self):
        self.done.append("stop")

    def toggle_unlimited(self):
        self.done.append("unlimited")

    def figures(self):
        return StatusFigures("probing", 42)

    def staleness(self):
        return Staleness("stale", "Changed since this probe: all", "all", "probe recipe", "out of date")
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> Iterator[WindowShell]:
    """A window with one folder and one line more."""
    folder = tmp_path / "pages" / "probe"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "page.py").write_text(PAGE, encoding="utf-8")
    (folder / "wiring.py").write_text(WIRING, encoding="utf-8")
    monkeypatch.setattr(pages, "__path__", [*pages.__path__, str(folder.parent)])
    monkeypatch.setattr(pages, "PAGES", (*pages.PAGES, "probe"))
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "settings.ini"))
    _, made = application.make(application.Start(theme="light", size=(1280, 800)))
    qtbot.addWidget(made.window)
    made.window.show()
    qtbot.waitExposed(made.window)
    yield made
    made.window.close()
    for name in [name for name in sys.modules if name.startswith("workbench.pages.probe")]:
        del sys.modules[name]


@pytest.fixture
def probe(shell: WindowShell) -> Any:
    """The added page, in front."""
    found = shell.pages[-1]
    shell.show_page(found.view)
    return found


def test_it_has_a_tab_behind_the_others(shell: WindowShell) -> None:
    tabs = shell.window.tabs
    assert [tabs.tabText(i) for i in range(tabs.count())] == ["Data", "Stream", "Race", "Predict", "Evaluate", "Probe"]


def test_the_view_menu_and_its_key_lead_to_it(shell: WindowShell) -> None:
    action = shell.window.menus["showProbe"]
    assert (action.text(), action.shortcut().toString()) == ("Pro&be", "Ctrl+6")
    action.trigger()
    assert shell.window.page is shell.pages[-1]


def test_the_palette_has_the_page_and_its_commands(shell: WindowShell, probe: Any) -> None:
    commands = {action.text(): action for action in shell.window.menus.all_commands()}
    assert "Pro&be" in commands
    commands["Export the &probe"].trigger()
    assert probe.done == ["export"]


def test_it_takes_every_theme(shell: WindowShell, probe: Any) -> None:
    shell.set_theme("dark")
    assert [theme.name for theme in probe.view.themes] == [LIGHT.name, DARK.name]


def test_errors_are_told_on_it(shell: WindowShell, probe: Any) -> None:
    shell.fail(ValueError("There is no probe. Insert one."))
    assert probe.notice.isVisible()
    assert any("There is no probe." in label.text() for label in probe.notice.findChildren(QLabel))


@pytest.mark.parametrize(
    ("key", "modifier", "verb"),
    [
        (Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier, "play"),
        (Qt.Key.Key_F6, Qt.KeyboardModifier.NoModifier, "step"),
        (Qt.Key.Key_F7, Qt.KeyboardModifier.NoModifier, "unlimited"),
        (Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier, "stop"),
        (Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier, "restart"),
    ],
)
def test_the_keys_of_the_run_menu_are_its_own(
    qtbot: QtBot, shell: WindowShell, probe: Any, key: Qt.Key, modifier: Qt.KeyboardModifier, verb: str
) -> None:
    qtbot.keyClick(shell.window, key, modifier)
    assert probe.done == [verb]


def test_the_status_bar_speaks_of_it(shell: WindowShell, probe: Any) -> None:
    def text(name: str) -> str:
        label = find(shell.window, QLabel, name)
        return label.text()

    assert shell.window.page is probe
    assert (text("statusRate"), text("statusCount")) == ("probing", "K 42")
    assert text("statusRecipe") == "probe recipe   out of date"
