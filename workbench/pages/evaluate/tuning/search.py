"""Connections of the search for settings."""

from __future__ import annotations

from PySide6.QtCore import QObject

from workbench.desk.evaluate import EvaluateDesk
from workbench.evaluate.trial.plan import Folds
from workbench.evaluate.trial.tuning import Candidate, Tuning
from workbench.pages.evaluate.page import EvaluatePage
from workbench.pages.evaluate.progress import STARTING, progress_words
from workbench.pages.shell import Shell
from workbench.run.job import Job
from workbench.words.counts import counted
from workbench.words.sentences import UserError


class TuningSearch(QObject):
    """Connects the view of the search with the desk."""

    def __init__(self, shell: Shell, page: EvaluatePage, desk: EvaluateDesk, parent: QObject) -> None:
        super().__init__(parent)
        self.shell, self.desk, self._page, self.view = shell, desk, page, page.tuning
        self._job: Job[Tuning] | None = None
        self._seen: Tuning | None = None
        self.view.start_requested.connect(self.start)
        self.view.cancel_requested.connect(self.cancel)
        self.view.use_requested.connect(self._use_candidate)
        shell.hub.dataset_taken.connect(self._leave_other_data)

    def start(self) -> None:
        """Search with the present data and settings."""
        task, search = self._page.form.task, self.view.form.search
        if task is None or search is None or not self.shell.is_ready():
            return

        def begin() -> None:
            plan = self.desk.plan(task, Folds(search.n_folds), search.methods[0], None)
            self._job, self._seen = self.desk.tune(plan, search), None
            self.shell.follow(self._job, self._take_tuning)
            self.view.show_tuning(None)
            self.view.set_running(True)
            self.view.show_progress(0, 0, STARTING)

        self.shell.attempt(begin)

    def cancel(self) -> None:
        """Stop; what was measured stays."""
        self.desk.cancel_tuning()
        self._end("Cancelled. ")

    def _leave_other_data(self) -> None:
        """A search is of the data that it was started with."""
        if self.desk.is_tuned_for_the_data:
            return
        self.desk.cancel_tuning()
        self._job, self._seen = None, self.desk.newest_tuning()
        self.view.set_running(False)
        self.view.show_tuning(None)
        self.view.show_progress(0, 0, "")

    def _end(self, how: str = "") -> None:
        self._job = None
        self.view.set_running(False)
        self._show_newest()
        found = self.view.tuning
        done = "" if found is None else f"{found.n_done:,} of {counted(found.n_total, 'candidate')} tried"
        self.view.show_progress(0, 0, f"{how}{done}")

    def _take_tuning(self, tuning: Tuning) -> None:
        best = tuning.best
        self.shell.note("info", f"Tuned for {tuning.plan.task.words}: {counted(tuning.n_total, 'candidate')} tried")
        if best is None:
            self.shell.fail(UserError("No candidate could be judged by this figure: choose another one."))

    def pump(self) -> bool:
        """Show how far a search is; True if something new was drawn."""
        job = self._job
        if job is None:
            return False
        if job.is_done:
            self._end()
            return True
        if not self._page.isVisible():
            return False
        self.view.show_progress(*job.progress, progress_words(job, "model"))
        return self._show_newest()

    def _show_newest(self) -> bool:
        newest = self.desk.newest_tuning()
        if newest is None or newest is self._seen:
            return False
        self._seen = newest
        self.view.show_tuning(newest)
        return True

    def _use_candidate(self, candidate: Candidate) -> None:
        self.shell.set_choices(self.desk.tuned_choices(candidate))
        self.shell.done("Settings of the search taken over: press play to stream with them")
        self.shell.hub.stream_requested.emit()
