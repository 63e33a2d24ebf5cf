"""The run bar: every button asks for what it says, and the words tell how far the run is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, find, wait
from workbench.run.speed import SPEEDS
from workbench.views.fields.run_bar import ONE_ROW, ONE_ROW_WITHOUT_PAUSES, RunBar
from workbench.views.fields.speed_box import speed_text
from workbench.views.look.icons import icon
from workbench.views.look.theme import DARK
from workbench.words.durations import time_left


@pytest.fixture
def bar(qtbot: QtBot) -> RunBar:
    bar = RunBar()
    qtbot.addWidget(bar)
    bar.resize(1280, 90)
    bar.show()
    return bar


def test_every_part_can_be_found(bar: RunBar) -> None:
    for name in ("playButton", "stepButton", "runToBox", "runToButton", "restartButton", "stopButton", "speedSlider"):
        assert find(bar, QWidget, name)
    for name in ("speedLabel", "pauseAtBirth", "pauseAtRemoval"):
        assert find(bar, QWidget, name)


@pytest.mark.parametrize("state", [None, "running", "paused", "finished", "stopped", "failed"])
def test_one_button_asks_for_play_and_pause_whatever_is_shown(qtbot: QtBot, bar: RunBar, state: str | None) -> None:
    """Which of both is meant is for the run to say: what is shown may be out of date."""
    bar.show_state("running", 1, 10, 1.0)
    bar.show_state(state, 0, None, None)
    with qtbot.waitSignal(bar.play_requested):
        click(bar.play_button)


def test_while_a_run_runs_the_button_shows_pause(bar: RunBar) -> None:
    before = bar.play_button.icon().pixmap(24, 24).toImage()
    bar.show_state("running", 1, 10, 1.0)
    assert bar.play_button.icon().pixmap(24, 24).toImage() != before
    assert bar.play_button.toolTip() == "Pause (F5)"


def test_play_says_what_it_will_do(bar: RunBar) -> None:
    assert (bar.play_button.toolTip(), bar.play_button.accessibleName()) == ("Start (F5)", "Start")
    bar.show_state("paused", 1, 10, 1.0)
    assert bar.play_button.accessibleName() == "Go on"


def test_step_restart_and_stop_are_asked_for(qtbot: QtBot, bar: RunBar) -> None:
    assert not bar.stop_button.isEnabled()
    bar.show_state("paused", 1, 10, 1.0)
    for button, signal in (
        (bar.step_button, bar.step_requested),
        (bar.restart_button, bar.restart_requested),
        (bar.stop_button, bar.stop_requested),
    ):
        with qtbot.waitSignal(signal):
            click(button)


def test_says_how_far_a_run_is(bar: RunBar) -> None:
    bar.show_state("running", 1204, 150_000, 6.5)
    assert bar.sample_label.text() == "sample 1,204 / 150,000"
    assert bar.left_label.text() == "0:07 left"
    assert bar.progress.value() == 8
    assert bar.progress.isVisible()


def test_says_that_a_stream_has_no_end(bar: RunBar) -> None:
    bar.show_state("running", 1204, None, None)
    assert (bar.sample_label.text(), bar.left_label.text()) == ("sample 1,204", "endless")
    assert not bar.progress.isVisible()


@pytest.mark.parametrize("state", ["finished", "stopped", "failed"])
def test_says_that_a_run_is_over(bar: RunBar, state: str) -> None:
    bar.show_state(state, 150, 150, 0.0)
    assert bar.left_label.text() == state


def test_nothing_moves_while_the_samples_are_counted(bar: RunBar) -> None:
    bar.show_state("running", 1, 150_000, 60.0)
    before = bar.progress.geometry()
    bar.show_state("running", 149_999, 150_000, 0.1)
    room = bar.sample_label.parentWidget()
    assert room is not None
    assert room.sizeHint().width() >= bar.sample_label.sizeHint().width()
    assert bar.progress.geometry() == before


def test_an_empty_stream_has_no_progress(bar: RunBar) -> None:
    bar.show_state("finished", 0, 0, None)
    assert (bar.sample_label.text(), bar.progress.value()) == ("sample 0 / 0", 0)


def test_a_blocked_start_says_why(qtbot: QtBot, bar: RunBar) -> None:
    bar.set_start_blocked("beta = 2 is outside the range from 0 to 1")
    assert bar.blocked_label.isVisible()
    assert bar.blocked_label.text() == "beta = 2 is outside the range from 0 to 1"
    buttons = (bar.play_button, bar.step_button, bar.restart_button, bar.run_to_button)
    assert not any(button.isEnabled() for button in buttons)
    bar.run_to_box.setText("5")
    with qtbot.assertNotEmitted(bar.run_to_requested):
        qtbot.keyClick(bar.run_to_box, Qt.Key.Key_Return)
    bar.set_start_blocked("")
    assert not bar.blocked_label.isVisible()
    assert all(button.isEnabled() for button in buttons)


def test_a_run_can_be_paused_and_stopped_while_the_start_is_blocked(qtbot: QtBot, bar: RunBar) -> None:
    bar.set_start_blocked("no")
    bar.show_state("running", 1, 10, 1.0)
    with qtbot.waitSignal(bar.play_requested):
        click(bar.play_button)
    with qtbot.waitSignal(bar.stop_requested):
        click(bar.stop_button)


@pytest.mark.parametrize("enter", [True, False])
def test_runs_to_a_sample(qtbot: QtBot, bar: RunBar, enter: bool) -> None:
    bar.show_state("paused", 10, 5000, None)
    qtbot.keyClicks(bar.run_to_box, "1,204")
    with qtbot.waitSignal(bar.run_to_requested) as told:
        qtbot.keyClick(bar.run_to_box, Qt.Key.Key_Return) if enter else click(bar.run_to_button)
    assert told.args == [1204]
    assert not bar.run_to_problem.isVisible()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("soon", "'soon' is not the number of a sample"),
        ("", "'' is not the number of a sample"),
        ("0", "whole number from 1 on"),
        ("2.5", "whole number from 1 on"),
        ("5001", "There is no sample 5,001: the stream has 5,000"),
        ("10", "Sample 10 is learned; the run is at 10"),
    ],
)
def test_a_bad_number_is_refused_in_words(qtbot: QtBot, bar: RunBar, typed: str, words: str) -> None:
    bar.show_state("running", 10, 5000, None)
    qtbot.keyClicks(bar.run_to_box, typed)
    with qtbot.assertNotEmitted(bar.run_to_requested):
        click(bar.run_to_button)
    assert bar.run_to_problem.isVisible()
    assert words in bar.run_to_problem.text()
    assert (bar.run_to_box.text(), bar.run_to_box.property("wrong")) == (typed, True)
    bar.show_state("running", 11, 5000, None)
    assert bar.run_to_problem.isVisible(), "the words must stay while the run goes on"
    qtbot.keyClicks(bar.run_to_box, "9")
    assert not bar.run_to_problem.isVisible()


def test_a_finished_run_can_run_to_an_earlier_sample_anew(qtbot: QtBot, bar: RunBar) -> None:
    bar.show_state("finished", 5000, 5000, None)
    qtbot.keyClicks(bar.run_to_box, "10")
    with qtbot.waitSignal(bar.run_to_requested):
        click(bar.run_to_button)


def test_the_speed_goes_from_one_a_second_to_no_limit(qtbot: QtBot, bar: RunBar) -> None:
    assert (bar.speed(), bar.speed_box.label.text()) == (None, "unlimited")
    with qtbot.waitSignal(bar.speed_changed) as told:
        bar.speed_slider.setValue(bar.speed_slider.minimum())
    assert told.args == [1.0]
    assert bar.speed_box.label.text() == "1 /s"
    with qtbot.waitSignal(bar.speed_changed) as told:
        bar.speed_slider.setValue(bar.speed_slider.maximum())
    assert told.args == [None]
    assert bar.speed_box.label.text() == "unlimited"


def test_a_speed_is_shown_without_telling(qtbot: QtBot, bar: RunBar) -> None:
    with qtbot.assertNotEmitted(bar.speed_changed):
        bar.set_speed(20_000.0)
    assert (bar.speed(), bar.speed_box.label.text()) == (20_000, "20,000 /s")
    assert SPEEDS[bar.speed_slider.value()] == 20_000


def test_pauses_are_asked_for(qtbot: QtBot, bar: RunBar) -> None:
    with qtbot.waitSignal(bar.pause_on_changed) as told:
        bar.birth_box.click()
    assert told.args == [True, False]
    with qtbot.waitSignal(bar.pause_on_changed) as told:
        bar.removal_box.click()
    assert told.args == [True, True]
    with qtbot.assertNotEmitted(bar.pause_on_changed):
        bar.set_pause_on(False, False)
    assert not bar.birth_box.isChecked()


def test_a_wide_bar_is_one_row_and_can_become_narrow_again(qtbot: QtBot) -> None:
    window, bar = QMainWindow(), RunBar()
    qtbot.addWidget(window)
    window.setCentralWidget(bar)
    window.resize(1000, 200)
    window.show()
    wait(qtbot, lambda: bar.second_row.y() > bar.first_row.y())
    window.resize(ONE_ROW, 200)
    wait(qtbot, lambda: abs(bar.second_row.y() - bar.first_row.y()) <= 1)
    window.resize(900, 200)
    wait(qtbot, lambda: bar.second_row.y() > bar.first_row.geometry().bottom())
    assert bar.width() == 900


def test_the_icons_follow_the_look(bar: RunBar) -> None:
    bar.set_theme(DARK)
    shown = bar.play_button.icon().pixmap(24, 24).toImage()
    assert shown == icon("play", DARK.text).pixmap(24, 24).toImage()


def test_times_and_speeds_in_words() -> None:
    assert [time_left(seconds) for seconds in (0, 59.2, 60, 36_000, None, float("inf"))] == [
        "0:00 left",
        "1:00 left",
        "1:00 left",
        "10:00:00 left",
        "",
        "",
    ]
    assert speed_text(1_000_000.0) == "1,000,000 /s"


def test_a_bar_without_pauses_needs_less_room(qtbot: QtBot, bar: RunBar) -> None:
    brief = RunBar(with_pauses=False)
    qtbot.addWidget(brief)
    brief.resize(ONE_ROW_WITHOUT_PAUSES, 60)
    brief.show()
    assert not brief.birth_box.isVisible()
    assert not brief.removal_box.isVisible()
    wait(qtbot, lambda: brief.run_to_box.mapTo(brief, brief.run_to_box.rect().topLeft()).x() > brief.width() // 2)
    assert bar.birth_box.isVisible()
    right = brief.run_to_button.mapTo(brief, brief.run_to_button.rect().topRight()).x()
    assert right < brief.width()


def test_a_button_asks_for_unlimited_and_shows_whether_it_is(qtbot: QtBot, bar: RunBar) -> None:
    button = bar.speed_box.unlimited
    bar.set_speed(30.0)
    assert not button.isChecked()
    assert button.toolTip() == "Unlimited: as fast as it goes (F7)"
    with qtbot.waitSignal(bar.unlimited_toggled), qtbot.assertNotEmitted(bar.speed_changed):
        click(button)
    bar.set_speed(None)
    assert button.isChecked()
    assert button.toolTip() == "Back to a limited speed (F7)"
