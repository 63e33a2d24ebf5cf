"""A cell with a drop-down list: one click opens the list, and choosing closes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QStyleOptionViewItem, QWidget

from workbench.pages.data.cell_delegate import CellDelegate
from workbench.views.look.icons import icon
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID

MARK = 12
"""Pixels of the drop-down arrow."""


class ChoiceDelegate(CellDelegate):
    """Draws a drop-down arrow after the text, and edits with a combo box whose list opens at once."""

    def __init__(self, choices: Sequence[str], name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices, self._name = choices, name

    @safe
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the text, and the arrow at the right end."""
        super().paint(painter, option, index)
        cell = option.rect
        mark = QRect(cell.right() - MARK - GRID // 2, cell.center().y() - MARK // 2 + 1, MARK, MARK)
        icon("chevron-down", self.theme.muted).paint(painter, mark)

    def room_right(self) -> int:
        """Pixels kept free to the right of the text."""
        return MARK

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,  # noqa: ARG002
        index: QModelIndex | QPersistentModelIndex,  # noqa: ARG002
    ) -> QWidget:
        """A combo box with all choices."""
        box = _Choice(parent)
        box.setObjectName(self._name)
        box.addItems(list(self._choices))
        box.activated.connect(lambda: self.commitData.emit(box))
        box.closed.connect(lambda: self.closeEditor.emit(box))
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        """Select the current value of the cell."""
        assert isinstance(editor, QComboBox)
        editor.setCurrentText(str(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Write the chosen value to the model."""
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentText(), Qt.ItemDataRole.EditRole)


class _Choice(QComboBox):
    closed = Signal()

    def showPopup(self) -> None:
        """Called by Qt."""
        super().showPopup()
        self.view().window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Called by Qt: emit `closed` from the event loop, as Qt emits the choice only after this event."""
        if event.type() == QEvent.Type.Hide:
            QTimer.singleShot(0, self, self.closed.emit)
        return super().eventFilter(watched, event)
