"""One mixture for each class: classes that come later, and rows without a label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
from sklearn.utils import shuffle

from figmn import FastIGMN, FastIGMNClassifier
from tests.figmn.estimators.data import iris, wine


def per_class(**settings: Any) -> FastIGMNClassifier:
    return FastIGMNClassifier(mixtures="per class", **settings)


class TestClasses:
    def test_it_classifies(self) -> None:
        assert cross_val_score(per_class(), *iris(), cv=5).mean() > 0.93
        assert cross_val_score(per_class(), *wine(), cv=5).mean() > 0.93

    def test_every_class_is_a_mixture_of_its_rows(self) -> None:
        X, y = iris()
        model = per_class(delta=0.4, beta=0.01).fit(X, y)
        for place, mixture in enumerate(model.models_):
            alone = FastIGMN(delta=0.4, beta=0.01, scale=X.std(axis=0)).learn(X[y == place])
            np.testing.assert_allclose(mixture.means, alone.means)
            np.testing.assert_allclose(mixture.covariances, alone.covariances)
        assert model.class_count_.tolist() == [50, 50, 50]
        assert model.n_components_ == sum(mixture.n_components for mixture in model.models_)
        assert not hasattr(model, "model_")

    def test_classes_may_come_later(self) -> None:
        X, y = iris()
        X, y = X[np.argsort(y, kind="stable")], np.sort(y)
        model = per_class()
        for label, name in [(2, "c"), (0, "a"), (1, "b")]:  # not in the order of their names
            model.partial_fit(X[y == label], [name] * 50)
        assert model.classes_.tolist() == ["a", "b", "c"]
        names = np.array(["a", "b", "c"])[y]
        assert (model.predict(X) == names).mean() > 0.93
        again = per_class().partial_fit(X, names)
        np.testing.assert_allclose([m.means.mean() for m in model.models_], [m.means.mean() for m in again.models_])

    def test_running_widths_of_a_class_bound_the_automatic_delta(self) -> None:
        X, y = wine()
        assert [m.parameters.delta for m in per_class().partial_fit(X, y).models_] == [1.0] * 3
        assert [m.parameters.delta for m in per_class(delta=1.5).partial_fit(X, y).models_] == [1.5] * 3
        given = per_class(scale=X.std(axis=0)).partial_fit(X, y)
        assert [m.parameters.delta for m in given.models_] == [1.08] * 3

    def test_longer_names_are_not_cut(self) -> None:
        model = per_class().partial_fit([[0.0], [0.1]], ["a", "a"]).partial_fit([[5.0], [5.1]], ["much longer"] * 2)
        assert model.predict([[5.0]]).tolist() == ["much longer"]

    def test_a_class_that_was_named_has_a_probability(self) -> None:
        X, y = iris()
        model = per_class().partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
        found = model.predict_proba(X)
        assert found.shape == (150, 3)
        assert (found[:, 2] > 0).all()
        assert found[:, 2].max() < 0.05
        model.partial_fit(X[y == 2], y[y == 2])
        assert model.score(X, y) > 0.93

    def test_labels_of_another_kind_are_refused(self) -> None:
        model = per_class().partial_fit([[0.0], [1.0]], [1, 2])
        with pytest.raises(ValueError, match="give one kind of label"):
            model.partial_fit([[0.0]], ["a"])
        assert model.classes_.tolist() == [1, 2]

    def test_class_frequencies_fade_with_the_memory(self) -> None:
        X = np.random.default_rng(0).normal(size=(200, 1))
        y = np.repeat([0, 1], 100)
        model = per_class(memory=20).partial_fit(X, y)
        kept = 1 - 1 / 20
        assert model.class_count_[1] == pytest.approx((1 - kept**100) / (1 - kept))
        assert model.class_count_[0] == pytest.approx(model.class_count_[1] * kept**100)
        split = per_class(memory=20)
        for row in range(200):
            split.partial_fit(X[row : row + 1], y[row : row + 1])
        np.testing.assert_allclose(split.class_count_, model.class_count_)

    def test_the_form_may_change_with_another_fit(self) -> None:
        X, y = iris()
        model = per_class().fit(X, y)
        model.set_params(mixtures="joint").fit(X, y)
        assert model.model_.n_features == 7
        assert not hasattr(model, "models_")
        model.set_params(mixtures="per class").fit(X, y)
        assert not hasattr(model, "model_")
        with pytest.raises(ValueError, match="mixtures = 'both' is not known: choose 'joint' or 'per class'"):
            model.set_params(mixtures="both").fit(X, y)


class TestRowsWithoutALabel:
    def test_they_help(self) -> None:
        X, y = shuffle(*load_digits(return_X_y=True), random_state=0)
        X = X[:, X.std(axis=0) > 1]
        known = y.copy()
        known[60:1200] = -1
        few = per_class().fit(X[:60], y[:60]).score(X[1200:], y[1200:])
        assert per_class().fit(X[:1200], known[:1200]).score(X[1200:], y[1200:]) > few + 0.02

    @pytest.mark.parametrize(
        ("labels", "missing"),
        [
            (np.array([0, 1, 2]), -1),
            (np.array([0.0, 1.0, 2.0]), np.nan),
            (np.array(["a", "b", "c"], object), None),
            (np.array(["a", "b", "c"], object), np.nan),
        ],
    )
    def test_how_they_are_marked(self, labels: Any, missing: Any) -> None:
        X, y = iris()
        given = labels[y]
        given[100:] = missing
        for marked in (given, given.tolist(), pd.Series(given)):
            model = per_class().fit(X, marked)
            assert model.classes_.tolist() == labels.tolist()
            assert 125 < model.class_count_.sum() < 150
            assert (model.predict(X) == labels[y]).mean() > 0.9

    def test_they_teach_their_most_probable_class(self) -> None:
        X = np.array([[0.0], [1.0], [9.0], [10.0]])
        model = per_class(beta=0, delta=1).fit(X, [0, 0, 1, 1])
        (share, _), (before, other) = model.predict_proba([[0.5]])[0], [m.accumulators.sum() for m in model.models_]
        model.partial_fit([[0.5]], [-1], sample_weight=[3.0])
        gained = 3 * (2 * share - 1)
        assert gained > 0.5
        assert model.models_[0].accumulators.sum() == pytest.approx(before + gained)
        assert model.models_[1].accumulators.sum() == other
        np.testing.assert_allclose(model.class_count_, [2 + gained, 2])

    def test_minus_one_and_one_are_two_classes(self) -> None:
        X, y = iris()
        signs = np.where(y == 0, -1, 1)
        model = per_class().fit(X, signs)
        assert model.classes_.tolist() == [-1, 1]
        assert model.score(X, signs) > 0.99
        model.partial_fit(X, signs)
        assert model.class_count_.tolist() == [100, 200]

    def test_a_stream_must_say_which_is_meant(self) -> None:
        X, y = iris()
        signs = np.where(y == 0, -1, 1)
        with pytest.raises(ValueError, match="y holds -1 before two classes are known"):
            per_class().partial_fit(X, signs)
        with pytest.raises(ValueError, match="y holds -1 before two classes are known"):
            per_class().partial_fit(X[:1], [1]).partial_fit(X[:1], [-1])
        assert per_class().partial_fit(X, signs, classes=[-1, 1]).classes_.tolist() == [-1, 1]
        semi = per_class().partial_fit(X[:1], [1], classes=[0, 1]).partial_fit(X[:1], [-1])
        assert semi.classes_.tolist() == [0, 1]
        assert 1 < semi.class_count_.sum() < 2

    def test_at_least_one_label_is_needed(self) -> None:
        with pytest.raises(ValueError, match="no row has a label"):
            per_class().fit([[0.0], [1.0]], [None, None])
        with pytest.raises(ValueError, match="no row has a label"):
            per_class().partial_fit([[0.0], [1.0]], [np.nan, np.nan])
