"""Mixtures made of a mixture: conditionals, marginals, quantiles, novelty."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, multivariate_normal, norm

from figmn import IGMN, Density, FastIGMN, FastIGMNRegressor
from figmn.answers import quantiles
from figmn.system.arrays import Floats

COLUMNS = ["a", "b", "c", "d"]


def three_clusters(n_columns: int = 4) -> Floats:
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 6, (3, n_columns))
    mixing = rng.normal(size=(n_columns, n_columns))
    return centres[rng.integers(3, size=600)] + rng.normal(size=(600, n_columns)) @ mixing


@pytest.fixture(params=["fast", "cubic", "snapshot", "density"])
def model(request: pytest.FixtureRequest) -> Any:
    engine = (IGMN if request.param == "cubic" else FastIGMN)(delta=0.5, columns=COLUMNS).learn(three_clusters())
    if request.param == "snapshot":
        return engine.snapshot()
    if request.param == "density":
        return Density(engine.priors, engine.means, engine.covariances, COLUMNS)
    return engine


def by_definition(model: Any, x: Floats, noise: Floats) -> tuple[Floats, Floats, Floats, float]:
    """Priors, means, covariances and log evidence by textbook formulas, component by component."""
    k, w = np.flatnonzero(~np.isnan(x)), np.flatnonzero(np.isnan(x))
    logs, means, covariances = [], [], []
    for prior, mean, whole in zip(model.priors, model.means, model.covariances, strict=True):
        seen = whole[np.ix_(k, k)] + np.diag(noise[k] ** 2)
        gain = whole[np.ix_(w, k)] @ np.linalg.inv(seen)
        logs.append(np.log(prior) + multivariate_normal(mean[k], seen).logpdf(x[k]))
        means.append(mean[w] + gain @ (x[k] - mean[k]))
        covariances.append(whole[np.ix_(w, w)] - gain @ whole[np.ix_(k, w)])
    total = np.logaddexp.reduce(logs)
    return np.exp(np.array(logs) - total), np.array(means), np.array(covariances), float(total)


class TestCondition:
    @pytest.mark.parametrize("error", [0.0, 0.7])
    @pytest.mark.parametrize("unknown", [[1], [0, 2], [0, 1, 3]])
    def test_it_is_what_the_textbook_says(self, model: Any, unknown: list[int], error: float) -> None:
        x, noise = three_clusters()[7], np.full(4, error)
        x[unknown] = np.nan
        priors, means, covariances, log_evidence = by_definition(model, x, noise)
        found = model.condition(x, noise=noise)
        np.testing.assert_allclose(found.priors, priors, atol=1e-9)
        np.testing.assert_allclose(found.means, means, atol=1e-8)
        np.testing.assert_allclose(found.covariances, covariances, atol=1e-8)
        assert found.evidence.log_density == pytest.approx(log_evidence, abs=1e-8)
        assert found.columns == tuple(COLUMNS[place] for place in unknown)

    def test_its_mean_is_what_recall_says(self, model: Any) -> None:
        x = np.array([1.0, np.nan, 2.0, np.nan])
        found = model.condition(x)
        np.testing.assert_allclose(found.to_gaussian().means[0], model.recall([x])[0, [1, 3]], atol=1e-10)

    def test_evidence_in_two_steps_is_evidence_at_once(self, model: Any) -> None:
        x = three_clusters()[3]
        first = model.condition([x[0], np.nan, np.nan, np.nan])
        second = first.condition([x[1], np.nan, np.nan])
        at_once = model.condition([x[0], x[1], np.nan, np.nan])
        np.testing.assert_allclose(second.priors, at_once.priors, atol=1e-9)
        np.testing.assert_allclose(second.means, at_once.means, atol=1e-8)
        total = first.evidence.log_density + second.evidence.log_density
        assert total == pytest.approx(at_once.evidence.log_density, abs=1e-8)

    def test_where_nothing_is_known_it_is_the_mixture(self, model: Any) -> None:
        found = model.condition([np.nan] * 4)
        np.testing.assert_allclose(found.priors, model.priors)
        np.testing.assert_allclose(found.means, model.means)
        np.testing.assert_allclose(found.covariances, model.covariances, atol=1e-9)
        assert found.evidence == (pytest.approx(0.0), 0.0)

    def test_evidence_that_is_worth_nothing_changes_nothing(self, model: Any) -> None:
        found = model.condition([99.0, np.nan, np.nan, np.nan], noise=[1e9, 0, 0, 0])
        np.testing.assert_allclose(found.means, model.marginal([1, 2, 3]).means, atol=1e-6)
        np.testing.assert_allclose(found.priors, model.priors, atol=1e-6)

    def test_far_from_everything_the_numbers_stay_finite(self, model: Any) -> None:
        found = model.condition([1e9, np.nan, np.nan, np.nan])
        assert (found.priors > 0).all()
        for numbers in (found.priors, found.means, found.score_samples(found.means), found.marginal([0]).interval()):
            assert np.isfinite(numbers).all()
        assert found.evidence.novelty == 1.0

    @pytest.mark.parametrize(
        ("x", "noise", "words"),
        [
            ([1, 2, 3, 4], None, "nothing is wanted: mark"),
            ([1, 2, np.nan], None, "got 3 columns where 4"),
            ([1, 2, np.inf, np.nan], None, r"column 2 \('c'\): inf cannot be used"),
            ([1, 2, 3, np.nan], [0, -1, 0, 0], r"noise, column 1 \('b'\): -1 is not a standard deviation"),
            ([1, 2, 3, np.nan], [0, np.nan, 0, 0], r"noise, column 1 \('b'\): nan"),
            ([1, 2, 3, np.nan], [0.0], "got 1 columns"),
        ],
    )
    def test_bad_questions(self, model: Any, x: Any, noise: Any, words: str) -> None:
        with pytest.raises(ValueError, match=words):
            model.condition(x, noise=noise)

    def test_an_empty_mixture_says_so(self) -> None:
        empty = FastIGMN(scale=[1.0])
        with pytest.raises(ValueError, match="no components yet"):
            empty.condition([np.nan])
        with pytest.raises(ValueError, match="no components yet"):
            empty.marginal([0])
        with pytest.raises(ValueError, match="no components yet"):
            empty.to_gaussian()

    def test_many_columns(self) -> None:
        rows = three_clusters(300)
        model = FastIGMN(delta=0.8).learn(rows)
        x = rows[0].copy()
        x[:5] = np.nan
        priors, means, covariances, _ = by_definition(model, x, np.zeros(300))
        found = model.condition(x)
        np.testing.assert_allclose(found.priors, priors, atol=1e-6)
        np.testing.assert_allclose(found.means, means, atol=1e-5)
        np.testing.assert_allclose(found.covariances, covariances, atol=1e-5)

    def test_what_is_no_covariance_is_refused(self) -> None:
        wrong = Density(np.ones(1), np.zeros((1, 2)), np.diag([1.0, -1.0])[None])
        with pytest.raises(ValueError, match=r"not positive definite.*covariance='exact'"):
            wrong.score_samples([[0, 0]])
        with pytest.raises(ValueError, match="not positive definite"):
            wrong.marginal([1]).interval()


class TestMarginal:
    def test_its_density_is_that_of_the_known_values(self, model: Any) -> None:
        rows = three_clusters()[:20]
        known = np.where(np.isin(np.arange(4), [1, 3]), rows, np.nan)
        found = model.marginal(["d", 1])
        np.testing.assert_allclose(found.score_samples(rows[:, [3, 1]]), model.score_samples(known), atol=1e-8)
        assert found.columns == ("d", "b")

    def test_all_columns_in_another_order(self, model: Any) -> None:
        rows = three_clusters()[:20]
        found = model.marginal([3, 2, 1, 0])
        np.testing.assert_allclose(found.score_samples(rows[:, ::-1]), model.score_samples(rows), atol=1e-8)

    def test_bad_columns(self, model: Any) -> None:
        with pytest.raises(ValueError, match="columns: there is no column 'z'; give positions from -4 to 3, or names"):
            model.marginal(["z"])
        with pytest.raises(ValueError, match="give each column once, at least one, as"):
            model.marginal([0, "a"])

    def test_one_gaussian_has_the_moments_of_samples(self, model: Any) -> None:
        whole, rows = model.to_gaussian(), model.sample(200_000, seed=0)
        spread = np.sqrt(np.diagonal(whole.covariances[0]))
        assert (np.abs(rows.mean(axis=0) - whole.means[0]) < 0.02 * spread).all()
        assert (np.abs(np.cov(rows.T) - whole.covariances[0]) < 0.02 * np.outer(spread, spread)).all()


class TestOneColumn:
    line = Density(np.array([0.2, 0.5, 0.3]), np.array([[-3.0], [0.0], [40.0]]), np.array([[[4.0]], [[0.01]], [[9.0]]]))

    def test_quantiles_invert_the_distribution(self) -> None:
        p = np.array([1e-9, 0.01, 0.2, 0.5, 0.699999, 0.7, 0.9, 1 - 1e-9])
        np.testing.assert_allclose(self.line.cdf(self.line.quantile(p)), p, rtol=1e-9)

    def test_quantiles_of_many_mixtures(self) -> None:
        rng = np.random.default_rng(0)
        weights = rng.dirichlet(np.full(5, 0.3), 5000)
        means, stds = rng.normal(0, 5, (5000, 5)), rng.gamma(1, 1, (5000, 5)) + 1e-3
        for p in (0.001, 0.05, 0.5, 0.999):
            found = quantiles.quantile(np.full(5000, p), weights, means, stds)
            np.testing.assert_allclose(quantiles.cumulative(found, weights, means, stds), p, rtol=1e-9)

    def test_an_interval_leaves_as_much_on_either_side(self) -> None:
        np.testing.assert_allclose(self.line.cdf(self.line.interval(0.8)), [0.1, 0.9], rtol=1e-9)

    @pytest.mark.parametrize("coverage", [0.3, 0.6, 0.9, 0.999])
    def test_a_region_holds_its_share_and_is_cut_at_one_height(self, coverage: float) -> None:
        region = self.line.region(coverage)
        inside = self.line.cdf(region.ravel()).reshape(-1, 2)
        assert (inside[:, 1] - inside[:, 0]).sum() == pytest.approx(coverage, abs=1e-9)
        heights = self.line.score_samples(region.reshape(-1, 1))
        np.testing.assert_allclose(heights, heights[0], atol=1e-6)
        assert (np.diff(region.ravel()) > 0).all()
        middle, between = region.mean(axis=1), 0.5 * (region[1:, 0] + region[:-1, 1])
        assert (self.line.score_samples(middle[:, None]) > heights[0]).all()
        assert not len(between) or (self.line.score_samples(between[:, None]) < heights[0]).all()

    def test_a_region_is_never_longer_than_the_central_interval(self) -> None:
        assert np.diff(self.line.region(0.9)).sum() < np.diff(self.line.interval(0.9)).sum()

    def test_modes_are_the_tops(self) -> None:
        modes = self.line.modes()
        np.testing.assert_allclose(np.sort(modes), [-3.0, 0.0, 40.0], atol=1e-2)
        assert abs(modes[0]) < 1e-2
        step = 1e-4
        top = self.line.score_samples(modes[:, None])
        for aside in (-step, step):
            assert (self.line.score_samples(modes[:, None] + aside) < top).all()

    def test_narrow_and_far_components(self) -> None:
        line = Density(np.array([1.0, 1e-300]), np.array([[0.0], [1e6]]), np.array([[[1e-18]], [[1.0]]]))
        np.testing.assert_allclose(line.interval(0.9), norm.ppf([0.05, 0.95]) * 1e-9, rtol=1e-6)
        np.testing.assert_allclose(line.region(0.9), [norm.ppf([0.05, 0.95]) * 1e-9], rtol=1e-6)

    @pytest.mark.parametrize("far", [1e12, 1e16, 1e20, 1e40])
    def test_a_far_component_without_weight_moves_nothing(self, far: float) -> None:
        weights, means = np.array([[0.5, 0.5, 1e-300]]), np.array([[0.0, 10.0, far]])
        found = quantiles.quantile(np.array([0.05]), weights, means, np.ones((1, 3)))
        assert found[0] == pytest.approx(norm.ppf(0.1), rel=1e-9)

    def test_thousands_of_components_take_little_memory(self) -> None:
        rng = np.random.default_rng(0)
        line = Density(np.ones(3000), rng.normal(0, 50, (3000, 1)), np.ones((3000, 1, 1)))
        tracemalloc.start()
        region, modes = line.region(0.9), line.modes()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 100e6
        inside = line.cdf(region.ravel()).reshape(-1, 2)
        assert (inside[:, 1] - inside[:, 0]).sum() == pytest.approx(0.9, abs=1e-6)
        assert len(modes)

    def test_where_doubles_are_farther_apart_than_the_width(self) -> None:
        line = Density(np.ones(1), np.array([[1e18]]), np.array([[[0.01]]]))
        np.testing.assert_array_equal(line.region(0.9), [[1e18, 1e18]])
        np.testing.assert_array_equal(line.modes(), [1e18])
        both = Density(np.array([0.3, 0.7]), np.array([[1e18], [0.0]]), np.array([[[0.01]], [[1.0]]]))
        assert np.isfinite(both.region(0.9)).all()
        assert 0.0 in both.modes().round(6)

    @pytest.mark.parametrize("narrow", [1e-6, 1e-9, 1e-11, 1e-13])
    def test_a_region_of_very_unequal_widths(self, narrow: float) -> None:
        line = Density(np.array([0.5, 0.5]), np.array([[0.0], [5.0]]), np.array([[[narrow**2]], [[1.0]]]))
        inside = line.cdf(line.region(0.9).ravel()).reshape(-1, 2)
        assert (inside[:, 1] - inside[:, 0]).sum() == pytest.approx(0.9, abs=1e-6)

    def test_bad_questions(self, model: Any) -> None:
        with pytest.raises(ValueError, match=r"needs one column, and there are 4: take one of them first by marginal"):
            model.condition([np.nan] * 4).interval()
        with pytest.raises(ValueError, match=r"p = .*above 0 and below 1"):
            self.line.quantile([0.0])
        with pytest.raises(ValueError, match="coverage = 1: give a share"):
            self.line.region(1)
        with pytest.raises(ValueError, match=r"give \(K,\), \(K, D\) and \(K, D, D\)"):
            Density(np.ones(2), np.zeros((1, 2)), np.eye(2)[None])


class TestWholeTables:
    def test_wanted_columns_are_predicted_and_not_read(self, model: Any) -> None:
        rows = three_clusters()
        rows[5, 0] = np.nan
        before = rows.copy()
        question = rows.copy()
        question[:, [3, 1]] = np.nan
        np.testing.assert_array_equal(model.predict(rows, ["d", "b"]), model.recall(question)[:, [3, 1]])
        np.testing.assert_array_equal(rows, before)

    def test_where_all_columns_are_wanted_it_is_the_mean(self, model: Any) -> None:
        np.testing.assert_allclose(
            model.predict(np.zeros((2, 4)), COLUMNS), [model.priors @ model.means] * 2, atol=1e-9
        )

    def test_novelty_is_what_creates_components(self) -> None:
        rows = three_clusters()
        model = FastIGMN(delta=0.5, beta=0.05).learn(rows[:500])
        for row in rows[500:]:
            is_new = model.novelty([row])[0] >= 1 - model.parameters.beta
            assert (model.learn_one(row).born is not None) == is_new

    def test_novelty_of_known_values_alone(self, model: Any) -> None:
        found = model.novelty([[1.0, np.nan, np.nan, np.nan], [np.nan, np.nan, np.nan, np.nan]])
        nearest = ((1.0 - model.means[:, 0]) ** 2 / model.covariances[:, 0, 0]).min()
        assert found == pytest.approx([chi2.cdf(nearest, 1), 0.0], abs=1e-9)


class TestIntervals:
    def test_ninety_of_a_hundred_new_rows_lie_inside(self) -> None:
        rng = np.random.default_rng(0)
        X = rng.uniform(-3, 3, (6000, 2))
        y = np.column_stack([X @ [1.0, -2.0], X @ [0.5, 0.5]]) + rng.normal(0, [0.5, 2.0], (6000, 2))
        model = FastIGMNRegressor().fit(X[:3000], y[:3000])
        low, high = model.predict_interval(X[3000:], coverage=0.9)
        inside = ((low < y[3000:]) & (y[3000:] < high)).mean(axis=0)
        assert ((inside > 0.87) & (inside < 0.93)).all()
        assert low.shape == y[3000:].shape

    def test_one_row_equals_its_conditional(self) -> None:
        rows = three_clusters()
        model = FastIGMNRegressor(delta=0.5).fit(rows[:, :3], rows[:, 3])
        low, high = model.predict_interval(rows[:10, :3], coverage=0.5)
        for place in range(10):
            expected = model.model_.condition([*rows[place, :3], np.nan]).interval(0.5)
            np.testing.assert_allclose([low[place], high[place]], expected, atol=1e-9)

    def test_inputs_may_be_missing(self) -> None:
        rows = three_clusters()
        model = FastIGMNRegressor(delta=0.5).fit(rows[:, :3], rows[:, 3])
        low, high = model.predict_interval([[np.nan, 1.0, np.nan], [0.0, 1.0, 2.0]])
        assert (low < high).all()
        assert high[0] - low[0] > high[1] - low[1]

    def test_a_bad_coverage(self) -> None:
        with pytest.raises(ValueError, match=r"coverage = 90: give a share above 0 and below 1, such as 0\.9"):
            FastIGMNRegressor().fit([[0.0], [1.0]], [0.0, 1.0]).predict_interval([[0.0]], coverage=90)
