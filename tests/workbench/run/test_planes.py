"""What is drawn before anybody has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from workbench.run import FileOrigin, GeneratorOrigin, Origin, Plane, Recipe, SampleOrigin
from workbench.run.planes import axes_of, first_plane
from workbench.run.prepared import prepare
from workbench.source.generators import SineRegression
from workbench.source.table import Role


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
