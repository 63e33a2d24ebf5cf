"""The sweep over the dimensions: settings, start and cancel, live results, and exports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.evaluate.sweep.sweep import SweepResult, estimate_seconds
from workbench.evaluate.sweep.texts import export_text
from workbench.pages.race.sweep.form import SweepForm
from workbench.pages.race.sweep.plot import SweepPlot
from workbench.pages.race.sweep.table import SweepTable
from workbench.pages.race.sweep.words import progress_words
from workbench.views.look.naming import Label, chain, named, plain_tip, set_property
from workbench.views.look.pictures import Write
from workbench.views.look.still import Still
from workbench.views.look.theme import GRID, LIGHT, Theme
from workbench.views.look.throttle import Throttle
from workbench.words.durations import about
from workbench.words.sentences import UserError

INTERVAL = 100
"""Milliseconds between two updates of a partial result."""
PREPARING = "Preparing the engines…"
PLOT_HEIGHT = 36 * GRID
"""Pixels that the plot with its footnotes needs; the table scrolls."""
EXPORTS = {
    "csv": ("CSV", "Save every repeat, wall-clock and CPU time, as a CSV file"),
    "json": ("JSON", "Save everything, with the machine it was measured on, as a JSON file"),
    "latex": ("LaTeX", "Save the table for a LaTeX document"),
    "png": ("PNG", "Save the plot as a PNG file"),
    "svg": ("SVG", "Save the plot as an SVG file"),
    "copy": ("Copy", "Copy the plot to the clipboard"),
}


class SweepView(QWidget):
    """Form, plot and table. It measures nothing itself: it requests a sweep and shows the results."""

    start_requested = Signal(object)
    """The `SweepSettings`."""
    cancel_requested = Signal()
    export_requested = Signal(str)
    """csv, json, latex, png, svg or copy."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rate: float | None = None
        self._result: SweepResult | None = None
        self._is_running, self._before = False, PREPARING
        self.form, self.plot, self.table = SweepForm(), SweepPlot(), SweepTable()
        self._throttle = Throttle(self._show, INTERVAL, self)
        self._make_parts()
        self._lay_out()
        self._connect()
        self.set_theme(LIGHT)
        self._show_form()
        self._throttle.act_now()

    # What is shown

    @property
    def result(self) -> SweepResult | None:
        """The latest result."""
        return self._result

    def show_result(self, result: SweepResult | None) -> None:
        """Show a result, which may be partial; None for nothing."""
        self._result = result
        if result is not None and result.now:
            self._throttle.ask()
        else:
            self._throttle.act_now()

    def set_running(self, is_running: bool, words: str = "") -> None:
        """Show whether a sweep is running, and `words` until its first result; a new one clears the view."""
        if is_running and not self._is_running:
            self._result = None
        self._is_running, self._before = is_running, words or PREPARING
        self.form.setEnabled(not is_running)
        self._show_button("Cancel" if is_running else "Start sweep")
        self._show_form()
        self._throttle.act_now()

    def set_rate(self, rate: float) -> None:
        """Set the speed of the machine (`machine_rate`), for the estimated duration."""
        self._rate = rate
        self._show_form()

    def set_theme(self, theme: Theme) -> None:
        """Apply a theme."""
        for part in (self.form, self.plot, self.table):
            part.set_theme(theme)

    # Exports

    def export_text(self, kind: str) -> Callable[[], str]:
        """A function that returns the result as csv, json, latex or text, in any thread; ValueError without one."""
        if self._result is None:
            raise UserError("Nothing was measured yet: start a sweep first.")
        return partial(export_text, self._result, kind)

    def draw_picture(self, path: str | Path) -> Write:
        """Draw the plot as PNG or SVG, by the file's suffix, and return a function that writes it."""
        return self.plot.draw_picture(path)

    def copy_picture(self) -> None:
        """Copy the plot to the clipboard."""
        QApplication.clipboard().setImage(self.plot.picture())

    # Internal

    def _make_parts(self) -> None:
        self.button = named(QPushButton("Start sweep"), "sweepStart", manner="main")
        self.estimate = named(Label(), "sweepEstimate", manner="muted")
        self.progress = named(Label(), "sweepProgress")
        self._estimate_room = Still(self.estimate, width=self.fontMetrics().horizontalAdvance("about 55 min") + GRID)
        self.bar = named(QProgressBar(textVisible=False), "sweepBar", "timings done")
        kept = self.bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(kept)
        self.exports = {kind: _tool(kind, *words) for kind, words in EXPORTS.items()}

    def _lay_out(self) -> None:
        for label in (self.estimate, self.progress):
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout()
        line.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID // 2)
        line.setSpacing(GRID)
        line.addWidget(self.button)
        line.addWidget(self._estimate_room)
        line.addWidget(Still(self.progress), 1)
        for button in self.exports.values():
            line.addWidget(button)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.plot.setMinimumHeight(PLOT_HEIGHT // 2)
        self._below = QWidget()
        margins = QVBoxLayout(self._below)
        margins.setContentsMargins(GRID, 0, GRID, 0)
        margins.addWidget(self.table)
        self.splitter.addWidget(self.plot)
        self.splitter.addWidget(self._below)
        self.splitter.setStretchFactor(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.form)
        layout.addLayout(line)
        layout.addWidget(self.bar)
        layout.addWidget(self.splitter, 1)
        chain(self.form.literal, self.button, *self.exports.values(), self.plot, self.table)

    def _connect(self) -> None:
        self.form.changed.connect(self._show_form)
        self.button.clicked.connect(self._press)
        for kind, button in self.exports.items():
            button.clicked.connect(lambda _=False, kind=kind: self.export_requested.emit(kind))

    def _press(self) -> None:
        if self._is_running:
            self.cancel_requested.emit()
            return
        self.form.commit()
        settings = self.form.settings
        if settings is not None:
            self.start_requested.emit(settings)

    def _show_button(self, text: str) -> None:
        self.button.setText(text)
        self.button.setEnabled(True)
        set_property(self.button, "manner", "" if self._is_running else "main")

    def _show_form(self) -> None:
        """Show the estimated duration of the settings; an error disables the start."""
        settings = self.form.settings
        if settings is None or self._rate is None:
            self.estimate.clear()
        else:
            self.estimate.setText(about(estimate_seconds(settings, self._rate)))
        self._estimate_room.setVisible(not self._is_running)
        if not self._is_running:
            self.button.setEnabled(settings is not None)
            self.button.setToolTip(plain_tip(self.form.problem or "Time the engines in all these dimensions"))

    def _show(self) -> None:
        result = self._result
        before = self.table.figures.rowCount()
        self.plot.show_result(result)
        self.table.show_result(result)
        self._below.setVisible(result is not None)
        if before != self.table.figures.rowCount():
            self._make_room()
        words = self._before if self._is_running and result is None else progress_words(result, self._is_running)
        self.progress.setText(words)
        self.progress.setToolTip(plain_tip(words))  # the text may be elided
        self.bar.setMaximum(result.n_total if result else 1)
        self.bar.setValue(result.n_done if result else 0)
        self.bar.setVisible(self._is_running)
        for button in self.exports.values():
            button.setEnabled(result is not None and bool(result.measurements))

    def _make_room(self) -> None:
        """Show all lines of the table, unless the plot needs the height."""
        room = self.splitter.height()
        table = min(self.table.sizeHint().height(), room - PLOT_HEIGHT)
        self.splitter.setSizes([room - table, table])


def _tool(kind: str, text: str, tip: str) -> QToolButton:
    button = named(QToolButton(), f"sweep{kind.capitalize()}", tip=tip)
    button.setText(text)
    return button
