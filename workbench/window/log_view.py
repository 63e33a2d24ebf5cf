"""The log of messages, with time and level."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from workbench.pages.shell import Level
from workbench.views.look.icons import icon
from workbench.views.look.naming import named
from workbench.views.look.theme import GRID, LIGHT, Theme

MOST_LINES = 5000
"""Lines kept; older ones are dropped."""
LINES, FEW_LINES = 8, 4
"""Visible lines at first, in a high window and in a low one."""
LINE = re.compile(r"(\d\d:\d\d:\d\d)\t(info|warning|error)\t")
COLUMN = "00:00:00  "
"""Text as wide as the columns of time and level."""


class LogView(QWidget):
    """The latest messages.

    Parameters
    ----------
    clock
        Returns the time of a new line.
    """

    save_requested = Signal(str)
    """The whole text, to be saved to a file."""

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], datetime] = datetime.now) -> None:
        super().__init__(parent)
        self.setObjectName("logView")
        self._clock = clock
        self._is_brief = False
        self._make_parts()
        self._lay_out()
        self.clear_button.clicked.connect(self.clear)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        self.save_button.clicked.connect(lambda: self.save_requested.emit(self.text()))
        self.set_theme(LIGHT)

    def add(self, level: Level, text: str, details: str = "") -> None:
        """Add a line, with its details indented below."""
        first, *others = text.splitlines() or [""]
        beneath = ["\t\t" + line for line in (*others, *details.splitlines())]
        stamp = self._clock().strftime("%H:%M:%S")
        self.field.appendPlainText("\n".join([f"{stamp}\t{level}\t{first}", *beneath]))

    def text(self) -> str:
        """The whole log."""
        return self.field.toPlainText()

    def clear(self) -> None:
        """Remove all lines."""
        self.field.clear()

    def set_theme(self, theme: Theme) -> None:
        """Colour the lines for a theme."""
        self._painter.set_theme(theme)
        for button, name in ((self.clear_button, "clear"), (self.copy_button, "copy"), (self.save_button, "save")):
            button.setIcon(icon(name, theme.text, theme.faint))

    def sizeHint(self) -> QSize:
        """Called by Qt: some lines, so that most of the window is left to the page."""
        lines = FEW_LINES if self._is_brief else LINES
        # Without the extra pixel Qt shows one line less.
        around = 2 * (self.field.document().documentMargin() + self.field.frameWidth()) + 1
        return QSize(super().sizeHint().width(), round(lines * self.field.fontMetrics().lineSpacing() + around))

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: at least one line."""
        return QSize(super().minimumSizeHint().width(), 4 * GRID)

    def set_brief(self, is_brief: bool) -> bool:
        """Request the height of fewer lines, or of more; return whether that has changed."""
        is_new = is_brief != self._is_brief
        self._is_brief = is_brief
        return is_new

    def _make_parts(self) -> None:
        self.field = named(QPlainTextEdit(self, readOnly=True), "logText", "Messages")
        self.field.setMaximumBlockCount(MOST_LINES)
        self.field.setUndoRedoEnabled(False)
        self.field.setTabStopDistance(self.fontMetrics().horizontalAdvance(COLUMN))
        self.field.setPlaceholderText("No messages yet.")
        self._painter = _Painter(self.field.document())
        self._is_at_end = True
        """Whether the view is scrolled to the end, and stays there when lines are added or the height changes."""
        bar = self.field.verticalScrollBar()
        bar.valueChanged.connect(self._note_end)
        bar.rangeChanged.connect(self._keep_end)
        self.clear_button = named(QPushButton("Clear", self), "logClear")
        self.copy_button = named(QPushButton("Copy", self), "logCopy")
        self.save_button = named(QPushButton("Save…", self), "logSave")
        self.clear_button.setToolTip("Delete all messages")
        self.copy_button.setToolTip("Copy all messages to the clipboard")
        self.save_button.setToolTip("Save all messages as a text file")

        self.buttons = (self.copy_button, self.save_button, self.clear_button)
        """Placed by the owner."""
        for button in self.buttons:
            button.setProperty("manner", "flat")

    def _note_end(self, line: int) -> None:
        self._is_at_end = line == self.field.verticalScrollBar().maximum()

    def _keep_end(self, _: int, last: int) -> None:
        if self._is_at_end:
            self.field.verticalScrollBar().setValue(last)

    def _lay_out(self) -> None:
        self.field.setProperty("manner", "bare")
        self.setProperty("manner", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID + GRID // 2, 0, 0, 0)
        row.addWidget(self.field)


class _Painter(QSyntaxHighlighter):
    """Colours time and level of every line, and the text of warnings and errors."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}

    def set_theme(self, theme: Theme) -> None:
        colours = {"time": theme.muted, "info": theme.muted, "warning": theme.warning, "error": theme.bad}
        self._formats = {name: _coloured(colour) for name, colour in colours.items()}
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        found = LINE.match(text)
        if found is None:
            self.setFormat(0, len(text), self._formats["time"])
            return
        self.setFormat(0, found.end(1), self._formats["time"])
        level = found.group(2)
        stop = found.end(2) if level == "info" else len(text)
        self.setFormat(found.start(2), stop - found.start(2), self._formats[level])


def _coloured(colour: str) -> QTextCharFormat:
    found = QTextCharFormat()
    found.setForeground(QColor(colour))
    return found
