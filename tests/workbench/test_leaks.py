"""A test that leaves a widget or a timer behind fails."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from tests.workbench.hands import wait
from tests.workbench.leaks import nothing_left


class Holder:
    """Refers to itself, so that only a collection of garbage ends it."""

    def __init__(self, widget: QWidget) -> None:
        self.widget, self.itself = widget, self


class Leaver:
    """Leaves things on purpose, and ends them after the test."""

    def __init__(self) -> None:
        self.left: list[QObject] = []

    def widget(self, name: str = "forgotten") -> QWidget:
        found = QWidget()
        found.setObjectName(name)
        self.left.append(found)
        return found

    def timer(self, parent: QObject | None = None) -> QTimer:
        found = QTimer(parent)
        found.start(1000)
        self.left.insert(0, found)
        return found


@pytest.fixture
def leaver(qapp: QApplication) -> Iterator[Leaver]:  # noqa: ARG001
    found = Leaver()
    yield found
    for one in filter(isValid, found.left):
        delete(one)


def said_of(block: Callable[[], object]) -> str:
    """What is said of a test that does this; empty where it leaves nothing."""
    try:
        with nothing_left():
            block()
    except AssertionError as error:
        return str(error)
    return ""


def test_a_widget_that_is_left_is_named(leaver: Leaver) -> None:
    assert said_of(leaver.widget) == "left behind: QWidget 'forgotten'"


def test_a_widget_that_was_only_closed_is_left(leaver: Leaver) -> None:
    def show_and_close() -> None:
        widget = leaver.widget()
        widget.show()
        widget.close()

    assert said_of(show_and_close) == "left behind: QWidget 'forgotten'"


def test_a_timer_that_goes_on_is_left(leaver: Leaver) -> None:
    assert said_of(leaver.timer) == "left behind: an active timer of nobody"


def test_a_timer_of_an_object_without_a_widget_is_left(leaver: Leaver) -> None:
    owner = QObject()
    owner.setObjectName("pump")
    assert said_of(lambda: leaver.timer(owner)) == "left behind: an active timer of QObject 'pump'"


def test_a_call_that_waits_for_its_time_is_left(qtbot: QtBot) -> None:
    calls: list[str] = []
    said = said_of(lambda: QTimer.singleShot(1, lambda: calls.append("late")))
    assert said == "left behind: an active timer of nobody"
    wait(qtbot, lambda: calls == ["late"])


@pytest.mark.usefixtures("qapp")
def test_a_call_whose_receiver_is_gone_is_not_left() -> None:
    def wait() -> None:
        widget = QWidget()
        QTimer.singleShot(1000, widget, widget.show)
        widget.deleteLater()

    assert said_of(wait) == ""


def test_a_timer_is_named_with_its_widget(leaver: Leaver) -> None:
    said = said_of(lambda: leaver.timer(leaver.widget()))
    assert said == "left behind: QWidget 'forgotten', an active timer of QWidget 'forgotten'"


def test_a_timer_that_a_collection_has_seen_is_found(leaver: Leaver) -> None:
    def collect() -> None:
        leaver.timer()
        gc.collect()

    assert said_of(collect) == "left behind: an active timer of nobody"


@pytest.mark.usefixtures("qapp")
def test_what_is_told_to_be_deleted_is_not_left() -> None:
    def delete_later() -> None:
        widget = QWidget()
        QTimer(widget).start(1000)
        widget.deleteLater()

    assert said_of(delete_later) == ""


@pytest.mark.usefixtures("qapp")
def test_what_only_refers_to_itself_is_not_left() -> None:
    assert said_of(lambda: Holder(QWidget())) == ""


def test_a_timer_that_stands_still_is_not_left(leaver: Leaver) -> None:
    assert said_of(lambda: leaver.timer().stop()) == ""


def test_the_applications_own_timers_may_go_on(leaver: Leaver, qapp: QApplication) -> None:
    assert said_of(lambda: leaver.timer(qapp)) == ""


def test_a_window_of_more_than_one_test_keeps_its_timers(leaver: Leaver) -> None:
    shared = leaver.widget("shared")
    assert said_of(lambda: leaver.timer(shared)) == ""
