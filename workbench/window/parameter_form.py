"""The form of a run's settings: hyper-parameters, scale and seed, with presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from figmn.params import CHOICES, LABEL_WIDTH, NEUTRAL, NUMBERS, Number, Parameters, is_automatic
from workbench.pages.page import FormState
from workbench.run.recipe.choices import SEED, Choices, ScaleSource
from workbench.run.recipe.presets import PRESETS
from workbench.source.generators.settings import Setting
from workbench.views.fields.calm_box import CalmBox
from workbench.views.fields.slider_box import SliderBox
from workbench.views.look.icons import icon
from workbench.views.look.naming import Label, camel_case, chain, named, plain_tip, set_property
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.window.carried_over import CarriedOver
from workbench.window.parameter_words import (
    DRIFT_LABEL,
    DRIFTS,
    LIVE_NOTE,
    SCALE_LABEL,
    SCALES,
    columns_hint,
    drift_tooltip,
    scale_tooltip,
    symbol_of,
    threshold_hint,
    tooltip,
)
from workbench.window.suggested import Suggested

CUSTOM = "custom"
BEYOND_HELP = "What the paper does not have. The presets named after the paper leave it out."
FIELD_HEIGHT = 28
STATES = {
    "none": ("", "", ""),
    "current": ("check", "good", "The run shown uses these values"),
    "stale": ("warning", "warning", "The run shown uses other values"),
    "live": ("info", "muted", LIVE_NOTE),
}


class ParameterForm(QWidget):
    """Edit `Choices`, with a field for each declaration in `figmn.params`."""

    changed = Signal(object)
    """New, valid `Choices`."""
    validity_changed = Signal(bool, str)
    """Whether all fields are valid; otherwise the problem in words."""
    restart_requested = Signal()
    kept = Signal()
    """The user keeps parameters that were carried over from other data."""
    suggestion_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parameterForm")
        self._choices, self._problem = Choices(), ""
        self._n_columns: int | None = None
        self._n_targets = 0
        self._fixed: Mapping[str, float] = {}
        self._carried_from = ""
        self._state: FormState = "none"
        self._state_tip = ""
        self._theme = LIGHT
        numbers: list[Number | Setting] = [*NUMBERS.values(), LABEL_WIDTH, SEED]
        self.boxes = {declared.name: _box(declared, self) for declared in numbers}
        self.fixed_labels: dict[str, Label] = {}
        self._make_combos()
        self._make_notes()
        self._lay_out()
        self._connect()
        self.set_choices(self._choices)
        self.set_state("none", "")
        self.set_theme(LIGHT)

    def choices(self) -> Choices:
        """The values in effect; for an invalid field, its latest valid value."""
        return self._choices

    def problem(self) -> str:
        """What is wrong, in words; empty if nothing is. Pending edits are not checked before `commit`."""
        return self._problem

    def commit(self) -> None:
        """Apply pending edits; call it before `problem` when starting a run."""
        for box in self.boxes.values():
            box.commit()

    def set_choices(self, choices: Choices) -> None:
        """Show choices without a signal."""
        self._choices = choices
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.set_value(self._part(name))
        for name, combo in self.combos.items():
            with QSignalBlocker(combo):
                combo.setCurrentText(getattr(choices.parameters, name))
        with QSignalBlocker(self.scale_box):
            self.scale_box.setCurrentIndex(self.scale_box.findData(choices.scale))
        with QSignalBlocker(self.drift_box):
            self.drift_box.setCurrentIndex(self.drift_box.findData(choices.drift))
        self._judge()
        self._show_derived()

    def reset(self) -> None:
        """Set the defaults, like the button."""
        self._choose(Choices())

    def take_suggestion(self, delta: float, reason: str) -> None:
        """Set δ to a suggested value, and show why."""
        self._choose(replace(self._choices, parameters=replace(self._choices.parameters, delta=delta)))
        self.suggested.show_reason(delta, reason)

    def set_threshold_hint(self, n_columns: int | None, n_targets: int = 0) -> None:
        """Show what β means for `n_columns` columns, `n_targets` of them of targets, and the automatic values for them.

        None hides it.
        """
        self._n_columns, self._n_targets = n_columns, n_targets
        self.suggested.set_enabled(n_columns is not None)
        for declared in filter(is_automatic, NUMBERS.values()):
            default, box = declared.default_for(n_columns or 2), self.boxes[declared.name]
            with QSignalBlocker(box):
                box.set_default(default)
            box.setToolTip(tooltip(declared, default))
        self._show_derived()

    def set_fixed(
        self, values: Mapping[str, float], note: str = "", is_used: bool = True, is_watched: bool = True
    ) -> None:
        """Show values that the current page sets itself, read-only; without `is_used`, only the note.

        Without `is_watched` drift detection is not offered.
        """
        self._fixed = values
        for name, label in self.fixed_labels.items():
            label.setVisible(name in values)
            label.setText(f"{NUMBERS[name].text(values[name])}, fixed" if name in values else "")
            self.boxes[name].setVisible(name not in values)
        self.suggested.setVisible("delta" not in values)
        self.drift_row.setVisible(is_watched)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.body.setVisible(is_used)
        self._show_carried_over()
        self._judge()
        self._show_derived()

    def show_carried_over(self, title: str) -> None:
        """Show that the values were chosen for the data of this title; an empty title hides the note."""
        self._carried_from = title
        self._show_carried_over()

    def set_state(self, state: FormState, text: str = "", tip: str = "") -> None:
        """Show whether the run shown was made with these values; `tip` has the full text."""
        self._state, self._state_tip = state, tip
        name, manner, usual = STATES[state]
        self.state_row.setVisible(state != "none")
        self.state_text.setText(text or usual)
        self.state_text.setToolTip(plain_tip(tip))
        set_property(self.state_text, "manner", manner)
        if name:
            colour = getattr(self._theme, manner)
            self.state_icon.setPixmap(icon(name, colour).pixmap(QSize(16, 16), self.devicePixelRatioF()))
        self.restart_button.setVisible(state == "stale")

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colours of a theme."""
        self._theme = theme
        for box in self.boxes.values():
            box.set_theme(theme)
        self.reset_button.setIcon(icon("reset", theme.text, theme.faint))
        self.carried_over.set_theme(theme)
        self.suggested.set_theme(theme)
        self.set_state(self._state, self.state_text.text(), self._state_tip)

    def _make_combos(self) -> None:
        self.preset_box, self.scale_box, self.drift_box = CalmBox(self), CalmBox(self), CalmBox(self)
        self.combos = {name: CalmBox(self) for name in CHOICES}
        for preset in PRESETS:
            self.preset_box.addItem(preset.name)
            self.preset_box.setItemData(self.preset_box.count() - 1, preset.help, Qt.ItemDataRole.ToolTipRole)
        self.preset_box.addItem(CUSTOM)
        model = self.preset_box.model()
        assert isinstance(model, QStandardItemModel)
        model.item(len(PRESETS)).setEnabled(False)
        for name, declared in CHOICES.items():
            self.combos[name].addItems(declared.choices)
            self.combos[name].setToolTip(tooltip(declared))
            named(self.combos[name], f"{camel_case(name)}Box", name)
        for source in get_args(ScaleSource):
            self.scale_box.addItem(SCALES[source][0], source)
        for is_on, (name, _) in DRIFTS.items():
            self.drift_box.addItem(name, is_on)
        self.preset_box.setToolTip("Sets of values for a purpose.")
        self.scale_box.setToolTip(scale_tooltip())
        self.drift_box.setToolTip(drift_tooltip())
        named(self.preset_box, "presetBox", "preset")
        named(self.scale_box, "scaleBox", SCALE_LABEL)
        named(self.drift_box, "driftBox", DRIFT_LABEL)

    def _make_notes(self) -> None:
        self.note = named(Label(self, wordWrap=True), "parameterNote", manner="small")
        self.note.hide()
        self.carried_over, self.suggested = CarriedOver(self), Suggested(self)
        self.heading = Label("PARAMETERS", self)
        self.heading.setProperty("manner", "heading")
        self.beyond_heading = named(Label("BEYOND THE PAPER", self), "beyondHeading", manner="heading")
        self.beyond_heading.setToolTip(BEYOND_HELP)
        self.hint = named(Label(self, wordWrap=True), "thresholdHint")
        self.hint.setProperty("manner", "small")
        self.reset_button = named(QPushButton("Reset all", self), "resetParameters")
        self.reset_button.setToolTip("Reset all parameters and the seed to their defaults")
        self.restart_button = named(QPushButton("Restart with these", self), "restartWithThese")
        self.restart_button.setProperty("manner", "main")
        self.restart_button.setToolTip("Restart the run with the values above")
        self.state_row = named(QWidget(self), "parameterState")
        self.state_icon = Label(self.state_row)
        self.state_text = named(Label(self.state_row, wordWrap=True), "parameterStateText")

    def _lay_out(self) -> None:
        numbers = [(symbol_of(declared), self.boxes[name]) for name, declared in NUMBERS.items() if name not in NEUTRAL]
        beyond = [(symbol_of(NUMBERS[name]), self.boxes[name]) for name in NEUTRAL]
        beyond.append((symbol_of(LABEL_WIDTH), self.boxes[LABEL_WIDTH.name]))
        combos = [(symbol_of(declared), self.combos[name]) for name, declared in CHOICES.items()]
        others = [*combos, (SCALE_LABEL, self.scale_box), (symbol_of(SEED), self.boxes[SEED.name])]
        state = QHBoxLayout(self.state_row)
        state.setContentsMargins(0, 0, 0, 0)
        state.addWidget(self.state_icon, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self.state_text, 1)
        self.body, self.drift_row = QWidget(self), QWidget(self)
        drift = self._rows([(DRIFT_LABEL, self.drift_box)])
        drift.setContentsMargins(0, 0, 0, 0)
        self.drift_row.setLayout(drift)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(GRID)
        for part in (self.heading, self.note, self.body):
            outer.addWidget(part)
        outer.addStretch(1)
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.carried_over)
        column.addLayout(self._rows([("preset", self.preset_box)]))
        column.addLayout(self._rows(numbers))
        column.addWidget(self.suggested)
        column.addLayout(self._rows(others))
        column.addWidget(self.hint)
        column.addSpacing(GRID // 2)
        column.addWidget(self.beyond_heading)
        column.addLayout(self._rows(beyond))
        column.addWidget(self.drift_row)
        column.addWidget(self.reset_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.state_row)
        column.addWidget(self.restart_button)
        column.addStretch(1)
        numbers_stops, beyond_stops = ([stop for _, box in part for stop in box.stops()] for part in (numbers, beyond))
        seed_stops = self.boxes[SEED.name].stops()
        chain(self.carried_over.reset_button, self.carried_over.keep_button, self.preset_box)
        combo_stops = (self.suggested.button, *self.combos.values(), self.scale_box)
        last = (*beyond_stops, self.drift_box, self.reset_button)
        chain(self.preset_box, *numbers_stops, *combo_stops, *seed_stops, *last)
        chain(self.reset_button, self.restart_button)

    def _rows(self, fields: Sequence[tuple[str, QWidget]]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID // 2)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(1, 1)
        for row, (text, field) in enumerate(fields):
            label = Label(text, self, textFormat=Qt.TextFormat.RichText)  # symbols with subscripts, no data texts
            label.setBuddy(field)
            label.setToolTip(field.toolTip())
            label.setMinimumHeight(FIELD_HEIGHT)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(field, row, 1)
            if isinstance(field, SliderBox):
                grid.addWidget(self._fixed_label(field), row, 1)
        # Fields with a slider are aligned over all groups, and so are those without.
        symbols = [declared.symbol for declared in NUMBERS.values()]
        names = symbols if isinstance(fields[0][1], SliderBox) else [SCALE_LABEL, DRIFT_LABEL]
        grid.setColumnMinimumWidth(0, max(map(self.fontMetrics().horizontalAdvance, names)) + 4)
        return grid

    def _fixed_label(self, box: SliderBox) -> Label:
        """The label in place of a box whose value the current page sets."""
        name = next(name for name, found in self.boxes.items() if found is box)
        label = self.fixed_labels[name] = named(Label(self), f"{name}Fixed", manner="muted")
        label.setMinimumHeight(FIELD_HEIGHT)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        label.hide()
        return label

    def _connect(self) -> None:
        for box in self.boxes.values():
            box.value_changed.connect(self._collect)
            box.problem_changed.connect(self._judge)
        for combo in (*self.combos.values(), self.scale_box, self.drift_box):
            combo.activated.connect(self._collect)
        self.preset_box.activated.connect(self._take_preset)
        self.reset_button.clicked.connect(self.reset)
        self.carried_over.reset_requested.connect(self.reset)
        self.carried_over.kept.connect(self.kept)
        self.restart_button.clicked.connect(self.restart_requested)
        self.suggested.requested.connect(self.suggestion_requested)

    def _take_preset(self, index: int) -> None:
        if index < len(PRESETS):
            usual = LABEL_WIDTH.default
            self._choose(replace(self._choices, parameters=PRESETS[index].parameters, label_width=usual))

    def _choose(self, choices: Choices) -> None:
        before = self._choices
        self.set_choices(choices)
        if choices != before:
            self.changed.emit(choices)

    def _collect(self) -> None:
        """Collect the fields into `Choices`, and emit them if they have changed."""
        values: dict[str, Any] = {name: box.chosen() for name, box in self.boxes.items()}
        values |= {name: combo.currentText() for name, combo in self.combos.items()}
        seed, label_width = int(values.pop(SEED.name)), values.pop(LABEL_WIDTH.name)
        scale, drift = self.scale_box.currentData(), self.drift_box.currentData()
        choices = Choices(Parameters(**values), scale, seed, drift, label_width)
        if choices != self._choices:
            self._choices = choices
            self._show_derived()
            self.changed.emit(choices)

    def _show_carried_over(self) -> None:
        """Show the notice, except beside fixed values, which were not carried over."""
        self.carried_over.show_title("" if self._fixed else self._carried_from)

    def _judge(self) -> None:
        used = [box for name, box in self.boxes.items() if name not in self._fixed]
        problem = " ".join(text for box in used if (text := box.problem()))
        if problem != self._problem:
            self._problem = problem
            self.restart_button.setEnabled(not problem)
            self._show_reset()
            self.validity_changed.emit(not problem, problem)

    def _show_derived(self) -> None:
        is_usual = self._choices.label_width == LABEL_WIDTH.default
        names = [preset.name for preset in PRESETS if is_usual and preset.parameters == self._choices.parameters]
        self.preset_box.setCurrentText(names[0] if names else CUSTOM)
        self._show_reset()
        self.suggested.see_delta(self._choices.parameters.delta)
        self.hint.setVisible(self._n_columns is not None)
        if self._n_columns is not None:
            threshold = threshold_hint(self._fixed.get("beta", self._choices.parameters.beta), self._n_columns)
            self.hint.setText("\n".join(filter(None, (threshold, columns_hint(self._n_columns, self._n_targets)))))

    def _part(self, name: str) -> float | None:
        """The value of a field; None if it is automatic."""
        if name in {SEED.name, LABEL_WIDTH.name}:
            chosen: float = getattr(self._choices, name)
            return chosen
        value: float | None = getattr(self._choices.parameters, name)
        return value

    def _show_reset(self) -> None:
        self.reset_button.setEnabled(self._choices != Choices() or bool(self._problem))


def _box(declared: Number | Setting, parent: QWidget) -> SliderBox:
    slider = declared is not SEED
    box = SliderBox(declared, parent, with_slider=slider, grouped=slider)
    box.setToolTip(tooltip(declared))
    return box
