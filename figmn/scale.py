"""The width of every column: given, or estimated from the rows seen so far."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from figmn.rows import LARGEST, RowError, check_row, describe_column, has_gaps
from figmn.system.arrays import Bools, Floats, Ints

CONSTANT_FLOOR = 0.1
"""A column that does not vary gets this share of the median width of those that do (1 where none varies)."""

SMALLEST = 1 / LARGEST
"""A width below this counts as 0: its square would underflow."""
PIECE = 4096
"""Rows whose deviations are summed together."""
NAMED = 3
"""Constant columns that a warning names; the others are counted."""


class ConstantColumnWarning(UserWarning):
    """A column does not vary, so its width was taken from the other columns."""


@dataclass
class ColumnStatistics:
    """Running count, mean and sum of squared deviations of every column (Welford); NaN is skipped.

    >>> seen = ColumnStatistics.empty(2)
    >>> for row in [[1.0, 5.0], [3.0, np.nan]]:
    ...     seen.observe(np.array(row))
    >>> seen.mean, seen.std
    (array([2., 5.]), array([1., 0.]))
    """

    count: Ints
    mean: Floats
    squares: Floats

    @classmethod
    def empty(cls, n_features: int) -> ColumnStatistics:
        """Nothing seen yet: every mean is 0."""
        return cls(np.zeros(n_features, np.int64), np.zeros(n_features), np.zeros(n_features))

    @property
    def std(self) -> Floats:
        """Standard deviation of what was seen (`numpy.std`, ddof 0); 0 where nothing varied."""
        std: Floats = np.sqrt(self.squares / np.maximum(self.count, 1))
        return std

    def observe(self, row: Floats) -> None:
        """Add one row."""
        known = ~np.isnan(row)
        deviation = np.where(known, row - self.mean, 0.0)
        self.count += known
        self.mean += deviation / np.maximum(self.count, 1)
        self.squares += np.where(known, deviation * (row - self.mean), 0.0)

    def observe_sums(self, centre: Floats, n_rows: int, sums: Floats, squares: Floats) -> None:
        """Add rows without missing values, given the sums of their deviations from `centre` and of their squares.

        >>> seen = ColumnStatistics.empty(1)
        >>> seen.observe_sums(np.array([1.0]), 2, np.array([2.0]), np.array([4.0]))
        >>> seen.mean, seen.std
        (array([2.]), array([1.]))
        """
        self.count += n_rows
        self.mean = centre + sums / self.count
        self.squares += np.maximum(squares - sums**2 / self.count, 0.0)

    def centre(self, row: Floats) -> Floats:
        """A value near the mean of further rows: the running mean, or the first row where there is none."""
        return np.where(self.count > 0, self.mean, row)

    def merged(self, other: ColumnStatistics) -> ColumnStatistics:
        """The statistics of both streams together."""
        count = self.count + other.count
        share = other.count / np.maximum(count, 1)
        gap = other.mean - self.mean
        return ColumnStatistics(
            count, self.mean + share * gap, self.squares + other.squares + gap**2 * self.count * share
        )

    def copy(self) -> ColumnStatistics:
        """An independent copy."""
        return ColumnStatistics(self.count.copy(), self.mean.copy(), self.squares.copy())


def check_scale(scale: Any, columns: Sequence[str] | None) -> Floats:
    """Return the given widths as a vector, or raise `ValueError`.

    >>> check_scale([1, 0.5], None)
    array([1. , 0.5])
    >>> check_scale([1, -0.5], None)
    Traceback (most recent call last):
    ...
    ValueError: scale, column 1: -0.5 is not a standard deviation; give 0 or a positive number for every column
    """
    try:
        widths = check_row(scale, 0 if columns is None else len(columns), columns).copy()
    except RowError as error:
        place = "" if error.column is None else f", {describe_column(error.column, columns)}"
        raise ValueError(f"scale{place}: {error.problem}") from error
    except ValueError as error:
        raise ValueError(f"scale: {error}") from error
    for column in np.flatnonzero(~(widths >= 0)).tolist():
        raise ValueError(
            f"scale, {describe_column(column, columns)}: {widths[column]:g} is not a standard deviation; "
            "give 0 or a positive number for every column"
        )
    return widths


def column_std(rows: Floats) -> Floats:
    """Standard deviation (ddof 0) of the known values of every column; exactly 0 where they are all equal, or none.

    >>> column_std(np.array([[0.1, 1.0], [0.1, np.nan], [0.1, 3.0]]))
    array([0., 1.])
    """
    return std_of_blocks([rows], rows.shape[1])


def std_of_blocks(blocks: Iterable[Floats], n_features: int) -> Floats:
    """`column_std` of rows that come in blocks: bit for bit the same, however the rows are split.

    >>> rows = np.random.default_rng(0).normal(size=(10_000, 3))
    >>> bool((std_of_blocks([rows[:17], rows[17:]], 3) == column_std(rows)).all())
    True
    """
    statistics = ColumnStatistics.empty(n_features)
    for piece in _pieces(blocks):
        statistics = statistics.merged(_statistics(piece))
    return statistics.std


def _pieces(blocks: Iterable[Floats]) -> Iterator[Floats]:
    """The rows in pieces of `PIECE`, the last one shorter: sums then do not depend on the sizes of the blocks."""
    waiting: list[Floats] = []
    n_waiting = 0
    for block in blocks:
        begin = 0
        while n_waiting + len(block) - begin >= PIECE:
            end = begin + PIECE - n_waiting
            yield np.concatenate([*waiting, block[begin:end]]) if waiting else block[begin:end]
            waiting, n_waiting, begin = [], 0, end
        waiting.append(block[begin:])
        n_waiting += len(block) - begin
    if n_waiting:
        yield np.concatenate(waiting)


def _statistics(rows: Floats) -> ColumnStatistics:
    rows = np.ascontiguousarray(rows)  # NumPy sums in an order that depends on the layout
    if not has_gaps(rows):  # the same numbers, without the masks
        shifted = rows - rows[0]
        shift = shifted.sum(axis=0) / len(rows)
        shifted -= shift
        squares = np.square(shifted, out=shifted).sum(axis=0)
        return ColumnStatistics(np.full(rows.shape[1], len(rows)), rows[0] + shift, squares)
    known = ~np.isnan(rows)
    count: Ints = known.sum(axis=0)
    divisor = np.maximum(count, 1)
    # Relative to a value of the column itself, equal values have deviations of exactly 0.
    origin = rows[known.argmax(axis=0), np.arange(rows.shape[1])]
    shifted = np.where(known, rows - origin, 0.0)
    shift = shifted.sum(axis=0) / divisor
    squares = (np.where(known, shifted - shift, 0.0) ** 2).sum(axis=0)
    return ColumnStatistics(count, np.where(count > 0, origin + shift, 0.0), squares)


def with_floor(widths: Floats) -> Floats:
    """Replace zero widths by `CONSTANT_FLOOR` times the median of the others.

    >>> with_floor(np.array([2.0, 0.0, 4.0]))
    array([2. , 0.3, 4. ])
    >>> with_floor(np.zeros(2))
    array([1., 1.])
    """
    varies = ~is_constant(widths)
    if not varies.any():
        return np.ones_like(widths)
    return np.where(varies, widths, CONSTANT_FLOOR * np.median(widths[varies]))


def is_constant(widths: Floats) -> Bools:
    """Where a width is zero, or too small to be squared."""
    return widths < SMALLEST


def warn_of_constant(widths: Floats, columns: Sequence[str] | None) -> None:
    """Warn of the constant columns, naming the first few and the width that they get."""
    constant = np.flatnonzero(is_constant(widths)).tolist()
    named = ", ".join(describe_column(column, columns) for column in constant[:NAMED])
    more = f" and {len(constant) - NAMED} more" if len(constant) > NAMED else ""
    width = with_floor(widths)[constant[0]]
    warnings.warn(
        f"{named}{more} did not vary so far: width {width:g} is used in place of 0 (said once for each model); "
        "give scale= if that is wrong, or drop what is constant",
        ConstantColumnWarning,
        stacklevel=4,  # to the caller of learn
    )
