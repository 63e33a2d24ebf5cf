"""A table view in which rows are chosen by mouse and keyboard, however many there are.

Qt's own selection is a list of ranges that is searched for every cell: scattered rows of a large table would take
seconds to draw. Here the model knows which rows are selected, and the view tells which are chosen.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from workbench.pages.data.value_model import ValueModel
from workbench.views.fields.selection_button import how_of

KEYS = Qt.KeyboardModifier
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)


class RowsView(QTableView):
    """Click a row, drag over some, Shift+click for all between, Ctrl+click to add or remove one, Alt+click to remove.

    With the keyboard: Space adds or removes the current row, Shift with an arrow adds the next, Ctrl+A chooses all.
    """

    rows_chosen = Signal(object, str)
    """Rows of the source, and what to do with them; empty for what the menu says."""

    def __init__(self, model: ValueModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values = model
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self._anchor: int | None = None
        """Row at which a range begins."""
        self._is_dragged = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(self.rowAt(event.position().toPoint().y()), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        super().mouseMoveEvent(event)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.drag(self._row_near(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self._is_dragged:
            self.release(self._row_near(event.position().toPoint()), event.modifiers())

    def press(self, row: int, held: Qt.KeyboardModifier) -> None:
        """Begin a range at a row, or end one there where Shift is held."""
        if row < 0:
            return
        if held & KEYS.ShiftModifier and self._anchor is not None:
            self._choose_to(row, how_of(held))
            return
        self._anchor, self._is_dragged = row, True
        self._values.show_preview(row, row)

    def drag(self, row: int) -> None:
        """Extend the range."""
        if self._is_dragged and self._anchor is not None and row >= 0:
            self._values.show_preview(*sorted((self._anchor, row)))

    def release(self, row: int, held: Qt.KeyboardModifier) -> None:
        """Choose the rows of the range."""
        self._is_dragged = False
        self._values.show_preview()
        if row < 0 or self._anchor is None:
            return
        how = how_of(held)
        if row == self._anchor and held & KEYS.ControlModifier and self._values.is_selected(row):
            how = "remove"
        self._choose_to(row, how)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Called by Qt."""
        key, held, before = Qt.Key(event.key()), event.modifiers(), self.currentIndex().row()
        if key == Qt.Key.Key_Space and before >= 0:
            self._anchor = before
            self._choose_to(before, "remove" if self._values.is_selected(before) else "add")
        elif key == Qt.Key.Key_A and held & KEYS.ControlModifier:
            self.rows_chosen.emit(self._values.sources(0, self._values.rowCount() - 1), "replace")
        else:
            super().keyPressEvent(event)
            if key in MOVES and held & KEYS.ShiftModifier and before >= 0:
                self._anchor = before if self._anchor is None else self._anchor
                self._choose_to(self.currentIndex().row(), "add")
            elif key in MOVES:
                self._anchor = self.currentIndex().row()

    def _choose_to(self, row: int, how: str) -> None:
        assert self._anchor is not None
        self.rows_chosen.emit(self._values.sources(*sorted((self._anchor, row))), how)

    def _row_near(self, place: QPoint) -> int:
        """The row at a place; above and below the view, its first and last row."""
        if place.y() < 0:
            return self.rowAt(0)
        found = self.rowAt(min(place.y(), self.viewport().height() - 1))
        return self._values.rowCount() - 1 if found < 0 else found
