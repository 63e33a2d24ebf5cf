"""A declared number as a slider and a spin box, with its default marked and what is wrong said beneath."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from figmn.params import Number
from workbench.source.generators.settings import Setting
from workbench.views.icons import icon
from workbench.views.theme import GRID, Theme

W = TypeVar("W", bound=QWidget)
POSITIONS = 1000
"""Places that a slider can stand at."""
ZERO_SPACE = 0.05
"""Share of a logarithmic slider that belongs to zero."""
REST = 500
"""Milliseconds without a key after which a typed number counts."""
UNFINISHED = re.compile(r"|[+-]|[+-]?[\d,]*\.?\d*([eE][+-]?)?")
"""Beginnings of numbers, which are not wrong yet while they are typed."""
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")


class SliderBox(QWidget):
    """A slider for the common values of a declared number, and a box that takes all of them.

    Parameters
    ----------
    declared
        What the number is called, its default and its limits.
    slider_low, slider_high
        Ends of the slider where they are narrower than the limits. A low end above an allowed 0 makes the slider
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
        self.scale = Scale.of(declared, slider_low, slider_high)
        self._default = self._value = declared.default
        self._problem = ""
        self._with_slider, self._grouped = with_slider, grouped
        self._make_parts()
        self._name_parts(name or camel_case(declared.name))
        self._lay_out()
        self._connect()
        self.set_default(declared.default)
        self._show_value()

    def value(self) -> float:
        """The latest allowed value, typed ones included."""
        self.commit()
        return self._value

    def set_value(self, value: float) -> None:
        """Show an allowed value without telling anybody; ValueError otherwise."""
        self._pause.stop()
        self._value = self._check(value)
        self._show_value()
        self._set_problem("")

    def set_default(self, default: float) -> None:
        """Mark another default, where it depends on the data; the value stays."""
        self._default = default
        self.slider.mark = round(self.scale.position(default) * self.scale.positions)
        self.slider.update()
        text = text_of(default, self._grouped)
        self.reset_button.setToolTip(f"Back to {text}, the default")
        self.setToolTip(f"{self.declared.help}\nDefault {text}, allowed {self.declared.limits}.")
        self._show_reset()

    def problem(self) -> str:
        """What is said to be wrong with the text in the box; empty where nothing is."""
        return self._problem

    def commit(self) -> None:
        """Take what stands in the box, where it is allowed."""
        if self._pause.isActive():
            self._pause.stop()
            self._take(self._judged(self.field.text()))

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
        self.problem_label = QLabel(self)
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
        self.reset_button.clicked.connect(lambda: self._choose(self._default))
        self._pause.timeout.connect(lambda: self._take(self._judged(self.field.text())))

    def _slide(self, place: int) -> None:
        self._choose(self.scale.value(place / self.scale.positions))

    def _step(self, steps: int) -> None:
        self.commit()
        value = min(max(self.scale.stepped(self._value, steps), self.declared.low), self.declared.high)
        if self._allowed(value):
            self._choose(value)

    def _type(self, text: str) -> None:
        """Say at once what is wrong; wait with what is right, so that the beginning of a number counts for nothing."""
        self._pause.start()
        if not UNFINISHED.fullmatch(text.strip()):
            self._judged(text)
        elif self._allowed(number_in(text)):
            self._set_problem("")

    def _finish(self) -> None:
        self.commit()
        if not self._problem:
            self._show_text()

    def _choose(self, value: float) -> None:
        self._pause.stop()
        self._set_problem("")
        self._take(self._check(value))
        self._show_value()

    def _take(self, value: float | None) -> None:
        if value is None or value == self._value:
            return
        self._value = value
        self._show_place()
        self.value_changed.emit(float(value))

    def _judged(self, text: str) -> float | None:
        """The number in a text, or None with the reason shown."""
        try:
            value = self._check(number_in(text))
        except ValueError as error:
            self._set_problem(str(error))
            return None
        self._set_problem("")
        return value

    def _allowed(self, value: object) -> bool:
        try:
            self._check(value)
        except ValueError:
            return False
        return True

    def _check(self, value: object) -> float:
        if isinstance(self.declared, Number):
            return self.declared.check(value)
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

    def _show_value(self) -> None:
        self._show_place()
        self._show_text()

    def _show_place(self) -> None:
        with QSignalBlocker(self.slider):
            if self.scale.value(self.slider.value() / self.scale.positions) != self._value:
                self.slider.setValue(round(self.scale.position(self._value) * self.scale.positions))
        self._show_reset()

    def _show_text(self) -> None:
        text = text_of(self._value, self._grouped)
        if self.field.text() != text:
            self.field.lineEdit().setText(text)

    def _show_reset(self) -> None:
        self.reset_button.setVisible(bool(self._problem) or self._value != self._default)


