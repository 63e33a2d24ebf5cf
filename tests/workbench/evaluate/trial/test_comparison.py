"""Comparisons fold by fold: the tests and probabilities against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.workbench.evaluate.trial.plans import plan_of
from workbench.evaluate.trial.comparison import compare
from workbench.evaluate.trial.figures import figure
from workbench.evaluate.trial.outcome import Evaluation
from workbench.evaluate.trial.plan import Folds, Split
from workbench.evaluate.trial.testing import evaluate
from workbench.words.sentences import UserError


@pytest.fixture(scope="module")
def glass() -> Evaluation:
    plan = plan_of("glass", Folds(5, 2), method="joint", baseline="bayes")
    plan = type(plan)(plan.recipe, plan.task.__class__("classes", "Type"), plan.option, plan.method, plan.baseline)
    return evaluate(plan, plan.recipe.dataset())


def test_the_figures_are_students(glass: Evaluation) -> None:
    found = compare(glass, glass, "log_loss", (glass.outcomes[0], glass.outcomes[1]))
    first, second = (np.array(figure(glass, outcome, "log_loss").folds) for outcome in glass.outcomes)
    assert found.n_folds == 10
    assert found.test.p == pytest.approx(stats.ttest_rel(first, second).pvalue)
    difference = first - second
    share = np.mean([len(part.rows) / part.n_trained for part in glass.outcomes[0].parts])
    scale = np.sqrt(difference.var(ddof=1) * (1 / 10 + share))
    assert found.corrected.p == pytest.approx(2 * stats.t.sf(abs(difference.mean()) / scale, 9))
    posterior = stats.t(9, difference.mean(), scale)
    # A smaller log-loss is better.
    assert found.better == pytest.approx(posterior.cdf(-found.margin))
    assert found.worse == pytest.approx(posterior.sf(found.margin))
    assert found.better + found.same + found.worse == pytest.approx(1)


def test_turned_around_it_is_the_other_way_round(glass: Evaluation) -> None:
    pair = glass.outcomes[0], glass.outcomes[1]
    one, other = compare(glass, glass, "accuracy", pair), compare(glass, glass, "accuracy", pair[::-1])
    assert (one.better, one.worse) == pytest.approx((other.worse, other.better))
    assert one.corrected.p > one.test.p


def test_with_itself_it_is_the_same(glass: Evaluation) -> None:
    found = compare(glass, glass, "accuracy")
    assert (found.better, found.same, found.worse, found.test.p) == (0, 1, 0, 1)


def test_other_data_and_rows_cannot_be_compared(glass: Evaluation) -> None:
    iris, other = (
        evaluate(plan, plan.recipe.dataset()) for plan in (plan_of(option=Folds(5, 2)), plan_of(option=Folds(10)))
    )
    with pytest.raises(UserError, match="glass and iris are different data"):
        compare(glass, iris, "accuracy")
    with pytest.raises(UserError, match="tested on other rows"):
        compare(iris, other, "accuracy")


def test_the_same_rows_of_a_changed_file_cannot_be_compared(glass: Evaluation) -> None:
    parts = tuple(replace(part, truth=np.roll(part.truth, 1)) for part in glass.outcomes[0].parts)
    changed = replace(glass, outcomes=(replace(glass.outcomes[0], parts=parts), *glass.outcomes[1:]))
    with pytest.raises(UserError, match="tested on other rows"):
        compare(glass, changed, "accuracy")


@pytest.mark.parametrize("name", ["components", "delta"])
def test_what_is_neither_better_nor_worse_is_not_compared(glass: Evaluation, name: str) -> None:
    with pytest.raises(UserError, match="neither better nor worse"):
        compare(glass, glass, name)


def test_one_test_set_says_nothing() -> None:
    plan = plan_of(option=Split())
    found = evaluate(plan, plan.recipe.dataset())
    with pytest.raises(UserError, match="one set of rows only"):
        compare(found, found, "accuracy")
