"""What the Data page shows before there is a dataset: ways to load one."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from workbench.run.recipe.dataset import SampleOrigin
from workbench.views.fields.menu_button import open_by
from workbench.views.fields.sample_menu import fill_sample_menu
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID, Theme


class EmptyState(QWidget):
    """Three ways to load a dataset: a file, a sample, a generator."""

    open_requested = Signal(object)
    origin_requested = Signal(object)
    generator_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = Label()
        self._open, self._sample = QPushButton("Open a file…"), QPushButton("Pick a sample")
        self._generator = QPushButton("Generate data…")
        self._open.setObjectName("emptyOpen")
        self._open.setProperty("manner", "main")
        self._sample.setObjectName("emptySample")
        self._generator.setObjectName("emptyGenerator")
        menu = QMenu(self)
        fill_sample_menu(menu, lambda name: self.origin_requested.emit(SampleOrigin(name)))
        open_by(self._sample, menu)
        self._open.clicked.connect(lambda: self.open_requested.emit(None))
        self._generator.clicked.connect(self.generator_requested)
        self._lay_out()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._picture.setPixmap(icon("table", theme.muted).pixmap(QSize(48, 48)))
        self._open.setIcon(icon("open", theme.on_accent))
        self._sample.setIcon(icon("sample", theme.text))
        self._generator.setIcon(icon("generator", theme.text))

    def _lay_out(self) -> None:
        title, words = Label("No data yet"), Label("Drop a file here, or choose one of these.")
        title.setProperty("manner", "large")
        words.setProperty("manner", "muted")
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addStretch(1)
        for button in (self._open, self._sample, self._generator):
            line.addWidget(button)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(GRID)
        layout.addStretch(2)
        for label in (self._picture, title, words):
            layout.addWidget(label, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(GRID)
        layout.addLayout(line)
        layout.addStretch(3)
