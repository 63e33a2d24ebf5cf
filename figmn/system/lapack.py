"""SciPy's BLAS and LAPACK: products without copies, factorisations without the interpreter lock.

SciPy's own wrappers and NumPy's `slogdet` hold the lock for the whole call. At D = 3072 a factorisation takes from a
third of a second to several seconds, during which all other threads, such as a window's, are blocked. Here the same
routines are called at their addresses by ctypes, which releases the lock.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from scipy.linalg import cython_lapack
from scipy.linalg.blas import dgemm, dgemv, dsyrk

from figmn.system.arrays import Floats, Ints
from figmn.system.tuning import BY_VECTOR_FROM

_INTEGER, _DOUBLE, _POINTER = ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_double), ctypes.c_void_p
WORK, INTEGER_WORK = 70, 10
"""Elements of the work arrays of `dsyevr` per column: enough for its blocks of 64, and the required integers."""


def matmul(left: Floats, right: Floats) -> Floats:
    """left @ right, by SciPy's BLAS.

    NumPy and SciPy each bring a BLAS with threads of its own. Alternating between them makes one wait for cores that
    the other still occupies: five times slower on two cores.

    >>> matmul(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    if 1 in (len(left), right.shape[1]) and left.size * right.size >= BY_VECTOR_FROM * left.shape[1] > 0:
        return _by_vector(left, right)
    # BLAS expects Fortran order, which the transpose of a C-ordered array has: no copy is needed.
    turn_left = not left.flags.c_contiguous and left.flags.f_contiguous
    turn_right = not right.flags.c_contiguous and right.flags.f_contiguous
    product: Floats = dgemm(
        1.0, right if turn_right else right.T, left if turn_left else left.T, trans_a=turn_right, trans_b=turn_left
    ).T
    return product


def _by_vector(left: Floats, right: Floats) -> Floats:
    """A product with a single row or column, by dgemv: dgemm would repack the whole matrix first."""
    is_column = right.shape[1] == 1
    matrix, vector = (left, right[:, 0]) if is_column else (right.T, left[0])
    turn = not matrix.flags.f_contiguous
    product: Floats = dgemv(1.0, matrix.T if turn else matrix, vector, trans=turn)
    return product[:, None] if is_column else product[None]


def gram(rows: Floats) -> Floats:
    """Rows times their transpose, (n, n), for a C-ordered or column-major array; half of the work of `matmul`.

    >>> gram(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 5., 11.],
           [11., 25.]])
    """
    first, turn = (rows.T, 1) if rows.flags.c_contiguous else (rows, 0)
    lower: Floats = dsyrk(1.0, first, trans=turn, lower=1)
    return mirrored(lower)


def cholesky(matrix: Floats) -> bool:
    """Replace a column-major symmetric matrix by its lower Cholesky factor, in place, not changing the upper triangle.

    Returns False if there is none.

    >>> matrix = np.array([[4.0, 2.0], [2.0, 5.0]], order="F")
    >>> cholesky(matrix), np.tril(matrix)
    (True, array([[2., 0.],
           [1., 2.]]))
    """
    n, info = _square(matrix)
    _dpotrf(b"L", n, matrix.ctypes.data, n, info)
    return bool(info.value == 0)


def invert_product(factor: Floats) -> None:
    """Replace a column-major lower triangle L by the lower triangle of (L Lᵀ)⁻¹, in place, not changing the rest.

    >>> factor = np.array([[2.0, 0.0], [1.0, 1.0]], order="F")
    >>> invert_product(factor)
    >>> mirrored(factor)
    array([[ 0.5, -0.5],
           [-0.5,  1. ]])
    """
    n, info = _square(factor)
    _dpotri(b"L", n, factor.ctypes.data, n, info)


def mirrored(lower: Floats) -> Floats:
    """The symmetric matrix with the given lower triangle."""
    return np.where(np.tri(len(lower), dtype=bool), lower, lower.T)


def lu(matrix: Floats) -> tuple[Ints, float]:
    """Replace a column-major matrix by its factors L and U, in place; returns the pivots and log|det|.

    >>> pivots, log_determinant = lu(np.array([[0.0, 2.0], [3.0, 0.0]], order="F"))
    >>> pivots.tolist(), round(log_determinant, 6)
    ([2, 2], 1.791759)
    """
    n, info = _square(matrix)
    pivots = np.empty(len(matrix), np.intc)
    _dgetrf(n, n, matrix.ctypes.data, n, pivots.ctypes.data, info)
    with np.errstate(divide="ignore"):
        return pivots.astype(np.int64), float(np.log(np.abs(matrix.diagonal())).sum())


def log_determinant(matrix: Floats) -> float:
    """log|det| of a square matrix, which is not changed; 0 if it has no columns.

    >>> round(log_determinant(np.array([[0.0, 2.0], [3.0, 0.0]])), 6), log_determinant(np.zeros((2, 2)))
    (1.791759, -inf)
    """
    return lu(np.array(matrix, order="F"))[1] if len(matrix) else 0.0


def triangle_upon_rows(triangle: Floats, rows: Floats, panel: int) -> None:
    """Replace a column-major upper triangle R by that of the QR factors of R stacked on `rows`; overwrites both.

    >>> triangle = np.array([[3.0, 1.0], [0.0, 1.0]], order="F")
    >>> triangle_upon_rows(triangle, np.array([[4.0, 2.0]], order="F"), panel=2)
    >>> np.triu(triangle.T @ triangle)
    array([[25., 11.],
           [ 0.,  6.]])
    """
    n, info = _square(triangle)
    assert rows.flags.f_contiguous
    n_rows, zero, width = ctypes.c_int(len(rows)), ctypes.c_int(0), ctypes.c_int(min(panel, len(triangle)))
    reflectors, work = np.empty((2, width.value * len(triangle)))
    _dtpqrt(
        n_rows, n, zero, width, triangle.ctypes.data, n, rows.ctypes.data, n_rows,
        reflectors.ctypes.data, width, work.ctypes.data, info,
    )  # fmt: skip


def largest_eigenpairs(matrix: Floats, n_pairs: int) -> tuple[Floats, Floats]:
    """The largest eigenvalues of a column-major symmetric matrix, ascending, and their unit vectors as columns.

    The matrix is overwritten. Raises `ValueError` if it is not finite.

    >>> matrix = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.5]], order="F")
    >>> values, vectors = largest_eigenpairs(matrix, n_pairs=2)
    >>> values.round(12).tolist(), np.abs(vectors[:, 1]).round(3).tolist()
    ([1.0, 3.0], [0.707, 0.707, 0.0])
    """
    n, info = _square(np.asarray_chkfinite(matrix))
    size, tolerance, n_found = len(matrix), ctypes.c_double(0.0), ctypes.c_int()
    first, last = ctypes.c_int(size - n_pairs + 1), ctypes.c_int(size)
    values, vectors, support = np.empty(size), np.empty((size, n_pairs), order="F"), np.empty(2 * n_pairs, np.intc)
    work, integers = np.empty(WORK * size), np.empty(INTEGER_WORK * size, np.intc)
    _dsyevr(
        b"V", b"I", b"L", n, matrix.ctypes.data, n, tolerance, tolerance, first, last, tolerance, n_found,
        values.ctypes.data, vectors.ctypes.data, n, support.ctypes.data,
        work.ctypes.data, ctypes.c_int(len(work)), integers.ctypes.data, ctypes.c_int(len(integers)), info,
    )  # fmt: skip
    if info.value:
        raise np.linalg.LinAlgError(f"dsyevr found no eigenvalues of a {size} x {size} matrix: {info.value}")
    return values[:n_pairs], vectors


def _square(matrix: Floats) -> tuple[Any, Any]:
    assert matrix.flags.f_contiguous
    assert matrix.dtype == np.float64
    return ctypes.c_int(len(matrix)), ctypes.c_int()


def _routine(name: str, *arguments: Any) -> Any:
    """A function of SciPy's LAPACK; ctypes releases the interpreter lock while it runs."""
    capsule = cython_lapack.__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer_of(capsule, name_of(capsule))
    return ctypes.CFUNCTYPE(None, *arguments)(address)


_dpotrf = _routine("dpotrf", ctypes.c_char_p, _INTEGER, _POINTER, _INTEGER, _INTEGER)
_dpotri = _routine("dpotri", ctypes.c_char_p, _INTEGER, _POINTER, _INTEGER, _INTEGER)
_dtpqrt = _routine(
    "dtpqrt", *(_INTEGER,) * 4, _POINTER, _INTEGER, _POINTER, _INTEGER, _POINTER, _INTEGER, _POINTER, _INTEGER
)
_dgetrf = _routine("dgetrf", _INTEGER, _INTEGER, _POINTER, _INTEGER, _POINTER, _INTEGER)
_dsyevr = _routine(
    "dsyevr", *(ctypes.c_char_p,) * 3, _INTEGER, _POINTER, _INTEGER, _DOUBLE, _DOUBLE, _INTEGER, _INTEGER, _DOUBLE,
    _INTEGER, _POINTER, _POINTER, _INTEGER, _POINTER, _POINTER, _INTEGER, _POINTER, _INTEGER, _INTEGER,
)  # fmt: skip
