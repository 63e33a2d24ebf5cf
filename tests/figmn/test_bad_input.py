"""Bad input: the message names the value, the place and the remedy, and the model is exactly as before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from figmn import IGMN, FastIGMN
from figmn.engine import Engine
from tests.figmn.test_engine import assert_same, both_engines

BAD_ROWS: list[tuple[Any, str]] = [
    ([[1, 2, 3]], r"got 3 columns where 2 are expected \(length, width\)"),
    ([[1, 2], [3, np.inf]], r"row 1, column 1 \('width'\): inf cannot be used; replace it"),
    ([[1, 2], [-np.inf, 3]], r"row 1, column 0 \('length'\): -inf"),
    ([[1, 1e90]], r"1e\+90 cannot be used; the largest magnitude taken is 1e\+70; rescale"),
    ([["1", "two"]], r"row 0, column 1 \('width'\): .*'two'.* is not a number"),
    ([["1", "2"]], r"row 0, column 0 \('length'\): .*'1'.* is not a number"),
    (pd.DataFrame({"length": [1], "width": ["wide"]}), "'wide' is not a number"),
    ([[1, object()]], "is not a number"),
    ([[1, 2], [3]], "different lengths"),
    ([[1, 2 + 3j]], "Complex data not supported"),
    ([], "no data|2-D"),
    (np.empty((0, 2)), "no data: got 0 rows x 2 columns"),
    (np.empty((2, 0)), "no data: got 2 rows x 0 columns"),
    ([1, 2], r"2-D.*shape \(2,\).*reshape"),
    (3.0, "2-D"),
    (np.zeros((1, 2, 2)), "2-D"),
    (csr_array([[1.0, 2.0]]), r"sparse.*toarray"),
    ([[1, 2], [np.nan, np.nan]], "row 1 has no value in any column"),
    (np.array([["2020-01-01", "2020-01-02"]], "datetime64[D]"), "number"),
    (None, "number|2-D"),
]


def trained(engine: type[Engine]) -> Engine:
    return engine(0.5, 0.01, columns=["length", "width"]).learn([[0, 0], [1, 2], [9, 9], [1, 1]])


@both_engines
@pytest.mark.parametrize(("rows", "message"), BAD_ROWS, ids=[message[:30] for _, message in BAD_ROWS])
def test_learning_nothing_from_bad_rows(engine: type[Engine], rows: Any, message: str) -> None:
    model, twin = trained(engine), trained(engine)
    with pytest.raises(ValueError, match=message):
        model.learn(rows)
    assert_same(model, twin)
    assert_same(model.learn([[2, 3]]), twin.learn([[2, 3]]))


BAD_WEIGHTS: list[tuple[Any, str]] = [
    ([1, 0], "row 1 has the weight 0: give a number above 0, and leave out rows that must not count"),
    ([-2, 1], "row 0 has the weight -2: give a number above 0"),
    ([1, np.nan], "row 1 has the weight nan: give a number above 0"),
    ([1, np.inf], r"row 1 has the weight inf: the largest is 1e\+09; divide all weights by the same number"),
    ([1, 1.1e9], r"row 1 has the weight 1.1e\+09: the largest is 1e\+09"),
    ([1], r"weights have shape \(1,\): give one number for each of the 2 rows"),
    (2.0, r"weights have shape \(\): give one number for each of the 2 rows"),
    ([[1, 2]], r"weights have shape \(1, 2\)"),
    (["heavy", 1], "are not numbers: give one number above 0 for each row"),
    ([1, None], "row 1 has the weight nan|are not numbers"),
]


@both_engines
@pytest.mark.parametrize(("weights", "message"), BAD_WEIGHTS, ids=[message[:30] for _, message in BAD_WEIGHTS])
def test_learning_nothing_with_bad_weights(engine: type[Engine], weights: Any, message: str) -> None:
    model, twin, rows = trained(engine), trained(engine), [[2, 3], [4, 5]]
    for learn in (model.learn, model.learn_recorded):
        with pytest.raises(ValueError, match=message):
            learn(rows, weights)
    assert_same(model, twin)
    assert_same(model.learn(rows), twin.learn(rows))
    fresh = engine()
    with pytest.raises(ValueError, match=message):
        fresh.learn(rows, weights)
    assert fresh.n_features == 0


@pytest.mark.parametrize("weight", [0, -1, np.nan, np.inf, 1e10, "heavy", None])
def test_one_sample_with_a_bad_weight(weight: Any) -> None:
    model, twin = trained(FastIGMN), trained(FastIGMN)
    with pytest.raises(ValueError, match=r"weight"):
        model.learn_one([1, 2], weight)
    assert_same(model, twin)
    fresh = FastIGMN()
    with pytest.raises(ValueError, match=r"weight"):
        fresh.learn_one([1, 2], weight)
    assert fresh.n_features == 0


@both_engines
def test_good_rows_before_a_bad_one_are_not_learned_either(engine: type[Engine]) -> None:
    model = engine()
    with pytest.raises(ValueError, match="row 2"):
        model.learn([[1, 2], [3, 4], [5, np.inf]])
    assert (model.n_seen, model.n_components, model.n_features) == (0, 0, 0)
    assert model.learn([[1, 2, 3]]).n_features == 3


@both_engines
def test_learn_one_takes_one(engine: type[Engine]) -> None:
    model, twin = trained(engine), trained(engine)
    with pytest.raises(ValueError, match=r"one sample \(1-D\).*shape \(1, 2\).*use learn"):
        model.learn_one([[1, 2]])
    with pytest.raises(ValueError, match="got 3 columns"):
        model.learn_one([1, 2, 3])
    assert_same(model, twin)


@both_engines
@pytest.mark.parametrize("question", ["recall", "score_samples", "responsibilities"])
def test_questions_are_checked_too(engine: type[Engine], question: str) -> None:
    with pytest.raises(ValueError, match="got 3 columns where 2"):
        getattr(trained(engine), question)([[1, 2, 3]])
    with pytest.raises(ValueError, match="inf cannot be used"):
        getattr(trained(engine), question)([[1, np.inf]])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"delta": -1}, r"delta = -1 is outside the range from 0\.000001 to 1,000,000: choose"),
        ({"delta": 0}, "delta = 0 is outside"),
        ({"delta": np.nan}, "delta = nan is outside"),
        ({"delta": "wide"}, "delta = 'wide' is not a number"),
        ({"delta": True}, "delta = True is not a number"),
        ({"beta": -0.1}, "beta = -0.1 is outside the range from 0 to 1"),
        ({"beta": 1.01}, "beta = 1.01 is outside the range from 0 to 1"),
        ({"v_min": -1}, "v_min = -1 is outside the range from 0 upwards"),
        ({"sp_min": -1}, "sp_min = -1 is outside the range from 0 upwards"),
        ({"covariance": "full"}, "covariance = 'full' is not known: choose 'exact' or 'published'"),
        ({"scale": [1, -2]}, "scale, column 1: -2 is not a standard deviation"),
        ({"scale": [1, np.nan]}, "scale, column 1: nan is not a standard deviation"),
        ({"scale": [1, np.inf]}, "scale, column 1: inf cannot be used"),
        ({"scale": [[1, 2]]}, "scale: expected one sample"),
        ({"scale": "x"}, "scale: "),
        ({"scale": [1, 2, 3], "columns": ["a", "b"]}, "scale: got 3 columns where 2"),
    ],
)
@both_engines
def test_parameters_are_checked(engine: type[Engine], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        engine(**settings)


def test_the_solver_is_checked() -> None:
    with pytest.raises(ValueError, match="solver = 'lu' is not known: choose 'cholesky' or 'inverse'"):
        IGMN(solver="lu")


def test_numpy_scalars_are_numbers() -> None:
    settings: dict[str, Any] = {"delta": np.float32(0.5), "v_min": np.int64(3)}
    assert FastIGMN(**settings).parameters.v_min == 3.0


def test_asking_for_no_samples() -> None:
    with pytest.raises(ValueError, match="n_samples = 0"):
        trained(FastIGMN).sample(0)


def test_data_frames_are_rows() -> None:
    frame = pd.DataFrame({"length": [1.0, 2.0], "width": [3.0, None]})
    assert_same(FastIGMN(scale=[1, 1]).learn(frame), FastIGMN(scale=[1, 1]).learn([[1, 3], [2, np.nan]]))


def test_the_callers_array_is_left_alone() -> None:
    rows = np.array([[1.0, 2.0], [3.0, np.nan]])
    rows.flags.writeable = False
    model = FastIGMN(scale=[1, 1]).learn(rows)
    trace = model.learn_one(rows[0])
    assert not np.shares_memory(trace.row, rows)
