"""Evaluations without a window."""

from __future__ import annotations

import pytest

from tests.workbench.evaluate.trial.plans import plan_of
from workbench.evaluate import cross_validate, prequential
from workbench.evaluate.trial.figures import figure
from workbench.evaluate.trial.plan import Folds, Task
from workbench.evaluate.trial.testing import evaluate
from workbench.run.recipe.dataset import SampleOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.words.sentences import UserError


def test_it_is_the_same_as_in_the_window() -> None:
    plan = plan_of(option=Folds(3))
    expected = evaluate(plan, plan.recipe.dataset())
    found = cross_validate(plan.recipe, n_folds=3)
    assert found.plan == plan
    values = [figure(one, one.outcomes[0], "log_loss").folds for one in (expected, found)]
    assert values[0] == values[1]


def test_without_a_target_it_is_the_density() -> None:
    recipe = Recipe(SampleOrigin("iris"), roles={"class": "ignored"})
    assert cross_validate(recipe, n_folds=2).plan.task == Task("density")


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UserError, match="'petal length' is no target of iris"):
        prequential(Recipe(SampleOrigin("iris")), "petal length")
