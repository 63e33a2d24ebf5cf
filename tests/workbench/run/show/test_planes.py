"""What is drawn before anybody has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.workbench.run.learners import learner_of, rows_of
from workbench.run import FileOrigin, GeneratorOrigin, Origin, Plane, Recipe, SampleOrigin
from workbench.run.rows.prepared import prepare
from workbench.run.show.planes import axes_of, first_plane
from workbench.run.show.points import LatestPoints
from workbench.source import Encoding
from workbench.source.generators import SineRegression
from workbench.source.table.table import Role


@pytest.mark.parametrize(
    ("origin", "roles", "labels"),
    [
        (GeneratorOrigin(SineRegression(), n_rows=100), {}, ("x", "y")),
        (GeneratorOrigin(SineRegression(), n_rows=100), {"x": "target", "y": "input"}, ("y", "x")),
        (
            SampleOrigin("iris"),
            {"sepallength": "ignored", "sepalwidth": "ignored", "petallength": "ignored"},
            ("petalwidth", "class=Iris-setosa"),
        ),
        (SampleOrigin("Old Faithful"), {"eruptions (min)": "target"}, ("waiting (min)", "eruptions (min)")),
    ],
)
def test_the_first_plane_is_of_two_columns_where_there_are_two(
    origin: Origin, roles: Mapping[str, Role], labels: tuple[str, str]
) -> None:
    recipe = Recipe(origin, roles=roles)
    prepared = prepare(recipe.dataset(), recipe)
    assert axes_of(first_plane(prepared), prepared).labels == labels


def test_a_date_at_an_axis_is_known_as_one(tmp_path: Path) -> None:
    path = tmp_path / "dates.csv"
    path.write_text(
        "when,size\n" + "\n".join(f"2012-06-{day:02},{day % 3}.5" for day in range(1, 29)), encoding="utf-8"
    )
    recipe = Recipe(FileOrigin(str(path)))
    prepared = prepare(recipe.dataset(), recipe)
    axes = axes_of(Plane("columns", 0, 1), prepared)
    assert axes.kinds == ("date", "numeric")
    assert axes.labels == ("when", "size")
    assert prepared.encoder.kinds == ("date", "numeric")


def test_a_principal_plane_says_which_columns_it_is_made_of() -> None:
    """The labels' columns were in it without a word."""
    recipe = Recipe(SampleOrigin("wine"))
    prepared = prepare(recipe.dataset(), recipe)
    of_all, of_inputs = (axes_of(Plane(kind), prepared) for kind in ("pca", "input pca"))
    assert (of_all.plane.kind, of_inputs.plane.kind) == ("pca", "input pca")
    inputs, targets = prepared.encoder.inputs, prepared.encoder.targets
    assert of_all.directions[targets].any()
    assert not of_inputs.directions[targets].any()
    rows = prepared.scouts[:, inputs]
    standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    values = np.linalg.svd(standard, compute_uv=False) ** 2
    placed = prepared.scouts @ of_inputs.directions + of_inputs.origin
    np.testing.assert_allclose(placed.var(axis=0), values[:2] / len(rows))
    np.testing.assert_allclose(placed.mean(axis=0), 0, atol=1e-9)
    assert of_inputs.share == pytest.approx(values[:2].sum() / values.sum())
    assert of_inputs.labels[0] == "inputs only: principal component 1 (36 % of the variance)"
    assert of_all.labels[0].startswith("inputs and targets: principal component 1 (")


def test_wide_data_are_first_seen_by_their_inputs() -> None:
    recipe = Recipe(SampleOrigin("wine"))
    prepared = prepare(recipe.dataset(), recipe)
    assert first_plane(prepared) == Plane("input pca")


def test_without_targets_there_is_one_principal_plane() -> None:
    recipe = Recipe(SampleOrigin("wine"), roles={"class": "ignored"})
    prepared = prepare(recipe.dataset(), recipe)
    assert not prepared.has_targets
    assert first_plane(prepared) == Plane("pca")
    axes = axes_of(Plane("input pca", 2, 5), prepared)
    assert axes.plane == Plane("pca", 2, 5)
    assert axes.labels == axes_of(Plane("pca"), prepared).labels
    assert axes.labels[0] == "principal component 1 (36 % of the variance)"


