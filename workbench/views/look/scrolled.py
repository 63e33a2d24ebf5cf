"""What gives way in a small window: it keeps its least size and is scrolled where there is less room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget


class Scrolled(QScrollArea):
    """A body that fills the area as long as there is room for the least that it needs."""

    def __init__(self, body: QWidget, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        holder = QWidget()
        _fill(holder, _Rigid(body))
        self.setWidget(holder)
        self.setWidgetResizable(True)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: hardly anything, so that the window can be as small as its screen."""
        return QSize(160, 80)


class _Rigid(QWidget):
    """Hides from the scroll area that a body is higher where it is narrow.

    The area would ask for the height that its plots would like to have then, in place of what they need.
    """

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        _fill(self, body)

    def hasHeightForWidth(self) -> bool:
        """Called by Qt."""
        return False


def _fill(outer: QWidget, inner: QWidget) -> None:
    layout = QVBoxLayout(outer)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(inner)
