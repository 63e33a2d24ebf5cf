"""Marks of an axis: round, few, and different from each other wherever the numbers are."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from workbench.views.plots.plot_ticks import MOST, decimal_text, ticks

LARGEST = sys.float_info.max


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0.0, 1.0),
        (-LARGEST, LARGEST),
        (1e155, 1.5e155),
        (1.7e18 - 1e3, 1.7e18 + 1e3),
        (5e-324, 5e-323),
        (-1e-310, 1e-310),
        (1e9, 1e9 + 1e-3),
        (-4e14, 4e14),
    ],
)
@pytest.mark.parametrize("most", [0.0, 3.0, 9.5, 1e12])
def test_marks_are_few_and_inside_and_differ(low: float, high: float, most: float) -> None:
    found = ticks(low, high, most)
    assert len(found.digits) <= min(max(most, 1), MOST) + 1
    slack = 1e-9 * (high / 2 - low / 2)
    assert all(low - slack <= value <= high + slack for value in found.values)
    texts, _ = found.short_texts()
    assert len(set(texts)) == len(texts)
    assert all(len(text) <= 12 for text in texts)


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0), (2.0, 1.0), (np.nan, 1.0), (-np.inf, np.inf)])
def test_without_a_width_there_are_no_marks(low: float, high: float) -> None:
    assert ticks(low, high, 5).digits == ()
    assert ticks(low, high, 5).short_texts() == ([], "")


def test_close_numbers_far_from_zero_are_counted_from_a_round_one() -> None:
    texts, origin = ticks(1.7e18 - 1e3, 1.7e18 + 1e3, 5).short_texts()
    assert texts == ["−1000", "−500", "0", "+500", "+1000"]
    assert origin == "1.7e18"
    assert ticks(0.0, 1e6, 5).short_texts()[1] == ""


def test_numbers_are_written_with_all_their_digits() -> None:
    assert decimal_text(-15, 2) == "−1,500"
    assert decimal_text(2006, 0, is_grouped=False) == "2006"
    assert decimal_text(20, 6) == "2.0e7"
    assert decimal_text(1005, -3) == "1.005"
    assert decimal_text(0, 300) == "0"
