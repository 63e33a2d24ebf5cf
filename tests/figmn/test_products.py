"""Products by SciPy's BLAS, whatever the order in memory."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from figmn.forms.bands import Bands
from figmn.system.arrays import Floats
from figmn.system.lapack import matmul
from figmn.system.tuning import BAND, BY_VECTOR_FROM

WIDE = BY_VECTOR_FROM // 4
SHAPES = [(3, 5, 2), (1, 5, 2), (3, 5, 1), (1, WIDE, 6), (6, WIDE, 1), (1, 6, WIDE), (WIDE, 6, 1), (1, 4 * WIDE, 1),
          (1, 1, 4 * WIDE), (4 * WIDE, 1, 1), (5, WIDE, 3), (1, 4 * WIDE, 0), (0, 4 * WIDE, 1)]  # fmt: skip


def ordered(array: Floats, order: str) -> Floats:
    """The same numbers, row by row, column by column, or neither."""
    if order == "neither":
        return np.repeat(np.repeat(array, 2, axis=0), 2, axis=1)[::2, ::2]
    return np.asfortranarray(array) if order == "columns" else np.ascontiguousarray(array)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_products_are_right_in_every_order(shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(0)
    left, right = rng.normal(size=shape[:2]), rng.normal(size=shape[1:])
    for first, second in product(("rows", "columns", "neither"), repeat=2):
        assert_allclose(matmul(ordered(left, first), ordered(right, second)), left @ right, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("n_rows", [1, BAND, 2 * BAND + 3])
@pytest.mark.parametrize("n_columns", [1, 2])
def test_a_system_is_solved_for_one_column_and_for_several(n_rows: int, n_columns: int) -> None:
    rng = np.random.default_rng(0)
    factor = np.tril(rng.normal(size=(n_rows, n_rows))) + n_rows * np.eye(n_rows)
    right = rng.normal(size=(n_rows, n_columns))
    before = right.copy()
    assert_allclose(factor @ Bands(factor).forward(right), right, rtol=1e-10, atol=1e-10)
    np.testing.assert_array_equal(right, before)
