"""The button of a page and F5 ask the same truth: the state of the run, not what the page showed last."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from tests.workbench.parts import race_page
from workbench.pages.race.wiring import RaceWiring
from workbench.pages.running import RunningPage
from workbench.pages.stream.wiring import StreamWiring
from workbench.run.race.settings import RaceSettings
from workbench.window.shell import WindowShell


def started(qtbot: QtBot, shell: WindowShell, kind: type[RunningPage]) -> RunningPage:
    """A page in front that shows something that runs without end."""
    page = shell.page(kind)
    if kind is StreamWiring:
        shell.hub.demo_requested.emit()
    else:
        shell.show_page(page.view)
        race_page(shell).tools.set_settings(RaceSettings(n_features=40, n_rows=1_000_000))
        page.play()
    wait(qtbot, lambda: page.run_bar._state == "running" and page.run_bar._n_done > 0)
    return page


def press(shell: WindowShell, page: RunningPage, by: str) -> None:
    if by == "F5":
        shell.window.menus["play"].trigger()
    else:
        page.run_bar.play_button.click()


@pytest.mark.parametrize("by", ["button", "F5"])
@pytest.mark.parametrize("kind", [StreamWiring, RaceWiring])
def test_a_run_that_paused_by_itself_goes_on_while_the_page_still_shows_it_running(
    qtbot: QtBot, shell: WindowShell, kind: type[RunningPage], by: str
) -> None:
    page = started(qtbot, shell, kind)
    shell.pump.stop()  # from now on the page shows nothing new
    assert page.seat.transport is not None
    page.seat.transport.pause()
    wait(qtbot, lambda: page.seat.state == "paused")
    assert page.run_bar._state == "running", "the page is out of date"
    press(shell, page, by)
    wait(qtbot, lambda: page.seat.state == "running")
    press(shell, page, by)
    wait(qtbot, lambda: page.seat.state == "paused")
    assert page.seat.number == 1
