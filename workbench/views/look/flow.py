"""Widgets side by side, in as many rows as their width takes: nothing is clipped in a narrow window."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from workbench.views.look.theme import GRID


class Flow(QLayout):
    """A layout that starts a new row where the items do not fit, even at their minimum widths.

    Free space of a row goes to items below their preferred width, then to those whose size policy expands.
    """

    def __init__(self, parent: QWidget | None = None, gap: int = GRID, line_gap: int = GRID // 2) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap, self._line_gap = gap, line_gap

    def addItem(self, item: QLayoutItem) -> None:
        """Called by Qt."""
        self._items.append(item)

    def count(self) -> int:
        """Called by Qt."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Called by Qt."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Called by Qt."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Called by Qt."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Called by Qt."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Called by Qt."""
        margins = self.contentsMargins()
        rows = self._rows(width - margins.left() - margins.right())
        heights = [_height(row) for row in rows]
        return sum(heights) + self._line_gap * max(0, len(rows) - 1) + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """Called by Qt: all in one row."""
        items = self._shown()
        width = sum(item.sizeHint().width() for item in items) + self._gap * max(0, len(items) - 1)
        return _around(QSize(width, _height(items)), self.contentsMargins())

    def minimumSize(self) -> QSize:
        """Called by Qt: the widest item alone."""
        items = self._shown()
        width = max((item.minimumSize().width() for item in items), default=0)
        return _around(QSize(width, _height(items)), self.contentsMargins())

    def setGeometry(self, rect: QRect) -> None:
        """Called by Qt."""
        super().setGeometry(rect)
        area = rect.marginsRemoved(self.contentsMargins())
        top = area.top()
        for row in self._rows(area.width()):
            height = _height(row)
            self._place(row, QRect(area.left(), top, area.width(), height))
            top += height + self._line_gap

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _rows(self, width: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown():
            wanted = item.minimumSize().width()
            if not rows or left + self._gap + wanted > width:
                rows.append([])
                left = -self._gap
            rows[-1].append(item)
            left += self._gap + wanted
        return rows

    def _place(self, row: list[QLayoutItem], area: QRect) -> None:
        left = area.left()
        for item, width in zip(row, _widths(row, area.width() - self._gap * (len(row) - 1)), strict=True):
            height = item.sizeHint().height()
            item.setGeometry(QRect(QPoint(left, area.top() + (area.height() - height) // 2), QSize(width, height)))
            left += width + self._gap


def _widths(row: list[QLayoutItem], room: int) -> list[int]:
    """Widths between minimum and preferred, all by the same share; what is left goes to items that expand."""
    least = [item.minimumSize().width() for item in row]
    wishes = [max(0, item.sizeHint().width() - width) for item, width in zip(row, least, strict=True)]
    spare = max(0, room - sum(least))
    share = min(1.0, spare / max(1, sum(wishes)))
    widths = [width + int(share * wish) for width, wish in zip(least, wishes, strict=True)]
    greedy = [place for place, item in enumerate(row) if item.expandingDirections() & Qt.Orientation.Horizontal]
    for place in greedy:
        widths[place] += max(0, room - sum(least) - sum(wishes)) // len(greedy)
    return widths


def _height(items: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in items), default=0)


def _around(size: QSize, margins: QMargins) -> QSize:
    return size.grownBy(margins)
