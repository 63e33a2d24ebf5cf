"""The benchmark: what it times is the same mixture, and its figures are what they say."""

from __future__ import annotations

import numpy as np
import pytest

from figmn import FastIGMN
from figmn.bench import (
    CHOLESKY,
    CONTENDERS,
    MATURE,
    YOUNG,
    Case,
    LiteralFastIGMN,
    Measurement,
    VectorisedFastIGMN,
    fit_exponents,
    measure,
)


@pytest.mark.parametrize("case", [Case(2, 400, 5), Case(8, 400, 5), Case(200, 60, 1)])
@pytest.mark.parametrize("slow", [LiteralFastIGMN, VectorisedFastIGMN])
def test_the_slow_versions_learn_the_same_mixture(
    case: Case, slow: type[LiteralFastIGMN] | type[VectorisedFastIGMN]
) -> None:
    rows = case.rows(case.n_rows)
    fast = FastIGMN(**case.options(), sp_min=0).learn(rows)
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
