"""Test-then-train: predictions before each row is learned, and figures over a window, with fading, and over all."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from figmn import FastIGMN
from figmn.system.arrays import Floats, Ints
from tests.workbench.evaluate.trial.plans import clusters, dataset_of, plan_for, plan_of
from workbench.evaluate.trial.course import MOST_PLACES
from workbench.evaluate.trial.figures import figure, figures_of
from workbench.evaluate.trial.plan import Prequential, Task
from workbench.evaluate.trial.testing import evaluate
from workbench.run.recipe.choices import Choices
from workbench.source import Cancelled, Column, Encoding
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


class MoaEvaluator:
    """A literal version of MOA's evaluators: the weight of every row by its age."""

    def __init__(self, truth: Ints, predicted: Ints, weight_of: Callable[[int], float]) -> None:
        self.truth, self.predicted, self.weight_of = truth, predicted, weight_of

    def figures(self, end: int) -> list[float]:
        weights = np.array([self.weight_of(end - 1 - place) for place in range(end)])
        truth, predicted = self.truth[:end], self.predicted[:end]

        def share(is_right: Any) -> float:
            return float(weights @ is_right / weights.sum())

        last = np.append(-1, truth[:-1])
        majority = [self.majority(place) for place in range(end)]
        right = share(truth == predicted)
        chance = sum(share(truth == code) * share(predicted == code) for code in range(3))
        bases = [chance, share(truth == majority), share(truth == last)]
        return [right, *((right - base) / (1 - base) if base < 1 else math.nan for base in bases)]

    def majority(self, place: int) -> int:
        """Of the same scope at that row, the row included."""
        counts = [0.0] * 3
        for earlier in range(place + 1):
            counts[self.truth[earlier]] += self.weight_of(place - earlier)
        return counts.index(max(counts))


def test_figures_are_those_of_moa() -> None:
    dataset = clusters(120)
    # The majority changes on the way, so that it is another one in every scope.
    order = np.argsort(dataset.table["kind"].values + np.random.default_rng(1).normal(0, 0.4, 120))
    table = dataset.table.take(order)
    dataset = replace(dataset, table=table, loaded=table)
    option = Prequential(window=25, fading=0.9)
    outcome = evaluate(plan_for(dataset, KIND, option), dataset).outcomes[0]
    course, whole = outcome.course, outcome.whole
    assert course is not None
    assert course.samples.tolist() == list(range(1, 121))
    scopes: dict[str, Callable[[int], float]] = {
        "windows": lambda age: float(age < 25),
        "faded": lambda age: 0.9**age,
        "overall": lambda _: 1.0,
    }
    for scope, weight_of in scopes.items():
        moa = MoaEvaluator(whole.truth.astype(np.int64), whole.predicted_codes, weight_of)
        for end in (2, 20, 25, 26, 70, 120):
            found = [getattr(course, scope)[name][end - 1] for name in ("accuracy", "kappa", "kappa_m", "kappa_t")]
            np.testing.assert_allclose(found, moa.figures(end), atol=1e-9, err_msg=f"{scope} {end}")


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


def test_naive_bayes_is_that_of_the_rows_so_far() -> None:
    dataset = clusters(60)
    found = evaluate(plan_for(dataset, KIND, Prequential(), "bayes"), dataset)
    said = np.asarray(found.outcomes[1].whole.probabilities)
    X, codes = encoded(60)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    for place in (20, 40, 59):
        expected = GaussianNB().fit(X[:place], codes[:place]).predict_proba(X[place : place + 1])[0]
        np.testing.assert_allclose(said[place], expected, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(said.sum(axis=1), 1.0)
    assert said[1, codes[0]] == 1, "after one row its class is the only one"


def test_naive_bayes_knows_a_label_that_says_everything() -> None:
    labels = ["a", "b", "c"] * 20
    dataset = dataset_of(Column.nominal("same", labels), Column.nominal("kind", labels, role="target"))
    found = evaluate(plan_for(dataset, KIND, Prequential(), "bayes"), dataset)
    assert found.outcomes[1].whole.predicted_codes[6:].tolist() == found.outcomes[1].whole.truth[6:].tolist()


def test_the_mean_so_far_loses_no_digits() -> None:
    values = [1.0, 2.0, 1e20, 3.0]
    dataset = dataset_of(Column.numeric("x", np.arange(4.0)), Column.numeric("size", values, role="target"))
    said = evaluate(plan_for(dataset, SIZE, Prequential(), "mean"), dataset).outcomes[1].whole.predicted
    assert said is not None
    assert said.tolist() == [1.0, 1.5, pytest.approx(1e20 / 3)]


@pytest.mark.parametrize("delay", [0, 100])
def test_rows_before_the_first_answer_have_no_figure(delay: int) -> None:
    dataset = clusters()
    found = evaluate(plan_for(dataset, SIZE, Prequential(delay=delay)), dataset)
    course, whole = found.outcomes[0].course, found.outcomes[0].whole
    assert course is not None
    assert len(whole.rows) == 299 - delay
    assert math.isnan(course.overall["rmse"][delay])
    assert course.overall["rmse"][-1] == pytest.approx(figure(found, found.outcomes[0], "rmse").value)
    assert any("no figure" in remark for remark in found.remarks)


@pytest.mark.parametrize("encoding", [Encoding(), Encoding(scaling="standard")], ids=["none", "standard"])
def test_the_density_of_a_row_with_gaps_is_that_of_what_is_known(encoding: Encoding) -> None:
    x, y = np.random.default_rng(0).normal([[5], [100]], [[1], [20]], (2, 50))
    x[::7] = np.nan
    dataset = dataset_of(Column.numeric("x", x), Column.numeric("y", y), encoding=encoding)
    whole = evaluate(plan_for(dataset, DENSITY, Prequential()), dataset).outcomes[0].whole
    rows = encoding.fit(dataset.table).encode(dataset.table).values
    units = np.log(encoding.fit(dataset.table).units[1])
    model, said = FastIGMN(scale=np.nanstd(rows, axis=0)), []
    for row in rows:
        if model.n_components:
            said.append(float(model.score_samples([row])[0] - units[~np.isnan(row)].sum()))
        model.learn_one(row)
    assert whole.log_densities is not None
    np.testing.assert_allclose(whole.log_densities, said, rtol=1e-9)


def test_weights_count() -> None:
    dataset = clusters(60)
    table = replace(dataset.table, weights=np.where(np.arange(60) % 2, 5.0, 1.0))
    weighted = replace(dataset, table=table, loaded=table)
    for baseline in ("majority", "bayes"):
        plain, other = (evaluate(plan_for(one, KIND, Prequential(), baseline), one) for one in (dataset, weighted))
        for place in (0, 1):
            said = [np.asarray(one.outcomes[place].whole.probabilities) for one in (plain, other)]
            assert not np.array_equal(said[0], said[1])


@pytest.mark.parametrize("delay", [0, 3])
def test_a_number_that_no_engine_takes_is_named_by_its_place_in_the_file(delay: int) -> None:
    x = np.arange(20.0)
    x[13] = 1e160
    dataset = dataset_of(Column.numeric("x", x), Column.nominal("kind", ["a", "b"] * 10, role="target"))
    with pytest.raises(UserError, match=r"Row 14 of .*, column 'x': .*1e\+160"):
        evaluate(plan_for(dataset, KIND, Prequential(delay=delay)), dataset)


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
