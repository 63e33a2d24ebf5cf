"""Files that a user exports, written in the background. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from workbench.desk.data import DataDesk
from workbench.desk.jobs import Jobs
from workbench.desk.run import RunDesk
from workbench.run.ask.scored import Scoring
from workbench.run.ask.table_files import write_table
from workbench.run.files import write_safely
from workbench.run.job import Job
from workbench.run.learn.runner import Runner
from workbench.run.learn.sample_log import write_csv
from workbench.run.recipe.model_file import save_model
from workbench.run.rows.going_on import columns_to_score
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
        """Write the model as it is now, with what its columns mean, as far as that is known."""
        asked = self._require_run().ask(lambda learner, _: (learner.engine.snapshot(), learner.prepared.encoder))
        model = self._run.model if self._run.is_looked_at else None
        is_known = model is None or model.is_described

        def work(progress: Progress) -> str:
            snapshot, encoder = asked.result()
            described = encoder if is_known else None
            _write_unless_cancelled(path, lambda new: save_model(snapshot, described, new), progress)
            return f"{snapshot.n_components:,} components written to {Path(path).name}"

        return self._jobs.start("Writing the model", work, writes=True)

    def scored(self, path: str | Path, raw: bool = False) -> Job[str]:
        """Write the table with what the mixture, as it is now, says of every row; `raw` as in `log`."""
        make = self._scoring()

        def work(progress: Progress) -> str:
            scoring = make()
            write_table(path, scoring.blocks(), scoring.table.n_rows, raw, progress)
            return f"{counted(scoring.table.n_rows, 'row')} written to {Path(path).name}"

        return self._jobs.start("Scoring the table", work, writes=True, is_long=True)

    def _scoring(self) -> Callable[[], Scoring]:
        """What scores the table of the run, or by a model that is looked at the present dataset. Call it in a job."""
        runner, model, dataset = self._require_run(), self._run.model, self._data.dataset
        if self._run.is_looked_at and model is not None:
            if dataset is None or not dataset.is_whole:
                raise UserError("There is no table to score: open a file that fits into memory first.")
            return lambda: Scoring(model.snapshot, *columns_to_score(model, dataset))
        table = runner.table
        if table is None:
            raise UserError(
                "There is no table of this run in memory: open a file that fits into memory, and stream it."
            )
        asked = runner.ask(lambda learner, _: (learner.engine.snapshot(), learner.prepared.encoder))
        return lambda: Scoring(*asked.result(), table, runner.names)

    def recipe(self, path: str | Path) -> Job[str]:
        """Write the recipe of the run, or of the next one where there is none yet."""
        runner, next_one = self._run.transport, self._run.next_recipe
        recipe = next_one if runner is None or (self._run.is_looked_at and next_one is not None) else runner.recipe
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
