"""Cells of our tables: padding at both sides, and a thin line below."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.views.look.painting import safe
from workbench.views.look.theme import LIGHT, Theme

SIDE = 4
"""Pixels of padding that the style sheet gives to headers but not to cells."""


class CellDelegate(QStyledItemDelegate):
    """Draws a cell as Qt does, aligned with the headers."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.theme = theme

    @safe
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Called by Qt."""
        # A copy: PySide returns a reference to the rectangle.
        cell = QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(cell, QColor(self.theme.selection))
        painter.fillRect(cell.left(), cell.bottom(), cell.width(), 1, QColor(self.theme.grid))
        option.rect = cell.adjusted(SIDE, 0, -SIDE - self.room_right(), -1)
        super().paint(painter, option, index)
        option.rect = cell

    def room_right(self) -> int:
        """Pixels kept free to the right of the text."""
        return 0
