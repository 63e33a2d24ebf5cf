"""What learn_recorded says of its rows, against the traces of learn_one; and that it learns what learn learns."""

from __future__ import annotations

import warnings
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from figmn import ConstantColumnWarning, Record, Trace
from figmn.engine import Engine
from figmn.system.arrays import Floats
from tests.figmn.datasets import rows_of, widths_of
from tests.figmn.paper import IGMN, FastIGMN
from tests.figmn.test_bad_input import BAD_ROWS
from tests.figmn.test_engine import assert_same, blobs, both_engines
from tests.figmn.test_many_dimensions import clusters

RULES = ["exact", "published"]
FEW, MANY = 3, FastIGMN.compiled_up_to + 10
SETTINGS = {
    "one component": (0.5, 0, 5, 0),
    "births and removals": (0.3, 0.01, 20, 2.1),
    "churn": (0.3, 0.9, 4, 1.5),
    "everything goes": (1.0, 0.01, 3, 1e6),
    "all are born": (0.5, 1, 5, 0),
}


def told(model: Engine, rows: Floats) -> tuple[list[Trace], list[int]]:
    """Traces row by row, and the counter of lost definiteness after each of them."""
    traces, indefinite = [], []
    for row in rows:
        traces.append(model.learn_one(row))
        indefinite.append(model.n_indefinite)
    return traces, indefinite


def assert_told(record: Record, traces: list[Trace], indefinite: list[int], rtol: float = 1e-9) -> None:
    assert_decisions_told(record, traces, indefinite)
    distances = [trace.distances.min() if trace.n_before else np.nan for trace in traces]
    assert_allclose(record.distances, distances, rtol=rtol, atol=rtol)
    posteriors = [1.0 if trace.created else trace.posteriors.max() for trace in traces]
    assert_allclose(record.posteriors, posteriors, rtol=rtol, atol=rtol)
    assert_allclose(record.log_likelihoods, [trace.log_likelihood for trace in traces], rtol=rtol, atol=rtol)


def assert_decisions_told(record: Record, traces: list[Trace], indefinite: list[int]) -> None:
    nearest = [int(trace.ids[trace.distances.argmin()]) if trace.n_before else -1 for trace in traces]
    removals = [(trace.sample, number) for trace in traces for number in trace.removed]
    assert record.first == traces[0].sample
    assert record.nearest.tolist() == nearest
    owners = [trace.born if trace.created else int(trace.ids[trace.posteriors.argmax()]) for trace in traces]
    assert record.owners.tolist() == owners
    assert record.born.tolist() == [-1 if trace.born is None else trace.born for trace in traces]
    assert record.n_components.tolist() == [trace.n_after for trace in traces]
    assert record.n_indefinite.tolist() == indefinite
    assert list(zip(record.removed_samples.tolist(), record.removed_ids.tolist(), strict=True)) == removals
    assert record.threshold == traces[0].threshold


@both_engines
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_features", [FEW, MANY])
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", ["given widths", "running widths", "gaps"])
def test_it_is_what_the_traces_say(engine: type[Engine], rule: str, n_features: int, setting: str, kind: str) -> None:
    rows = blobs(n_features)[: 180 if n_features == FEW else 60]
    scale = None if kind == "running widths" else rows.std(axis=0)
    if kind == "gaps":
        rows[3::7, 1] = rows[10::31, 0] = np.nan
    recorded, single = (engine(*SETTINGS[setting], rule, scale) for _ in range(2))
    for part in np.split(rows, [1, 40]):
        assert_told(recorded.learn_recorded(part), *told(single, part))
    assert_same(recorded, single, rtol=1e-9)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("solver", [None, "cholesky", "inverse"])
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_real_data(rule: str, solver: str | None, name: str) -> None:
    options: dict[str, Any] = {} if solver is None else {"solver": solver}
    engine = FastIGMN if solver is None else IGMN
    recorded, single = (engine(0.5, 0.1, 20, 1.9, rule, widths_of(name), **options) for _ in range(2))
    record = recorded.learn_recorded(rows_of(name))
    assert_told(record, *told(single, rows_of(name)))
    assert len(record.removed_ids) > 0
    assert (record.n_indefinite[-1] > 0) == (rule == "published")


@pytest.mark.parametrize("rule", RULES)
def test_long_blocks(rule: str) -> None:
    rows = clusters(400)
    recorded, single = (FastIGMN(1.0, 1e-4, 60, 12.5, rule, np.full(rows.shape[1], 4.0)) for _ in range(2))
    record = recorded.learn_recorded(rows)
    assert_told(record, *told(single, rows))
    assert len(record.removed_ids) > 0


