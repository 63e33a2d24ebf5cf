"""Test-then-train: predictions before each row is learned, and figures over a window, with fading, and over all."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from figmn import FastIGMN
from figmn.system.arrays import Floats, Ints
from tests.workbench.evaluate.trial.plans import clusters, dataset_of, plan_for, plan_of
from workbench.evaluate.trial.course import MOST_PLACES
from workbench.evaluate.trial.figures import figure, figures_of
from workbench.evaluate.trial.plan import Prequential, Task
from workbench.evaluate.trial.testing import evaluate
from workbench.run.recipe.choices import Choices
from workbench.source import Cancelled, Column
from workbench.words.sentences import UserError

KIND, SIZE, DENSITY = Task("classes", "kind"), Task("numbers", "size"), Task("density")


def encoded(n_rows: int = 300) -> tuple[Floats, Ints]:
    """Inputs of `clusters`, and their classes."""
    table = clusters(n_rows).table
    return np.column_stack([table[name].values for name in "xy"]), table["kind"].values


@pytest.mark.parametrize("delay", [0, 7])
def test_every_row_is_predicted_before_its_class_is_learned(delay: int) -> None:
    dataset = clusters()
    found = evaluate(plan_for(dataset, KIND, Prequential(delay=delay)), dataset)
    X, codes = encoded()
    rows = np.hstack([X, np.eye(3)[codes]])
    model, said = FastIGMN(scale=rows.std(axis=0)), []
    for place, row in enumerate(rows):
        if place > delay:
            model.learn_one(rows[place - 1 - delay])
        question = [[*row[:2], *[math.nan] * 3]]
        answer = model.recall(question)[0, 2:].clip(0, 1) if model.n_components else np.ones(3)
        said.append(answer / answer.sum())
    probabilities = found.outcomes[0].whole.probabilities
    assert probabilities is not None
    np.testing.assert_allclose(probabilities, said, atol=1e-6)
    assert found.outcomes[0].whole.rows.tolist() == list(range(300))


def beyond(right: Floats, least: float) -> float:
    return float((right.mean() - least) / (1 - least))


def test_figures_are_those_of_moa() -> None:
    dataset = clusters()
    option = Prequential(window=50, fading=0.98)
    outcome = evaluate(plan_for(dataset, KIND, option), dataset).outcomes[0]
    course, whole = outcome.course, outcome.whole
    assert course is not None
    assert course.samples.tolist() == list(range(1, 301))
    truth, predicted = whole.truth, whole.predicted_codes
    right = (truth == predicted).astype(float)
    majority = np.array(
        [place > 0 and int(np.bincount(truth[:place]).argmax()) == truth[place] for place in range(300)], float
    )
    last = np.array([place > 0 and truth[place - 1] == truth[place] for place in range(300)], float)
    for place in (1, 30, 50, 51, 299):
        some = slice(max(0, place + 1 - 50), place + 1)
        np.testing.assert_allclose(course.windows["accuracy"][place], right[some].mean())
        np.testing.assert_allclose(course.windows["kappa_m"][place], beyond(right[some], majority[some].mean()))
        np.testing.assert_allclose(course.windows["kappa_t"][place], beyond(right[some], last[some].mean()))
        chance = sum(np.mean(truth[some] == code) * np.mean(predicted[some] == code) for code in range(3))
        np.testing.assert_allclose(course.windows["kappa"][place], beyond(right[some], chance))
        weights = 0.98 ** np.arange(place, -1, -1)
        np.testing.assert_allclose(course.faded["accuracy"][place], np.average(right[: place + 1], weights=weights))
        np.testing.assert_allclose(course.overall["accuracy"][place], right[: place + 1].mean())


def test_a_long_course_has_few_places_and_the_same_end() -> None:
    dataset = clusters(1234)
    outcome = evaluate(plan_for(dataset, KIND, Prequential(window=100)), dataset).outcomes[0]
    assert outcome.course is not None
    assert len(outcome.course.samples) <= MOST_PLACES
    assert outcome.course.samples[-1] == 1234
    right = outcome.whole.truth == outcome.whole.predicted_codes
    assert outcome.course.windows["accuracy"][-1] == pytest.approx(right[-100:].mean())
    assert outcome.course.overall["accuracy"][-1] == pytest.approx(right.mean())


def test_numbers_have_errors_and_no_figure_of_the_first_row() -> None:
    dataset = clusters()
    found = evaluate(plan_for(dataset, SIZE, Prequential(), "last"), dataset)
    mixture, last = found.outcomes
    y = dataset.table["size"].values
    assert last.whole.rows.tolist() == mixture.whole.rows.tolist() == list(range(1, 300))
    np.testing.assert_array_equal(last.whole.predicted, y[:-1])
    assert figure(found, mixture, "rmse").value < figure(found, last, "rmse").value
    assert mixture.course is not None
    assert mixture.course.overall["rmse"][-1] == pytest.approx(figure(found, mixture, "rmse").value, rel=0.01)


def test_densities_are_those_of_the_engine() -> None:
    dataset = clusters()
    found = evaluate(plan_for(dataset, DENSITY, Prequential(), "gaussian"), dataset)
    assert figure(found, found.outcomes[0], "log_likelihood").value > -20
    assert found.outcomes[0].course is not None


@pytest.mark.parametrize("baseline", ["majority", "last", "bayes"])
@pytest.mark.parametrize("delay", [0, 3])
def test_baselines_go_along(baseline: str, delay: int) -> None:
    dataset = clusters(60)
    found = evaluate(plan_for(dataset, KIND, Prequential(delay=delay), baseline), dataset)
    truth, said = found.outcomes[1].whole.truth, found.outcomes[1].whole.predicted_codes
    if baseline == "last":
        assert said[delay + 1 :].tolist() == truth[: -delay - 1].tolist()
    if baseline == "majority":
        known = [np.bincount(truth[: place - delay], minlength=3) for place in range(delay + 1, 60)]
        assert said[delay + 1 :].tolist() == [int(counts.argmax()) for counts in known]
    assert "testing time" not in {one.measure.title for one in figures_of(found, found.outcomes[0])}


@pytest.mark.parametrize("method", ["per class", "ensemble"])
def test_other_forms_go_row_by_row(method: str) -> None:
    plan = plan_of(option=Prequential(), method=method)
    found = evaluate(plan, plan.recipe.dataset())
    assert found.outcomes[0].whole.rows.tolist() == list(range(150))
    assert figure(found, found.outcomes[0], "accuracy").value > 0.8


def test_what_cannot_be_is_refused() -> None:
    plan = plan_of(option=Prequential(), method="tuned")
    with pytest.raises(UserError, match="nothing is tuned"):
        evaluate(plan, plan.recipe.dataset())
    with pytest.raises(UserError, match="fading factor of 1"):
        Prequential(fading=1.0)
    with pytest.raises(UserError, match="0 rows of the window"):
        Prequential(window=0)


def test_the_label_width_counts() -> None:
    dataset = clusters()
    plan = plan_for(dataset, KIND, Prequential())
    narrow = replace(plan, recipe=replace(plan.recipe, choices=Choices(label_width=0.01)))
    usual, other = (np.asarray(evaluate(one, dataset).outcomes[0].whole.probabilities) for one in (plan, narrow))
    assert not np.array_equal(usual, other)


def test_a_single_class_has_no_kappa() -> None:
    dataset = dataset_of(Column.numeric("x", np.arange(9.0)), Column.nominal("kind", ["a"] * 9, role="target"))
    outcome = evaluate(plan_for(dataset, KIND, Prequential(window=3)), dataset).outcomes[0]
    assert outcome.course is not None
    assert outcome.course.overall["accuracy"][-1] == 1
    assert math.isnan(outcome.course.windows["kappa"][-1])


def test_it_can_be_cancelled_and_shows_what_it_found() -> None:
    dataset = clusters(200)
    shown: list[int] = []
    evaluate(plan_for(dataset, KIND, Prequential()), dataset, show=lambda found: shown.append(found.n_done))
    assert shown[-1] == 200
    with pytest.raises(Cancelled):
        evaluate(plan_for(dataset, KIND, Prequential()), dataset, lambda done, _: done < 10)
