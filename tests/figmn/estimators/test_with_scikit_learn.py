"""The scikit-learn estimators: scikit-learn's own checks, and what a user of it expects."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import shuffle
from sklearn.utils.estimator_checks import parametrize_with_checks

from figmn import EmptyRowWarning, FastIGMN, FastIGMNClassifier, FastIGMNMixture, FastIGMNRegressor
from tests.figmn.estimators.data import iris
from tests.figmn.test_engine import blobs

EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": "it changes the order of the rows, which counts in a single pass"
}
"""Checks of scikit-learn that a single pass in the order of the rows cannot pass, with the reasons."""


@pytest.mark.filterwarnings("ignore::figmn.ConstantColumnWarning")
@parametrize_with_checks(
    [FastIGMNClassifier(), FastIGMNClassifier(mixtures="per class"), FastIGMNRegressor(), FastIGMNMixture()],
    expected_failed_checks=lambda _: EXPECTED_FAILURES,
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


class TestClassifier:
    def test_it_classifies(self) -> None:
        assert cross_val_score(FastIGMNClassifier(), *iris(), cv=5).mean() > 0.93

    def test_labels_may_be_words(self) -> None:
        X, y = iris()
        words = np.array(["setosa", "versicolor", "virginica"])[y]
        model = FastIGMNClassifier().fit(X, words)
        assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
        assert (model.predict(X) == words).mean() > 0.93

    def test_probabilities_are_distributions(self) -> None:
        X, y = iris()
        probabilities = FastIGMNClassifier().fit(X, y).predict_proba(np.vstack([X, 1000 * X, -1000 * X]))
        assert ((probabilities >= 0) & (probabilities <= 1)).all()
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)

    def test_missing_values_in_learning_and_asking(self) -> None:
        X, y = iris()
        gappy = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
        assert FastIGMNClassifier().fit(gappy, y).score(gappy, y) > 0.8

    def test_partial_fit_goes_on(self) -> None:
        X, y = iris()
        model = FastIGMNClassifier().partial_fit(X[:40], y[:40], classes=[0, 1, 2])
        for start in range(40, 150, 10):
            model.partial_fit(X[start : start + 10], y[start : start + 10])
        whole = FastIGMNClassifier().partial_fit(X, y, classes=[0, 1, 2])
        assert model.model_.n_seen == 150
        np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), rtol=1e-9, atol=1e-12)

    def test_partial_fit_needs_to_know_the_classes(self) -> None:
        X, y = iris()
        with pytest.raises(ValueError, match="classes is missing in the first call"):
            FastIGMNClassifier().partial_fit(X, y)
        model = FastIGMNClassifier().partial_fit(X[:9], y[:9], classes=[0, 1, 2])
        before = model.predict_proba(X)
        with pytest.raises(ValueError, match=r"holds the class .*7"):
            model.partial_fit(X[:1], [7])
        with pytest.raises(ValueError, match="are not those of the first call"):
            model.partial_fit(X[:1], y[:1], classes=[0, 1])
        np.testing.assert_array_equal(model.predict_proba(X), before)

    def test_the_order_of_the_rows_counts(self) -> None:
        X, y = iris()
        forth, back = FastIGMNClassifier().fit(X, y), FastIGMNClassifier().fit(X[::-1], y[::-1])
        assert not np.allclose(forth.model_.means[0], back.model_.means[0])


class TestRegressor:
    def test_it_predicts(self) -> None:
        X, y = shuffle(*load_diabetes(return_X_y=True), random_state=0)
        assert cross_val_score(FastIGMNRegressor(beta=0), X, y, cv=5).mean() > 0.4

    def test_one_component_is_least_squares(self) -> None:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(300, 3))
        y = X @ [1.0, -2.0, 0.5] + 4
        model = FastIGMNRegressor(delta=1e-3, beta=0).fit(X, y)
        np.testing.assert_allclose(model.predict(X), y, atol=1e-3)

    def test_the_standard_deviation_is_that_of_the_noise(self) -> None:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(3000, 2))
        y = X @ [1.0, 2.0] + rng.normal(0, 0.3, 3000)
        mean, std = FastIGMNRegressor(beta=0).fit(X, y).predict(X, return_std=True)
        np.testing.assert_allclose(std, 0.3, rtol=0.05)
        assert 0.92 < (np.abs(y - mean) < 1.96 * std).mean() < 0.98

    def test_many_targets(self) -> None:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(300, 3))
        Y = X @ rng.normal(size=(3, 2))
        mean, std = FastIGMNRegressor(beta=0, delta=0.01).fit(X, Y).predict(X[:7], return_std=True)
        assert mean.shape == std.shape == (7, 2)
        np.testing.assert_allclose(mean, Y[:7], atol=0.01)
        assert FastIGMNRegressor().fit(X, Y[:, :1]).predict(X).shape == (300, 1)
        assert FastIGMNRegressor().fit(X, Y[:, 0]).predict(X).shape == (300,)

    def test_gaps_in_the_question_leave_only_the_targets_in_the_answer(self) -> None:
        X = np.random.default_rng(0).normal(size=(300, 3))
        question = X[:5].copy()
        question[1:3, 0] = np.nan
        mean, std = FastIGMNRegressor(beta=0).fit(X, X.sum(axis=1)).predict(question, return_std=True)
        assert mean.shape == std.shape == (5,)
        assert (std[1:3] > 3 * std[0]).all()

    def test_partial_fit_keeps_the_targets(self) -> None:
        X = np.random.default_rng(0).normal(size=(30, 3))
        model = FastIGMNRegressor().partial_fit(X, X[:, 0])
        with pytest.raises(ValueError, match="give the same targets"):
            model.partial_fit(X, X[:, :2])
        assert model.partial_fit(X, X[:, 0]).model_.n_seen == 60


class TestMixture:
    def test_labels_are_the_clusters(self) -> None:
        rows = blobs()
        truth = (rows[:, 0] > 3).astype(int) - (rows[:, 0] < -4)
        model = FastIGMNMixture(delta=0.3, beta=1e-4)
        assert adjusted_rand_score(truth, model.fit_predict(rows)) > 0.95
        assert model.weights_.sum() == pytest.approx(1)
        assert model.means_.shape == (model.n_components_, 3)
        np.testing.assert_allclose(model.covariances_ @ model.precisions_, [np.eye(3)] * model.n_components_, atol=1e-9)

    def test_criteria_are_those_of_the_likelihood(self) -> None:
        rows = blobs()
        model = FastIGMNMixture(beta=0).fit(rows)
        log_likelihood, n_parameters = model.score_samples(rows).sum(), 3 + 6
        assert model.aic(rows) == pytest.approx(2 * n_parameters - 2 * log_likelihood)
        assert model.bic(rows) == pytest.approx(n_parameters * np.log(180) - 2 * log_likelihood)
        assert model.score(rows) == pytest.approx(log_likelihood / 180)

    def test_drawing_is_repeatable(self) -> None:
        model = FastIGMNMixture().fit(blobs())
        rows, labels = model.sample(50, random_state=3)
        assert rows.shape == (50, 3)
        assert set(labels) <= set(range(model.n_components_))
        np.testing.assert_array_equal(rows, model.sample(50, random_state=3)[0])

    def test_partial_fit_is_the_running_engine(self) -> None:
        rows = blobs()
        model = FastIGMNMixture().partial_fit(rows[:50]).partial_fit(rows[50:])
        np.testing.assert_allclose(model.means_, FastIGMN().learn(rows).means)


class TestTogetherWithScikitLearn:
    def test_names_of_columns(self) -> None:
        frame = load_iris(as_frame=True).frame.sample(frac=1, random_state=0)
        X, y = frame.drop(columns="target"), frame["target"]
        model = FastIGMNClassifier().fit(X, y)
        assert model.feature_names_in_.tolist() == X.columns.tolist()
        with pytest.raises(ValueError, match="feature names"):
            model.predict(X.rename(columns={"petal width (cm)": "other"}))
        assert isinstance(X, pd.DataFrame)

    def test_grid_search_in_a_pipeline(self) -> None:
        search = GridSearchCV(
            make_pipeline(StandardScaler(), FastIGMNClassifier()),
            {"fastigmnclassifier__delta": [0.3, 1], "fastigmnclassifier__beta": [0, 0.01]},
            n_jobs=2,
        ).fit(*iris())
        get_reusable_executor().shutdown()  # joblib keeps its workers waiting for more
        assert search.best_score_ > 0.93

    @pytest.mark.parametrize("estimator", [FastIGMNClassifier(), FastIGMNRegressor(), FastIGMNMixture()])
    def test_clone_and_pickle(self, estimator: Any) -> None:
        X, y = iris()
        twin = pickle.loads(pickle.dumps(clone(estimator).fit(X, y)))
        np.testing.assert_array_equal(twin.predict(X), estimator.fit(X, y).predict(X))

    @pytest.mark.parametrize("estimator", [FastIGMNClassifier(beta=2), FastIGMNRegressor(delta=-1)])
    def test_bad_parameters_are_named_in_fit(self, estimator: Any) -> None:
        with pytest.raises(ValueError, match=r"beta = 2 is outside|delta = -1 is outside"):
            estimator.fit(*iris())


class TestRowsWithoutAValue:
    """Positions count from 0, as in X."""

    X = np.array([[0.0, 1.0], [np.nan, np.nan], [0.1, np.nan], [5.0, 5.0], [np.nan, np.nan]])

    def test_a_density_skips_them(self) -> None:
        with pytest.warns(EmptyRowWarning, match=r"2 rows of X have no value in any column .*: 1, 4$"):
            model = FastIGMNMixture().fit(self.X)
        assert (model.n_skipped_, model.model_.n_seen) == (2, 3)
        np.testing.assert_array_equal(model.means_, FastIGMNMixture().fit(self.X[[0, 2, 3]]).means_)
        assert FastIGMNMixture().fit(self.X[[0, 3]]).n_skipped_ == 0

    def test_a_stream_counts_them_over_all_calls(self) -> None:
        model = FastIGMNMixture().partial_fit(self.X[:1])
        for start in (1, 4):
            with pytest.warns(EmptyRowWarning, match=r"1 row of X has no value in any column .*: 0$"):
                model.partial_fit(self.X[start : start + 1])
        assert (model.n_skipped_, model.model_.n_seen) == (2, 1)

    def test_a_known_target_is_not_enough(self) -> None:
        with pytest.warns(EmptyRowWarning, match=": 1, 4$"):
            classifier = FastIGMNClassifier().fit(self.X, [0, 1, 0, 1, 1])
        with pytest.warns(EmptyRowWarning, match=": 1, 4$"):
            regressor = FastIGMNRegressor().fit(self.X, [0.0, 1.0, 2.0, 3.0, 4.0])
        assert classifier.n_skipped_ == regressor.n_skipped_ == 2
        assert classifier.model_.n_seen == regressor.model_.n_seen == 3

    def test_many_are_counted(self) -> None:
        X = np.full((40, 2), np.nan)
        X[7] = 1.0
        with pytest.warns(EmptyRowWarning, match="39 rows .*: 0, 1, 2, 3, 4 and 34 more$"):
            FastIGMNMixture().fit(X)

    def test_nothing_to_learn_is_an_error(self) -> None:
        for verb in ("fit", "partial_fit"):
            with pytest.raises(ValueError, match="no row of X has any value"):
                getattr(FastIGMNMixture(), verb)(self.X[[1, 4]])
        with pytest.raises(ValueError, match="row 1 has no value in any column"):
            FastIGMN().learn(self.X)  # the engine is strict: bad input raises

    def test_errors_name_positions_in_x(self) -> None:
        X = self.X.copy()
        X[3, 1] = 1e80
        with pytest.raises(ValueError, match=r"row 3, column 1: 1e\+80 cannot be used"):
            FastIGMNMixture().fit(X)
