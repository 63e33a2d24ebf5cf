"""Pieces of work under two clocks that the test turns."""

from __future__ import annotations

import pytest

from workbench.evaluate.speed import clock as speed_clock
from workbench.evaluate.speed.clock import FoldProgress, Reading, timed_pieces


class Rows:
    """Work of a known length, which turns the clocks as it goes."""

    def __init__(self, each: float, first: float | None = None) -> None:
        self.now = 0.0
        self.done: list[tuple[int, int]] = []
        self._each, self._first = each, each if first is None else first

    def work(self, begin: int, end: int) -> None:
        self.done.append((begin, end))
        self.now += sum(self._first if row == 0 else self._each for row in range(begin, end))

    def perf_counter(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return self.now / 2


def run(
    rows: Rows, monkeypatch: pytest.MonkeyPatch, *, n_rows: int, at_most: float | None, special: int = 0
) -> FoldProgress:
    monkeypatch.setattr(speed_clock, "time", rows)
    *_, last = timed_pieces(rows.work, n_rows, rows._each, at_most, special)
    return last


def test_what_takes_no_time_is_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows(each=0.001)
    n_run, time = run(rows, monkeypatch, n_rows=100, at_most=5.0, special=1)
    assert rows.done == [(0, 100)]
    assert n_run == 100
    assert time == pytest.approx(Reading(0.1, 0.05))


def test_a_long_one_is_cut_into_pieces_and_run_whole_where_that_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows(each=0.05, first=7.0)
    n_run, time = run(rows, monkeypatch, n_rows=100, at_most=None, special=1)
    assert rows.done[:3] == [(0, 1), (1, 5), (5, 9)]
    assert rows.done[-1] == (97, 100)
    assert n_run == 100
    assert time == pytest.approx(Reading(7 + 99 * 0.05, (7 + 99 * 0.05) / 2))


def test_the_rest_is_extrapolated_without_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows(each=1.0, first=0.1)
    n_run, time = run(rows, monkeypatch, n_rows=500, at_most=5.0, special=1)
    assert n_run == 6
    assert time == pytest.approx(Reading(0.1 + 499 * 1.0, (0.1 + 499 * 1.0) / 2))


@pytest.mark.parametrize(("special", "n_run"), [(0, 2), (1, 3)])
def test_two_rows_are_run_however_long_they_take(monkeypatch: pytest.MonkeyPatch, special: int, n_run: int) -> None:
    rows = Rows(each=60.0)
    last = run(rows, monkeypatch, n_rows=500, at_most=5.0, special=special)
    assert last.n_run == n_run
    assert last.time == pytest.approx(Reading(500 * 60.0, 250 * 60.0))


def test_nothing_is_concluded_from_the_first_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows(each=1.0, first=0.1)
    monkeypatch.setattr(speed_clock, "time", rows)
    first, second, *_ = timed_pieces(rows.work, 3, 1.0, None, 1)
    assert first == FoldProgress(1, None)
    assert second.time == pytest.approx(Reading(2.1, 1.05))
