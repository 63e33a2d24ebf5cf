"""Connections of the Data page: opening, making and changing datasets."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMenu

from workbench.desk.desk import Desk
from workbench.pages.data.attributes.groups import Owners
from workbench.pages.data.dialogs.generator_dialog import GeneratorDialog
from workbench.pages.data.dialogs.paint_dialog import PaintDialog
from workbench.pages.data.dialogs.preview_dialog import PreviewDialog, look_at
from workbench.pages.data.page import DataPage
from workbench.pages.data.selecting import Selecting
from workbench.pages.page import Command, Page
from workbench.pages.shell import Shell
from workbench.run.recipe.dataset import Dataset, FileOrigin, GeneratorOrigin, Origin, SampleOrigin
from workbench.run.recipe.model_file import is_model
from workbench.run.recipe.recipe import Recipe
from workbench.source import Cancelled, Preview, SourceError
from workbench.source.read.opening import is_recipe, require_regular
from workbench.source.read.options import Progress
from workbench.views.fields.sample_menu import fill_sample_menu
from workbench.views.look.asking import ask
from workbench.views.look.naming import name_action, plain_tip
from workbench.words.names import component_name
from workbench.words.sentences import UserError

Found = TypeVar("Found")
RECIPES = "Recipe (*.json);;All files (*)"


def open_page(shell: Shell, desk: Desk) -> Page:
    """Called by the window."""
    return DataWiring(shell, desk)


class DataWiring(Page):
    """Connects the Data page with the dataset and its undo history."""

    key, title, icon = "data", "&Data", "table"

    def __init__(self, shell: Shell, desk: Desk) -> None:
        self.page = DataPage(shell.versions)
        super().__init__(shell, self.page)
        self.desk = desk
        self.selecting = Selecting(shell, desk.data, self.page)
        self._make_commands()
        self._connect_page()
        self._connect_hub()
        self.show_recent()

    def _make_commands(self) -> None:
        self._samples, self._recent = QMenu(self.shell.window), QMenu(self.shell.window)
        fill_sample_menu(self._samples, lambda name: self.load(SampleOrigin(name)))
        self._recent.setToolTipsVisible(True)
        samples = Command("samples", "open", "Open &sample")
        self._recent_command = Command("recent", "open", "Open &recent")
        samples.setMenu(self._samples)
        self._recent_command.setMenu(self._recent)
        self._forget = Command("forgetRecent", "open", "Forget these files", self.forget_recent)
        self._undo = Command("undo", "edit", "&Undo", self.undo, keys="Ctrl+Z", icon="undo")
        self._redo = Command("redo", "edit", "&Redo", self.redo, keys="Ctrl+Shift+Z", icon="redo")
        self.commands = [
            Command("open", "open", "&Open file…", lambda: self.open_file(None), keys="Ctrl+O", icon="open"),
            samples,
            self._recent_command,
            Command("generate", "open", "&Generate data…", self.generate, keys="Ctrl+G", icon="generator"),
            Command("paint", "open", "&Paint data…", self.paint, keys="Ctrl+P", icon="paint"),
            Command("openRecipe", "open", "Open re&cipe…", self.ask_recipe, keys="Ctrl+Shift+O"),
            self._undo,
            self._redo,
            *self.selecting.commands,
        ]

    def _connect_page(self) -> None:
        page = self.page
        page.open_requested.connect(self.open_file)
        page.origin_requested.connect(self.load)
        page.dataset_changed.connect(self.change_dataset)
        page.change_wanted.connect(self.change_later)
        page.stream_requested.connect(self.shell.hub.run_requested)
        page.generator_requested.connect(self.generate)
        page.paint_requested.connect(self.paint)
        page.undo_requested.connect(self.undo)
        page.redo_requested.connect(self.redo)

    def _connect_hub(self) -> None:
        hub = self.shell.hub
        hub.open_requested.connect(self.open_file)
        hub.load_requested.connect(self.load)
        hub.recipe_requested.connect(self.open_recipe)
        hub.unattended_requested.connect(self.run_unattended)
        hub.change_requested.connect(self.change_dataset)
        hub.dataset_changed.connect(self._show_dataset)
        hub.members_changed.connect(self._show_owners)
        hub.recent_changed.connect(self.show_recent)

    # Loading

    def open_file(self, path: str | None) -> None:
        """Preview a file before it is loaded; without a path, ask for one."""
        path = path or self.shell.ask_open()
        if path is None:
            return
        if problem := _cannot_be_opened(path):
            self.shell.fail(problem)
            return
        if is_recipe(Path(path)):
            self.open_recipe(path)
            return
        if is_model(Path(path)):
            self.shell.hub.model_requested.emit(path)
            return
        self.shell.memory.folder = str(Path(path).parent)
        job = self.desk.jobs.start(
            f"Previewing {Path(path).name}", lambda progress: _unless_cancelled(progress, look_at(path))
        )
        self.shell.show_progress(job)

        def show(found: Preview | SourceError | None) -> None:
            self._later(lambda: self._load_from(PreviewDialog(path, found, self.shell.window)))

        self.shell.follow(job, show)

    def load(self, origin: Origin) -> None:
        """Load a dataset in the background."""
        self.shell.show_page(self.page)
        job = self.desk.jobs.load(origin)
        self.shell.follow(job, lambda dataset: self._take_loaded(dataset, f"load of {origin.title}"))

    def _take_loaded(self, dataset: Dataset, what: str) -> None:
        self.take_dataset(dataset, what)
        n_rows, n_columns = dataset.table.n_rows, len(dataset.table.columns)
        self.shell.note("info", f"Loaded {dataset.title}: {n_rows:,} rows, {n_columns:,} columns")
        for note in dataset.table.notes:
            self.shell.note("info", note)
        if isinstance(dataset.origin, FileOrigin):
            self.shell.memory.add_recent(dataset.origin.path)
            self.show_recent()

    def generate(self) -> None:
        """Open the generator dialog."""
        self._load_from(GeneratorDialog(self.shell.window))

    def paint(self) -> None:
        """Open the paint dialog."""
        self._load_from(PaintDialog(self.shell.window))

    def _later(self, action: Callable[[], None]) -> None:
        """Open a dialog from the event loop: inside the pump's callback it would block the pump, and all views."""
        QTimer.singleShot(0, self, lambda: None if self.shell.is_closed else self.shell.attempt(action))

    def _load_from(self, dialog: PreviewDialog | GeneratorDialog | PaintDialog) -> None:
        dialog.set_theme(self.shell.theme)
        chosen: Callable[[], Origin] = dialog.origin
        origin = ask(dialog, chosen)
        if origin is not None:
            self.load(origin)

    # Recipes

    def ask_recipe(self) -> None:
        """Ask for a recipe file."""
        path = self.shell.ask_open("Open a recipe", RECIPES)
        if path is not None:
            self.open_recipe(path)

    def open_recipe(self, path: str) -> None:
        """Load the data and settings of a recipe, and run it."""
        self.shell.attempt(lambda: self.run_recipe(Recipe.from_json(path)))

    def run_recipe(self, recipe: Recipe) -> None:
        """Load the data of a recipe, then run it from the first sample."""
        self.shell.show_page(self.page)

        def begin(dataset: Dataset) -> None:
            self.take_dataset(dataset, f"recipe of {dataset.title}")
            self.shell.hub.recipe_loaded.emit(recipe)

        self.shell.follow(self.desk.jobs.load(recipe.origin, recipe), begin)

    def run_unattended(self, recipe: str | None, file: str | None, most: int) -> None:
        """Run a recipe, or a file with default options, unlimited; of an endless stream, at most `most` samples."""
        self.shell.hub.speed_requested.emit(None)

        def go() -> None:
            if recipe is None and is_model(Path(file or "")):
                self.shell.hub.model_requested.emit(file)
                return
            if recipe is not None or is_recipe(Path(file or "")):
                wanted = Recipe.from_json(recipe or file or "")
            else:
                wanted = Recipe(FileOrigin(file or ""))
            endless = isinstance(wanted.origin, GeneratorOrigin) and wanted.origin.endless
            self.run_recipe(replace(wanted, n_samples=wanted.n_samples or most) if endless else wanted)

        self.shell.attempt(go)

    # The dataset

    def take_dataset(self, dataset: Dataset, what: str) -> None:
        """Make a dataset the present one."""
        self.desk.take_dataset(dataset, what)
        self._tell_what_undo_lost()
        self.shell.hub.dataset_taken.emit()
        self.shell.hub.dataset_changed.emit()

    def change_dataset(self, dataset: Dataset, what: str) -> None:
        """Apply the user's change of the dataset."""
        self.desk.data.versions.change(dataset, what)
        self._tell_what_undo_lost()
        self.shell.hub.dataset_changed.emit()

    def change_later(self, change: Callable[[Dataset], Dataset], what: str) -> None:
        """Change the dataset in the background."""
        before = self.desk.data.dataset
        if before is None:
            return

        def work(progress: Progress) -> Dataset:
            return _unless_cancelled(progress, change(before))

        def take(changed: Dataset) -> None:
            present = self.desk.data.dataset
            if present is before:
                self.change_dataset(changed, what)
            elif present is not None and present.origin == before.origin:
                self.change_later(change, what)  # the dataset was changed meanwhile: apply the change to the new one

        self.shell.follow(self.desk.jobs.start(f"Changing the {what}", work), take)

    def _tell_what_undo_lost(self) -> None:
        if n_lost := self.desk.data.versions.take_lost():
            steps = "The oldest step" if n_lost == 1 else f"The {n_lost:,} oldest steps"
            self.shell.note("info", f"{steps} can no longer be undone: their data took too much memory")

    def undo(self) -> None:
        """Undo the last change of the dataset."""
        if what := self.desk.data.versions.undo():
            self.shell.note("info", f"Undone: {what}")
            self.shell.hub.dataset_changed.emit()

    def redo(self) -> None:
        """Redo the change that was undone last."""
        if what := self.desk.data.versions.redo():
            self.shell.note("info", f"Redone: {what}")
            self.shell.hub.dataset_changed.emit()

    def _show_dataset(self) -> None:
        versions = self.desk.data.versions
        self.page.show_dataset(self.desk.data.dataset)
        undo, redo = versions.undo_text, versions.redo_text
        self.page.show_undo(undo is not None, undo or "", redo is not None, redo or "")
        self._show_owners()
        for command, text, word in ((self._undo, undo, "&Undo"), (self._redo, redo, "&Redo")):
            command.setEnabled(text is not None)
            name_action(command, word, text or "")

    def _show_owners(self) -> None:
        """Colour the histogram by the components of the rows, where that is chosen."""
        dataset, members, run = self.desk.data.dataset, self.desk.members.latest, self.desk.run
        if dataset is None or dataset.colour_choice.by != "component":
            return
        owners = None
        if members is not None and run.transport is not None and run.is_of_the_data:
            largest_first = members.ids[(-members.sizes).argsort(kind="stable")].tolist()
            names = {number: component_name(number, run.transport.names) for number in largest_first}
            owners = Owners(members.owners, names) if len(members.owners) == dataset.table.n_rows else None
        self.page.details.show_owners(owners)

    # Recent files

    def show_recent(self) -> None:
        """List the recent files."""
        paths = self.shell.memory.recent
        self._recent.clear()
        for path in paths:
            action = self._recent.addAction(Path(path).name.replace("&", "&&"))
            action.setToolTip(plain_tip(path))
            action.setStatusTip(path)
            action.triggered.connect(lambda _=False, path=path: self.open_file(path))
        if paths:
            self._recent.addSeparator()
            self._recent.addAction(self._forget)
        self._recent_command.setVisible(bool(paths))
        self.page.set_recent(paths)

    def forget_recent(self) -> None:
        """Clear the list of recent files."""
        self.shell.memory.forget_recent()
        self.show_recent()

    def close(self) -> None:
        """End the thread that computes figures of large columns."""
        self.page.background.close()


def _cannot_be_opened(path: str) -> UserError | None:
    """The error for a path that cannot be opened, found without reading its content; None if there is none."""
    if os.path.isdir(path):
        return UserError("{path} is a folder: open a file in it.", path=path)
    if not os.path.exists(path):
        return UserError("{path} no longer exists: choose another file.", path=path)
    if not os.access(path, os.R_OK):
        return UserError("{path} cannot be read (no permission): ask its owner, or choose another file.", path=path)
    try:
        require_regular(Path(path))
    except SourceError as error:
        return error
    return None


def _unless_cancelled(progress: Progress, found: Found) -> Found:
    """Return a result unless the job was cancelled, for work that does not check that itself."""
    if not progress(0, 0):
        raise Cancelled
    return found
