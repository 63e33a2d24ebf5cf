"""Apply a new style sheet to all widgets: visible ones at once, the others in idle time."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

BATCH = 0.01
"""Seconds of work before the event loop gets its turn."""


def polish(widget: QWidget) -> None:
    """Apply the style sheet to a widget again, starting from its unstyled state."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def polish_all() -> None:
    """Apply the current style sheet to every widget."""
    _later().polish(QApplication.allWidgets())


def polish_shown() -> None:
    """Apply the style sheet to widgets that were hidden when it changed, are shown now, and still wait for it."""
    _later().polish_shown()


def _later() -> Later:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application.findChild(Later) or Later(application)


class Later(QObject):
    """Hidden widgets that still have the old style."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: list[QWidget] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._go_on)

    def polish(self, widgets: list[QWidget]) -> None:
        """Style widgets, visible ones before this returns."""
        seen = [widget for widget in widgets if widget.isVisible()]
        # Before the first is polished: that may show or hide others.
        self._waiting = [widget for widget in widgets if not widget.isVisible()]
        for widget in seen:
            polish(widget)
        self._timer.start()

    def polish_shown(self) -> None:
        """Style the visible ones of those that wait."""
        self.polish([widget for widget in self._waiting if isValid(widget)])

    def _go_on(self) -> None:
        end = perf_counter() + BATCH
        while self._waiting and perf_counter() < end:
            widget = self._waiting.pop()
            if isValid(widget):  # a dialog may have been closed meanwhile
                polish(widget)
                widget.update()
        if self._waiting:
            self._timer.start()
