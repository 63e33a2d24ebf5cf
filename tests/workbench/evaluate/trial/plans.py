"""Tables and plans for the tests of evaluations."""

from __future__ import annotations

from typing import Any

import numpy as np

from figmn import Parameters
from workbench.evaluate.trial.plan import Folds, Plan, Task, TestOption
from workbench.run.recipe.choices import Choices
from workbench.run.recipe.dataset import Dataset, PaintedOrigin, SampleOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.source import Column, Encoding, Table

TEN = Folds()


def plan_of(
    name: str = "iris",
    option: TestOption = TEN,
    task: Task | None = None,
    method: str = "joint",
    baseline: str | None = None,
    seed: int = 0,
    **parameters: Any,
) -> Plan:
    """A plan for a bundled dataset."""
    recipe = Recipe(SampleOrigin(name), choices=Choices(Parameters(**parameters), seed=seed))
    return Plan(recipe, task or Task("classes", "class"), option, method, baseline)


def dataset_of(*columns: Column, encoding: Encoding = Encoding()) -> Dataset:
    """A table in memory; its origin says nothing of it."""
    table = Table("t", columns)
    return Dataset(PaintedOrigin(((0.0, 0.0, 0),)), table, table, encoding=encoding)


def plan_for(dataset: Dataset, task: Task, option: TestOption = TEN, baseline: str | None = None) -> Plan:
    """A plan for a table in memory."""
    return Plan(Recipe.of(dataset, Choices()), task, option, "joint", baseline)


def clusters(n_rows: int = 300, seed: int = 0) -> Dataset:
    """Two inputs, a class of three labels and a number that follows the inputs; shuffled."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, n_rows)
    X = rng.normal(size=(n_rows, 2)) + 2.5 * np.array([[0, 0], [1, 1], [0, 2]])[codes]
    number = X @ [1.0, -2.0] + rng.normal(0, 0.5, n_rows)
    return dataset_of(
        Column.numeric("x", X[:, 0]),
        Column.numeric("y", X[:, 1]),
        Column.nominal("kind", [f"k{code}" for code in codes], role="target"),
        Column.numeric("size", number, role="target"),
    )
