"""The line above the plot during a tour: pause, speed, and keep the plane."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from workbench.views.fields.calm_box import CalmBox
from workbench.views.look.icons import icon
from workbench.views.look.layouts import label_for
from workbench.views.look.naming import named
from workbench.views.look.theme import GRID, Theme

SPEEDS = {"slow": 0.15, "medium": 0.4, "fast": 1.0}
"""Radians a second."""
PAUSE_HELP = "Stop and go on turning the plane; the stream is not affected"
KEEP_HELP = "Add the plane as it is now to the choice of planes, and show it"


class TourBar(QWidget):
    """Shown while the plane is that of the tour."""

    speed_changed = Signal(float)
    """Radians a second; 0 while it is paused or hidden."""
    keep_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        named(self, "tourBar")
        self.pause = named(QToolButton(), "tourPause", "Pause the tour", PAUSE_HELP)
        self.pause.setCheckable(True)
        self.speed = named(CalmBox(), "tourSpeed", "speed of the tour", "How fast the plane turns")
        for text, radians in SPEEDS.items():
            self.speed.addItem(text, radians)
        self.speed.setCurrentText("medium")
        self.keep = named(QToolButton(), "tourKeep", tip=KEEP_HELP)
        self.keep.setText("Keep this plane")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, 2 * GRID, GRID // 2)
        layout.setSpacing(GRID)
        for part in (self.pause, label_for("tour", self.speed), self.speed, self.keep):
            layout.addWidget(part)
        layout.addStretch(1)
        self.pause.toggled.connect(self._pause)
        self.speed.currentIndexChanged.connect(lambda _: self._tell())
        self.keep.clicked.connect(self.keep_requested)
        self.hide()

    @property
    def radians_per_second(self) -> float:
        """How fast the plane turns now."""
        return 0.0 if self.isHidden() or self.pause.isChecked() else float(self.speed.currentData())

    def show_tour(self, is_shown: bool) -> None:
        """Show or hide the line; a tour that is shown begins to turn."""
        if is_shown != self.isHidden():
            return
        self.pause.setChecked(False)
        self.setVisible(is_shown)
        self._tell()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.pause.setIcon(icon("play" if self.pause.isChecked() else "pause", theme.text))

    def _pause(self, is_paused: bool) -> None:
        self.pause.setAccessibleName("Go on with the tour" if is_paused else "Pause the tour")
        if self._theme is not None:
            self.set_theme(self._theme)
        self._tell()

    def _tell(self) -> None:
        self.speed_changed.emit(self.radians_per_second)
