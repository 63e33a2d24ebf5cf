"""What a hand does: real mouse, wheel and key events on whatever widget, each written down before it happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import shiboken6
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
PLAIN = Qt.KeyboardModifier.NoModifier


class Hand:
    """Acts by events of the window system, so that grabs, popups and focus work as for a person.

    Parameters
    ----------
    say
        Writes a line down, at once: after a crash the last lines name what was done.
    """

    def __init__(self, chance: Random, say: Callable[[str], None]) -> None:
        self.chance = chance
        self._say = say

    def click(
        self,
        widget: QWidget,
        place: QPoint | None = None,
        button: Qt.MouseButton = LEFT,
        modifier: Qt.KeyboardModifier = PLAIN,
        twice: bool = False,
    ) -> None:
        place = place or middle(widget)
        self.tell("double-click" if twice else "click", widget, f"{button.name} {place.x()},{place.y()}")
        if (window := window_of(widget)) is not None:
            press = QTest.mouseDClick if twice else QTest.mouseClick
            press(window, button, modifier, in_window(widget, place))

    def drag(self, widget: QWidget, start: QPoint, end: QPoint, button: Qt.MouseButton = LEFT) -> None:
        self.tell("drag", widget, f"{button.name} {start.x()},{start.y()} to {end.x()},{end.y()}")
        window = window_of(widget)
        if window is None:
            return
        begin, finish = in_window(widget, start), in_window(widget, end)
        QTest.mousePress(window, button, PLAIN, begin)
        for share in (0.1, 0.4, 0.7, 1.0):
            QTest.mouseMove(window, (begin + (finish - begin) * share))
        QTest.mouseRelease(window, button, PLAIN, finish)

    def hover(self, widget: QWidget, place: QPoint) -> None:
        self.tell("hover", widget, f"{place.x()},{place.y()}")
        if (window := window_of(widget)) is not None:
            QTest.mouseMove(window, in_window(widget, place))

    def wheel(self, widget: QWidget, place: QPoint, notches: int, modifier: Qt.KeyboardModifier = PLAIN) -> None:
        self.tell("wheel", widget, f"{notches} at {place.x()},{place.y()}")
        step = QPoint(0, 120 if notches > 0 else -120)
        for _ in range(abs(notches)):
            if (window := window_of(widget)) is not None:
                QTest.wheelEvent(window, QPointF(in_window(widget, place)), step, QPoint(), modifier)

    def press(self, widget: QWidget, keys: str) -> None:
        """Keys as in a shortcut: "Ctrl+K", "Return"."""
        self.tell("keys", widget, keys)
        if (window := window_of(widget)) is not None:
            QTest.keySequence(window, QKeySequence(keys))

    def write(self, widget: QWidget, text: str) -> None:
        """Letter by letter, into whatever has the focus in the window of the widget."""
        self.tell("type", widget, repr(text))
        for letter in text:
            if (window := window_of(widget)) is None:
                return
            QTest.sendKeyEvent(QTest.KeyAction.Click, window, key_of(letter), letter, PLAIN)

    def drop(self, window: QWidget, paths: list[Path]) -> None:
        self.tell("drop", window, ", ".join(path.name for path in paths))
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        place, copy = QPoint(200, 200), Qt.DropAction.CopyAction
        QApplication.sendEvent(window, QDragEnterEvent(place, copy, mime, LEFT, PLAIN))
        QApplication.sendEvent(window, QDropEvent(QPointF(place), copy, mime, LEFT, PLAIN))

    def resize(self, window: QWidget, width: int, height: int) -> None:
        self.tell("resize", window, f"{width}x{height}")
        window.resize(width, height)

    def tell(self, verb: str, widget: QWidget, details: str = "") -> None:
        self._say(f"{verb} {name_of(widget)} {details}")

    def place_in(self, widget: QWidget) -> QPoint:
        """Some place of what can be seen of it."""
        box = widget.visibleRegion().boundingRect()
        x = self.chance.randint(box.left(), max(box.left(), box.right()))
        return QPoint(x, self.chance.randint(box.top(), max(box.top(), box.bottom())))


def middle(widget: QWidget) -> QPoint:
    """The middle of what can be seen of it."""
    return widget.visibleRegion().boundingRect().center()


def window_of(widget: QWidget) -> QWindow | None:
    """The window that its events go to; None where it is gone or hidden."""
    return widget.window().windowHandle() if shiboken6.isValid(widget) and widget.isVisible() else None


def in_window(widget: QWidget, place: QPoint) -> QPoint:
    """A place of a widget in its window, which the screen may have made smaller than the widget."""
    window = widget.window().windowHandle()
    found = widget.mapTo(widget.window(), place)
    return QPoint(min(max(found.x(), 0), window.width() - 1), min(max(found.y(), 0), window.height() - 1))


def key_of(letter: str) -> Qt.Key:
    return QTest.asciiToKey(ord(letter)) if " " <= letter <= "~" else Qt.Key.Key_unknown


def name_of(widget: QWidget) -> str:
    """Its class and name; without a name of ours, that of the nearest parent that has one."""
    named: QWidget | None = widget
    while named is not None and (not named.objectName() or named.objectName().startswith("qt_")):
        named = named.parentWidget()
    own = type(widget).__name__
    if named is widget:
        return f"{own}#{widget.objectName()}"
    return own if named is None else f"{own} in #{named.objectName()}"
