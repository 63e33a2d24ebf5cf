"""The paired t-test, against closed forms and a published example."""

from __future__ import annotations

import math

import pytest

from workbench.evaluate.significance import PairedTest, paired_t_test

# Hours of sleep gained under two drugs: Student (1908), The probable error of a mean.
FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_students_own_example() -> None:
    test = paired_t_test(FIRST, SECOND)
    assert (round(test.t, 4), round(test.p, 6), test.n) == (-4.0621, 0.002833, 10)


@pytest.mark.parametrize("differences", [(1.0, 3.0), (-1.0, -3.0), (0.5, 0.6), (4.0, -1.0)])
def test_two_pairs_leave_one_degree_of_freedom(differences: tuple[float, float]) -> None:
    first, second = differences
    t = (first + second) / abs(first - second)
    test = paired_t_test(differences, [0.0, 0.0])
    assert test.t == pytest.approx(t)
    # Student's distribution with one degree of freedom is Cauchy's.
    assert test.p == pytest.approx(1 - 2 / math.pi * math.atan(abs(t)))
    assert test.n == 2


def test_equal_differences_are_certain_or_nothing() -> None:
    assert paired_t_test([3.0, 5.0], [3.0, 5.0]) == PairedTest(0.0, 1.0, 2)
    assert paired_t_test([3.0, 5.0], [1.0, 3.0]) == PairedTest(math.inf, 0.0, 2)
    assert paired_t_test([1.0, 3.0], [3.0, 5.0]) == PairedTest(-math.inf, 0.0, 2)


@pytest.mark.parametrize(
    ("test", "mark"),
    [
        (PairedTest(20.0, 0.03, 2), "●"),
        (PairedTest(-20.0, 0.03, 2), "○"),
        (PairedTest(12.0, 0.053, 2), ""),
        (PairedTest(12.7, 0.05, 2), ""),
        (PairedTest(0.0, 1.0, 2), ""),
    ],
)
def test_marks_are_those_of_the_paper(test: PairedTest, mark: str) -> None:
    assert test.mark() == mark


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([1.0, 2.0], [1.0], "2 values cannot be paired with 1"),
        ([1.0], [2.0], "1 pair is too few for a t-test: give at least 2"),
        ([1.0, math.nan], [2.0, 3.0], "Pair 2 is nan and 3.0"),
    ],
)
def test_what_cannot_be_tested_is_refused(first: list[float], second: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        paired_t_test(first, second)


def test_differences_equal_to_rounding_are_equal() -> None:
    """0.3 - 0.1 is not 0.4 - 0.2, by the last bit; SciPy warns of what it makes of them."""
    assert paired_t_test([0.3, 0.4], [0.1, 0.2]) == PairedTest(math.inf, 0.0, 2)
    assert paired_t_test([0.1, 0.2], [0.3, 0.4]) == PairedTest(-math.inf, 0.0, 2)
