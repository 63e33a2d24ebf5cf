"""Room for the plot in windows of every size, beside messages and panels."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.workbench.hands import wait
from tests.workbench.parts import data_page, race_page, stream_page
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import open_sample, run_to_the_end, state
from workbench.pages.data.wiring import DataWiring
from workbench.window.shell import WindowShell


def test_it_fits_a_small_screen(shell: WindowShell) -> None:
    smallest = shell.window.minimumSizeHint()
    assert smallest.width() <= 1280
    assert smallest.height() <= 720


def test_a_low_window_keeps_room_for_the_picture(qtbot: QtBot, shell: WindowShell) -> None:
    shell.window.resize(800, 500)
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    assert stream_page(shell).mixture.area.height() > 100


def in_sight(shell: WindowShell, widget: QWidget) -> bool:
    window = shell.window
    return widget.isVisible() and window.rect().contains(widget.rect().translated(widget.mapTo(window, QPoint(0, 0))))


def all_in_sight(shell: WindowShell, widgets: Iterable[QWidget]) -> bool:
    return all(in_sight(shell, widget) for widget in widgets)


def test_the_plot_has_half_of_a_low_window(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    assert (shell.window.width(), shell.window.height()) == (1280, 800)
    plot = stream_page(shell).mixture.area.plot.vb
    wait(qtbot, lambda: plot.height() >= 400)
    assert stream_page(shell).timelines.is_folded
    assert shell.window.side.isVisible()
    shell.window.resize(1600, 1000)
    wait(qtbot, lambda: not stream_page(shell).timelines.is_folded)
    assert plot.height() >= 400


def test_the_log_makes_the_window_no_taller(qtbot: QtBot, shell: WindowShell) -> None:
    for page in (data_page(shell), stream_page(shell), race_page(shell)):
        shell.window.show_page(page)
        shell.window.dock.show()
        wait(qtbot, shell.window.log.isVisible)
        assert shell.window.height() == 800
        shell.window.dock.hide()
        assert shell.window.height() == 800


def test_the_plot_has_half_of_a_large_window_too(qtbot: QtBot, shell: WindowShell) -> None:
    """It had 38 %: the curves below it had grown with the window."""
    shell.window.resize(1920, 1080)
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    page = stream_page(shell)
    shell.window.show_page(page)
    wait(qtbot, lambda: page.mixture.area.height() >= 540)
    assert not page.timelines.is_folded


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
def test_the_plot_has_half_of_the_window_beside_messages(
    qtbot: QtBot, shell: WindowShell, size: tuple[int, int]
) -> None:
    """It had 36, 20 and 37 %: messages took their room from it, and all curves were open from 860 pixels on."""
    shell.window.resize(*size)
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    plot, timelines = stream_page(shell).mixture.area.plot.vb, stream_page(shell).timelines
    wait(qtbot, lambda: plot.height() >= size[1] / 2)
    assert timelines.isVisible()
    shell.window.dock.show()
    wait(qtbot, lambda: shell.window.dock.taken > 0 and plot.height() >= size[1] / 2)
    assert shell.window.log.field.viewport().height() >= 4 * shell.window.log.field.fontMetrics().lineSpacing()
    assert (shell.window.width(), shell.window.height()) == size
    shell.window.dock.hide()
    wait(qtbot, lambda: timelines.isVisible() and plot.height() >= size[1] / 2)


def test_timelines_that_the_user_opens_stay_beside_messages(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    timelines = stream_page(shell).timelines
    shell.window.dock.show()
    wait(qtbot, lambda: not timelines.isVisible())
    shell.window.menus["timelines"].trigger()
    assert timelines.isVisible()
    assert not timelines.is_folded
    shell.window.menus["timelines"].trigger()
    assert not timelines.isVisible()


def test_messages_keep_the_height_that_the_user_gave_them(qtbot: QtBot, shell: WindowShell) -> None:
    window = shell.window
    window.dock.show()
    wait(qtbot, lambda: 0 < window.dock.height() < 120)
    window.resizeDocks([window.dock], [200], Qt.Orientation.Vertical)
    wait(qtbot, lambda: window.dock.height() == 200)
    window.dock.hide()
    window.dock.show()
    window.resize(1270, 790)
    wait(qtbot, lambda: window.width() == 1270 and window.dock.height() == 200)


def test_messages_at_a_side_or_in_a_window_of_their_own_take_no_height(qtbot: QtBot, shell: WindowShell) -> None:
    window = shell.window
    window.show_page(stream_page(shell))
    window.dock.show()
    wait(qtbot, lambda: not stream_page(shell).timelines.isVisible())
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.dock)
    wait(qtbot, stream_page(shell).timelines.isVisible)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, window.dock)
    wait(qtbot, lambda: not stream_page(shell).timelines.isVisible())
    window.dock.setFloating(True)
    wait(qtbot, stream_page(shell).timelines.isVisible)


def test_the_log_leaves_the_plot_its_room(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    shell.page(DataWiring).run_unattended(None, str(write_penguins(tmp_path / "penguins.csv")), 20)
    wait(qtbot, lambda: state(shell) == "finished")
    shell.window.dock.show()
    wait(qtbot, lambda: stream_page(shell).mixture.area.height() > 280)


def test_the_smallest_window_does_not_grow_with_the_log(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    shell.window.resize(600, 400)
    shell.page(DataWiring).run_unattended(None, str(write_penguins(tmp_path / "penguins.csv")), 20)
    wait(qtbot, lambda: state(shell) == "finished" and stream_page(shell).notice.isVisible())
    shell.window.dock.show()
    wait(qtbot, shell.window.log.isVisible)
    for _ in range(5):
        QApplication.processEvents()
        assert shell.window.height() == 400


@pytest.mark.parametrize("size", [(600, 400), (640, 370)])
def test_the_run_bar_is_in_sight_on_the_smallest_screens(
    qtbot: QtBot, shell: WindowShell, size: tuple[int, int]
) -> None:
    shell.window.resize(*size)
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    assert (shell.window.width(), shell.window.height()) == size
    for page in (stream_page(shell), race_page(shell)):
        shell.window.show_page(page)
        bar = page.run_bar
        parts = (bar.restart_button, bar.play_button, bar.step_button, bar.stop_button, bar.speed_slider)
        wait(qtbot, partial(all_in_sight, shell, parts))
    bar = stream_page(shell).run_bar
    shell.show_page(stream_page(shell))
    assert not bar.run_to_box.isVisible()
    bar.more_button.click()
    wait(qtbot, lambda: in_sight(shell, bar.run_to_box))


def test_panels_that_are_folded_away_are_remembered(qtbot: QtBot, shell: WindowShell) -> None:
    window, act = shell.window, shell.window.menus
    act["sidePanel"].trigger()
    assert not window.side.isVisible()
    assert shell.memory.panel("side") is False
    act["sidePanel"].trigger()
    assert window.side.isVisible()
    assert shell.memory.panel("side") is None, "the room decides again"
    act["timelines"].trigger()
    assert not stream_page(shell).timelines.is_folded
    assert shell.memory.panel("timelines") is True
    window.resize(700, 700)
    wait(qtbot, lambda: not window.side.isVisible())
    assert not stream_page(shell).timelines.is_folded, "the user's choice stays"
