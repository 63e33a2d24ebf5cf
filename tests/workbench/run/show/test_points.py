"""The latest samples of a run, on any plane."""

from __future__ import annotations

import numpy as np
import pytest

from tests.workbench.run.learners import learner_of
from workbench.run import Plane, Recipe, SampleOrigin
from workbench.run.rows.prepared import Chunk
from workbench.run.show import points as points_module
from workbench.run.show.planes import Axes, axes_of
from workbench.run.show.points import LAST_CODE, LatestPoints, placed

FLAT = Axes(Plane(), np.eye(2), np.zeros(2), ("x", "y"), None)


def chunk(values: list[tuple[float, float]], codes: list[tuple[int, ...]] | None = None) -> Chunk:
    """Rows of two columns, with their classes by every column that colours them."""
    rows, colours = np.arange(len(values)), np.array(codes if codes else [()] * len(values), np.int32)
    return Chunk(rows, np.array(values), np.full(len(values), -1, np.int32), colours, rows[:0])


def test_points_keep_the_latest_and_go_on_any_plane(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.run.show.points.KEPT", 50)
    learner = learner_of(Recipe(SampleOrigin("iris"), roles={"class": "ignored"}))
    first, second = (axes_of(Plane("columns", x, y), learner.prepared) for x, y in ((0, 1), (2, 3)))
    points = LatestPoints(4, ("class",))
    chunks: list[Chunk] = []
    for _ in range(6):
        chunks.append(learner.advance(20))
        points.add(chunks[-1])
    rows = np.concatenate([chunk.values for chunk in chunks])[-50:]
    np.testing.assert_array_equal(points.on(first)[0], rows[:, :2])
    np.testing.assert_array_equal(points.on(second)[0], rows[:, 2:])
    np.testing.assert_array_equal(points.on(second, count=7)[0], rows[-7:, 2:])
    assert len(LatestPoints(4, ("class",)).on(first)[0]) == 0


def test_a_chunk_longer_than_the_ring_leaves_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_module, "KEPT", 3)
    points = LatestPoints(2, ())
    points.add(chunk([(0, 0)]))
    points.add(chunk([(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]))
    assert points.on(FLAT)[0].tolist() == [[3, 3], [4, 4], [5, 5]]


def test_wide_rows_are_fewer_but_never_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_module, "BYTES", (8 * 100 + 8) * 5000)
    assert LatestPoints(2, ()).kept == points_module.KEPT
    assert LatestPoints(100, ()).kept == 5000
    assert LatestPoints(100, ("a", "b")).kept < 5000, "classes take memory, too"
    assert LatestPoints(100_000, ()).kept == 1000


def test_points_have_the_classes_of_the_column_that_colours_them() -> None:
    points = LatestPoints(2, ("species", "sex"))
    points.add(chunk([(0, 0), (1, 1), (2, 2)], [(0, 1), (2, -1), (1, 0)]))
    assert points.on(FLAT, colour="species")[1].tolist() == [0, 2, 1]
    assert points.on(FLAT, colour="sex")[1].tolist() == [1, -1, 0]
    assert points.on(FLAT, colour="sex", count=1)[1].tolist() == [0]
    assert points.on(FLAT, colour="age")[1].tolist() == points.on(FLAT)[1].tolist() == [-1, -1, -1]


def test_the_last_classes_of_very_many_look_alike() -> None:
    """They would be negative in 16 bits."""
    points = LatestPoints(2, ("name",))
    points.add(chunk([(0, 0), (1, 1)], [(LAST_CODE + 1,), (LAST_CODE - 1,)]))
    assert points.on(FLAT, colour="name")[1].tolist() == [LAST_CODE, LAST_CODE - 1]


def test_what_was_placed_is_read_only_and_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_module, "KEPT", 2)
    points = LatestPoints(2, ("species",))
    points.add(chunk([(0, 0), (1, 1)], [(0,), (1,)]))
    places, codes = points.on(FLAT, colour="species")
    points.add(chunk([(7, 7), (8, 8)], [(2,), (2,)]))
    assert (places.tolist(), codes.tolist()) == ([[0, 0], [1, 1]], [0, 1])
    for array in (places, codes):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_a_missing_value_elsewhere_does_not_hide_a_sample() -> None:
    directions = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    axes = Axes(Plane(), directions, np.array([10.0, 20.0]), ("x", "y"), None)
    found = placed(np.array([[1.0, 2.0, np.nan], [np.nan, 3.0, 4.0]]), axes)
    assert found[0].tolist() == [11.0, 24.0]
    assert np.isnan(found[1, 0])


def test_points_know_their_rows_in_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_module, "KEPT", 4)
    points = LatestPoints(2, ())
    points.add(chunk([(0, 0), (1, 1), (2, 2)]))
    points.add(chunk([(3, 3), (4, 4)])._replace(rows=np.array([70, 50])))
    assert points.numbers().tolist() == [1, 2, 70, 50]
    assert points.numbers(2).tolist() == [70, 50]
    assert points.column(1, 3).tolist() == [2, 3, 4]
    assert points.rows_at(points.places(2)).tolist() == [[3, 3], [4, 4]]
