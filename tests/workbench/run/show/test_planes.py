"""What is drawn before anybody has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from workbench.run import FileOrigin, GeneratorOrigin, Origin, Plane, Recipe, SampleOrigin
from workbench.run.rows.prepared import prepare
from workbench.run.show.planes import axes_of, first_plane
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
