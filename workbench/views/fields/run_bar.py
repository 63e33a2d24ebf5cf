"""The bar that drives a run: play, pause, step, speed, and how far it is."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QLayout,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.views.fields.number_scale import number_in
from workbench.views.fields.speed_box import SpeedBox
from workbench.views.look.flow import Flow
from workbench.views.look.icons import icon
from workbench.views.look.layouts import label_for, side_by_side
from workbench.views.look.naming import Label, chain, named, set_property
from workbench.views.look.still import Still
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.words.durations import time_left
from workbench.words.sentences import UserError

SHORTCUTS = {"play": "F5", "step": "F6", "restart": "Ctrl+F5", "stop": "Shift+F5"}
"""Shortcuts named in the tooltips; the window binds them."""
ONE_ROW = 1440
"""Width from which the bar has one row."""
ONE_ROW_WITHOUT_PAUSES = 1120
LOW = 560
"""Height of a page below which its bar shows only play, pause and progress."""
LARGEST = 2**31 - 1
"""Largest sample number: Qt signals carry 32-bit integers."""
STEPS = 1000
"""Steps of the progress bar."""


class RunBar(QWidget):
    """Emits the user's commands to a run and shows its progress.

    Parameters
    ----------
    with_pauses
        Whether it offers to pause at births and removals.
    """

    play_requested = Signal()
    """The button for play and pause was pressed; the state of the run decides which of both is meant."""
    step_requested = Signal()
    run_to_requested = Signal(int)
    """Pause after this many samples of the stream."""
    restart_requested = Signal()
    stop_requested = Signal()
    speed_changed = Signal(object)
    """Samples per second; None for no limit."""
    unlimited_toggled = Signal()
    pause_on_changed = Signal(bool, bool)
    """Pause at the next birth; pause at the next removal."""

    def __init__(self, parent: QWidget | None = None, with_pauses: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName("runBar")
        self.setProperty("manner", "bar")
        self._with_pauses = with_pauses
        self._state: str | None = None
        self._n_done = 0
        self._n_total: int | None = None
        self._blocked, self._theme = "", LIGHT
        self._make_buttons()
        self.speed_box = SpeedBox(self)
        self.speed_slider = self.speed_box.slider
        self._make_progress()
        self._lay_out()
        self._connect()
        self.show_state(None, 0, None, None)
        self.set_theme(LIGHT)

    def show_state(self, state: str | None, n_done: int, n_total: int | None, seconds_left: float | None) -> None:
        """Show the progress of a run; `state` as in a frame, None where there is no run."""
        changed, self._state = state != self._state, state
        self._n_done, self._n_total = n_done, n_total
        self._show_progress(seconds_left)
        if changed:
            self._say_run_to("")
            self._show_buttons()

    def set_start_blocked(self, reason: str) -> None:
        """Disable the start and show why; an empty reason enables it."""
        self._blocked = reason
        self.blocked_label.setText(reason)
        self.blocked_label.setVisible(bool(reason))
        self._show_buttons()

    def speed(self) -> float | None:
        """Samples per second; None for no limit."""
        return self.speed_box.speed()

    def set_speed(self, speed: float | None) -> None:
        """Show a speed without emitting a signal."""
        self.speed_box.set_speed(speed)

    def set_pause_on(self, birth: bool, removal: bool) -> None:
        """Show at what events the run will pause, without emitting a signal."""
        with QSignalBlocker(self.birth_box), QSignalBlocker(self.removal_box):
            self.birth_box.setChecked(birth)
            self.removal_box.setChecked(removal)

    def set_brief(self, brief: bool) -> None:
        """Hide everything but play, pause and progress behind a button, to save height in a low window."""
        self.more_button.setVisible(brief)
        self.second_row.setVisible(not brief or self.more_button.isChecked())
        self._left_room.setVisible(not brief)

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the theme's colours."""
        self._theme = theme
        for button, name in self._icons.items():
            button.setIcon(self._icon(name))
        self.speed_box.set_theme(theme)
        self._show_buttons()

    def minimumSizeHint(self) -> QSize:
        """Called by Qt: the width of two rows, so that the bar can become narrow."""
        hint = super().minimumSizeHint()
        widest = max(row.minimumSizeHint().width() for row in (self.first_row, self.second_row))
        return QSize(widest + 4 * GRID, hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Called by Qt."""
        super().resizeEvent(event)
        wide = event.size().width() >= (ONE_ROW if self._with_pauses else ONE_ROW_WITHOUT_PAUSES)
        self.rows.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self.rows.setSpacing(3 * GRID if wide else GRID)
        # In both layouts the error stands under the number's field.
        self.run_to_problem.setAlignment(Qt.AlignmentFlag.AlignRight if wide else Qt.AlignmentFlag.AlignLeft)

    def _make_buttons(self) -> None:
        self.play_button = self._button("play", "Start")
        self.step_button = self._button("step", "Learn one sample, then pause")
        self.restart_button = self._button("restart", "Restart from the first sample")
        self.stop_button = self._button("stop", "End the run; what it learned stays")
        self.run_to_button = self._button("run to", "Run to the sample of this number, then pause")
        self.more_button = self._button("more", "Run to a sample, pause at births and removals")
        self.more_button.setCheckable(True)
        self.more_button.hide()
        self._icons = {
            self.more_button: "more",
            self.step_button: "step",
            self.restart_button: "restart",
            self.stop_button: "stop",
            self.run_to_button: "run-to",
        }
        self.run_to_box = named(QLineEdit(self), "runToBox", "Sample number to run to")
        self.run_to_box.setPlaceholderText("number")
        self.run_to_box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.run_to_box.setFixedWidth(self.fontMetrics().horizontalAdvance("10,000,000") + 3 * GRID)
        self.run_to_problem = self._error_label("runToProblem")
        self.blocked_label = self._error_label("startBlocked")
        self.birth_box = named(QCheckBox("pause at birth", self), "pauseAtBirth")
        self.birth_box.setToolTip("Pause as soon as the next component is born")
        self.removal_box = named(QCheckBox("pause at removal", self), "pauseAtRemoval")
        self.removal_box.setToolTip("Pause as soon as the next component is removed, or merged with another")
        for box in (self.birth_box, self.removal_box):
            box.setVisible(self._with_pauses)

    def _button(self, name: str, words: str) -> QToolButton:
        first, *others = name.split()
        button = named(QToolButton(self), f"{first}{''.join(others).capitalize()}Button", words)
        button.setToolTip(f"{words} ({SHORTCUTS[name]})" if name in SHORTCUTS else words)
        button.setIconSize(QSize(18, 18))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return button

    def _error_label(self, name: str) -> Label:
        label = named(Label(self), name)
        label.setProperty("manner", "error")
        label.setWordWrap(True)
        label.hide()
        return label

    def _make_progress(self) -> None:
        self.sample_label = named(Label(self), "sampleLabel")
        self.progress = named(QProgressBar(self), "runProgress", "Share of the samples that are learned")
        self.progress.setRange(0, STEPS)
        self.progress.setTextVisible(False)
        self.progress.setMinimumWidth(10 * GRID)
        kept = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        kept.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(kept)
        self.left_label = named(Label(self), "timeLeft")
        self.left_label.setProperty("manner", "muted")
        self.left_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # Both change with every frame.
        self._sample_room = Still(self.sample_label, width=self._width("sample 10,000,000"))
        self._left_room = Still(self.left_label, width=self._width("0:00:00 left"))

    def _lay_out(self) -> None:
        self.first_row, self.second_row = QWidget(self), QWidget(self)
        first, second = Flow(self.first_row), Flow(self.second_row, 2 * GRID)
        for row in (first, second):
            row.setContentsMargins(0, 0, 0, 0)
        self._fill_first(first)
        self._fill_second(second)
        self.rows = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self.rows.addWidget(self.first_row, 1)
        self.rows.addWidget(self.second_row)
        column = QVBoxLayout(self)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        column.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        column.setSpacing(GRID // 2)
        column.addLayout(self.rows)
        column.addWidget(self.run_to_problem)
        column.addWidget(self.blocked_label)
        chain(self.restart_button, self.play_button, self.step_button, self.stop_button, self.speed_slider)
        chain(self.speed_slider, self.speed_box.unlimited)
        chain(self.speed_box.unlimited, self.run_to_box, self.run_to_button, self.birth_box, self.removal_box)

    def _fill_first(self, row: Flow) -> None:
        buttons = (self.restart_button, self.play_button, self.step_button, self.stop_button, self.more_button)
        for part in (side_by_side(buttons), self.speed_box, self._sample_room, self.progress, self._left_room):
            row.addWidget(part)

    def _fill_second(self, row: Flow) -> None:
        title = label_for("run to sample", self.run_to_box)
        run_to = side_by_side([title, self.run_to_box, self.run_to_button])
        run_to.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        for part in (run_to, self.birth_box, self.removal_box):
            row.addWidget(part)

    def _connect(self) -> None:
        self.play_button.clicked.connect(self.play_requested)
        self.step_button.clicked.connect(self.step_requested)
        self.restart_button.clicked.connect(self.restart_requested)
        self.stop_button.clicked.connect(self.stop_requested)
        self.more_button.toggled.connect(self.second_row.setVisible)
        self.run_to_button.clicked.connect(self.run_to)
        self.run_to_box.returnPressed.connect(self.run_to)
        self.run_to_box.textEdited.connect(lambda: self._say_run_to(""))
        self.speed_box.speed_changed.connect(self.speed_changed)
        self.speed_box.unlimited_toggled.connect(self.unlimited_toggled)
        for box in (self.birth_box, self.removal_box):
            box.toggled.connect(
                lambda: self.pause_on_changed.emit(self.birth_box.isChecked(), self.removal_box.isChecked())
            )

    def run_to(self) -> None:
        """Request a run to the sample in the field, or show why that is impossible."""
        if not self.run_to_button.isEnabled():
            return
        number = number_in(self.run_to_box.text())
        problem = self._run_to_problem(number)
        self._say_run_to(str(problem or ""))
        if problem is not None:
            self.run_to_box.setFocus()
        else:
            self.run_to_requested.emit(int(number))

    def _run_to_problem(self, number: float | str) -> UserError | None:
        if not isinstance(number, int) or not 1 <= number <= LARGEST:
            text = self.run_to_box.text()
            return UserError("{value!r} is not the number of a sample: give a whole number from 1 on.", value=text)
        if self._n_total is not None and number > self._n_total:
            return UserError(
                "There is no sample {number:,}: the stream has {n_total:,}. Give a smaller number.",
                number=number,
                n_total=self._n_total,
            )
        if self._state in ("running", "paused") and number <= self._n_done:
            return UserError(
                "Sample {number:,} is learned; the run is at {n_done:,}. Give a larger number, or restart.",
                number=number,
                n_done=self._n_done,
            )
        return None

    def _say_run_to(self, problem: str) -> None:
        if problem == self.run_to_problem.text():
            return
        self.run_to_problem.setText(problem)
        self.run_to_problem.setVisible(bool(problem))
        set_property(self.run_to_box, "wrong", bool(problem))

    def _show_buttons(self) -> None:
        running, begun = self._state == "running", self._state in ("running", "paused")
        words = "Pause" if running else "Go on" if begun else "Start"
        self.play_button.setIcon(self._icon("pause" if running else "play"))
        self.play_button.setToolTip(f"{words} ({SHORTCUTS['play']})")
        self.play_button.setAccessibleName(words)
        # An active run can be paused and stopped even while the form is invalid.
        self.play_button.setEnabled(running or not self._blocked)
        for button in (self.step_button, self.run_to_button, self.restart_button):
            button.setEnabled(not self._blocked)
        self.stop_button.setEnabled(begun)

    def _show_progress(self, seconds_left: float | None) -> None:
        total = self._n_total
        self.sample_label.setText(f"sample {self._n_done:,}" + (f" / {total:,}" if total is not None else ""))
        # Room for the longest number, so that nothing moves while it counts.
        longest = f"sample {total:,} / {total:,}" if total is not None else "sample 10,000,000"
        self._sample_room.set_width(self._width(longest))
        self.progress.setVisible(total is not None)
        self.progress.setValue(round(STEPS * self._n_done / total) if total else 0)
        self.left_label.setText(self._left(seconds_left))

    def _left(self, seconds: float | None) -> str:
        if self._state not in (None, "running", "paused"):
            return str(self._state)
        return "endless" if self._n_total is None and self._state is not None else time_left(seconds)

    def _icon(self, name: str) -> QIcon:
        return icon(name, self._theme.text, self._theme.faint)

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + GRID // 2
