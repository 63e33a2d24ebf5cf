"""The speed of the machine, measured behind the window's back."""

from __future__ import annotations

import pytest

from workbench.desk import machine_rate
from workbench.desk.machine_rate import RateMeter


def test_nothing_is_measured_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_rate, "machine_rate", lambda: pytest.fail("measured"))
    meter = RateMeter()
    assert meter.take() is None
    meter.join()


def test_starting_again_measures_nothing_and_the_rate_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = iter([2e10])
    monkeypatch.setattr(machine_rate, "machine_rate", lambda: next(rates))
    meter = RateMeter()
    for _ in range(2):
        meter.start()
        meter.join()
    assert [meter.take(), meter.take()] == [2e10, None]


def test_what_goes_wrong_is_raised_once_where_the_rate_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> float:
        raise RuntimeError("BLAS keeps 2 threads")

    monkeypatch.setattr(machine_rate, "machine_rate", fail)
    meter = RateMeter()
    meter.start()
    meter.join()
    with pytest.raises(RuntimeError, match="BLAS keeps 2 threads"):
        meter.take()
    assert meter.take() is None
