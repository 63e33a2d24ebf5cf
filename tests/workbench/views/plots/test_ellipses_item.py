"""Ellipses are the contours of their components; who is new, at risk or not definite is marked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from figmn import FastIGMN
from tests.workbench import frames
from workbench.run.show.frame import Frame, Plane
from workbench.views.plots.auto_range import AutoRange, Box, box_of
from workbench.views.plots.component_state import at_risk, born_at, newborn, probation, words
from workbench.views.plots.density_item import density_grid, density_power
from workbench.views.plots.ellipses_item import LABELS, DrawnComponents, label_places
from workbench.views.plots.plot_units import Units


@pytest.fixture(scope="module")
def iris() -> Frame:
    return frames.frame(frames.iris(), Plane("columns", 2, 3), delta=0.8, beta=0.1)


@pytest.fixture(scope="module")
def lost() -> Frame:
    """A run by the published rule with components that have no ellipse in the first two columns."""
    return frames.frame(frames.iris(), Plane("columns", 2, 3), covariance="published", delta=0.1, beta=1e-6, v_min=200)


def test_outlines_are_contours(iris: Frame) -> None:
    components = DrawnComponents.of(iris.picture, iris.census)
    offsets = components.outlines(2.5, 33) - iris.picture.centres[:, None]
    precisions = np.linalg.inv(iris.picture.covariances)
    distances = np.einsum("kni,kij,knj->kn", offsets, precisions, offsets)
    np.testing.assert_allclose(distances, 2.5**2, rtol=1e-9)


def test_extents_hold_the_outlines(iris: Frame) -> None:
    components = DrawnComponents.of(iris.picture, iris.census)
    outlines = components.outlines(2.0, 721)
    np.testing.assert_allclose(components.extents(2.0), np.ptp(outlines, axis=1) / 2, rtol=1e-4)


def test_components_without_an_ellipse_are_known(lost: Frame) -> None:
    eigenvalues = np.linalg.eigvalsh(lost.picture.covariances)
    np.testing.assert_array_equal(DrawnComponents.of(lost.picture, lost.census).definite, eigenvalues[:, 0] > 0)
    assert not DrawnComponents.of(lost.picture, lost.census).definite.all()


def test_a_flat_component_is_a_line_and_not_lost() -> None:
    flat = np.array([[[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 9.0]]])
    nobody = np.zeros(2, bool)
    components = DrawnComponents(np.arange(2), np.zeros((2, 2)), flat, np.full(2, 0.5), nobody, nobody)
    assert components.definite.all()
    np.testing.assert_allclose(components.extents(1.0), [[1, 2], [0, 3]])


def test_the_smallest_ellipse_around_a_place_is_met() -> None:
    nobody = np.zeros(3, bool)
    centres = np.array([[0.0, 0.0], [1.0, 0.0], [50.0, 50.0]])
    covariances = np.stack([25.0 * np.eye(2), np.eye(2), np.diag([-1.0, 1.0])])
    components = DrawnComponents(np.array([7, 8, 9]), centres, covariances, np.full(3, 1 / 3), nobody, nobody)
    nothing = (0.0, 0.0)
    assert components.at(1.5, 0.0, 2.0, nothing) == 1
    assert components.at(-3.0, 0.0, 2.0, nothing) == 0
    assert components.at(30.0, 0.0, 2.0, nothing) is None
    assert components.at(50.5, 50.0, 2.0, (1.0, 1.0)) == 2, "one without an ellipse is met at its middle"


def test_the_smallest_v_min_overflows_nothing() -> None:
    model = FastIGMN(delta=0.5, beta=0.1, v_min=100, sp_min=30, scale=[1.0, 1.0])
    snapshot = model.learn(np.zeros((2, 2))).snapshot()
    changed = replace(snapshot, parameters=replace(snapshot.parameters, v_min=1e-320))
    assert probation(changed).tolist() == [1.0]


def test_states_follow_age_and_evidence() -> None:
    model = FastIGMN(delta=0.5, beta=0.1, v_min=100, sp_min=3, scale=[1.0, 1.0])
    model.learn(np.zeros((90, 2)))
    model.learn([[50.0, 50.0]])
    assert words(model.snapshot()).tolist() == ["–", "newborn"]
    assert newborn(model.snapshot()).tolist() == [False, True]
    model.learn(np.zeros((70, 2)))
    assert probation(model.snapshot())[1] == pytest.approx(0.71)
    assert np.isnan(probation(model.snapshot())[0])
    assert not at_risk(model.snapshot())[1]
    model.learn(np.zeros((15, 2)))
    assert words(model.snapshot()).tolist() == ["–", "at risk"]
    model.learn(np.zeros((20, 2)))
    assert words(model.snapshot()).tolist() == ["–"], "it was removed, as the table said"


def test_the_birth_of_a_component_is_known() -> None:
    model = FastIGMN(delta=0.3, beta=0.1, v_min=50, sp_min=2, scale=[1.0, 1.0])
    births = {}
    for row in np.random.default_rng(1).normal(0, 3, (400, 2)):
        trace = model.learn_one(row)
        if trace.born is not None:
            births[trace.born] = trace.sample + 1
    assert len(births) > model.n_components > 1, "some were removed"
    assert born_at(model, model.n_seen, len(births)).tolist() == [births[number] for number in model.ids.tolist()]


@pytest.mark.parametrize("count", [5, 300])
def test_labels_do_not_cover_each_other(qapp: QApplication, count: int) -> None:
    assert qapp
    random = np.random.default_rng(0)
    centres = random.uniform(20, 480, (count, 2))
    angles = np.linspace(0, 2 * np.pi, 33)
    outlines = centres[:, None] + 15 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    priors = random.random(count)
    texts = [f"#{number}" for number in range(count)]
    area = QRectF(0, 0, 500, 500)
    places = label_places(outlines, np.ones(count, bool), priors, texts, area, LABELS)
    assert places[0][0] == priors.argmax()
    assert min(count, 5) <= len(places) <= LABELS
    for position, (_, place) in enumerate(places):
        assert area.contains(place)
        assert not any(place.intersects(other) for _, other in places[:position])


def test_the_heat_map_is_the_density_of_the_mixture() -> None:
    frame = frames.frame(frames.births_and_deaths(3000))
    view = QRectF(-4.0, -3.0, 8.0, 6.0)
    found, top = density_grid(DrawnComponents.of(frame.picture, frame.census), view, 12, 9)
    x, y = np.meshgrid(-4 + 8 * (np.arange(12) + 0.5) / 12, -3 + 6 * (np.arange(9) + 0.5) / 9)
    places, picture = np.column_stack([x.ravel(), y.ravel()]), frame.picture
    pairs = zip(picture.centres, picture.covariances, strict=True)
    densities = np.array([multivariate_normal(*pair).logpdf(places) for pair in pairs])
    truth = logsumexp(densities, axis=0, b=frame.census.priors[:, None]).reshape(9, 12)
    assert top == pytest.approx(truth.max(), abs=0.02)
    truth -= truth.max()
    near = truth > -20
    np.testing.assert_allclose(found[near], truth[near], atol=0.02)


def test_an_empty_mixture_has_an_empty_heat_map() -> None:
    levels, top = density_grid(DrawnComponents.none(), QRectF(0, 0, 1, 1), 4, 3)
    assert np.isneginf(levels).all()
    assert density_power(top, (Units(), Units())) is None


def box(left: float, low: float, right: float, high: float) -> Box:
    return Box(np.array([left, low]), np.array([right, high]))


def test_the_view_grows_when_something_leaves_it_and_never_shrinks() -> None:
    follower = AutoRange()
    first = follower.see(box(0, 0, 10, 10), DrawnComponents.none(), 2.0)
    assert first is not None
    assert first.holds(box(0, 0, 10, 10))
    assert follower.see(box(-0.5, 0, 10.5, 10), DrawnComponents.none(), 2.0) is first, "still inside of the margin"
    assert follower.see(box(4, 4, 5, 5), DrawnComponents.none(), 2.0) is first
    grown = follower.see(box(0, 0, 20, 10), DrawnComponents.none(), 2.0)
    assert grown is not None
    assert grown.high[0] > 20
    assert (grown.low == first.low).all()
    assert grown.high[1] == first.high[1]


def test_a_view_needs_something_to_see() -> None:
    follower = AutoRange()
    assert follower.see(box_of(np.empty(0), np.empty(0)), DrawnComponents.none(), 2.0) is None
    only = follower.see(box_of(np.array([3.0, np.nan]), np.array([4.0, 5.0])), DrawnComponents.none(), 2.0)
    assert only is not None
    assert (only.size > 0).all()


def test_ellipses_are_seen_whole_unless_they_are_huge(iris: Frame) -> None:
    components = DrawnComponents.of(iris.picture, iris.census)
    data = box_of(*iris.picture.points.T)
    seen = AutoRange().see(data, components, 2.0)
    assert seen is not None
    low, high = components.centres - components.extents(2.0), components.centres + components.extents(2.0)
    assert (seen.low <= low.min(axis=0)).all()
    assert (seen.high >= high.max(axis=0)).all()
    huge = AutoRange().see(data, components, 1000.0)
    assert huge is not None
    assert (huge.size < 2.5 * data.size).all()


def test_growing_arrives() -> None:
    place, target = box(0, 0, 1, 1), box(-5, 0, 3, 9)
    steps = 0
    while place is not target:
        place, before = place.towards(target), place
        assert (before.low >= place.low).all()
        steps += 1
    assert 3 < steps < 40
