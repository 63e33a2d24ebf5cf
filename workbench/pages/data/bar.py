"""The row of buttons above the data: sources, undo and redo."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from workbench.run.recipe.dataset import SampleOrigin
from workbench.views.fields.menu_button import open_by
from workbench.views.fields.sample_menu import fill_sample_menu
from workbench.views.look.icons import icon
from workbench.views.look.naming import plain_tip
from workbench.views.look.theme import GRID, Theme


class DataBar(QWidget):
    """Open, samples, recent files, generator, paint; undo and redo."""

    open_requested = Signal(object)
    """A path; None asks the user for one."""
    origin_requested = Signal(object)
    generator_requested = Signal()
    paint_requested = Signal()
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("manner", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._open = _button("openButton", "Open file…", "Read a table from a file: CSV, ARFF, Parquet, Excel, …")
        self._sample = _button("sampleButton", "Samples", "Open a bundled dataset")
        self._recent = _button("recentButton", "Recent", "Open a recent file")
        self._generator = _button("generatorButton", "Generate…", "Generate synthetic rows, endless if you like")
        self._paint = _button("paintButton", "Paint…", "Paint points with the mouse")
        self._undo, self._redo = _tool("undoButton", "Undo"), _tool("redoButton", "Redo")
        self._sample_menu, self._recent_menu = QMenu(self), QMenu(self)
        fill_sample_menu(self._sample_menu, lambda name: self.origin_requested.emit(SampleOrigin(name)))
        self._recent_menu.setToolTipsVisible(True)
        open_by(self._sample, self._sample_menu)
        open_by(self._recent, self._recent_menu)
        self._recent.hide()
        self._connect()
        self._lay_out()
        self.show_undo(False, "", False, "")

    def show_undo(self, can_undo: bool, undo_text: str, can_redo: bool, redo_text: str) -> None:
        """Show what can be undone and redone."""
        for button, can, verb, text in (
            (self._undo, can_undo, "Undo", undo_text),
            (self._redo, can_redo, "Redo", redo_text),
        ):
            button.setEnabled(can)
            words = f"{verb}: {text}" if can and text else verb if can else f"Nothing to {verb.lower()}"
            button.setToolTip(plain_tip(words))
            button.setAccessibleName(words)

    def set_recent(self, paths: list[str]) -> None:
        """List the recent files, the latest first."""
        self._recent_menu.clear()
        for path in paths:
            action = QAction(Path(path).name.replace("&", "&&"), self._recent_menu)
            action.setToolTip(plain_tip(path))
            action.triggered.connect(lambda _=False, path=path: self.open_requested.emit(path))
            self._recent_menu.addAction(action)
        self._recent.setVisible(bool(paths))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        icons = {self._open: "open", self._sample: "sample", self._generator: "generator", self._paint: "paint"}
        tools = {self._undo: "undo", self._redo: "redo"}
        for button, name in (*icons.items(), *tools.items()):
            button.setIcon(icon(name, theme.text, theme.faint))

    def _connect(self) -> None:
        self._open.clicked.connect(lambda: self.open_requested.emit(None))
        self._generator.clicked.connect(self.generator_requested)
        self._paint.clicked.connect(self.paint_requested)
        self._undo.clicked.connect(self.undo_requested)
        self._redo.clicked.connect(self.redo_requested)

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        layout.setSpacing(GRID)
        for button in (self._open, self._sample, self._recent, self._generator, self._paint):
            layout.addWidget(button)
        layout.addStretch(1)
        layout.addWidget(self._undo)
        layout.addWidget(self._redo)


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(tip)
    return button


def _tool(name: str, text: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setAccessibleName(text)
    button.setIconSize(QSize(16, 16))
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