class NumberField(QAbstractSpinBox):
    """A spin box that keeps whatever is typed; its owner judges it."""

    typed = Signal(str)
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().textEdited.connect(self.typed)

    def set_wrong(self, wrong: bool) -> None:
        """Mark the text as wrong, or as right again."""
        set_property(self, "wrong", wrong)

    def stepBy(self, steps: int) -> None:
        """Qt's: an arrow or a page key was pressed, or the wheel turned."""
        self.stepped.emit(steps)

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Qt's: both ways, always."""
        return QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Qt's: nothing is refused while it is typed."""
        return QValidator.State.Acceptable, text, position

    def sizeHint(self) -> QSize:
        """Qt's: room for `1.2e-12` and the arrows, as high as the style sheet makes other fields."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("1.2e-12") + 32, max(metrics.height(), 20) + 8)

    def minimumSizeHint(self) -> QSize:
        """Qt's."""
        return self.sizeHint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's: a wheel over a form scrolls it."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class MarkedSlider(QSlider):
    """A slider with a mark, that goes where it is clicked."""

    mark: int | None = None

    def __init__(self, positions: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, positions)
        self.setSingleStep(max(1, positions // 100))
        self.setPageStep(max(1, positions // 10))
        self.setMinimumWidth(6 * GRID)
        self.setMinimumHeight(3 * GRID)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's."""
        super().paintEvent(event)
        if self.mark is None:
            return
        handle = self._handle_width()
        place = QStyle.sliderPositionFromValue(self.minimum(), self.maximum(), self.mark, self.width() - handle)
        painter = QPainter(self)
        colour = self.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.fillRect(place + handle // 2 - 1, self.height() // 2 + 9, 2, 3, colour)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's."""
        handle = self._handle_width()
        place = round(event.position().x()) - handle // 2
        aimed = QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, self.width() - handle)
        here = QStyle.sliderPositionFromValue(self.minimum(), self.maximum(), self.value(), self.width() - handle)
        if event.button() == Qt.MouseButton.LeftButton and abs(place - here) > handle // 2:
            self.setValue(aimed)
        super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's: a wheel over a form scrolls it."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()

    def _handle_width(self) -> int:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self).width()


@dataclass(frozen=True)
class Scale:
    """Which value a place on a slider stands for; places go from 0 to 1.

    >>> beta = Scale(1e-12, 1.0, log=True, zero=True)
    >>> beta.value(0.0), beta.value(1.0), beta.position(0.0), beta.position(1.0)
    (0.0, 1.0, 0.0, 1.0)
    """

    low: float
    high: float
    log: bool = False
    zero: bool = False
    """Whether a logarithmic scale has a place for 0 at its left."""
    whole: bool = False

    @staticmethod
    def of(declared: Number | Setting, low: float | None = None, high: float | None = None) -> Scale:
        """The scale of a declared number between two ends."""
        open_end = isinstance(declared, Number) and not declared.low_allowed
        zero = declared.low == 0 and low is not None and low > 0 and not open_end
        low, high = declared.low if low is None else low, declared.high if high is None else high
        if math.isinf(high):
            raise ValueError(f"{declared.name} has no upper limit: give the slider one")
        if open_end and low == declared.low:
            low += (high - low) / POSITIONS
        return Scale(low, high, declared.log or zero, zero, bool(getattr(declared, "whole", False)))

    @property
    def positions(self) -> int:
        """Steps of a slider: one a value where there are few."""
        few = self.whole and not self.log and self.high - self.low <= POSITIONS
        return round(self.high - self.low) if few else POSITIONS

    def position(self, value: float) -> float:
        """Where a value stands; values beyond an end stand at that end."""
        if self.zero and value <= 0:
            return 0.0
        value = min(max(value, self.low), self.high)
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        start = ZERO_SPACE if self.zero else 0.0
        return start + (1 - start) * math.log(value / self.low) / math.log(self.high / self.low)

    def value(self, position: float) -> float:
        """The value at a place, rounded to what the place can tell."""
        start = ZERO_SPACE if self.zero else 0.0
        if self.zero and position < start / 2:
            return 0.0
        share = max(0.0, (position - start) / (1 - start))
        if self.log:
            value = float(f"{self.low * (self.high / self.low) ** share:.2g}")
        else:
            value = round(self.low + (self.high - self.low) * share, self._decimals())
        value = min(max(value, self.low), self.high)
        return round(value) if self.whole else value

    def stepped(self, value: float, steps: int) -> float:
        """The value some steps up or down: ones, hundredths of a linear scale, or the second figure of a number."""
        for _ in range(abs(steps)):
            value = self._next(value, math.copysign(1, steps))
        return value

    def _next(self, value: float, sign: float) -> float:
        if self.whole:
            return value + sign
        if not self.log:
            return float(f"{value + sign * 10.0 ** math.floor(math.log10((self.high - self.low) / 50)):.10g}")
        if self.zero and (value < self.low if sign > 0 else value <= self.low):
            return self.low if sign > 0 else 0.0
        # Down from 1.0 the next number of two figures is 0.99.
        unit = 10.0 ** (math.floor(math.log10(value * (1 - 1e-9) if sign < 0 else value)) - 1)
        return float(f"{value + sign * max(unit, self.low * self.zero):.10g}")

    def _decimals(self) -> int:
        return max(0, math.ceil(-math.log10((self.high - self.low) / POSITIONS)))


def number_in(text: str) -> float | str:
    """The number that a text stands for, or the text itself where it is none.

    >>> number_in("10,000"), number_in("1e-06"), number_in("0,5")
    (10000, 1e-06, '0,5')
    """
    text = text.strip().replace("−", "-")
    plain = text.replace(",", "") if THOUSANDS.fullmatch(text) else text
    for kind in (int, float):
        try:
            return kind(plain)
        except ValueError:
            continue
    return text


def text_of(value: float, grouped: bool = True) -> str:
    """A number as it stands in a box.

    >>> text_of(10_000.0), text_of(0.5), text_of(1e-06)
    ('10,000', '0.5', '1e-06')
    """
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:  # noqa: PLR2004
        return f"{int(value):,}" if grouped else str(int(value))
    return repr(float(value))


def named(widget: W, name: str, accessible: str = "") -> W:
    """The widget with its names for programs and for those who do not see it."""
    widget.setObjectName(name)
    widget.setAccessibleName(accessible)
    return widget


def chain(*widgets: QWidget) -> None:
    """Let the Tab key go from each to the next."""
    for first, second in pairwise(widgets):
        QWidget.setTabOrder(first, second)


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def camel_case(name: str) -> str:
    """`v_min` as `vMin`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
