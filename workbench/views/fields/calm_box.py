"""Boxes of choices."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

WIDEST_LIST = 480
"""Pixels of a list; the box itself may be narrower than its texts."""


class ChoiceBox(QComboBox):
    """A box whose list shows the choices whole."""

    def showPopup(self) -> None:
        """Called by Qt."""
        room = self.view().verticalScrollBar().sizeHint().width() + 24
        self.view().setMinimumWidth(min(WIDEST_LIST, max(self.width(), self.view().sizeHintForColumn(0) + room)))
        super().showPopup()


class CalmBox(ChoiceBox):
    """A box inside of something that scrolls: a wheel scrolls past it unless it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()
