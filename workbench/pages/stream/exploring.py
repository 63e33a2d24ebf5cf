"""Rows and components on the Stream page: the point under the pointer, and the rows selected."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from workbench.desk.desk import Desk
from workbench.desk.selection import HOWS
from workbench.pages.shell import Shell
from workbench.pages.stream.page import StreamPage
from workbench.pages.stream.point_words import point_text


class Exploring(QObject):
    """Connects the plot and the components with the rows of the dataset."""

    def __init__(self, shell: Shell, desk: Desk, page: StreamPage) -> None:
        super().__init__(page)
        self.shell, self.page = shell, page
        self.data, self.run, self.points, self.members = desk.data, desk.run, desk.points, desk.members
        self._chosen: int | None = None
        page.mixture.point_pointed.connect(self._point_at)
        page.mixture.rows_chosen.connect(self._choose_rows)
        select = page.mixture.tools.select
        select.how_chosen.connect(self._choose_how)
        select.doing_chosen.connect(shell.hub.selecting_requested)
        shell.hub.selection_changed.connect(self.show_selection)
        shell.hub.dataset_changed.connect(self.show_selection)
        shell.hub.plot_requested.connect(self.show_rows)
        page.component_chosen.connect(self._choose_component)
        card = page.details.card
        card.name_given.connect(self._name_component)
        card.rows_wanted.connect(self._select_members)
        card.table_wanted.connect(self._show_in_table)

    def pump(self) -> None:
        """Show what was found out meanwhile."""
        if self.points.take():
            self._tell_of_point()
        if self.shell.attempt(self._take_members) and self._has_members:
            self.show_members()

    def _take_members(self) -> None:
        dataset = self.data.dataset
        by_component = dataset is not None and dataset.colour_choice.by == "component"
        self.members.is_wanted = self._chosen is not None or bool(self.data.selection) or by_component
        self._has_members = self.members.take()

    # The point under the pointer

    def _point_at(self, row: int | None) -> None:
        self.points.ask(row)
        self._tell_of_point()

    def _tell_of_point(self) -> None:
        runner, frame, row = self.run.transport, self.run.frame, self.points.row
        if runner is not None and frame is not None and row is not None:
            text = point_text(frame, row, runner.table, self.points.facts)
            self.page.mixture.area.tell_of_row(row, text)

    # Components and their rows

    def _choose_component(self, number: int | None) -> None:
        self._chosen = number

    def _name_component(self, number: int, name: str) -> None:
        if self.run.transport is not None:
            self.run.transport.name_component(number, name)
            self.shell.hub.members_changed.emit()

    def show_members(self) -> None:
        """Show the rows of components, of which some may be selected."""
        self._show_counts()
        self.shell.hub.members_changed.emit()

    def _show_counts(self) -> None:
        members, selection = self.members.latest, self.data.selection
        n_selected = None
        if members is not None and selection and self.run.is_of_the_data:
            chosen = members.owners[selection.rows[selection.rows < len(members.owners)]]
            counts = np.bincount(chosen[chosen >= 0], minlength=int(members.ids.max(initial=0)) + 1)
            n_selected = {number: int(counts[number]) for number in members.ids.tolist()}
        self.page.show_members(members, n_selected)

    def _select_members(self, number: int, how: str) -> None:
        if self.members.latest is not None and self.run.is_of_the_data:
            rows = np.flatnonzero(self.members.latest.is_of(number))
            self.shell.hub.selection_requested.emit(rows, how)

    def _show_in_table(self, number: int) -> None:
        self._select_members(number, "replace")
        self.shell.hub.table_requested.emit()

    # The selection

    def _choose_rows(self, rows: object, how: str) -> None:
        if self.run.is_of_the_data:
            self.shell.hub.selection_requested.emit(rows, how)

    def _choose_how(self, how: str) -> None:
        self.data.how = next(known for known in HOWS if known == how)
        self.shell.hub.selection_changed.emit()

    def show_selection(self) -> None:
        """Highlight the rows selected, if they are those of the run shown."""
        selection, mixture = self.data.selection, self.page.mixture
        is_shown = bool(selection) and self.run.is_of_the_data
        mixture.area.show_selection(selection.holds if is_shown else None)
        mixture.area.legend.set_note(selection.words if is_shown else "")
        mixture.tools.select.show_selection(bool(selection), self.data.how)
        self._show_counts()

    def show_rows(self) -> None:
        """Show the page, with as many points as it takes to show the rows selected."""
        self.shell.show_page(self.page)
        selection, frame = self.data.selection, self.run.frame
        if frame is None or not self.run.is_of_the_data:
            self.shell.tell("Stream the data to see its rows on the plot.")
            return
        n_shown = int(selection.holds(self.page.mixture.area.rows).sum())
        if n_shown < len(selection.rows):
            self.page.mixture.tools.show_all_points()
