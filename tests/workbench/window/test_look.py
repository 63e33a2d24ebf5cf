"""Light, dark and the colours of components in the window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import (
    QDialogButtonBox,
)
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from tests.workbench.parts import race_page, stream_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.pages.stream.wiring import StreamWiring
from workbench.run.learn.runner import Runner
from workbench.run.rest import Rest
from workbench.window import application
from workbench.window.about import AboutDialog
from workbench.window.shell import WindowShell


def test_no_button_has_an_icon_of_the_desktop(qtbot: QtBot) -> None:
    dialog = AboutDialog({})
    qtbot.addWidget(dialog)
    buttons = dialog.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    assert buttons.standardButtons() == QDialogButtonBox.StandardButton.NoButton, "these are black in a dark look, too"


def test_colours_of_components_are_remembered(qtbot: QtBot, shell: WindowShell) -> None:
    action, stream = shell.window.menus["componentColours"], stream_page(shell)
    assert action.isChecked()
    assert stream.mixture.ellipses.is_coloured
    assert not race_page(shell).panes.lanes[0].plot.ellipses.is_coloured, "there colours are those of the engines"
    action.trigger()
    assert not stream.mixture.ellipses.is_coloured
    shell.memory.save()
    _, other = application.make(application.Start(theme="light"))
    qtbot.addWidget(other.window)
    assert not stream_page(other).mixture.ellipses.is_coloured
    other.window.close()


@pytest.mark.parametrize("wish", ["dark", "light", "system"])
def test_the_look_changes_live_and_is_remembered(qtbot: QtBot, shell: WindowShell, wish: str) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    shell.window.menus[f"theme-{wish}"].trigger()
    picture = stream_page(shell).mixture.area.grab().toImage()
    assert picture.pixelColor(3, 3).name() == shell.theme.base
    assert shell.memory.theme == wish


def test_a_run_rests_while_the_look_changes(qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside MNIST both took turns at the interpreter, for up to half a second."""
    shell.page(StreamWiring).show_demo()
    rests: list[Rest] = []
    ended: list[Rest] = []
    rest, end = Runner.rest, Rest.end

    def noted(runner: Runner) -> Rest:
        rests.append(rest(runner))
        return rests[-1]

    def noted_end(rest: Rest) -> None:
        ended.append(rest)
        end(rest)

    monkeypatch.setattr(Runner, "rest", noted)
    monkeypatch.setattr(Rest, "end", noted_end)
    shell.window.menus["theme-dark"].trigger()
    assert len(rests) == 1
    assert not ended, "not before all is drawn"
    wait(qtbot, lambda: ended == rests)
