"""One attribute of a question: known with a value, wanted, or open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from workbench.pages.predict import dragging
from workbench.pages.predict.elided import ElidedLabel
from workbench.pages.predict.value_texts import field_text, problem_with, rounded, value_in
from workbench.run.ask.attributes import Attribute
from workbench.views.fields.calm_box import CalmBox
from workbench.views.fields.number_field import MarkedSlider
from workbench.views.look.naming import Label, chain, named, set_property
from workbench.views.look.painting import safe
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.views.plots.plot_style import colour

POSITIONS = 1000


@dataclass(frozen=True)
class Asked:
    """How an attribute takes part in a question."""

    is_known: bool = False
    is_wanted: bool = False
    value: float | str = 0.0
    """The value, while it is known or was."""
    error: float = 0.0
    """Standard deviation of a known number; 0: it is exact."""


class KnownRow(QWidget):
    """Two boxes to tick, and a field for the value; moving the slider makes the value known."""

    changed = Signal(str, object)
    """Name and `Asked`."""

    def __init__(self, attribute: Attribute, asked: Asked, place: int) -> None:
        super().__init__()
        self.attribute, self.asked = attribute, asked
        self.known = named(QCheckBox(), f"known{place}", f"{attribute.name} is known", "Known: use the value below")
        self.wanted = named(QCheckBox("wanted"), f"wanted{place}", f"{attribute.name} is wanted")
        self.title = ElidedLabel(attribute.name)
        self.problem = Label()
        self.problem.setProperty("manner", "error")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.title.setCursor(Qt.CursorShape.OpenHandCursor)
        self._held_at: QPoint | None = None
        """Where the name was pressed, while it may be dragged."""
        self._labels: CalmBox | None = None
        self._typed_in: QLineEdit | None = None
        """The field whose text must not be replaced, as it is being typed."""
        self._editor = self._label_editor(place) if attribute.has_labels else self._number_editor(place)
        self._lay_out()
        self.known.toggled.connect(lambda on: self._take(is_known=on, is_wanted=self.asked.is_wanted and not on))
        self.wanted.toggled.connect(lambda on: self._take(is_wanted=on, is_known=self.asked.is_known and not on))
        self.show_asked(asked)

    def show_asked(self, asked: Asked) -> None:
        """Show a state without a signal."""
        self.asked = asked
        with QSignalBlocker(self.known), QSignalBlocker(self.wanted):
            self.known.setChecked(asked.is_known)
            self.wanted.setChecked(asked.is_wanted)
        self._editor.setVisible(not asked.is_wanted)
        set_property(self.title, "manner", "strong" if asked.is_known or asked.is_wanted else "muted")
        self._say("")
        if self._labels is not None:
            with QSignalBlocker(self._labels):
                self._labels.setCurrentIndex(self._labels.findText(str(asked.value)) if asked.is_known else -1)
            return
        value = float(asked.value)
        self._show_slider(value)
        if self._typed_in is not self.field:
            self.field.setText(field_text(self.attribute, value) if asked.is_known else "")
        if self._typed_in is not self.error:
            self.error.setText(f"{asked.error:.6g}" if asked.error else "")

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        if self._labels is None:
            self.slider.set_theme(theme)

    @property
    def value_field(self) -> QWidget:
        """Where the value is set."""
        return self.slider if self._labels is None else self._labels

    def stops(self) -> tuple[QWidget, ...]:
        """Where the Tab key stops, in order."""
        fields = (self._labels,) if self._labels is not None else (self.slider, self.field, self.error)
        return (self.known, self.wanted, *fields)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Called by Qt: a row can be dragged by its name."""
        at = event.position().toPoint()
        is_held = event.button() == Qt.MouseButton.LeftButton and self.title.geometry().contains(at)
        self._held_at = at if is_held else None
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Called by Qt."""
        at = self._held_at
        if at is not None and (event.position().toPoint() - at).manhattanLength() >= QApplication.startDragDistance():
            self._held_at = None
            dragging.carry(self, self.attribute.name, at)
        super().mouseMoveEvent(event)

    def _take(self, **changes: object) -> None:
        self.show_asked(replace(self.asked, **changes))  # type: ignore[arg-type]
        self.changed.emit(self.attribute.name, self.asked)

    # Labels

    def _label_editor(self, place: int) -> QWidget:
        self._labels = named(CalmBox(), f"label{place}", f"label of {self.attribute.name}")
        self._labels.setPlaceholderText("any label")
        self._labels.addItems(self.attribute.labels)
        self._labels.setCurrentIndex(-1)
        self._labels.activated.connect(self._take_label)
        return self._labels

    def _take_label(self, place: int) -> None:
        self._take(is_known=True, is_wanted=False, value=self.attribute.labels[place])

    # Numbers

    def _number_editor(self, place: int) -> QWidget:
        name = self.attribute.name
        self.slider = named(HistogramSlider(self.attribute.heights), f"slider{place}", f"value of {name}")
        self.slider.setEnabled(self.attribute.low < self.attribute.high and bool(self.attribute.heights))
        self.field = named(QLineEdit(), f"value{place}", f"value of {name}")
        self.error = named(
            QLineEdit(),
            f"error{place}",
            f"error of {name}",
            "How far the value may be off, as a standard deviation in its own unit; empty: it is exact",
        )
        self.field.setMinimumWidth(11 * GRID)
        self.field.setMaximumWidth(14 * GRID)
        self.error.setFixedWidth(7 * GRID)
        self.field.setPlaceholderText("any value")
        self.error.setPlaceholderText("0")
        self.slider.valueChanged.connect(self._take_position)
        self.field.textEdited.connect(self._take_text)
        self.field.editingFinished.connect(self._finish)
        self.error.textEdited.connect(self._take_error)
        self.error.editingFinished.connect(self._finish)
        box = QWidget()
        line = QHBoxLayout(box)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GRID)
        line.addWidget(self.slider, 1)
        for widget in (self.field, Label("±"), self.error):
            line.addWidget(widget)
        return box

    def _take_position(self, position: int) -> None:
        low, high = self.attribute.low, self.attribute.high
        value = rounded(self.attribute, low + (high - low) * position / POSITIONS)
        self._take(is_known=True, is_wanted=False, value=value)

    def _take_text(self, text: str) -> None:
        value = value_in(self.attribute, text)
        if value is None:
            self._say(problem_with(self.attribute, text) if text.strip() else "")
            return
        self._take_typed(self.field, is_known=True, is_wanted=False, value=value)

    def _take_error(self, text: str) -> None:
        number = value_in(replace(self.attribute, block=replace(self.attribute.block, kind="numeric")), text or "0")
        if number is None or number < 0:
            self._say("The error after ± must be 0 or a positive number")
            return
        self._take_typed(self.error, error=number)

    def _take_typed(self, field: QLineEdit, **changes: object) -> None:
        self._typed_in = field
        self._take(**changes)
        self._typed_in = None

    def _finish(self) -> None:
        """Where a text cannot be used, the last value that could returns."""
        if self.problem.text():
            self.show_asked(self.asked)

    def _show_slider(self, value: float) -> None:
        low, high = self.attribute.low, self.attribute.high
        share = (value - low) / (high - low) if self.slider.isEnabled() else 0.0
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(POSITIONS * min(max(share, 0.0), 1.0)))
        self.slider.set_open(not self.asked.is_known)

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _lay_out(self) -> None:
        layout = QGridLayout(self)
        layout.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        layout.setHorizontalSpacing(GRID)
        layout.setVerticalSpacing(2)
        layout.addWidget(self.known, 0, 0)
        layout.addWidget(self.title, 0, 1)
        layout.addWidget(self.wanted, 0, 2)
        layout.addWidget(self._editor, 1, 1, 1, 2)
        layout.addWidget(self.problem, 2, 1, 1, 2)
        layout.setColumnStretch(1, 1)
        chain(*self.stops())


class HistogramSlider(MarkedSlider):
    """A slider over the range of the data, with their histogram behind it."""

    def __init__(self, heights: tuple[float, ...]) -> None:
        super().__init__(POSITIONS)
        self._heights, self._theme = heights, LIGHT
        self.setMinimumHeight(5 * GRID)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self.update()

    def set_open(self, is_open: bool) -> None:
        """Draw it in grey while the value does not count."""
        set_property(self, "manner", "open" if is_open else "")

    @safe
    def paintEvent(self, event: QPaintEvent) -> None:
        """Called by Qt."""
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        is_open = self.property("manner") == "open"
        painter.setBrush(colour(self._theme.muted if is_open else self._theme.accent, 0.3))
        margin = self._handle_width() / 2
        room, base = self.width() - 2 * margin, self.height() / 2 - 2
        width = room / max(len(self._heights), 1)
        for place, height in enumerate(self._heights):
            tall = height * (base - 1)
            painter.drawRect(QRectF(margin + place * width, base - tall, width, tall))
        painter.end()
        super().paintEvent(event)
