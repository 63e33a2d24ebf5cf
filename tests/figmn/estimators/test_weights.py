"""`sample_weight` in fit and partial_fit of every estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figmn import FastIGMNClassifier, FastIGMNMixture, FastIGMNRegressor
from figmn.estimators.base import std_of
from figmn.scale import column_std
from tests.figmn.estimators.data import iris

ESTIMATORS = [
    FastIGMNClassifier(),
    FastIGMNClassifier(mixtures="per class"),
    FastIGMNRegressor(),
    FastIGMNMixture(),
]


def learn(estimator: Any, verb: str, X: Any, y: Any, **given: Any) -> Any:
    from sklearn.base import clone

    named = {"classes": [0, 1, 2]} if verb == "partial_fit" and isinstance(estimator, FastIGMNClassifier) else {}
    return getattr(clone(estimator), verb)(X, y, **named, **given)


def answers(estimator: Any, X: Any) -> Any:
    return estimator.predict(X) if isinstance(estimator, FastIGMNRegressor) else estimator.predict_proba(X)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("verb", ["fit", "partial_fit"])
class TestEveryEstimator:
    def test_ones_change_nothing(self, estimator: Any, verb: str) -> None:
        X, y = iris()
        plain = learn(estimator, verb, X, y)
        weighted = learn(estimator, verb, X, y, sample_weight=np.ones(150))
        np.testing.assert_allclose(answers(weighted, X), answers(plain, X), rtol=1e-9, atol=1e-12)

    def test_a_row_of_weight_0_is_left_out(self, estimator: Any, verb: str) -> None:
        X, y = iris()
        weights = (np.arange(150) % 3 > 0).astype(float)
        left_out = learn(estimator, verb, X, y, sample_weight=weights)
        shorter = learn(estimator, verb, X[weights > 0], y[weights > 0])
        np.testing.assert_allclose(answers(left_out, X), answers(shorter, X), rtol=1e-9, atol=1e-12)

    def test_a_weight_of_2_is_the_row_twice_in_one_component(self, estimator: Any, verb: str) -> None:
        X, y = iris()
        estimator = type(estimator)(
            **estimator.get_params() | {"beta": 0.0, "delta": 1.0, "scale": np.ones(X.shape[1])}
        )
        if isinstance(estimator, FastIGMNRegressor):
            estimator.set_params(scale=np.ones(X.shape[1] + 1))
        weights = 1.0 + np.arange(12) % 3
        times = weights.astype(int)
        weighted = learn(estimator, verb, X[:12], y[:12], sample_weight=weights)
        repeated = learn(estimator, verb, X[:12].repeat(times, axis=0), y[:12].repeat(times))
        for one, other in zip(weighted._models(), repeated._models(), strict=True):
            np.testing.assert_allclose(one.accumulators, other.accumulators)
            np.testing.assert_allclose(one.means, other.means)
            np.testing.assert_allclose(one.covariances, other.covariances, rtol=1e-9, atol=1e-12)

    def test_bad_weights_are_refused(self, estimator: Any, verb: str) -> None:
        X, y = iris()
        for weights, reason in [
            (-np.ones(150), "Negative"),
            (np.full(150, np.nan), "NaN"),
            (np.ones(149), "shape"),
            (np.zeros(150), "nothing to learn"),
        ]:
            with pytest.raises(ValueError, match=reason):
                learn(estimator, verb, X, y, sample_weight=weights)

    def test_a_call_of_weight_0_changes_nothing(self, estimator: Any, verb: str) -> None:
        X, y = iris()
        model = learn(estimator, verb, X, y)
        before = answers(model, X)
        model.partial_fit(X[:3], y[:3], sample_weight=np.zeros(3))
        np.testing.assert_array_equal(answers(model, X), before)


def test_widths_are_those_of_the_weighted_rows() -> None:
    rng = np.random.default_rng(0)
    rows, times = rng.normal(1e6, 1, (40, 3)), rng.integers(0, 4, 40)
    rows[rng.random(rows.shape) < 0.2] = np.nan
    rows[:, 2] = 7.0
    np.testing.assert_allclose(std_of(rows, times.astype(float)), column_std(rows.repeat(times, axis=0)), rtol=1e-9)
    assert std_of(rows, np.ones(40))[2] == 0


def test_a_class_of_weight_0_is_none() -> None:
    X, y = iris()
    weights = (y < 2).astype(float)
    for form in ("joint", "per class"):
        assert FastIGMNClassifier(mixtures=form).fit(X, y, sample_weight=weights).classes_.tolist() == [0, 1]


def test_weights_move_the_classes() -> None:
    X, y = np.random.default_rng(0).normal(size=(200, 2)), np.arange(200) % 2
    for form in ("joint", "per class"):
        model = FastIGMNClassifier(mixtures=form, beta=0).fit(X, y, sample_weight=np.where(y == 0, 3.0, 1.0))
        assert model.predict_proba(X)[:, 0].mean() == pytest.approx(0.75, abs=0.03)