@both_engines
@pytest.mark.parametrize("n_features", [FEW, MANY])
def test_collinear_rows_that_compiled_loops_hand_over(engine: type[Engine], n_features: int) -> None:
    rows = np.linspace(-1, 1, 40)[:, None] * np.ones(n_features)
    recorded, single = (engine(1e-6, 0, scale=np.ones(n_features)) for _ in range(2))
    record = recorded.learn_recorded(rows)
    # The distances have few digits: the component is singular to double precision.
    assert_decisions_told(record, *told(single, rows))
    assert np.isfinite(record.log_likelihoods[1:]).all()
    assert (recorded.n_regularized > 0) == (engine is IGMN)


def test_a_far_outlier_that_blocks_hand_over() -> None:
    rows = blobs(MANY)[:60]
    rows[50] *= 1e5
    recorded, single = (FastIGMN(1.0, 0, scale=np.ones(MANY)) for _ in range(2))
    assert_told(recorded.learn_recorded(rows), *told(single, rows), rtol=1e-6)


@both_engines
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_features", [FEW, MANY])
def test_it_learns_what_learn_learns_bit_for_bit(engine: type[Engine], rule: str, n_features: int) -> None:
    rows = blobs(n_features)[: 180 if n_features == FEW else 60]
    rows[5::40, 0] = np.nan
    recorded, plain = (engine(0.3, 0.01, 20, 2.1, rule) for _ in range(2))
    recorded.learn_recorded(rows)
    plain.learn(rows)
    assert_same(recorded, plain)
    for name in ("matrices", "variances", "log_dets", "negatives"):
        assert_array_equal(getattr(recorded.snapshot(), name), getattr(plain.snapshot(), name), err_msg=name)


@both_engines
def test_rows_come_in_several_calls(engine: type[Engine], monkeypatch: Any) -> None:
    recorded, single = (engine(0.3, 0.5, 20, 2.1) for _ in range(2))
    monkeypatch.setattr("figmn.learning.ROWS_PER_CALL", 25)
    assert_told(recorded.learn_recorded(blobs()), *told(single, blobs()))


@both_engines
def test_the_owner_need_not_be_the_nearest(engine: type[Engine]) -> None:
    """The component at 0 is nearer to 3.9 by d², but the one at 8 has forty times its evidence."""
    model = engine(1.0, 1e-9, scale=[1.0]).learn([[0.0], [8.0], *[[8.0 + w] for w in (-1, 1) * 20]])
    posteriors = model.responsibilities([[3.9]])[0]
    record = model.learn_recorded([[3.9]])
    assert (record.nearest.tolist(), record.owners.tolist()) == ([0], [1])
    assert_allclose(record.posteriors, posteriors[1])
    assert posteriors[1] > 0.9


@both_engines
def test_the_density_is_that_before_the_row(engine: type[Engine]) -> None:
    rows = blobs()
    model = engine(0.3, 0.01, scale=rows.std(axis=0)).learn(rows)
    expected = model.score_samples(rows[:1])
    assert_allclose(model.learn_recorded(rows[:1]).log_likelihoods, expected)


@both_engines
def test_it_is_read_only_and_timed(engine: type[Engine]) -> None:
    record = engine(0.3, 0.9, 4, 1.5).learn_recorded(blobs())
    assert record.nanoseconds > 0
    arrays = {field.name: getattr(record, field.name) for field in fields(record)}
    arrays = {name: value for name, value in arrays.items() if isinstance(value, np.ndarray)}
    assert len(arrays) == 11
    for name, array in arrays.items():
        assert not array.flags.writeable, name
        assert array.flags.c_contiguous, name


@both_engines
@pytest.mark.parametrize(("rows", "message"), BAD_ROWS, ids=[message[:30] for _, message in BAD_ROWS])
def test_bad_rows_are_refused_as_a_whole(engine: type[Engine], rows: Any, message: str) -> None:
    model, twin = (engine(0.5, 0.01, columns=["length", "width"]).learn([[0, 0], [1, 2], [9, 9]]) for _ in range(2))
    with pytest.raises(ValueError, match=message):
        model.learn_recorded(rows)
    assert_same(model, twin)


@both_engines
def test_constant_columns_are_warned_of_where_it_was_called(engine: type[Engine]) -> None:
    rows = np.arange(12.0)[:, None] * [1, 0] + 7
    with pytest.warns(ConstantColumnWarning) as caught:
        model = engine()
        for part in (rows[:9], rows[9:], rows):
            model.learn_recorded(part)
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine().learn_recorded(rows[:9])
