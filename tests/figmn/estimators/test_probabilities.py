"""Class probabilities: proper, calibrated, and the same however a stream is split into calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_t
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from figmn import FastIGMN, FastIGMNClassifier
from figmn.estimators.calibration import EXPONENTS, FIRST, Calibration
from figmn.estimators.classes import JointClasses
from figmn.estimators.probabilities import joint_log_probabilities, log_densities
from figmn.params import NEUTRAL
from tests.figmn.estimators.data import iris

FORMS = ["joint", "per class"]
HALVES = np.array([0.5, 0.5])


def noise(n_rows: int = 600, n_columns: int = 12) -> Any:
    """Rows that say nothing about their class."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n_rows, n_columns)), rng.integers(0, 2, n_rows)


def two_gaussians(n_rows: int, n_columns: int = 3) -> Any:
    rng = np.random.default_rng(1)
    y = (rng.random(n_rows) < 0.3).astype(int)
    return rng.normal(size=(n_rows, n_columns)) + 0.8 * y[:, None], y


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", ["exact", "published"])
class TestDistributions:
    def test_they_are_proper_wherever_one_asks(self, form: str, rule: str) -> None:
        X, y = iris()
        asked = np.vstack([X, 1000 * X, -1e6 * X, np.full((1, 4), np.nan), np.where(X > 3, np.nan, X)])
        model = FastIGMNClassifier(mixtures=form, covariance=rule).fit(X, y)
        found = model.predict_proba(asked)
        assert (found > 0).all()
        np.testing.assert_allclose(found.sum(axis=1), 1)
        logarithms = model.predict_log_proba(asked)
        assert np.isfinite(logarithms).all()
        np.testing.assert_allclose(np.exp(logarithms), found)
        assert (model.predict(asked) == model.classes_[found.argmax(axis=1)]).all()

    @pytest.mark.filterwarnings("ignore::figmn.ConstantColumnWarning")
    def test_a_single_class_is_certain(self, form: str, rule: str) -> None:
        model = FastIGMNClassifier(mixtures=form, covariance=rule).fit(iris()[0], np.full(150, "only"))
        assert (model.predict_proba(iris()[0]) == 1).all()


class TestOneMixtureOverEverything:
    def test_a_large_component_is_a_linear_discriminant(self) -> None:
        X, y = two_gaussians(50_000)
        rows = np.hstack([X, np.eye(2)[y]])
        model = FastIGMN(beta=0, delta=0.01, scale=rows.std(axis=0)).learn(rows)
        expected = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y).predict_proba(X[:500])
        np.testing.assert_allclose(np.exp(joint_log_probabilities(model, X[:500])), expected, atol=2e-4)

    @pytest.mark.parametrize("n_rows", [5_000, 5_400, 5_999])
    def test_a_component_that_forgets_is_one_too_wherever_it_is_in_its_memory(self, n_rows: int) -> None:
        X, y = two_gaussians(10_000)
        rows = np.hstack([X, np.eye(2)[y]])
        model = FastIGMN(beta=0, delta=0.01, memory=1000, scale=rows.std(axis=0)).learn(rows[:n_rows])
        expected = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y).predict_proba(X[:500])
        np.testing.assert_allclose(np.exp(joint_log_probabilities(model, X[:500])), expected, atol=0.12)
        forgetful = FastIGMNClassifier(memory=300.0).partial_fit(X[:n_rows], y[:n_rows], classes=[0, 1])
        assert forgetful.calibration_.exponent == pytest.approx(1, abs=0.3)

    def test_the_order_of_the_classes_does_not_matter(self) -> None:
        X, y = iris()
        here = FastIGMNClassifier(beta=0).fit(X, y).predict_proba(X)
        there = FastIGMNClassifier(beta=0).fit(X, 2 - y).predict_proba(X)
        # Not quite: a newborn component takes the class columns for independent.
        np.testing.assert_allclose(here, there[:, ::-1], atol=2e-3)

    def test_a_small_component_is_not_believed(self) -> None:
        """Twelve columns explain twenty rows of noise, and say nothing about others."""
        X, y = noise(20)
        rows = np.hstack([X, np.eye(2)[y]])
        model = FastIGMN(beta=0, delta=1, prior_count=1, scale=rows.std(axis=0)).learn(rows)
        asked, expected = noise()
        linear = model.recall(np.hstack([asked, np.full((600, 2), np.nan)]))[:, -2:].clip(1e-3, 1)
        found = joint_log_probabilities(model, asked)
        assert log_loss(expected, linear / linear.sum(axis=1, keepdims=True)) > 1
        assert log_loss(expected, np.exp(found)) < 0.95

    def test_digits_survive_a_pure_component(self) -> None:
        """All of the class columns' variance is then the prior's, of any size."""
        for delta in (1e-6, 1.0, 1e3):
            rows = np.hstack([np.arange(40.0)[:, None] % 7, np.tile([1.0, 0.0], (40, 1))])
            model = FastIGMN(beta=0, delta=delta, scale=np.array([2.0, 0.5, 0.5])).learn(rows)
            found = np.exp(joint_log_probabilities(model, rows[:, :1]))
            # 40 rows and one of the overall frequencies, in which every class counts once more
            np.testing.assert_allclose(found[:, 1], (1 / 42) / 41, rtol=1e-6)


