"""Every connection between window and workspace, on one page: intents go up, frames and words come down."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from workbench.desk.differences import changed_words
from workbench.desk.race import RaceDesk
from workbench.desk.workspace import Workspace
from workbench.pages.data.dialogs.generator_dialog import GeneratorDialog
from workbench.pages.data.dialogs.paint_dialog import PaintDialog
from workbench.pages.data.dialogs.preview_dialog import PreviewDialog, look_at
from workbench.pages.panel_use import PanelUse
from workbench.pages.race.wiring import RaceWiring
from workbench.run.job import Job
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Colour, Dataset, FileOrigin, GeneratorOrigin, Origin, SampleOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.run.show.frame import Frame, Message
from workbench.source import Cancelled, SourceError
from workbench.source.errors import words_of
from workbench.source.generators import BirthsAndDeaths
from workbench.source.read.opening import is_recipe, require_regular
from workbench.source.read.options import Progress
from workbench.views.look import theme as themes
from workbench.views.look.asking import ask
from workbench.views.look.naming import name_action
from workbench.views.look.pictures import Write
from workbench.window.heap import Heap
from workbench.window.log_view import Level
from workbench.window.presets import PRESETS
from workbench.window.pump import Pump
from workbench.window.report import memory_bytes
from workbench.window.settings import Memory
from workbench.window.window import Window
from workbench.words.quantities import megabytes, short_number

DEMO = GeneratorOrigin(BirthsAndDeaths(), endless=True)
DEMO_CHOICES = Choices(next(preset.parameters for preset in PRESETS if preset.name == "births and deaths"))
Result = TypeVar("Result")
CSV, MODEL, RECIPE = "CSV (*.csv)", "Fast IGMN model (*.figmn)", "Recipe (*.json)"
PICTURES = {"png": "PNG picture (*.png)", "svg": "SVG drawing (*.svg)"}
PICTURE_ENDINGS = tuple(f".{kind}" for kind in PICTURES)
UNSEEN_SECONDS = 0.2
"""Work in the background that is done by then does not show itself: the page would jump for it, there and back."""
NOTEWORTHY = 1e6
"""Bytes of a component that a user should know of."""
EXPECTED = (SourceError, ValueError, OSError, MemoryError)
"""Errors whose words are meant for the user; others come with a traceback at once."""


class Wiring(QObject):
    """Connects a window with a workspace."""

    def __init__(self, window: Window, workspace: Workspace, memory: Memory, theme: str | None = None) -> None:
        super().__init__(window)
        self.window, self.workspace, self.memory = window, workspace, memory
        self.desk = RaceDesk()
        self.pump = Pump(workspace, self.desk, self)
        self.heap = Heap()
        self._then: dict[Job[Any], Callable[[Any], None]] = {}
        self._start_reason = ""
        self._shown_origin: Origin | None = None
        self._n_columns: int | None = None
        """Columns after encoding of the dataset that is shown; None where it cannot be encoded."""
        self.failure = ""
        """What went wrong last, in words."""
        self.is_closed = False
        self.races = RaceWiring(self, self.desk)
        self._connect_pump()
        self._connect_data()
        self._connect_run()
        self._connect_exports()
        self._connect_window()
        self.set_theme(theme or memory.theme)
        window.set_recent(memory.recent)
        window.form.set_choices(workspace.choices)
        self._show_dataset()

    # Connections

    def _connect_pump(self) -> None:
        self.pump.frame_arrived.connect(self.show_frame)
        self.pump.message_arrived.connect(self.show_message)
        self.pump.job_ended.connect(self._end_job)
        self.pump.job_moved.connect(self._move_job)
        self.pump.rate_changed.connect(self.show_figures)
        self.pump.rate_changed.connect(lambda _: self.heap.look())
        self.pump.race_frame_arrived.connect(self.races.show_frame)
        self.pump.race_message_arrived.connect(self.races.show_message)
        self.pump.measured.connect(self.races.show_measured)
        self.pump.measuring_ended.connect(self.races.end_measuring)

    def _connect_data(self) -> None:
        page, act = self.window.data, self.window.actions_by_name
        page.open_requested.connect(self.open_file)
        page.origin_requested.connect(self.load)
        page.dataset_changed.connect(self.change_dataset)
        page.change_wanted.connect(self.change_later)
        page.stream_requested.connect(self.stream_it)
        self.window.loading.cancel_requested.connect(self._cancel_jobs)
        for signal in (page.generator_requested, act["generate"].triggered):
            signal.connect(self.generate)
        for signal in (page.paint_requested, act["paint"].triggered):
            signal.connect(self.paint)
        for signal in (page.undo_requested, act["undo"].triggered):
            signal.connect(self.undo)
        for signal in (page.redo_requested, act["redo"].triggered):
            signal.connect(self.redo)
        act["open"].triggered.connect(lambda: self.open_file(None))
        act["openRecipe"].triggered.connect(self.ask_recipe)
        act["forgetRecent"].triggered.connect(self._forget_recent)
        welcome = self.window.stream.welcome
        welcome.open_requested.connect(lambda: self.open_file(None))
        for signal in (welcome.sample_requested, self.window.sample_chosen):
            signal.connect(lambda name: self.load(SampleOrigin(name)))
        self.window.recent_chosen.connect(self.open_file)
        self.window.files_dropped.connect(self._take_dropped)

    def _connect_run(self) -> None:
        bar, form, act = self.window.stream.run_bar, self.window.form, self.window.actions_by_name
        bar.play_requested.connect(self._play)
        bar.pause_requested.connect(self._pause)
        bar.step_requested.connect(self._step)
        bar.run_to_requested.connect(lambda sample: self.attempt(lambda: self.workspace.run_to(sample)))
        bar.stop_requested.connect(self._stop)
        bar.speed_changed.connect(self.workspace.set_speed)
        bar.unlimited_toggled.connect(self._toggle_unlimited)
        bar.pause_on_changed.connect(self.workspace.set_pause_on)
        bar.restart_requested.connect(self.restart)
        for signal in (form.restart_requested, act["restart"].triggered):
            signal.connect(lambda: self.races.restart() if self.is_racing else self.restart())
        act["play"].triggered.connect(lambda: self.races.play_or_pause() if self.is_racing else self._play_or_pause())
        act["step"].triggered.connect(lambda: self.races.step() if self.is_racing else self._step())
        act["stop"].triggered.connect(lambda: self.races.stop() if self.is_racing else self._stop())
        act["unlimited"].triggered.connect(
            lambda: self.races.toggle_unlimited() if self.is_racing else self._toggle_unlimited()
        )
        form.changed.connect(self.set_choices)
        form.kept.connect(self._keep_choices)
        form.validity_changed.connect(self._block_start)
        self.window.stream.numbers_shown.connect(self.show_run_figures)
        mixture = self.window.stream.mixture
        mixture.plane_changed.connect(self.workspace.set_plane)
        mixture.colour_chosen.connect(self._choose_colour)
        mixture.trail_changed.connect(self.workspace.set_trail)
        self.workspace.set_trail(mixture.tools.n_points)
        act["density"].triggered.connect(mixture.tools.density.click)
        act["fit"].triggered.connect(self._fit)
        act["resetParameters"].triggered.connect(form.reset)

    def _connect_exports(self) -> None:
        page, act = self.window.stream, self.window.actions_by_name
        for signal in (page.log_requested, act["exportLog"].triggered):
            signal.connect(self.export_log)
        for signal in (page.model_requested, act["exportModel"].triggered):
            signal.connect(self.export_model)
        for signal in (page.recipe_requested, act["exportRecipe"].triggered):
            signal.connect(self.export_recipe)
        for signal in (page.table.export_requested, act["exportTable"].triggered):
            signal.connect(self.export_table)
        page.mixture.picture_requested.connect(self.export_picture)
        for kind in PICTURES:
            act[f"export{kind.capitalize()}"].triggered.connect(lambda _=False, kind=kind: self._export_shown(kind))
        act["copyPicture"].triggered.connect(lambda: self._export_shown("copy"))
        self.window.log.save_requested.connect(self._save_log_text)
        act["componentColours"].toggled.connect(self.window.stream.colour_components)
        act["componentColours"].setChecked(self.memory.component_colours)
        act["componentColours"].toggled.connect(lambda on: setattr(self.memory, "component_colours", on))
        act["rawCsv"].setChecked(self.memory.raw_csv)
        act["rawCsv"].toggled.connect(lambda on: setattr(self.memory, "raw_csv", on))

    def _connect_window(self) -> None:
        self.window.closing.connect(self.close)
        self.window.theme_chosen.connect(self._choose_theme)
        self.window.tabs.currentChanged.connect(lambda _: self._turn_page())

    @property
    def is_racing(self) -> bool:
        """Whether the Race page is shown, which the keys and menus are meant for then."""
        return self.window.tabs.currentWidget() is self.window.race

    def _turn_page(self) -> None:
        if self.is_racing:
            self.desk.get_ready()
        self.window.statusBar().clearMessage()  # it was of the page before
        self.show_panel()
        self.show_staleness()
        self.show_figures()

    # Data

    def open_file(self, path: str | None) -> None:
        """Look at a file before it is loaded; without a path, ask for one."""
        path = path or self.window.ask_open(self.memory.folder)
        if path is None:
            return
        if problem := _cannot_be_opened(path):
            self.fail(OSError(problem))
            return
        if is_recipe(Path(path)):
            self.open_recipe(path)
            return
        self.memory.folder = str(Path(path).parent)
        job = self.workspace.work(
            f"Previewing {Path(path).name}", lambda progress: _unless_cancelled(progress, look_at(path))
        )
        self._show_job(job)
        self._then[job] = lambda found: self._later(lambda: self._load_from(PreviewDialog(path, found, self.window)))

    def load(self, origin: Origin) -> None:
        """Load a dataset in the background."""
        self.window.show_page(self.window.data)
        self._then[self.workspace.load(origin)] = lambda dataset: self._take_loaded(dataset, f"load of {origin.title}")

    def _take_loaded(self, dataset: Dataset, what: str) -> None:
        self.take_dataset(dataset, what)
        self.note(
            "info", f"Loaded {dataset.title}: {dataset.table.n_rows:,} rows, {len(dataset.table.columns):,} columns"
        )
        for note in dataset.table.notes:
            self.note("info", note)
        if isinstance(dataset.origin, FileOrigin):
            self.memory.add_recent(dataset.origin.path)
            self.window.set_recent(self.memory.recent)

    def take_dataset(self, dataset: Dataset, what: str) -> None:
        """Work on another dataset from now on."""
        self.window.stream.welcome.hide()
        self.workspace.take_dataset(dataset, what)
        self._tell_what_undo_lost()
        if self.workspace.choices == DEMO_CHOICES:
            self._choose(Choices())  # what suits the demo suits nothing else
        self._show_dataset()

    def change_dataset(self, dataset: Dataset, what: str) -> None:
        """Take what the user did to the dataset."""
        self.workspace.versions.change(dataset, what)
        self._tell_what_undo_lost()
        self._show_dataset()

    def change_later(self, change: Callable[[Dataset], Dataset], what: str) -> None:
        """Do something to the dataset that takes its time."""
        before = self.workspace.dataset
        if before is None:
            return

        def work(progress: Progress) -> Dataset:
            return _unless_cancelled(progress, change(before))

        def take(changed: Dataset) -> None:
            present = self.workspace.dataset
            if present is before:
                self.change_dataset(changed, what)
            elif present is not None and present.origin == before.origin:
                self.change_later(change, what)  # to what the user made of it meanwhile

        self._then[self.workspace.work(f"Changing the {what}", work)] = take

    def _choose_colour(self, column: str | None) -> None:
        if self.workspace.dataset is not None:
            self.change_dataset(self.workspace.dataset.with_colour(Colour(column)), "colour")

    def _tell_what_undo_lost(self) -> None:
        if n_lost := self.workspace.versions.take_lost():
            steps = "The oldest step" if n_lost == 1 else f"The {n_lost:,} oldest steps"
            self.note("info", f"{steps} can no longer be undone: their data took too much memory")

    def undo(self) -> None:
        """Take the last change of the dataset back."""
        if what := self.workspace.versions.undo():
            self.note("info", f"Undone: {what}")
            self._show_dataset()

    def redo(self) -> None:
        """Do it again."""
        if what := self.workspace.versions.redo():
            self.note("info", f"Redone: {what}")
            self._show_dataset()

    def generate(self) -> None:
        """Ask for a generator."""
        self._load_from(GeneratorDialog(self.window))

    def paint(self) -> None:
        """Let the user paint points."""
        self._load_from(PaintDialog(self.window))

    def _later(self, action: Callable[[], None]) -> None:
        """Ask the user outside the pump's timer, which would stand still until the answer, and all views with it."""
        QTimer.singleShot(0, self, lambda: None if self.is_closed else self.attempt(action))

    def _load_from(self, dialog: PreviewDialog | GeneratorDialog | PaintDialog) -> None:
        dialog.set_theme(self.theme)
        chosen: Callable[[], Origin] = dialog.origin
        origin = ask(dialog, chosen)
        if origin is not None:
            self.load(origin)

    def ask_recipe(self) -> None:
        """Ask for a recipe."""
        path = self.window.ask_open(self.memory.folder, f"{RECIPE};;All files (*)", "Open a recipe")
        if path is not None:
            self.open_recipe(path)

    def open_recipe(self, path: str) -> None:
        """Load what a recipe names, set what it sets, and run it."""
        self.attempt(lambda: self.run_recipe(Recipe.from_json(path)))

    def run_recipe(self, recipe: Recipe) -> None:
        """Load the data of a recipe and run it from the first sample on."""
        self.window.show_page(self.window.data)

        def begin(dataset: Dataset) -> None:
            self.take_dataset(dataset, f"recipe of {dataset.title}")
            self.workspace.n_samples = recipe.n_samples
            self._choose(recipe.choices)
            self.window.show_page(self.window.stream)
            self.attempt(lambda: self.workspace.start(changes=recipe.changes))

        self._then[self.workspace.load(recipe.origin, recipe)] = begin

    def run_unasked(self, recipe: str | None, file: str | None, most: int) -> None:
        """Run a recipe, or a file as it is read by default, unlimited; of an endless stream, at most `most` samples."""
        self.choose_speed(None)

        def go() -> None:
            if recipe is not None or is_recipe(Path(file or "")):
                wanted = Recipe.from_json(recipe or file or "")
            else:
                wanted = Recipe(FileOrigin(file or ""))
            endless = isinstance(wanted.origin, GeneratorOrigin) and wanted.origin.endless
            self.run_recipe(replace(wanted, n_samples=wanted.n_samples or most) if endless else wanted)

        self.attempt(go)

    def show_demo(self) -> None:
        """What the first start shows: clusters that are born and die, for ever."""
        self.workspace.versions.present = Recipe(DEMO, roles={"class": "ignored"}).dataset()
        self._choose(DEMO_CHOICES)
        self._show_dataset()
        self.window.stream.welcome.show()
        self.window.show_page(self.window.stream)
        self.races.hold()
        self.workspace.start()

    def stream_it(self) -> None:
        """Go to the Stream page and run what is set."""
        self.window.show_page(self.window.stream)
        self.restart()

    # The run

    def restart(self) -> None:
        """Run from the first sample on, with what is set now."""
        if self._may_start():
            self.races.hold()
            self.attempt(self.workspace.start)

    def _choose(self, choices: Choices) -> None:
        """Set the form from here."""
        self.window.form.set_choices(choices)
        self.set_choices(choices)

    def set_choices(self, choices: Choices) -> None:
        """Take hyper-parameters; what can be changed during a run is."""
        self.workspace.set_choices(choices)
        self._show_carried_over()
        self.show_staleness()
        self.show_panel()

    def _keep_choices(self) -> None:
        self.workspace.keep_choices()
        self._show_carried_over()

    def _show_carried_over(self) -> None:
        self.window.form.show_carried_over(self.workspace.carried_over)

    def show_frame(self, frame: Frame) -> None:
        """Draw the latest moment of the run."""
        self.window.stream.show_frame(frame)
        if frame.state != "running":
            self.show_figures()

    def show_message(self, message: Message) -> None:
        """Tell what happened."""
        levels: dict[str, Level] = {"failed": "error", "warning": "warning", "left-out": "warning"}
        level = levels.get(message.kind, "info")
        self.note(level, message.text, message.details)
        page, runner = self.window.stream, self.workspace.runner
        if runner is None or message.run != runner.number:
            return  # of a run that has given way: the messages are enough
        self.show_staleness()
        if message.kind == "failed":
            self.failure = message.text
            page.notice.show_error(message.text, message.details)
            page.run_bar.show_state(None if self.workspace.frame is None else "failed", *self._progress())
        elif message.kind == "started":
            page.notice.clear()
            page.results.clear()
            self._begin_anew(runner.recipe.origin)
        elif message.kind == "left-out":
            page.notice.show_error(message.text, kind="info")
        elif message.kind == "held-out":
            page.show_held_out(**message.data)
        elif message.kind in {"paused", "finished", "stopped"}:
            self.window.statusBar().showMessage(message.text, 6000)

    def _begin_anew(self, origin: Origin) -> None:
        """Other data begin with an empty page; a restart keeps what the user looks at."""
        if origin != self._shown_origin:
            self._shown_origin = origin
            self.window.stream.clear()

    def _progress(self) -> tuple[int, int | None, float | None]:
        frame = self.workspace.frame
        return (0, None, None) if frame is None else (frame.n_done, frame.n_total, None)

    def _pause(self) -> None:
        if self.workspace.runner is not None:
            self.workspace.runner.pause()

    def _stop(self) -> None:
        if self.workspace.runner is not None:
            self.workspace.runner.stop()

    def _play_or_pause(self) -> None:
        runner = self.workspace.runner
        if runner is not None and runner.state == "running":
            runner.pause()
        else:
            self._play()

    def _play(self) -> None:
        if self._may_start():
            self.races.hold()
            self.attempt(self.workspace.play)

    def _step(self) -> None:
        if self._may_start():
            self.attempt(self.workspace.step)

    def choose_speed(self, speed: float | None) -> None:
        """Stream so many samples a second from now on, as if the user had chosen it; None for no limit."""
        self.workspace.set_speed(speed)
        self._show_speed()

    def _toggle_unlimited(self) -> None:
        self.workspace.toggle_unlimited()
        self._show_speed()

    def _show_speed(self) -> None:
        self.window.stream.run_bar.set_speed(self.workspace.speed)

    def _fit(self) -> None:
        tools = self.window.race.panes.tools if self.is_racing else self.window.stream.mixture.tools
        tools.fit.click()

    def _may_start(self) -> bool:
        """Commit pending edits; True if the form is valid and no benchmark is running."""
        return not self.window.form.problem() and self.races.may_start()

    def _block_start(self, valid: bool, reason: str) -> None:
        self._start_reason = "" if valid else reason
        self._show_start()

    def _show_start(self) -> None:
        reason = self._start_reason
        if not reason and self.workspace.dataset is None:
            reason = "Open a file or choose a sample first."
        self.window.stream.run_bar.set_start_blocked(reason)
        self.window.race.set_start_blocked(self._start_reason)

    # Exports

    def export_log(self) -> None:
        """Write what every sample did."""
        self._export("Export the per-sample CSV", f"{self._name()}-samples.csv", CSV, self._write_log)

    def _write_log(self, path: str) -> Job[str]:
        return self.workspace.export_log(path, self.memory.raw_csv)

    def export_model(self) -> None:
        """Write the model."""
        self._export("Export the model", f"{self._name()}.figmn", MODEL, self.workspace.export_model)

    def export_recipe(self) -> None:
        """Write the recipe."""
        self._export("Export the recipe", f"{self._name()}-recipe.json", RECIPE, self.workspace.export_recipe)

    def export_table(self) -> None:
        """Write the components."""
        name = f"{self._name()}-components.csv"
        self.export_text("Export the components", name, CSV, self.window.stream.table.as_csv(self.memory.raw_csv))

    def export_picture(self, kind: str) -> None:
        """Write or copy the picture."""
        mixture = self.window.stream.mixture
        if kind == "copy":
            mixture.copy_picture()
            self.done("Picture copied")
            return
        self.export_drawing("Export the picture", f"{self._name()}.{kind}", mixture.draw_picture)

    def _export_shown(self, kind: str) -> None:
        """The picture of the page that is shown."""
        if self.is_racing:
            self.races.export_shown(kind)
        else:
            self.export_picture(kind)

    def export_drawing(self, title: str, name: str, draw: Callable[[str], Write]) -> None:
        """Ask for a file, let a view draw its picture, and write that in the background."""

        def write(path: str) -> Job[str]:
            return self.workspace.export_file(path, "picture", draw(path))

        self._export(title, name, PICTURES[Path(name).suffix[1:]], write)

    def export_text(self, title: str, name: str, kinds: str, text: Callable[[], str]) -> None:
        """Ask for a file, and make and write a text in the background."""
        self._export(title, name, kinds, lambda path: self.workspace.export_text(path, text))

    def _save_log_text(self, text: str) -> None:
        self.export_text("Save the messages", "workbench-messages.txt", "Text (*.txt)", lambda: text)

    def _export(self, title: str, name: str, kinds: str, write: Callable[[str], Job[str]]) -> None:
        path = self.window.ask_save(title, str(Path(self.memory.folder) / name), kinds)
        if path is None:
            return
        self.memory.folder = str(Path(path).parent)

        def go() -> None:
            self._then[write(_with_ending(path, Path(name).suffix))] = self.done

        self.attempt(go)

    def done(self, text: str) -> None:
        """Say that something was done."""
        self.note("info", text)
        self.window.statusBar().showMessage(text, 6000)

    def _name(self) -> str:
        runner = self.workspace.runner
        title = runner.recipe.origin.title if runner is not None else "workbench"
        return "".join(letter if letter.isalnum() else "-" for letter in Path(title).stem).strip("-").lower()

    # What is shown

    def _show_dataset(self) -> None:
        dataset, versions = self.workspace.dataset, self.workspace.versions
        self.window.data.show_dataset(dataset)
        undo, redo = versions.undo_text, versions.redo_text
        self.window.data.show_undo(undo is not None, undo or "", redo is not None, redo or "")
        for name, text, word in (("undo", undo, "&Undo"), ("redo", redo, "&Redo")):
            self.window.actions_by_name[name].setEnabled(text is not None)
            name_action(self.window.actions_by_name[name], word, text or "")
        self._n_columns = None if dataset is None else dataset.n_encoded
        words = ("", "") if dataset is None else (dataset.title, facts(dataset, self._n_columns))
        self.window.show_dataset(*words)
        self.window.race.set_dataset(None if dataset is None else dataset.title, bool(dataset and dataset.is_endless))
        self._show_colour()
        self.workspace.suit_speed()
        self._show_speed()
        self._show_carried_over()
        self._show_start()
        self.show_staleness()
        self.show_panel()

    def _show_colour(self) -> None:
        """The same choice on both pages, and the points of the run as it says."""
        dataset, box = self.workspace.dataset, self.window.stream.mixture.tools.colour
        box.show_choices(*((), None) if dataset is None else (dataset.nominal, dataset.colour_column))
        self.workspace.show_colour()

    def show_panel(self) -> None:
        """Show in the side panel what the page shown uses of it."""
        use = self.races.panel_use(self._n_columns) if self.is_racing else PanelUse(self._n_columns)
        self.window.show_panel(use)

    def show_staleness(self) -> None:
        """Say whether what is shown was made with what is set."""
        self.window.race.show_stale(self.races.differences)
        if self.is_racing:
            self._show_staleness_of_the_race()
        else:
            self._show_staleness_of_the_run()

    def _show_staleness_of_the_race(self) -> None:
        frame = self.desk.frame
        if frame is None or self.desk.race is None:
            self.window.form.set_state("none", "")
            self.window.show_recipe("", "")
            return
        n_columns = len(frame.columns)
        words = f"D = {n_columns:,} · {frame.recipe.describe(n_columns)}"
        if changed := self.races.differences:
            self.window.form.set_state("stale", changed_words(changed, "race"), changed_words(changed, "race", None))
            self.window.show_recipe(words, "settings changed since this race")
        else:
            is_papers = frame.settings.values == "paper"
            self.window.form.set_state("none" if is_papers else "current", "The race shown uses these values")
            self.window.show_recipe(words, "current")

    def _show_staleness_of_the_run(self) -> None:
        workspace = self.workspace
        runner = workspace.runner
        if runner is None:
            self.window.form.set_state("none", "")
            self.window.show_recipe("", "")
            return
        words = runner.recipe.describe(runner.n_columns)
        if changed := workspace.differences:
            self.window.form.set_state("stale", changed_words(changed), changed_words(changed, most=None))
            self.window.show_recipe(words, "settings changed since this run")
        else:
            self.window.form.set_state("live" if workspace.is_live else "current", "")
            self.window.show_recipe(words, "current")

    def show_figures(self, frames_per_second: float = 0.0) -> None:
        """The figures of the status bar."""
        self.show_run_figures()
        self.window.show_frame_rate(frames_per_second)

    def show_run_figures(self) -> None:
        """Those of the frame whose numbers the page shows."""
        frame = self.window.stream.shown
        rate = frame.rows_per_second if frame is not None else 0.0
        words = f"{short_number(rate)} samples/s" if rate else "not running"
        count = frame.census.n_components if frame is not None else None
        if self.is_racing:
            words, count = self.races.figures()
        elif frame is None and self.workspace.is_live:
            self.window.statusBar().showMessage("Scanning the data…", 2000)
        self.window.show_figures(words, count, memory_bytes())

    def set_theme(self, wish: str) -> None:
        """Give everything another look; a run rests meanwhile, or both would take turns at the interpreter for long."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        if self.workspace.runner is not None:
            QTimer.singleShot(0, self, self.workspace.runner.rest().end)  # after all was drawn
        self.theme = themes.resolve(wish, application)  # type: ignore[arg-type]
        themes.apply(self.theme, application)
        self.window.set_theme(self.theme, wish)

    def _choose_theme(self, wish: str) -> None:
        self.memory.theme = wish
        self.set_theme(wish)

    # Jobs and errors

    def _move_job(self, job: Job[Any] | None) -> None:
        if job is None:
            self.window.loading.show_progress(None, 0, 0)
        elif job.seconds >= UNSEEN_SECONDS or not self.window.loading.isHidden():
            self._show_job(job)

    def _show_job(self, job: Job[Any]) -> None:
        self.window.loading.show_progress(job.title, *job.progress)

    def _cancel_jobs(self) -> None:
        """What is under way gives up as soon as it can; the user need not wait for that."""
        self.workspace.cancel_jobs()
        self._move_job(None)

    def _end_job(self, job: Job[Any]) -> None:
        then = self._then.pop(job, None)
        if job.was_cancelled:
            self.note("info", f"{job.title}: cancelled, nothing was changed")
        elif job.error is not None:
            self.fail(job.error)
        elif then is not None:
            self.attempt(lambda: then(job.result))

    def attempt(self, action: Callable[[], Any]) -> bool:
        """Do something, and say whether it could be done; what went wrong is told."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - whatever it is, the user is told and goes on
            self.fail(error)
            return False
        return True

    def fail(self, error: BaseException) -> None:
        """Say in place what went wrong, and keep it in the messages."""
        words = words_of(error)
        self.failure = words
        if not isinstance(error, EXPECTED):
            words = f"Unexpected error ({type(error).__name__}): {words}. Please report it."
        details = "".join(traceback.format_exception(error))
        self.note("error", words, details)
        page = self.window.tabs.currentWidget()
        notices = {self.window.stream: self.window.stream.notice, self.window.race: self.window.race.notice}
        show = notices[page].show_error if page in notices else self.window.data.show_error
        show(words, details)

    def note(self, level: Level, text: str, details: str = "") -> None:
        """Add a line to the messages."""
        self.window.log.add(level, text, details)

    def _forget_recent(self) -> None:
        self.memory.forget_recent()
        self.window.set_recent([])

    def _take_dropped(self, paths: list[str]) -> None:
        first = next((path for path in paths if os.path.isfile(path)), *paths[:1])
        if len(paths) > 1:
            self.done(f"{len(paths)} files were dropped; one is opened at a time: {Path(first).name}")
        if paths:
            self.open_file(first)

    def close(self) -> None:
        """End all threads and remember where the window was."""
        self.is_closed = True
        self.pump.stop()
        self.window.data.background.close()
        self.workspace.close()
        self.desk.close()
        self.heap.join()
        self.memory.keep_window("geometry", self.window.saveGeometry())
        self.memory.keep_window("state", self.window.saveState())
        self.memory.save()


