"""The line above the first demo: a description, and buttons for the next steps."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from workbench.views.fields.menu_button import open_by
from workbench.views.fields.sample_menu import fill_sample_menu
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID, Theme


class Welcome(QWidget):
    """Shown with the demo, until the user loads a dataset."""

    open_requested = Signal()
    sample_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self.setProperty("manner", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._open, self._sample, self._close = QPushButton("Open a file…"), QPushButton("Pick a sample"), QToolButton()
        self._open.setObjectName("welcomeOpen")
        self._open.setProperty("manner", "main")
        self._open.clicked.connect(self.open_requested)
        self._sample.setObjectName("welcomeSample")
        open_by(self._sample, self._samples())
        self._close.setObjectName("welcomeClose")
        self._close.setProperty("manner", "flat")
        self._close.setToolTip("Hide this line")
        self._close.setAccessibleName("Hide the welcome")
        self._close.clicked.connect(self.hide)
        self._lay_out()
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._open.setIcon(icon("open", theme.on_accent))
        self._sample.setIcon(icon("sample", theme.text))
        self._close.setIcon(icon("close", theme.muted))

    def set_brief(self, brief: bool) -> None:
        """Show a shorter text in a low window."""
        self._text.setVisible(not brief)

    def _samples(self) -> QMenu:
        menu = QMenu(self)
        fill_sample_menu(menu, self.sample_requested.emit)
        return menu

    def _lay_out(self) -> None:
        title, self._text = (
            Label("A mixture learns while you watch"),
            Label(
                "This demo never ends: clusters are born, move and fade. Each sample is learned once. Far from every "
                "ellipse it starts a new one, otherwise it moves those that are near."
            ),
        )
        title.setProperty("manner", "large")
        self._text.setProperty("manner", "muted")
        self._text.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(self._text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, GRID, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(words, stretch=1)
        for button in (self._open, self._sample, self._close):
            layout.addWidget(button, alignment=Qt.AlignmentFlag.AlignVCenter)
