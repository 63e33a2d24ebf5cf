"""Speed-ups: one definition, no figure where a time is missing."""

from __future__ import annotations

import math

import pytest

from workbench.words.factors import factor, speed_up, table_factor


def test_a_speed_up_is_the_time_of_the_reference_over_that_of_the_engine() -> None:
    assert speed_up(2.0, 10.0) == 5.0


@pytest.mark.parametrize(
    ("seconds", "reference"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (math.nan, 1.0), (1.0, math.nan)]
)
def test_there_is_no_speed_up_before_both_times_are_known(seconds: float, reference: float) -> None:
    assert math.isnan(speed_up(seconds, reference))
    assert factor(speed_up(seconds, reference)) == table_factor(speed_up(seconds, reference)) == "–"


def test_a_single_factor_has_three_digits() -> None:
    assert (factor(1.0), factor(123_456.0), factor(math.inf)) == ("1.00×", "123,456×", "infinite")


def test_an_engine_that_is_slower_is_not_rounded_to_the_same_speed_in_a_table() -> None:
    assert (table_factor(0.96), table_factor(1.0), table_factor(99.9), table_factor(100.4)) == (
        "0.96×", "1.0×", "99.9×", "100×",
    )  # fmt: skip
