"""What a component is: its name, a line about it, its mean as a picture, and its rows."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from figmn.system.arrays import Floats
from workbench.pages.stream.component_words import summary
from workbench.run.ask.members import Members
from workbench.run.show.frame import Frame
from workbench.run.show.images import picture_of, pixels_of
from workbench.run.show.portrait import Contrast
from workbench.views.fields.selection_button import how_of
from workbench.views.look.naming import Label, named
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.names import LONGEST_NAME

PICTURE = 84
"""Pixels of the picture of a mean, at most."""
NAME_HELP = "A name for this component in this run, shown wherever it is named (F2 or a double click in the table)"
ROWS_HELP = (
    "Select the rows whose largest posterior is that of this component.\n"
    "Shift or Ctrl adds them to the selection, Alt removes them, both keep only what is in both."
)
SUMMARY_HELP = (
    "Rows: those of the table whose largest posterior is that of this component, under the mixture shown.\n"
    "Labels: the most frequent one among these rows.\n"
    "σ: mean of the component minus mean of all others, in standard deviations of the whole mixture. Columns are named "
    "by their Kullback-Leibler divergence, the largest first."
)


class ComponentCard(QWidget):
    """Emits what the user wants of the component shown."""

    name_given = Signal(int, str)
    """Id and new name."""
    rows_wanted = Signal(int, str)
    """Select the rows of a component, and how."""
    table_wanted = Signal(int)
    """Show the rows of a component in the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._id: int | None = None
        self._theme = LIGHT
        self._columns: tuple[str, ...] = ()
        self._pixels = pixels_of(())
        self._mean: Floats | None = None
        """The picture shown; None for none."""
        self.name = named(QLineEdit(), "componentName", "Name of the component", NAME_HELP)
        self.name.setPlaceholderText("name")
        self.name.setMaxLength(LONGEST_NAME)
        self.summary = named(Label(wordWrap=True), "componentSummary", tip=SUMMARY_HELP)
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.picture = named(Label(), "componentPicture", "Mean as a picture", "The mean of the component as a picture")
        self.select = named(QPushButton("Select rows"), "selectComponent", tip=ROWS_HELP)
        self.table = named(QPushButton("Show in table"), "componentTableRows", tip="Show its rows on the Data page")
        self.name.editingFinished.connect(self._rename)
        self.select.clicked.connect(self._select)
        self.table.clicked.connect(lambda: None if self._id is None else self.table_wanted.emit(self._id))
        self._lay_out()

    def show_component(self, frame: Frame, position: int, found: Contrast, members: Members | None) -> None:
        """Show a component of a frame."""
        number = int(frame.census.ids[position])
        if number != self._id or not self.name.hasFocus():
            self.name.setText(frame.names.get(number, ""))
        self._id = number
        text = summary(frame, position, found, members)
        if text != self.summary.text():
            self.summary.setText(text)
        for button in (self.select, self.table):
            button.setEnabled(members is not None)
        self._show_picture(frame, position)

    def show_gone(self) -> None:
        """The component is no more: nothing can be asked about it."""
        self._id = None
        self._mean = None
        self.picture.hide()
        for button in (self.select, self.table):
            button.setEnabled(False)

    def edit_name(self) -> None:
        """Let the user write a name."""
        self.name.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.name.selectAll()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self._theme = theme
        self._draw_picture()

    def _rename(self) -> None:
        if self._id is not None and self.name.isModified():
            self.name.setModified(False)
            self.name_given.emit(self._id, self.name.text())

    def _select(self) -> None:
        if self._id is not None:
            self.rows_wanted.emit(self._id, how_of(QApplication.keyboardModifiers()))

    def _show_picture(self, frame: Frame, position: int) -> None:
        if frame.columns != self._columns:
            self._columns, self._pixels = frame.columns, pixels_of(frame.columns)
        pixels = self._pixels
        self._mean = None if pixels is None else picture_of(frame.units.means(frame.census.means), pixels, position)
        self._draw_picture()

    def _draw_picture(self) -> None:
        self.picture.setVisible(self._mean is not None)
        if self._mean is not None:
            self.picture.setPixmap(drawn(self._mean, self._theme))

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self.select)
        buttons.addWidget(self.table)
        buttons.addStretch(1)
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self.picture, alignment=Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.summary, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(line)
        layout.addLayout(buttons)
        self.picture.hide()


def drawn(values: Floats, theme: Theme) -> QPixmap:
    """A picture from 0 to 1 in the theme's colours, from background to text; of three channels, in its own."""
    if values.shape[2] == 1:
        low, high = (np.array([ink.red(), ink.green(), ink.blue()]) for ink in map(QColor, (theme.base, theme.text)))
        values = (low + values * (high - low)) / 255
    pixels = np.ascontiguousarray(np.rint(255 * values).astype(np.uint8))
    height, width, _ = pixels.shape
    image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    size = max(1, PICTURE // max(width, height))
    whole = QSize(size * width, size * height)
    return QPixmap.fromImage(image.scaled(whole, Qt.AspectRatioMode.KeepAspectRatio))
