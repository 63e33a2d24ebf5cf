"""The paper's protocol for classifiers: two stratified folds a seed, settings chosen inside of the training fold.

Every learner gets the same folds. Where it has several candidates, two folds of the training fold choose the one with
the highest weighted area under the ROC curve, and this one learns the whole training fold.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from statistics import fmean
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from workbench.evaluate.folds import Fold, stratified_folds
from workbench.evaluate.quality.learners import Learner
from workbench.evaluate.quality.scores import Codes, Floats, brier, class_areas, log_loss, weighted_area
from workbench.evaluate.quality.sets import LabelledSet
from workbench.source import Table

N_FOLDS = 2


@dataclass(frozen=True)
class FoldScore:
    """What one learner reached on one test fold."""

    set: str
    learner: str
    seed: int
    fold: int
    first_area: float
    """Area under the ROC curve of the class declared first, which Weka reports."""
    weighted_area: float
    accuracy: float
    log_loss: float
    """NaN where a learner has no probabilities; so is the Brier score."""
    brier: float
    seconds: float
    """CPU time of choosing and learning."""
    candidate: int
    """Position of the candidate that was chosen."""


@dataclass(frozen=True)
class AccuracyTable:
    """All scores so far."""

    sets: tuple[LabelledSet, ...]
    learners: Mapping[str, Learner]
    n_seeds: int
    scores: tuple[FoldScore, ...] = ()

    @property
    def n_total(self) -> int:
        """Scores when all is done."""
        return len(self.sets) * len(self.learners) * self.n_seeds * N_FOLDS

    def mean(self, set_name: str, learner: str, figure: str) -> float:
        """Mean of a field of `FoldScore` over all folds; NaN before any is measured."""
        found = [getattr(score, figure) for score in self.scores if (score.set, score.learner) == (set_name, learner)]
        known = [value for value in found if not np.isnan(value)]
        return fmean(known) if known else float("nan")


def measure_accuracy(
    sets: Sequence[LabelledSet], learners: Mapping[str, Learner], n_seeds: int, n_jobs: int = 1
) -> Iterator[AccuracyTable]:
    """Measure all learners on all sets with seeds 0, 1, …; yields the table whenever a set and seed is done.

    >>> from workbench.evaluate.quality.learners import chosen_learners
    >>> from workbench.evaluate.quality.sets import chosen_sets
    >>> *_, table = measure_accuracy(chosen_sets(["iris"]), chosen_learners(["lda"]), n_seeds=1)
    >>> round(table.mean("iris", "lda", "first_area"), 2)
    1.0
    """
    table = AccuracyTable(tuple(sets), dict(learners), n_seeds)
    yield table
    tasks = [partial(_scores_of_seed, one, table.learners, seed) for one in sets for seed in range(n_seeds)]
    for found in _results(tasks, n_jobs):
        table = replace(table, scores=(*table.scores, *found))
        yield table


def _results(tasks: Sequence[Callable[[], list[FoldScore]]], n_jobs: int) -> Iterator[list[FoldScore]]:
    """Results of the tasks as they are done, in this process or in `n_jobs` of their own with one BLAS thread each."""
    if n_jobs == 1:
        yield from (task() for task in tasks)
        return
    # Spawned, not forked: a fork of a process with threads can wait for ever.
    with ProcessPoolExecutor(n_jobs, get_context("spawn"), threadpool_limits, (1,)) as pool:
        futures = [pool.submit(task) for task in tasks]
        try:
            yield from (future.result() for future in as_completed(futures))
        finally:
            for future in futures:
                future.cancel()


def _scores_of_seed(one: LabelledSet, learners: Mapping[str, Learner], seed: int) -> list[FoldScore]:
    table = one.read()
    folds = stratified_folds(table, N_FOLDS, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns that are constant in a fold, networks that stop early
        return [
            _score(one.name, name, learner, table, fold, seed, number)
            for number, fold in enumerate(folds)
            for name, learner in learners.items()
        ]


def _score(set_name: str, name: str, learner: Learner, table: Table, fold: Fold, seed: int, number: int) -> FoldScore:
    began = time.process_time()
    train = table.take(fold.train)
    candidate = _chosen(learner, train, seed)
    rows = _Rows.of(learner, train, table.take(fold.test))
    model = _fitted(learner.candidates[candidate], rows, seed)
    seconds = time.process_time() - began
    scores, is_probability = rows.answers(model)
    return FoldScore(
        set=set_name,
        learner=name,
        seed=seed,
        fold=number,
        first_area=float(class_areas(scores, rows.codes)[0]),
        weighted_area=weighted_area(scores, rows.codes),
        accuracy=float((scores.argmax(axis=1) == rows.codes).mean()),
        log_loss=log_loss(scores, rows.codes) if is_probability else float("nan"),
        brier=brier(scores, rows.codes) if is_probability else float("nan"),
        seconds=seconds,
        candidate=candidate,
    )


def _chosen(learner: Learner, train: Table, seed: int) -> int:
    """Position of the candidate with the best mean area over two folds of the training rows."""
    if len(learner.candidates) == 1:
        return 0
    areas = np.zeros(len(learner.candidates))
    for fold in stratified_folds(train, N_FOLDS, seed):
        rows = _Rows.of(learner, train.take(fold.train), train.take(fold.test))
        for place, candidate in enumerate(learner.candidates):
            areas[place] += weighted_area(rows.answers(_fitted(candidate, rows, seed))[0], rows.codes)
    return int(areas.argmax())


@dataclass(frozen=True, eq=False)
class _Rows:
    """Training and test rows as a learner wants them."""

    X: Floats
    y: Codes
    questions: Floats
    codes: Codes
    n_classes: int

    @staticmethod
    def of(learner: Learner, train: Table, test: Table) -> _Rows:
        encoder = learner.encoding.fit(train)
        inputs = [encoder.encode(rows).values[:, : int(encoder.targets[0])] for rows in (train, test)]
        if learner.encoding.missing == "mean":
            inputs = [np.nan_to_num(values) for values in inputs]  # a column without a value in the training rows
        target = train.targets[0]
        return _Rows(inputs[0], target.values, inputs[1], test.targets[0].values, len(target.labels))

    def answers(self, model: Any) -> tuple[Floats, bool]:
        """Scores of all classes for the test rows, and whether they are probabilities."""
        is_probability = hasattr(model, "predict_proba")
        found = model.predict_proba(self.questions) if is_probability else model.decision_function(self.questions)
        if found.ndim == 1:  # two classes
            found = np.column_stack([-found, found])
        # A class without training rows is the least probable one.
        scores = np.full((len(found), self.n_classes), 0.0 if is_probability else found.min())
        scores[:, model.classes_] = found
        return scores, is_probability


def _fitted(make: Callable[[], Any], rows: _Rows, seed: int) -> Any:
    model = make()
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    return model.fit(rows.X, rows.y)
