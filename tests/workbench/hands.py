"""What a user does with widgets: find one by its name, click it, write into it, wait for what follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

Found = TypeVar("Found", bound=QWidget)
WAIT = 180_000
"""Milliseconds, after which a test has failed: the first one of a machine waits until the kernels are compiled."""


def find(where: QWidget, kind: type[Found], name: str) -> Found:
    """The widget of that name inside another."""
    found = where.findChild(kind, name)
    assert isinstance(found, kind), f"{name} is not there"
    return found


def text_of(where: QWidget, name: str) -> str:
    """What a label says, seen or not."""
    return find(where, QLabel, name).text()


def click(widget: QWidget, name: str = "", at: QPoint | None = None) -> None:
    """Click a widget, or the one of that name inside it; where it is hidden or disabled, no user could."""
    button = find(widget, QWidget, name) if name else widget
    assert button.isVisible(), f"{button.objectName()} is not visible"
    assert button.isEnabled(), f"{button.objectName()} is not enabled"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at or QPoint())


def write(field: QAbstractSpinBox | QComboBox | QLineEdit, text: str, key: Qt.Key | None = Qt.Key.Key_Return) -> None:
    """Replace what stands in a field, and end with a key."""
    line = field.lineEdit() if isinstance(field, QComboBox) else field
    assert line is not None, f"{field.objectName()} cannot be written into"
    line.selectAll()
    QTest.keyClicks(line, text)
    if key is not None:
        QTest.keyClick(line, key)


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry by its text, as a click in the list does."""
    assert box.findText(text) >= 0, f"{text} is not in {box.objectName()}"
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def wait(qtbot: QtBot, condition: Callable[[], object], milliseconds: int = WAIT) -> None:
    """Let the events come until something holds."""
    qtbot.waitUntil(lambda: bool(condition()), timeout=milliseconds)


def let_pass(qtbot: QtBot) -> None:
    """Let everything come that was put off to the next turn of the event loop."""
    turns: list[bool] = []
    QTimer.singleShot(0, lambda: turns.append(True))
    wait(qtbot, lambda: turns)
