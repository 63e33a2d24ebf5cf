"""figmn.river: river's own checks, and what they do not ask."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from river import checks, compose, datasets, preprocessing

from figmn import FastIGMN, Parameters
from figmn.estimators.probabilities import log_densities
from figmn.params import CHANGEABLE, DECLARED, NEUTRAL
from figmn.river import FIRST_VALUES, FastIGMNClassifier, FastIGMNRegressor, FastIGMNScorer, with_columns
from tests.places import ROOT

ESTIMATORS = (FastIGMNClassifier, FastIGMNRegressor, FastIGMNScorer)


class Transactions:
    """In place of river's CreditCard, which is downloaded: as many columns, and rare rows that lie elsewhere."""

    def take(self, n_rows: int) -> Iterator[tuple[dict[str, float], int]]:
        rng = np.random.default_rng(0)
        for _ in range(n_rows):
            fraud = int(rng.random() < 0.01)
            values = rng.normal(size=30) + 3 * fraud * (np.arange(30) < 5)
            yield {f"V{i}": value for i, value in enumerate(values.tolist())}, fraud


def all_checks() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(datasets, "CreditCard", Transactions)
        for estimator in ESTIMATORS:
            for i, check in enumerate(checks.yield_checks(estimator())):
                yield pytest.param(estimator(), check, id=f"{estimator.__name__}-{i}-{check.__name__}")


@pytest.mark.parametrize(("model", "check"), list(all_checks()))
def test_rivers_checks_hold(model: Any, check: Callable[[Any], None]) -> None:
    assert not model._unit_test_skips()
    check(model)


def test_the_checks_are_all_of_them() -> None:
    names = {item.values[1].__name__ for item in all_checks()}
    assert {"check_clone_with_new_params_applies", "check_roc_auc", "check_classifier_tracks_seen_labels"} <= names
    assert len(names) >= 26


def samples(n_rows: int = 300) -> list[tuple[dict[Any, float], str]]:
    """Two classes, each around two places."""
    rng = np.random.default_rng(1)
    labels = rng.integers(2, size=n_rows)
    sides = rng.integers(2, size=n_rows)
    values = rng.normal(size=(n_rows, 2)) + np.column_stack([8 * sides, 8 * (labels ^ sides)])
    return [({"b": b, "a": a}, "xy"[label]) for (a, b), label in zip(values.tolist(), labels.tolist(), strict=True)]


def quiet(**parameters: Any) -> FastIGMN:
    return FastIGMN(**parameters, columns=["a", "b"])


def test_a_score_is_the_surprise_of_the_mixture() -> None:
    model, direct = FastIGMNScorer(), quiet()
    for x, _ in samples():
        if direct.n_seen:
            assert model.score_one(x) == -direct.score_samples([[x["a"], x["b"]]])[0]
            assert model.score_one({"b": x["b"]}) == -direct.score_samples([[np.nan, x["b"]]])[0]
        model.learn_one(x)
        direct.learn_one([x["a"], x["b"]])


def test_classes_are_predicted_by_the_rule_of_bayes() -> None:
    model, direct, counts = FastIGMNClassifier(delta=0.5), {"x": quiet(delta=0.5), "y": quiet(delta=0.5)}, [0, 0]
    right = 0
    for x, y in samples():
        row = [x["a"], x["b"]]
        if all(counts):
            densities = np.array([log_densities(direct[label], np.array([row]))[0] for label in "xy"])
            logs = np.log(counts) + model._exponent * densities
            shares = np.exp(logs - logs.max())
            found = model.predict_proba_one(x)
            n_rows = sum(counts)
            expected = (n_rows * shares / shares.sum() + np.array(counts) / n_rows) / (n_rows + 1)
            assert [found["x"], found["y"]] == pytest.approx(expected.tolist(), abs=1e-12)
            right += model.predict_one(x) == y
        model.learn_one(x, y)
        direct[y].learn_one(row)
        counts["xy".index(y)] += 1
    assert right > 290


def test_probabilities_are_calibrated_before_samples_are_learned() -> None:
    losses = {}
    for calibrates in (True, False):
        model, surprises = FastIGMNClassifier(**NEUTRAL), []
        for x, y in datasets.Phishing():
            surprises.append(-math.log(model.predict_proba_one(x).get(y, 0.5)))
            model.learn_one(x, y)
            if not calibrates:
                model._exponent = 1.0
        losses[calibrates] = np.mean(surprises)
    assert losses[True] < 0.29
    assert losses[False] > 0.42


def test_without_features_only_the_priors_count() -> None:
    model = FastIGMNClassifier()
    for i in range(8):
        model.learn_one({"a": float(i)}, i % 4 == 0)
    assert model.predict_proba_one({}) == pytest.approx({True: 0.25, False: 0.75})
    assert model.predict_proba_one({"a": None, "elsewhere": 3.0}) == pytest.approx({True: 0.25, False: 0.75})
    model.learn_one({}, "new")
    assert "new" not in model.mixtures, "nothing is learned from a sample without values"


