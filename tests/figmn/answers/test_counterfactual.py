"""Counterfactuals beside closed forms and a search over a fine grid."""

from __future__ import annotations

import numpy as np
import pytest

from figmn import Density
from figmn.answers.counterfactual import Goal, Norm, _Means, distances_of, nearest_change


def mixture(seed: int, n_given: int = 2, n_wanted: int = 1, n_components: int = 4) -> Density:
    rng = np.random.default_rng(seed)
    n = n_given + n_wanted
    factors = rng.normal(size=(n_components, n, n))
    covariances = factors @ factors.swapaxes(1, 2) + 0.3 * np.eye(n)
    return Density(rng.dirichlet(np.ones(n_components)), 2.5 * rng.normal(size=(n_components, n)), covariances)


def test_one_gaussian_is_the_projection_onto_a_line() -> None:
    """The conditional mean is linear: the nearest place is the foot of the perpendicular, in standard deviations."""
    covariance = np.array([[1.0, 0.3, 0.6], [0.3, 2.0, 0.9], [0.6, 0.9, 1.5]])
    model = Density(np.ones(1), np.array([[1.0, 2.0, 3.0]]), covariance[None])
    slope = np.linalg.solve(covariance[:2, :2], covariance[:2, 2])
    x, scale = np.array([0.5, 1.0]), np.array([1.0, 3.0])
    now = 3.0 + slope @ (x - [1.0, 2.0])
    goal = Goal(np.array([[1.0]]), np.array([now + 1.0]))
    found = nearest_change(model, x, goal, np.full(2, -9.0), np.full(2, 9.0), scale)
    assert found is not None
    steep = slope * scale
    np.testing.assert_allclose(found.values, x + scale * steep / (steep @ steep), atol=1e-4)
    assert found.distance == pytest.approx(1 / np.sqrt(steep @ steep), abs=1e-5)
    sparse = nearest_change(model, x, goal, np.full(2, -9.0), np.full(2, 9.0), scale, "l1")
    assert sparse is not None
    assert sparse.distance == pytest.approx(1 / steep.max(), abs=1e-5)
    assert np.isclose(sparse.values, x, atol=1e-4).sum() == 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_it_is_the_nearest_on_a_fine_grid(seed: int, norm: Norm) -> None:
    model, scale = mixture(seed), np.array([1.0, 2.0])
    low, high = np.full(2, -6.0), np.full(2, 6.0)
    x = np.array([0.3, -0.4])
    now = float(model.recall([[*x, np.nan]])[0, 2])
    goal = Goal(np.array([[1.0]]), np.array([now + 1.0]))
    axis = np.linspace(-6.0, 6.0, 601)
    grid = np.column_stack([one.ravel() for one in np.meshgrid(axis, axis)])
    answers = model.recall(np.column_stack([grid, np.full(len(grid), np.nan)]))[:, 2]
    reaches = grid[answers >= now + 1.0]
    found = nearest_change(model, x, goal, low, high, scale, norm)
    if not len(reaches):
        assert found is None
        return
    assert found is not None
    assert model.recall([[*found.values, np.nan]])[0, 2] >= now + 1.0 - 1e-9
    assert found.distance <= distances_of(reaches, x, scale, norm).min() + 1e-3
    assert found.distance == pytest.approx(float(distances_of(found.values[None], x, scale, norm)[0]))


def test_all_conditions_hold_together() -> None:
    """A class must be likelier than every other."""
    means = np.array([[0.0, 0.0, 1, 0, 0], [4.0, 0.0, 0, 1, 0], [4.0, 3.0, 0, 0, 1]])
    model = Density(np.ones(3), means, np.tile(np.diag([1.0, 1.0, 1e-3, 1e-3, 1e-3]), (3, 1, 1)))
    goal = Goal(np.array([[-1.0, 0, 1], [0, -1.0, 1]]), np.zeros(2))
    x = np.array([0.0, 0.0])
    found = nearest_change(model, x, goal, np.full(2, -5.0), np.full(2, 8.0), np.ones(2))
    assert found is not None
    shares = model.recall([[*found.values, np.nan, np.nan, np.nan]])[0, 2:]
    assert shares[2] >= shares[:2].max() - 1e-9
    assert found.distance == pytest.approx(2.5, abs=0.01)  # halfway to the third centre, which is 5 away


def test_the_range_is_kept_and_none_is_told() -> None:
    model = mixture(1)
    goal = Goal(np.array([[1.0]]), np.array([1e6]))
    assert nearest_change(model, np.zeros(2), goal, np.full(2, -3.0), np.full(2, 3.0), np.ones(2)) is None
    now = float(model.recall([[0.0, 0.0, np.nan]])[0, 2])
    near = Goal(np.array([[-1.0]]), np.array([0.3 - now]))
    found = nearest_change(model, np.zeros(2), near, np.array([0.0, -2.0]), np.array([0.0, 2.0]), np.ones(2))
    if found is not None:
        assert found.values[0] == 0.0
        assert -2.0 <= found.values[1] <= 2.0


def test_what_is_reached_already_needs_no_change() -> None:
    model = mixture(1)
    found = nearest_change(
        model, np.zeros(2), Goal(np.array([[1.0]]), np.array([-1e6])), -np.ones(2), np.ones(2), np.ones(2)
    )
    assert found is not None
    assert found.distance == 0.0


def test_the_same_question_has_the_same_answer() -> None:
    model, goal = mixture(3, n_given=5), Goal(np.array([[1.0]]), np.array([1.5]))
    ends = np.full(5, -4.0), np.full(5, 4.0)
    first, second = (nearest_change(model, np.zeros(5), goal, *ends, np.ones(5)) for _ in range(2))
    assert first is not None
    assert second is not None
    np.testing.assert_array_equal(first.values, second.values)


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_is_that_of_finite_differences(seed: int) -> None:
    means, place = _Means(mixture(seed, 3, 2), 3), np.array([0.2, -0.5, 1.0])
    steps = 1e-6 * np.eye(3)
    differences = (means.at(place + steps) - means.at(place - steps)).T / 2e-6
    np.testing.assert_allclose(means.slope(place), differences, rtol=1e-5, atol=1e-7)
