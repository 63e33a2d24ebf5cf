"""Numbers that a double does not hold: infinities and what is too large, and whole numbers beyond 2^53."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from workbench.source.table.table import Column

WHOLE = 2**53
"""Up to here every whole number is a double."""
LONGEST = 2**64
"""Whole numbers beyond this are measurements rather than ids: 6.02e23 is none."""


def held_by_doubles(column: Column) -> tuple[Column, list[str]]:
    """The column with infinite values as missing ones, and notes on what was or will be lost.

    >>> held_by_doubles(Column.numeric("id", [2**53 + 1, 5]))[1][0]
    "Column 'id': whole numbers beyond 2^53 (9,007,199,254,740,992) are rounded when they are learned; ignore it if ...
    """
    if column.kind != "numeric" or not len(column.values):
        return column, []
    if column.values.dtype.kind != "f":
        return column, _rounded_later(column)
    # Not min and max, which take one missing value for all.
    low, high = float(np.fmin.reduce(column.values)), float(np.fmax.reduce(column.values))
    if not max(-low, high) > WHOLE:
        return column, []
    return _without_infinities(column) if np.isinf([low, high]).any() else (column, _rounded(column, low, high))


def _without_infinities(column: Column) -> tuple[Column, list[str]]:
    infinite = np.isinf(column.values)
    note = f"Column {column.name!r}: {int(infinite.sum()):,} infinite values are read as missing."
    finite, notes = held_by_doubles(replace(column, values=np.where(infinite, np.nan, column.values)))
    return finite, [note, *notes]


def _rounded(column: Column, low: float, high: float) -> list[str]:
    known = column.values[~np.isnan(column.values)]
    if max(-low, high) > LONGEST or (known != np.rint(known)).any():
        return []
    return [
        f"Column {column.name!r}: whole numbers beyond 2^53 ({WHOLE:,}) are rounded, so that some may be the same now; "
        "write ids as text."
    ]


def _rounded_later(column: Column) -> list[str]:
    if column.values.dtype.itemsize < 8 or max(-int(column.values.min()), int(column.values.max())) <= WHOLE:  # noqa: PLR2004
        return []
    return [
        f"Column {column.name!r}: whole numbers beyond 2^53 ({WHOLE:,}) are rounded when they are learned; "
        "ignore it if it is an id."
    ]
