"""Values of columns as text: dates, and what rounding left of zero."""

from __future__ import annotations

import math

from workbench.words.values import day_text, value_text, width_text


def test_what_rounding_left_of_zero_is_zero() -> None:
    assert value_text(1.388e-16, size=1.0) == "0"
    assert value_text(1.388e-16, size=1e-15) == "1.388e−16"


def test_days_beyond_the_calendar_stay_numbers() -> None:
    assert day_text(1e12) == "1.000e12"
    assert day_text(math.inf) == "infinite"
    assert width_text(math.nan, "date") == "–"
