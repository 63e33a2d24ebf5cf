"""Settings of a race: data or synthetic Gaussian, the cubic engine's solver, and whether engines wait or take turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from workbench.run.race.settings import (
    DIMENSIONS,
    MODE_NAMES,
    ROWS,
    SOURCE_NAMES,
    TURN_NAMES,
    RaceSettings,
)
from workbench.views.fields.calm_box import ChoiceBox
from workbench.views.fields.slider_box import SliderBox
from workbench.views.look.layouts import label_for, side_by_side
from workbench.views.look.naming import named, plain_tip
from workbench.views.look.theme import GRID, Theme
from workbench.words.names import SOLVER_NAMES

ONE_LINE = 1460
"""Width in pixels from which all fields fit side by side."""
SHORT, LONG = 20, 36
"""Characters of the source that are shown beside the numbers, and without them."""
SOURCE_HELP = "What both engines learn: samples of one Gaussian with D columns, or the data of the Data page"
SOLVER_HELP = (
    "How the cubic IGMN computes distances and determinants.\n"
    "Cholesky: one factorisation of every covariance per sample, D³/3 operations.\n"
    "inverse + determinant: as the paper timed it."
)
VALUES = {
    "paper": ("δ 1, β 0: one component", "As the paper timed both engines: only the dimensions count."),
    "form": ("all from the panel", "As set in the side panel, with as many components as that gives."),
}
MODES = {
    "clock": (MODE_NAMES["clock"], "Both have the same time: the slower engine falls behind."),
    "sample": (MODE_NAMES["sample"], "The faster engine waits until the other has learned the same samples."),
}
USUAL = {"generator": "paper", "data": "form"}
"""Default choice of `values` for each source."""
TURNS = {
    True: (TURN_NAMES[True], "One engine rests while the other, or the window, works: nothing disturbs the timing."),
    False: (TURN_NAMES[False], "Both work at once and share the machine's cores, caches and memory."),
}


class RaceTools(QWidget):
    """All settings of a race, in one line if they fit, otherwise in two."""

    changed = Signal(object)
    """The user chose other `RaceSettings`."""
    problem_changed = Signal(str)
    """What is wrong with a typed number; empty if nothing is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings, self._needs_rows = RaceSettings(), False
        self.source = _box("raceSource", "data of the race", SOURCE_HELP, SOURCE_NAMES)
        # Messages use the name beside the field.
        self.dimensions = SliderBox(replace(DIMENSIONS, name="D"), name="raceDimensions")
        self.rows = SliderBox(replace(ROWS, name="N"), with_slider=False, name="raceRows")
        self.solver = _box("raceSolver", "solver of the cubic engine", SOLVER_HELP, SOLVER_NAMES)
        self.values = _box("raceValues", "hyper-parameters of the race", *_explained(VALUES))
        self.mode = _box("raceMode", "who waits", *_explained(MODES))
        self.turns = _box("raceTurns", "whether engines work at the same time", *_explained(TURNS))
        self._lay_out()
        self._connect()
        self.set_dataset(None, needs_rows=False)
        self.set_settings(self._settings)

    def settings(self) -> RaceSettings:
        """The chosen settings, including typed numbers that are valid."""
        self.dimensions.commit()
        self.rows.commit()
        return self._settings

    def set_settings(self, settings: RaceSettings) -> None:
        """Show these settings without emitting a signal."""
        self._settings = settings
        self.dimensions.set_value(settings.n_features)
        self.rows.set_value(settings.n_rows)
        for box, value in self._choices(settings):
            with QSignalBlocker(box):
                box.setCurrentIndex(box.findData(value))
        self._show_needed()

    def set_dataset(self, title: str | None, needs_rows: bool) -> None:
        """Offer the dataset of the Data page, None if there is none; an endless one needs a number of rows."""
        self._needs_rows = needs_rows
        place = self.source.findData("data")
        text = f"{SOURCE_NAMES['data']}: {title or 'none yet'}"
        self.source.setItemText(place, text)
        model = self.source.model()
        assert isinstance(model, QStandardItemModel)
        model.item(place).setEnabled(title is not None)
        self.source.setToolTip(plain_tip(f"{SOURCE_HELP}{f' ({title})' if title else ''}"))
        self._show_needed()

    def problem(self) -> str:
        """What is wrong with a typed number that is in use; empty if nothing is."""
        boxes = [box for box in (self.dimensions, self.rows) if box.isEnabled()]
        return " ".join(found for found in (box.problem() for box in boxes) if found)

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        self.dimensions.set_theme(theme)
        self.rows.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        self._arrange()

    def _lay_out(self) -> None:
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        # The Tab key moves the focus to the slider first; by default Qt would skip it.
        self.dimensions.setFocusProxy(self.dimensions.slider)
        self.dimensions.slider.setMinimumWidth(14 * GRID)
        # Room for the largest number and the reset button, so that nothing moves when the button appears.
        self.rows.setFixedWidth(15 * GRID)
        self._numbers = {box: label_for(name, box) for box, name in ((self.dimensions, "D"), (self.rows, "N"))}
        what = [self.source, *(widget for box, label in self._numbers.items() for widget in (label, box))]
        how = [label_for("IGMN by", self.solver), self.solver, self.values, self.mode, self.turns]
        self._what, self._how = side_by_side(what), side_by_side(how)
        self._upper, self._lower = QHBoxLayout(), QHBoxLayout()
        lines = QVBoxLayout(self)
        lines.setContentsMargins(2 * GRID, GRID, 2 * GRID, 0)
        lines.setSpacing(GRID // 2)
        for row in (self._upper, self._lower):
            row.setSpacing(2 * GRID)
            lines.addLayout(row)
        for box in (self.dimensions, self.rows):
            # Errors go below both lines: there is no room for a sentence below a field.
            lines.addWidget(box.problem_label)
        self._is_wide: bool | None = None
        self._arrange()

    def _arrange(self) -> None:
        wide = self.width() >= ONE_LINE
        if wide == self._is_wide:
            return
        self._is_wide = wide
        for row in (self._upper, self._lower):
            while row.count():
                row.takeAt(0)
        lower = self._upper if wide else self._lower
        self._upper.addWidget(self._what)
        lower.addWidget(self._how)
        for row in (self._upper, self._lower):
            row.addStretch(1)

    def _connect(self) -> None:
        for slider in (self.dimensions, self.rows):
            slider.value_changed.connect(self._collect)
            slider.problem_changed.connect(lambda: self.problem_changed.emit(self.problem()))
        self.source.currentIndexChanged.connect(self._choose_values)
        for box, _ in self._choices(self._settings):
            box.currentIndexChanged.connect(self._collect)

    def _choose_values(self) -> None:
        """Preset the values: the paper's for synthetic rows (timing), the form's for data; the user may change it."""
        with QSignalBlocker(self.values):
            self.values.setCurrentIndex(self.values.findData(USUAL[self.source.currentData()]))

    def _choices(self, settings: RaceSettings) -> tuple[tuple[QComboBox, object], ...]:
        return (
            (self.source, settings.source),
            (self.solver, settings.solver),
            (self.values, settings.values),
            (self.mode, settings.mode),
            (self.turns, settings.takes_turns),
        )

    def _collect(self) -> None:
        """Collect the fields into `RaceSettings`, and emit them if they have changed."""
        found = RaceSettings(
            source=self.source.currentData(),
            n_features=int(self.dimensions.value()),
            n_rows=int(self.rows.value()),
            solver=self.solver.currentData(),
            values=self.values.currentData(),
            mode=self.mode.currentData(),
            takes_turns=self.turns.currentData(),
        )
        self._show_needed_of(found)
        if found != self._settings:
            self._settings = found
            self.changed.emit(found)

    def _show_needed(self) -> None:
        self._show_needed_of(self._settings)

    def _show_needed_of(self, settings: RaceSettings) -> None:
        """Show only fields that apply: data have their own columns, and most have a fixed number of rows."""
        is_made_up, before = settings.source == "generator", self.problem()
        self.dimensions.setEnabled(is_made_up)
        self.rows.setEnabled(is_made_up or self._needs_rows)
        # A dataset may have a long name, which gets the space of the hidden numbers.
        self.source.setMinimumContentsLength(SHORT if is_made_up else LONG)
        for box, label in self._numbers.items():
            for widget in (box, label):
                widget.setVisible(box.isEnabled())
            box.problem_label.setVisible(box.isEnabled() and bool(box.problem()))
        if self.problem() != before:
            self.problem_changed.emit(self.problem())


def _explained(choices: Mapping[Any, tuple[str, str]]) -> tuple[str, dict[Any, str]]:
    """A tooltip that explains all choices, and their names."""
    tip = "\n".join(f"{name}: {words}" for name, words in choices.values())
    return tip, {value: name for value, (name, _) in choices.items()}


def _box(name: str, spoken: str, tip: str, choices: Mapping[Any, str]) -> QComboBox:
    box = named(ChoiceBox(), name, spoken, tip)
    for value, text in choices.items():
        box.addItem(text, value)
    return box
