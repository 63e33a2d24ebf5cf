"""A combo box of column names: long ones are elided in the middle and shown in full in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from workbench.views.fields.calm_box import CalmBox
from workbench.views.look.naming import named, one_line, plain_tip
from workbench.views.look.painting import safe

NARROWEST, WIDEST = 98, 176
"""Pixels of the box."""


class NameBox(CalmBox):
    """As wide as its longest name where there is room."""

    def __init__(self, name: str, spoken: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, name, spoken, tip)
        self._tip = tip
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.view().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.currentTextChanged.connect(self.tell_whole)

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        found = super().sizeHint()
        return QSize(min(max(found.width(), NARROWEST), WIDEST), found.height())

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return QSize(NARROWEST, super().minimumSizeHint().height())

    def shown_text(self) -> str:
        """The text that the box shows."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        text = one_line(self.currentText())
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room.width() - 4)

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Called by Qt."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if not self.isEditable():
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def tell_whole(self, text: str) -> None:
        """Show the full name in the tooltip."""
        self.setToolTip(plain_tip(f"{text}\n{self._tip}" if text else self._tip))
