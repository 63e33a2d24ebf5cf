"""Files that a user exports, written in the background. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from figmn import save
from workbench.desk.data import DataDesk
from workbench.desk.jobs import Jobs
from workbench.desk.run import RunDesk
from workbench.run.ask.scored import Scoring
from workbench.run.ask.table_files import write_table
from workbench.run.files import write_safely
from workbench.run.job import Job
from workbench.run.learn.runner import Runner
from workbench.run.learn.sample_log import write_csv
from workbench.source import Cancelled
from workbench.source.read.options import Progress
from workbench.words.counts import counted
from workbench.words.sentences import UserError


class Exports:
    """Each method starts a job, whose result is a sentence that says what was written."""

    def __init__(self, data: DataDesk, run: RunDesk, jobs: Jobs) -> None:
        self._data, self._run, self._jobs = data, run, jobs

    def log(self, path: str | Path, raw: bool = False) -> Job[str]:
        """Write the per-sample log; `raw` keeps labels that begin like a formula as they are."""
        asked = self._require_run().ask(lambda learner, log: (log.lines(), learner.prepared.labels, learner.n_done))

        def work(progress: Progress) -> str:
            lines, labels, n_done = asked.result()
            write_csv(path, lines, labels, raw, progress)
            kept = "" if lines.n_samples == n_done else f" (the latest of {n_done:,})"
            return f"{lines.n_samples:,} samples{kept} written to {Path(path).name}"

        return self._jobs.start("Writing the per-sample CSV", work, writes=True)

    def model(self, path: str | Path) -> Job[str]:
        """Write the model as it is now."""
        asked = self._require_run().ask(lambda learner, log: learner.engine.snapshot())  # noqa: ARG005

        def work(progress: Progress) -> str:
            snapshot = asked.result()
            _write_unless_cancelled(path, lambda new: save(snapshot, new), progress)
            return f"{snapshot.n_components:,} components written to {Path(path).name}"

        return self._jobs.start("Writing the model", work, writes=True)

    def scored(self, path: str | Path, raw: bool = False) -> Job[str]:
        """Write the table with what the mixture, as it is now, says of every row; `raw` as in `log`."""
        runner = self._require_run()
        table = runner.table
        if table is None:
            raise UserError(
                "There is no table of this run in memory: open a file that fits into memory, and stream it."
            )
        asked = runner.ask(lambda learner, _: (learner.engine.snapshot(), learner.prepared.encoder))

        def work(progress: Progress) -> str:
            scoring = Scoring(*asked.result(), table)
            write_table(path, scoring.blocks(), table.n_rows, raw, progress)
            return f"{counted(table.n_rows, 'row')} written to {Path(path).name}"

        return self._jobs.start("Scoring the table", work, writes=True, is_long=True)

    def recipe(self, path: str | Path) -> Job[str]:
        """Write the recipe of the run, or of the next one where there is none yet."""
        recipe = self._run.transport.recipe if self._run.transport is not None else self._data.recipe
        if recipe is None:
            raise UserError("There is no recipe yet: open a file or choose a sample first.")
        return self.file(path, "recipe", lambda: recipe.to_json(path))

    def text(self, path: str | Path, text: Callable[[], str]) -> Job[str]:
        """Call `text` and write its result."""

        def work(progress: Progress) -> str:
            _write_unless_cancelled(path, lambda new: new.write_text(text(), encoding="utf-8"), progress)
            return f"File written to {Path(path).name}"

        return self._jobs.start("Writing the file", work, writes=True)

    def file(self, path: str | Path, what: str, write: Callable[[], object]) -> Job[str]:
        """Let `write` write a file; it cannot be cancelled."""

        def work(progress: Progress) -> str:  # noqa: ARG001
            write()
            return f"{what.capitalize()} written to {Path(path).name}"

        return self._jobs.start(f"Writing the {what}", work, writes=True)

    def _require_run(self) -> Runner:
        if self._run.transport is None:
            raise UserError("Nothing has been learned yet: press play first.")
        return self._run.transport


def _write_unless_cancelled(path: str | Path, write: Callable[[Path], object], progress: Progress) -> None:
    """Let `write` write a new file, and replace the file at `path` unless the job was cancelled meanwhile."""

    def fill(new: Path) -> None:
        write(new)
        if not progress(1, 1):
            raise Cancelled

    write_safely(path, fill)
