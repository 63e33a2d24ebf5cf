"""Every precision is positive definite after every update, whatever the stream."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from figmn import ConstantColumnWarning
from figmn.engine import Engine
from figmn.scale import column_std
from figmn.system.arrays import Floats
from tests.figmn.paper import IGMN, FastIGMN

SOME_DELTA = st.sampled_from([0.01, 0.1, 1.0, 3.0])
SOME_BETA = st.sampled_from([0.0, 1e-6, 0.001, 0.1, 1.0])


@st.composite
def streams(draw: st.DrawFn) -> Floats:
    """Rows with ties (a few whole numbers), collinear columns and rows, and columns of very different scale."""
    n_features = draw(st.integers(1, 12))
    rows = draw(arrays(np.float64, (draw(st.integers(1, 40)), n_features), elements=st.integers(-4, 4)))
    shape = draw(st.sampled_from(["free", "tied rows", "on a line", "equal columns"]))
    if shape == "tied rows":
        rows = np.repeat(rows, 3, axis=0)
    elif shape == "on a line":
        rows = rows[:, :1] * rows[0]
    elif shape == "equal columns":
        rows = np.repeat(rows[:, :1], n_features, axis=1)
    exponents = draw(arrays(np.float64, n_features, elements=st.integers(-8, 8)))
    scaled: Floats = (rows + draw(st.sampled_from([0.0, 1.0]))) * 10**exponents
    return scaled


@st.composite
def wild_streams(draw: st.DrawFn) -> Floats:
    """Rows whose values jump over sixteen orders of magnitude within one column."""
    shape = (draw(st.integers(2, 30)), draw(st.integers(1, 12)))
    exponents = draw(arrays(np.float64, shape, elements=st.integers(-8, 8)))
    rows: Floats = draw(arrays(np.float64, shape, elements=st.integers(-2, 2))) * 10**exponents
    return rows


def a_late_jump() -> Floats:
    """Eight columns that do not vary for long, and then two of them by a million of their widths."""
    rows = np.full((15, 9), 2e5)
    rows[:, 0], rows[0, 0], rows[-1, 1:3] = 2, 0, (1e5, 0)
    return rows


@pytest.mark.parametrize("engine", [FastIGMN, IGMN])
@settings(max_examples=150, deadline=None)
@example(rows=a_late_jump(), delta=0.01, beta=0.0, running=True)
@given(rows=streams(), delta=SOME_DELTA, beta=SOME_BETA, running=st.booleans())
def test_precisions_stay_positive_definite(
    engine: type[Engine], rows: Floats, delta: float, beta: float, running: bool
) -> None:
    learn_and_check(engine(delta, beta, 10, 2, scale=None if running else column_std(rows)), rows)


@settings(max_examples=300, deadline=None)
@given(rows=wild_streams(), delta=SOME_DELTA, beta=SOME_BETA)
def test_even_where_the_running_width_was_far_too_small(rows: Floats, delta: float, beta: float) -> None:
    learn_and_check(FastIGMN(delta, beta, 10, 2), rows)


@settings(max_examples=100, deadline=None)
@given(rows=streams(), delta=SOME_DELTA, beta=SOME_BETA)
def test_published_rule_gives_no_nan(rows: Floats, delta: float, beta: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantColumnWarning)
        model = FastIGMN(delta, beta, 10, 2, "published").learn(rows)
    assert np.isfinite(model.precisions).all()
    assert np.isfinite(model.log_determinants).all()
    assert np.isfinite(model.means).all()


@pytest.mark.parametrize("engine", [FastIGMN, IGMN])
def test_published_rule_survives_an_exactly_singular_covariance(engine: type[Engine]) -> None:
    model = engine(delta=1, beta=0, covariance="published", scale=[1.0]).learn([[0.0], [2.0]])
    assert model.n_indefinite == 0
    assert np.isfinite(model.learn([[1.0]]).precisions).all()


def test_collinear_columns_keep_their_digits() -> None:
    line = np.linspace(-1, 1, 500)[:, None] * np.ones(3)
    model = FastIGMN(delta=1e-6, beta=0, scale=column_std(line)).learn(line)
    assert_positive_definite(model)
    np.testing.assert_allclose(model.covariances[0], np.cov(line.T, bias=True), rtol=1e-11)


def learn_and_check(model: Engine, rows: Floats) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantColumnWarning)
        for row in rows:
            model.learn_one(row)
            assert_positive_definite(model)
    assert model.n_indefinite == 0


def assert_positive_definite(model: Engine) -> None:
    precisions = model.precisions
    np.testing.assert_array_equal(precisions, precisions.swapaxes(1, 2))
    assert np.isfinite(model.log_determinants).all()
    if isinstance(model, FastIGMN):
        # The factors are what is kept. Written out in doubles, Λ itself may be singular to rounding.
        for form in model._forms():
            root = form.root()
            assert np.isfinite(root).all()
            assert (root.diagonal() > 0).all()
    else:
        widths = np.sqrt(precisions.diagonal(axis1=1, axis2=2))
        np.linalg.cholesky(precisions / (widths[:, :, None] * widths[:, None]))  # raises where one is not
