"""Keeps a window, including its frame, inside its screen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QTimer
from PySide6.QtWidgets import QWidget

LARGE = (QEvent.Type.Show, QEvent.Type.Resize)


class ScreenFit(QObject):
    """Moves and shrinks a window that is shown, or grows, beyond the edges of its screen."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        # The frame's size is known only after the window manager has added it.
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.fit)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Called by Qt."""
        if watched is self._window and event.type() in LARGE:
            self._timer.start()
        return False

    def fit(self) -> None:
        """Move and shrink the window into its screen; one that fits is not moved."""
        window = self._window
        if not window.isVisible() or window.isMaximized() or window.isFullScreen() or window.isMinimized():
            return
        frame, inner = window.frameGeometry(), window.geometry()
        wanted = fitted(frame, window.screen().availableGeometry())
        if wanted != frame:
            left, top = inner.left() - frame.left(), inner.top() - frame.top()
            right, bottom = frame.right() - inner.right(), frame.bottom() - inner.bottom()
            window.setGeometry(wanted.adjusted(left, top, -right, -bottom))


def fitted(frame: QRect, available: QRect) -> QRect:
    """A frame shrunk to a screen, and moved into it no farther than necessary.

    >>> fitted(QRect(0, 20, 1280, 830), QRect(0, 0, 1280, 800)).getRect()
    (0, 0, 1280, 800)
    >>> fitted(QRect(100, 50, 800, 600), QRect(0, 0, 1280, 800)).getRect()
    (100, 50, 800, 600)
    """
    size = frame.size().boundedTo(available.size())
    left = min(max(frame.left(), available.left()), available.right() + 1 - size.width())
    top = min(max(frame.top(), available.top()), available.bottom() + 1 - size.height())
    return QRect(left, top, size.width(), size.height())
