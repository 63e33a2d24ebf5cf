"""Connections of the Evaluate page: evaluations, their results, and the search for settings."""

from __future__ import annotations

import time
from functools import partial
from typing import Literal

from PySide6.QtWidgets import QApplication

from figmn.system.arrays import Ints
from workbench.desk.desk import Desk
from workbench.desk.differences import changed_words, recipe_differences
from workbench.desk.evaluate import Result
from workbench.evaluate.trial.outcome import Evaluation
from workbench.evaluate.trial.plan import Plan, Prequential, SuppliedFile
from workbench.pages.evaluate.page import NOTHING_YET, EvaluatePage
from workbench.pages.evaluate.parts.part import Part
from workbench.pages.evaluate.progress import STARTING, progress_words
from workbench.pages.evaluate.tuning.search import TuningSearch
from workbench.pages.page import Command, Page
from workbench.pages.shell import Shell
from workbench.run.job import Job
from workbench.run.recipe.dataset import SampleOrigin
from workbench.words.durations import duration
from workbench.words.sentences import UserError

CSV = "CSV (*.csv)"
SAVED = {"json": "JSON (*.json)", "csv": CSV}
NO_TARGET = (
    "No column is a target, so only the density of the rows can be evaluated. Choose a target on the Data page to "
    "evaluate predictions."
)
INTERVAL, SHARE = 0.2, 0.15
"""Least seconds between two pictures of an evaluation that is under way, and the share of the time that they may take:
folds of small tables are learned in this process, which waits meanwhile."""


def open_page(shell: Shell, desk: Desk) -> Page:
    """Called by the window."""
    return EvaluateWiring(shell, desk)


