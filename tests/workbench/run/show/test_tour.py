"""The grand tour: planes on the way are planes, and mixtures and points are projected as the mathematics says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from figmn.system.arrays import Floats
from tests.workbench.run.learners import IRIS, learner_of
from workbench.run import FileOrigin, Plane, Recipe, SampleOrigin
from workbench.run.rows.prepared import Prepared, prepare
from workbench.run.show.planes import axes_of, loadings_words, picture
from workbench.run.show.points import placed
from workbench.run.show.tour import Geodesic, Tour


def prepared_of(recipe: Recipe) -> Prepared:
    return prepare(recipe.dataset(), recipe)


def random_frame(rng: np.random.Generator, d: int) -> Floats:
    return np.linalg.qr(rng.normal(size=(d, 2)))[0]


def angles(one: Floats, other: Floats) -> Floats:
    """Principal angles between two planes."""
    found: Floats = np.arccos(np.clip(np.linalg.svd(one.T @ other)[1], -1, 1))
    return found


@pytest.mark.parametrize("d", [3, 4, 60])
def test_a_geodesic_leads_from_frame_to_plane_at_constant_speed(d: int) -> None:
    rng = np.random.default_rng(d)
    start, end = random_frame(rng, d), random_frame(rng, d)
    path = Geodesic(start, end)
    np.testing.assert_allclose(path.at(0.0), start, atol=1e-12)
    np.testing.assert_allclose(angles(path.at(path.length), end), 0, atol=1e-7)
    whole = angles(start, end)
    assert path.length == pytest.approx(whole.max())
    for share in (0.25, 0.5, 0.8):
        frame = path.at(share * path.length)
        np.testing.assert_allclose(frame.T @ frame, np.eye(2), atol=1e-12)
        np.testing.assert_allclose(np.sort(angles(start, frame)), np.sort(share * whole), atol=1e-6)


def test_a_geodesic_between_equal_planes_stands_still() -> None:
    frame = random_frame(np.random.default_rng(0), 5)
    path = Geodesic(frame, frame)
    assert path.length < 1e-6
    np.testing.assert_allclose(path.at(0.0), frame, atol=1e-7)


def test_the_tour_is_smooth_and_never_ends() -> None:
    tour = Tour(prepared_of(IRIS))
    seen, before = [tour.frame], tour.frame
    for _ in range(2000):
        tour.turn(0.02)
        np.testing.assert_allclose(tour.frame.T @ tour.frame, np.eye(2), atol=1e-10)
        assert angles(before, tour.frame).max() < 0.0401  # at most two paths in a step
        assert np.linalg.norm(tour.frame - before) < 0.1  # no spin inside of the plane either
        before = tour.frame
        seen.append(before)
    # Every column has been at both axes.
    assert (np.abs(np.array(seen)).max(axis=0) > 0.8).all()


def test_the_same_tour_comes_again() -> None:
    one, other = Tour(prepared_of(IRIS)), Tour(prepared_of(IRIS))
    for tour in (one, other):
        tour.turn(7.0)
    np.testing.assert_array_equal(one.frame, other.frame)


def test_targets_and_constant_columns_are_not_toured(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    rows = "\n".join(f"{i % 5},3,{i % 7},{i % 3},{'ab'[i % 2]}" for i in range(50))
    path.write_text(f"x,same,y,z,class\n{rows}\n", encoding="utf-8")
    tour = Tour(prepared_of(Recipe(FileOrigin(str(path)))))
    assert tour.used.tolist() == [0, 2, 3]
    tour.turn(1.0)
    loadings = tour.axes.loadings
    assert loadings is not None
    assert not loadings[[1, 4, 5]].any()
    assert tour.axes.about == "projection of 3 inputs, in standard deviations"


@pytest.mark.parametrize("ignored", [("sepallength", "sepalwidth"), ("sepallength", "sepalwidth", "petallength")])
def test_two_columns_have_one_plane(ignored: tuple[str, ...]) -> None:
    recipe = Recipe(SampleOrigin("iris"), roles=dict.fromkeys((*ignored, "class"), "ignored"))
    tour = Tour(prepared_of(recipe))
    before = tour.frame
    tour.turn(100.0)
    np.testing.assert_array_equal(tour.frame, before)
    assert np.isfinite(tour.axes.directions).all()


def test_mixture_and_points_are_projected() -> None:
    learner = learner_of(IRIS)
    rows = learner.advance(150).values
    tour = Tour(learner.prepared)
    tour.turn(2.0)
    axes = tour.axes
    assert axes.loadings is not None
    mean, std = learner.prepared.standard_units
    a = axes.loadings[tour.used] / std[tour.used, None]
    engine = learner.engine
    found = picture(axes, engine, placed(rows, axes), np.full(len(rows), -1, np.int16))
    used = np.ix_(tour.used, tour.used)
    for k in range(engine.n_components):
        np.testing.assert_allclose(found.centres[k], (engine.means[k] - mean)[tour.used] @ a, rtol=1e-9)
        np.testing.assert_allclose(found.covariances[k], a.T @ engine.covariances[k][used] @ a, rtol=1e-9)
    np.testing.assert_allclose(found.points, (rows - mean)[:, tour.used] @ a, atol=1e-9)


def test_a_kept_plane_is_the_same_plane() -> None:
    prepared = prepared_of(IRIS)
    tour = Tour(prepared)
    tour.turn(1.3)
    axes = tour.axes
    assert axes.loadings is not None
    kept = Plane("kept", 0, 1, "plane 1", tuple((float(x), float(y)) for x, y in axes.loadings))
    again = axes_of(kept, prepared)
    np.testing.assert_array_equal(again.directions, axes.directions)
    np.testing.assert_array_equal(again.origin, axes.origin)
    assert again.labels == axes.labels
    # Of other columns it is nothing: the pair of columns is drawn in its place.
    other = axes_of(kept, prepared_of(Recipe(SampleOrigin("wine"))))
    assert other.plane.kind == "columns"


def test_labels_name_the_main_loadings() -> None:
    names = ["alpha", "b" * 100, "c"]
    assert loadings_words(np.array([0.8, -0.6, 0.0]), names) == f"0.80 alpha − 0.60 {'b' * 23}…"
    assert loadings_words(np.array([-1.0, 0.0, 0.001]), names) == "−1.00 alpha"
