"""A declared number as a slider and a spin box, with its default marked and what is wrong said beneath."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, QSize, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from figmn.params import Number, is_automatic
from workbench.source.generators.settings import Setting
from workbench.views.fields.number_field import MarkedSlider, NumberField
from workbench.views.fields.number_scale import Scale, number_in, text_of
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, camel_case, chain, named
from workbench.views.look.theme import GRID, Theme

REST = 500
"""Milliseconds without a key after which a typed number counts."""
UNFINISHED = re.compile(r"|[+-]|[+-]?[\d,]*\.?\d*([eE][+-]?)?")
"""Beginnings of numbers, which are not wrong yet while they are typed."""


class SliderBox(QWidget):
    """A slider for the common values of a declared number, and a box that takes all of them.

    Parameters
    ----------
    declared
        What the number is called, its default and its limits.
    slider_low, slider_high
        Ends of the slider, by default those of the declaration. A low end above an allowed 0 makes the slider
        logarithmic, with a place for 0 at its left.
    name
        Beginning of the object names: `deltaSlider`, `deltaBox`, `deltaReset`, `deltaProblem`.
    """

    value_changed = Signal(float)
    """The user chose another allowed value."""
    validity_changed = Signal(bool)
    problem_changed = Signal(str)
    """Other words on what is wrong; empty where nothing is any more."""

    def __init__(
        self,
        declared: Number | Setting,
        parent: QWidget | None = None,
        *,
        slider_low: float | None = None,
        slider_high: float | None = None,
        with_slider: bool = True,
        grouped: bool = True,
        name: str = "",
    ) -> None:
        super().__init__(parent)
        self.declared = declared
        if isinstance(declared, Number) and declared.slider and slider_low is None and slider_high is None:
            slider_low, slider_high = declared.slider
        self.scale = Scale.of(declared, slider_low, slider_high)
        self._is_automatic = isinstance(declared, Number) and is_automatic(declared)
        self._default = declared.default
        self._value = self._unset
        """None: automatic. A chosen value that equals the automatic one is still a chosen one."""
        self._problem = ""
        self._infinite = declared.infinite if isinstance(declared, Number) else ""
        """The word that stands for infinity in the box; empty where that is not allowed."""
        self._with_slider, self._grouped = with_slider, grouped
        self._make_parts()
        self._name_parts(name or camel_case(declared.name))
        self._lay_out()
        self._connect()
        self.set_default(declared.default)
        self._show_value()

    def value(self) -> float:
        """The latest allowed value; commits a pending edit."""
        self.commit()
        return self._shown

    def chosen(self) -> float | None:
        """The latest value that was committed; None while it is automatic."""
        return self._value

    def set_value(self, value: float | None) -> None:
        """Show an allowed value without a signal, None where that is automatic; ValueError otherwise."""
        self._pause.stop()
        self._value = None if value is None and self._is_automatic else self._check(value)
        self._show_value()
        self._set_problem("")

    def set_default(self, default: float) -> None:
        """Mark another default, where it depends on the data; a chosen value stays."""
        self._default = default
        self.slider.mark = round(self.scale.position(default) * self.scale.positions)
        self.slider.update()
        text = self._text_of(default)
        self.reset_button.setToolTip(f"Back to {text}, the default")
        self.setToolTip(f"{self.declared.help}\nDefault {text}, allowed {self.declared.limits}.")
        if self._value is None:
            self._show_value()
        self._show_reset()

    def problem(self) -> str:
        """What is said to be wrong with the text in the box; empty where nothing is."""
        return self._problem

    def commit(self) -> None:
        """Apply a pending edit, where it is allowed."""
        if self._pause.isActive():
            self._pause.stop()
            self._take_text()

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order."""
        return (*((self.slider,) if self._with_slider else ()), self.field, self.reset_button)

    def set_theme(self, theme: Theme) -> None:
        """Draw the icon in the colours of a look."""
        self.reset_button.setIcon(icon("reset", theme.muted))

    def _make_parts(self) -> None:
        self.slider = MarkedSlider(self.scale.positions, self)
        self.slider.setVisible(self._with_slider)
        self.field = NumberField(self)
        self.reset_button = QToolButton(self)
        self.problem_label = Label(self)
        self.problem_label.setProperty("manner", "error")
        self.problem_label.setWordWrap(True)
        self.problem_label.hide()
        self._pause = QTimer(self, singleShot=True, interval=REST)

    def _name_parts(self, name: str) -> None:
        named(self.slider, f"{name}Slider", f"{self.declared.label}, slider")
        named(self.field, f"{name}Box", self.declared.label)
        named(self.reset_button, f"{name}Reset", f"Reset {self.declared.label}")
        named(self.problem_label, f"{name}Problem")

    def _lay_out(self) -> None:
        self.reset_button.setProperty("manner", "flat")
        self.reset_button.setIconSize(QSize(14, 14))
        kept = self.reset_button.sizePolicy()
        kept.setRetainSizeWhenHidden(self._with_slider)
        self.reset_button.setSizePolicy(kept)
        row = QHBoxLayout()
        row.setSpacing(GRID // 2)
        row.addWidget(self.reset_button)
        row.addWidget(self.slider, 1)
        row.addSpacing(GRID // 2 if self._with_slider else 0)
        row.addWidget(self.field, 0 if self._with_slider else 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.problem_label)
        self.setFocusProxy(self.field)
        chain(*self.stops())

    def _connect(self) -> None:
        self.slider.valueChanged.connect(self._slide)
        self.field.typed.connect(self._type)
        self.field.stepped.connect(self._step)
        self.field.editingFinished.connect(self._finish)
        self.reset_button.clicked.connect(lambda: self._choose(self._unset))
        self._pause.timeout.connect(self._take_text)

    def _slide(self, place: int) -> None:
        self._choose(self.scale.value(place / self.scale.positions))

    def _step(self, steps: int) -> None:
        self.commit()
        value = min(max(self.scale.stepped(self._shown, steps), self.declared.low), self.declared.high)
        if self._allowed(value):
            self._choose(value)

    def _type(self, text: str) -> None:
        """Report errors immediately; apply valid input after a pause, so half-typed numbers are ignored."""
        self._pause.start()
        is_beginning = UNFINISHED.fullmatch(text.strip()) or self._infinite.startswith(text.strip().lower())
        if not is_beginning:
            self._judged(text)
        elif self._allowed(self._number_in(text)):
            self._set_problem("")

    def _finish(self) -> None:
        self.commit()
        if not self._problem:
            self._show_text()

    def _choose(self, value: float | None) -> None:
        self._pause.stop()
        self._set_problem("")
        self._take(value if value is None else self._check(value))
        self._show_value()

    def _take_text(self) -> None:
        """Take the number in the box, where it is allowed."""
        value = self._judged(self.field.text())
        if value is not None:
            self._take(value)

    def _take(self, value: float | None) -> None:
        if value == self._value:
            return
        self._value = value
        self._show_place()
        self.value_changed.emit(float(self._shown))

    def _judged(self, text: str) -> float | None:
        """The number in a text, or None with the reason shown."""
        try:
            value = self._check(self._number_in(text))
        except ValueError as error:
            self._set_problem(str(error))
            return None
        self._set_problem("")
        return value

    def _number_in(self, text: str) -> float | str:
        is_infinite = isinstance(self.declared, Number) and self.declared.stands_for_infinity(text)
        return math.inf if is_infinite else number_in(text)

    def _text_of(self, value: float) -> str:
        return self._infinite if self._infinite and value == math.inf else text_of(value, self._grouped)

    def _allowed(self, value: object) -> bool:
        try:
            self._check(value)
        except ValueError:
            return False
        return True

    def _check(self, value: object) -> float:
        if isinstance(self.declared, Number):
            return replace(self.declared, name=self.declared.symbol).check(value)  # errors say what is on screen
        try:
            return self.declared.check(value, "Box")
        except ValueError as error:
            raise ValueError(str(error).removeprefix("Box: ")) from None

    def _set_problem(self, problem: str) -> None:
        before, self._problem = self._problem, problem
        self._show_reset()
        if problem == before:
            return
        self.problem_label.setText(problem)
        self.problem_label.setVisible(bool(problem))
        self.field.set_wrong(bool(problem))
        self.problem_changed.emit(problem)
        if bool(problem) != bool(before):
            self.validity_changed.emit(not problem)

    @property
    def _unset(self) -> float | None:
        """What the box holds until something is chosen."""
        return None if self._is_automatic else self._default

    @property
    def _shown(self) -> float:
        return self._default if self._value is None else self._value

    def _show_value(self) -> None:
        self._show_place()
        self._show_text()

    def _show_place(self) -> None:
        with QSignalBlocker(self.slider):
            if self.scale.value(self.slider.value() / self.scale.positions) != self._shown:
                self.slider.setValue(round(self.scale.position(self._shown) * self.scale.positions))
        self._show_reset()

    def _show_text(self) -> None:
        text = self._text_of(self._shown)
        if self.field.text() != text:
            self.field.lineEdit().setText(text)

    def _show_reset(self) -> None:
        self.reset_button.setVisible(bool(self._problem) or self._value != self._unset)
