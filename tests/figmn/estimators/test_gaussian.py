"""`FastIGMNMixture` beside scikit-learn's `GaussianMixture`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture

from figmn import FastIGMNMixture
from tests.figmn.test_engine import blobs


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_there_and_back(kind: str, offset: float) -> None:
    rows = blobs() + offset
    given = GaussianMixture(3, covariance_type=kind, random_state=0).fit(rows)
    model = FastIGMNMixture.from_gaussian_mixture(given, n_samples=180)
    lost = 1e-9 if offset == 0 else 2e-3  # scikit-learn squares the rows where covariances are not full
    np.testing.assert_allclose(model.score_samples(rows), given.score_samples(rows), rtol=1e-9, atol=lost)
    np.testing.assert_allclose(model.weights_, given.weights_)
    np.testing.assert_allclose(model.means_, given.means_)
    assert model.model_.accumulators.sum() == pytest.approx(180)
    back = model.to_gaussian_mixture()
    assert back.covariance_type == "full"
    np.testing.assert_allclose(back.score_samples(rows), given.score_samples(rows), rtol=1e-9, atol=lost)
    np.testing.assert_array_equal(back.predict(rows), given.predict(rows))
    np.testing.assert_allclose(back.precisions_, np.linalg.inv(back.covariances_), rtol=1e-6)
    assert back.lower_bound_ == pytest.approx(given.lower_bound_)
    assert back.bic(rows) == pytest.approx(model.bic(rows), abs=2 * len(rows) * lost)  # a sum over the rows


@pytest.mark.parametrize("rule", ["exact", "published"])
def test_it_goes_on_learning(rule: str) -> None:
    rows = blobs()
    given = GaussianMixture(3, random_state=0).fit(rows)
    model = FastIGMNMixture.from_gaussian_mixture(given, n_samples=180, delta=0.3, covariance=rule)
    model.partial_fit(rows)
    assert model.n_components_ == 3
    assert model.model_.n_seen == 360
    assert model.partial_fit([[99.0, 99, 99]]).n_components_ == 4


def test_a_mean_moves_by_the_rows_it_counts_for() -> None:
    given = GaussianMixture(1).fit(np.array([[-1.0], [1.0]]))
    model = FastIGMNMixture.from_gaussian_mixture(given, n_samples=9, beta=0).partial_fit([[10.0]])
    assert model.means_[0, 0] == pytest.approx(1)


def test_widths_are_those_of_the_mixture() -> None:
    rows = blobs()
    model = FastIGMNMixture.from_gaussian_mixture(GaussianMixture(3, random_state=0).fit(rows), n_samples=180)
    np.testing.assert_allclose(np.array(model.model_.scale), rows.std(axis=0), rtol=1e-3)
    given = GaussianMixture(3, random_state=0).fit(rows)
    model = FastIGMNMixture.from_gaussian_mixture(given, 180, scale=[1.0, 2, 3])
    assert model.model_.scale is not None
    assert model.model_.scale.tolist() == [1, 2, 3]


def test_names_are_kept() -> None:
    frame = pd.DataFrame(blobs(), columns=["a", "b", "c"])
    model = FastIGMNMixture.from_gaussian_mixture(GaussianMixture(2, random_state=0).fit(frame), n_samples=180)
    assert model.model_.columns == ("a", "b", "c")
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["c", "b", "a"]])
    assert model.to_gaussian_mixture().feature_names_in_.tolist() == ["a", "b", "c"]


def test_components_of_no_weight_are_left_out() -> None:
    given = BayesianGaussianMixture(n_components=3, random_state=0).fit(blobs())
    given.weights_ = np.array([0.5, 0.0, 0.5])
    assert FastIGMNMixture.from_gaussian_mixture(given, n_samples=10).n_components_ == 2


def test_bad_arguments() -> None:
    with pytest.raises(NotFittedError):
        FastIGMNMixture.from_gaussian_mixture(GaussianMixture(2), n_samples=10)
    given = GaussianMixture(2, random_state=0).fit(blobs())
    with pytest.raises(ValueError, match="n_samples = 0 is outside the range above 0"):
        FastIGMNMixture.from_gaussian_mixture(given, n_samples=0)
    with pytest.raises(ValueError, match="beta = 3 is outside"):
        FastIGMNMixture.from_gaussian_mixture(given, n_samples=10, beta=3)
    with pytest.raises(NotFittedError):
        FastIGMNMixture().to_gaussian_mixture()


class TestWhatGaussianMixtureHas:
    def test_factors_of_the_precisions(self) -> None:
        model = FastIGMNMixture().fit(blobs())
        factors = model.precisions_cholesky_
        np.testing.assert_allclose(factors @ factors.swapaxes(1, 2), model.precisions_, rtol=1e-7)
        assert (np.tril(factors, -1) == 0).all()

    def test_one_pass(self) -> None:
        model = FastIGMNMixture().fit(blobs())
        assert (model.converged_, model.n_iter_) == (True, 1)
        for name in ("converged_", "n_iter_", "lower_bound_", "precisions_cholesky_"):
            with pytest.raises(NotFittedError):
                getattr(FastIGMNMixture(), name)

    def test_the_lower_bound_is_that_of_rows_before_they_were_learned(self) -> None:
        rows = np.random.default_rng(0).normal(size=(5000, 2))
        whole = FastIGMNMixture(beta=0, delta=1).fit(rows)
        assert whole.lower_bound_ == pytest.approx(whole.score(rows), abs=0.02)
        split = FastIGMNMixture(beta=0, delta=1, scale=rows.std(axis=0)).partial_fit(rows[:70]).partial_fit(rows[70:])
        assert split.lower_bound_ == pytest.approx(whole.lower_bound_)
        twice = FastIGMNMixture(beta=0, delta=1).fit(rows, sample_weight=np.full(5000, 2.0))
        assert twice.lower_bound_ == pytest.approx(whole.lower_bound_, abs=1e-3)
        assert np.isnan(FastIGMNMixture(beta=1).fit(rows[:3]).lower_bound_)
