"""Cells of a table as text."""

from __future__ import annotations

import math

import numpy as np

from workbench.source import Column
from workbench.source.table.table import date_texts
from workbench.views.look.naming import one_line
from workbench.words.numbers import MINUS, in_words


def cell_text(column: Column, row: int) -> str:
    """One value as text.

    >>> [cell_text(Column.numeric("x", [5.10, 20000, np.nan]), row) for row in range(3)]
    ['5.1', '20,000', '?']
    """
    if is_missing(column, row):
        return "?"
    value = column.values[row]
    if column.kind == "nominal":
        return one_line(column.labels[int(value)])
    if column.kind == "date":
        return date_text(value)
    return figure(float(value)) if column.kind == "numeric" else one_line(str(value))


def is_missing(column: Column, row: int) -> bool:
    """Whether one value is missing, without scanning the column."""
    value = column.values[row]
    if column.kind == "nominal":
        return bool(value < 0)
    if column.kind == "date":
        return bool(np.isnat(value))
    return value is None if column.kind == "string" else bool(value != value)  # noqa: PLR0124 - only NaN differs from itself


def figure(value: float, digits: int = 6) -> str:
    """A number with at most `digits` significant digits.

    >>> figure(3.0), figure(1998), figure(123456.7), figure(0.30000000000000004), figure(1.5e-7), figure(-2.5e19)
    ('3', '1998', '123,457', '0.3', '1.5e−7', '−2.5e19')
    """
    if not math.isfinite(value):
        return "?" if math.isnan(value) else in_words(value)
    size = abs(value)
    if size and not 1e-4 <= size < 1e15:  # noqa: PLR2004
        mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}".replace("-", MINUS)
    places = max(0, digits - 1 - math.floor(math.log10(size))) if size else 0
    text = f"{value:,.{places}f}".replace("-", MINUS)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    # No thousands separator in years and the like.
    return text.replace(",", "") if size < 1e4 else text  # noqa: PLR2004


def date_text(moment: np.datetime64) -> str:
    """A date, and its time where it has one.

    >>> date_text(np.datetime64("2026-01-31T00:00", "us")), date_text(np.datetime64("2026-01-31T12:30", "us"))
    ('2026-01-31', '2026-01-31 12:30:00')
    """
    return date_texts(np.array([moment], dtype="datetime64[us]"))[0].replace("T", " ")
