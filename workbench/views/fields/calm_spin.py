"""Spin boxes for forms that scroll."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox, QWidget


class CalmCount(QSpinBox):
    """A whole number: the wheel scrolls the form unless the box has the focus."""

    def __init__(self, low: int, high: int, value: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(low, high)
        self.setValue(value)
        self.setGroupSeparatorShown(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Called by Qt."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class CalmNumber(QDoubleSpinBox):
    """A number with decimals, in the same manner."""

    def __init__(self, low: float, high: float, value: float, decimals: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(decimals)
        self.setRange(low, high)
        self.setValue(value)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Called by Qt."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()
