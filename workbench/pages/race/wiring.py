"""Connections of the Race page: the race itself. `benchmarks` has those of the sweep and of the paper's tables."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from figmn.bench import machine
from workbench.desk.desk import Desk
from workbench.desk.differences import changed_words
from workbench.pages.page import Page, Staleness, StatusFigures
from workbench.pages.panel_use import PanelUse
from workbench.pages.race.benchmarks import SHOWN_AFTER, WAITING, Benchmarks
from workbench.pages.race.exports import export_as_text
from workbench.pages.race.page import RacePage
from workbench.pages.race.panel import SWEEP_USE, TABLES_USE, race_use
from workbench.pages.running import RunningPage
from workbench.pages.shell import Shell
from workbench.run.race.frame import RaceFrame
from workbench.run.race.settings import RaceSettings
from workbench.run.race.texts import as_csv, as_json
from workbench.run.show.frame import Message, State
from workbench.words.factors import factor
from workbench.words.machine import machine_line
from workbench.words.sentences import UserError

PREPARING = "Preparing the samples…"


def open_page(shell: Shell, desk: Desk) -> Page:
    """Called by the window."""
    return RaceWiring(shell, desk)


class RaceWiring(RunningPage):
    """Connects the Race page with its desk."""

    key, title, icon = "race", "&Race", "unlimited"

    def __init__(self, shell: Shell, desk: Desk) -> None:
        self.page = RacePage(shell.versions)
        super().__init__(shell, self.page, self.page.run_bar, desk.race)
        self.desk, self.data = desk.race, desk.data
        self._shown: tuple[int, State] | None = None
        """Run and state of the frame that was drawn last."""
        self.benchmarks = Benchmarks(shell, self.page, self.desk, self)
        self._connect()
        self.page.set_machine(machine_line(machine()))

    def _connect(self) -> None:
        page, hub = self.page, self.shell.hub
        page.settings_changed.connect(self.set_settings)
        page.plane_changed.connect(self.desk.set_plane)
        page.painted.connect(self.desk.painted)
        page.numbers_shown.connect(self.shell.refresh_figures)
        page.export_requested.connect(self.export)
        page.parts.currentChanged.connect(lambda _: self._turn_part())
        hub.dataset_changed.connect(self._show_dataset)
        hub.run_starting.connect(self.pause)

    # The race

    def play(self) -> None:
        """Continue the race, or start one."""
        if not self.desk.goes_on:
            self.restart()
        elif self.shell.may_start():
            self.shell.hub.timing_starting.emit()
            self.desk.play()

    def restart(self) -> None:
        """Race from the first sample with the present settings."""
        self._start()

    def step(self) -> None:
        """Learn one sample with every engine."""
        if (self.desk.goes_on or self._start(is_held=True)) and self.desk.transport is not None:
            self.desk.transport.step()

    def run_to(self, sample: int) -> None:
        """Race up to a sample, then pause."""
        done = 0 if self.desk.frame is None else self.desk.frame.n_done
        if self.desk.goes_on and sample > done:
            self.desk.run_to(sample)
        else:
            self._start(is_held=True, run_to=sample)

    def _start(self, is_held: bool = False, run_to: int | None = None) -> bool:
        if self.page.tools.problem() or not self.shell.is_ready():
            return False
        self.set_settings(self.page.tools.settings())
        self.shell.hub.timing_starting.emit()
        before = self.desk.columns
        has_begun = self.shell.attempt(lambda: self.desk.start(is_held=is_held, run_to=run_to))
        if has_begun and self.desk.columns != before:
            self.page.clear(PREPARING)  # the last race had other columns; with the same ones, the user's view is kept
        QTimer.singleShot(SHOWN_AFTER, self, self._show_waiting)
        return has_begun

    def _show_waiting(self) -> None:
        """Show that the race still waits for the last step of a cancelled benchmark."""
        if self.desk.is_waiting and not self.desk.is_measuring:
            self.page.clear(WAITING)
            self.page.run_bar.show_state("running", 0, None, None)  # so that it can be stopped

    def set_settings(self, settings: RaceSettings) -> None:
        """Apply settings of the race."""
        self.desk.settings = settings
        self.shell.refresh()

    def _show_dataset(self) -> None:
        dataset = self.data.dataset
        self.page.set_dataset(None if dataset is None else dataset.title, bool(dataset and dataset.is_endless))

    # What is shown

    def pump(self) -> int:
        """Show messages, the newest frame of the race, and new measurements."""
        n_frames = super().pump()
        self.benchmarks.pump()
        return n_frames

    def show_frame(self, frame: RaceFrame) -> None:
        """Draw the newest frame of the race."""
        before, self._shown = self._shown, (frame.run, frame.state)
        self.page.show_frame(frame)
        if before != self._shown:
            self.shell.refresh()

    def take_message(self, message: Message) -> None:
        """Update the page for a message of the present race."""
        if message.kind == "failed":
            if self.desk.frame is None:
                self.page.clear()
            else:
                self.page.run_bar.show_state("failed", 0, None, None)
        elif message.kind not in {"started", "left-out"}:
            self.shell.tell(message.text)
            if message.kind == "stopped" and self.desk.frame is None:
                self.page.clear()

    def turned_to(self) -> None:
        """Load the compiled loops of both engines, so that a race starts without delay."""
        self.desk.get_ready()

    def _turn_part(self) -> None:
        self.benchmarks.measure_rate()
        self.shell.refresh()

    def block_start(self, reason: str) -> None:
        """Disable starting a race and show why."""
        self.page.set_start_blocked(reason)

    def why_busy(self) -> UserError | None:
        """Why no run may start: it would disturb a running measurement."""
        if not self.desk.is_measuring:
            return None
        return UserError(
            "Another benchmark is running (Sweep over D, or The paper's tables): cancel it first, "
            "or wait until it is done."
        )

    def fit(self) -> None:
        """Fit the plots to their data."""
        self.page.panes.tools.fit.click()

    def panel_use(self, n_columns: int | None) -> PanelUse:
        """What the part shown uses of the side panel."""
        shown = self.page.part
        if shown in (self.page.sweep, self.page.paper):
            return SWEEP_USE if shown is self.page.sweep else TABLES_USE
        return race_use(self.desk.settings, n_columns, self.data.choices.seed)

    def settings_changed(self) -> None:
        """Show on the page what was changed since the race shown was made."""
        self.page.show_stale(self.desk.differences)

    def figures(self) -> StatusFigures:
        """State and speed-up of the race, and K of Fast IGMN, from the frame whose numbers the page shows."""
        frame = self.page.shown_frame
        if frame is None:
            return StatusFigures()
        words = f"{'racing' if frame.state == 'running' else 'race'}, {factor(frame.speed_up)}"
        return StatusFigures(words, frame.reference.figures.n_components)

    def staleness(self) -> Staleness:
        """Whether the race shown was made with the present settings."""
        changed, frame = self.desk.differences, self.desk.frame
        if frame is None or self.desk.transport is None:
            return Staleness()
        n_columns = len(frame.columns)
        words = f"D = {n_columns:,} · {frame.recipe.describe(n_columns)}"
        if changed:
            short, whole = changed_words(changed, "race"), changed_words(changed, "race", None)
            return Staleness("stale", short, whole, words, "settings changed since this race")
        state = "none" if frame.settings.values == "paper" else "current"
        return Staleness(state, "The race shown uses these values", recipe=words, recipe_state="current")  # type: ignore[arg-type]

    # Exports

    def export(self, kind: str) -> None:
        """Write the race as a picture, a table or JSON."""
        frame = self.desk.frame
        if kind == "copy":
            QApplication.clipboard().setImage(self.page.picture())
            self.shell.done("Picture copied")
        elif kind in {"png", "svg"}:
            self.shell.export_drawing("Export the race", f"race.{kind}", self.page.draw_picture)
        elif frame is None:
            self.shell.fail(UserError("There is no race yet: start one first."))
        else:
            text = (lambda: as_csv(frame)) if kind == "csv" else lambda: as_json(frame, machine())
            export_as_text(self.shell, "Export the race", "race", kind, text)

    def export_picture(self, kind: str) -> None:
        """Write or copy the picture of the part that is shown."""
        if self.page.part is self.page.sweep:
            self.benchmarks.export_sweep(kind)
        elif self.page.part is not self.page.paper:
            self.export(kind)
        elif kind == "copy":
            self.benchmarks.export_tables(kind)
        else:
            self.shell.fail(UserError("The tables are not a picture: export them as CSV, JSON or LaTeX."))
