"""A dialog to paint points with brush, single points and eraser, in up to six classes."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.pages.data.class_legend import class_mark
from workbench.pages.data.dialogs.canvas import MOST_POINTS, Canvas, Tool
from workbench.run.recipe.dataset import PaintedOrigin
from workbench.source.generators.settings import Setting
from workbench.views.fields.slider_box import SliderBox
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.counts import counted

CLASSES = 6
TOOLS: dict[Tool, tuple[str, str, str]] = {
    "brush": ("Brush", "brush", "Spray points around the mouse (B)"),
    "point": ("Point", "point", "One point per click (P)"),
    "eraser": ("Eraser", "eraser", "Remove the points under the mouse (E)"),
}
SIZE = Setting("brush_size", "size", "How far brush and eraser reach, in units of the axes.", 0.8, 0.1, 4.0)
DENSITY = Setting("density", "density", "Points that the brush sprays at a time.", 6, 1, 40, whole=True)


class PaintDialog(QDialog):
    """Tools at the left, the plane at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Paint points")
        self.canvas = Canvas()
        self._tools, self._classes = QButtonGroup(self), QButtonGroup(self)
        self._size, self._density = SliderBox(SIZE), SliderBox(DENSITY)
        self._undo, self._clear = QPushButton("Undo"), QPushButton("Clear")
        self._counts = Label()
        self._load, self._cancel = QPushButton("Use points"), QPushButton("Cancel")
        self._name_parts()
        self._lay_out()
        self._connect()
        self.set_theme(LIGHT)
        self._count()

    def origin(self) -> PaintedOrigin:
        """The points, in the order of painting."""
        return PaintedOrigin(tuple((x, y, int(code)) for x, y, code in self.canvas.all_points.tolist()))

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.canvas.set_theme(theme)
        self._size.set_theme(theme)
        self._density.set_theme(theme)
        for (_, picture, _), button in zip(TOOLS.values(), self._tools.buttons(), strict=True):
            button.setIcon(QIcon(class_mark(-1, theme, 10)) if picture == "point" else icon(picture, theme.text))
        for code, button in enumerate(self._classes.buttons()):
            button.setIcon(QIcon(class_mark(code, theme)))
        self._undo.setIcon(icon("undo", theme.text, theme.faint))
        self._clear.setIcon(icon("clear", theme.text, theme.faint))

    def _choose_tool(self, tool: Tool) -> None:
        self.canvas.tool = tool
        self._tools.buttons()[list(TOOLS).index(tool)].setChecked(True)

    def _choose_class(self, code: int) -> None:
        self.canvas.code = code
        self._classes.buttons()[code].setChecked(True)

    def _set_size(self, size: float) -> None:
        self.canvas.reach = size

    def _set_density(self, density: float) -> None:
        self.canvas.density = int(density)

    def _count(self) -> None:
        codes = self.canvas.all_points[:, 2].astype(int)
        counts = np.bincount(codes, minlength=CLASSES)
        for button, count in zip(self._classes.buttons(), counts.tolist(), strict=True):
            button.setText(f"{count:,}")
        self._undo.setEnabled(self.canvas.can_undo)
        self._clear.setEnabled(bool(len(codes)))
        self._load.setEnabled(bool(len(codes)))
        self._counts.setText(count_words(len(codes), int((counts > 0).sum())))

    def _name_parts(self) -> None:
        self.canvas.setObjectName("canvas")
        self.canvas.setAccessibleName("Plane to paint on")
        self._undo.setObjectName("paintUndo")
        self._undo.setToolTip("Undo the last stroke (Ctrl+Z)")
        self._clear.setObjectName("paintClear")
        self._clear.setToolTip("Remove all points")
        self._counts.setObjectName("paintCounts")
        self._counts.setProperty("manner", "muted")
        self._counts.setWordWrap(True)
        self._load.setObjectName("loadButton")
        self._load.setProperty("manner", "main")
        self._cancel.setObjectName("cancelButton")
        # Enter in a field commits its number and does not close the dialog.
        for button in (self._load, self._cancel, self._undo, self._clear):
            button.setAutoDefault(False)

    def _connect(self) -> None:
        self.canvas.changed.connect(self._count)
        self._size.value_changed.connect(self._set_size)
        self._density.value_changed.connect(self._set_density)
        self._undo.clicked.connect(self.canvas.undo)
        self._clear.clicked.connect(self.canvas.clear_points)
        self._load.clicked.connect(self.accept)
        self._cancel.clicked.connect(self.reject)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self, self.canvas.undo)
        for tool in TOOLS:
            QShortcut(QKeySequence(tool[0].upper()), self, partial(self._choose_tool, tool))

    def _lay_out(self) -> None:
        side = QVBoxLayout()
        side.setSpacing(GRID)
        side.addWidget(_heading("TOOL"))
        side.addLayout(self._made_tools())
        side.addSpacing(GRID)
        side.addWidget(_heading("CLASS"))
        side.addLayout(self._made_classes())
        side.addSpacing(GRID)
        side.addWidget(_heading("BRUSH"))
        side.addLayout(self._made_sliders())
        side.addStretch(1)
        side.addWidget(self._counts)
        changes = QHBoxLayout()
        changes.addWidget(self._undo)
        changes.addWidget(self._clear)
        side.addLayout(changes)
        upper = QHBoxLayout()
        upper.setSpacing(2 * GRID)
        upper.addLayout(side)
        upper.addWidget(self.canvas, 1)
        foot = QHBoxLayout()
        foot.setSpacing(GRID)
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self._load)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addLayout(upper, 1)
        layout.addLayout(foot)
        self.resize(QSize(880, 640))

    def _made_tools(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(GRID // 2)
        for tool, (text, _, tip) in TOOLS.items():
            button = _toggle(f"{tool}Tool", text, tip)
            button.setChecked(tool == "brush")
            button.clicked.connect(partial(self._choose_tool, tool))
            self._tools.addButton(button)
            line.addWidget(button)
        return line

    def _made_classes(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(GRID // 2)
        for code in range(CLASSES):
            button = _toggle(f"class{code + 1}", "0", f"Paint points of class {code + 1} ({code + 1})")
            button.setAccessibleName(f"Class {code + 1}")
            button.setChecked(code == 0)
            button.clicked.connect(partial(self._choose_class, code))
            self._classes.addButton(button)
            grid.addWidget(button, *divmod(code, 3))
            QShortcut(QKeySequence(str(code + 1)), self, partial(self._choose_class, code))
        return grid

    def _made_sliders(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(GRID)
        for line, slider in enumerate((self._size, self._density)):
            label = Label(slider.declared.label.capitalize())
            label.setBuddy(slider)
            grid.addWidget(label, line, 0)
            grid.addWidget(slider, line, 1)
        return grid


def count_words(n_points: int, n_classes: int) -> str:
    """Number of points and classes, and what to do next.

    >>> count_words(1204, 2)
    '1,204 points of 2 classes'
    """
    if not n_points:
        return "Press the mouse button and draw on the plane."
    classes = f" of {n_classes} classes" if n_classes > 1 else ""
    full = ": the maximum, erase some to add more" if n_points >= MOST_POINTS else ""
    return f"{counted(n_points, 'point')}{classes}{full}"


def _heading(text: str) -> Label:
    label = Label(text)
    label.setProperty("manner", "heading")
    return label


def _toggle(name: str, text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setToolTip(tip)
    button.setCheckable(True)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setMinimumWidth(76)
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return button
