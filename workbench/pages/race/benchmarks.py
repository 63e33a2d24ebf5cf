"""Connections of the sweep over D and of the paper's tables."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from workbench.desk.race import RaceDesk
from workbench.evaluate.speed import latex, texts
from workbench.evaluate.speed.settings import TableSettings
from workbench.evaluate.speed.tables import measure_tables
from workbench.evaluate.speed.times import SpeedTables
from workbench.evaluate.sweep.sweep import SweepSettings, sweeping
from workbench.pages.race.exports import export_as_text
from workbench.pages.race.page import RacePage
from workbench.pages.shell import Shell
from workbench.words.sentences import UserError

WAITING = "Waiting for the last step of a cancelled run to finish…"
SHOWN_AFTER = 250
"""Milliseconds of waiting before it is shown."""


class Benchmarks(QObject):
    """Connects sweep and tables with the desk: one of them is measured at a time."""

    def __init__(self, shell: Shell, page: RacePage, desk: RaceDesk, parent: QObject) -> None:
        super().__init__(parent)
        self.shell, self.desk, self.page = shell, desk, page
        self.sweep, self.paper = page.sweep, page.paper
        self._tables: SpeedTables | None = None
        self._measured: Any = None
        """The view whose benchmark is running."""
        self.sweep.start_requested.connect(self._start_sweep)
        self.sweep.export_requested.connect(self.export_sweep)
        self.paper.start_requested.connect(self._start_tables)
        self.paper.export_requested.connect(self.export_tables)
        for view in (self.sweep, self.paper):
            view.cancel_requested.connect(self.cancel)

    def measure_rate(self) -> None:
        """Measure the speed of this machine in the background, for the estimates of sweep and tables."""
        if self.page.parts.currentIndex() != 0:
            self.desk.rate_meter.start()

    def _start_sweep(self, settings: SweepSettings) -> None:
        self.measure(self.sweep, "Sweep over D", lambda: sweeping(settings))

    def _start_tables(self, settings: TableSettings) -> None:
        self._tables = None
        self.measure(self.paper, "The paper's tables", lambda: measure_tables(settings))

    def measure(self, view: Any, title: str, pieces: Callable[[], Generator[Any, None, None]]) -> None:
        """Measure something piece by piece in the background and show it in a view."""
        if not self.shell.may_start():
            return
        self.shell.hub.timing_starting.emit()
        self._measured = view
        view.set_running(True)
        self.desk.measure(title, pieces)
        QTimer.singleShot(SHOWN_AFTER, self, self._show_waiting)
        self.shell.note("info", f"{title}: started")

    def _show_waiting(self) -> None:
        """Show that the benchmark still waits for the last step of one that was cancelled."""
        if self.desk.is_waiting and self._measured is not None:
            self._measured.set_running(True, WAITING)

    def pump(self) -> None:
        """Show the speed of the machine, new measurements, and the end of a benchmark."""
        rate = self.desk.rate_meter.take()
        if rate is not None:
            self.sweep.set_rate(rate)
            self.paper.set_rate(rate)
        found, ended = self.desk.take_measured()
        if found is not None:
            self._show(found)
        if ended is not None:
            self._end(ended.error)

    def _show(self, found: Any) -> None:
        if self._measured is self.sweep:
            self.sweep.show_result(found)
        else:
            self._tables = found
            self.paper.show_tables(found)

    def cancel(self) -> None:
        """Release the view at once; measurements so far are kept."""
        if not self.desk.is_measuring:
            return
        found = self.desk.cancel()
        if found is not None:
            self._show(found)
        self._end(None)

    def _end(self, error: BaseException | None) -> None:
        """Called when a benchmark is done, cancelled or failed; measurements so far are kept."""
        view, self._measured = self._measured, None
        if view is not None:
            view.set_running(False)
        if error is not None:
            self.shell.fail(error)

    # Exports

    def export_sweep(self, kind: str) -> None:
        """Write the sweep as a picture or a table, or copy its picture."""
        if kind == "copy":
            self.sweep.copy_picture()
            self.shell.done("Picture copied")
        elif kind in {"png", "svg"}:
            self.shell.export_drawing("Export the sweep", f"sweep.{kind}", self.sweep.draw_picture)
        else:
            self.shell.attempt(
                lambda: export_as_text(self.shell, "Export the sweep", "sweep", kind, self.sweep.export_text(kind))
            )

    def export_tables(self, kind: str) -> None:
        """Write the tables, or copy them as text."""
        tables = self._tables
        if tables is None:
            self.shell.fail(UserError("Nothing was measured yet: measure the tables first."))
        elif kind == "copy":
            QApplication.clipboard().setText(texts.as_text(tables))
            self.shell.done("Tables copied")
        else:
            writers = {"csv": texts.as_csv, "json": texts.as_json, "latex": latex.as_latex}
            export_as_text(self.shell, "Export the tables", "speed-tables", kind, partial(writers[kind], tables))
