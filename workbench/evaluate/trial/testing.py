"""Evaluate by folds, a split, the training set or another file: every method learns and is tested on the same rows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from figmn.system.arrays import Floats, Ints
from figmn.system.memory import available_bytes
from workbench.evaluate.folds import Fold, stratified_folds
from workbench.evaluate.trial.figures import COVERAGE
from workbench.evaluate.trial.material import Material, gaps, material_of, supplied_material, truth_of
from workbench.evaluate.trial.methods import Method, methods_of
from workbench.evaluate.trial.outcome import Evaluation, Outcome, Tested
from workbench.evaluate.trial.plan import Folds, Plan, Prequential, Split, SuppliedFile, Task, TrainingSet
from workbench.evaluate.trial.stream import evaluate_stream
from workbench.evaluate.trial.workers import Workers
from workbench.run.learn.learner import ONE_AT_A_TIME
from workbench.run.recipe.dataset import Dataset
from workbench.run.rows.naming import naming
from workbench.source import Encoder, Table
from workbench.source.read.options import Progress, silent
from workbench.words.sentences import UserError

LARGEST_WORK, WHOLE_WORK = 4e6, 4e7
"""Rows times columns squared, times the effort of a method: of one model and of all together, up to which they are
learned in this process. Others are learned in processes of their own, which take a while to start, can be ended at any
time, and hold up nothing here."""
Show = Callable[[Evaluation], None]


def ignore(evaluation: Evaluation) -> None:
    """Show nothing."""


def evaluate(
    plan: Plan,
    dataset: Dataset,
    progress: Progress = silent,
    show: Show = ignore,
    workers: Workers | None = None,
) -> Evaluation:
    """Carry out a plan.

    Parameters
    ----------
    plan : what to predict, by whom, and on which rows
    dataset : of the plan's recipe
    progress : called with the models learned so far and their number; False cancels
    show : called with what was found so far
    workers : processes for large tables; None starts and ends some

    Examples
    --------
    >>> from workbench.run import Recipe, SampleOrigin
    >>> recipe = Recipe(SampleOrigin("iris"))
    >>> found = evaluate(Plan(recipe, Task("classes", "class")), recipe.dataset())
    >>> sum(len(part.rows) for part in found.outcomes[0].parts)
    150
    """
    if isinstance(plan.option, Prequential):
        return evaluate_stream(plan, material_of(plan, dataset), progress, show)
    began, clock = datetime.now().isoformat(sep=" ", timespec="seconds"), time.perf_counter()
    trial = _trial(plan, dataset, progress)
    _check_room(trial)
    methods = methods_of(plan)
    n_models = sum(map(len, trial.repeats)) * len(methods)
    parts: dict[str, list[Tested]] = {method.name: [] for method in methods}
    found = Evaluation(plan, trial.material.labels, (), 0, n_models, trial.remarks, began)
    is_small = trial.is_small(methods)
    with nullcontext(workers) if workers is not None else Workers() as pool:
        tasks = (partial(_tested, method, case) for case in trial.cases() for method in methods)
        for n_done, (name, part) in enumerate(pool.results(tasks, is_small, lambda n: progress(n, n_models)), 1):
            parts[name].append(part)
            outcomes = [Outcome(one.name, one.title, _in_order(parts[one.name])) for one in methods if parts[one.name]]
            found = replace(found, outcomes=tuple(outcomes), n_done=n_done, seconds=time.perf_counter() - clock)
            show(found)
    progress(n_models, n_models)
    return found


def _in_order(parts: Sequence[Tested]) -> tuple[Tested, ...]:
    return tuple(sorted(parts, key=lambda part: (part.repeat, part.fold)))


@dataclass(frozen=True, eq=False)
class _Case:
    """One training set and its test set: all that a process must be sent."""

    repeat: int
    fold: int
    task: Task
    title: str
    """Of the source."""
    n_classes: int
    train: Table
    test: Table
    train_rows: Ints
    rows: Ints
    """Numbers of the training and of the test rows in their sources."""


@dataclass(frozen=True, eq=False)
class _Trial:
    """The tables, and the rows of each training and test set by their position among the usable ones."""

    material: Material
    train: Table
    test: Table
    """The usable rows; of a supplied file, those of that file."""
    sources: Ints
    """Where the test rows stand in their source."""
    repeats: tuple[tuple[Fold, ...], ...]
    remarks: tuple[str, ...]
    title: str
    """Of the source."""

    def cases(self) -> Iterator[_Case]:
        """Every training set with its test set, made when it is asked for."""
        for repeat, folds in enumerate(self.repeats):
            for number, fold in enumerate(folds):
                yield _Case(
                    repeat=repeat,
                    fold=number,
                    task=self.material.task,
                    title=self.title,
                    n_classes=len(self.material.labels),
                    train=self.train.take(fold.train),
                    test=self.test.take(fold.test),
                    train_rows=self.material.rows[fold.train],
                    rows=self.sources[fold.test],
                )

    def is_small(self, methods: Sequence[Method]) -> bool:
        """Whether all is done sooner here than processes start, and every model fast enough to be waited for."""
        sizes = [len(fold.train) for folds in self.repeats for fold in folds]
        widths = [method.encoding.fit(self.train.take(slice(0, 2))).n_columns for method in methods]
        works = [method.effort * width**2 for method, width in zip(methods, widths, strict=True)]
        return max(works) * max(sizes) <= LARGEST_WORK and sum(works) * sum(sizes) <= WHOLE_WORK


def _trial(plan: Plan, dataset: Dataset, progress: Progress) -> _Trial:
    material = material_of(plan, dataset)
    table = material.table.take(material.rows)
    seed, option = plan.recipe.choices.seed, plan.option
    order = replace(plan.recipe.order, seed=seed).rows(table)
    remarks = list(material.remarks)
    test, sources = table, material.rows
    if isinstance(option, SuppliedFile):
        other = supplied_material(plan, option, material.table, progress)
        test, sources = other.table.take(other.rows), other.rows
        remarks += other.remarks
        repeats: tuple[tuple[Fold, ...], ...] = ((Fold(order, np.arange(test.n_rows)),),)
    elif isinstance(option, TrainingSet):
        repeats = ((Fold(order, order),),)
    elif isinstance(option, Folds):
        repeats = tuple(stratified_folds(table, option.n_folds, seed + k) for k in range(option.n_repeats))
    else:
        assert isinstance(option, Split)
        repeats = tuple((_split(table, option, order, seed + k),) for k in range(option.n_repeats))
    if plan.task.kind == "density" and plan.baseline is not None and gaps(test).any():
        remarks.append("Tested on rows without a missing value: the baseline takes no others")
        whole = np.flatnonzero(~gaps(test))
        repeats = tuple(
            tuple(Fold(fold.train, fold.test[np.isin(fold.test, whole)]) for fold in folds) for folds in repeats
        )
    if any(not len(fold.test) for folds in repeats for fold in folds):
        raise UserError(
            "A test set of {title} has no row. Choose fewer folds, another share, or no baseline.", title=dataset.title
        )
    if plan.recipe.choices.parameters.delta is None:
        remarks.append("δ is automatic: found from the training rows of every model, as Suggest δ finds it")
    if table.weights is not None:
        remarks.append("Weights of rows count where a method can learn by them, and not in the figures")
    return _Trial(material, table, test, sources, repeats, tuple(remarks), dataset.title)


def _split(table: Table, option: Split, order: Ints, seed: int) -> Fold:
    """Training and test rows: the first ones, or drawn so that every class has its share, to one row."""
    n_train = round(option.share * table.n_rows)
    if not 0 < n_train < table.n_rows:
        raise UserError(
            "{share:.4g} of {n_rows:,} rows leaves none to learn or none to test. Choose another share.",
            share=option.share,
            n_rows=table.n_rows,
        )
    if option.is_ordered:
        return Fold(order[:n_train], order[n_train:])
    shuffled = np.random.default_rng(seed).permutation(table.n_rows)
    classes = [column for column in table.targets if column.kind == "nominal"]
    by_class = np.argsort(classes[0].values[shuffled], kind="stable") if classes else np.arange(table.n_rows)
    steps = np.floor(np.arange(table.n_rows + 1) * n_train / table.n_rows + 0.5)
    is_train = np.empty(table.n_rows, np.bool_)
    is_train[by_class] = np.diff(steps) > 0
    return Fold(shuffled[is_train], shuffled[~is_train])


def _check_room(trial: _Trial) -> None:
    """Refuse predictions that would not fit into memory."""
    n_tested = sum(len(fold.test) for folds in trial.repeats for fold in folds)
    needed = n_tested * (8 * len(trial.material.labels) + 48) * 2
    there = available_bytes()
    if needed > there / 2:
        raise UserError(
            "The predictions of {n_tested:,} test rows take {needed:,.0f} MB, {available:,.0f} MB are available. "
            "Choose fewer repeats, or a part of the rows.",
            n_tested=n_tested,
            needed=needed / 1e6,
            available=there / 1e6,
        )


# Learning and testing


def _tested(method: Method, case: _Case) -> tuple[str, Tested]:
    """What one method says of one test set."""
    task, train, test, rows = case.task, case.train, case.test, case.rows
    encoder = method.encoding.fit(train)
    X, questions = (_inputs(encoder, table, task, sources) for table, sources in ((train, None), (test, rows)))
    y = truth_of(train, task)
    # OpenMP's threads wait for each other where other work runs: ten times slower for small tables.
    with ONE_AT_A_TIME, warnings.catch_warnings(), threadpool_limits(1, "openmp"), _explaining(method, case):
        warnings.simplefilter("ignore")  # columns that are constant in a fold, rows without a value, slow convergence
        began = time.perf_counter()
        with naming(case.train_rows, encoder.names, case.title):
            model = _fitted(method, X, y, train, task)
        train_seconds = time.perf_counter() - began
        began = time.perf_counter()
        with naming(rows, encoder.names, case.title):
            said = _said(model, questions, task, case.n_classes, encoder)
        test_seconds = time.perf_counter() - began
    return method.name, Tested(
        repeat=case.repeat,
        fold=case.fold,
        rows=rows,
        truth=truth_of(test, task),
        **said,
        n_trained=len(X),
        n_components=_n_components(model),
        delta=_delta(model),
        train_seconds=train_seconds,
        test_seconds=test_seconds,
    )


@contextmanager
def _explaining(method: Method, case: _Case) -> Iterator[None]:
    """Say which method failed: scikit-learn's errors speak of arrays. Ours say what is wrong."""
    try:
        yield
    except UserError:
        raise
    except (ValueError, np.linalg.LinAlgError) as error:
        raise UserError(
            "{method} cannot learn the training rows of fold {fold}: {problem}. Choose another method, or fewer folds.",
            method=method.title,
            fold=case.fold + 1,
            problem=str(error).strip().rstrip(".").split("\n")[0],
        ) from error


