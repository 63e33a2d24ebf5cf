"""Connects window, pages and desk: provides messages, files and background work to the pages.

Connections of a single page are in that page's `wiring`.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from figmn.choosing import Suggestion
from figmn.params import plain
from workbench.desk.desk import Desk
from workbench.pages import open_pages
from workbench.pages.hub import Hub
from workbench.pages.page import Controls, Page
from workbench.pages.shell import Level
from workbench.run.job import Job
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.suggestion import suggest_width
from workbench.source import SourceError
from workbench.source.errors import words_of
from workbench.views.look import theme as themes
from workbench.views.look.pictures import Write
from workbench.window.dataset_facts import facts
from workbench.window.heap import Heap
from workbench.window.pump import Pump
from workbench.window.report import memory_bytes, versions_text
from workbench.window.settings import Memory
from workbench.window.status import MESSAGE_MILLISECONDS
from workbench.window.window import OPENED, Window
from workbench.words.sentences import UserError

AnyPage = TypeVar("AnyPage", bound=Page)
PICTURES = {"png": "PNG picture (*.png)", "svg": "SVG drawing (*.svg)"}
PICTURE_ENDINGS = tuple(f".{kind}" for kind in PICTURES)
UNSEEN_SECONDS = 0.2
"""Jobs that end within this time show no progress bar, which would make the page jump twice."""
EXPECTED = (SourceError, ValueError, OSError, MemoryError)
"""Errors with messages for the user; others are shown with a traceback."""


class WindowShell(QObject):
    """Connects a window with its pages and the desk."""

    def __init__(self, window: Window, desk: Desk, memory: Memory, versions: dict[str, str], theme: str | None) -> None:
        super().__init__(window)
        self._window, self._memory, self.desk = window, memory, desk
        self.hub = Hub(self)
        self.versions = versions_text(versions)
        self.theme = themes.LIGHT
        self.heap = Heap()
        self._then: dict[Job[Any], Callable[[Any], None]] = {}
        self._suggesting: Job[Suggestion] | None = None
        self._n_columns: int | None = None
        self._n_targets = 0
        """Encoded columns of the present dataset; None if it cannot be encoded."""
        self.failure = ""
        """Text of the latest error."""
        self._is_closed = False
        self.pages = open_pages(self, desk)
        window.set_pages(self.pages)
        self.pump = Pump([*(page.pump for page in self.pages), self._take_jobs], self)
        self._connect_window()
        self._connect_form()
        self._connect_run_menu()
        self.set_theme(theme or memory.theme)
        window.form.set_choices(desk.data.choices)
        self.hub.dataset_changed.emit()

    @property
    def window(self) -> Window:
        """The window, parent of dialogs."""
        return self._window

    @property
    def memory(self) -> Memory:
        """Persistent settings."""
        return self._memory

    @property
    def is_closed(self) -> bool:
        """Whether the window was closed."""
        return self._is_closed

    def page(self, kind: type[AnyPage]) -> AnyPage:
        """The page of this class."""
        return next(page for page in self.pages if isinstance(page, kind))

    # Connections

    def _connect_window(self) -> None:
        window, menus = self.window, self.window.menus
        window.closing.connect(self.close)
        window.theme_chosen.connect(self._choose_theme)
        window.tabs.currentChanged.connect(lambda _: self._turn_page())
        window.files_dropped.connect(self._take_dropped)
        window.loading.cancel_requested.connect(self._cancel_jobs)
        window.log.save_requested.connect(self._save_log_text)
        self.pump.rate_changed.connect(self._see_rate)
        self.hub.dataset_changed.connect(self._show_dataset)
        for kind in PICTURES:
            menus.connect(f"export{kind.capitalize()}", partial(self._export_picture, kind))
        menus.connect("copyPicture", partial(self._export_picture, "copy"))
        menus.connect("fit", self._fit)
        menus["rawCsv"].setChecked(self.memory.raw_csv)
        menus["rawCsv"].toggled.connect(lambda on: setattr(self.memory, "raw_csv", on))

    def _connect_form(self) -> None:
        form = self.window.form
        form.changed.connect(self._take_choices)
        form.kept.connect(self._keep_choices)
        form.validity_changed.connect(self._block_start)
        form.restart_requested.connect(lambda: self._control(lambda controls: controls.restart()))
        form.suggestion_requested.connect(self._suggest)
        self.window.menus.connect("resetParameters", form.reset)
        self.window.menus.connect("suggestDelta", self._suggest)

    def _connect_run_menu(self) -> None:
        verbs: dict[str, Callable[[Controls], None]] = {
            "play": lambda controls: controls.play_or_pause(),
            "step": lambda controls: controls.step(),
            "restart": lambda controls: controls.restart(),
            "stop": lambda controls: controls.stop(),
            "unlimited": lambda controls: controls.toggle_unlimited(),
        }
        for name, verb in verbs.items():
            self.window.menus.connect(name, partial(self._control, verb))

    def _control(self, verb: Callable[[Controls], None]) -> None:
        controls = self.window.running_page.controls
        if controls is not None:
            verb(controls)

    def _turn_page(self) -> None:
        self.window.page.turned_to()
        self.window.status.clearMessage()  # it belonged to the previous page
        self.refresh()

    def _fit(self) -> None:
        self.window.pictured_page.fit()

    def _export_picture(self, kind: str) -> None:
        self.window.pictured_page.export_picture(kind)

    # What is shown

    def show_page(self, view: QWidget) -> None:
        """Bring the page of a view to the front."""
        self.window.show_page(view)

    def _show_dataset(self) -> None:
        dataset = self.desk.data.dataset
        self._n_columns = None if dataset is None else dataset.n_encoded
        self._n_targets = 0 if dataset is None else dataset.n_encoded_targets
        self.window.show_dataset(*("", "") if dataset is None else (dataset.title, facts(dataset, self._n_columns)))
        self._show_carried_over()
        self.refresh()

    def refresh(self) -> None:
        """Update panel, staleness and figures for the page in front."""
        self.window.side.show_use(self.window.page.panel_use(self._n_columns), self._n_targets)
        for page in self.pages:
            page.settings_changed()
        staleness = self.window.running_page.staleness()
        self.window.form.set_state(staleness.state, staleness.words, staleness.details)
        self.window.status.show_recipe(staleness)
        self.refresh_figures()

    def refresh_figures(self) -> None:
        """Update the status bar's figures for the page in front."""
        self.window.status.show_figures(self.window.running_page.figures(), memory_bytes())

    def _see_rate(self, frames_per_second: float) -> None:
        self.refresh_figures()
        self.window.status.show_frame_rate(frames_per_second)
        for page in self.pages:
            page.tick()
        self.heap.look()

    def set_theme(self, wish: str) -> None:
        """Apply a theme to the window and all pages."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        for page in self.pages:
            page.rest_while_drawing()
        self.theme = themes.resolve(wish, application)  # type: ignore[arg-type]
        themes.apply(self.theme, application)
        self.window.set_theme(self.theme, wish)

    def _choose_theme(self, wish: str) -> None:
        self.memory.theme = wish
        self.set_theme(wish)

    # Parameters

    def set_choices(self, choices: Choices) -> None:
        """Set the parameter form."""
        self.window.form.set_choices(choices)
        self._take_choices(choices)

    def _take_choices(self, choices: Choices) -> None:
        """Apply hyper-parameters; those that may change during a run apply to it at once."""
        self.desk.set_choices(choices)
        self._show_carried_over()
        self.refresh()

    def _keep_choices(self) -> None:
        self.desk.data.keep_choices()
        self._show_carried_over()

    def _show_carried_over(self) -> None:
        self.window.form.show_carried_over(self.desk.data.carried_over)

    def _suggest(self) -> None:
        """Compare widths on the present data in the background, and set the best."""
        self.window.form.commit()
        recipe, dataset = self.desk.data.recipe, self.desk.data.dataset
        if recipe is None or (self._suggesting is not None and not self._suggesting.is_done):
            return
        job = self.desk.jobs.start(
            f"Comparing widths on {recipe.origin.title}",
            lambda progress: suggest_width(recipe, progress, dataset),
        )
        self._suggesting = job
        self.follow(job, lambda found: self._take_suggestion(recipe, found))

    def _take_suggestion(self, recipe: Recipe, found: Suggestion) -> None:
        if self.desk.data.recipe != recipe:
            self.done("Data or parameters have changed since a suggestion was asked for: it was not applied")
            return
        self.window.form.take_suggestion(found.delta, found.reason)
        self.note("info", f"δ = {plain(found.delta)} suggested for {recipe.origin.title}. {found.reason}")
        self.tell(f"δ = {plain(found.delta)} was set")

    def is_ready(self) -> bool:
        """Commit pending edits; True if the form is valid and something may start."""
        self.window.form.commit()
        return not self.window.form.problem() and self.may_start()

    def may_start(self) -> bool:
        """Whether all pages allow a start; otherwise the reason is reported."""
        reason = next((reason for page in self.pages if (reason := page.why_busy()) is not None), None)
        if reason is not None:
            self.fail(reason)
        return reason is None

    def _block_start(self, valid: bool, reason: str) -> None:
        for page in self.pages:
            page.block_start("" if valid else reason)

    # Files

    def ask_open(self, title: str = "Open a file", kinds: str = OPENED) -> str | None:
        """Ask for an existing file; None if the user cancelled."""
        return self.window.ask_open(self.memory.folder, kinds, title)

    def export_drawing(self, title: str, name: str, draw: Callable[[str], Write]) -> None:
        """Ask for a file, let a view draw its picture, and write that in the background."""

        def write(path: str) -> Job[str]:
            return self.desk.exports.file(path, "picture", draw(path))

        self.export(title, name, PICTURES[Path(name).suffix[1:]], write)

    def export_text(self, title: str, name: str, kinds: str, text: Callable[[], str]) -> None:
        """Ask for a file, and make and write a text in the background."""
        self.export(title, name, kinds, lambda path: self.desk.exports.text(path, text))

    def export(self, title: str, name: str, kinds: str, write: Callable[[str], Job[str]]) -> None:
        """Ask for a file and let `write` start a job that writes it."""
        path = self.window.ask_save(title, str(Path(self.memory.folder) / name), kinds)
        if path is None:
            return
        self.memory.folder = str(Path(path).parent)
        self.attempt(lambda: self.follow(write(_with_ending(path, Path(name).suffix)), self.done))

    def _save_log_text(self, text: str) -> None:
        self.export_text("Save the messages", "workbench-messages.txt", "Text (*.txt)", lambda: text)

    def _take_dropped(self, paths: list[str]) -> None:
        first = next((path for path in paths if os.path.isfile(path)), *paths[:1])
        if len(paths) > 1:
            self.done(f"{len(paths)} files were dropped; one is opened at a time: {Path(first).name}")
        if paths:
            self.hub.open_requested.emit(first)

    # Work in the background

    def follow(self, job: Job[Any], then: Callable[[Any], None]) -> None:
        """Call `then` with the job's result when it has ended; errors are reported."""
        self._then[job] = then

    def show_progress(self, job: Job[Any]) -> None:
        """Show the progress of a job at once; that of other jobs is shown when they take a while."""
        self.window.loading.show_progress(job.title, *job.progress)

    def _take_jobs(self) -> int:
        for ended in self.desk.jobs.take_done():
            self._end_job(ended)
        job = self.desk.jobs.shown
        is_shown = not self.window.loading.isHidden()
        if job is None and is_shown:
            self.window.loading.show_progress(None, 0, 0)
        elif job is not None and (is_shown or job.seconds >= UNSEEN_SECONDS):
            self.show_progress(job)
        return 0

    def _cancel_jobs(self) -> None:
        """Cancel all running jobs; they end in the background."""
        self.desk.jobs.cancel()
        self.window.loading.show_progress(None, 0, 0)

    def _end_job(self, job: Job[Any]) -> None:
        then = self._then.pop(job, None)
        if job.was_cancelled:
            self.note("info", f"{job.title}: cancelled, nothing was changed")
        elif job.error is not None:
            self.fail(job.error)
        elif then is not None:
            self.attempt(lambda: then(job.result))

    # Messages and errors

    def attempt(self, action: Callable[[], Any]) -> bool:
        """Call `action`; if it raises, report the error and return False."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - any error is reported, and the program continues
            self.fail(error)
            return False
        return True

    def fail(self, error: BaseException) -> None:
        """Report an error on the page in front and in the messages."""
        words = words_of(error)
        self.failure = words
        if not isinstance(error, EXPECTED):
            words = f"Unexpected error ({type(error).__name__}): {words}. Please report it."
        details = "".join(traceback.format_exception(error))
        self.note("error", words, details)
        self.window.page.notice.show_error(words, details)

    def note(self, level: Level, text: str, details: str = "") -> None:
        """Add a line to the messages."""
        self.window.log.add(level, text, details)

    def done(self, text: str) -> None:
        """Report that something was done, in the messages and in the status bar."""
        self.note("info", text)
        self.tell(text)

    def tell(self, text: str, milliseconds: int = MESSAGE_MILLISECONDS) -> None:
        """Show a text in the status bar for a while."""
        self.window.status.tell(text, milliseconds)

    def close(self) -> None:
        """End all threads and remember where the window was."""
        self._is_closed = True
        self.pump.stop()
        for page in self.pages:
            page.close()
        self.desk.close()
        self.heap.join()
        self.memory.keep_window("geometry", self.window.saveGeometry())
        self.memory.keep_window("state", self.window.saveState())
        self.memory.save()


def _with_ending(path: str, wanted: str) -> str:
    """The path, with the wanted suffix added to names like "iris v1.2"; raises if a file of that name exists."""
    given = Path(path).suffix.lower()
    if given in PICTURE_ENDINGS if wanted in PICTURE_ENDINGS else given[1:].isalpha():
        return path
    if os.path.exists(path + wanted):
        raise UserError("{path} already exists: give its full name to replace it, or another name.", path=path + wanted)
    return path + wanted
