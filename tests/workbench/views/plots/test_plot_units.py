"""Coordinates of plots: any range of numbers becomes an ordinary one, and comes back."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from workbench.views.plots.plot_units import Units

LARGEST = sys.float_info.max
WINDOWS = [
    (0.0, 1.0),
    (-LARGEST, LARGEST),
    (1e155, 3e155),
    (1.7e18 - 1e3, 1.7e18 + 1e3),
    (5e-324, 1.5e-323),
    (-1e-310, 1e-310),
    (1e9, 1e9 + 1e-6),
]


@pytest.mark.parametrize(("low", "high"), WINDOWS)
def test_any_window_lies_around_one_and_comes_back(low: float, high: float) -> None:
    units = Units.around(low, high)
    places = units.to_view(np.array([low, high]))
    assert (np.abs(places) <= 2).all()
    assert 0.5 <= places[1] - places[0] <= 4
    assert [units.to_data(place) for place in places.tolist()] == [low, high]
    assert [units.place(end) for end in (low, high)] == places.tolist()
    assert units.suit(low, high)


def test_windows_of_another_size_or_far_away_do_not_suit() -> None:
    units = Units.around(0.0, 1.0)
    assert units.suit(-3.0, 5.0)
    assert not units.suit(0.0, 1e6)
    assert not units.suit(0.0, 1e-6)
    assert not units.suit(1e6, 1e6 + 1)
    assert not units.suit(-LARGEST, LARGEST)


def test_what_is_too_far_away_is_infinite_there_and_the_largest_number_here() -> None:
    units = Units.around(0.0, 1e-300)
    assert units.to_view(np.array([1e300, -1e300, np.nan]))[:2].tolist() == [np.inf, -np.inf]
    assert units.place(-1e300) == -np.inf
    assert Units(0.0, 1e300).to_data(1e300) == LARGEST
