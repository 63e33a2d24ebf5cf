"""How fast a run goes: a slider over speeds from one sample a second to no limit."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from workbench.views.naming import Label, named
from workbench.views.number_field import MarkedSlider
from workbench.views.theme import GRID

SPEEDS = (*(mantissa * 10.0**power for power in range(6) for mantissa in (1, 1.5, 2, 3, 5, 7)), 1e6)
"""Samples a second that the slider offers; beyond the last there is no limit."""

WIDTH = 20 * GRID
"""Pixels of the slider where there is room."""


class SpeedBox(QWidget):
    """Samples a second, by a slider and in words."""

    speed_changed = Signal(object)
    """Samples a second; None: as fast as it goes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._speed: float | None = None
        self.slider = named(MarkedSlider(len(SPEEDS), self), "speedSlider", "Speed in samples per second")
        self.slider.setSingleStep(1)
        self.slider.setPageStep(6)
        self.slider.setToolTip("Samples per second; at the right end unlimited")
        self.slider.setMinimumWidth(9 * GRID)
        self.slider.setMaximumWidth(WIDTH)
        self.label = named(Label(self), "speedLabel")
        self.label.setMinimumWidth(self.fontMetrics().horizontalAdvance("1,000,000 /s") + GRID // 2)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.set_speed(None)
        self.slider.valueChanged.connect(self._change)

    def speed(self) -> float | None:
        """Samples a second; None: as fast as it goes."""
        return self._speed

    def set_speed(self, speed: float | None) -> None:
        """Show a speed without telling anybody."""
        self._speed = speed
        with QSignalBlocker(self.slider):
            self.slider.setValue(_place(speed))
        self.label.setText(speed_text(speed))

    def sizeHint(self) -> QSize:
        """Qt's."""
        found = super().sizeHint()
        return QSize(found.width() - self.slider.sizeHint().width() + WIDTH, found.height())

    def _lay_out(self) -> None:
        title = Label("speed", self)
        title.setProperty("manner", "muted")
        title.setBuddy(self.slider)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        for part in (title, self.slider, self.label):
            row.addWidget(part)

    def _change(self, place: int) -> None:
        self._speed = SPEEDS[place] if place < len(SPEEDS) else None
        self.label.setText(speed_text(self._speed))
        self.speed_changed.emit(self._speed)


def speed_text(speed: float | None) -> str:
    """A speed in words.

    >>> speed_text(20_000.0), speed_text(1.5), speed_text(None)
    ('20,000 /s', '1.5 /s', 'unlimited')
    """
    return "unlimited" if speed is None else f"{speed:,.10g} /s"


def _place(speed: float | None) -> int:
    if speed is None:
        return len(SPEEDS)
    return min(range(len(SPEEDS)), key=lambda place: abs(math.log(SPEEDS[place] / speed)))
