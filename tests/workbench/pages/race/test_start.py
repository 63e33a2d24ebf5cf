"""Before the first race: one obvious button."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, wait
from workbench.pages.race.start import RaceStart
from workbench.run.race.settings import RaceSettings
from workbench.views.look.theme import LIGHT


@pytest.fixture
def view(qtbot: QtBot) -> RaceStart:
    view = RaceStart()
    qtbot.addWidget(view)
    view.set_theme(LIGHT)
    view.resize(900, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_the_button_has_the_focus_and_starts(qtbot: QtBot, view: RaceStart, key: Qt.Key) -> None:
    view.activateWindow()
    wait(qtbot, view.button.hasFocus)
    with qtbot.waitSignal(view.start_requested):
        qtbot.keyClick(view.button, key)


def test_says_what_will_be_learned(view: RaceStart) -> None:
    view.show_settings(RaceSettings(n_features=784, n_rows=500), "iris")
    assert "500 samples of a synthetic Gaussian with 784 columns" in view.words.text()
    view.show_settings(RaceSettings(source="data", mode="sample"), "iris")
    assert "your data, iris" in view.words.text()
    assert "waits" in view.words.text()


def test_a_blocked_start_says_why(qtbot: QtBot, view: RaceStart) -> None:
    view.set_blocked("D = 1 is too small")
    assert not view.button.isEnabled()
    assert view.button.toolTip() == "D = 1 is too small"
    view.set_blocked("")
    with qtbot.waitSignal(view.start_requested):
        click(view.button)
