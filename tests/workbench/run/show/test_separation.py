"""Planes ranked by how well they separate: against integrals, and on data whose answer is known."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from figmn import Parameters
from figmn.system.arrays import Floats
from tests.workbench.run.learners import learner_of
from workbench.run import Choices, FileOrigin, Recipe, SampleOrigin
from workbench.run.learn.learner import Learner
from workbench.run.show.separation import (
    MOST_COLUMNS,
    OFFERED,
    Gaussians,
    rank_planes,
    separating_columns,
    separations,
    separations_alone,
)


def learned(recipe: Recipe) -> Learner:
    learner = learner_of(recipe)
    while len(learner.advance(1000).values):
        pass
    return learner


def random_gaussians(k: int, m: int) -> Gaussians:
    rng = np.random.default_rng(5)
    roots = rng.normal(size=(k, m, m)) + np.eye(m)
    return Gaussians(rng.dirichlet(np.ones(k)), rng.normal(0, 2, (k, m)), roots @ roots.transpose(0, 2, 1))


def density(x: Floats, mean: Floats, covariance: Floats) -> Floats:
    apart = x - mean
    squared = np.einsum("...i,ij,...j->...", apart, np.linalg.inv(covariance), apart)
    found: Floats = np.exp(-squared / 2) / np.sqrt(np.linalg.det(2 * np.pi * covariance))
    return found


def test_the_measure_is_the_integral() -> None:
    some = random_gaussians(3, 3)
    found = separations(some)
    grid = np.linspace(-25, 25, 1001)
    cell = (grid[1] - grid[0]) ** 2
    places = np.stack(np.meshgrid(grid, grid, indexing="ij"), axis=-1)
    for a, b in combinations(range(3), 2):
        pair = [a, b]
        densities = [density(places, some.means[k][pair], some.covariances[k][np.ix_(pair, pair)]) for k in range(3)]
        total = weight = 0.0
        for i, j in combinations(range(3), 2):
            both = some.weights[i] * some.weights[j]
            total += both * float(np.sqrt(densities[i] * densities[j]).sum() * cell)
            weight += both
        assert found[a, b] == pytest.approx(1 - total / weight, abs=1e-4)
    assert found == pytest.approx(found.T)


def test_a_column_alone_is_the_diagonal_of_all() -> None:
    some = random_gaussians(4, 5)
    alone = Gaussians(some.weights, some.means, np.diagonal(some.covariances, axis1=1, axis2=2))
    np.testing.assert_allclose(separations_alone(alone), np.diag(separations(some)), rtol=1e-12)


def test_the_units_do_not_matter() -> None:
    some, units = random_gaussians(3, 3), np.array([1e-9, 1.0, 1e12])
    other = Gaussians(some.weights, some.means * units, some.covariances * units[:, None] * units)
    np.testing.assert_allclose(separations(other), separations(some), rtol=1e-9)


def test_the_petals_tell_the_irises_apart() -> None:
    learner = learned(Recipe(SampleOrigin("iris")))
    found = rank_planes(learner.engine, learner.prepared)
    for planes in (found.components, found.classes):
        assert planes[0].names == ("petallength", "petalwidth")
        assert len(planes) == 6
        scores = [plane.separation for plane in planes]
        assert scores == sorted(scores, reverse=True)
        assert planes[-1].names == ("sepallength", "sepalwidth")
    assert found.label_column == "class"
    assert (found.n_columns, found.n_paired, found.n_components, found.n_compared) == (4, 4, 3, 3)


def test_label_columns_are_not_compared() -> None:
    learner = learned(Recipe(SampleOrigin("iris")))
    names = learner.prepared.encoder.names
    assert [names[column] for column in separating_columns(learner.prepared)] == list(names[:4])
    alone = learner_of(Recipe(SampleOrigin("iris"), roles=dict.fromkeys(names[:4], "ignored")))
    assert separating_columns(alone.prepared).tolist() == [0, 1, 2]  # there is nothing else


def test_one_component_has_nothing_to_separate_and_constant_columns_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "constant.csv"
    rows = [f"{i % 5},3,{'' if i % 7 == 0 else i % 3},{'a' if i % 5 < 2 else 'b'}" for i in range(60)]
    path.write_text("x,same,gaps,class\n" + "\n".join(rows), encoding="utf-8")
    learner = learned(Recipe(FileOrigin(str(path)), choices=Choices(Parameters(beta=0.0))))
    found = rank_planes(learner.engine, learner.prepared)
    assert found.components == ()
    assert found.n_components == 1
    assert "x" in found.classes[0].names
    assert all(0 <= plane.separation <= 1 for plane in found.classes)


def test_of_many_columns_those_that_separate_alone_are_paired(tmp_path: Path) -> None:
    rng, path = np.random.default_rng(0), tmp_path / "wide.csv"
    rows = rng.normal(size=(2000, 40))
    rows[1000:, [17, 33]] += 6.0
    labels = np.repeat(["near", "far"], 1000)
    lines = [",".join([*(f"{value:.4f}" for value in row), label]) for row, label in zip(rows, labels, strict=True)]
    path.write_text("\n".join([",".join([*(f"x{number}" for number in range(40)), "class"]), *lines]), encoding="utf-8")
    learner = learned(Recipe(FileOrigin(str(path))))
    assert learner.engine.n_components == 2
    found = rank_planes(learner.engine, learner.prepared)
    assert (found.n_columns, found.n_paired) == (40, MOST_COLUMNS)
    for planes in (found.components, found.classes):
        assert len(planes) == OFFERED
        assert planes[0].names == ("x17", "x33")
        assert planes[0].separation > 0.99


def test_nothing_learned_is_nothing_ranked() -> None:
    learner = learner_of(Recipe(SampleOrigin("iris"), roles={"class": "ignored"}))
    found = rank_planes(learner.engine, learner.prepared)
    assert found.components == ()
    assert found.n_components == 0


def test_gaps_make_no_two_classes_apart_that_are_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(3, 2000))
    far = np.abs(a) > 1.5
    b = np.where(far, a + 0.5 * b, 0.3 * b)
    hidden = rng.random(2000) < 0.5
    a[~far & hidden] = np.nan
    b[~far & ~hidden] = np.nan
    lines = ["a,b,c,kind", *(f"{x},{y},{z},{'pq'[k % 2]}" for k, (x, y, z) in enumerate(zip(a, b, c, strict=True)))]
    (tmp_path / "gaps.csv").write_text("\n".join(lines).replace("nan", ""))
    recipe = Recipe(FileOrigin(str(tmp_path / "gaps.csv")), roles={"kind": "target"})
    learner = learned(recipe)
    ranking = rank_planes(learner.engine, learner.prepared)
    assert {plane.names for plane in ranking.classes} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert [plane.separation for plane in ranking.classes] == pytest.approx([0, 0, 0], abs=0.1)


def test_a_class_is_not_separated_by_its_own_columns(tmp_path: Path) -> None:
    lines = ["x,y,kind", *(f"{k},{k * k},{'pqr'[k % 3]}" for k in range(60))]
    (tmp_path / "one.csv").write_text("\n".join(lines))
    recipe = Recipe(FileOrigin(str(tmp_path / "one.csv")), roles={"y": "target"})
    learner = learned(recipe)
    assert [learner.prepared.encoder.names[k] for k in separating_columns(learner.prepared)] == ["x", "y"]
