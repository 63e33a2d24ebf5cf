"""One of the paper's tables of times: our figures beside the reference figures."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QStyleOptionViewItem, QTableView, QWidget

from workbench.evaluate.speed.printed import Phase
from workbench.evaluate.speed.times import SpeedTables
from workbench.evaluate.speed.words import GROUPS, TITLES
from workbench.pages.race.paper.model import (
    FAST,
    HEADINGS,
    IGMN,
    MARK,
    OURS,
    THEIR_IGMN,
    THEIRS,
    TITLE,
    PaperModel,
)
from workbench.views.look.naming import named
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, SMALL, Theme, font
from workbench.views.tables.cells import PADDING, CellIndex, ThemedCells
from workbench.views.tables.plain_table import make_plain
from workbench.words.numbers import NO_FIGURE

WIDTHS: dict[Phase, tuple[int, ...]] = {
    "training": (126, 46, 46, 150, 150, 20, 66, 148, 98, 20, 64),
    "testing": (126, 46, 46, 150, 150, 20, 66, 148, 98, 20, 64),
    "testing_kept": (136, 44, 44, 124, 140, 22, 72, 124, 140, 22, 72),
}
"""Pixels of the columns in a window up to 1280 pixels wide; in a wider one they grow in proportion."""
ROW, HEAD = 3 * GRID, 5 * GRID


class PaperTable(QTableView):
    """Training or testing times, with all lines visible."""

    def __init__(self, phase: Phase, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, f"{phase}Times", TITLES[phase])
        self.lines = PaperModel(phase, self)
        self._widths = WIDTHS[phase]
        self._cells, self._head = PaperCells((TITLE,), self), GroupedHeader(GROUPS[phase], self)
        self.setModel(self.lines)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(self._head)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        make_plain(self, ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def show_tables(self, tables: SpeedTables) -> None:
        """Show the measurements so far."""
        self.lines.show(tables)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._cells.set_theme(theme)
        self._head.set_theme(theme)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Called by Qt: all lines."""
        return QSize(sum(self._widths), HEAD + self.lines.rowCount() * ROW + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: a part; the rest scrolls."""
        return QSize(sum(self._widths) // 2, HEAD + 4 * ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt: scale the column widths in proportion."""
        super().resizeEvent(event)
        room, left, least = self.viewport().width(), 0, sum(self._widths)
        for column, width in enumerate(self._widths):
            right = sum(self._widths[: column + 1]) * room // least
            self.setColumnWidth(column, right - left if room > least else width)
            left = right


class PaperCells(ThemedCells):
    """Our figures in the colours of the engines, reference figures muted, a line above the average."""

    def ink(self, text: str, column: int) -> QColor:
        """The colour of a text."""
        if text == NO_FIGURE:
            return QColor(self.theme.faint)
        if column in THEIRS:
            return QColor(self.theme.muted)
        if column == MARK:
            return QColor(self.theme.accent if text == "●" else self.theme.cubic)
        return QColor({FAST: self.theme.accent, IGMN: self.theme.cubic}.get(column, self.theme.text))

    @safe
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CellIndex) -> None:
        """Called by Qt."""
        super().paint(painter, option, index)
        room: QRect = option.rect
        if index.row() == index.model().rowCount() - 1:
            painter.fillRect(room.left(), room.top(), room.width(), 1, QColor(self.theme.border))
        if index.column() == THEIR_IGMN:
            painter.fillRect(room.left(), room.top(), 1, room.height(), QColor(self.theme.border))


class GroupedHeader(QHeaderView):
    """The names of the columns, and above them the groups: ours and the reference."""

    def __init__(self, groups: tuple[str, str], parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._groups = tuple(zip((OURS, THEIRS), (group.upper() for group in groups), strict=True))
        self._theme = LIGHT
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(16)
        self.setFixedHeight(HEAD)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.viewport().update()

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:
        """Called by Qt: painted as a whole, since the groups span several columns."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._theme.base))
        painter.fillRect(0, HEAD - 1, self.viewport().width(), 1, QColor(self._theme.border))
        painter.setFont(font(SMALL, QFont.Weight.Medium))
        painter.setPen(QColor(self._theme.muted))
        for column, text in enumerate(HEADINGS):
            painter.drawText(self._room(range(column, column + 1), HEAD // 2, HEAD - 2), _side(column), text)
        painter.setFont(font(SMALL, QFont.Weight.DemiBold))
        for columns, text in self._groups:
            room = self._room(columns, 0, HEAD // 2)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), text)
            painter.fillRect(room.left(), HEAD // 2 + 1, room.width(), 1, QColor(self._theme.grid))
        painter.fillRect(self.sectionViewportPosition(THEIR_IGMN), 0, 1, HEAD, QColor(self._theme.border))
        painter.end()

    def _room(self, columns: range, top: int, bottom: int) -> QRect:
        left = self.sectionViewportPosition(columns[0]) + PADDING
        right = self.sectionViewportPosition(columns[-1]) + self.sectionSize(columns[-1]) - PADDING
        return QRect(left, top, right - left, bottom - top)


def _side(column: int) -> int:
    side = Qt.AlignmentFlag.AlignLeft if column == TITLE else Qt.AlignmentFlag.AlignRight
    return int(side | Qt.AlignmentFlag.AlignVCenter)
