"""Whether two ways differ by more than chance: the paired t-test of the paper, and the signs of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtr

from workbench.words.sentences import UserError

LEVEL = 0.05
"""The p of the paper."""
FEWEST = 2
"""Pairs that a test needs."""
Mark = Literal["", "●", "○"]


@dataclass(frozen=True)
class PairedTest:
    """What a paired t-test says of n differences, first less second."""

    t: float
    """Student's t; infinite where all differences are the same and not 0."""
    p: float
    """Two-sided."""
    n: int

    def mark(self, level: float = LEVEL) -> Mark:
        """● for a second that is significantly less than the first, ○ for one that is more, nothing otherwise.

        >>> paired_t_test([5.0, 5.0], [1.0, 1.0]).mark(), paired_t_test([5.0, 6.0], [1.0, 9.0]).mark()
        ('●', '')
        """
        if not self.p < level:
            return ""
        return "●" if self.t > 0 else "○"


def paired_t_test(first: Sequence[float], second: Sequence[float]) -> PairedTest:
    """Student's t-test of the differences, with n - 1 degrees of freedom.

    Where all differences are equal, p is 1 if they are 0 and 0 if they are not.

    >>> test = paired_t_test([3.0, 4.0, 5.0], [1.0, 3.0, 2.0])
    >>> round(test.t, 3), round(test.p, 4), test.n
    (3.464, 0.0742, 3)
    """
    if len(first) != len(second):
        raise UserError(
            "{n_first} values cannot be paired with {n_second}: give one of each for every fold, in one order.",
            n_first=len(first),
            n_second=len(second),
        )
    if len(first) < FEWEST:
        raise UserError(
            "{n_pairs} pair is too few for a t-test: give at least {fewest}.",
            fewest=FEWEST,
            n_pairs=len(first),
        )
    differences = np.subtract(first, second, dtype=np.float64)
    if not np.isfinite(differences).all():
        place = int(np.flatnonzero(~np.isfinite(differences))[0])
        raise UserError(
            "Pair {pair} is {first} and {second}: a t-test needs finite numbers. Leave the pair out.",
            pair=place + 1,
            first=first[place],
            second=second[place],
        )
    n, mean = len(differences), float(differences.mean())
    error = float(differences.std(ddof=1)) / np.sqrt(n)
    if error == 0:
        return PairedTest(float(np.copysign(np.inf, mean)) if mean else 0.0, 0.0 if mean else 1.0, n)
    t = mean / error
    return PairedTest(float(t), 2 * float(stdtr(n - 1, -abs(t))), n)
