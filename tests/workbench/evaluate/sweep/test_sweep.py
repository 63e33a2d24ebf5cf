"""A sweep: its settings, its estimate, how it grows, how it ends, and what follows from its times."""

from __future__ import annotations

from typing import Any

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from figmn.bench import CHOLESKY, INVERSE, LITERAL, MATURE, YOUNG, Case
from tests.workbench.evaluate.sweep.sweeps import SETTINGS, made_up
from workbench.evaluate.sweep.cost import REFERENCE_RATE, row_seconds, seconds_left, timing_costs
from workbench.evaluate.sweep.sweep import (
    GRIDS,
    SweepResult,
    SweepSettings,
    estimate_seconds,
    sweep,
    sweeping,
    typed_dims,
)
from workbench.source.errors import SourceError

TINY = SweepSettings(dims=(2, 4, 8), n_rows=20, repeats=2, with_mature=False)


def blas_threads() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.mark.parametrize(
    ("choice", "complaint"),
    [
        ({"dims": ()}, "there is no D to measure"),
        ({"dims": (1, 2)}, r"D = 1 is outside the range from 2 to 3,072\. Choose a whole number"),
        ({"dims": (2, 3073)}, "D = 3073 is outside"),
        ({"dims": (2, 2.5)}, r"D = 2\.5 is not a whole number"),
        ({"dims": (4, 4)}, "D = 4 stands before D = 4.*once"),
        ({"n_rows": 1}, "n_rows = 1 is outside"),
        ({"repeats": 0}, "repeats = 0 is outside"),
        ({"seconds": 0.0}, r"seconds = 0\.0 is outside"),
        ({"n_components": 0}, "n_components = 0 is outside"),
        ({"solver": "guess"}, "solver = 'guess' is not known.*'cholesky' or 'inverse'"),
    ],
)
def test_settings_that_cannot_be_are_refused(choice: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SourceError, match=complaint):
        SweepSettings(**choice)


def test_settings_say_who_is_timed() -> None:
    assert SweepSettings(with_mature=False).contenders == (YOUNG, CHOLESKY)
    assert SweepSettings(solver="inverse", with_literal=True).contenders == (YOUNG, MATURE, INVERSE, LITERAL)
    assert SETTINGS.n_timings == 4 * 3 * 4
    assert all(SweepSettings(dims=dims).dims == dims for dims in GRIDS.values())


def test_typed_dimensions_are_taken_in_any_order() -> None:
    assert typed_dims(" 64,8; 512 8 ") == (8, 64, 512)
    for text, complaint in (("", "no D"), ("4, -2", "'-2' is not a whole number"), ("4, 5000", "D = 5000 is outside")):
        with pytest.raises(SourceError, match=complaint):
            typed_dims(text)


def test_the_estimate_follows_the_machine_and_the_choices() -> None:
    settings = SweepSettings(dims=GRIDS["full"])
    usual = estimate_seconds(settings, REFERENCE_RATE)
    assert estimate_seconds(settings, REFERENCE_RATE / 10) > 1.5 * usual
    assert estimate_seconds(SweepSettings(), REFERENCE_RATE) < usual / 3
    assert estimate_seconds(SweepSettings(dims=GRIDS["full"], with_literal=True), REFERENCE_RATE) > 1.4 * usual
    assert estimate_seconds(SweepSettings(dims=GRIDS["full"], solver="inverse"), REFERENCE_RATE) > usual
    once = estimate_seconds(SweepSettings(dims=GRIDS["full"], repeats=1), REFERENCE_RATE)
    assert 2 < usual / once < 5


def test_a_row_costs_what_was_measured_once() -> None:
    assert row_seconds(CHOLESKY, Case(3072, 10), REFERENCE_RATE) == pytest.approx(0.307)
    assert row_seconds(CHOLESKY, Case(3072, 10), 2 * REFERENCE_RATE) == pytest.approx(0.307 / 2)
    between = row_seconds(CHOLESKY, Case(1500, 10), REFERENCE_RATE)
    assert 0.0178 < between < 0.099


