"""Mature components far from collinear are kept as inverses, and no longer than that keeps their digits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh

import figmn
from figmn import load, save
from figmn.forms.inverse import Inverse
from figmn.forms.scatter import Scatter
from figmn.system.arrays import Floats
from figmn.system.limits import MILD
from tests.figmn import double_double as dd
from tests.figmn.digits import mild
from tests.figmn.paper import FastIGMN

WIDE = FastIGMN.compiled_up_to + 14


def rows_of(n_rows: int) -> Floats:
    return mild(np.random.default_rng(0), n_rows, WIDE)


def learned(rows: Floats) -> FastIGMN:
    return FastIGMN(1.0, 0.0, scale=rows_of(100).std(axis=0)).learn(rows)


def kept(model: figmn.FastIGMN) -> Scatter | Inverse:
    form: Scatter | Inverse = model.snapshot().forms[0]
    return form


def assert_is_the_truth(model: FastIGMN, rows: Floats) -> None:
    """Covariance and log determinant of all rows, to 32 digits."""
    assert model.scale is not None
    mean, covariance = dd.covariance(rows, model.scale)
    roots = np.sqrt(covariance.high.diagonal())
    whole = np.outer(roots, roots)
    assert_allclose(model.covariances[0] / whole, covariance.high / whole, rtol=0, atol=1e-10)
    errors = dd.add(dd.exact(rows[:3].T), dd.negative(dd.picked(mean, (slice(None), None))))
    white, log_determinant = dd.whitened(covariance, errors)
    expected = -0.5 * (WIDE * np.log(2 * np.pi) + log_determinant + (white.high**2).sum(axis=0))
    assert_allclose(model.score_samples(rows[:3]), expected, rtol=1e-9)


def test_a_mature_component_far_from_collinear_is_an_inverse() -> None:
    rows = rows_of(2 * WIDE)
    model = learned(rows[:20])
    assert isinstance(kept(model), Scatter)
    model.learn(rows[20:])
    assert isinstance(kept(model), Inverse)
    assert_is_the_truth(model, rows)


def test_an_outlier_ends_it_before_digits_are_lost() -> None:
    """Along a column the inflation would not show it: the growth of the scatter does."""
    rows = rows_of(2 * WIDE)
    rows[-20, 0] = 2.0**40
    model = learned(rows[:-64])
    assert isinstance(kept(model), Inverse)
    model.learn(rows[-64:])
    assert isinstance(kept(model), Scatter)
    assert_is_the_truth(model, rows)


def test_columns_that_turn_collinear_end_it() -> None:
    rows = rows_of(2 * WIDE)
    rows[400:, 1:8] = 256 * rows[400:, :1]
    model = learned(rows[:400])
    assert isinstance(kept(model), Inverse)
    model.learn(rows[400:])
    assert isinstance(kept(model), Scatter)
    assert_is_the_truth(model, rows)


def test_columns_that_turn_collinear_slowly_end_it() -> None:
    """Only the inflation shows it: the scatter grows by a small factor in every block, but more and more in all."""
    rows, growth = rows_of(2 * WIDE + 20 * 64), []
    for block in range(20):
        place = slice(2 * WIDE + 64 * block, 2 * WIDE + 64 * (block + 1))
        common = 2.0 ** (block + 1) * rows[place, :1]
        rows[place, :2] = common + rows[place, 1:3]
    model = learned(rows[: 2 * WIDE])
    assert isinstance(kept(model), Inverse)
    for block in range(20):
        before = model.covariances[0] * model.accumulators[0]
        model.learn(rows[2 * WIDE + 64 * block : 2 * WIDE + 64 * (block + 1)])
        after = model.covariances[0] * model.accumulators[0]
        growth.append(float(eigh(after, before, eigvals_only=True)[-1]))
        if isinstance(kept(model), Scatter):
            break
    assert isinstance(kept(model), Scatter)
    assert max(growth) < MILD / 10
    assert_is_the_truth(model, rows[: model.n_seen])


def test_it_answers_as_a_triangle_does() -> None:
    form = kept(learned(rows_of(2 * WIDE)))
    assert isinstance(form, Inverse)
    triangle, plane, wanted = form.settled(), np.eye(WIDE)[:, :3], np.array([1, 5])
    for ours, theirs in [
        (form.dense(), triangle.dense()),
        (form.covariance(), triangle.covariance()),
        (form.columns(wanted), triangle.columns(wanted)),
        (form.project(plane), triangle.project(plane)),
        (form.root(), triangle.root()),
        (np.array(form.log_determinant()), np.array(triangle.log_determinant())),
    ]:
        assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max())


def test_it_predicts_as_a_triangle_does() -> None:
    form, wanted, errors = kept(learned(rows_of(2 * WIDE))), np.array([1, 5]), rows_of(3)
    assert isinstance(form, Inverse)
    errors[:, wanted] = 0
    ours, theirs = form.given(wanted), form.settled().given(wanted)
    assert_allclose(ours.covariance, theirs.covariance, rtol=1e-10)
    assert ours.log_ratio == pytest.approx(theirs.log_ratio, rel=1e-10)
    for mine, other in zip(ours.answer(errors, True), theirs.answer(errors, True), strict=True):
        assert_allclose(mine, other, rtol=1e-9)


def test_other_units() -> None:
    form, ratio = kept(learned(rows_of(2 * WIDE))).copy(), np.linspace(0.5, 2, WIDE)
    before = form.covariance()
    form.rescale(ratio)
    assert_allclose(form.covariance(), before * np.outer(ratio, ratio), rtol=1e-9, atol=1e-12)


def test_a_file_goes_on_bit_by_bit(tmp_path: Path) -> None:
    rows = rows_of(3 * WIDE)
    model = learned(rows[: 2 * WIDE])
    save(model, tmp_path / "mild.figmn")
    again = load(tmp_path / "mild.figmn")
    assert isinstance(again, figmn.FastIGMN)
    assert isinstance(kept(again), Inverse)
    for each in (model, again):
        each.learn(rows[2 * WIDE :])
    assert_array_equal(model.covariances, again.covariances)
    assert_array_equal(model.log_determinants, again.log_determinants)


def test_a_file_with_an_indefinite_inverse_is_refused() -> None:
    with pytest.raises(ValueError, match="not positive definite"):
        Inverse.from_arrays(1.0, [-np.eye(3)])


def test_the_log_determinant_is_taken_afresh_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("figmn.forms.inverse.AFRESH_ROWS", 0.5)
    rows = rows_of(4 * WIDE)
    model = learned(rows[: 2 * WIDE])
    model._components.log_dets += 1.0  # as rounding errors would, in a very long stream
    model.learn(rows[2 * WIDE :])
    assert isinstance(kept(model), Inverse)
    assert model.log_determinants[0] == pytest.approx(np.linalg.slogdet(model.covariances[0])[1], rel=1e-9)


def test_a_snapshot_is_not_touched_by_further_learning() -> None:
    rows = rows_of(3 * WIDE)
    model = learned(rows[: 2 * WIDE])
    snapshot = model.snapshot()
    before = snapshot.forms[0].matrix.copy()
    model.learn(rows[2 * WIDE :])
    assert_array_equal(snapshot.forms[0].matrix, before)