def _inputs(encoder: Encoder, table: Table, task: Task, sources: Ints | None) -> Floats:
    values = encoder.encode(table, sources).values
    found = values if task.target is None else values[:, : int(encoder.targets[0])]
    if encoder.encoding.missing == "mean" and np.isnan(found).any():
        return np.nan_to_num(found, nan=0.0)  # a column without a value in the training rows
    return found


def _fitted(method: Method, X: Floats, y: Any, train: Table, task: Task) -> Any:
    from sklearn.utils.validation import has_fit_parameter

    model = method.make()
    arguments: dict[str, Any] = {}
    if train.weights is not None and has_fit_parameter(getattr(model, "estimator", model), "sample_weight"):
        arguments["sample_weight"] = train.weights
    if task.target is not None:
        arguments["y"] = y
    if not method.learns_running:
        model.fit(X, **arguments)
    elif task.kind == "classes":
        model.partial_fit(X, classes=np.unique(y), **arguments)
    else:
        model.partial_fit(X, **arguments)
    return getattr(model, "best_estimator_", model)


def _said(model: Any, questions: Floats, task: Task, n_classes: int, encoder: Encoder) -> dict[str, Any]:
    """What a fitted model says of the test rows, as fields of `Tested`."""
    if task.kind == "classes":
        if len(model.classes_) < 2 and hasattr(model, "n_iter_"):  # noqa: PLR2004 - boosting answers for two
            raise UserError(
                "The training rows of a fold are all of one class, which this baseline cannot learn. Choose another "
                "baseline, or fewer folds."
            )
        said = np.nan_to_num(model.predict_proba(questions))
        said[said.sum(axis=1) == 0] = 1 / len(model.classes_)  # nothing can be said, as of two rows by naive Bayes
        probabilities = np.zeros((len(questions), n_classes))
        probabilities[:, model.classes_] = said
        return {"probabilities": probabilities}
    if task.kind == "numbers":
        found: dict[str, Any] = {"predicted": np.asarray(model.predict(questions), np.float64)}
        if hasattr(model, "predict_interval"):
            found["low"], found["high"] = model.predict_interval(questions, COVERAGE)
        return found
    scales = np.broadcast_to(np.log(encoder.units[1]), questions.shape)
    known = ~np.isnan(questions)
    log_densities = model.score_samples(questions) - np.where(known, scales, 0.0).sum(axis=1)
    n_columns, n_components = questions.shape[1], _n_components(model) or 1
    n_parameters = n_components * (n_columns + n_columns * (n_columns + 1) // 2 + 1) - 1
    return {"log_densities": log_densities, "n_parameters": n_parameters}


def _n_components(model: Any) -> int | None:
    if hasattr(model, "n_components_"):
        return int(model.n_components_)
    return int(model.n_components) if hasattr(model, "n_components") else None


def _delta(model: Any) -> float | None:
    found = getattr(getattr(model, "model_", None), "parameters", None)
    return None if found is None or found.delta is None else float(found.delta)
