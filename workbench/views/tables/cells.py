"""A delegate for tables that change many times a second: one call to the model per cell, cached text layouts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QStaticText, QTransform
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.views.look.painting import safe
from workbench.views.look.theme import LIGHT, SMALL, Theme, font

PADDING = 6
REMEMBERED = 4096
"""Cached text layouts: a layout takes longer than drawing it."""
SELECTED = QStyle.StateFlag.State_Selected
CellIndex = QModelIndex | QPersistentModelIndex


class ThemedCells(QStyledItemDelegate):
    """Small text in the theme's colours, left-aligned in some columns and right-aligned in the others."""

    def __init__(self, left: Sequence[int], parent: QWidget) -> None:
        super().__init__(parent)
        self._left, self._font = frozenset(left), font(SMALL)
        self._height = QFontMetricsF(self._font).height()
        self._texts: dict[str, tuple[QStaticText, float]] = {}
        self.set_theme(LIGHT)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.theme = theme
        self.text, self.selection = QColor(theme.text), QColor(theme.selection)

    @safe
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        """Called by Qt."""
        room: QRect = option.rect
        if option.state & SELECTED:
            painter.fillRect(room, self.selection)
        text, column = index.data(), index.column()
        if text:
            laid_out, width = self._laid_out(text)
            top = room.top() + (room.height() - self._height) / 2
            # Text that is too wide is left-aligned, so that its first digits are visible.
            fits = column not in self._left and width + 2 * PADDING <= room.width()
            left = room.right() + 1 - PADDING - width if fits else room.left() + PADDING
            painter.setFont(self._font)
            painter.setPen(self.ink(text, column))
            painter.drawStaticText(QPointF(left, top), laid_out)

    def ink(self, text: str, column: int) -> QColor:  # noqa: ARG002
        """The colour of a text."""
        return self.text

    def _laid_out(self, text: str) -> tuple[QStaticText, float]:
        found = self._texts.get(text)
        if found is None:
            if len(self._texts) >= REMEMBERED:
                self._texts.clear()
            laid_out = QStaticText(text)
            laid_out.setTextFormat(Qt.TextFormat.PlainText)
            laid_out.prepare(QTransform(), self._font)
            found = self._texts[text] = (laid_out, laid_out.size().width())
        return found


def alignment(column: int, left: Sequence[int]) -> int:
    """The alignment of the heading over such cells."""
    side = Qt.AlignmentFlag.AlignLeft if column in left else Qt.AlignmentFlag.AlignRight
    return int(side | Qt.AlignmentFlag.AlignVCenter)