def test_a_class_may_come_late() -> None:
    model = FastIGMNClassifier()
    for x, y in samples():
        model.learn_one(x, y)
    for i in range(20):
        model.learn_one({"a": 50.0 + i % 3, "b": 50.0 + i % 2}, "late")
    assert model.predict_one({"a": 51.0, "b": 50.5}) == "late"
    assert set(model.predict_proba_one({"a": 0.0, "b": 0.0})) == {"x", "y", "late"}


def test_no_probability_is_exactly_zero() -> None:
    model = FastIGMNClassifier()
    for x, y in samples():
        model.learn_one({name: 1e6 * value for name, value in x.items()}, y)
    found = model.predict_proba_one({"a": 1e9, "b": -1e9})
    assert min(found.values()) > 1e-3, "no surer than 300 samples allow"
    assert sum(found.values()) == pytest.approx(1.0)


def test_priors_forget_with_the_memory() -> None:
    plain, forgetful = FastIGMNClassifier(), FastIGMNClassifier(memory=20.0)
    for model in (plain, forgetful):
        for i in range(400):
            model.learn_one({"a": float(i % 7)}, "before" if i < 300 else "after")
    assert plain.predict_proba_one({})["before"] == pytest.approx(0.75)
    assert forgetful.predict_proba_one({})["before"] == pytest.approx((1 - 1 / 20) ** 100, rel=1e-2)


def test_a_regressor_recalls_its_target() -> None:
    model = FastIGMNRegressor(delta=0.2, beta=0.05)
    rng = np.random.default_rng(0)
    for angle in rng.uniform(0, 2 * np.pi, 1000).tolist():
        model.learn_one({"angle": angle, "noise": rng.normal()}, math.sin(angle))
    assert model.predict_one({"angle": 1.5, "noise": 0.0}) == pytest.approx(math.sin(1.5), abs=0.1)
    assert model.predict_one({"angle": 4.5}) == pytest.approx(math.sin(4.5), abs=0.1)
    assert abs(model.predict_one({})) < 0.2
    assert model.mixture is not None
    assert model.mixture.columns == ("target", "angle", "noise")


def test_a_feature_that_appears_later_becomes_a_column() -> None:
    model = FastIGMNScorer()
    rows = [x for x, _ in samples()]
    for x in rows[:100]:
        model.learn_one(x)
    assert model.mixture is not None
    late = [{**x, "late": 1000.0 + 10 * math.sin(i)} for i, x in enumerate(rows[100:])]
    for x in late[: FIRST_VALUES - 1]:
        model.learn_one(x)
    assert model.mixture.n_features == 2
    assert model.score_one(late[0]) == model.score_one(rows[100]), "not known yet, so not counted"
    before = model.score_one(rows[0])
    for x in late[FIRST_VALUES - 1 :]:
        model.learn_one(x)
    assert model.mixture.columns == ("a", "b", "late")
    assert model.mixture.n_seen == 300
    assert model.score_one(rows[0]) == pytest.approx(before, abs=2.0), "what was learned of the others stays"
    assert model.score_one({**rows[0], "late": 1200.0}) > model.score_one({**rows[0], "late": 1005.0}) + 5


@pytest.mark.parametrize("rule", ["exact", "published"])
@pytest.mark.parametrize("n_columns", [3, 200])
def test_new_columns_leave_the_others_as_they_were(rule: str, n_columns: int) -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(400, n_columns)) @ rng.normal(size=(n_columns, n_columns))
    narrow = FastIGMN(covariance=rule, delta=1.0, beta=0.01, scale=rows.std(axis=0)).learn(rows[:300])
    first = {"p": rng.normal(5, 2, FIRST_VALUES), "q": rng.normal(-7, 1, FIRST_VALUES)}
    wide = with_columns(narrow, first, narrow.parameters)
    known = np.hstack([rows, np.full((400, 2), np.nan)])
    assert wide.score_samples(known) == pytest.approx(narrow.score_samples(rows), rel=1e-8)
    assert (wide.n_seen, wide.ids.tolist()) == (narrow.n_seen, narrow.ids.tolist())
    assert wide.accumulators.tolist() == narrow.accumulators.tolist()
    filled = wide.recall(known[:1])[0, -2:]
    assert filled == pytest.approx([np.mean(first["p"]), np.mean(first["q"])])
    np.testing.assert_allclose(wide.variances[:, -1], np.var(first["q"]))
    wide.learn(np.hstack([rows[300:], rng.normal(size=(100, 2))]))
    assert wide.n_seen == 400


def test_automatic_values_follow_the_number_of_columns() -> None:
    narrow = FastIGMN().learn([[0.0, 1.0], [2.0, 3.0]])
    wide = with_columns(narrow, {"new": [1.0, 2.0]}, Parameters())
    assert wide.parameters == Parameters().for_columns(3)


