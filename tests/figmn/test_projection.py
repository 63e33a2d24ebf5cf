"""Components as they are seen in a plane, against the covariances that only a test needs in full."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from figmn.engine import Engine
from figmn.system.arrays import Floats
from tests.figmn.datasets import rows_of
from tests.figmn.paper import IGMN, FastIGMN
from tests.figmn.test_engine import blobs, both_engines

RULES = ["exact", "published"]


def planes(n_features: int) -> list[Floats]:
    """A pair of columns, one slanted axis, a principal plane, and more axes than one draws."""
    rng = np.random.default_rng(1)
    identity = np.eye(n_features)
    return [
        identity[:, [n_features - 1, 0]],
        rng.normal(size=(n_features, 1)),
        np.linalg.qr(rng.normal(size=(n_features, 2)))[0],
        rng.normal(size=(n_features, 5)),
    ]


def assert_projected(model: Engine, rtol: float = 1e-9) -> None:
    for asked in (model, model.snapshot()):
        for plane in planes(model.n_features):
            means, covariances = asked.project(plane)
            expected = plane.T @ model.covariances @ plane
            # A plane can cut through a component where its own entries are small: measured by its largest.
            size = np.abs(model.covariances).max(axis=(1, 2), keepdims=True) * (plane**2).sum()
            assert_allclose(means, model.means @ plane, rtol=1e-12, atol=1e-12)
            assert (np.abs(covariances - expected) < rtol * size).all()
            assert_array_equal(covariances, covariances.swapaxes(1, 2))


@both_engines
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_features", [1, 2, 7, 16, 40])
def test_few_columns(engine: type[Engine], rule: str, n_features: int) -> None:
    model = engine(0.5, 0.01, covariance=rule).learn(blobs(n_features))
    assert model.n_components > 1
    assert_projected(model)


@both_engines
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_features", [300, 400])
def test_many_columns(engine: type[Engine], rule: str, n_features: int) -> None:
    model = engine(1.0, 1e-6, 1000, 0, rule, scale=np.full(n_features, 2.0)).learn(blobs(n_features)[:45])
    assert model.n_components > 1
    assert model.ages.max() > 10
    assert_projected(model)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_features", [300, 400])
@pytest.mark.parametrize("share", [0.1, 0.65, 1.2], ids=["young", "before maturity", "mature"])
def test_young_and_mature(rule: str, n_features: int, share: float) -> None:
    rows = np.random.default_rng(0).normal(size=(int(share * n_features), n_features))
    model = FastIGMN(1.0, 0, 1000, 0, rule, scale=np.ones(n_features)).learn(rows)
    assert (model.snapshot().forms[0].matrix is not None) == (share > 1)
    assert (model.n_indefinite > 0) == (rule == "published")
    assert_projected(model)


def test_mature_without_definiteness() -> None:
    rows = np.random.default_rng(0).normal(size=(300, 200))
    rows[1] *= 10  # the second sample takes away what 300 do not make up for
    model = FastIGMN(1.0, 0, covariance="published", scale=np.ones(200)).learn(rows)
    snapshot = model.snapshot()
    assert snapshot.forms[0].matrix is not None
    assert snapshot.negatives[0] > 0
    assert_projected(model)


def test_directions_with_both_signs() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 200))
    model = FastIGMN(30.0, 0, covariance="published", scale=np.ones(200)).learn(rows)
    assert set(model.snapshot().forms[0].signs.tolist()) == {-1.0, 1.0}
    assert_projected(model)


@pytest.mark.parametrize("n_features", [3, 300])
def test_snapshots_of_the_other_engine(n_features: int) -> None:
    rows, plane = blobs(n_features)[:60], planes(n_features)[2]
    fast, cubic = (engine(1.0, 1e-6, scale=np.full(n_features, 2.0)).learn(rows) for engine in (FastIGMN, IGMN))
    expected = cubic.project(plane)
    converted = fast.snapshot().kept_as("IGMN"), cubic.snapshot().kept_as("FastIGMN")
    for asked in (fast, fast.snapshot(), *converted, FastIGMN.from_snapshot(cubic.snapshot())):
        found = asked.project(plane)
        assert_allclose(found.means, expected.means, rtol=1e-8)
        assert_allclose(found.covariances, expected.covariances, rtol=1e-8, atol=1e-9)


def test_real_columns_of_different_size() -> None:
    rows = rows_of("wine")
    model = FastIGMN(1.0, 0.001, 5, 0).learn(rows)
    for column in range(rows.shape[1]):
        spread = model.project(np.eye(rows.shape[1])[:, [column]]).covariances[:, 0, 0]
        assert_allclose(spread, model.snapshot().variances[:, column], rtol=1e-6)


@pytest.mark.parametrize("n_features", [200, 300])
def test_an_exact_component_never_turns_inside_out(n_features: int) -> None:
    """In many columns the ellipse is positive definite whatever the rounding."""
    line = np.linspace(-1, 1, 100)[:, None] * np.ones(n_features)
    for n_rows in (20, 100):
        model = FastIGMN(1e-4, 0, scale=np.ones(n_features)).learn(line[:n_rows])
        eigenvalues = np.linalg.eigvalsh(model.project(np.eye(n_features)[:, :2]).covariances[0])
        assert eigenvalues[0] >= 0
        assert eigenvalues[1] == pytest.approx(2 * line[:n_rows, 0].var(), rel=1e-3)


@both_engines
@pytest.mark.parametrize("options", [{}, {"scale": [1.0, 1.0, 1.0]}, {"columns": "abc"}])
def test_an_empty_mixture_has_nothing_to_show(engine: type[Engine], options: dict[str, Any]) -> None:
    for asked in (engine(**options), engine(**options).snapshot()):
        means, covariances = asked.project(np.eye(3)[:, :2])
        assert (means.shape, covariances.shape) == ((0, 2), (0, 2, 2))


@both_engines
@pytest.mark.parametrize(
    ("plane", "message"),
    [
        (np.eye(4)[:, :2], "plane: got 4 rows where 3 are expected: give one row for every column"),
        (np.ones(3), r"plane: expected columns x axes \(2-D.*shape \(3,\).*reshape\(-1, 1\)"),
        (np.ones((3, 2, 1)), "plane: expected columns x axes"),
        (np.empty((3, 0)), r"plane: expected columns x axes .*at least one of each.*shape \(3, 0\)"),
        ([[1, 0], [0, np.nan], [0, 0]], "plane, row 1, axis 1: nan cannot be used; give a number"),
        ([[1, 0], [0, 0], [-np.inf, 0]], "plane, row 2, axis 0: -inf cannot be used"),
        ([[1, 0], [0, 0], [1e90, 0]], r"plane, row 2, axis 0: 1e\+90 cannot be used; give a number up to 1e\+70"),
        ([["x", 0], [0, 0], [0, 0]], "plane: .*'x' is not a number"),
        ([[1, 0], [0, 0], [0]], "plane: the rows have different lengths"),
        (None, "plane: "),
    ],
)
def test_a_plane_is_checked(engine: type[Engine], plane: Any, message: str) -> None:
    for asked in (engine(scale=[1.0, 1.0, 1.0]), engine().learn(blobs())):
        with pytest.raises(ValueError, match=message):
            asked.project(plane)


def test_a_young_component_needs_no_square_matrix() -> None:
    rows = np.random.default_rng(0).normal(size=(60, 3000))
    snapshot = FastIGMN(1.0, 0, scale=np.ones(3000)).learn(rows).snapshot()
    snapshot.project(np.eye(3000)[:, :2])
    tracemalloc.start()
    snapshot.project(np.eye(3000, 2))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 3000**2 / 10


@both_engines
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_features", [3, 200])
def test_standard_deviations(engine: type[Engine], rule: str, n_features: int) -> None:
    model = engine(1.0, 0, covariance=rule, scale=np.ones(n_features)).learn(blobs(n_features)[:2])
    snapshot = model.snapshot()
    diagonals = snapshot.covariances.diagonal(axis1=1, axis2=2)
    assert_allclose(snapshot.stds, np.sqrt(np.where(diagonals < 0, np.nan, diagonals)), rtol=1e-9)
    assert np.isnan(snapshot.stds).any() == (rule == "published")
    assert not snapshot.stds.flags.writeable