class EvaluateWiring(Page):
    """Connects the Evaluate page with its desk."""

    key, title, icon = "evaluate", "&Evaluate", "check"
    has_picture = True

    def __init__(self, shell: Shell, desk: Desk) -> None:
        self.desk, self.data = desk.evaluate, desk.data
        self.page = EvaluatePage(self.desk.is_current, self.desk.compare, shell.versions)
        super().__init__(shell, self.page)
        self._job: Job[Evaluation] | None = None
        self._seen: Evaluation | None = None
        self._shown_at = 0.0
        self._result: Result | None = None
        """The result that is shown."""
        self._deleted: list[Result] = []
        self._blocked = ""
        """Why no run may start: a hyper-parameter is invalid."""
        self.commands = [Command("exportResults", "export", "Export &evaluations…", lambda: self.save_all("json"))]
        self.search = TuningSearch(shell, self.page, self.desk, self)
        self._connect_page()
        hub = shell.hub
        hub.dataset_changed.connect(self._show_dataset)
        hub.results_changed.connect(self._show_results)
        self._show_dataset()

    def _connect_page(self) -> None:
        page, hub = self.page, self.shell.hub
        page.open_requested.connect(lambda: hub.open_requested.emit(None))
        page.sample_requested.connect(lambda: hub.load_requested.emit(SampleOrigin("iris")))
        page.export_requested.connect(self.export)
        page.form.start_requested.connect(self.start)
        page.form.cancel_requested.connect(self.cancel)
        page.form.options.file_requested.connect(self._choose_file)
        results = page.results
        results.chosen.connect(self._choose)
        results.again_requested.connect(self._run_again)
        results.compare_requested.connect(page.show_comparison)
        results.settings_requested.connect(self._use_settings)
        results.delete_requested.connect(self._delete)
        results.undo_requested.connect(self._undo)
        results.save_requested.connect(self.save_all)
        page.confusion.rows_chosen.connect(self._select_rows)
        page.confusion.plot_requested.connect(hub.plot_requested)
        page.confusion.table_requested.connect(hub.table_requested)

    # Data and settings

    def _show_dataset(self) -> None:
        reason, tasks = self.desk.why_not(), self.desk.tasks()
        self.page.form.show_tasks(tasks)
        self.page.form.set_blocked(self._blocked or reason)
        self.page.tuning.set_task(self.page.form.task)
        self.page.show_hint("" if self.desk.results or self._job else reason, self.data.dataset is None)
        self._show_shown()

    def settings_changed(self) -> None:
        """Mark results that were made with other data or settings."""
        self.page.results.look_again()
        self._show_shown()

    def block_start(self, reason: str) -> None:
        """Disable the start while a hyper-parameter is invalid."""
        self._blocked = reason
        self.page.form.set_blocked(reason or self.desk.why_not())

    def turned_to(self) -> None:
        """Show what has happened meanwhile."""
        self.pump()
        self._show_shown()

    def _choose_file(self) -> None:
        path = self.shell.ask_open("Choose the file to test")
        if path is not None:
            self.page.form.options.set_file(path)

    # Evaluations

    def start(self) -> None:
        """Evaluate with the present data and settings."""
        task, form = self.page.form.task, self.page.form
        if task is None or not self.shell.is_ready():
            return
        self.shell.attempt(lambda: self._run(self.desk.plan(task, form.options.option(), form.method, form.baseline)))

    def _run_again(self, result: Result) -> None:
        evaluation = result.evaluation
        if evaluation is not None and self.shell.is_ready():
            self.shell.attempt(lambda: self._run(evaluation.plan))

    def _run(self, plan: Plan) -> None:
        self.notice.clear()
        job = self._job = self.desk.start(plan)
        self._seen, self._result = None, None
        self.shell.follow(job, partial(self._keep, job))
        self.page.results.view.clearSelection()
        if isinstance(plan.option, Prequential):
            self.page.want(self.page.course)  # its curves grow while it runs
        self.page.form.set_running(True)
        self.page.form.show_progress(0, 0, STARTING)
        self.page.show_nothing(STARTING)

    def cancel(self) -> None:
        """Stop; what was found is not kept."""
        self.desk.cancel()
        self._end()

    def _end(self) -> None:
        self._job = None
        self.page.form.set_running(False)
        self._show_shown()

    def _keep(self, job: Job[Evaluation], evaluation: Evaluation) -> None:
        if not job.is_cancelled:
            result = self.desk.keep(evaluation)
            self.shell.note("info", f"Evaluated: {result.title}, {duration(evaluation.seconds)}")
            self._show_results(result)

    def pump(self) -> int:
        """Show how far an evaluation and a search are."""
        return int(self._pump_evaluation()) + int(self.search.pump())

    def _pump_evaluation(self) -> bool:
        job, newest = self._job, self.desk.newest()
        if job is None:
            return False
        if job.is_done:
            self._end()
            return True
        if not self.page.isVisible():
            return False
        noun = "row" if newest is not None and isinstance(newest.plan.option, Prequential) else "model"
        self.page.form.show_progress(*job.progress, progress_words(job, noun))
        part = self.page.part
        rest = max(INTERVAL, part.seconds / SHARE) if isinstance(part, Part) else INTERVAL
        is_due = time.monotonic() - self._shown_at >= rest
        if newest is None or newest is self._seen or not newest.outcomes or not is_due or self._result is not None:
            return False
        self._seen, self._shown_at = newest, time.monotonic()
        self.page.show_evaluation(newest, f"Running: {_title(newest)}", "What was found so far", is_stale=False)
        return True

    # Results

    def _show_results(self, chosen: Result | None = None) -> None:
        self.page.show_hint("", can_open=False)
        self.page.results.show_results(self.desk.results, chosen)

    def _choose(self, result: Result | None) -> None:
        if result is not self._result:
            self._result, self._seen = result, None  # with none chosen, what is under way is shown again
            self._show_shown()
            if result is not None:
                self.page.turn_to_result()

    def _show_shown(self) -> None:
        """Show the chosen result, or why there is none."""
        result = self._result
        if result is None:
            if self._job is None or self._seen is None:
                self.page.show_nothing(self._nothing())
            return
        title = f"{result.number}: {result.title}"
        facts, is_stale = self._facts(result)
        if result.evaluation is None:
            self.page.show_lines(result.lines, title, facts, is_stale)
        else:
            self.page.show_evaluation(result.evaluation, title, facts, is_stale)

    def _nothing(self) -> str:
        if self._job is not None:
            return STARTING
        tasks = self.desk.tasks()
        if self.desk.results:
            return "Select a result on the left, or press Start."
        return NO_TARGET if tasks and all(task.kind == "density" for task in tasks) else NOTHING_YET

    def _facts(self, result: Result) -> tuple[str, bool]:
        """Data, time and settings of a result, and whether they are not the present ones."""
        present, evaluation = self.data.recipe, result.evaluation
        took = "" if evaluation is None else f" · took {duration(evaluation.seconds)}"
        facts = f"{result.recipe.describe()} · {result.began}{took}"
        changed = [] if present is None else recipe_differences(result.recipe, present)
        if changed:
            return f"{facts}\n{changed_words(changed, 'result')}", True
        return facts, False

    def _use_settings(self, result: Result) -> None:
        self.shell.set_choices(result.recipe.choices)
        self.shell.done(f"Settings of result {result.number} taken over")

    def _delete(self, results: list[Result]) -> None:
        for result in results:
            self.desk.delete(result)
        self._deleted = list(results)
        pair = self.page.comparing.pair
        if pair is not None and any(result in pair for result in results):
            self.page.end_comparison()
        self._show_results()
        self.page.results.show_deleted(len(results))

    def _undo(self) -> None:
        restored, self._deleted = self._deleted, []
        for result in restored:
            self.desk.put_back(result)
        self.page.results.show_deleted(0)
        self._show_results(restored[0] if restored else None)

    def _select_rows(self, rows: Ints, adds: bool, words: str) -> None:
        """Select rows of the confusion matrix on all pages."""
        evaluation, dataset = self.page.evaluation, self.data.dataset
        if evaluation is None:
            return
        if isinstance(evaluation.plan.option, SuppliedFile):
            self.page.confusion.show_selected(f"{words}. They are rows of the supplied file.", False)
        elif dataset is None or dataset.origin != evaluation.plan.recipe.origin:
            self.page.confusion.show_selected(f"{words}. They are rows of other data than those loaded.", False)
        else:
            self.shell.hub.selection_requested.emit(rows, "add" if adds else "replace")
            self.page.confusion.show_selected(
                f"{words}. {self.data.selection.words.capitalize()}".strip(), bool(len(rows))
            )

    # Exports

    def export(self, kind: str) -> None:
        """Write or copy what the part in front shows."""
        if kind == "csv":
            self._export_table()
        elif kind == "copy" and self.page.plot is None:
            text = self.page.part.csv(True)
            if text is not None:
                QApplication.clipboard().setText(text())
                self.shell.done("Table copied")
        else:
            self.export_picture(kind)

    def export_picture(self, kind: str) -> None:
        """Write or copy the plot in front."""
        plot = self.page.plot
        if plot is None:
            self.shell.fail(
                UserError("This part has no plot: choose Curves, Residuals or another with one, or save it as CSV.")
            )
        elif kind == "copy":
            QApplication.clipboard().setImage(plot.picture())
            self.shell.done("Picture copied")
        else:
            self.shell.export_drawing("Export the plot", f"{self._file_name}.{kind}", plot.draw_picture)

    def _export_table(self) -> None:
        text = self.page.part.csv(self.shell.memory.raw_csv)
        if text is not None:
            self.shell.export_text("Export the table", f"{self._file_name}.csv", CSV, text)

    def save_all(self, kind: Literal["json", "csv"]) -> None:
        """Write all results."""
        if not self.desk.results:
            self.shell.fail(UserError("There is no result to save yet: evaluate something first."))
            return
        text = partial(self.desk.texts, kind)
        self.shell.export_text("Save all results", f"evaluations.{kind}", SAVED[kind], text)

    @property
    def _file_name(self) -> str:
        part = self.page.tabs.tabText(self.page.tabs.currentIndex()).lower().replace(" ", "-")
        number = "" if self._result is None else f"-{self._result.number}"
        return f"evaluation{number}-{part}"

    def fit(self) -> None:
        """Fit the plot in front to its data."""
        if self.page.plot is not None:
            self.page.plot.fit_wanted.emit()

    def close(self) -> None:
        """End the background thread."""
        self.desk.cancel()
        self.desk.cancel_tuning()
        self.page.background.close()


def _title(evaluation: Evaluation) -> str:
    plan = evaluation.plan
    return f"{plan.task.words} · {plan.option.words}"