def facts(dataset: Dataset, n_columns: int | None) -> str:
    """One line for the side panel about a dataset with `n_columns` encoded columns."""
    table = dataset.table
    rows = "endless" if dataset.is_endless else f"{table.n_rows:,} rows" if dataset.is_whole else "streamed from disk"
    parts = [f"{rows} × {len(table.columns):,} columns"]
    label = dataset.label_column
    if label is not None:
        parts.append(f"{len(table[label].labels)} classes")
    if dataset.order.kind != "as is":
        parts.append(dataset.order.kind)
    size = 8 * (n_columns or 0) ** 2
    return " · ".join([*parts, *([f"a component takes up to {megabytes(size)}"] if size > NOTEWORTHY else [])])


def _with_ending(path: str, wanted: str) -> str:
    """A path that ends as its kind does; "iris v1.2" does not. A file that the dialog did not ask about stays."""
    given = Path(path).suffix.lower()
    if given in PICTURE_ENDINGS if wanted in PICTURE_ENDINGS else given[1:].isalpha():
        return path
    if os.path.exists(path + wanted):
        raise FileExistsError(f"{path + wanted} already exists: give its full name to replace it, or another name")
    return path + wanted


def _cannot_be_opened(path: str) -> str:
    """What is wrong with a path before its content is looked at."""
    if os.path.isdir(path):
        return f"{path} is a folder: open a file in it"
    if not os.path.exists(path):
        return f"{path} no longer exists: choose another file"
    if not os.access(path, os.R_OK):
        return f"{path} cannot be read (no permission): ask its owner, or choose another file"
    try:
        require_regular(Path(path))
    except SourceError as error:
        return str(error)
    return ""


def _unless_cancelled(progress: Progress, found: Result) -> Result:
    """What was found by something that looks at its progress only at the end."""
    if not progress(0, 0):
        raise Cancelled
    return found
