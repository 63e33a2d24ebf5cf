"""Evaluations of the present dataset, the list of their results, and the search for hyper-parameters. No Qt."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from workbench.desk.data import DataDesk
from workbench.desk.differences import recipe_differences
from workbench.desk.jobs import Jobs
from workbench.evaluate.trial.comparison import Comparison, compare
from workbench.evaluate.trial.outcome import Evaluation
from workbench.evaluate.trial.plan import Plan, Task, TestOption, tasks_of
from workbench.evaluate.trial.report import csv_of, described, figure_lines
from workbench.evaluate.trial.testing import evaluate
from workbench.evaluate.trial.tuning import Candidate, Search, Tuning, tune
from workbench.run.job import Job
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.recipe import Recipe
from workbench.run.show.frame import INPUTS_AND_TARGETS, INPUTS_ONLY, HeldOut
from workbench.source.read.options import Progress
from workbench.words.numbers import fixed
from workbench.words.sentences import UserError

NO_DATA = "Open a file or choose a sample first."
STREAMED = "These data are streamed, so their rows cannot be divided. Load them into a table first."


@dataclass(frozen=True, eq=False)
class Result:
    """A line of the result list."""

    number: int
    title: str
    dataset: str
    began: str
    """Date and time."""
    recipe: Recipe
    evaluation: Evaluation | None = None
    """None for the held-out figures of a stream run."""
    lines: tuple[tuple[str, str], ...] = ()
    """Figures of a stream run, by name."""


class EvaluateDesk:
    """One evaluation and one search at a time."""

    def __init__(self, data: DataDesk, jobs: Jobs) -> None:
        self._data, self._jobs = data, jobs
        self.results: list[Result] = []
        """All that was found, the oldest first."""
        self._n_results = 0
        self._newest: Evaluation | None = None
        self._newest_tuning: Tuning | None = None
        self._asked = self._searched = object()
        self._tuned: Plan | None = None
        """What the present or last search is for."""
        self._job: Job[Evaluation] | None = None
        self._search: Job[Tuning] | None = None

    # What can be evaluated

    def tasks(self) -> tuple[Task, ...]:
        """Of the present dataset; none where there is no table."""
        dataset = self._data.dataset
        return () if dataset is None or not dataset.is_whole else tasks_of(dataset.table)

    def why_not(self) -> str:
        """Why nothing can be evaluated; empty if something can."""
        dataset = self._data.dataset
        if dataset is None:
            return NO_DATA
        return "" if dataset.is_whole else STREAMED

    def plan(self, task: Task, option: TestOption, method: str, baseline: str | None) -> Plan:
        """An evaluation of the present dataset with the present settings."""
        recipe = self._data.recipe
        if recipe is None:
            raise UserError("There is no data to evaluate on: open a file or choose a sample first.")
        return Plan(recipe, task, option, method, baseline)

    # Evaluations

    @property
    def is_running(self) -> bool:
        """Whether an evaluation is under way."""
        return self._job is not None and not self._job.is_done

    def start(self, plan: Plan) -> Job[Evaluation]:
        """Evaluate in the background; one that is under way is cancelled."""
        self.cancel()
        self._newest = None
        self._asked = asked = object()  # what a cancelled one still finds is not shown

        def work(progress: Progress) -> Evaluation:
            return evaluate(plan, self._dataset_of(plan.recipe, progress), progress, show)

        def show(evaluation: Evaluation) -> None:
            if self._asked is asked:
                self._newest = evaluation

        self._job = self._jobs.start(f"Evaluating {plan.task.words}", work, is_long=True)
        return self._job

    def cancel(self) -> None:
        """Cancel the evaluation that is under way."""
        if self._job is not None:
            self._job.cancel()

    def newest(self) -> Evaluation | None:
        """What the present or last evaluation has found so far."""
        return self._newest

    def keep(self, evaluation: Evaluation) -> Result:
        """Add a complete evaluation to the results."""
        plan = evaluation.plan
        methods = " | ".join(outcome.title for outcome in evaluation.outcomes)
        return self._add(
            f"{plan.task.words} · {plan.option.words} · {methods}", plan.recipe, evaluation.began, evaluation
        )

    def keep_stream_run(self, recipe: Recipe, held_out: HeldOut, sample: int) -> Result:
        """Add the figures of held-out rows of a run; those of the same run before them are replaced."""
        whole = INPUTS_AND_TARGETS if held_out.inputs_only is not None else "all columns"
        lines = [
            ("samples learned", f"{sample:,}"),
            ("held-out rows", f"{held_out.n_rows:,}"),
            (f"log-likelihood per row, {whole}", fixed(held_out.log_likelihood, 4)),
        ]
        if held_out.inputs_only is not None:
            lines.append((f"log-likelihood per row, {INPUTS_ONLY}", fixed(held_out.inputs_only, 4)))
        began = datetime.now().isoformat(sep=" ", timespec="seconds")
        title = f"stream run · {held_out.n_rows:,} rows held out"
        last = self.results[-1] if self.results else None
        if last is None or last.evaluation is not None or last.recipe != recipe:
            return self._add(title, recipe, began, None, tuple(lines))
        self.results[-1] = replace(last, began=began, lines=tuple(lines))
        return self.results[-1]

    def _add(
        self,
        title: str,
        recipe: Recipe,
        began: str,
        evaluation: Evaluation | None,
        lines: tuple[tuple[str, str], ...] = (),
    ) -> Result:
        self._n_results += 1
        result = Result(self._n_results, title, recipe.origin.title, began, recipe, evaluation, lines)
        self.results.append(result)
        return result

    def delete(self, result: Result) -> None:
        """Remove a result from the list."""
        self.results.remove(result)

    def put_back(self, result: Result) -> None:
        """Undo a deletion."""
        self.results = sorted([*self.results, result], key=lambda one: one.number)

    def is_current(self, result: Result) -> bool:
        """Whether data and settings are still those of a result."""
        recipe = self._data.recipe
        return recipe is not None and not recipe_differences(result.recipe, recipe)

    def compare(self, first: Result, second: Result, name: str) -> Comparison:
        """A figure of Fast IGMN in two results, fold by fold."""
        if first.evaluation is None or second.evaluation is None:
            raise UserError("The held-out figures of a stream run have no folds to compare. Evaluate both instead.")
        if first.evaluation.plan.task != second.evaluation.plan.task:
            raise UserError(
                "{first} and {second} are different targets. Compare two evaluations of the same one.",
                first=first.evaluation.plan.task.words,
                second=second.evaluation.plan.task.words,
            )
        return compare(first.evaluation, second.evaluation, name)

    def texts(self, kind: Literal["json", "csv"]) -> str:
        """All results, for a file."""
        whole = [(one.number, one.evaluation) for one in self.results if one.evaluation is not None]
        runs = [one for one in self.results if one.evaluation is None]
        if kind == "csv":
            lines = [line for number, evaluation in whole for line in figure_lines(number, evaluation)]
            for run in runs:
                lines += [
                    (run.number, run.began, run.dataset, "", run.title, "Fast IGMN", name, "", "", value)
                    for name, value in run.lines
                ]
            return csv_of(sorted(lines, key=lambda line: line[0]))
        found = [described(number, evaluation) for number, evaluation in whole]
        found += [
            {
                "number": run.number,
                "began": run.began,
                "dataset": run.dataset,
                "title": run.title,
                "figures": dict(run.lines),
                "recipe": json.loads(run.recipe.to_text()),
            }
            for run in runs
        ]
        return json.dumps(sorted(found, key=lambda one: one["number"]), indent=1, ensure_ascii=False) + "\n"

    # The search for hyper-parameters

    def tune(self, plan: Plan, search: Search) -> Job[Tuning]:
        """Search in the background; a search that is under way is cancelled."""
        self.cancel_tuning()
        self._newest_tuning, self._tuned = None, plan
        self._searched = searched = object()

        def work(progress: Progress) -> Tuning:
            return tune(plan, self._dataset_of(plan.recipe, progress), search, progress, show)

        def show(tuning: Tuning) -> None:
            if self._searched is searched:
                self._newest_tuning = tuning

        self._search = self._jobs.start(f"Tuning for {plan.task.words}", work, is_long=True)
        return self._search

    def cancel_tuning(self) -> None:
        """Cancel the search that is under way."""
        if self._search is not None:
            self._search.cancel()

    @property
    def is_tuned_for_the_data(self) -> bool:
        """Whether the present or last search is of the present dataset; True where there was none."""
        dataset = self._data.dataset
        return self._tuned is None or (dataset is not None and self._tuned.recipe.origin == dataset.origin)

    def newest_tuning(self) -> Tuning | None:
        """What the present or last search has found so far."""
        return self._newest_tuning

    def tuned_choices(self, candidate: Candidate) -> Choices:
        """The present choices with the hyper-parameters of a candidate."""
        return replace(self._data.choices, parameters=candidate.parameters, label_width=candidate.label_width)

    def _dataset_of(self, recipe: Recipe, progress: Progress) -> Dataset:
        """The dataset of a recipe: the present one, or loaded again."""
        present = self._data.dataset
        if present is not None and Recipe.of(present, recipe.choices, recipe.n_samples) == replace(recipe, changes=()):
            return present
        return recipe.dataset(progress)
