"""What is drawn before anybody has chosen."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from workbench.run import GeneratorOrigin, Origin, Recipe, SampleOrigin
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
