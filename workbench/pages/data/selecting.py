"""Selecting rows: requests of all pages, the commands of the Edit menu, and how the Data page shows it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QObject

from workbench.desk.data import DataDesk
from workbench.desk.selection import HOWS, Selection
from workbench.pages.data.dialogs.selection_dialog import SelectionDialog
from workbench.pages.data.page import DataPage
from workbench.pages.page import Command
from workbench.pages.shell import Shell
from workbench.run.recipe.saved_selection import SavedSelection
from workbench.views.look.asking import ask


class Selecting(QObject):
    """Owns the changes of the selection; pages request them by the hub."""

    def __init__(self, shell: Shell, data: DataDesk, page: DataPage) -> None:
        super().__init__(page)
        self.shell, self.data, self.page = shell, data, page
        self._doings: dict[str, Callable[[], None]] = {
            "all": self.select_all,
            "invert": lambda: self._take(Selection.inverted),
            "clear": lambda: self._take(Selection.cleared),
            "table": shell.hub.table_requested.emit,
            "plot": shell.hub.plot_requested.emit,
            "save": self.ask_name,
        }
        self.commands = [
            Command("selectAll", "edit", "Select &all rows", self._doings["all"]),
            Command("invertSelection", "edit", "&Invert the selection", self._doings["invert"]),
            Command("clearSelection", "edit", "&Clear the selection", self._doings["clear"], keys="Ctrl+Shift+A"),
            Command("selectionTable", "edit", "Show the rows selected in the &table", self._doings["table"]),
            Command("saveSelection", "edit", "&Save the selection as a column…", self._doings["save"]),
            Command("selectionPlot", "edit", "Show the rows selected on the &plot", self._doings["plot"]),
        ]
        hub = shell.hub
        hub.selection_requested.connect(self.select)
        hub.selecting_requested.connect(lambda doing: self._doings[doing]())
        hub.selection_changed.connect(self.show_selection)
        hub.dataset_changed.connect(self.show_selection)
        hub.table_requested.connect(self.show_table)
        page.rows_chosen.connect(hub.selection_requested)
        page.selecting.how_chosen.connect(self._choose_how)
        page.selecting.doing_chosen.connect(hub.selecting_requested)
        self.show_selection()

    def select(self, rows: ArrayLike, how: str) -> None:
        """Select rows, or change the selection by them; without a word on how, as the menu says."""
        wanted = next((known for known in HOWS if known == how), self.data.how)
        if self.shell.attempt(lambda: self.data.select(rows, wanted)):
            self.shell.hub.selection_changed.emit()

    def select_all(self) -> None:
        """Select all rows of the dataset; of a stream, those of its table."""
        if self.data.dataset is not None:
            self.select(np.arange(self.data.dataset.table.n_rows), "replace")

    def _take(self, change: Callable[[Selection], Selection]) -> None:
        if self.shell.attempt(lambda: self.data.take_selection(change(self.data.selection))):
            self.shell.hub.selection_changed.emit()

    def _choose_how(self, how: str) -> None:
        self.data.how = next(known for known in HOWS if known == how)
        self.shell.hub.selection_changed.emit()

    def show_selection(self) -> None:
        """Show the selection on the Data page, and enable what needs one."""
        selection = self.data.selection
        self.page.show_selection(selection.mask if selection else None, selection.words)
        self.page.selecting.show_selection(bool(selection), self.data.how)
        for command in self.commands:
            needs_rows = command.name not in {"selectAll", "invertSelection"}
            command.setEnabled(bool(selection) if needs_rows else self.data.dataset is not None)

    def ask_name(self) -> None:
        """Ask for a name, and save the selection as a column."""
        dataset = self.data.dataset
        if dataset is not None and self.data.selection:
            words = self.data.selection.words
            name = ask(dialog := SelectionDialog(dataset.table.names, words, self.shell.window), lambda: dialog.name)
            if name is not None:
                self.save(name)

    def save(self, name: str) -> None:
        """Save the selection as a column of labels; this can be undone."""
        dataset = self.data.dataset
        if dataset is None:
            return

        def change() -> None:
            changed = dataset.with_selection(SavedSelection.of(name, self.data.selection.rows))
            self.shell.hub.change_requested.emit(changed, f"column {name}")
            self.shell.done(f"{self.data.selection.words}: saved as column {name}")

        self.shell.attempt(change)

    def show_table(self) -> None:
        """Show the rows selected alone in the table of the Data page."""
        self.shell.show_page(self.page)
        self.page.values.show_selected_only(True)
