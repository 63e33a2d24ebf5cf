"""Values of a column as text: dates as dates, years without a comma, rounding errors as zero."""

from __future__ import annotations

import math

import numpy as np

from workbench.words.numbers import in_words, short

NOISE = 1e-13
"""Share of a column's magnitude below which a number is a rounding error of zero."""
LAST_DAY = 2_900_000
"""Days since 1970, about the year 9900: the last that is written as a date."""
GROUPED = 1e4
"""From here on thousands are separated; years are below."""


def value_text(value: float, kind: str = "numeric", digits: int = 4, size: float = 0.0) -> str:
    """A value in the unit of its column; `size` is the magnitude of the column's values.

    >>> value_text(2006.52, digits=5), value_text(15500.0, "date"), value_text(1.388e-16, size=1.0), value_text(25000.0)
    ('2006.5', '2012-06-09', '0', '25,000')
    """
    if kind == "date":
        return day_text(value)
    if abs(value) < NOISE * size:
        return "0"
    text = short(value, digits)
    return text.replace(",", "") if abs(value) < GROUPED else text


def width_text(width: float, kind: str = "numeric", digits: int = 4, size: float = 0.0) -> str:
    """A standard deviation in the unit of its column.

    >>> width_text(12.34, "date", 3), width_text(0.5)
    ('12.3 days', '0.5000')
    """
    text = value_text(width, "numeric", digits, size)
    return f"{text} days" if kind == "date" and math.isfinite(width) else text


def day_text(days: float) -> str:
    """A day, counted from 1970, as a date; beyond the calendar, as a number.

    >>> day_text(0.0), day_text(1e12)
    ('1970-01-01', '1.000e12')
    """
    if not math.isfinite(days):
        return in_words(days)
    if abs(days) > LAST_DAY:
        return short(days)
    return str(np.datetime64(math.floor(days), "D"))
