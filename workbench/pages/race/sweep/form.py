"""What is chosen for a sweep: dimensions, rows, repeats, engines; what is wrong is said beneath."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from workbench.evaluate.sweep.settings import GRIDS, REPEATS, ROWS, SweepSettings, typed_dims
from workbench.source.errors import SourceError
from workbench.views.fields.calm_box import CalmBox
from workbench.views.fields.slider_box import SliderBox
from workbench.views.look.naming import Label, chain, named, set_property
from workbench.views.look.theme import GRID, Theme
from workbench.words.names import SOLVER_NAMES

OWN = "own"
TOP = Qt.AlignmentFlag.AlignTop
"""Fields differ in height by a pixel or two; their names stand in one line."""
ONE_LINE = 900
"""Pixels in which all choices fit side by side."""
TIPS = {
    "dims": "The values of D to measure, from 2 to 3072, such as 16, 64, 256",
    "grid": "Preset lists of dimensions; or type your own beside",
    "solver": "How the cubic engine computes distances and determinants: by a Cholesky factor, which is the faster, "
    "or by inverting the matrix, as the paper describes it",
    "mature": "Also time Fast IGMN once its precision matrices are dense and a row costs D². Before, it costs less.",
    "literal": "Also time the algorithm as the paper prints it, step by step in NumPy",
}


class SweepForm(QWidget):
    """One line of choices; `settings` is what they come to."""

    changed = Signal()
    """Another choice, right or wrong."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = ""
        self._settings = SweepSettings()
        self._make_parts()
        self._lay_out()
        self._connect()
        self.set_settings(self._settings)

    @property
    def settings(self) -> SweepSettings | None:
        """What is chosen; None while something is wrong."""
        return None if self.problem else self._settings

    @property
    def problem(self) -> str:
        """What is wrong; empty where nothing is."""
        return self._problem or self.rows.problem() or self.repeats.problem()

    def commit(self) -> None:
        """Take what was typed last."""
        for box in (self.rows, self.repeats):
            box.commit()

    def set_settings(self, settings: SweepSettings) -> None:
        """Show choices that were made elsewhere."""
        with QSignalBlocker(self):
            self._write_dims(settings.dims)
            self.rows.set_value(settings.n_rows)
            self.repeats.set_value(settings.repeats)
            self.solver.setCurrentIndex(self.solver.findData(settings.solver))
            self.mature.setChecked(settings.with_mature)
            self.literal.setChecked(settings.with_literal)
        self._judge()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.rows.set_theme(theme)
        self.repeats.set_theme(theme)

    def _make_parts(self) -> None:
        self.grid = named(CalmBox(), "sweepGrid", "dimensions to choose from", TIPS["grid"])
        for name, dims in GRIDS.items():
            self.grid.addItem(f"{name}: {dims[0]} … {dims[-1]}", name)
        self.grid.addItem("own list", OWN)
        self.grid.setMinimumContentsLength(13)
        self.dims = named(QLineEdit(), "sweepDims", "dimensions", TIPS["dims"])
        self.rows = SliderBox(ROWS, with_slider=False, name="sweepRows")
        self.repeats = SliderBox(REPEATS, with_slider=False, name="sweepRepeats")
        self.solver = named(CalmBox(), "sweepSolver", "cubic engine", TIPS["solver"])
        for solver, words in SOLVER_NAMES.items():
            self.solver.addItem(words, solver)
        self.mature = named(QCheckBox("Fast IGMN, mature"), "sweepMature", tip=TIPS["mature"])
        self.literal = named(QCheckBox("as printed"), "sweepLiteral", "Fast IGMN as printed", TIPS["literal"])
        self.problem_label = named(Label(wordWrap=True), "sweepProblem", manner="error")
        self.problem_label.hide()

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: what the two lines need, so that one line does not keep the window from shrinking."""
        widths = (sum(widget.minimumSizeHint().width() + GRID for widget in line) for line in (self._what, self._who))
        return QSize(max(widths) + 4 * GRID, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self._arrange()

    def _lay_out(self) -> None:
        also = QWidget()
        boxes = QHBoxLayout(also)
        boxes.setContentsMargins(0, 0, 0, 0)
        boxes.setSpacing(2 * GRID)
        boxes.addWidget(self.mature)
        boxes.addWidget(self.literal)
        also.setFixedHeight(self.grid.sizeHint().height())  # as high as the fields, whose names stand beside its own
        for box, width in ((self.rows, 104), (self.repeats, 80)):
            box.setFixedWidth(width)
        self._what = [
            _titled("dimensions D", self.grid), _titled("", self.dims), _titled("rows", self.rows),
            _titled("repeats", self.repeats),
        ]  # fmt: skip
        self._who = [_titled("IGMN by", self.solver), _titled("also", also)]
        self._upper, self._lower = QHBoxLayout(), QHBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID, 2 * GRID, 0)
        layout.setSpacing(2)
        for line in (self._upper, self._lower):
            line.setSpacing(GRID)
            layout.addLayout(line)
        for problem in (self.problem_label, self.rows.problem_label, self.repeats.problem_label):
            layout.addWidget(problem)
        self._is_wide: bool | None = None
        self._arrange()
        numbers = (*self.rows.stops(), *self.repeats.stops())
        chain(self.grid, self.dims, *numbers, self.solver, self.mature, self.literal)

    def _arrange(self) -> None:
        """All in one line where there is room; otherwise the engines go below what they learn."""
        wide = self.width() >= ONE_LINE
        if wide == self._is_wide:
            return
        self._is_wide = wide
        for line in (self._upper, self._lower):
            while line.count():
                line.takeAt(0)
        for widget in self._what:
            self._upper.addWidget(widget, int(widget is self._what[1]), TOP)
        for widget in self._who:
            (self._upper if wide else self._lower).addWidget(widget, 0, TOP)
        if not wide:
            self._lower.addStretch(1)

    def _connect(self) -> None:
        self.grid.activated.connect(self._take_grid)
        self.dims.textChanged.connect(lambda _: self._judge())
        self.solver.currentIndexChanged.connect(lambda _: self._judge())
        for box in (self.mature, self.literal):
            box.toggled.connect(lambda _: self._judge())
        for number in (self.rows, self.repeats):
            number.value_changed.connect(lambda _: self._judge())
            number.problem_changed.connect(lambda _: self.changed.emit())

    def _take_grid(self) -> None:
        name = self.grid.currentData()
        if name == OWN:
            self.dims.setFocus()
            self.dims.selectAll()
        else:
            self._write_dims(GRIDS[name])

    def _write_dims(self, dims: tuple[int, ...]) -> None:
        self.dims.setText(", ".join(map(str, dims)))
        self.dims.setCursorPosition(0)  # a list too long for the field is read from its beginning

    def _judge(self) -> None:
        """Take over the choices, or say what is wrong with the dimensions; numbers say it themselves."""
        try:
            self._settings = SweepSettings(
                dims=typed_dims(self.dims.text()),
                n_rows=int(self.rows.value()),
                repeats=int(self.repeats.value()),
                solver=self.solver.currentData(),
                with_mature=self.mature.isChecked(),
                with_literal=self.literal.isChecked(),
            )
            self._problem = ""
        except SourceError as error:
            self._problem = str(error).removeprefix("Sweep: ")
        self._show_problem()
        self._show_grid()
        self.changed.emit()

    def _show_problem(self) -> None:
        self.problem_label.setText(self._problem)
        self.problem_label.setVisible(bool(self._problem))
        set_property(self.dims, "wrong", bool(self._problem))

    def _show_grid(self) -> None:
        """Name the grid that is typed, where it has a name."""
        known = {dims: name for name, dims in GRIDS.items()}
        name = OWN if self._problem else known.get(self._settings.dims, OWN)
        self.grid.setCurrentIndex(self.grid.findData(name))


def _titled(words: str, field: QWidget) -> QWidget:
    """A field with its name above it."""
    found, label = QWidget(), Label(words)
    label.setProperty("manner", "small")
    label.setBuddy(field)
    layout = QVBoxLayout(found)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2)
    layout.addWidget(label)
    layout.addWidget(field)
    return found
