"""A scroll area for small windows: its body keeps its minimum size and is scrolled where there is less room."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget


class Scrolled(QScrollArea):
    """Its body fills the area as long as its minimum size fits."""

    def __init__(self, body: QWidget, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        holder = QWidget()
        _fill(holder, _Rigid(body))
        self.setWidget(holder)
        self.setWidgetResizable(True)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: very small, so that the window fits any screen."""
        return QSize(160, 80)


class _Rigid(QWidget):
    """Hides height-for-width from the scroll area.

    Otherwise the area would take the preferred height of the plots instead of their minimum height.
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
