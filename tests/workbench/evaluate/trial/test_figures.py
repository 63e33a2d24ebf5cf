"""Figures of folds: those without rows have none, and those that are known are not computed again."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from workbench.evaluate.trial import figures
from workbench.evaluate.trial.figures import figure, figures_of
from workbench.evaluate.trial.outcome import Evaluation, Outcome
from workbench.evaluate.trial.outcome import Tested as Fold  # pytest would take its own name for that of tests
from workbench.evaluate.trial.plan import Plan, Task
from workbench.run import Recipe, SampleOrigin


def found(*log_densities: list[float]) -> Evaluation:
    """A density in as many folds."""
    parts = tuple(
        Fold(0, fold, np.arange(len(values)), np.empty((len(values), 0)), log_densities=np.array(values))
        for fold, values in enumerate(log_densities)
    )
    plan = Plan(Recipe(SampleOrigin("iris")), Task("density"))
    return Evaluation(plan, (), (Outcome("joint", "Fast IGMN", parts),), 1, 1)


def test_a_fold_without_rows_has_no_figures() -> None:
    evaluation = found([1.0, 3.0], [])
    one = figure(evaluation, evaluation.outcomes[0], "log_likelihood")
    assert (one.value, one.folds[0]) == (2.0, 2.0)
    assert math.isnan(one.folds[1])
    nothing = found([])
    assert not [one for one in figures_of(nothing, nothing.outcomes[0]) if not math.isnan(one.value)]


def test_a_figure_of_a_fold_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = found([1.0, 3.0], [2.0, 4.0])
    asked: list[Fold] = []
    measure = figures.measures_of_task("density")[0]

    def of(tested: Fold) -> float:
        asked.append(tested)
        return measure.of(tested)

    monkeypatch.setattr(figures, "_DENSITIES", (replace(measure, of=of),))
    for _ in range(3):
        assert figure(evaluation, evaluation.outcomes[0], "log_likelihood").value == 2.5
    assert len(asked) == 3  # two folds, and both together