def test_densities_are_of_student() -> None:
    rows = np.random.default_rng(0).normal(size=(9, 2))
    model = FastIGMN(beta=0, delta=1, scale=np.ones(2)).learn(rows)
    expected = multivariate_t(model.means[0], model.covariances[0], df=19).logpdf(rows)
    np.testing.assert_allclose(log_densities(model, rows), expected)
    rows[:, 1] = np.nan
    expected = multivariate_t(model.means[0, :1], model.covariances[0, :1, :1], df=19).logpdf(rows[:, :1])
    np.testing.assert_allclose(log_densities(model, rows), expected)


def test_densities_of_much_evidence_are_gaussian() -> None:
    rows = np.array([[-1.0], [1.0], [6.0]])
    model = FastIGMN(beta=0, delta=1, scale=np.ones(1)).learn(rows[:2], np.full(2, 1e9))
    np.testing.assert_allclose(log_densities(model, rows), model.score_samples(rows), atol=1e-4)


class TestCalibration:
    @pytest.mark.parametrize("form", FORMS)
    def test_noise_is_not_believed(self, form: str) -> None:
        X, y = noise()
        model = FastIGMNClassifier(mixtures=form, delta=1.0, **NEUTRAL).fit(X[:400], y[:400])
        assert model.calibration_.exponent < 0.5
        calibrated = log_loss(y[400:], model.predict_proba(X[400:]))
        model.calibration_ = Calibration()
        assert calibrated < min(0.72, log_loss(y[400:], model.predict_proba(X[400:])) - 0.02)

    @pytest.mark.parametrize("form", FORMS)
    def test_signal_is(self, form: str) -> None:
        X, y = two_gaussians(1000)
        assert FastIGMNClassifier(mixtures=form, beta=0).fit(X, y).calibration_.exponent == pytest.approx(1, abs=0.3)

    def test_it_keeps_the_order(self) -> None:
        X, y = noise()
        model = FastIGMNClassifier().fit(X, y)
        calibrated = model.predict_proba(X)[:, 0]
        model.calibration_ = Calibration()
        np.testing.assert_array_equal(np.argsort(calibrated), np.argsort(model.predict_proba(X)[:, 0]))

    def test_it_keeps_the_frequencies(self) -> None:
        calibration = Calibration(losses=np.linspace(0, 1000, len(EXPONENTS)))  # the least power is the best
        frequencies = np.array([0.9, 0.1])
        assert calibration.applied(np.log([[0.9, 0.1]]), frequencies)[0, 0] == pytest.approx(0.9)
        assert 0.8 < calibration.applied(np.log([[0.1, 0.9]]), frequencies)[0, 0] < 0.9

    def test_the_power_is_where_the_loss_is_least(self) -> None:
        rng = np.random.default_rng(0)
        truth = rng.normal(0, 1, 5000)
        y = (rng.random(5000) < 1 / (1 + np.exp(-truth))).astype(int)
        calibration = Calibration()
        calibration.see(np.stack([np.zeros(5000), 3 * truth], axis=1), HALVES, y)  # three times too sure
        assert calibration.exponent == pytest.approx(1 / 3, rel=0.1)
        powers = calibration.applied(np.array([[0.0, 3.0]]), HALVES)
        assert powers[0, 1] == pytest.approx(1 / (1 + np.exp(-3 * calibration.exponent)))

    def test_weights_count_rows(self) -> None:
        scores = np.log(np.random.default_rng(0).dirichlet([1, 1], 4))
        once, twice = Calibration(), Calibration()
        once.see(scores, HALVES, np.array([0, 1, 1, 0]), np.array([2.0, 1, 1, 3]))
        twice.see(scores[[0, 0, 1, 2, 3, 3, 3]], HALVES, np.array([0, 0, 1, 1, 0, 0, 0]))
        np.testing.assert_allclose(once.losses, twice.losses)

    @pytest.mark.parametrize("form", FORMS)
    def test_a_stream_may_be_split_anywhere(self, form: str) -> None:
        X, y = noise(300, 4)
        whole = FastIGMNClassifier(mixtures=form).partial_fit(X, y, classes=[0, 1])
        for size in (1, 7, 100):
            pieces = FastIGMNClassifier(mixtures=form)
            for start in range(0, 300, size):
                pieces.partial_fit(X[start : start + size], y[start : start + size], classes=[0, 1])
            np.testing.assert_allclose(pieces.calibration_.losses, whole.calibration_.losses, rtol=1e-9)
            np.testing.assert_allclose(pieces.predict_proba(X), whole.predict_proba(X), rtol=1e-9)

    def test_rows_are_tested_before_they_are_learned(self) -> None:
        X, y = noise(FIRST + 1, 2)
        model = FastIGMNClassifier().partial_fit(X[:FIRST], y[:FIRST], classes=[0, 1])
        assert not model.calibration_.losses.any()
        before = JointClasses(model.classes_, model.model_).log_probabilities(X[FIRST:])
        model.partial_fit(X[FIRST:], y[FIRST:])
        assert model.calibration_.losses[list(EXPONENTS).index(1)] == pytest.approx(-before[0, y[FIRST]])


@pytest.mark.parametrize(("form", "best"), [("joint", 0.13), ("per class", 0.15)])
def test_log_loss_on_real_data(form: str, best: float) -> None:
    """Clipping the recalled class columns gave 0.3 and more."""
    X, y = load_breast_cancer(return_X_y=True)
    losses = []
    for learned, asked in StratifiedKFold(2, shuffle=True, random_state=0).split(X, y):
        order = np.random.default_rng(0).permutation(learned)
        found = FastIGMNClassifier(mixtures=form, delta=2.0, **NEUTRAL).fit(X[order], y[order]).predict_proba(X[asked])
        losses.append(log_loss(y[asked], found))
    assert np.mean(losses) < best + 0.03
