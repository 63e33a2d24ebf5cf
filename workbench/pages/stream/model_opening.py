"""Opening model files on the Stream page: look at one, go on learning from it, or start empty again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject

from workbench.desk.desk import Desk
from workbench.pages.shell import Shell
from workbench.pages.stream.page import StreamPage
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.model_file import ModelFile, OpenedModel, open_model
from workbench.source import Cancelled
from workbench.source.read.options import Progress


class ModelOpening(QObject):
    """Connects the line about the model with the run."""

    def __init__(self, shell: Shell, desk: Desk, page: StreamPage, go_on: Callable[[], None]) -> None:
        super().__init__(page)
        self._shell, self._desk, self._page = shell, desk, page
        self._before = desk.data.choices
        self._taken: Choices | None = None
        """The choices that the open model brought along, and those before it."""
        strip, hub = page.model, shell.hub
        strip.go_on_requested.connect(go_on)
        strip.open_requested.connect(lambda: hub.open_requested.emit(None))
        strip.empty_requested.connect(self.start_empty)
        hub.model_requested.connect(self.open)
        hub.dataset_changed.connect(self.show)

    def open(self, path: str) -> None:
        """Open a model file in the background, and show it."""
        self._load(path, lambda: open_model(path), self._take)

    def load_for(self, file: ModelFile | None, then: Callable[[], object]) -> None:
        """Let runs go on from the model of a recipe, or start empty, then call `then`."""
        self._desk.run.model = None  # also where the file is gone: nothing goes on from another model then
        if file is None:
            then()
            return

        def take(model: OpenedModel) -> None:
            self._desk.run.model = model
            then()

        self._load(file.path, file.opened, take)

    def start_empty(self) -> None:
        """Close the model."""
        was_looked_at = self._desk.run.is_looked_at
        self._desk.run.start_empty()
        if self._taken is not None and self._desk.data.choices == self._taken:
            self._shell.set_choices(self._before)  # those that the model brought along belong to it
        self._taken = None
        if was_looked_at:
            self._page.clear()
        self.show()
        self._shell.refresh()

    def show(self) -> None:
        """Show which model runs go on from."""
        run = self._desk.run
        self._page.model.show_model(run.model, self._desk.data.dataset is not None, run.is_looked_at)

    def _load(self, path: str, make: Callable[[], OpenedModel], take: Callable[[OpenedModel], None]) -> None:
        def work(progress: Progress) -> OpenedModel:
            found = make()
            if not progress(1, 1):
                raise Cancelled
            return found

        self._shell.follow(self._desk.jobs.start(f"Opening {Path(path).name}", work), take)

    def _take(self, model: OpenedModel) -> None:
        shell = self._shell
        shell.memory.folder = str(Path(model.file.path).parent)
        shell.memory.add_recent(model.file.path)
        shell.hub.recent_changed.emit()
        self._page.welcome.hide()
        if self._taken is None:
            self._before = self._desk.data.choices
        self._taken = replace(model.choices, seed=self._before.seed, drift=self._before.drift)
        shell.set_choices(self._taken)
        shell.show_page(self._page)
        shell.attempt(lambda: self._desk.run.look_at(model))
        self.show()
        shell.refresh()
