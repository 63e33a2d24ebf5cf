"""Durations: three digits in a fitting unit, estimates no finer than they are known."""

from __future__ import annotations

import math
import re

import pytest

from workbench.words.durations import about, duration, in_microseconds, in_seconds


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.9999, "1.00 s"), (0.000_999_6, "1.00 ms"), (2e-7, "0.200 µs"), (75_123.0, "75,123 s")]
)
def test_durations_have_three_digits_and_a_fitting_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("first", "second"), [(0.0123, 4.56), (3e-6, 0.02), (59.0, 0.5)])
def test_two_durations_side_by_side_have_one_unit(first: float, second: float) -> None:
    units = {text.split()[1] for text in (duration(first, second), duration(second, first))}
    assert len(units) == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (57.4, "about 55 s"),
        (57.6, "about 1 min"),
        (89.0, "about 1 min"),
        (7199.0, "about 120 min"),
        (7200, "about 2.0 h"),
    ],
)
def test_estimates_change_their_unit_where_it_is_coarse_enough(seconds: float, text: str) -> None:
    assert about(seconds) == text


def test_longer_waits_are_never_announced_as_shorter() -> None:
    sizes = {"s": 1, "min": 60, "h": 3600}
    found = []
    for tenth in range(0, 100_000, 7):
        number, unit = about(tenth / 10).removeprefix("about ").split()
        found.append(float(number) * sizes[unit])
    assert found == sorted(found)


def test_cells_of_a_column_have_no_unit() -> None:
    for text in (in_seconds(0.044), in_microseconds(0.044)):
        assert re.fullmatch(r"[\d.,]+", text)
    assert in_seconds(math.nan) == "–"
