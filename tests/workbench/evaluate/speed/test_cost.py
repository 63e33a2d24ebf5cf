"""The estimate: in proportion to what there is to do."""

from __future__ import annotations

import pytest

from workbench.evaluate.speed.cost import estimate_seconds
from workbench.evaluate.speed.settings import TableSettings

RATE = 3e10


def test_samples_take_a_fraction_of_whole_runs() -> None:
    sampled, whole = (estimate_seconds(TableSettings(seconds_at_most=limit), RATE) for limit in (5.0, None))
    assert sampled.cubic < sampled.total < 0.1 * whole.total
    assert sampled.cubic_whole == whole.cubic_whole == whole.cubic < whole.total


def test_more_runs_another_solver_and_a_slower_machine_take_longer() -> None:
    once = estimate_seconds(TableSettings(), RATE)
    assert estimate_seconds(TableSettings(n_runs=4), RATE).cubic == pytest.approx(4 * once.cubic)
    assert estimate_seconds(TableSettings(solver="inverse"), RATE).cubic_whole > 1.2 * once.cubic_whole
    assert estimate_seconds(TableSettings(), RATE / 2).cubic_whole == pytest.approx(2 * once.cubic_whole, rel=0.01)


def test_what_was_measured_on_two_cores_of_an_epyc() -> None:
    """76 s altogether at 37 thousand million operations a second; 0.3 s a row to learn, 3.8 s a row to answer."""
    found = estimate_seconds(TableSettings(), 3.7e10)
    assert 76 / 2 < found.total < 76 * 2
    assert 4100 / 2 < found.cubic_whole < 4100 * 2


def test_a_rate_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^The rate 0 is no number of operations a second"):
        estimate_seconds(TableSettings(), 0)
