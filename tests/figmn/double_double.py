"""Arithmetic of 32 digits on pairs of arrays (Dekker), and a Cholesky factorisation with it: truths for wide data."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figmn.system.arrays import Floats

SPLIT = 2.0**27 + 1


class Pair(NamedTuple):
    """The sum of both."""

    high: Floats
    low: Floats


def exact(values: Floats) -> Pair:
    return Pair(np.asarray(values, np.float64), np.zeros_like(values))


def add(a: Pair, b: Pair) -> Pair:
    high = a.high + b.high
    part = high - a.high
    error = (a.high - (high - part)) + (b.high - part)
    return _normal(high, error + a.low + b.low)


def negative(a: Pair) -> Pair:
    return Pair(-a.high, -a.low)


def times(a: Pair, b: Pair) -> Pair:
    high = a.high * b.high
    (a1, a2), (b1, b2) = _halves(a.high), _halves(b.high)
    error = ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2
    return _normal(high, error + a.high * b.low + a.low * b.high)


def over(a: Pair, b: Pair) -> Pair:
    first = a.high / b.high
    rest = add(a, negative(times(exact(first), b)))
    second = rest.high / b.high
    rest = add(rest, negative(times(exact(second), b)))
    return add(_normal(first, second), exact(rest.high / b.high))


def root(a: Pair) -> Pair:
    first = np.sqrt(a.high)
    rest = add(a, negative(times(exact(first), exact(first))))
    return _normal(first, rest.high / (2 * first))


def picked(a: Pair, place: object) -> Pair:
    return Pair(a.high[place], a.low[place])  # type: ignore[call-overload]


def total(a: Pair) -> Pair:
    """Sum over the first axis."""
    found = picked(a, 0)
    for k in range(1, len(a.high)):
        found = add(found, picked(a, k))
    return found


def covariance(rows: Floats, initial: Floats) -> tuple[Pair, Pair]:
    """Mean, and (Σ (x - m)(x - m)ᵀ + diag(initial²)) / N; values must be exact when measured from the first row."""
    n = exact(np.array(float(len(rows))))
    shifted = exact(rows - rows[0])
    shift = over(total(shifted), n)
    scatter = exact(np.zeros((rows.shape[1], rows.shape[1])))
    squares = times(exact(initial), exact(initial))
    diagonal = np.diag_indices(rows.shape[1])
    scatter.high[diagonal], scatter.low[diagonal] = squares
    for k in range(len(rows)):
        error = add(picked(shifted, k), negative(shift))
        scatter = add(scatter, times(picked(error, (slice(None), None)), picked(error, (None, slice(None)))))
    return add(exact(rows[0]), shift), over(scatter, n)


def whitened(matrix: Pair, right: Pair) -> tuple[Pair, float]:
    """L⁻¹ R for the Cholesky factor L of a matrix, and the log determinant of the matrix."""
    log_determinant, size = 0.0, len(matrix.high)
    rows: list[Pair] = []
    for k in range(size):
        pivot = root(picked(matrix, (0, 0)))
        log_determinant += 2 * float(np.log(pivot.high))
        column = over(picked(matrix, (slice(1, None), 0)), pivot)
        solved = over(picked(right, 0), pivot)
        rows.append(solved)
        outer = times(picked(column, (slice(None), None)), picked(column, (None, slice(None))))
        matrix = add(picked(matrix, (slice(1, None), slice(1, None))), negative(outer))
        pulled = times(picked(column, (slice(None), None)), picked(solved, (None, slice(None))))
        right = add(picked(right, slice(1, None)), negative(pulled))
        assert k == size - 1 or matrix.high[0, 0] > 0, "singular even in 32 digits"
    return Pair(np.array([row.high for row in rows]), np.array([row.low for row in rows])), log_determinant


def _normal(high: Floats, low: Floats) -> Pair:
    top = high + low
    return Pair(np.asarray(top), np.asarray(low - (top - high)))


def _halves(a: Floats) -> tuple[Floats, Floats]:
    big = SPLIT * a
    high = big - (big - a)
    return high, a - high
