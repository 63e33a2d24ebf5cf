"""A run without a window: the same recipe gives the same model and the same log."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from figmn import FastIGMN
from figmn.engine import Engine
from workbench.run.files import write_safely
from workbench.run.learn.drift_watch import DriftWatch
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import CsvLog, Lines, SampleLog
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.model_file import OpenedModel
from workbench.run.recipe.recipe import Recipe, RecipeError
from workbench.run.rows.prepared import Prepared, prepare
from workbench.run.show.drift import Drift
from workbench.run.show.frame import HeldOut
from workbench.source import Cancelled, Encoder
from workbench.source.read.options import Progress, silent

CHUNK = 16_384
"""Rows between two calls of the progress callback; fewer where rows are wide."""
CHUNK_VALUES = 2**20


@dataclass(frozen=True, eq=False)
class Result:
    """The result of a recipe."""

    recipe: Recipe
    model: Engine
    encoder: Encoder
    """The columns of the model."""
    n_samples: int
    """Samples of the run; the model has seen more where it goes on from another."""
    log: SampleLog
    """What every sample did, as far as it was kept."""
    labels: tuple[str, ...]
    """The classes that the codes of the log stand for."""
    n_births: int
    n_removals: int
    n_merges: int
    engine_seconds: float
    warnings: tuple[str, ...]
    left_out: str
    """Which rows of the source were not learned, in words; empty where all were."""
    held_out: HeldOut | None
    """Log-likelihood of the held-out rows; None where none are held out."""
    drifts: tuple[Drift, ...] = ()
    """Drifts that were seen, where the recipe watches for them."""

    @property
    def microseconds(self) -> float:
        """Mean engine time of a sample."""
        return 1e6 * self.engine_seconds / max(1, self.n_samples)


def run(
    recipe: Recipe,
    progress: Progress = silent,
    *,
    csv: str | Path | None = None,
    raw_csv: bool = False,
    engine: type[Engine] = FastIGMN,
    dataset: Dataset | None = None,
) -> Result:
    """Run a recipe to its end.

    Parameters
    ----------
    recipe : what to run; a stream without end needs `n_samples`
    progress : called with what is learned and the total; False cancels
    csv : a file for the log of all samples, however many; it is there when the run has ended, or not at all
    raw_csv : write labels as they are; otherwise an apostrophe stands before those that begin like a formula
    engine : FastIGMN or IGMN; a run that goes on from a model has FastIGMN
    dataset : of the recipe, where it is loaded already

    Examples
    --------
    >>> from workbench.run.recipe.dataset import SampleOrigin
    >>> run(Recipe(SampleOrigin("iris"))).model.n_seen
    150
    """
    dataset = recipe.dataset() if dataset is None else dataset
    model = None if recipe.model is None else recipe.model.opened()
    prepared = prepare(dataset, recipe, model=model)
    if dataset.is_endless and recipe.n_samples is None:
        raise RecipeError(
            "{title} never ends. Give the recipe a number of samples, n_samples.", title=recipe.origin.title
        )
    if csv is None:
        return _run(recipe, prepared, SampleLog(), progress, engine, model)
    found: list[Result] = []

    def write(new: Path) -> None:
        file = CsvLog(new, prepared.labels, raw_csv)
        try:
            found.append(_run(recipe, prepared, SampleLog(), progress, engine, model, file))
        finally:
            file.close()

    write_safely(csv, write)
    return found[0]


def _run(
    recipe: Recipe,
    prepared: Prepared,
    log: SampleLog,
    progress: Progress,
    engine: type[Engine],
    model: OpenedModel | None,
    file: CsvLog | None = None,
) -> Result:
    watch = DriftWatch(0 if model is None else model.snapshot.n_seen) if recipe.choices.drift else None
    both = log if file is None else _Both(log, file)
    learner = Learner(recipe, prepared, both, engine, drift_watch=watch, model=model)
    step = max(1, min(CHUNK, CHUNK_VALUES // prepared.encoder.n_columns))
    try:
        while len(learner.advance(step).values):
            if not progress(learner.n_done, learner.n_total or 0):
                raise Cancelled
    finally:
        learner.close()
    return Result(
        recipe=recipe,
        model=learner.engine,
        encoder=prepared.encoder,
        n_samples=learner.n_done,
        log=log,
        labels=prepared.labels,
        n_births=learner.n_births,
        n_removals=learner.n_removals,
        n_merges=learner.n_merges,
        engine_seconds=learner.engine_seconds,
        warnings=tuple(learner.complaints),
        left_out=learner.left_out,
        held_out=learner.held_out(math.inf),
        drifts=() if watch is None else watch.drifts,
    )


class _Both:
    """A log in memory and one in a file."""

    def __init__(self, memory: SampleLog, file: CsvLog) -> None:
        self._memory, self._file = memory, file

    def add(self, lines: Lines) -> None:
        """Add a chunk to both."""
        self._memory.add(lines)
        self._file.add(lines)
