"""Attributes dragged between known, wanted and open."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.workbench.pages.predict.asking import ask
from tests.workbench.parts import predict_page
from workbench.pages.predict.dragging import DropPlace, mime_of
from workbench.window.shell import WindowShell


def drop(mime: QMimeData, place: QWidget) -> bool:
    """Drag something over a place and let it go; whether it was taken."""
    held = (Qt.DropAction.MoveAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    entering = QDragEnterEvent(QPoint(3, 3), *held)
    QApplication.sendEvent(place, entering)
    if not entering.isAccepted():
        return False
    QApplication.sendEvent(place, QDropEvent(QPointF(3, 3), *held))
    return True


def test_an_attribute_is_dropped_on_its_part(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    places: dict[str, DropPlace] = {str(part): place for part, place in page.form.strip.places.items()}
    assert drop(mime_of("petallength"), places["known"])
    question = ask(qtbot, iris).question
    assert list(question.known) == ["petallength"]
    assert page.form.rows["petallength"].known.isChecked()
    assert drop(mime_of("petallength"), places["wanted"])
    assert set(ask(qtbot, iris).question.wanted) == {"petallength", "class"}
    assert drop(mime_of("class"), places["open"])
    question = ask(qtbot, iris).question
    assert (question.wanted, dict(question.known)) == (("petallength",), {})
    texts = [place.words.text() for place in places.values()]
    assert texts == ["0 known", "1 wanted", "4 open"]


def test_what_is_dropped_on_the_answers_is_wanted(qtbot: QtBot, iris: WindowShell) -> None:
    page = predict_page(iris)
    assert drop(mime_of("sepalwidth"), page.answers)
    assert "sepalwidth" in ask(qtbot, iris).question.wanted


def test_other_things_are_not_taken(qtbot: QtBot, iris: WindowShell) -> None:
    page, text = predict_page(iris), QMimeData()
    text.setText("petallength")
    before = ask(qtbot, iris).question
    assert not drop(text, page.form.strip.places["known"])
    assert not drop(text, page.answers)
    assert drop(mime_of("of another dataset"), page.form.strip.places["known"])
    assert ask(qtbot, iris).question == before


def test_a_row_is_dragged_by_its_name(iris: WindowShell, monkeypatch: pytest.MonkeyPatch) -> None:
    row, carried = predict_page(iris).form.rows["petallength"], list[str]()
    monkeypatch.setattr("workbench.pages.predict.dragging.carry", lambda _, name, __: carried.append(name))
    start = row.title.geometry().center()
    QTest.mousePress(row, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(row, start + QPoint(2, 0))
    assert not carried
    QTest.mouseMove(row, start + QPoint(60, 0))
    QTest.mouseRelease(row, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    assert carried == ["petallength"]
