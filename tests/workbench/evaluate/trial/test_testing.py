"""Folds, splits, the training set and another file: what is found equals scikit-learn on the same rows."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix
from sklearn.metrics import log_loss as sklearn_log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from figmn import FastIGMNClassifier, FastIGMNMixture, FastIGMNRegressor
from tests.workbench.evaluate.trial.plans import clusters, dataset_of, plan_for, plan_of
from workbench.evaluate.folds import stratified_folds
from workbench.evaluate.trial import testing
from workbench.evaluate.trial.figures import cell_rows, class_figures, confusion, figure, figures_of
from workbench.evaluate.trial.methods import methods_of
from workbench.evaluate.trial.plan import Folds, Split, SuppliedFile, Task, TrainingSet, tasks_of
from workbench.evaluate.trial.testing import evaluate
from workbench.run.recipe.dataset import FileOrigin
from workbench.source import Cancelled, Column, Encoding, sample
from workbench.source.read.options import silent
from workbench.words.sentences import UserError

KIND, SIZE, DENSITY = Task("classes", "kind"), Task("numbers", "size"), Task("density")


def close(found: Any, expected: Any, rtol: float = 1e-7, atol: float = 0.0) -> None:
    """Compare arrays that may be None."""
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)


def test_folds_give_what_scikit_learn_gives() -> None:
    plan = plan_of(option=Folds(5), baseline="bayes", seed=3)
    found = evaluate(plan, plan.recipe.dataset())
    table = sample("iris").read()
    X, y = np.column_stack([table[name].values for name in table.names[:4]]), table["class"].values
    folds = [(fold.train, fold.test) for fold in stratified_folds(table, 5, seed=3)]
    expected = [
        cross_val_predict(model, X, y, cv=folds, method="predict_proba")
        for model in (FastIGMNClassifier(), make_pipeline(StandardScaler(), GaussianNB()))
    ]
    for outcome, probabilities in zip(found.outcomes, expected, strict=True):
        whole = outcome.whole
        assert sorted(whole.rows) == list(range(150))
        close(whole.probabilities, probabilities[whole.rows], atol=1e-6)
        predicted = probabilities.argmax(axis=1)
        assert figure(found, outcome, "accuracy").value == pytest.approx(accuracy_score(y, predicted))
        assert figure(found, outcome, "kappa").value == pytest.approx(cohen_kappa_score(y, predicted))
        assert figure(found, outcome, "log_loss").value == pytest.approx(sklearn_log_loss(y, probabilities), rel=1e-4)
        assert confusion(found, outcome).tolist() == confusion_matrix(y, predicted).tolist()
        for truth in range(3):
            for said in range(3):
                assert (
                    cell_rows(outcome, truth, said).tolist()
                    == np.flatnonzero((y == truth) & (predicted == said)).tolist()
                )


def test_numbers_and_their_intervals_are_the_regressors() -> None:
    dataset = clusters()
    found = evaluate(plan_for(dataset, SIZE, Split(0.5), "linear"), dataset)
    (part,) = found.outcomes[0].parts
    train = np.setdiff1d(np.arange(300), part.rows)
    X = np.column_stack([dataset.table[name].values for name in "xy"])
    y = dataset.table["size"].values
    order = [row for row in np.random.default_rng(0).permutation(300) if row in set(train.tolist())]
    model = FastIGMNRegressor().fit(X[order], y[order])
    close(part.predicted, model.predict(X[part.rows]), rtol=1e-9)
    low, high = model.predict_interval(X[part.rows])
    close([part.low, part.high], [low, high], rtol=1e-9)
    assert np.array_equal(part.truth, y[part.rows])
    assert "kind" in found.remarks[0]
    named = {one.measure.name: one.value for one in figures_of(found, found.outcomes[0])}
    assert named["coverage"] == np.mean((low <= part.truth) & (part.truth <= high))
    assert "coverage" not in {one.measure.name for one in figures_of(found, found.outcomes[1])}


def test_nine_of_ten_intervals_hold_the_truth() -> None:
    dataset = clusters(4000)
    found = evaluate(plan_for(dataset, SIZE, Folds(4)), dataset)
    assert 0.87 <= figure(found, found.outcomes[0], "coverage").value <= 0.93


@pytest.mark.parametrize("encoding", [Encoding(), Encoding(scaling="standard")], ids=["none", "standard"])
def test_densities_are_per_unit_of_the_user_whatever_the_scaling(encoding: Encoding) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(5, 1000, 200)
    dataset = dataset_of(Column.numeric("x", values), encoding=encoding)
    found = evaluate(plan_for(dataset, DENSITY, TrainingSet(), "gaussian"), dataset)
    exact = float(np.mean(-0.5 * np.log(2 * np.pi * values.var()) - (values - values.mean()) ** 2 / (2 * values.var())))
    mixture, gaussian = (figure(found, outcome, "log_likelihood").value for outcome in found.outcomes)
    assert gaussian == pytest.approx(exact, rel=1e-3)
    library = FastIGMNMixture().fit(values[:, None]).score_samples(values[:, None]).mean()
    assert mixture == pytest.approx(library, rel=1e-3)


def test_rows_without_target_or_inputs_are_not_used_and_named() -> None:
    x = [1.0, 2.0, np.nan, 4.0, 5.0, 6.0, 7.0, 8.0]
    dataset = dataset_of(
        Column.numeric("x", x), Column.nominal("kind", ["a", "b", "a", None, "b", "a", "b", "a"], role="target")
    )
    found = evaluate(plan_for(dataset, KIND, Folds(2)), dataset)
    assert sorted(found.outcomes[0].whole.rows) == [0, 1, 4, 5, 6, 7]
    assert found.remarks[:2] == (
        "Not used: 1 row with no value of kind",
        "Not used: 1 row with no value in any input column",
    )


def test_gaps_are_dropped_where_the_recipe_says_so() -> None:
    x, y = np.arange(20.0), np.arange(20.0)
    y[[3, 4]] = np.nan
    columns = Column.numeric("x", x), Column.numeric("y", y), Column.nominal("kind", ["a", "b"] * 10, role="target")
    dataset = dataset_of(*columns, encoding=Encoding(missing="drop"))
    found = evaluate(plan_for(dataset, KIND, Folds(2)), dataset)
    assert set(range(20)) - set(found.outcomes[0].whole.rows.tolist()) == {3, 4}
    assert found.remarks[0] == "Not used: 2 rows with a missing value"


def test_a_split_keeps_the_shares_of_the_classes() -> None:
    plan = plan_of(option=Split(0.66, n_repeats=3))
    found = evaluate(plan, plan.recipe.dataset())
    parts = found.outcomes[0].parts
    assert [(part.repeat, len(part.rows), part.n_trained) for part in parts] == [(k, 51, 99) for k in range(3)]
    assert all(np.bincount(part.truth).tolist() == [17, 17, 17] for part in parts)
    assert parts[0].rows.tolist() != parts[1].rows.tolist()


def test_an_ordered_split_tests_the_last_rows() -> None:
    plan = plan_of(option=Split(0.66, is_ordered=True))
    assert evaluate(plan, plan.recipe.dataset()).outcomes[0].parts[0].rows.tolist() == list(range(99, 150))


def test_the_training_set_is_learned_and_tested_whole() -> None:
    plan = plan_of(option=TrainingSet())
    found = evaluate(plan, plan.recipe.dataset())
    (part,) = found.outcomes[0].parts
    assert (len(part.rows), part.n_trained) == (150, 150)
    assert np.isnan(figure(found, found.outcomes[0], "accuracy").spread)


def csv(path: Path, *lines: str) -> SuppliedFile:
    path.write_text("\n".join(lines) + "\n")
    return SuppliedFile(FileOrigin(str(path)))


def test_another_file_is_tested_by_names_and_labels(tmp_path: Path) -> None:
    dataset = dataset_of(
        Column.numeric("x", [0.0, 0.1, 0.2, 5.0, 5.1, 5.2]),
        Column.nominal("kind", ["a", "a", "a", "b", "b", "b"], role="target"),
    )
    option = csv(tmp_path / "new.csv", "kind,extra,x", "b,1,5.1", "a,2,0.0", "?,3,1", "b,4,5.0")
    found = evaluate(plan_for(dataset, KIND, option, "majority"), dataset)
    (part,) = found.outcomes[0].parts
    assert part.rows.tolist() == [0, 1, 3]
    assert part.truth.tolist() == part.predicted_codes.tolist() == [1, 0, 1]
    assert "new.csv: Not used: 1 row with no value of kind" in found.remarks


@pytest.mark.parametrize(
    ("lines", "words"),
    [(("kind,y", "a,1"), "no column 'x'"), (("kind,x", "c,1", "a,2"), "'c' in column 'kind' is a class"),
     (("kind,x", "?,1", "?,2"), "No row of new.csv")],
)  # fmt: skip
def test_another_file_that_does_not_fit_is_refused(tmp_path: Path, lines: tuple[str, ...], words: str) -> None:
    dataset = dataset_of(
        Column.numeric("x", [0.0, 1.0, 2.0, 3.0]), Column.nominal("kind", ["a", "b", "a", "b"], role="target")
    )
    with pytest.raises(UserError, match=words):
        evaluate(plan_for(dataset, KIND, csv(tmp_path / "new.csv", *lines)), dataset)


def test_a_class_that_is_missing_from_training_is_never_predicted() -> None:
    labels = ["a"] * 10 + ["b"] * 9 + ["c"]
    dataset = dataset_of(Column.numeric("x", np.arange(20.0)), Column.nominal("kind", labels, role="target"))
    found = evaluate(plan_for(dataset, KIND, Folds(2), "bayes"), dataset)
    for outcome in found.outcomes:
        whole = outcome.whole
        assert whole.probabilities is not None
        np.testing.assert_allclose(whole.probabilities.sum(axis=1), 1.0, atol=1e-6)
        assert whole.probabilities[whole.truth == 2, 2].tolist() == [0.0]
        assert [line.n_rows for line in class_figures(found, outcome)] == [10, 9, 1]


@pytest.mark.parametrize("method", ["per class", "ensemble", "tuned"])
def test_every_form_answers(method: str) -> None:
    plan = plan_of(option=Split(), method=method)
    found = evaluate(plan, plan.recipe.dataset())
    assert figure(found, found.outcomes[0], "accuracy").value > 0.9


@pytest.mark.parametrize("baseline", ["majority", "bayes", "nearest", "logistic", "boosting"])
def test_every_baseline_of_classes_answers(baseline: str) -> None:
    dataset = clusters(90)
    found = evaluate(plan_for(dataset, KIND, Folds(2), baseline), dataset)
    assert figure(found, found.outcomes[1], "accuracy").value > (0.3 if baseline == "majority" else 0.7)


@pytest.mark.parametrize("baseline", ["mean", "linear", "nearest", "boosting"])
def test_every_baseline_of_numbers_answers(baseline: str) -> None:
    dataset = clusters(90)
    found = evaluate(plan_for(dataset, SIZE, Folds(2), baseline), dataset)
    assert figure(found, found.outcomes[1], "r2").value > (-0.2 if baseline == "mean" else 0.7)


def test_a_baseline_or_form_of_another_task_is_refused() -> None:
    dataset = clusters(30)
    with pytest.raises(UserError, match="baseline 'bayes' is not known for size"):
        evaluate(plan_for(dataset, SIZE, Folds(2), "bayes"), dataset)
    plan = plan_of(method="fastest")
    with pytest.raises(UserError, match="'fastest' is no form"):
        evaluate(plan, plan.recipe.dataset())


def test_a_table_without_a_known_target_is_refused() -> None:
    dataset = dataset_of(Column.numeric("x", [1.0, 2.0]), Column.nominal("kind", [None, None], role="target"))
    assert [task.words for task in tasks_of(dataset.table)] == ["density of the rows"]
    with pytest.raises(UserError, match="No row of"):
        evaluate(plan_for(dataset, KIND, Folds(2)), dataset)


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Folds(1), "1 folds"), (lambda: Folds(5, 0), "0 repeats"), (lambda: Split(1.0), "1 of the rows"),
    (lambda: Split(0.5, 2, is_ordered=True), "2 repeats"),
])  # fmt: skip
def test_impossible_options_are_refused(make: object, words: str) -> None:
    with pytest.raises(UserError, match=words):
        make()  # type: ignore[operator]


def test_processes_give_the_same_as_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(option=Folds(3), baseline="bayes")
    dataset = plan.recipe.dataset()
    shown: list[int] = []
    alone = evaluate(plan, dataset, show=lambda found: shown.append(found.n_done))
    assert shown == [1, 2, 3, 4, 5, 6]
    assert alone.is_complete
    monkeypatch.setattr(testing, "WHOLE_WORK", 0)
    together = evaluate(plan, dataset)
    for one, other in zip(alone.outcomes, together.outcomes, strict=True):
        assert one.whole.rows.tolist() == other.whole.rows.tolist()
        close(one.whole.probabilities, other.whole.probabilities, rtol=1e-6)


@pytest.mark.parametrize("work", [0, 10**9], ids=["processes", "here"])
def test_it_can_be_cancelled(monkeypatch: pytest.MonkeyPatch, work: int) -> None:
    monkeypatch.setattr(testing, "WHOLE_WORK", work)
    plan = plan_of(option=Folds(5))
    with pytest.raises(Cancelled):
        evaluate(plan, plan.recipe.dataset(), lambda done, _: done < 1)


@pytest.mark.parametrize("baseline", ["logistic", "boosting"])
def test_a_baseline_that_cannot_learn_is_named(baseline: str) -> None:
    dataset = dataset_of(Column.numeric("x", np.arange(9.0)), Column.nominal("kind", ["a"] * 9, role="target"))
    with pytest.raises(UserError, match="cannot learn"):
        evaluate(plan_for(dataset, KIND, Folds(2), baseline), dataset)


def test_what_nothing_can_be_said_of_is_equally_probable() -> None:
    dataset = dataset_of(Column.numeric("x", [1.0, 2.0]), Column.nominal("kind", ["a", "b"], role="target"))
    found = evaluate(plan_for(dataset, KIND, TrainingSet(), "bayes"), dataset)
    probabilities = np.asarray(found.outcomes[1].whole.probabilities)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)


def test_a_number_that_no_engine_takes_is_named_by_its_place_in_the_file() -> None:
    x = np.arange(20.0)
    x[13] = 1e160
    dataset = dataset_of(Column.numeric("x", x), Column.nominal("kind", ["a", "b"] * 10, role="target"))
    with pytest.raises(UserError, match=r"Row 14 of .*, column 'x': .*1e\+160"):
        evaluate(plan_for(dataset, KIND, Folds(2)), dataset)


def test_weights_count_where_settings_are_tuned() -> None:
    dataset = clusters(60)
    table = replace(dataset.table, weights=np.where(np.arange(60) % 2, 5.0, 1.0))
    found = []
    for one in (dataset, replace(dataset, table=table, loaded=table)):
        plan = replace(plan_for(one, KIND, Split()), method="tuned")
        found.append(np.asarray(evaluate(plan, one).outcomes[0].whole.probabilities))
    assert not np.array_equal(found[0], found[1])


@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize("counts", [(99, 99, 2), (2, 2, 2)], ids=["a rare class", "rare classes alone"])
def test_rare_classes_are_tuned_for_as_well(counts: tuple[int, ...]) -> None:
    labels = [f"k{code}" for code, count in enumerate(counts) for _ in range(count)]
    x = np.random.default_rng(0).normal([5 * int(label[1]) for label in labels])
    dataset = dataset_of(Column.numeric("x", x), Column.nominal("kind", labels, role="target"))
    search = methods_of(replace(plan_for(dataset, KIND), method="tuned"))[0].make()
    order = np.random.default_rng(1).permutation(len(x))
    search.fit(x[order, None], dataset.table["kind"].values[order])
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()


def test_a_case_holds_its_own_rows_alone() -> None:
    plan = plan_of(option=Folds(50, 20))
    trial = testing._trial(plan, plan.recipe.dataset(), silent)
    case = next(trial.cases())
    assert len(pickle.dumps(case)) < 20_000
    assert (case.train.n_rows, case.test.n_rows) == (147, 3)


def test_a_run_does_not_wait_for_a_large_evaluation() -> None:
    """What takes long is learned in other processes, so that no lock is held here."""
    large = dataset_of(
        *(Column.numeric(f"x{place}", np.arange(500.0)) for place in range(120)),
        Column.nominal("kind", ["a", "b"] * 250, role="target"),
    )
    plan = plan_for(large, KIND, Split())
    trial = testing._trial(plan, large, silent)
    assert not trial.is_small(methods_of(plan))
    small = clusters(300)
    plan = plan_for(small, KIND, Split(), "bayes")
    trial = testing._trial(plan, small, silent)
    assert trial.is_small(methods_of(plan))
    assert not trial.is_small(methods_of(replace(plan, method="tuned")))
