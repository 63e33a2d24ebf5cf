"""Search for hyper-parameters: every candidate by the same folds, the best of them, and the heat map."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from figmn import Parameters
from tests.workbench.evaluate.trial.plans import clusters, plan_for, plan_of
from workbench.evaluate.trial.figures import figure
from workbench.evaluate.trial.plan import Folds, Task
from workbench.evaluate.trial.testing import evaluate
from workbench.evaluate.trial.tuning import Search, tune
from workbench.source import Cancelled
from workbench.words.sentences import UserError

SMALL = Search(deltas=(0.1, 1.0), betas=(0.0, 0.1), prunings=((100.0, 3.0), (math.inf, 3.0)), n_folds=3)


def test_every_candidate_is_a_cross_validation_of_its_own() -> None:
    plan = plan_of("iris")
    shown: list[int] = []
    found = tune(plan, plan.recipe.dataset(), SMALL, show=lambda tuning: shown.append(tuning.n_done))
    assert shown == list(range(1, 9))
    values = {}
    for candidate in found.candidates:
        parameters = candidate.parameters
        own = plan_of("iris", Folds(3), delta=parameters.delta, beta=parameters.beta, v_min=parameters.v_min)
        evaluation = evaluate(own, own.recipe.dataset())
        assert candidate.folds == figure(evaluation, evaluation.outcomes[0], "accuracy").folds
        values[parameters.delta, parameters.beta, parameters.v_min] = candidate.value
    assert found.best is not None
    assert found.best.value == max(values.values())
    deltas, betas, heat = found.heat_map()
    assert (deltas.tolist(), betas.tolist()) == ([0.1, 1.0], [0.0, 0.1])
    assert heat[1, 0] == max(values[1.0, 0.0, 100.0], values[1.0, 0.0, math.inf])


def test_less_is_better_of_an_error() -> None:
    dataset = clusters(90)
    search = Search(deltas=(0.1, 1.0), betas=(0.0,), n_folds=2)
    found = tune(plan_for(dataset, Task("numbers", "size")), dataset, search)
    assert found.measure.name == "rmse"
    assert found.best is not None
    assert found.best.value == min(candidate.value for candidate in found.candidates)


def test_candidates_are_drawn_by_the_seed() -> None:
    drawn = []
    for seed in (1, 1, 2):
        plan = plan_of(seed=seed)
        search = Search(n_random=3, n_folds=2)
        found = tune(plan, plan.recipe.dataset(), search)
        assert found.n_total == 3
        drawn.append([(one.parameters.delta, one.parameters.beta) for one in found.candidates])
        assert np.isfinite(found.heat_map()[2]).sum() == 3
    assert drawn[0] == drawn[1] != drawn[2]


def test_label_widths_are_those_of_the_joint_form_of_classes() -> None:
    search = Search(deltas=(1.0,), betas=(0.0001,), methods=("joint", "per class"), label_widths=(0.1, 1.0), n_folds=2)
    assert search.n_candidates() == 3
    assert search.n_candidates("numbers") == 2
    plan = plan_of()
    found = tune(plan, plan.recipe.dataset(), search)
    assert [(one.method, one.label_width) for one in found.candidates] == [
        ("joint", 0.1),
        ("joint", 1.0),
        ("per class", 1.0),
    ]
    assert found.candidates[0].folds != found.candidates[1].folds
    dataset = clusters(60)
    assert tune(plan_for(dataset, Task("numbers", "size")), dataset, replace(search, methods=("joint",))).n_total == 1


def test_what_is_not_searched_stays() -> None:
    plan = plan_of(max_components=7, v_min=50, sp_min=2)
    plan = replace(plan, recipe=replace(plan.recipe, choices=replace(plan.recipe.choices, label_width=0.2)))
    found = tune(plan, plan.recipe.dataset(), Search(deltas=(1.0,), betas=(0.0,), n_folds=2))
    (candidate,) = found.candidates
    assert candidate.parameters == Parameters(delta=1.0, beta=0.0, max_components=7, v_min=50, sp_min=2)
    assert candidate.label_width == 0.2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [({"deltas": ()}, "no value for δ"), ({"n_random": 0}, "0 candidates"), ({"n_folds": 1}, "1 folds"),
     ({"deltas": tuple(np.linspace(0.1, 1, 500).tolist())}, "2,500 candidates")],
)  # fmt: skip
def test_impossible_searches_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        Search(**arguments)


def test_a_figure_that_nothing_can_be_judged_by_is_refused() -> None:
    plan = plan_of()
    with pytest.raises(UserError, match="'components' is no figure"):
        tune(plan, plan.recipe.dataset(), Search(measure="components"))


def test_it_can_be_cancelled() -> None:
    plan = plan_of()
    with pytest.raises(Cancelled):
        tune(plan, plan.recipe.dataset(), SMALL, lambda done, _: done < 4)
