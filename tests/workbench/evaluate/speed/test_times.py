"""What follows from the times of the folds."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.workbench.evaluate.speed.fakes import filled
from workbench.evaluate.speed.settings import TableSettings
from workbench.evaluate.speed.times import Cell, PhaseTimes, SpeedTables, Timing


def cell(*seconds: float, n_run: int = 50) -> Cell:
    return Cell(tuple(Timing(0, fold, each, each / 2, n_run, 50) for fold, each in enumerate(seconds)))


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"n_runs": 0}, "n_runs = 0 is outside the range from 1 to 10"),
        ({"n_runs": 11}, "n_runs = 11 is outside"),
        ({"n_runs": 1.5}, "n_runs = 1.5 is not a whole number"),
        ({"n_runs": True}, "n_runs = True is not a whole number"),
        ({"solver": "qr"}, "solver = 'qr' is not known: choose 'cholesky' or 'inverse'"),
        ({"seconds_at_most": 0}, "seconds_at_most = 0 is outside"),
        ({"seconds_at_most": "5"}, "seconds_at_most = '5' is not a number"),
        ({"seed": -1}, "seed = -1 is outside"),
    ],
)
def test_settings_that_make_no_sense_are_refused(choices: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TableSettings(**choices)


def test_settings_have_the_papers_defaults() -> None:
    assert TableSettings() == TableSettings(n_runs=1, solver="cholesky", seconds_at_most=5.0, seed=0)
    assert TableSettings(seconds_at_most=None).seconds_at_most is None


def test_means_and_deviations_are_over_the_folds() -> None:
    assert (cell(1.0, 3.0).mean, cell(1.0, 3.0).std, cell(1.0, 3.0).cpu_mean) == (2.0, math.sqrt(2), 1.0)
    assert math.isnan(cell(1.0).std)
    assert math.isnan(cell().mean)


def test_a_fold_is_replaced_and_not_counted_twice() -> None:
    first = cell(1.0, 3.0).with_timing(Timing(0, 1, 5.0, 5.0, 7, 50))
    assert [(t.fold, t.seconds, t.is_sampled) for t in first.timings] == [(0, 1.0, False), (1, 5.0, True)]
    assert first.is_sampled


def test_speed_up_and_test_take_the_folds_that_both_have_done() -> None:
    times = PhaseTimes(igmn=cell(10.0, 12.0), fast=cell(1.0))
    assert times.speed_up == 10.0
    assert times.test is None
    assert times.mark == ""
    times = PhaseTimes(igmn=cell(10.0, 12.0), fast=cell(1.0, 3.0))
    assert times.speed_up == 5.5
    assert times.mark == "●"
    assert PhaseTimes(igmn=cell(1.0, 3.0), fast=cell(10.0, 12.0)).mark == "○"
    assert PhaseTimes(igmn=cell(10.0, 30.0), fast=cell(1.0, 3.0)).mark == ""


def test_means_that_are_shown_have_the_shown_speed_up_as_their_ratio() -> None:
    """Cancelled between two folds: IGMN has done one more."""
    times = PhaseTimes(igmn=cell(10.0, 12.0), fast=cell(1.0))
    assert (times.shown.igmn.mean, times.shown.fast.mean, times.speed_up) == (10.0, 1.0, 10.0)
    assert PhaseTimes(igmn=cell(10.0)).shown.igmn.mean == 10.0


def test_pairs_are_of_the_same_fold_whatever_the_order() -> None:
    backwards = Cell(cell(1.0, 3.0).timings[::-1])
    assert PhaseTimes(igmn=cell(10.0, 12.0), fast=backwards).pairs == [(10.0, 1.0), (12.0, 3.0)]


def test_there_is_an_average_once_all_sets_are_there() -> None:
    assert filled(10).average("training") is None
    average = filled().average("training")
    assert average is not None
    assert average.igmn == pytest.approx(0.011 * 6)
    assert average.speed_up == pytest.approx(10)
    assert not average.is_sampled
    testing = filled().average("testing")
    assert testing is not None
    assert (testing.igmn_sampled, testing.fast_sampled) == (True, False)


def test_tables_know_how_far_they_are() -> None:
    assert SpeedTables().is_empty
    assert SpeedTables().n_total == 132
    assert SpeedTables(TableSettings(n_runs=3)).n_total == 396
    assert not filled(3).is_empty
    assert not filled(3).is_whole
    assert filled().is_whole
    assert filled(2).cpu_shares()[0] == (0.5, "breast-cancer, Fast IGMN, testing, nothing kept")
