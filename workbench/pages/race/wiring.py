"""Every connection of the Race page: the race, the sweep over D and the paper's tables. `wiring` has the others."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from figmn.bench import dgemm_rate, machine, pinned
from workbench.desk.race import RaceDesk
from workbench.evaluate.speed import latex as speed_latex
from workbench.evaluate.speed import texts as speed_texts
from workbench.evaluate.speed.cost import RATE_DIMENSIONS
from workbench.evaluate.speed.settings import TableSettings
from workbench.evaluate.speed.tables import measure_tables
from workbench.evaluate.speed.times import SpeedTables
from workbench.evaluate.sweep.sweep import SweepSettings, machine_rate, sweeping
from workbench.pages.panel_use import SWEEP_USE, TABLES_USE, PanelUse, race_use
from workbench.pages.race.words import factor
from workbench.run.race.frame import RaceFrame
from workbench.run.race.race import Race
from workbench.run.race.settings import RaceSettings
from workbench.run.race.texts import as_csv, as_json
from workbench.run.show.frame import Message

if TYPE_CHECKING:
    from workbench.window.wiring import Wiring

TEXTS = {"csv": "CSV (*.csv)", "json": "JSON (*.json)", "latex": "LaTeX (*.tex)"}
ENDINGS = {"latex": "tex"}
MEASURING = "The stream is paused while the engines are timed"
PREPARING = "Preparing the samples…"
WAITING = "Waiting for the last step of a cancelled run to finish…"
SHOWN_AFTER = 250
"""Milliseconds of waiting that need no words."""
BUSY = "another benchmark is running (Sweep over D, or The paper's tables): cancel it first, or wait until it is done"


class RaceWiring(QObject):
    """Connects the Race page with its desk; the wiring of the window lends it words, files and the form."""

    def __init__(self, wiring: Wiring, desk: RaceDesk) -> None:
        super().__init__(wiring)
        self.wiring, self.desk = wiring, desk
        self.page, self.sweep, self.paper = wiring.window.race, wiring.window.sweep, wiring.window.paper
        self._tables: SpeedTables | None = None
        self._measured: Any = None
        """The view that what is being measured belongs to."""
        self._has_rate = False
        self._connect()
        self.page.set_machine("   ".join(f"{name} {value}" for name, value in machine().items()))

    def _connect(self) -> None:
        page, bar = self.page, self.page.run_bar
        bar.play_requested.connect(self.play)
        bar.pause_requested.connect(self.hold)
        bar.step_requested.connect(self.step)
        bar.run_to_requested.connect(self._run_to)
        bar.restart_requested.connect(self.restart)
        bar.stop_requested.connect(self.stop)
        bar.speed_changed.connect(self.desk.set_speed)
        bar.unlimited_toggled.connect(self.toggle_unlimited)
        page.settings_changed.connect(self._set_settings)
        page.plane_changed.connect(self.desk.set_plane)
        page.painted.connect(self._see_painted)
        page.numbers_shown.connect(self.wiring.show_run_figures)
        page.export_requested.connect(self.export)
        page.parts.currentChanged.connect(lambda _: self._turn_part())
        self.sweep.start_requested.connect(self._start_sweep)
        self.sweep.export_requested.connect(self._export_sweep)
        self.paper.start_requested.connect(self._start_tables)
        self.paper.export_requested.connect(self._export_tables)
        for view in (self.sweep, self.paper):
            view.cancel_requested.connect(self.cancel_measuring)

    # The race

    def play(self) -> None:
        """Go on with the race, or begin one."""
        race = self._race_to_go_on
        if race is None:
            self.restart()
        elif self.may_start():
            self._rest_of_the_program_holds()
            race.play()

    def restart(self) -> None:
        """Race from the first sample on, with what is set now."""
        self._start()

    def step(self) -> None:
        """One sample for both."""
        if (self._race_to_go_on or self._start(is_held=True)) and self.desk.race is not None:
            self.desk.race.step()

    def hold(self) -> None:
        """Let the race wait."""
        if self.desk.race is not None:
            self.desk.race.pause()

    def stop(self) -> None:
        """End the race; what was measured stays."""
        if self.desk.race is not None:
            self.desk.race.stop()

    def play_or_pause(self) -> None:
        """What the key for both does."""
        if self.desk.race is not None and self.desk.race.state == "running":
            self.hold()
        else:
            self.play()

    def toggle_unlimited(self) -> None:
        """Race as fast as it goes, or at the speed of before."""
        self.desk.toggle_unlimited()
        self.page.run_bar.set_speed(self.desk.speed)

    def _run_to(self, sample: int) -> None:
        done = self.desk.frame.n_done if self.desk.frame is not None else 0
        race = self._race_to_go_on
        if race is not None and sample > done:
            race.run_to(sample)
        else:
            self._start(is_held=True, run_to=sample)

    @property
    def _race_to_go_on(self) -> Race | None:
        """The race that is shown, where it can go on and was made with what is set."""
        return self.desk.race if self.desk.is_live and not self.is_stale else None

    def may_start(self) -> bool:
        """Whether nothing is being timed that a start would disturb; otherwise it is told."""
        if self.desk.is_measuring:
            self.wiring.fail(ValueError(BUSY))
        return not self.desk.is_measuring

    def _start(self, is_held: bool = False, run_to: int | None = None) -> bool:
        self.wiring.window.form.commit()
        if self.wiring.window.form.problem() or self.page.tools.problem() or not self.may_start():
            return False
        self._set_settings(self.page.tools.settings())
        self._rest_of_the_program_holds()
        workspace, before = self.wiring.workspace, self.desk.columns
        has_begun = self.wiring.attempt(
            lambda: self.desk.start(workspace.choices, workspace.dataset, is_held=is_held, run_to=run_to)
        )
        if has_begun and self.desk.columns != before:
            self.page.clear(PREPARING)  # the race before was of other columns; of the same ones, the user's view stays
        QTimer.singleShot(SHOWN_AFTER, self, self._show_waiting)
        return has_begun

    def _show_waiting(self) -> None:
        """Where what was started still waits for a step of something that was cancelled, say so."""
        if not self.desk.is_waiting:
            return
        if self._measured is not None:
            self._measured.set_running(True, WAITING)
        else:
            self.page.clear(WAITING)
            self.page.run_bar.show_state("running", 0, None, None)  # so that it can be stopped

    def _rest_of_the_program_holds(self) -> None:
        """Nothing else may take the time of what is timed."""
        runner = self.wiring.workspace.runner
        if runner is not None and runner.state == "running":
            runner.pause()
            self.wiring.note("info", MEASURING)

    def _turn_part(self) -> None:
        self.measure_rate()
        self.wiring.show_panel()

    def panel_use(self, n_columns: int | None) -> PanelUse:
        """What the part shown takes from the side panel; `n_columns` are those of the dataset."""
        shown = self.page.part
        if shown in (self.sweep, self.paper):
            return SWEEP_USE if shown is self.sweep else TABLES_USE
        return race_use(self.desk.settings, n_columns, self.wiring.workspace.choices.seed)

    def _set_settings(self, settings: RaceSettings) -> None:
        self.desk.settings = settings
        self.wiring.show_panel()
        self.wiring.show_staleness()

    def _see_painted(self) -> None:
        if self.desk.race is not None:
            self.desk.race.painted()

    @property
    def is_stale(self) -> bool:
        """Whether the race that is shown was made with something else than what is set now."""
        return bool(self.differences)

    @property
    def differences(self) -> list[str]:
        """What was changed since the race that is shown was made."""
        workspace = self.wiring.workspace
        return self.desk.differences(workspace.choices, workspace.dataset)

    def show_frame(self, frame: RaceFrame) -> None:
        """Draw the latest moment of the race."""
        before, self.desk.frame = self.desk.frame, frame
        self.page.show_frame(frame)
        if before is None or before.state != frame.state:
            self.wiring.show_staleness()

    def show_message(self, message: Message) -> None:
        """Tell what happened."""
        levels = {"failed": "error", "warning": "warning", "left-out": "warning"}
        self.wiring.note(levels.get(message.kind, "info"), message.text, message.details)  # type: ignore[arg-type]
        race = self.desk.race
        if race is None or message.run != race.number:
            return
        self.wiring.show_staleness()
        if message.kind == "failed":
            self.page.notice.show_error(message.text, message.details)
            if self.desk.frame is None:
                self.page.clear()
            else:
                self.page.run_bar.show_state("failed", 0, None, None)
        elif message.kind == "started":
            self.page.notice.clear()
        elif message.kind == "left-out":
            self.page.notice.show_error(message.text, kind="info")
        else:
            self.wiring.window.statusBar().showMessage(message.text, 6000)
            if message.kind == "stopped" and self.desk.frame is None:
                self.page.clear()

    # Sweep and tables

    def measure_rate(self) -> None:
        """How fast this machine is, once: what the estimates of time rest on."""
        if self._has_rate or self.page.parts.currentIndex() == 0:
            return
        self._has_rate = True
        self.sweep.set_rate(machine_rate())
        with pinned(1):
            self.paper.set_rate(dgemm_rate(RATE_DIMENSIONS))

    def _start_sweep(self, settings: SweepSettings) -> None:
        self._measure(self.sweep, "Sweep over D", lambda: sweeping(settings))

    def _start_tables(self, settings: TableSettings) -> None:
        self._tables = None
        self._measure(self.paper, "The paper's tables", lambda: measure_tables(settings))

    def _measure(self, view: Any, title: str, pieces: Callable[[], Generator[Any, None, None]]) -> None:
        if not self.may_start():
            return
        self._rest_of_the_program_holds()
        self._measured = view
        view.set_running(True)
        self.desk.measure(title, pieces)
        QTimer.singleShot(SHOWN_AFTER, self, self._show_waiting)
        self.wiring.note("info", f"{title}: started")

    def show_measured(self, found: Any) -> None:
        """Show what has been measured so far."""
        if self._measured is self.sweep:
            self.sweep.show_result(found)
        else:
            self._tables = found
            self.paper.show_tables(found)

    def cancel_measuring(self) -> None:
        """Free the view at once; what was measured stays."""
        if not self.desk.is_measuring:
            return
        found = self.desk.cancel()
        if found is not None:
            self.show_measured(found)
        self.end_measuring(None)

    def end_measuring(self, error: BaseException | None) -> None:
        """It is over, or was cancelled, or failed; what was measured stays."""
        view, self._measured = self._measured, None
        if view is not None:
            view.set_running(False)
        if error is not None:
            self.wiring.fail(error)

    # Exports

    def export(self, kind: str) -> None:
        """Write the race as a picture, a table or JSON."""
        frame = self.desk.frame
        if kind == "copy":
            QApplication.clipboard().setImage(self.page.picture())
            self.wiring.done("Picture copied")
        elif kind in {"png", "svg"}:
            self.wiring.export_drawing("Export the race", f"race.{kind}", self.page.draw_picture)
        elif frame is None:
            self.wiring.fail(ValueError("there is no race yet: start one first"))
        else:
            self._export_text(
                "Export the race", "race", kind, lambda: as_csv(frame) if kind == "csv" else as_json(frame, machine())
            )

    def export_shown(self, kind: str) -> None:
        """The picture of the part that is shown."""
        if self.page.part is self.sweep:
            self._export_sweep(kind)
        elif self.page.part is not self.paper:
            self.export(kind)
        elif kind == "copy":
            self._export_tables(kind)
        else:
            self.wiring.fail(ValueError("the tables are not a picture: export them as CSV, JSON or LaTeX"))

    def _export_sweep(self, kind: str) -> None:
        if kind == "copy":
            self.sweep.copy_picture()
            self.wiring.done("Picture copied")
        elif kind in {"png", "svg"}:
            self.wiring.export_drawing("Export the sweep", f"sweep.{kind}", self.sweep.draw_picture)
        else:
            self.wiring.attempt(
                lambda: self._export_text("Export the sweep", "sweep", kind, self.sweep.export_text(kind))
            )

    def _export_tables(self, kind: str) -> None:
        tables = self._tables
        if tables is None:
            self.wiring.fail(ValueError("nothing was measured yet: measure the tables first"))
        elif kind == "copy":
            QApplication.clipboard().setText(speed_texts.as_text(tables))
            self.wiring.done("Tables copied")
        else:
            writers = {"csv": speed_texts.as_csv, "json": speed_texts.as_json, "latex": speed_latex.as_latex}
            self._export_text("Export the tables", "speed-tables", kind, partial(writers[kind], tables))

    def _export_text(self, title: str, name: str, kind: str, text: Callable[[], str]) -> None:
        self.wiring.export_text(title, f"{name}.{ENDINGS.get(kind, kind)}", TEXTS[kind], text)

    # What the rest of the window asks

    def figures(self) -> tuple[str, int | None]:
        """For the status bar: what the race does, and K of Fast IGMN, of the frame whose numbers the page shows."""
        frame = self.page.shown_frame
        if frame is None:
            return "not running", None
        words = f"{'racing' if frame.state == 'running' else 'race'}, {factor(frame.speed_up)}"
        return words, frame.fast.figures.n_components
