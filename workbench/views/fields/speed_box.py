"""The speed of a run: a slider from one sample per second to no limit."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from workbench.run.speed import SPEEDS, nearest
from workbench.views.fields.number_field import MarkedSlider
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, Theme

UNLIMITED_KEY = "F7"
"""Shortcut named in the tooltips; the window binds it."""
TIP = (
    "Samples a second; at the right end as fast as it goes. A number holds for these data: "
    "other data start at a speed that suits their size."
)
WIDTH = 20 * GRID
"""Pixels of the slider where there is room."""


class SpeedBox(QWidget):
    """Samples per second as a slider and as text, with a button that switches the limit off and on."""

    speed_changed = Signal(object)
    """Samples per second; None for no limit."""
    unlimited_toggled = Signal()
    """Switch the limit off, or on at its last value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._speed: float | None = None
        self.slider = named(MarkedSlider(len(SPEEDS), self), "speedSlider", "Speed in samples per second")
        self.slider.setSingleStep(1)
        self.slider.setPageStep(6)
        self.slider.setToolTip(TIP)
        self.slider.setMinimumWidth(9 * GRID)
        self.slider.setMaximumWidth(WIDTH)
        self.label = named(Label(self), "speedLabel")
        self.label.setMinimumWidth(self.fontMetrics().horizontalAdvance("1,000,000 /s") + GRID // 2)
        self.unlimited = named(QToolButton(self), "unlimitedButton", "Unlimited speed")
        self.unlimited.setCheckable(True)
        self.unlimited.setIconSize(QSize(18, 18))
        self.unlimited.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_speed(None)
        self.slider.valueChanged.connect(self._change)
        self.unlimited.clicked.connect(self.unlimited_toggled)

    def speed(self) -> float | None:
        """Samples per second; None for no limit."""
        return self._speed

    def set_speed(self, speed: float | None) -> None:
        """Show a speed without emitting a signal."""
        self._speed = speed
        with QSignalBlocker(self.slider):
            self.slider.setValue(_place(speed))
        self._show_words()

    def set_theme(self, theme: Theme) -> None:
        """Draw the icon in the theme's colours."""
        self.unlimited.setIcon(icon("unlimited", theme.text, theme.faint))

    def sizeHint(self) -> QSize:
        """Called by Qt."""
        found = super().sizeHint()
        return QSize(found.width() - self.slider.sizeHint().width() + WIDTH, found.height())

    def _lay_out(self) -> None:
        title = Label("speed", self)
        title.setProperty("manner", "muted")
        title.setBuddy(self.slider)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        for part in (title, self.slider, self.unlimited, self.label):
            row.addWidget(part)

    def _change(self, place: int) -> None:
        self._speed = SPEEDS[place] if place < len(SPEEDS) else None
        self._show_words()
        self.speed_changed.emit(self._speed)

    def _show_words(self) -> None:
        is_unlimited = self._speed is None
        self.label.setText(speed_text(self._speed))
        self.unlimited.setChecked(is_unlimited)
        words = "Back to a limited speed" if is_unlimited else "Unlimited: as fast as it goes"
        self.unlimited.setToolTip(f"{words} ({UNLIMITED_KEY})")


def speed_text(speed: float | None) -> str:
    """A speed as text.

    >>> speed_text(20_000.0), speed_text(1.5), speed_text(None)
    ('20,000 /s', '1.5 /s', 'unlimited')
    """
    return "unlimited" if speed is None else f"{speed:,.10g} /s"


def _place(speed: float | None) -> int:
    return len(SPEEDS) if speed is None else SPEEDS.index(nearest(speed))
