"""Connections of the Predict page: the question, and the mixture of the run that answers it."""

from __future__ import annotations

import math

from workbench.desk.desk import Desk
from workbench.pages.page import Command, Page
from workbench.pages.predict.answers import Truth
from workbench.pages.predict.page import PredictPage
from workbench.pages.shell import Shell
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.question import nothing_wanted
from workbench.run.job import Job
from workbench.source.table.table import Column, Table, days
from workbench.views.look.naming import one_line
from workbench.words.names import NO_NAMES

NO_DATA = "Open a file or choose a sample on the Data page, and stream it."
NO_RUN = "Stream the data first. Questions are answered by the newest mixture, also while it learns."
TABLES = "CSV (*.csv);;Parquet (*.parquet);;ARFF (*.arff)"
NO_START = "The run could not start: the messages say why."
WAITING = "The run is being prepared."
NO_ANSWER = "There is no answer to this question: change it on the left."
NO_COMPONENT = "The mixture has no component yet."


def open_page(shell: Shell, desk: Desk) -> Page:
    """Called by the window."""
    return PredictWiring(shell, desk)


class PredictWiring(Page):
    """Connects the Predict page with the run."""

    key, title, icon = "predict", "&Predict", "search"

    def __init__(self, shell: Shell, desk: Desk) -> None:
        self.page = PredictPage(shell.versions)
        super().__init__(shell, self.page)
        self.data, self.run, self.predict = desk.data, desk.run, desk.predict
        self._attributes: tuple[Attribute, ...] = ()
        self._truth: Truth = {}
        """What the row that is asked about has in all attributes."""
        self._is_taking_row = False
        self._failure = ""
        self.exports = desk.exports
        self.commands = [Command("exportScored", "export", "Export scored &table…", self.export_scored)]
        self.page.score.clicked.connect(self.export_scored)
        self.page.form.changed.connect(self._ask)
        self.page.answers.dropped.connect(self.page.form.assign)
        self.page.row_chosen.connect(self._ask_about_row)
        self.page.answers.map.chosen.connect(self._choose_map)
        self.page.answers.map.place_chosen.connect(self.page.form.know)
        self.page.answers.next.asked.connect(self._rank_next)
        self.page.answers.next.known.connect(self.page.form.make_known)
        self.page.answers.change.asked.connect(self._find_change)
        self.page.answers.change.values_chosen.connect(self.page.form.know)
        self.page.answers.check_asked.connect(self._check_coverage)
        self.page.run_requested.connect(shell.hub.run_requested)
        shell.hub.dataset_changed.connect(self._show_rows)
        shell.hub.members_changed.connect(self._show)
        self._show()

    def turned_to(self) -> None:
        """Show what has been answered meanwhile."""
        self._show_rows()
        self.pump()
        self._show()

    def pump(self) -> int:
        """Take answers, while the page is in front."""
        if not self.page.isVisible():
            return 0
        try:
            is_changed = self.predict.take()
        except Exception as error:  # noqa: BLE001 - whatever the mixture says, the page says it
            self._fail(error)
            return 0
        if not is_changed:
            return 0
        if self.predict.attributes is not self._attributes:
            self._attributes, self._truth = self.predict.attributes, {}
            self._show_rows()
            if self._attributes:
                self.page.form.set_attributes(self._attributes)
                self._ask()
        if self.predict.is_answered and self._failure:
            self._failure = ""
            self.notice.clear()
        self._show()
        return 1

    def _fail(self, error: Exception) -> None:
        """Show an error once: the same question may be asked again and again while the mixture learns."""
        if str(error) != self._failure:
            self._failure = str(error)
            self.shell.fail(error)
            self._show()

    # The question

    def _ask(self) -> None:
        if not self._is_taking_row:
            self._truth = {}  # another question than that about the row
        question = self.page.form.question
        for card in (self.page.answers.map, self.page.answers.change):
            card.offer(self._attributes, question)
        self.predict.map.choice = self.page.answers.map.choice
        if not question.wanted:
            self.notice.show_error(str(nothing_wanted()), kind="info")
            self._failure = "nothing wanted"
            self.predict.ask(question, is_asked=False)
        else:
            self.predict.ask(question)
            self.pump()  # asks at once, not at the next turn of the timer
        self._show()

    def _choose_map(self) -> None:
        self.predict.map.choice = self.page.answers.map.choice
        self.pump()
        self._show()

    def _rank_next(self) -> None:
        if self.page.form.question.wanted and self._attributes:
            self.shell.attempt(self.predict.rank_next)
        self._show()

    def _find_change(self) -> None:
        asked = self.page.answers.change.change_question()
        if asked is not None:
            self.shell.attempt(lambda: self.predict.find_change(asked))
        self._show()

    def _check_coverage(self) -> None:
        self.shell.attempt(self.predict.check_coverage)
        self._show()

    def _ask_about_row(self, number: int) -> None:
        table = self.run.table
        if table is None or not 1 <= number <= table.n_rows:
            return
        values = {one.name: _value_of(one, table, number - 1) for one in self._attributes}
        self._truth = {name: value for name, value in values.items() if value is not None}
        self._is_taking_row = True
        self.page.form.take_values(values)
        self._is_taking_row = False

    def export_scored(self) -> None:
        """Write the table with component, densities, predictions and filled gaps."""
        self.shell.export("Export the scored table", f"{self.run.file_name}-scored.csv", TABLES, self._write_scored)

    def _write_scored(self, path: str) -> Job[str]:
        return self.exports.scored(path, self.shell.memory.raw_csv)

    # What is shown

    def _show_rows(self) -> None:
        table = self.run.table
        self.page.set_n_rows(None if table is None else table.n_rows)

    def _show(self) -> None:
        if self.predict.latest is not None:
            runner = self.run.transport
            evidence = self.page.answers.evidence
            evidence.names = NO_NAMES if runner is None else runner.names
            is_other = self.data.dataset is not None and not self.run.is_of_the_data
            evidence.other_data = "" if runner is None or not is_other else one_line(runner.recipe.origin.title)
            self.page.show_answer(self.predict.latest, self._truth, self.predict.is_answered)
            self._show_map()
            self._show_findings()
        elif self.run.transport is None:
            has_data = self.data.dataset is not None
            self.page.show_hint(NO_RUN if has_data else NO_DATA, can_ask=False, can_run=has_data)
        elif not self._attributes:
            words = NO_START if self.run.transport.state == "failed" else WAITING
            self.page.show_hint(words, can_ask=False)
        else:
            self.page.show_hint(NO_ANSWER if self._failure else NO_COMPONENT, can_ask=True)

    def _show_map(self) -> None:
        asked, card = self.predict.map, self.page.answers.map
        card.setVisible(asked.key is not None or not card.is_open)
        card.show_map(asked.latest, self.predict.question, asked.is_current)

    def _show_findings(self) -> None:
        ranking = self.predict.next
        is_current = ranking.latest is not None and ranking.latest.question == self.predict.question
        self.page.answers.next.show_found(ranking.latest, is_current, ranking.is_under_way)
        coverage = self.predict.coverage
        self.page.answers.show_coverages(
            coverage.latest or {}, self.predict.question, self.predict.can_check, coverage.is_under_way
        )
        self.page.answers.change.show_found(self.predict.change.latest, self.predict.change.is_under_way)


def _value_of(attribute: Attribute, table: Table, row: int) -> float | str | None:
    """The value of a row, as `_value`; None also where the table is another one, without this column or label."""
    if attribute.name not in table.names or table[attribute.name].kind != attribute.block.kind:
        return None
    found = _value(table[attribute.name], row)
    return None if attribute.has_labels and found not in attribute.labels else found


def _value(column: Column, row: int) -> float | str | None:
    """The value of a row in the user's units, or its label; None where it is missing."""
    if column.kind == "nominal":
        code = int(column.values[row])
        return column.labels[code] if code >= 0 else None
    number = float(days(column.values[row : row + 1])[0] if column.kind == "date" else column.values[row])
    return number if math.isfinite(number) else None
