"""The tools of a mixture plot: plane, contour, number of points, and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QMenu, QSizePolicy, QToolButton, QWidget

from figmn.system.arrays import Floats
from workbench.run.show.frame import Plane, PlaneKind
from workbench.views.fields.colour_box import ColourBox
from workbench.views.fields.menu_button import open_by
from workbench.views.fields.name_box import NameBox
from workbench.views.fields.selection_button import SelectionButton
from workbench.views.look.flow import Flow
from workbench.views.look.icons import icon
from workbench.views.look.layouts import label_for, side_by_side
from workbench.views.look.naming import Label, named, one_line, plain_tip
from workbench.views.look.theme import GRID, Theme
from workbench.views.plots.best_planes import BestPlanes

Contour = Literal["one", "two", "chi"]
CONTOURS: tuple[tuple[str, Contour], ...] = (("1σ", "one"), ("2σ", "two"), ("χ²", "chi"))
PLANES: tuple[tuple[str, PlaneKind], ...] = (("columns", "columns"), ("PCA plane", "pca"))
TOUR, MATRIX = "tour", "matrix"
FEWEST_TOURED = 3
"""Columns from which there is more than one plane."""
PLANES_BESIDE_TARGETS: tuple[tuple[str, PlaneKind], ...] = (
    ("columns", "columns"),
    ("PCA: inputs", "input pca"),
    ("PCA: all", "pca"),
)
PLANE_HELP = (
    "Draw two columns, or the two directions in which the data vary most (principal components).\n"
    "Where some columns are targets, those of the inputs alone or of all: inputs and targets."
)
MORE_PLANES_HELP = (
    "\nOn a tour the plane turns through the inputs; planes that were kept on the way come after it.\n"
    "The scatter matrix shows all pairs of up to six columns."
)
TRAILS = (100, 1_000, 10_000, 100_000, 0)
"""Numbers of points to choose from; 0 stands for all that are kept."""
SEARCHED = 30
"""Number of columns above which their names can be typed."""
NOTE = 120
"""Least width of the note in pixels."""
CONTOUR_HELP = (
    "Where ellipses are drawn.\n"
    "1σ and 2σ: one and two standard deviations from the mean.\n"
    "χ²: the contour of the two dimensions shown that holds the share 1 − β of a component "
    "(d² = χ² quantile with 2 degrees of freedom).\n"
    "The engine itself decides with all dimensions."
)
PICTURES = (
    ("exportPng", "Save as PNG…", "png"),
    ("exportSvg", "Save as SVG…", "svg"),
    ("copyPicture", "Copy", "copy"),
)
"""Object name, text, and the picture requested."""
COLOUR_HELP = (
    "Colour points here and bars on the Data page.\n"
    "component: the one with the largest posterior under the mixture shown; ellipses then have the same colours.\n"
    "A column: labels have colours and shapes, numbers and dates a scale from dark blue (low) to yellow (high)."
)
SELECT_HELP = (
    "Select rows: draw a rectangle around their points, here or on the plot with Shift held.\n"
    "While this is on, keys say what happens to the selection: Shift or Ctrl add, Alt removes, both intersect; without "
    "them the choice in the menu counts."
)
DENSITY_HELP = "Show the log density of the mixture, from dark blue (low) to yellow (high)"


class MixtureTools(QWidget):
    """All options of the picture, in as many rows as needed.

    Parameters
    ----------
    is_brief
        Offers the plane, the contour and the fit alone.
    """

    plane_changed = Signal(object)
    matrix_toggled = Signal(bool)
    """Whether a scatter matrix is wanted in place of the plane."""
    colour_chosen = Signal(object)
    """A `Colour`."""
    contour_changed = Signal()
    density_toggled = Signal(bool)
    trail_changed = Signal(int)
    fit_wanted = Signal()
    picture_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None, is_brief: bool = False) -> None:
        super().__init__(parent)
        self._plane, self._is_brief = Plane(), is_brief
        self.is_matrix = False
        """Whether a scatter matrix is chosen."""
        self._kept: dict[str, Plane] = {}
        """Planes that were kept, by their names."""
        self._offered: tuple[tuple[str, ...], bool] = ((), False)
        """Names of columns, and whether some are targets."""
        self.x_column, self.y_column = _columns("xColumn", "horizontal axis"), _columns("yColumn", "vertical axis")
        self.best = BestPlanes()
        self.colour = ColourBox("streamColour", COLOUR_HELP)
        self.kind = _choice("planeBox", "plane", PLANE_HELP + ("" if is_brief else MORE_PLANES_HELP))
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._offer_planes()
        self.contour = _choice("contourBox", "contour", CONTOUR_HELP)
        for text, contour in CONTOURS:
            self.contour.addItem(text, contour)
        self.contour.setCurrentIndex(self.contour.findData("two"))
        self.trail = _choice("trailBox", "points shown", "How many of the latest samples are drawn as points")
        for count in TRAILS:
            self.trail.addItem(_trail_text(count), count)
        self.trail.setCurrentIndex(self.trail.findData(1_000))
        self.density = named(QToolButton(), "densityButton", tip=DENSITY_HELP)
        self.density.setText("Density")
        self.density.setCheckable(True)
        self.fit = _button("fitButton", "Fit", "Fit the view to the data and keep following it (0)")
        self.select = SelectionButton("selectButton", SELECT_HELP, without=("plot",), is_tool=True)
        self.export = named(QToolButton(), "pictureButton", "Save or copy this picture", "Save or copy this picture")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        open_by(self.export, self._export_menu())
        self.note = named(Label(wordWrap=True), "pictureNote", manner="small")
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.note.setSizePolicy(
            QSizePolicy.Policy.Expanding if is_brief else QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred
        )
        self.note.setMinimumWidth(NOTE)
        self._lay_out()
        self._connect()

    @property
    def plane(self) -> Plane:
        """The chosen plane."""
        return self._plane

    @property
    def n_points(self) -> int:
        """Number of points to show; 0 for all."""
        return int(self.trail.currentData())

    def show_all_points(self) -> None:
        """Draw all points that are kept."""
        self.trail.setCurrentIndex(self.trail.findData(0))

    def set_columns(self, names: Sequence[str], has_targets: bool = False) -> None:
        """Offer these columns and the principal planes; the choice is kept where the columns are the same."""
        if self._offered == (tuple(names), has_targets):
            return
        self._offered = (tuple(names), has_targets)
        self._kept = {}
        self._offer_planes()
        for box in (self.x_column, self.y_column):
            box.blockSignals(True)
            box.clear()
            box.addItems([one_line(name) for name in names])
            make_searchable(box, len(names) > SEARCHED)
            box.blockSignals(False)
        self.set_plane(Plane("columns", 0, min(1, max(0, len(names) - 1))))

    def set_plane(self, plane: Plane) -> None:
        """Show a choice without emitting a signal."""
        self._plane = plane
        if plane.kind == "kept" and plane.name not in self._kept:
            self._kept[plane.name] = plane
            self._offer_planes()
        kind = self.kind.findText(plane.name) if plane.kind == "kept" else self.kind.findData(plane.kind)
        kind = self.kind.findData(MATRIX) if self.is_matrix else kind
        for box, index in ((self.x_column, plane.x), (self.y_column, plane.y), (self.kind, kind)):
            box.blockSignals(True)
            box.setCurrentIndex(index)
            box.blockSignals(False)
        for box in (self.x_column, self.y_column):
            box.setEnabled(plane.kind == "columns" and not self.is_matrix)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.export.setIcon(icon("picture", theme.text, theme.faint))
        self.select.setIcon(icon("select", theme.text, theme.faint))
        self.best.set_theme(theme)

    def set_note(self, text: str) -> None:
        """Show remarks on the picture."""
        if text != self.note.text():
            self.note.setText(text)
            self.note.setToolTip(plain_tip(text))
            self.note.setVisible(bool(text))

    def _lay_out(self) -> None:
        colour = side_by_side([label_for("colour", self.colour), self.colour])
        row = Flow(self)
        row.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        for part in (
            side_by_side([label_for("x", self.x_column), self.x_column]),
            side_by_side([label_for("y", self.y_column), self.y_column]),
            *(self.best, colour),
            *(self.kind, self.contour, self.trail, self.density, self.fit),
            *(self.select, self.export),
            *([self.note] if self._is_brief else []),
        ):
            row.addWidget(part)
        for tool in (self.best, colour, self.trail, self.density, self.select, self.export):
            tool.setVisible(not self._is_brief)

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        for name, text, kind in PICTURES:
            action = menu.addAction(text)
            action.setObjectName(name)
            action.triggered.connect(lambda _=False, kind=kind: self.picture_requested.emit(kind))
        return menu

    def _connect(self) -> None:
        self.x_column.currentIndexChanged.connect(lambda index: self._choose_column("x", index))
        self.y_column.currentIndexChanged.connect(lambda index: self._choose_column("y", index))
        self.kind.currentIndexChanged.connect(lambda _: self._choose_kind())
        self.best.plane_chosen.connect(self.choose)
        self.colour.colour_chosen.connect(self.colour_chosen)
        self.contour.currentIndexChanged.connect(lambda _: self.contour_changed.emit())
        self.trail.currentIndexChanged.connect(lambda _: self.trail_changed.emit(self.n_points))
        self.density.toggled.connect(self.density_toggled)
        self.fit.clicked.connect(self.fit_wanted)

    def keep(self, loadings: Floats) -> None:
        """Add a plane of the tour to the choice, under a name, and choose it."""
        name = f"plane {len(self._kept) + 1}"
        self.choose(Plane("kept", *self._pair, name, tuple((float(x), float(y)) for x, y in loadings)))

    def _choose_kind(self) -> None:
        if self.kind.currentData() == MATRIX:
            self.set_matrix(True)
            return
        kind: PlaneKind = self.kind.currentData()
        kept = self._kept.get(self.kind.currentText()) if kind == "kept" else None
        x, y = self._pair
        self.choose(Plane(kind, x, y) if kept is None else replace(kept, x=x, y=y))

    def set_matrix(self, is_matrix: bool) -> None:
        """Choose a scatter matrix, or the plane again."""
        if is_matrix != self.is_matrix and (not is_matrix or self.kind.findData(MATRIX) >= 0):
            self.is_matrix = is_matrix
            self.set_plane(self._plane)
            self.matrix_toggled.emit(is_matrix)

    def _offer_planes(self) -> None:
        names, has_targets = self._offered
        self.kind.blockSignals(True)
        self.kind.clear()
        for text, kind in PLANES_BESIDE_TARGETS if has_targets else PLANES:
            self.kind.addItem(text, kind)
        if not self._is_brief and len(names) >= FEWEST_TOURED:
            self.kind.addItem(TOUR, "tour")
            self.kind.addItem(MATRIX, MATRIX)
        for name in self._kept:
            self.kind.addItem(name, "kept")
        self.kind.blockSignals(False)

    @property
    def _pair(self) -> tuple[int, int]:
        return self._plane.x, self._plane.y

    def _choose_column(self, axis: str, index: int) -> None:
        if index < 0:
            return
        x, y = self._pair
        # A column against itself shows nothing: the two are swapped.
        pair = (index, x if index == y else y) if axis == "x" else (y if index == x else x, index)
        self.choose(Plane("columns", *pair))

    def choose(self, plane: Plane) -> None:
        """Draw on this plane, in place of a scatter matrix as well."""
        self.set_matrix(False)
        self.set_plane(plane)
        self.plane_changed.emit(plane)


def _columns(name: str, spoken: str) -> NameBox:
    box = NameBox(name, spoken, f"The column on the {spoken}")
    box.setMaxVisibleItems(SEARCHED)
    return box


def make_searchable(box: QComboBox, searchable: bool) -> None:
    """Let names be typed, or not."""
    box.setEditable(searchable)
    if not searchable:
        return
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    completer = QCompleter(box.model(), box)
    completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    box.setCompleter(completer)
    # Text that is not a column must not stay in the field.
    edit = box.lineEdit()
    assert edit is not None
    edit.editingFinished.connect(lambda: box.setEditText(box.itemText(box.currentIndex())))
    # Show the beginning of a name that is longer than the field.
    edit.textChanged.connect(lambda: None if edit.isModified() else edit.setCursorPosition(0))
    edit.editingFinished.connect(lambda: edit.setCursorPosition(0))


def _trail_text(count: int) -> str:
    thousands, rest = divmod(count, 100_000)
    return "all kept" if not count else f"last {100 * thousands}k" if not rest else f"last {count:,}"


def _choice(name: str, spoken: str, tip: str) -> QComboBox:
    return named(QComboBox(), name, spoken, tip)


def _button(name: str, text: str, tip: str) -> QToolButton:
    button = named(QToolButton(), name, tip=tip)
    button.setText(text)
    return button
