"""A label whose text may change many times a second."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.views.look.naming import Label


class Still(QWidget):
    """A container of fixed size for a label whose text changes.

    With every new text a label invalidates all layouts above it, and the whole window is repainted: 20 ms per frame.
    This widget has no layout, which stops the propagation.
    """

    def __init__(self, label: Label, width: int = 0, height: int = 0) -> None:
        super().__init__()
        self._label = label
        self._size = QSize(width, height)
        label.setParent(self)
        across = QSizePolicy.Policy.Fixed if width else QSizePolicy.Policy.Ignored
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)

    def set_width(self, width: int) -> None:
        """Reserve room for a longer text."""
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
        """The label fills the container."""
        super().resizeEvent(event)
        self._label.resize(self.size())
