"""What the Race page shows before there is a race: a description and the start button."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QPushButton, QTabBar, QVBoxLayout, QWidget

from workbench.run.race.settings import RaceSettings
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, named, plain_tip
from workbench.views.look.theme import GRID, Theme

TIP = "Start both engines (Space)"


class RaceStart(QWidget):
    """A title, a sentence and one large button, which has the keyboard focus."""

    start_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "raceStart", manner="page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = Label("Fast IGMN against IGMN")
        self.words = named(Label(wordWrap=True), "raceStartWords", manner="muted")
        self.button = named(QPushButton("Start the race"), "raceStartButton", tip=TIP, manner="main")
        self.button.setMinimumSize(22 * GRID, 5 * GRID)
        self.button.setAutoDefault(True)  # Enter presses it, too
        self.button.clicked.connect(self.start_requested)
        self._lay_out()

    def show_settings(self, settings: RaceSettings, title: str | None) -> None:
        """Show what will be learned; `title` is that of the dataset."""
        self.words.setText(f"{_data_words(settings, title)}\n{_mode_words(settings)}")

    def set_blocked(self, reason: str) -> None:
        """Disable the start and show why; an empty reason enables it."""
        self.button.setEnabled(not reason)
        self.button.setToolTip(plain_tip(reason or TIP))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.button.setIcon(icon("play", theme.on_accent, theme.faint))

    def showEvent(self, event: QShowEvent) -> None:
        """Called by Qt: the button takes the focus, unless the user moves through the tabs with the keyboard."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._take_focus)

    def _take_focus(self) -> None:
        if self.isVisible() and not isinstance(QApplication.focusWidget(), QTabBar):
            self.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        self.title.setProperty("manner", "large")
        self.button.setIconSize(QSize(18, 18))
        self.words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        layout = QVBoxLayout(self)
        layout.setSpacing(GRID)
        layout.addStretch(2)
        layout.addWidget(self.title, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self.words)  # full width: a label with word wrap needs it to compute its height
        layout.addSpacing(GRID)
        layout.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)


def _data_words(settings: RaceSettings, title: str | None) -> str:
    if settings.source == "data":
        return f"Both engines learn your data, {title or 'none yet'}, sample by sample."
    return (
        f"Both engines learn {settings.n_rows:,} samples of a synthetic Gaussian with {settings.n_features:,} columns."
    )


def _mode_words(settings: RaceSettings) -> str:
    if settings.mode == "clock":
        return "They get the same time: watch how far each gets, and that both make the same decisions."
    return "The faster one waits for the other, and after every round their numbers are compared."
