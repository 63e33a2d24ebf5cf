"""A note that the parameters were chosen for other data, with a button for the defaults."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QToolButton, QWidget

from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme


class CarriedOver(QFrame):
    """Hidden while the parameters are defaults, or were chosen for the present data."""

    reset_requested = Signal()
    kept = Signal()
    """The user keeps the parameters for the present data."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "carriedOver", manner="card")
        self.words = named(Label(self, wordWrap=True), "carriedOverText")
        self.reset_button = named(QPushButton("Reset to defaults", self), "carriedOverReset")
        self.reset_button.setToolTip("All parameters, the scale and the seed back to their defaults")
        self.keep_button = named(QToolButton(self), "carriedOverKeep", "Keep the parameters", manner="flat")
        self.keep_button.setToolTip("Keep these parameters and hide this note")
        for button in (self.reset_button, self.keep_button):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.reset_button.clicked.connect(self.reset_requested)
        self.keep_button.clicked.connect(self.kept)
        layout = QGridLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, GRID // 2, GRID)
        layout.setVerticalSpacing(GRID // 2)
        layout.setColumnStretch(0, 1)
        layout.addWidget(self.words, 0, 0)
        layout.addWidget(self.keep_button, 0, 1, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.reset_button, 1, 0, Qt.AlignmentFlag.AlignLeft)
        self.hide()

    def show_title(self, title: str) -> None:
        """Show the title of the data that the parameters were chosen for; an empty title hides the note."""
        self.words.setText(f"Parameters carried over from {title}" if title else "")
        self.setVisible(bool(title))

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colours of a theme."""
        self.reset_button.setIcon(icon("reset", theme.text, theme.faint))
        self.keep_button.setIcon(icon("close", theme.muted))