def test_the_rest_is_judged_by_what_took_how_long() -> None:
    costs = timing_costs(SETTINGS, REFERENCE_RATE)
    assert len(costs) == SETTINGS.n_timings
    assert seconds_left([5.0] * 4, 0, 0.0) == 20
    assert seconds_left([5.0] * 4, 2, 10.0) == pytest.approx(10)
    assert seconds_left([5.0] * 4, 2, 22.0) == pytest.approx(20)
    assert seconds_left([5.0] * 4, 4, 22.0) == 0


def test_a_sweep_grows_to_the_whole() -> None:
    shown: list[SweepResult] = []
    result = sweep(TINY, shown.append)
    assert result is shown[-1]
    assert result.is_whole
    assert result.now == ""
    assert result.seconds_left == 0
    assert [(m.case.n_features, m.contender) for m in result.measurements] == [
        (width, who) for width in (2, 4, 8) for who in (YOUNG, CHOLESKY)
    ]
    assert [len(e.dims) for e in result.exponents] == [3, 3]
    assert dict(result.machine).keys() >= {"CPU", "NumPy", "BLAS"}
    counts = [sum(len(m.seconds) for m in step.measurements) for step in shown]
    assert counts == sorted(counts)
    assert set(counts) == set(range(TINY.n_timings + 1))
    assert shown[0].now == "Fast IGMN, D = 2"
    assert not any(step.is_whole for step in shown[:-1])


def test_cancelling_keeps_what_was_measured() -> None:
    shown: list[SweepResult] = []
    result = sweep(TINY, shown.append, lambda: shown[-1].n_done == 5)
    assert result.n_done == 5
    assert not result.is_whole
    assert [(m.case.n_features, len(m.seconds)) for m in result.measurements] == [(2, 2), (2, 2), (4, 1)]
    assert result.speed_up(2, YOUNG) is not None
    assert result.speed_up(4, YOUNG) is None


def test_one_blas_thread_while_it_runs_and_as_before_afterwards() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        before = blas_threads()
        results = sweeping(TINY)
        next(results)
        assert blas_threads() == {1}
        results.close()
        assert blas_threads() == before
        during: list[set[int]] = []
        sweep(TINY, lambda _: during.append(blas_threads()), lambda: len(during) == 3)
        assert during == [{1}] * 3
        assert blas_threads() == before


def test_conclusions_of_known_times() -> None:
    result = made_up()
    slopes = {e.contender: e.slope for e in result.exponents}
    assert slopes == pytest.approx({YOUNG: 1.0, MATURE: 2.0, CHOLESKY: 3.0, LITERAL: 1.0})
    meets = {c.contender: c.n_features for c in result.crossovers}
    # 2e-6 D = 1e-8 D³, 1e-7 D² = 1e-8 D³, 6e-5 D = 1e-8 D³
    assert meets == pytest.approx({YOUNG: 200**0.5, MATURE: 10.0, LITERAL: 6000**0.5})
    assert {c.faster_above for c in result.crossovers} == {YOUNG, MATURE, LITERAL}
    assert not any(c.is_always_faster for c in result.crossovers), "at D = 8 the cubic engine is faster than all"
    many = made_up(SweepSettings(dims=(64, 128, 256), repeats=1))
    assert all(c.is_always_faster for c in many.crossovers)
    assert result.speed_up(64, MATURE) == pytest.approx(6.4)
    assert result.speed_up(64, YOUNG) == pytest.approx(20.48)
    assert result.speed_up(64, CHOLESKY) is None


def test_two_dimensions_make_no_fit() -> None:
    result = made_up(n_cases=2)
    assert not result.exponents
    assert not result.crossovers
    assert len(result.speed_ups) == 6
    assert (result.n_done, result.n_total, result.is_whole) == (24, 48, False)
