"""Split times: engine time of both after the same samples."""

from __future__ import annotations

import math

import pytest

from workbench.run.race.frame import Split
from workbench.run.race.split_times import SplitTimes


def test_the_engine_that_is_ahead_is_timed_where_the_other_is() -> None:
    times = SplitTimes(2)
    times.add(0, 64, 0.064)
    times.add(0, 64, 0.640)
    times.add(1, 32, 3.2)
    found = times.at(32)
    assert (found.n_samples, found.seconds[1]) == (32, 3.2)
    assert found.seconds[0] == pytest.approx(0.032), "half a chunk is half of its time"
    times.add(1, 64, 6.4)
    found = times.at(96)
    assert found.seconds == pytest.approx((0.064 + 0.320, 9.6))


def test_at_the_end_of_a_chunk_the_time_is_that_of_the_clock_to_the_last_bit() -> None:
    times, spent = SplitTimes(2), 0.0
    for _ in range(7):
        spent += 0.1
        times.add(0, 3, 0.1)
        times.add(1, 3, 0.7)
        times.at(2)
    assert times.at(21).seconds[0] == spent


def test_no_more_than_both_have_learned_and_nothing_before_that() -> None:
    times = SplitTimes(2)
    assert times.at(10) == Split()
    times.add(0, 5, 0.5)
    assert times.at(5).n_samples == 0
    assert math.isnan(times.at(5).speed_ups[0])
    times.add(1, 2, 2.0)
    assert times.at(5) == Split(2, (0.2, 2.0))
    assert times.at(5).speed_ups[0] == pytest.approx(10.0)


def test_chunks_that_are_over_are_forgotten() -> None:
    times = SplitTimes(2)
    for count in range(1, 1001):
        times.add(0, 1, 0.001)
        times.add(1, 1, 0.1)
        times.at(count)
    assert max(len(counts) for counts in times._counts) <= 3
