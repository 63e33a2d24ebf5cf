"""Mutual information beside closed forms and sums over fine grids."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

from figmn import Density
from figmn.answers.information import N_VALUES, entropy, information
from figmn.answers.variables import Variable

NUMBER, OTHER = Variable((0,)), Variable((1,))


def gaussian(correlation: float, scales: tuple[float, float] = (1.0, 1.0)) -> Density:
    covariance = np.array([[1.0, correlation], [correlation, 1.0]]) * np.outer(scales, scales)
    return Density(np.ones(1), np.array([[3.0, -7.0]]), covariance[None])


@pytest.mark.parametrize("correlation", [0.0, 0.3, -0.9, 0.999])
@pytest.mark.parametrize("scales", [(1.0, 1.0), (1e-6, 1e5)])
def test_one_gaussian_is_exact(correlation: float, scales: tuple[float, float]) -> None:
    found = information(gaussian(correlation, scales), NUMBER, OTHER)
    assert found.bits == pytest.approx(-0.5 * np.log2(1 - correlation**2), abs=1e-7)
    assert found.error < 1e-4


def mixture(seed: int, n_components: int = 3, apart: float = 2.0) -> Density:
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(n_components, 2, 2))
    covariances = factors @ factors.swapaxes(1, 2) + 0.1 * np.eye(2)
    return Density(rng.dirichlet(np.ones(n_components)), apart * rng.normal(size=(n_components, 2)), covariances)


def information_on_grid(model: Density) -> float:
    """Sum of p(x, y) log p(x, y) / p(x) p(y) over a fine grid."""
    whole = model.to_gaussian()
    spread = np.sqrt(np.diagonal(whole.covariances[0]))
    x, y = (np.linspace(m - 11 * s, m + 11 * s, 900) for m, s in zip(whole.means[0], spread, strict=True))
    grid = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y, indexing="ij")])
    both = np.exp(model.score_samples(grid)).reshape(len(x), len(y))
    alone = np.outer(model.marginal([0]).pdf(x), model.marginal([1]).pdf(y))
    area = (x[1] - x[0]) * (y[1] - y[0])
    known = both > 1e-300
    return float((both[known] * np.log2(both[known] / alone[known])).sum() * area)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n_values", "near"), [(N_VALUES, 0.008), (9 * N_VALUES, 0.001)])
def test_mixtures_of_two_numbers(seed: int, n_values: int, near: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("figmn.answers.information.N_VALUES", n_values)
    model = mixture(seed, n_components=2 + seed % 3, apart=1.0 + seed)
    truth = information_on_grid(model)
    for wanted, candidate in ((NUMBER, OTHER), (OTHER, NUMBER)):
        found = information(model, wanted, candidate)
        assert found.bits == pytest.approx(truth, abs=near)
        assert found.error < 0.01


def labelled(seed: int) -> Density:
    """Two columns of numbers and three one-hot columns, as a mixture learns them from rows."""
    rng = np.random.default_rng(seed)
    means = np.hstack([4 * rng.normal(size=(3, 2)), np.eye(3)])
    covariances = np.zeros((3, 5, 5))
    covariances[:, :2, :2] = mixture(seed).covariances
    covariances[:, 2:, 2:] = 1e-3 * np.eye(3)
    return Density(np.array([0.5, 0.3, 0.2]), means, covariances)


@pytest.mark.parametrize("seed", range(3))
def test_a_label_from_a_number(seed: int) -> None:
    """The expected drop of the entropy of the probabilities, by a fine sum over the number."""
    model, label = labelled(seed), Variable((2, 3, 4), 3)
    found = information(model, label, NUMBER)
    line = model.marginal([0])
    low, high = line.interval(1 - 1e-9).tolist()
    x = np.linspace(low, high, 4001)
    rows = np.column_stack([x, *[np.full(len(x), np.nan)] * 4])
    shares = model.recall(rows)[:, 2:].clip(0, 1)
    shares /= shares.sum(axis=1, keepdims=True)
    density = line.pdf(x) / line.pdf(x).sum()
    mean = density @ shares
    after = -(shares * np.log2(np.maximum(shares, 1e-300))).sum(axis=1)
    truth = -(mean * np.log2(mean)).sum() - density @ after
    assert found.bits == pytest.approx(truth, abs=0.005)
    assert found.error < 0.01


def test_a_label_tells_what_its_components_do() -> None:
    """Two components far apart: which of them it is, is one bit, whichever way it is asked and encoded."""
    means = np.array([[0.0, 1.0, 0.0, 0.0], [50.0, 0.0, 1.0, 1.0]])
    model = Density(np.ones(2), means, np.tile(np.diag([1.0, 1e-4, 1e-4, 1e-4]), (2, 1, 1)))
    for label in (Variable((1, 2), 2), Variable((3,), 2, one_hot=False)):
        assert information(model, label, NUMBER).bits == pytest.approx(1.0, abs=1e-4)
        found = information(model, NUMBER, label)
        assert found.bits == pytest.approx(1.0, abs=1e-4)


def test_what_is_known_already_tells_nothing_more() -> None:
    """Given what a copy of a column says, the column itself is worth nothing."""
    covariance = np.array([[1.0, 0.8, 0.8], [0.8, 1.0, 0.999999], [0.8, 0.999999, 1.0]])
    model = Density(np.ones(1), np.zeros((1, 3)), covariance[None])
    assert information(model, Variable((0,)), Variable((1,))).bits > 0.7
    given = model.condition([np.nan, np.nan, 0.4])
    assert information(given, Variable((0,)), Variable((1,))).bits < 1e-3


def test_entropy_of_separate_components() -> None:
    """That of their shares and their own."""
    shares, stds = np.array([0.25, 0.75]), np.array([1e-3, 10.0])
    found = entropy(shares, np.array([0.0, 1e4]), stds)
    own = 0.5 * np.log2(2 * np.pi * np.e * stds**2)
    assert found == pytest.approx(shares @ (own - np.log2(shares)), abs=1e-7)


def test_many_components_are_one_smooth_density() -> None:
    """Means at the quantiles of a Gaussian, as many as there may be: together they are a wider one."""
    n = 3000
    means = ndtri((np.arange(n) + 0.5) / n)
    found = entropy(np.full(n, 1 / n), means, np.full(n, 0.5))
    assert found == pytest.approx(0.5 * np.log2(2 * np.pi * np.e * 1.25), abs=2e-3)


def test_many_rare_labels_tell_what_they_can() -> None:
    """500 labels, each less likely than 1 in 400, whose positions are a number: nothing is divided by nothing."""
    means = np.column_stack([np.arange(500.0), np.arange(500.0)])
    model = Density(np.ones(500), means, np.tile(np.diag([0.01, 0.01]), (500, 1, 1)))
    found = information(model, Variable((0,)), Variable((1,), 500, one_hot=False))
    assert 7.0 < found.bits < 9.0


def test_the_error_covers_what_the_tried_values_leave_out() -> None:
    rng = np.random.default_rng(0)
    means = rng.normal(0, 3, (5, 2))
    model = Density(np.full(5, 0.2), means, np.array([0.1 * np.eye(2)] * 5))
    grid = np.linspace(-8, 8, 1601)
    step = grid[1] - grid[0]
    parts = [np.exp(-((grid - means[:, [axis]]) ** 2) / 0.2) / np.sqrt(0.2 * np.pi) for axis in (0, 1)]
    both = 0.2 * parts[0].T @ parts[1]
    apart = np.outer(both.sum(axis=1), both.sum(axis=0)) * step**2
    terms = both * np.log2(np.where(both > 0, both, 1.0) / np.where(both > 0, apart, 1.0))
    found = information(model, NUMBER, OTHER)
    assert abs(found.bits - terms.sum() * step**2) <= found.error
    assert found.error < 0.01
