"""Evaluations without a window: the same recipe gives the same figures."""

from __future__ import annotations

from workbench.evaluate.trial.outcome import Evaluation
from workbench.evaluate.trial.plan import Folds, Plan, Prequential, Task, TestOption, tasks_of
from workbench.evaluate.trial.testing import evaluate
from workbench.run.recipe.recipe import Recipe
from workbench.source import Table
from workbench.source.read.options import Progress, silent
from workbench.words.sentences import UserError


def cross_validate(
    recipe: Recipe,
    target: str | None = None,
    n_folds: int = 10,
    n_repeats: int = 1,
    method: str = "joint",
    baseline: str | None = None,
    progress: Progress = silent,
) -> Evaluation:
    """Cross-validate a recipe; every method learns and is tested on the same folds.

    Parameters
    ----------
    recipe : data, encoding, hyper-parameters and seed
    target : the column to predict; None: the first target, or the density of the rows where there is none
    n_folds, n_repeats : every row is tested once in every repeat
    method : form of Fast IGMN: 'joint', 'tuned', and of classes 'per class' and 'ensemble'
    baseline : of scikit-learn, a name of `workbench.evaluate.trial.methods.baselines`; None: none
    progress : called with the models learned so far and their number; False cancels

    Examples
    --------
    >>> from workbench.evaluate.trial.figures import figure
    >>> from workbench.run import Recipe, SampleOrigin
    >>> found = cross_validate(Recipe(SampleOrigin("iris")), n_folds=5, baseline="bayes")
    >>> [figure(found, outcome, "accuracy").value > 0.9 for outcome in found.outcomes]
    [True, True]
    """
    return _evaluated(recipe, target, Folds(n_folds, n_repeats), method, baseline, progress)


def prequential(
    recipe: Recipe,
    target: str | None = None,
    window: int = 200,
    fading: float = 0.995,
    delay: int = 0,
    method: str = "joint",
    baseline: str | None = None,
    progress: Progress = silent,
) -> Evaluation:
    """Test every row before it is learned, in the order of the recipe.

    Parameters
    ----------
    recipe, target, method, progress : as for `cross_validate`
    window : latest rows over which figures are taken
    fading : weight of a row relative to the row after it
    delay : rows between a row and the one before which its target becomes known
    baseline : a name of `workbench.evaluate.trial.methods.STREAM_BASELINES`

    Examples
    --------
    >>> from workbench.run import Recipe, SampleOrigin
    >>> course = prequential(Recipe(SampleOrigin("iris")), window=50).outcomes[0].course
    >>> len(course.windows["accuracy"])
    150
    """
    return _evaluated(recipe, target, Prequential(window, fading, delay), method, baseline, progress)


def _evaluated(
    recipe: Recipe, target: str | None, option: TestOption, method: str, baseline: str | None, progress: Progress
) -> Evaluation:
    dataset = recipe.dataset(progress)
    return evaluate(Plan(recipe, _task(dataset.table, target), option, method, baseline), dataset, progress)


def _task(table: Table, target: str | None) -> Task:
    known = tasks_of(table)
    if target is None:
        return known[0]
    for task in known:
        if task.target == target:
            return task
    raise UserError(
        "{value!r} is no target of {table}. Choose one of: {known}.",
        value=target,
        table=table.name,
        known=", ".join(task.target for task in known if task.target is not None) or "none, give a column this role",
    )