def test_no_width_of_a_class_is_above_its_standard_deviation() -> None:
    model, given, scorer = FastIGMNClassifier(), FastIGMNClassifier(delta=2.0), FastIGMNScorer()
    for i in range(30):
        x = {f"v{column}": float((i * column) % 7) for column in range(18 if i < 15 else 19)}
        model.learn_one(x, i % 3)
        given.learn_one(x, i % 3)
        scorer.learn_one(x)
    assert [(one.n_features, one.parameters.delta) for one in model.mixtures.values()] == [(19, 1.0)] * 3
    assert [one.parameters.delta for one in given.mixtures.values()] == [2.0] * 3
    assert scorer.mixture is not None
    assert scorer.mixture.parameters.delta == Parameters().for_columns(19).delta == 1.58


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_hyper_parameter_is_an_argument(estimator: Any) -> None:
    values = {"delta": 0.3, "beta": 0.02, "v_min": 50.0, "covariance": "published", "max_components": 7.0}
    model = estimator(**values)
    assert set(model._get_params()) == set(DECLARED)
    assert {name: model.clone()._get_params()[name] for name in values} == values
    with pytest.raises(ValueError, match=r"beta = 7 is outside the range from 0 to 1"):
        estimator(beta=7)


def test_a_change_inside_a_pipeline_reaches_the_mixtures() -> None:
    model = preprocessing.StandardScaler() | FastIGMNClassifier()
    for x, y in samples():
        model.learn_one(x, y)
    model.mutate({"FastIGMNClassifier": {"beta": 0.5, "v_min": 9}})
    classifier = model["FastIGMNClassifier"]
    assert all((m.parameters.beta, m.parameters.v_min) == (0.5, 9) for m in classifier.mixtures.values())
    assert classifier.clone().beta == 0.5
    model.learn_one({"a": 1.0, "b": 1.0}, "new")
    assert classifier.mixtures["new"].parameters.beta == 0.5
    assert classifier._mutable_attributes == set(CHANGEABLE)
    with pytest.raises(ValueError, match="beta = 7 is outside the range"):
        model.mutate({"FastIGMNClassifier": {"beta": 7}})
    assert classifier.beta == 0.5
    with pytest.raises(ValueError, match="not a mutable attribute"):
        model.mutate({"FastIGMNClassifier": {"delta": 1.0}})


@pytest.mark.parametrize("value", ["red", "1.5", b"1", object(), 1j, float("inf"), -1e200])
def test_what_is_no_number_is_named(value: Any) -> None:
    model = FastIGMNClassifier()
    model.learn_one({"a": 1.0}, True)
    for x in ({"a": value}, {"a": 1.0, "fine": 1.0, "new": value}, {"a": value, "fine": 1.0}):
        before = pickle.dumps(model)
        name = "new" if "new" in x else "a"
        with pytest.raises(ValueError, match=rf"'{name}' = .* (is not a number|cannot be used): .*"):
            model.learn_one(x, True)
        assert pickle.dumps(model) == before, "and nothing has changed"


def test_texts_pass_through_rivers_encoders() -> None:
    texts = compose.SelectType(str) | preprocessing.OneHotEncoder()
    model = (texts + compose.SelectType(float)) | FastIGMNClassifier()
    for i in range(100):
        model.learn_one({"colour": "red" if i % 2 else "blue", "size": float(i % 5)}, bool(i % 2))
    assert model.predict_one({"colour": "red", "size": 2.0}) is True
    assert model.predict_one({"colour": "blue", "size": 2.0}) is False


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), "2", None])
def test_weights_are_checked(weight: Any) -> None:
    with pytest.raises(ValueError, match=r"w = .* is no weight: give a number from 0 upwards; 0 skips the sample"):
        FastIGMNClassifier().learn_one({"a": 1.0}, True, w=weight)


def test_weights_reach_the_mixtures_and_the_priors() -> None:
    model, direct = FastIGMNClassifier(), quiet()
    for i, (x, _) in enumerate(samples(100)):
        model.learn_one(x, "weighed", w=1 + i % 3)
        direct.learn_one([x["a"], x["b"]], weight=1 + i % 3)
    assert model.mixtures["weighed"].accumulators.tolist() == direct.accumulators.tolist()
    assert model.mixtures["weighed"].means.tolist() == direct.means.tolist()
    model.learn_one({"a": 0.0, "b": 0.0}, "other", w=199.0)
    assert model.predict_proba_one({}) == pytest.approx({"weighed": 0.5, "other": 0.5})


def test_weight_zero_skips_a_sample() -> None:
    model = FastIGMNClassifier()
    model.learn_one({"a": 1.0}, True, w=0)
    assert model.predict_proba_one({"a": 1.0}) == {}


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_pickled_model_continues_as_the_original(estimator: Any) -> None:
    model = estimator()
    rows = [(x, float(y == "x")) for x, y in samples()]
    targets = estimator is not FastIGMNScorer
    for x, y in rows[:100]:
        model.learn_one(x, y) if targets else model.learn_one(x)
    copy = pickle.loads(pickle.dumps(model))
    for x, y in rows[100:]:
        for one in (model, copy):
            one.learn_one(x, y) if targets else one.learn_one(x)
    answers = [one.predict_one(rows[0][0]) if targets else one.score_one(rows[0][0]) for one in (model, copy)]
    assert answers[0] == answers[1]


def test_without_river_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['river'] = None; import figmn.river"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: figmn.river needs river, which is an extra. "
        "Install it with: pip install 'figmn-workbench[river]'"
    )
