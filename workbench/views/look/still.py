"""A label whose text may change many times a second."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.views.look.naming import Label


class Still(QWidget):
    """Room for a label that keeps its size whatever the label says.

    A label tells all layouts above it of every new text, up to the window, which then draws itself anew as a whole:
    twenty milliseconds a frame. This widget has no layout and passes nothing on.
    """

    def __init__(self, label: Label, width: int = 0, height: int = 0) -> None:
        super().__init__()
        self._label = label
        self._size = QSize(width, height)
        label.setParent(self)
        across = QSizePolicy.Policy.Fixed if width else QSizePolicy.Policy.Ignored
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)

    def set_width(self, width: int) -> None:
        """Make other room, where a longer text is to come."""
        if width != self._size.width():
            self._size.setWidth(width)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        height = self._size.height() or self._label.sizeHint().height()
        return QSize(self._size.width(), height)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The label has all the room."""
        super().resizeEvent(event)
        self._label.resize(self.size())
