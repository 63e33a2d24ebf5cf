"""One mixture for each class: the same in one call or row by row, and predictions where mixtures have no components."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figmn import FastIGMN, FastIGMNClassifier
from figmn.classes import ClassMixtures
from figmn.system.arrays import Floats, Ints


def labelled(n_rows: int = 120) -> tuple[Floats, Ints]:
    rng = np.random.default_rng(0)
    places = rng.integers(3, size=n_rows)
    return rng.normal(4.0 * places[:, None], 1, (n_rows, 2)), places


def empty(**parameters: Any) -> ClassMixtures:
    return ClassMixtures.empty(["a", "b", "c"], FastIGMN(**parameters, scale=[4.0, 4.0]))


@pytest.mark.parametrize("memory", [None, 20.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_may_come_at_once_or_one_by_one(memory: float | None, weighted: bool) -> None:
    X, places = labelled()
    weights = np.random.default_rng(1).uniform(0.5, 2, len(X)) if weighted else None
    at_once, one_by_one = empty(memory=memory), empty(memory=memory)
    at_once.learn(X, places, weights)
    for i in range(len(X)):
        one = slice(i, i + 1)
        one_by_one.learn(X[one], places[one], None if weights is None else weights[one])
    np.testing.assert_allclose(at_once.counts, one_by_one.counts)
    np.testing.assert_allclose(at_once.log_densities(X), one_by_one.log_densities(X))
    assert at_once.n_seen == one_by_one.n_seen == len(X)
    assert at_once.n_components == sum(model.n_components for model in at_once.models)


def test_each_class_has_the_density_of_its_own_rows() -> None:
    X, places = labelled()
    mixtures = empty()
    mixtures.learn(X, places)
    alone = FastIGMN(scale=[4.0, 4.0]).learn(X[places == 1])
    assert np.array_equal(mixtures.log_densities(X)[:, 1], alone.score_samples(X))


def test_more_classes_leave_the_mixtures_as_they_were() -> None:
    X, places = labelled()
    mixtures = empty()
    mixtures.learn(X[places < 2], places[places < 2])
    moved = mixtures.moved(["_", "a", "b", "c"], np.array([1, 2, 3]))
    assert moved.counts.tolist() == [0.0, *mixtures.counts.tolist()]
    assert [model is None for model in moved.models] == [True, False, False, True]
    assert np.array_equal(moved.log_densities(X)[:, 1:], mixtures.log_densities(X))


def test_a_frozen_copy_stays_while_the_mixtures_learn() -> None:
    X, places = labelled()
    mixtures = empty()
    mixtures.learn(X[:60], places[:60])
    frozen, before, counts = mixtures.frozen(), mixtures.log_densities(X), mixtures.counts.copy()
    mixtures.learn(X[60:], places[60:])
    np.testing.assert_allclose(frozen.log_densities(X), before)
    assert frozen.counts.tolist() == counts.tolist()


def test_a_class_without_components_is_improbable_and_with_none_at_all_nothing_is_known() -> None:
    X, places = labelled()
    mixtures = empty()
    assert mixtures.log_densities(X).tolist() == [[0.0] * 3] * len(X)
    mixtures.learn(X[:1], places[:1])
    found = mixtures.log_densities(X)
    assert np.isfinite(found[:, places[0]]).all()
    assert np.isneginf(np.delete(found, places[0], axis=1)).all()


def test_a_classifier_predicts_while_all_components_of_a_class_are_removed() -> None:
    X, places = labelled(60)
    model, without = FastIGMNClassifier(mixtures="per class", v_min=2, sp_min=50, scale=[4.0, 4.0]), 0
    for i in range(60):
        model.partial_fit(X[i : i + 1], places[i : i + 1], classes=[0, 1, 2])
        without += any(one is not None and not one.n_components for one in model.models_)
        assert model.predict_proba(X[:5]).sum(axis=1) == pytest.approx(np.ones(5))
    assert without
