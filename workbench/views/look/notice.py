"""A message shown on the page that it concerns, with details and a report to copy."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, named, set_property
from workbench.views.look.theme import GRID, LIGHT, Theme

NoticeKind = Literal["error", "warning", "info"]
COLOURS: dict[NoticeKind, str] = {"error": "bad", "warning": "warning", "info": "accent"}
MANNERS: dict[NoticeKind, str] = {"error": "notice", "warning": "card", "info": "card"}
LINE_HEIGHT = 28
"""Line height of the message: that of a button, so that icon, text and buttons are aligned."""
DETAILS_HEIGHT = 18 * GRID


class Notice(QFrame):
    """One message at a time; hidden while there is none.

    Parameters
    ----------
    versions
        What a report says of the program and its libraries.
    """

    closed = Signal()

    def __init__(self, versions: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._versions, self._theme = versions, LIGHT
        self._kind: NoticeKind = "error"
        self._make_parts()
        self._lay_out()
        self.details_button.toggled.connect(self._show_details)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report()))
        self.close_button.clicked.connect(self._close)
        self.set_theme(LIGHT)
        self.hide()

    def show_error(self, text: str, details: str = "", kind: NoticeKind = "error") -> None:
        """Show a message; `kind` is error, warning or info."""
        self._kind = kind
        self.text_label.setText(text)
        self.details.setPlainText(details)
        self.details_button.setChecked(False)
        self.details_button.setVisible(bool(details))
        self.copy_button.setVisible(kind != "info")
        self.setAccessibleName(f"{kind}: {text}")
        set_property(self, "manner", MANNERS[kind])
        self.set_theme(self._theme)
        self.show()

    def clear(self) -> None:
        """Hide the message."""
        self.hide()
        self.text_label.clear()
        self.details.clear()

    def text(self) -> str:
        """The message shown; empty where there is none."""
        return self.text_label.text()

    def report(self) -> str:
        """The report to copy: message, details and versions."""
        parts = (self.text(), self.details.toPlainText(), self._versions)
        return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the theme's colours."""
        self._theme = theme
        colour = getattr(theme, COLOURS[self._kind])
        self.icon_label.setPixmap(icon(self._kind, colour).pixmap(QSize(20, 20), self.devicePixelRatioF()))
        self.close_button.setIcon(icon("close", theme.muted))
        self._show_details(self.details_button.isChecked())

    def _make_parts(self) -> None:
        self.icon_label = Label(self)
        self.icon_label.setFixedHeight(LINE_HEIGHT)
        self.text_label = named(Label(self, wordWrap=True), "noticeText")
        self.text_label.setMinimumHeight(LINE_HEIGHT)
        self.text_label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.details_button = named(QPushButton("Details", self), "noticeDetailsButton")
        self.details_button.setCheckable(True)
        self.copy_button = named(QPushButton("Copy report", self), "noticeCopyButton")
        self.copy_button.setToolTip("Copy the message, its details and the versions to the clipboard")
        self.close_button = named(QToolButton(self), "noticeCloseButton", "Close")
        self.close_button.setToolTip("Close this message; it stays in View ▸ Messages")
        self.details = named(QPlainTextEdit(self, readOnly=True), "noticeDetails", "Details")
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setMinimumHeight(DETAILS_HEIGHT // 3)
        self.details.setMaximumHeight(DETAILS_HEIGHT)
        for button in (self.details_button, self.copy_button, self.close_button):
            button.setProperty("manner", "flat")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self.icon_label, 0, top)
        row.addWidget(self.text_label, 1)
        for button in (self.details_button, self.copy_button, self.close_button):
            row.addWidget(button, 0, top)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID + GRID // 2, GRID, GRID, GRID)
        column.setSpacing(GRID)
        column.addLayout(row)
        column.addWidget(self.details)

    def _show_details(self, shown: bool) -> None:
        self.details.setVisible(shown)
        self.details_button.setText("Hide details" if shown else "Details")

    def _close(self) -> None:
        self.clear()
        self.closed.emit()
