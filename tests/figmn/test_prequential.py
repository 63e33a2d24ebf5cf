"""Predictions before each row is learned, and rows with gaps in the compiled loop: both as one row at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from figmn import IGMN, FastIGMN, learning
from figmn.engine import Engine
from figmn.system.arrays import Floats
from tests.figmn.digits import DATA, DELTAS

COLUMNS = ("a", "b", "c", "d", "e")
WIDTH = len(COLUMNS)
WIDE = 1 + FastIGMN.compiled_up_to
Make = Callable[..., Engine]
ENGINES: dict[str, Make] = {
    "triangles": FastIGMN,
    "precisions": lambda **options: FastIGMN(**options, covariance="published"),
    "Cholesky": IGMN,
    "inverse": lambda **options: IGMN(**options, solver="inverse"),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "given widths": {"scale": np.ones(WIDTH)},
    "running widths": {},
    "births and removals": {"scale": np.ones(WIDTH), "beta": 0.3, "v_min": 4, "sp_min": 1.5},
    "forgetting": {"scale": np.ones(WIDTH), "memory": 30.0},
    "prior count": {"scale": np.ones(WIDTH), "prior_count": 4.0},
    "at most three components": {"scale": np.ones(WIDTH), "beta": 0.3, "max_components": 3},
    "merging": {"scale": np.ones(WIDTH), "beta": 0.3, "merge_below": 0.3},
}
every_engine = pytest.mark.parametrize("engine", ENGINES)
every_option = pytest.mark.parametrize("option", OPTIONS)


def rows_of(n_rows: int = 120, share: float = 0.0, width: int = WIDTH) -> Floats:
    """Three groups of correlated rows, a share of the values missing; the first two rows are alike."""
    rng = np.random.default_rng(7)
    rows: Floats = rng.normal(size=(n_rows, width)) @ (np.eye(width) + 0.3 * rng.normal(size=(width, width)))
    rows += 5 * rng.integers(3, size=(n_rows, 1))
    rows[1] = rows[0]
    gaps = rng.random(rows.shape) < share
    gaps[gaps.all(axis=1), 0] = False
    return np.where(gaps, np.nan, rows)


def made(engine: str, option: str) -> Engine:
    return ENGINES[engine](**{"delta": 0.5, "beta": 0.02, "prior_count": 1.0} | OPTIONS[option])


def one_by_one(model: Engine, rows: Floats, wanted: list[int], weights: Floats) -> Floats:
    """The answers of `recall` before each row is learned by itself."""
    answers = np.full((len(rows), len(wanted)), np.nan)
    for row, weight, answer in zip(rows, weights, answers, strict=True):
        if model.n_components:
            question = row.copy()
            question[wanted] = np.nan
            answer[:] = model.recall(question[None])[0, wanted]
        model.learn_one(row, weight)
    return answers


def assert_same(model: Engine, twin: Engine) -> None:
    assert_array_equal(model.ids, twin.ids)
    assert_array_equal(model.ages, twin.ages)
    assert_array_equal(model._statistics.count, twin._statistics.count)
    for name in ("means", "accumulators", "log_determinants", "covariances"):
        assert_allclose(getattr(model, name), getattr(twin, name), rtol=1e-10, atol=1e-10, err_msg=name)
    assert_allclose(model._statistics.std, twin._statistics.std, rtol=1e-10)


@every_engine
@every_option
@pytest.mark.parametrize("share", [0.0, 0.2], ids=["complete", "with gaps"])
@pytest.mark.parametrize("wanted", [[3, 4], [2, 0], [4, 1, 2, 3]], ids=str)
def test_predictions_are_those_of_recall_before_each_row(
    engine: str, option: str, share: float, wanted: list[int]
) -> None:
    rows, weights = rows_of(share=share), np.random.default_rng(1).uniform(0.5, 2, 120)
    model, twin = made(engine, option), made(engine, option)
    found, expected = model.learn_prequential(rows, wanted, weights), one_by_one(twin, rows, wanted, weights)
    assert np.isfinite(expected[-1]).all()
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert_same(model, twin)
    assert model.n_components > 1


@pytest.mark.parametrize("rule", ["exact", "published"])
def test_many_columns_are_predicted_as_well(rule: str) -> None:
    rows, wanted = rows_of(20, 0.02, WIDE), [WIDE - 1, 3]
    model, twin = (FastIGMN(1, 1e-9, covariance=rule, prior_count=1.0, scale=np.ones(WIDE)) for _ in range(2))
    expected = one_by_one(twin, rows, wanted, np.ones(20))
    assert_allclose(model.learn_prequential(rows, wanted), expected, rtol=1e-9, atol=1e-9)
    assert_same(model, twin)


@every_engine
def test_the_model_is_that_of_learn(engine: str) -> None:
    rows = rows_of()
    model, twin = made(engine, "births and removals"), made(engine, "births and removals").learn(rows)
    model.learn_prequential(rows, [4])
    assert_same(model, twin)


def test_long_tables_take_several_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(share=0.2)
    expected = made("triangles", "running widths").learn_prequential(rows, [4, 0])
    monkeypatch.setattr(learning, "ROWS_PER_CALL", 7)
    assert_array_equal(made("triangles", "running widths").learn_prequential(rows, [4, 0]), expected)


def test_a_target_far_off_does_not_reach_its_own_prediction() -> None:
    rows = rows_of()
    strange = rows.copy()
    strange[60, 4] = 1e12
    plain, other = (made("triangles", "given widths").learn_prequential(data, [4]) for data in (rows, strange))
    assert_allclose(other[:61], plain[:61], rtol=1e-12)


@every_engine
def test_without_a_component_there_is_no_prediction(engine: str) -> None:
    options = {"delta": 1.0, "beta": 0.1, "v_min": 1, "sp_min": 50, "prior_count": 1.0, "scale": [1.0, 1.0]}
    model = ENGINES[engine](**options)
    found = model.learn_prequential([[2, 2], [2, 3], [2, 4], [2, np.nan]], [1])
    # The second row makes the first component old enough to be removed.
    assert np.isnan(found).ravel().tolist() == [True, False, True, False]
    assert found[1, 0] == pytest.approx(2)


def test_columns_are_named_or_counted_from_the_end() -> None:
    rows = rows_of()
    first = FastIGMN(scale=np.ones(WIDTH), columns=COLUMNS).learn_prequential(rows, ["e", "b"])
    second = FastIGMN(scale=np.ones(WIDTH)).learn_prequential(rows, (-1, np.int64(1)))
    assert_array_equal(first, second)
    assert_array_equal(FastIGMN(scale=np.ones(WIDTH)).learn_prequential(rows, 4), first[:, :1] * 0 + alone(rows))


def alone(rows: Floats) -> Floats:
    return FastIGMN(scale=np.ones(WIDTH)).learn_prequential(rows, [4])


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        (["x"], r"there is no column 'x'; give positions from -5 to 4, or names of a, b, c, d, e"),
        ([5], r"there is no column 5"),
        ([1.5], r"there is no column 1\.5"),
        ([True], r"there is no column True"),
        ([], r"at least one and not all of them"),
        (list(COLUMNS), r"at least one and not all of them"),
        ([0, "a"], r"give each column once"),
    ],
)
def test_wrong_columns_are_refused(wanted: list[Any], complaint: str) -> None:
    model = FastIGMN(columns=COLUMNS)
    with pytest.raises(ValueError, match=complaint):
        model.learn_prequential(rows_of(), wanted)
    assert model.n_seen == 0
    unnamed = FastIGMN()
    with pytest.raises(ValueError, match=r"there is no column 9; give positions from -5 to 4$"):
        unnamed.learn_prequential(rows_of(), [9])
    assert unnamed.n_features == 0


# Rows with gaps


@every_option
@pytest.mark.parametrize("share", [0.05, 0.5])
def test_gaps_are_filled_in_the_loop_as_outside_of_it(
    option: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, weights = rows_of(300, share), np.random.default_rng(1).uniform(0.5, 2, 300)
    model, twin = made("triangles", option), made("triangles", option)
    record = model.learn_recorded(rows, weights)
    in_python(monkeypatch)
    expected = twin.learn_recorded(rows, weights)
    assert_same(model, twin)
    for name in ("nearest", "owners", "born", "n_components", "removed_samples", "removed_ids"):
        assert_array_equal(getattr(record, name), getattr(expected, name), err_msg=name)
    assert_allclose(record.log_likelihoods, expected.log_likelihoods, rtol=1e-10)
    assert model.n_components > 1


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("make", DATA)
def test_collinear_columns_are_filled_as_well(
    make: Callable[..., Floats], delta: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = make(np.random.default_rng(3), 60, 6)
    widths = np.where(np.ptp(rows, axis=0) == 0, 1.0, rows.std(axis=0))
    gaps = np.where(np.random.default_rng(4).random(rows.shape) < 0.2, np.nan, rows)
    gaps[:10] = rows[:10]
    gaps[:, 0] = rows[:, 0]
    model, twin = (FastIGMN(delta, 0, prior_count=1.0, scale=widths) for _ in range(2))
    model.learn(gaps)
    in_python(monkeypatch)
    twin.learn(gaps)
    roots = np.sqrt(twin.variances[0])
    assert_allclose((model.means - twin.means) / roots, 0, atol=1e-9)
    assert_allclose((model.covariances - twin.covariances) / np.outer(roots, roots), 0, atol=1e-9)


def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill gaps by patterns, row by row."""
    monkeypatch.setattr(FastIGMN, "_fills_in_loop", False)


@every_option
def test_how_rows_are_split_into_calls_changes_no_bit(option: str) -> None:
    rows = rows_of(share=0.1)
    rows[:20] = rows_of()[:20]  # no gap among the first
    model, parts, copied = (made("triangles", option) for _ in range(3))
    model.learn(rows)
    for row in rows:
        parts.learn_one(row)
    for begin, end in ((0, 10), (10, 50), (50, 51), (51, 120)):
        copied = FastIGMN.from_snapshot(copied.learn(rows[begin:end]).snapshot())
    for twin in (parts, copied):
        for name, array in model._components.copies().items():
            assert_array_equal(array, getattr(twin._components, name), err_msg=name)
        assert_array_equal(model._statistics.std, twin._statistics.std)
