"""A button that asks for a suggestion of δ, and the reason of the latest one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme

HELP = (
    "Compare widths on some of the rows, in the background, and set δ to the one that predicts best: "
    "targets where there are any, else the density"
)
NO_DATA = "Load data first"


class Suggested(QWidget):
    """The reason is shown while δ has the suggested value."""

    requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._delta: float | None = None
        self.button = named(QPushButton("Suggest δ", self), "suggestDelta", "Suggest delta")
        self.button.clicked.connect(self.requested)
        self.words = named(Label(self, wordWrap=True), "suggestedReason", manner="small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.words)
        self.set_enabled(False)
        self.show_reason(None, "")

    def set_enabled(self, has_data: bool) -> None:
        """Offer the button where there is data to compare widths on."""
        self.button.setEnabled(has_data)
        self.button.setToolTip(HELP if has_data else NO_DATA)

    def show_reason(self, delta: float | None, reason: str) -> None:
        """Show why `delta` was suggested."""
        self._delta = delta
        self.words.setText(reason)
        self.words.setVisible(bool(reason))

    def see_delta(self, delta: float | None) -> None:
        """Hide the reason of another value."""
        if delta != self._delta:
            self.show_reason(None, "")

    def set_theme(self, theme: Theme) -> None:
        """Draw the icon in the colours of a theme."""
        self.button.setIcon(icon("search", theme.text, theme.faint))
