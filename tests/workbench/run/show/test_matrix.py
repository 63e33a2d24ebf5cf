"""Scatter matrices: which columns, and what is in them."""

from __future__ import annotations

import numpy as np

from tests.workbench.run.learners import learner_of
from workbench.run import Recipe, SampleOrigin
from workbench.run.learn.learner import Learner
from workbench.run.show.matrix import MOST, matrix_columns, matrix_of
from workbench.run.show.points import LatestPoints
from workbench.source import Encoding


def learned(recipe: Recipe) -> tuple[Learner, LatestPoints]:
    learner = learner_of(recipe)
    points = LatestPoints(learner.prepared.encoder.n_columns, learner.prepared.colours)
    while len((chunk := learner.advance(1000)).values):
        points.add(chunk)
    return learner, points


def test_points_and_mixture_are_in_the_users_units() -> None:
    learner, points = learned(Recipe(SampleOrigin("iris"), encoding=Encoding(scaling="standard")))
    found = matrix_of((2, 0), learner.engine, learner.prepared, points, 100)
    assert found.names == ("petallength", "sepallength")
    table = SampleOrigin("iris").read()
    np.testing.assert_allclose(found.points[:, 0], table["petallength"].values[-100:])
    np.testing.assert_allclose(found.points[:, 1], table["sepallength"].values[-100:])
    centers, scales = learner.prepared.encoder.units
    expected = learner.engine.means[:, [2, 0]] * scales[[2, 0]] + centers[[2, 0]]
    np.testing.assert_allclose(found.centres, expected)
    covariances = learner.engine.covariances[:, [2, 0]][:, :, [2, 0]] * np.outer(scales[[2, 0]], scales[[2, 0]])
    np.testing.assert_allclose(found.covariances, covariances)


def test_a_missing_value_hides_a_sample_in_its_column_alone() -> None:
    learner, points = learned(Recipe(SampleOrigin("iris")))
    points._rows[3, 1] = np.nan
    found = matrix_of((0, 1, 2), learner.engine, learner.prepared, points, 1000)
    assert np.isnan(found.points[3, 1])
    assert np.isfinite(found.points[3, [0, 2]]).all()


def test_the_first_columns_are_those_in_which_the_classes_differ() -> None:
    learner, points = learned(Recipe(SampleOrigin("wine")))
    columns = matrix_columns(learner.prepared)
    assert len(columns) == MOST
    names = [learner.prepared.encoder.names[column] for column in columns]
    assert {"flavanoids", "proline", "alcohol"} <= set(names)
    assert matrix_of((), learner.engine, learner.prepared, points, 10).columns == columns
    # Columns of other data, and the same one twice, are left out.
    assert matrix_of((1, 1, 99, 3), learner.engine, learner.prepared, points, 10).columns == (1, 3)
