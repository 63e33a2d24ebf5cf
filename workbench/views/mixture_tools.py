"""The tool line of a mixture's picture: which plane, which contour, how many points, and pictures of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.run.frame import Plane
from workbench.views.colour_box import ColourBox
from workbench.views.layouts import label_for, side_by_side
from workbench.views.naming import named
from workbench.views.theme import GRID

Contour = Literal["one", "two", "chi"]
CONTOURS: tuple[tuple[str, Contour], ...] = (("1σ", "one"), ("2σ", "two"), ("χ² at 1 − β", "chi"))
TRAILS = (100, 1_000, 10_000, 100_000, 0)
"""Points that can be asked for; 0 stands for all that are kept."""
SEARCHED = 30
"""Columns above which their names can be typed."""
ONE_LINE = 1120
"""Pixels in which all tools fit side by side."""
CONTOUR_HELP = (
    "Where ellipses are drawn.\n"
    "1σ and 2σ: one and two standard deviations from the mean.\n"
    "χ² at 1 − β: the contour of the two dimensions shown that holds the share 1 − β of a component "
    "(d² = χ² quantile with 2 degrees of freedom).\n"
    "The engine itself decides with all dimensions."
)
COLOUR_HELP = "Points here and bars on the Data page get the colours of these labels"
DENSITY_HELP = "Show how dense the mixture is, from dark blue to yellow (logarithm of the density)"


class MixtureTools(QWidget):
    """Everything that can be chosen for the picture. One line where there is room, otherwise two.

    Parameters
    ----------
    is_brief
        Offers the plane, the contour and the fit alone, always in one line.
    """

    plane_changed = Signal(object)
    colour_chosen = Signal(object)
    """A column to colour by; None for one colour."""
    contour_changed = Signal()
    density_toggled = Signal(bool)
    trail_changed = Signal(int)
    fit_wanted = Signal()
    picture_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None, is_brief: bool = False) -> None:
        super().__init__(parent)
        self._plane, self._is_brief = Plane(), is_brief
        self.x_column, self.y_column = _columns("xColumn", "horizontal axis"), _columns("yColumn", "vertical axis")
        self.colour = ColourBox("streamColour", COLOUR_HELP)
        self.kind = _choice("planeBox", "plane", "Draw two columns, or the two directions in which the data vary most")
        self.kind.addItem("columns", "columns")
        self.kind.addItem("principal plane", "pca")
        self.contour = _choice("contourBox", "contour", CONTOUR_HELP)
        for text, contour in CONTOURS:
            self.contour.addItem(text, contour)
        self.contour.setCurrentIndex(self.contour.findData("two"))
        self.trail = _choice("trailBox", "points shown", "How many of the latest samples are drawn")
        for count in TRAILS:
            self.trail.addItem(f"{count:,} points" if count else "all points kept", count)
        self.trail.setCurrentIndex(self.trail.findData(1_000))
        self.density = named(QToolButton(), "densityButton", tip=DENSITY_HELP)
        self.density.setText("Density")
        self.density.setCheckable(True)
        self.fit = _button("fitButton", "Fit", "Show everything again and follow the data (0)")
        self.exports = [
            _button("exportPng", "PNG", "Save this picture as a PNG file"),
            _button("exportSvg", "SVG", "Save this picture as an SVG file"),
            _button("copyPicture", "Copy", "Copy this picture to the clipboard"),
        ]
        self.note = named(QLabel(wordWrap=True), "pictureNote", manner="small")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lay_out()
        self._connect()

    @property
    def plane(self) -> Plane:
        """What the user wants to see."""
        return self._plane

    @property
    def n_points(self) -> int:
        """Points to show; 0 for all."""
        return int(self.trail.currentData())

    def set_columns(self, names: Sequence[str]) -> None:
        """Offer these columns; a choice among the same names is kept."""
        if [self.x_column.itemText(i) for i in range(self.x_column.count())] == list(names):
            return
        for box in (self.x_column, self.y_column):
            box.blockSignals(True)
            box.clear()
            box.addItems(list(names))
            _make_searchable(box, len(names) > SEARCHED)
            box.blockSignals(False)
        self.set_plane(Plane("columns", 0, min(1, max(0, len(names) - 1))))

    def set_plane(self, plane: Plane) -> None:
        """Show a choice without announcing it."""
        self._plane = plane
        kind = self.kind.findData(plane.kind)
        for box, index in ((self.x_column, plane.x), (self.y_column, plane.y), (self.kind, kind)):
            box.blockSignals(True)
            box.setCurrentIndex(index)
            box.blockSignals(False)
        for box in (self.x_column, self.y_column):
            box.setEnabled(plane.kind == "columns")

    def set_note(self, text: str) -> None:
        """Say what a reader must know of the picture."""
        if text != self.note.text():
            self.note.setText(text)
            self.note.setToolTip(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self._arrange()

    def _lay_out(self) -> None:
        self._where = side_by_side(
            [label_for("x", self.x_column), self.x_column, label_for("y", self.y_column), self.y_column]
        )
        self._hue = side_by_side([label_for("colour", self.colour), self.colour])
        self._how = side_by_side([self.kind, self.contour, self.trail, self.density])
        self._out = side_by_side([self.fit, *self.exports])
        self._upper, self._lower = QHBoxLayout(), QHBoxLayout()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(GRID, GRID, 2 * GRID, GRID // 2)
        rows.setSpacing(GRID // 2)
        for row in (self._upper, self._lower):
            row.setSpacing(GRID)
            rows.addLayout(row)
        for tool in (self._hue, self.trail, self.density, *self.exports):
            tool.setVisible(not self._is_brief)
        self._is_wide: bool | None = None
        self._arrange()

    def _arrange(self) -> None:
        """All in one line where there is room; otherwise how it is drawn goes below what is drawn."""
        wide = self._is_brief or self.width() >= ONE_LINE
        if wide == self._is_wide:
            return
        self._is_wide = wide
        for row in (self._upper, self._lower):
            while row.count():
                row.takeAt(0)
        lower = self._upper if wide else self._lower
        self._upper.addWidget(self._where)
        self._upper.addWidget(self._hue)
        lower.addWidget(self._how)
        lower.addWidget(self.note, stretch=1)
        if not wide:
            self._upper.addStretch(1)
        self._upper.addWidget(self._out)

    def _connect(self) -> None:
        self.x_column.currentIndexChanged.connect(lambda index: self._choose_column("x", index))
        self.y_column.currentIndexChanged.connect(lambda index: self._choose_column("y", index))
        self.kind.currentIndexChanged.connect(lambda _: self._choose(Plane(self.kind.currentData(), *self._pair)))
        self.colour.column_chosen.connect(self.colour_chosen)
        self.contour.currentIndexChanged.connect(lambda _: self.contour_changed.emit())
        self.trail.currentIndexChanged.connect(lambda _: self.trail_changed.emit(self.n_points))
        self.density.toggled.connect(self.density_toggled)
        self.fit.clicked.connect(self.fit_wanted)
        for button, kind in zip(self.exports, ("png", "svg", "copy"), strict=True):
            button.clicked.connect(lambda _=False, kind=kind: self.picture_requested.emit(kind))

    @property
    def _pair(self) -> tuple[int, int]:
        return self._plane.x, self._plane.y

    def _choose_column(self, axis: str, index: int) -> None:
        if index < 0:
            return
        x, y = self._pair
        # A column against itself shows nothing: the two change places.
        pair = (index, x if index == y else y) if axis == "x" else (y if index == x else x, index)
        self._choose(Plane("columns", *pair))

    def _choose(self, plane: Plane) -> None:
        self.set_plane(plane)
        self.plane_changed.emit(plane)


def _columns(name: str, spoken: str) -> QComboBox:
    box = _choice(name, spoken, f"The column on the {spoken}")
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(9)
    box.setMaxVisibleItems(SEARCHED)
    return box


def _make_searchable(box: QComboBox, searchable: bool) -> None:
    box.setEditable(searchable)
    if not searchable:
        return
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    completer = QCompleter(box.model(), box)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    box.setCompleter(completer)
    # What is typed but is no column must not stay in the field.
    edit = box.lineEdit()
    assert edit is not None
    edit.editingFinished.connect(lambda: box.setEditText(box.itemText(box.currentIndex())))


def _choice(name: str, spoken: str, tip: str) -> QComboBox:
    return named(QComboBox(), name, spoken, tip)


def _button(name: str, text: str, tip: str) -> QToolButton:
    button = named(QToolButton(), name, tip=tip)
    button.setText(text)
    return button
