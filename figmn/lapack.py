"""Factorisations that let go of the interpreter lock: at D = 3072 they take a third of a second, or several.

SciPy's own wrappers and NumPy's `slogdet` hold the lock all the while, and whoever else has a thread, such as a window,
stands still. These are the same routines of SciPy's LAPACK, called at their addresses.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from scipy.linalg import cython_lapack

from figmn.state import Floats, Ints

_INTEGER, _POINTER = ctypes.POINTER(ctypes.c_int), ctypes.c_void_p


def cholesky(matrix: Floats) -> bool:
    """Replace a column-major symmetric matrix by its lower Cholesky factor; what lies above the diagonal is left.

    Returns whether there is one.

    >>> matrix = np.array([[4.0, 2.0], [2.0, 5.0]], order="F")
    >>> cholesky(matrix), np.tril(matrix)
    (True, array([[2., 0.],
           [1., 2.]]))
    """
    n, info = _square(matrix)
    _dpotrf(b"L", n, matrix.ctypes.data, n, info)
    return bool(info.value == 0)


def lu(matrix: Floats) -> tuple[Ints, float]:
    """Replace a column-major matrix by its factors L and U, and return the pivots and log|det|.

    >>> pivots, log_determinant = lu(np.array([[0.0, 2.0], [3.0, 0.0]], order="F"))
    >>> pivots.tolist(), round(log_determinant, 6)
    ([2, 2], 1.791759)
    """
    n, info = _square(matrix)
    pivots = np.empty(len(matrix), np.intc)
    _dgetrf(n, n, matrix.ctypes.data, n, pivots.ctypes.data, info)
    with np.errstate(divide="ignore"):
        return pivots.astype(np.int64), float(np.log(np.abs(matrix.diagonal())).sum())


def _square(matrix: Floats) -> tuple[Any, Any]:
    assert matrix.flags.f_contiguous
    assert matrix.dtype == np.float64
    return ctypes.c_int(len(matrix)), ctypes.c_int()


def _routine(name: str, *arguments: Any) -> Any:
    """A function of SciPy's LAPACK; ctypes lets go of the lock while it runs."""
    capsule = cython_lapack.__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    address = pointer_of(capsule, name_of(capsule))
    return ctypes.CFUNCTYPE(None, *arguments)(address)


_dpotrf = _routine("dpotrf", ctypes.c_char_p, _INTEGER, _POINTER, _INTEGER, _INTEGER)
_dgetrf = _routine("dgetrf", _INTEGER, _INTEGER, _POINTER, _INTEGER, _POINTER, _INTEGER)
