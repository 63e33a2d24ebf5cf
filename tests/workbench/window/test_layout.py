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


def test_it_fits_a_small_screen(wiring: WindowShell) -> None:
    smallest = wiring.window.minimumSizeHint()
    assert smallest.width() <= 1280
    assert smallest.height() <= 720


def test_a_low_window_keeps_room_for_the_picture(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.window.resize(800, 500)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert stream_page(wiring).mixture.area.height() > 100


def in_sight(wiring: WindowShell, widget: QWidget) -> bool:
    window = wiring.window
    return widget.isVisible() and window.rect().contains(widget.rect().translated(widget.mapTo(window, QPoint(0, 0))))


def all_in_sight(wiring: WindowShell, widgets: Iterable[QWidget]) -> bool:
    return all(in_sight(wiring, widget) for widget in widgets)


def test_the_plot_has_half_of_a_low_window(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert (wiring.window.width(), wiring.window.height()) == (1280, 800)
    plot = stream_page(wiring).mixture.area.plot.vb
    wait(qtbot, lambda: plot.height() >= 400)
    assert stream_page(wiring).timelines.is_folded
    assert wiring.window.side.isVisible()
    wiring.window.resize(1600, 1000)
    wait(qtbot, lambda: not stream_page(wiring).timelines.is_folded)
    assert plot.height() >= 400


def test_the_log_makes_the_window_no_taller(qtbot: QtBot, wiring: WindowShell) -> None:
    for page in (data_page(wiring), stream_page(wiring), race_page(wiring)):
        wiring.window.show_page(page)
        wiring.window.dock.show()
        wait(qtbot, wiring.window.log.isVisible)
        assert wiring.window.height() == 800
        wiring.window.dock.hide()
        assert wiring.window.height() == 800


def test_the_plot_has_half_of_a_large_window_too(qtbot: QtBot, wiring: WindowShell) -> None:
    """It had 38 %: the curves below it had grown with the window."""
    wiring.window.resize(1920, 1080)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    page = stream_page(wiring)
    wiring.window.show_page(page)
    wait(qtbot, lambda: page.mixture.area.height() >= 540)
    assert not page.timelines.is_folded


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (1920, 1080)])
def test_the_plot_has_half_of_the_window_beside_messages(
    qtbot: QtBot, wiring: WindowShell, size: tuple[int, int]
) -> None:
    """It had 36, 20 and 37 %: messages took their room from it, and all curves were open from 860 pixels on."""
    wiring.window.resize(*size)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    plot, timelines = stream_page(wiring).mixture.area.plot.vb, stream_page(wiring).timelines
    wait(qtbot, lambda: plot.height() >= size[1] / 2)
    assert timelines.isVisible()
    wiring.window.dock.show()
    wait(qtbot, lambda: wiring.window.dock.taken > 0 and plot.height() >= size[1] / 2)
    assert wiring.window.log.field.viewport().height() >= 4 * wiring.window.log.field.fontMetrics().lineSpacing()
    assert (wiring.window.width(), wiring.window.height()) == size
    wiring.window.dock.hide()
    wait(qtbot, lambda: timelines.isVisible() and plot.height() >= size[1] / 2)


def test_timelines_that_the_user_opens_stay_beside_messages(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    timelines = stream_page(wiring).timelines
    wiring.window.dock.show()
    wait(qtbot, lambda: not timelines.isVisible())
    wiring.window.menus["timelines"].trigger()
    assert timelines.isVisible()
    assert not timelines.is_folded
    wiring.window.menus["timelines"].trigger()
    assert not timelines.isVisible()


def test_messages_keep_the_height_that_the_user_gave_them(qtbot: QtBot, wiring: WindowShell) -> None:
    window = wiring.window
    window.dock.show()
    wait(qtbot, lambda: 0 < window.dock.height() < 120)
    window.resizeDocks([window.dock], [200], Qt.Orientation.Vertical)
    wait(qtbot, lambda: window.dock.height() == 200)
    window.dock.hide()
    window.dock.show()
    window.resize(1270, 790)
    wait(qtbot, lambda: window.width() == 1270 and window.dock.height() == 200)


def test_messages_at_a_side_or_in_a_window_of_their_own_take_no_height(qtbot: QtBot, wiring: WindowShell) -> None:
    window = wiring.window
    window.show_page(stream_page(wiring))
    window.dock.show()
    wait(qtbot, lambda: not stream_page(wiring).timelines.isVisible())
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.dock)
    wait(qtbot, stream_page(wiring).timelines.isVisible)
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, window.dock)
    wait(qtbot, lambda: not stream_page(wiring).timelines.isVisible())
    window.dock.setFloating(True)
    wait(qtbot, stream_page(wiring).timelines.isVisible)


def test_the_log_leaves_the_plot_its_room(qtbot: QtBot, wiring: WindowShell, tmp_path: Path) -> None:
    wiring.page(DataWiring).run_unattended(None, str(write_penguins(tmp_path / "penguins.csv")), 20)
    wait(qtbot, lambda: state(wiring) == "finished")
    wiring.window.dock.show()
    wait(qtbot, lambda: stream_page(wiring).mixture.area.height() > 280)


def test_the_smallest_window_does_not_grow_with_the_log(qtbot: QtBot, wiring: WindowShell, tmp_path: Path) -> None:
    wiring.window.resize(600, 400)
    wiring.page(DataWiring).run_unattended(None, str(write_penguins(tmp_path / "penguins.csv")), 20)
    wait(qtbot, lambda: state(wiring) == "finished" and stream_page(wiring).notice.isVisible())
    wiring.window.dock.show()
    wait(qtbot, wiring.window.log.isVisible)
    for _ in range(5):
        QApplication.processEvents()
        assert wiring.window.height() == 400


@pytest.mark.parametrize("size", [(600, 400), (640, 370)])
def test_the_run_bar_is_in_sight_on_the_smallest_screens(
    qtbot: QtBot, wiring: WindowShell, size: tuple[int, int]
) -> None:
    wiring.window.resize(*size)
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert (wiring.window.width(), wiring.window.height()) == size
    for page in (stream_page(wiring), race_page(wiring)):
        wiring.window.show_page(page)
        bar = page.run_bar
        parts = (bar.restart_button, bar.play_button, bar.step_button, bar.stop_button, bar.speed_slider)
        wait(qtbot, partial(all_in_sight, wiring, parts))
    bar = stream_page(wiring).run_bar
    wiring.show_page(stream_page(wiring))
    assert not bar.run_to_box.isVisible()
    bar.more_button.click()
    wait(qtbot, lambda: in_sight(wiring, bar.run_to_box))


def test_panels_that_are_folded_away_are_remembered(qtbot: QtBot, wiring: WindowShell) -> None:
    window, act = wiring.window, wiring.window.menus
    act["sidePanel"].trigger()
    assert not window.side.isVisible()
    assert wiring.memory.panel("side") is False
    act["sidePanel"].trigger()
    assert window.side.isVisible()
    assert wiring.memory.panel("side") is None, "the room decides again"
    act["timelines"].trigger()
    assert not stream_page(wiring).timelines.is_folded
    assert wiring.memory.panel("timelines") is True
    window.resize(700, 700)
    wait(qtbot, lambda: not window.side.isVisible())
    assert not stream_page(wiring).timelines.is_folded, "the user's choice stays"
