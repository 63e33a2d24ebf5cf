"""The set of classifiers with prequential weights."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_circles
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import parametrize_with_checks

from figmn import ConstantColumnWarning, EmptyRowWarning, FastIGMNClassifier, FastIGMNEnsemble
from figmn.estimators.ensemble import WINDOW, Predicted, pool_weights
from tests.figmn.estimators.test_with_scikit_learn import EXPECTED_FAILURES


@parametrize_with_checks([FastIGMNEnsemble(delta=1)], expected_failed_checks=lambda _: EXPECTED_FAILURES)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def circles(n_rows: int = 300) -> Any:
    return make_circles(n_rows, noise=0.1, factor=0.5, random_state=0)


class TestWeights:
    def test_members_that_know_get_the_weight(self) -> None:
        X, y = circles()
        model = FastIGMNEnsemble().fit(X, y)
        assert len(model.members_) == len(model.weights_) == 9
        assert model.weights_.sum() == pytest.approx(1)
        single = model.weights_[-1]  # one component knows nothing of circles
        assert single < 0.02 < model.weights_.max()

    def test_the_mixture_is_nearly_as_good_as_the_best_member(self) -> None:
        X, y = circles(600)
        model = FastIGMNEnsemble().fit(X[:300], y[:300])
        losses = [log_loss(y[300:], member.predict_proba(X[300:])) for member in model.members_]
        assert log_loss(y[300:], model.predict_proba(X[300:])) < min(losses) + 0.02 < max(losses) - 0.2

    def test_they_are_those_of_the_least_log_loss(self) -> None:
        right = np.random.default_rng(0).uniform(0.05, 1, (200, 3))
        found = pool_weights(right, np.ones(200))
        grid = [np.array([a, b, 1 - a - b]) for a in np.linspace(0, 1, 101) for b in np.linspace(0, 1 - a, 101)]
        losses = [-np.log(right @ weights).sum() for weights in grid]
        assert -np.log(right @ found).sum() < min(losses) + 0.05

    def test_counted_rows_are_as_rows_repeated(self) -> None:
        right = np.random.default_rng(0).uniform(0.05, 1, (20, 3))
        counts = np.arange(20) % 3 + 1
        expected = pool_weights(right.repeat(counts, axis=0), np.ones(counts.sum()))
        np.testing.assert_allclose(pool_weights(right, counts.astype(np.float64)), expected)

    def test_they_forget_as_memory_says(self) -> None:
        random = np.random.default_rng(0)
        first, then = random.uniform(0.5, 1, (300, 2)) * [1, 0.2], random.uniform(0.5, 1, (100, 2)) * [0.2, 1]
        weights = {}
        for memory in (np.inf, 20.0):
            predicted = Predicted(np.empty((0, 2)), np.empty(0))
            for part in (first, then[:60], then[60:]):
                predicted.add(part, None, memory)
            weights[memory] = predicted.weights
        assert weights[np.inf][0] > 0.6
        assert weights[20.0][0] < 0.2

    def test_only_the_latest_rows_are_kept(self) -> None:
        X, y = circles(WINDOW + 500)
        model = FastIGMNEnsemble(delta=0.3).fit(X, y)
        assert len(model._predicted.right) == len(model._predicted.counts) == WINDOW


class TestLearning:
    def test_every_row_is_predicted_before_it_is_learned(self) -> None:
        """The first block apart, the kept probabilities are those of members that saw only what came before."""
        X, y = circles(8)
        model = FastIGMNEnsemble(delta=0.3).fit(X, y)
        before = FastIGMNClassifier(delta=0.3, scale=X.std(axis=0)).partial_fit(X[:4], y[:4], classes=[0, 1])
        expected = before.predict_proba(X[4:])[np.arange(4), y[4:]]
        np.testing.assert_allclose(model._predicted.right[:, 0], expected)

    def test_a_stream_in_parts(self) -> None:
        X, y = circles()
        names = np.array(["inner", "outer"])[y]
        model = FastIGMNEnsemble()
        for part in np.array_split(np.arange(200), 7):
            model.partial_fit(X[part], names[part], classes=["outer", "inner"])
        assert model.classes_.tolist() == ["inner", "outer"]
        assert model.score(X[200:], names[200:]) > 0.9

    def test_labels_that_others_take_for_no_label(self) -> None:
        X, y = circles()
        model = FastIGMNEnsemble().fit(X[:200], 2 * y[:200] - 1)
        assert model.classes_.tolist() == [-1, 1]
        assert model.score(X[200:], 2 * y[200:] - 1) > 0.9

    def test_missing_values_and_empty_rows(self) -> None:
        X, y = circles()
        X[::7, 0] = np.nan
        X[5] = np.nan
        with pytest.warns(EmptyRowWarning, match="1 row of X has no value") as caught:
            model = FastIGMNEnsemble(delta=0.3).fit(X, y)
        assert len(caught) == 1
        assert model.n_skipped_ == 1
        assert model.score(X[6:], y[6:]) > 0.8

    def test_members_with_a_component_for_most_rows_are_dropped(self) -> None:
        random = np.random.default_rng(0)
        X, y = random.normal(size=(200, 20)), random.integers(2, size=200)
        model = FastIGMNEnsemble().fit(X[:100], y[:100])
        assert {0.1, 0.3} & {member.delta for member in model.members_} == set()
        assert 1 < len(model.weights_) == len(model.members_) < 9
        assert model.set_params(v_min=50).partial_fit(X[100:], y[100:]).members_[0].v_min == 50

    def test_a_constant_column_is_told_once(self) -> None:
        X, y = circles()
        X = np.column_stack([X, np.ones(len(X))])
        with pytest.warns(ConstantColumnWarning, match="column 2") as caught:
            model = FastIGMNEnsemble(delta=0.3).fit(X, y)
        assert len(caught) == 1
        assert model.score(X, y) > 0.9

    def test_rows_of_no_weight_are_not_there(self) -> None:
        X, y = circles(60)
        keep = np.arange(60) % 3 > 0
        first = FastIGMNEnsemble(delta=0.3).fit(X, y, sample_weight=keep)
        second = FastIGMNEnsemble(delta=0.3).fit(X[keep], y[keep])
        np.testing.assert_allclose(first.predict_proba(X), second.predict_proba(X), rtol=1e-9)

    def test_what_may_change_between_calls_reaches_the_members(self) -> None:
        X, y = circles(60)
        model = FastIGMNEnsemble().fit(X[:30], y[:30]).set_params(beta=0.5).partial_fit(X[30:], y[30:])
        betas = [model.parameters.beta for member in model.members_ for model in member._models()]
        assert set(betas[:-1]) == {0.5}
        assert betas[-1] == 0

    @pytest.mark.parametrize("changed", [{"delta": 1.0}, {"prior_count": 7.0}, {"scale": [1.0, 2.0]}])
    def test_what_may_not_is_refused(self, changed: dict[str, Any]) -> None:
        X, y = circles(60)
        model = FastIGMNEnsemble().fit(X, y).set_params(**changed)
        with pytest.raises(ValueError, match=next(iter(changed))):
            model.partial_fit(X, y)

    def test_classes_must_be_named_and_stay(self) -> None:
        X, y = circles(20)
        with pytest.raises(ValueError, match="classes is missing"):
            FastIGMNEnsemble().partial_fit(X, y)
        model = FastIGMNEnsemble(delta=1).partial_fit(X, y, classes=[0, 1])
        with pytest.raises(ValueError, match="not those of the first call"):
            model.partial_fit(X, y, classes=[0, 1, 2])
        with pytest.raises(ValueError, match="is not among"):
            model.partial_fit(X, np.full(20, 7))

    def test_pickled_it_goes_on(self) -> None:
        X, y = circles(100)
        model = FastIGMNEnsemble(delta=0.3).fit(X[:50], y[:50])
        copy = pickle.loads(pickle.dumps(model))
        for one in (model, copy):
            one.partial_fit(X[50:], y[50:])
        np.testing.assert_array_equal(model.predict_proba(X), copy.predict_proba(X))
