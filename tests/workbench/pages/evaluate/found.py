"""Evaluations made of arrays, for what no small dataset has."""

from __future__ import annotations

import numpy as np

from figmn.system.arrays import Floats
from workbench.evaluate.trial.outcome import Evaluation, Outcome, Tested
from workbench.evaluate.trial.plan import Plan, Task, TrainingSet
from workbench.run import Recipe, SampleOrigin

RECIPE = Recipe(SampleOrigin("iris"))


def of_classes(n_classes: int, n_rows: int = 400, n_tested: int | None = None) -> Evaluation:
    """Probabilities of many classes, of which the first `n_tested` are met."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, n_tested or n_classes, n_rows).astype(np.int32)
    said = rng.dirichlet(np.ones(n_classes), n_rows)
    tested = Tested(0, 0, np.arange(n_rows), truth, probabilities=said, n_trained=n_rows)
    labels = tuple(f"class {place}" for place in range(n_classes))
    plan = Plan(RECIPE, Task("classes", "class"), TrainingSet())
    return Evaluation(plan, labels, (Outcome("joint", "Fast IGMN", (tested,)),), 1, 1, began="now")


def of_numbers(truth: Floats, predicted: Floats, width: float | None = 1.0) -> Evaluation:
    """Numbers with intervals of one width; None: without intervals."""
    low, high = (None, None) if width is None else (predicted - width / 2, predicted + width / 2)
    tested = Tested(0, 0, np.arange(len(truth)), truth, predicted=predicted, low=low, high=high, n_trained=len(truth))
    plan = Plan(RECIPE, Task("numbers", "y"), TrainingSet())
    return Evaluation(plan, (), (Outcome("joint", "Fast IGMN", (tested,)),), 1, 1, began="now")
