"""Numbers as text."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.words.counts import counted
from workbench.words.numbers import MINUS, compared, fixed, percent, rough, short, with_prefix


@given(st.floats(min_value=-1e12, max_value=1e12).filter(lambda value: abs(value) > 1e-12), st.integers(2, 6))
def test_a_short_number_is_the_number_to_its_digits(value: float, digits: int) -> None:
    read = float(short(value, digits).replace(",", "").replace(MINUS, "-"))
    assert read == pytest.approx(value, rel=0.5001 * 10 ** (1 - digits))


def test_numbers_have_a_true_minus() -> None:
    assert "-" not in short(-0.5) + short(-5e-9) + fixed(-5, 1) + rough(-5e-9)


@given(st.floats(0, 1))
def test_a_share_is_all_only_where_the_rest_is_below_a_millionth(share: float) -> None:
    assert (percent(share) == "100 %") == (share >= 1 - 0.5e-6)


def test_two_numbers_that_differ_look_different() -> None:
    assert compared(9.4877, 9.4879) == ("9.4877", "9.4879")
    assert compared(math.inf, 3.0) == ("infinite", "3.00")


def test_rates_round_up_into_the_next_prefix() -> None:
    assert (with_prefix(999.4), with_prefix(999.6), with_prefix(1e9)) == ("999", "1 k", "1 G")


def test_only_one_is_singular() -> None:
    assert [counted(count, "sample") for count in (0, 1, 2, 1000)] == [
        "0 samples",
        "1 sample",
        "2 samples",
        "1,000 samples",
    ]
