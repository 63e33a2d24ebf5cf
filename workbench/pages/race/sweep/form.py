"""Settings of a sweep: dimensions, rows, repeats, engines; errors are shown below."""

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
"""Fields differ in height by a pixel or two; their names are aligned at the top."""
ONE_LINE = 900
"""Width in pixels from which all fields fit side by side."""
TIPS = {
    "dims": "The values of D to measure, from 2 to 3072, such as 16, 64, 256",
    "grid": "Preset lists of dimensions; or type your own beside",
    "solver": "How the cubic engine computes distances and determinants: by a Cholesky factor, which is the faster, "
    "or by inverting the matrix, as the paper describes it",
    "mature": "Also time Fast IGMN once its precision matrices are dense and a row costs D². Before, it costs less.",
    "literal": "Also time the algorithm as the paper prints it, step by step in NumPy",
}


class SweepForm(QWidget):
    """One or two lines of fields; `settings` returns their values."""

    changed = Signal()
    """A field has changed, to a valid or an invalid value."""

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
        """The chosen settings; None while one is invalid."""
        return None if self.problem else self._settings

    @property
    def problem(self) -> str:
        """What is wrong; empty if nothing is."""
        return self._problem or self.rows.problem() or self.repeats.problem()

    def commit(self) -> None:
        """Commit pending edits."""
        for box in (self.rows, self.repeats):
            box.commit()

    def set_settings(self, settings: SweepSettings) -> None:
        """Show these settings."""
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
        """Called by Qt: the width of two lines, so that one long line does not keep the window from shrinking."""
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
        also.setFixedHeight(self.grid.sizeHint().height())  # as high as the fields, so that the names are aligned
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
        """All fields in one line if they fit; otherwise the engines go into a second line."""
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
        self.dims.setCursorPosition(0)  # show the beginning of a list that is too long for the field

    def _judge(self) -> None:
        """Apply the settings, or show what is wrong with the dimensions; number fields show their own errors."""
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
        """Select the name of the typed grid, if it has one."""
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
