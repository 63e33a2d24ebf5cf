"""Combo boxes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

WIDEST_LIST = 480
"""Largest width of the list in pixels; the box itself may be narrower."""


class ChoiceBox(QComboBox):
    """A combo box whose list is as wide as its entries."""

    def showPopup(self) -> None:
        """Called by Qt."""
        room = self.view().verticalScrollBar().sizeHint().width() + 24
        self.view().setMinimumWidth(min(WIDEST_LIST, max(self.width(), self.view().sizeHintForColumn(0) + room)))
        super().showPopup()


class CalmBox(ChoiceBox):
    """A combo box inside a scroll area: the wheel scrolls the area unless the box has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Called by Qt."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()
