"""LAPACK without the interpreter lock: right, and out of the way of other threads."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import eigh

import figmn
from figmn.system.lapack import largest_eigenpairs, log_determinant


@pytest.mark.parametrize("size", [1, 2, 3, 40, 300])
def test_largest_eigenpairs_are_scipys(size: int) -> None:
    rows = np.random.default_rng(size).normal(size=(2 * size, size))
    matrix, n_pairs = rows.T @ rows, min(2, size)
    values, vectors = largest_eigenpairs(np.asfortranarray(matrix), n_pairs)
    expected = eigh(matrix, eigvals_only=True)[-n_pairs:]
    np.testing.assert_allclose(values, expected, rtol=1e-12)
    np.testing.assert_allclose(matrix @ vectors, vectors * values, atol=1e-11 * values[-1])
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_pairs), atol=1e-12)


def test_log_determinants_are_numpys() -> None:
    matrix = np.random.default_rng(0).normal(size=(30, 30))
    before = matrix.copy()
    assert log_determinant(matrix) == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-13)
    np.testing.assert_array_equal(matrix, before)


def test_a_determinant_without_columns_is_1(capfd: pytest.CaptureFixture[str]) -> None:
    assert log_determinant(np.empty((0, 0))) == 0.0
    assert "illegal value" not in "".join(capfd.readouterr())


def test_no_determinant_is_taken_with_the_lock_held() -> None:
    """At 3,072 columns the window stood still for two seconds at every component."""
    sources = [path for path in Path(figmn.__file__).parent.rglob("*.py") if path.parent.name != "kernels"]  # compiled
    assert [path.name for path in sources if "linalg.slogdet(" in path.read_text(encoding="utf-8")] == []


def test_what_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="infs or NaNs"):
        largest_eigenpairs(np.full((3, 3), np.nan, order="F"), 2)


def test_other_threads_go_on_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "asarray_chkfinite", lambda matrix: matrix)  # it lets go of the lock by itself
    matrix = np.asfortranarray(np.diag(np.arange(1.0, 401.0)) + 1.0)
    turns, is_over, interval = [0], threading.Event(), sys.getswitchinterval()

    def count() -> None:
        while not is_over.is_set():
            turns[0] += 1
            time.sleep(0)

    def has_moved() -> bool:
        """Whether the counter moved within one call: nothing else here lets go of the lock."""
        copy = matrix.copy(order="F")
        before = turns[0]
        largest_eigenpairs(copy, 2)
        return turns[0] > before

    counter = threading.Thread(target=count)
    counter.start()
    sys.setswitchinterval(1000.0)
    try:
        assert any(has_moved() for _ in range(300))
    finally:
        sys.setswitchinterval(interval)
        is_over.set()
        counter.join()