def test_a_pair_of_columns_is_drawn_in_the_users_units() -> None:
    recipe = Recipe(SampleOrigin("iris"), encoding=Encoding(scaling="standard"), roles={"class": "ignored"})
    learner = learner_of(recipe)
    axes = axes_of(Plane("columns", 2, 3), learner.prepared)
    points = LatestPoints(4, ("class",))
    points.add(learner.advance(150))
    table = recipe.dataset().table
    placed, codes = points.on(axes, colour="class")
    np.testing.assert_allclose(placed, np.column_stack([table["petallength"].values, table["petalwidth"].values]))
    assert codes.tolist() == table["class"].values.tolist()
    assert axes.labels == ("petallength", "petalwidth")
    projected = learner.engine.project(axes.directions)
    covariances = np.einsum("dm,kde,en->kmn", axes.directions, learner.engine.covariances, axes.directions)
    np.testing.assert_allclose(projected.covariances, covariances, rtol=1e-9)


def test_the_principal_plane_says_its_share() -> None:
    recipe = Recipe(SampleOrigin("iris"), roles={"class": "ignored"})
    learner = learner_of(recipe)
    axes = axes_of(Plane("pca"), learner.prepared)
    rows = rows_of(recipe)
    standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    values = np.linalg.svd(standard, compute_uv=False) ** 2
    assert axes.share == pytest.approx(values[:2].sum() / values.sum())
    points = LatestPoints(4, ("class",))
    points.add(learner.advance(150))
    np.testing.assert_allclose(points.on(axes)[0].var(axis=0), values[:2] / 150)
    assert "principal component 1 (73 % of the variance)" in axes.labels[0]


@pytest.mark.parametrize(
    ("name", "plane"),
    [
        ("iris", Plane("columns", 2, 3)),  # petal length and width, as everyone draws it
        ("Old Faithful", Plane("columns", 0, 1)),
        ("digits", Plane("input pca")),
        ("breast cancer", Plane("input pca")),
    ],
)
def test_the_first_plane_shows_something(name: str, plane: Plane) -> None:
    recipe = Recipe(SampleOrigin(name))
    assert first_plane(prepare(recipe.dataset(), recipe)) == plane


def test_a_single_column_is_drawn_against_itself() -> None:
    recipe = Recipe(SampleOrigin("Old Faithful"), roles={"waiting (min)": "ignored"})
    learner = learner_of(recipe)
    axes = axes_of(first_plane(learner.prepared), learner.prepared)
    assert axes.labels == ("eruptions (min)", "eruptions (min)")
    assert learner.engine.project(axes.directions).covariances.shape == (0, 2, 2)
    learner.advance(10)
    assert np.isfinite(learner.engine.project(axes.directions).covariances).all()


@pytest.mark.parametrize("name", ["iris", "wine", "ionosphere"])
def test_the_largest_loading_of_a_principal_component_points_upwards(name: str) -> None:
    """The sign of an eigenvector is anyone's choice, and a picture must not turn over."""
    recipe = Recipe(SampleOrigin(name))
    prepared = prepare(recipe.dataset(), recipe)
    loadings = axes_of(Plane("pca"), prepared).directions * prepared.scouts.std(axis=0)[:, None]
    assert (loadings[np.abs(loadings).argmax(axis=0), [0, 1]] > 0).all()


def test_a_column_beyond_the_last_is_the_last() -> None:
    """The next data may have fewer columns than those that the plane was chosen for."""
    recipe = Recipe(SampleOrigin("Old Faithful"))
    axes = axes_of(Plane("columns", 7, 0), prepare(recipe.dataset(), recipe))
    assert axes.plane == Plane("columns", 1, 0)
    assert axes.labels == ("waiting (min)", "eruptions (min)")


def test_a_principal_plane_of_fewer_rows_than_columns_is_that_of_all_its_rows() -> None:
    """Through the Gram matrix of the rows, which is the smaller one."""
    recipe = Recipe(SampleOrigin("digits"))
    prepared = prepare(recipe.dataset(), recipe)
    few = replace(prepared, scouts=prepared.scouts[:20])
    axes = axes_of(Plane("pca"), few)
    assert few.encoder.n_columns > 20
    standard = few.scouts - few.scouts.mean(axis=0)
    width = standard.std(axis=0)
    standard = standard / np.where(width > 0, width, 1.0)
    values = np.linalg.svd(standard, compute_uv=False) ** 2
    assert axes.share == pytest.approx(values[:2].sum() / values.sum())
    np.testing.assert_allclose((few.scouts @ axes.directions + axes.origin).var(axis=0), values[:2] / 20)
