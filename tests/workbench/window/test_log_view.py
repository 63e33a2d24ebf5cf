"""The log: time, level and words of what happened, and never too much of it."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, wait
from workbench.views.look.theme import DARK, LIGHT
from workbench.window.log_view import FEW_LINES, LINES, MOST_LINES, LogView


@pytest.fixture
def log(qtbot: QtBot) -> LogView:
    log = LogView(clock=lambda: datetime(2024, 5, 6, 7, 8, 9))
    qtbot.addWidget(log)
    log.show()
    return log


def colour_at(log: LogView, line: int, word: str) -> str:
    block = log.field.document().findBlockByNumber(line)
    place = block.text().index(word)
    spans = [span for span in block.layout().formats() if span.start <= place < span.start + span.length]
    return str(spans[0].format.foreground().color().name()) if spans else ""


def test_a_line_has_time_level_and_words(log: LogView) -> None:
    log.add("info", "iris loaded: 150 rows")
    log.add("error", "It failed.", "Traceback:\n  deep")
    assert log.text().splitlines() == [
        "07:08:09\tinfo\tiris loaded: 150 rows",
        "07:08:09\terror\tIt failed.",
        "\t\tTraceback:",
        "\t\t  deep",
    ]


def test_the_level_has_its_colour_in_every_look(log: LogView) -> None:
    log.add("warning", "careful")
    log.add("error", "broken")
    for theme in (LIGHT, DARK):
        log.set_theme(theme)
        assert colour_at(log, 0, "warning") == theme.warning
        assert colour_at(log, 1, "error") == theme.bad
        assert colour_at(log, 1, "07") == theme.muted


def test_a_line_that_comes_later_is_coloured_too(log: LogView) -> None:
    log.set_theme(DARK)
    log.add("error", "broken")
    assert colour_at(log, 0, "broken") == DARK.bad


def test_old_lines_are_forgotten(log: LogView) -> None:
    for number in range(MOST_LINES + 10):
        log.add("info", f"line {number}")
    lines = log.text().splitlines()
    assert len(lines) == MOST_LINES
    assert lines[0].endswith("line 10")
    assert lines[-1].endswith(f"line {MOST_LINES + 9}")


def test_clear_forgets_everything(log: LogView) -> None:
    log.add("info", "x")
    click(log.clear_button)
    assert log.text() == ""


def test_copy_and_save_take_the_whole_text(qtbot: QtBot, log: LogView) -> None:
    log.add("info", "first")
    log.add("warning", "second")
    click(log.copy_button)
    assert QGuiApplication.clipboard().text() == log.text()
    with qtbot.waitSignal(log.save_requested) as told:
        click(log.save_button)
    assert told.args == [log.text()]


def test_words_of_several_lines_stay_together(log: LogView) -> None:
    log.add("info", "one\ntwo")
    assert log.text() == "07:08:09\tinfo\tone\n\t\ttwo"


def test_as_many_lines_are_seen_as_room_is_asked_for(qtbot: QtBot, log: LogView) -> None:
    for number in range(20):
        log.add("info", f"line {number}")
    for is_brief, lines in ((True, FEW_LINES), (False, LINES)):
        log.set_brief(is_brief)
        log.resize(600, log.sizeHint().height())
        wait(qtbot, lambda lines=lines: log.field.firstVisibleBlock().blockNumber() == 20 - lines)  # type: ignore[misc]


def test_the_latest_line_stays_in_sight_in_less_room(qtbot: QtBot, log: LogView) -> None:
    """A low window showed the first lines of all."""
    bar = log.field.verticalScrollBar()
    log.resize(600, 400)
    for number in range(20):
        log.add("info", f"line {number}")
    wait(qtbot, lambda: bar.maximum() == 0)
    log.resize(600, 80)
    wait(qtbot, lambda: bar.value() == bar.maximum() > 0)
    bar.setValue(3)
    log.resize(600, 90)
    log.add("info", "another")
    assert bar.value() == 3, "who reads an earlier line is left there"
