"""A spin box and a slider, the two inputs of a number."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPalette, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSlider, QStyle, QStyleOptionSlider, QWidget

from workbench.views.look.naming import set_property
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID


class NumberField(QAbstractSpinBox):
    """A spin box that accepts any text; its owner validates it."""

    typed = Signal(str)
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().textEdited.connect(self.typed)

    def set_wrong(self, wrong: bool) -> None:
        """Mark the text as invalid or valid."""
        set_property(self, "wrong", wrong)

    def stepBy(self, steps: int) -> None:
        """Called by Qt: an arrow or a page key was pressed, or the wheel turned."""
        self.stepped.emit(steps)

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Called by Qt: both arrows are always enabled."""
        return QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Called by Qt: any text may be typed."""
        return QValidator.State.Acceptable, text, position

    def sizeHint(self) -> QSize:
        """Called by Qt: room for `1.2e-12` and the arrows, as high as the style sheet makes other fields."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("1.2e-12") + 32, max(metrics.height(), 20) + 8)

    def minimumSizeHint(self) -> QSize:
        """Called by Qt."""
        return self.sizeHint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Called by Qt: a wheel over a form scrolls it."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class MarkedSlider(QSlider):
    """A slider with a mark at the default; a click moves it there."""

    mark: int | None = None

    def __init__(self, positions: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, positions)
        self.setSingleStep(max(1, positions // 100))
        self.setPageStep(max(1, positions // 10))
        self.setMinimumWidth(6 * GRID)
        self.setMinimumHeight(3 * GRID)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:
        """Called by Qt."""
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
        """Called by Qt."""
        handle = self._handle_width()
        place = round(event.position().x()) - handle // 2
        aimed = QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, self.width() - handle)
        here = QStyle.sliderPositionFromValue(self.minimum(), self.maximum(), self.value(), self.width() - handle)
        if event.button() == Qt.MouseButton.LeftButton and abs(place - here) > handle // 2:
            self.setValue(aimed)
        super().mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Called by Qt: a wheel over a form scrolls it."""
        super().wheelEvent(event) if self.hasFocus() else event.ignore()

    def _handle_width(self) -> int:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self).width()
