"""The benchmark: what it times is the same mixture, and its figures are what they say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from figmn import FastIGMN
from figmn.bench import (
    CHOLESKY,
    CONTENDERS,
    LITERAL,
    MATURE,
    YOUNG,
    Case,
    Exponent,
    LiteralFastIGMN,
    Measurement,
    VectorisedFastIGMN,
    crossover,
    fit_exponents,
    measure,
    measuring,
)
from figmn.params import NEUTRAL


@pytest.mark.parametrize("case", [Case(2, 400, 5), Case(8, 400, 5), Case(200, 60, 1)])
@pytest.mark.parametrize("slow", [LiteralFastIGMN, VectorisedFastIGMN])
def test_the_slow_versions_learn_the_same_mixture(
    case: Case, slow: type[LiteralFastIGMN] | type[VectorisedFastIGMN]
) -> None:
    rows = case.rows(case.n_rows)
    fast = FastIGMN(**case.options(), sp_min=0, **NEUTRAL).learn(rows)
    other = slow(**case.options()).learn(rows)
    assert fast.n_components == case.n_components
    np.testing.assert_allclose(np.array(other.means), fast.means, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.array(other.precisions), fast.precisions, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(other.log_dets, fast.log_determinants, rtol=1e-9, atol=1e-9)


def test_every_contender_is_timed_on_every_case() -> None:
    cases = [Case(3, 50), Case(5, 50, 2)]
    found = measure(cases, list(CONTENDERS.values()), repeats=2)
    assert [(m.case, m.contender) for m in found] == [(c, who) for c in cases for who in CONTENDERS.values()]
    assert all(len(m.seconds) == 2 and m.n_timed == 50 and min(m.seconds) > 0 for m in found)


def test_a_stop_keeps_what_was_measured() -> None:
    told = []

    def stop_after_three(done: int, total: int, label: str) -> bool:
        told.append((done, total, label))
        return done < 3

    found = measure([Case(3, 20), Case(4, 20)], [YOUNG, CHOLESKY], repeats=1, progress=stop_after_three)
    assert [(m.case.n_features, m.contender) for m in found] == [(3, YOUNG), (3, CHOLESKY), (4, YOUNG)]
    assert told[0] == (0, 4, "Fast IGMN, D = 3")


def test_long_timings_take_fewer_rows() -> None:
    (m,) = measure([Case(60, 100_000)], [CHOLESKY], repeats=1, seconds=0.01)
    assert 2 <= m.n_timed < 100_000


def test_exponents_have_an_interval_that_holds_the_truth() -> None:
    rng = np.random.default_rng(0)
    found = [
        Measurement(MATURE, Case(width, 10), 10, (1e-9 * width**2 * np.exp(rng.normal(0, 0.05)),))
        for width in (128, 256, 512, 1024, 2048)
    ]
    (exponent,) = fit_exponents(found)
    assert exponent.low < 2 < exponent.high
    assert exponent.high - exponent.low < 0.3
    assert exponent.dims == (128, 256, 512, 1024, 2048)


def test_two_points_make_no_exponent() -> None:
    assert fit_exponents([Measurement(YOUNG, Case(width, 10), 10, (1.0,)) for width in (2, 4)]) == []


def law(seconds: Callable[[int], float], *dims: int) -> Exponent:
    """The fit of times that follow a law."""
    (found,) = fit_exponents([Measurement(CHOLESKY, Case(width, 10), 10, (seconds(width),)) for width in dims])
    return found


def test_fixed_costs_of_few_dimensions_do_not_flatten_the_fit() -> None:
    """From three dimensions of 64 or more on, the smaller ones are left out of the fit."""
    found = law(lambda width: 1e-6 + 1e-9 * width**3, 2, 8, 32, 256, 512, 1024)
    assert found.dims == (256, 512, 1024)
    assert found.slope == pytest.approx(3, abs=0.1)
    assert found.is_asymptotic


def test_an_exponent_of_few_dimensions_is_not_asymptotic() -> None:
    found = law(lambda width: 1e-6 * width**3, 2, 4, 8, 16, 64, 128)
    assert found.dims == (2, 4, 8, 16, 64, 128)
    assert not found.is_asymptotic


def test_a_growth_that_still_rises_is_not_asymptotic() -> None:
    found = law(lambda width: 1e-3 + 1e-9 * width**3, 64, 128, 256, 512)
    assert found.rise > 0.25
    assert not found.is_asymptotic
    assert law(lambda width: 1e-9 * width**3, 64, 128, 256, 512).rise == pytest.approx(0, abs=1e-9)


def test_every_timing_has_the_time_of_the_processor_beside_it() -> None:
    (m,) = measure([Case(20, 200)], [CHOLESKY], repeats=3)
    assert len(m.cpu_seconds) == len(m.seconds) == 3
    assert all(0 < cpu <= wall for cpu, wall in zip(m.cpu_seconds, m.seconds, strict=True))
    assert m.cpu_median == sorted(m.cpu_seconds)[1]


def test_what_was_measured_is_there_after_every_timing() -> None:
    stages = list(measuring([Case(3, 20), Case(4, 20)], [YOUNG, CHOLESKY], repeats=2))
    assert [len(stage.measurements) for stage in stages if stage.n_done == 4] == [2, 2]
    assert sorted({stage.n_done for stage in stages}) == list(range(9))
    for stage in stages:
        assert sum(len(m.seconds) for m in stage.measurements) == stage.n_done
        assert stage.n_total == 8
    assert stages[0].label == "Fast IGMN, D = 3"
    assert stages[-1].now is None


def test_a_case_that_does_not_fit_is_refused_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("figmn.bench.contenders.available_bytes", lambda: 300_000_000)
    with pytest.raises(MemoryError, match=r"D = 3,072: 30\d\.\d MB needed, 300\.0 MB available\. Choose fewer dim"):
        next(measuring([Case(2, 10), Case(3072, 10)], [LITERAL]))
    assert next(measuring([Case(3072, 10)], [CHOLESKY])).n_done == 0


def test_memory_counts_rows_and_models() -> None:
    small, large = Case(100, 10).n_bytes([YOUNG]), Case(100, 10_010).n_bytes([YOUNG])
    assert large - small == 2 * 8 * 100 * 10_000  # twice while they are drawn
    both = Case(100, 10).n_bytes([YOUNG, MATURE])
    assert both > small + 8 * 100**2


def test_a_fit_gives_times_between_and_beyond_what_was_measured() -> None:
    (exponent,) = fit_exponents(
        [Measurement(CHOLESKY, Case(width, 10), 10, (2e-9 * width**3,)) for width in (8, 16, 32)]
    )
    assert exponent.at(10) == pytest.approx(2e-6)
    assert exponent.at(1000) == pytest.approx(2.0)
    assert exponent.margin == pytest.approx(0.0, abs=1e-9)


def test_two_fits_meet_where_both_take_the_same_time() -> None:
    square = Exponent(MATURE, 2.0, 2.0, 2.0, (2, 4, 8), scale=5e-8)
    cube = Exponent(CHOLESKY, 3.0, 3.0, 3.0, (2, 4, 8), scale=1e-9)
    assert crossover(square, cube) == pytest.approx(50.0)
    assert crossover(cube, square) == pytest.approx(50.0)
    assert crossover(square, square) is None
    almost = Exponent(MATURE, 2.0 + 1e-12, 2.0, 2.0, (2, 4, 8), scale=1e-9)
    assert crossover(square, almost) is None  # they meet beyond every number
