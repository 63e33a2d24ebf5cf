"""Validation of input rows: all are checked before anything is learned from them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from figmn.system.arrays import Bools, Floats, Ints

MATRIX = 2
"""Dimensions of an array of rows."""
FLOAT = np.dtype(np.float64)
SMALL = 4096
"""Numbers up to which one product tells whether all can be used; more are read in blocks that suit the cache."""
LARGEST = 1e70
"""Largest magnitude accepted: its square, scaled by a width as small as 1 / LARGEST, still fits a double."""

HEAVIEST = 1e9
"""Largest weight of a row. Beside a heavier one, rows of weight 1 are lost in the rounding of its covariance."""


class RowError(ValueError):
    """A row that cannot be used: its position counted from 0, as NumPy does, and what is wrong with it.

    >>> print(RowError(3, "inf cannot be used", 1, ["length", "width"]))
    row 3, column 1 ('width'): inf cannot be used
    """

    def __init__(self, row: int, problem: str, column: int | None = None, columns: Sequence[str] | None = None) -> None:
        self.row, self.column, self.problem = row, column, problem
        place = "" if column is None else f", {describe_column(column, columns)}:"
        super().__init__(f"row {row}{place} {problem}")


def check_rows(X: Any, n_features: int, columns: Sequence[str] | None) -> Floats:
    """Return `X` as a C-ordered float64 array of rows; NaN means missing.

    Parameters
    ----------
    X : array-like of shape (n, D)
    n_features : int
        D, or 0 to accept any number of columns.
    columns : sequence of str or None
        Names used in the messages.

    Raises
    ------
    ValueError
        Naming the value, the place and the remedy.

    Examples
    --------
    >>> check_rows([[1, 2], [3, None]], 2, None)
    array([[ 1.,  2.],
           [ 3., nan]])
    >>> check_rows([[1, float("inf")]], 2, ["length", "width"])
    Traceback (most recent call last):
    ...
    figmn.rows.RowError: row 0, column 1 ('width'): inf cannot be used; replace it by a number, ...
    """
    if is_plain(X, n_features):
        checked: Floats = X
        return checked
    rows = _as_floats(X, columns)
    if rows.ndim != MATRIX:
        raise ValueError(
            f"expected rows x columns (2-D), got an array of shape {rows.shape}: "
            "for a single sample use x.reshape(1, -1), for a single column x.reshape(-1, 1)"
        )
    if rows.size == 0:
        raise ValueError(f"no data: got {rows.shape[0]} rows x {rows.shape[1]} columns; give at least one of each")
    _check_width(rows.shape[1], n_features, columns)
    _check_values(rows, columns)
    return np.ascontiguousarray(rows)


def check_row(x: Any, n_features: int, columns: Sequence[str] | None) -> Floats:
    """Return a single sample as a float64 vector, checked like a row of `check_rows`.

    >>> check_row([1, 2], 2, None)
    array([1., 2.])
    """
    row = _as_floats(x, columns)
    if row.ndim != 1:
        raise ValueError(f"expected one sample (1-D), got an array of shape {row.shape}: use learn for several rows")
    checked: Floats = check_rows(row.reshape(1, -1), n_features, columns)[0]
    return checked


def check_weights(weights: Any, n_rows: int) -> Floats:
    """The weights of rows as floats, empty where None is given; or raise `ValueError` saying which is wrong.

    >>> check_weights([1, 2.5], 2), check_weights(None, 2)
    (array([1. , 2.5]), array([], dtype=float64))
    >>> check_weights([1, 0], 2)
    Traceback (most recent call last):
    ...
    figmn.rows.RowError: row 1 has the weight 0: give a number above 0, and leave out rows that must not count
    """
    if weights is None:
        return np.empty(0)
    try:
        checked: Floats = np.array(weights, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"weights = {_shown(weights)} are not numbers: give one number above 0 for each row") from None
    if checked.shape != (n_rows,):
        raise ValueError(f"weights have shape {checked.shape}: give one number for each of the {n_rows} rows")
    wrong = np.flatnonzero(~((checked > 0) & (checked <= HEAVIEST)))
    if len(wrong):
        row, weight = int(wrong[0]), checked[wrong[0]]
        remedy = "give a number above 0, and leave out rows that must not count"
        if weight > HEAVIEST:
            remedy = f"the largest is {HEAVIEST:g}; divide all weights by the same number"
        raise RowError(row, f"has the weight {weight:g}: {remedy}")
    return checked


def check_columns(
    wanted: Any, n_features: int, columns: Sequence[str] | None, name: str = "wanted", may_be_all: bool = False
) -> Ints:
    """The positions of columns that are given by position or by name, in the same order; or raise `ValueError`.

    >>> check_columns(["width", 0], 3, ["length", "width", "depth"]), check_columns([-1], 3, None)
    (array([1, 0]), array([2]))
    >>> check_columns(["colour"], 2, ["length", "width"])
    Traceback (most recent call last):
    ...
    ValueError: wanted: there is no column 'colour'; give positions from -2 to 1, or names of length, width
    """
    names = {} if columns is None else {name: place for place, name in enumerate(columns)}
    known = f"positions from {-n_features} to {n_features - 1}" + (f", or names of {', '.join(names)}" if names else "")
    listed = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Iterable) else list(wanted)
    places: list[int] = []
    for column in listed:
        is_place = (
            isinstance(column, Integral) and not isinstance(column, bool) and -n_features <= int(column) < n_features
        )
        if not is_place and not (isinstance(column, str) and column in names):
            raise ValueError(f"{name}: there is no column {column!r}; give {known}")
        places.append(names[column] if isinstance(column, str) else int(column) % n_features)
    if len(set(places)) < len(places) or not 0 < len(places) < n_features + may_be_all:
        number = "at least one" if may_be_all else "at least one and not all of them"
        raise ValueError(f"{name} = {wanted!r}: give each column once, {number}, as {known}")
    return np.array(places, np.int64)


def incomplete(rows: Floats) -> Bools:
    """Which rows have missing values, (n,); raises `RowError` if a row has no known value.

    >>> incomplete(np.array([[1.0, 2.0], [3.0, np.nan]]))
    array([False,  True])
    """
    if not has_gaps(rows):
        return np.zeros(len(rows), bool)
    missing = np.isnan(rows)
    empty = np.flatnonzero(missing.all(axis=1))
    if len(empty):
        raise RowError(int(empty[0]), "has no value in any column, so it cannot be learned: drop the row")
    return np.asarray(missing.any(axis=1))


def has_gaps(rows: Floats) -> bool:
    """Whether any value is missing; in a tenth of the time that a mask takes.

    >>> has_gaps(np.array([[1.0, 2.0], [3.0, np.nan]])), has_gaps(np.ones((2, 2)))
    (True, False)
    """
    return math.isnan(rows.max(initial=-np.inf))


def check_plane(plane: Any, n_features: int) -> Floats:
    """Return the axes of a plane as a C-ordered float64 array: one row per column of the data, one column per axis.

    >>> check_plane([[1, 0], [0, 1], [0, 0]], 3).shape
    (3, 2)
    >>> check_plane([[1, 0], [0, 1]], 3)
    Traceback (most recent call last):
    ...
    ValueError: plane: got 2 rows where 3 are expected: give one row for every column of the data, in the same order
    """
    try:
        axes = _as_floats(plane, None)
    except ValueError as error:
        raise ValueError(f"plane: {error}") from error
    if axes.ndim != MATRIX or axes.size == 0:
        raise ValueError(
            f"plane: expected columns x axes (2-D, at least one of each), got an array of shape {axes.shape}: "
            "for a single axis use v.reshape(-1, 1)"
        )
    if n_features and len(axes) != n_features:
        raise ValueError(
            f"plane: got {len(axes)} rows where {n_features} are expected: "
            "give one row for every column of the data, in the same order"
        )
    unusable = ~(np.abs(axes) <= LARGEST)
    if unusable.any():
        row, axis = np.argwhere(unusable)[0]
        raise ValueError(
            f"plane, row {row}, axis {axis}: {axes[row, axis]:g} cannot be used; give a number up to {LARGEST:g}"
        )
    return np.ascontiguousarray(axes)


def describe_column(column: int, columns: Sequence[str] | None) -> str:
    """Name a column for a message.

    >>> describe_column(1, ["length", "width"])
    "column 1 ('width')"
    """
    return f"column {column}" if columns is None else f"column {column} ({columns[column]!r})"


def is_plain(X: Any, n_features: int) -> bool:
    """Whether `X` is a small array that needs no check but this one; where it is not, the full checks say why.

    Single rows from an array are: so they are checked in a tenth of the time.

    >>> is_plain(np.ones((1, 2)), 2), is_plain(np.ones((1, 2)), 3), is_plain(np.full((1, 2), np.nan), 2)
    (True, False, False)
    """
    if type(X) is not np.ndarray or X.ndim != MATRIX or not 0 < X.size <= SMALL:
        return False
    if X.shape[1] != n_features or X.dtype != FLOAT or not X.flags.c_contiguous:
        return False
    values = X.ravel()
    # Not a number where one of them is none, and infinite where one is: both are not below.
    return bool(values.dot(values) < LARGEST)


def _as_floats(X: Any, columns: Sequence[str] | None) -> Floats:
    if hasattr(X, "toarray"):
        raise ValueError(f"got a sparse {type(X).__name__}: every column is used, so give X.toarray()")
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError("the rows have different lengths: give every row the same number of columns") from error
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: give the real and imaginary parts as columns of their own")
    if array.dtype.kind not in "biufO":
        raise ValueError(_first_non_number(array, columns))
    try:
        if array.dtype.kind == "O" and any(isinstance(value, str | bytes) for value in array.flat):
            raise TypeError("text")
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(_first_non_number(array, columns)) from error


def _first_non_number(array: Any, columns: Sequence[str] | None) -> str:
    # NumPy turns [1, "two"] into an array of text: name the value that cannot be read as a number, if any.
    for is_number in (_reads_as_number, _is_number):
        for place, value in np.ndenumerate(array):
            if not is_number(value):
                return f"{_where(place, columns)}: {_shown(value)} is not a number; encode it as numbers first"
    return f"dtype {array.dtype} cannot be read as numbers; encode it as numbers first"


def _reads_as_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return value is None
    return True


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, Real)


def _where(place: tuple[int, ...], columns: Sequence[str] | None) -> str:
    if len(place) != MATRIX:
        return f"place {place}"
    named = None if columns is None or place[1] >= len(columns) else columns
    return f"row {place[0]}, {describe_column(place[1], named)}"


def _shown(value: Any) -> str:
    return repr(str(value)) if isinstance(value, str) else repr(value)


def _check_width(width: int, n_features: int, columns: Sequence[str] | None) -> None:
    if n_features and width != n_features:
        expected = "" if columns is None else f" ({', '.join(columns)})"
        raise ValueError(
            f"got {width} columns where {n_features} are expected{expected}: "
            "give the columns the model was made with, in the same order"
        )


def _check_values(rows: Floats, columns: Sequence[str] | None) -> None:
    # fmax and fmin ignore NaN: a missing value is never too large.
    if np.fmax.reduce(rows, axis=None) <= LARGEST and np.fmin.reduce(rows, axis=None) >= -LARGEST:
        return
    if np.isnan(rows).all():
        return
    too_large = np.abs(rows) > LARGEST
    if too_large.any():
        row, column = np.argwhere(too_large)[0]
        value = rows[row, column]
        remedy = (
            f"the largest magnitude taken is {LARGEST:g}; rescale the column"
            if np.isfinite(value)
            else "replace it by a number, or by NaN where it is missing"
        )
        raise RowError(int(row), f"{value:g} cannot be used; {remedy}", int(column), columns)
