"""Whether two methods differ by more than chance: the paired t-test of the paper, and the marks of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from workbench.words.sentences import UserError

LEVEL = 0.05
"""Significance level of the paper."""
FEWEST = 2
"""Pairs that a test needs at least."""
ROUNDING = 1e-14
"""Relative difference up to which differences count as equal: SciPy warns of its result up to 2e-15."""
Mark = Literal["", "●", "○"]


@dataclass(frozen=True)
class PairedTest:
    """Result of a paired t-test of `n` differences, first minus second."""

    t: float
    """Student's t; infinite where all differences are equal and not 0."""
    p: float
    """Two-sided."""
    n: int

    def mark(self, level: float = LEVEL) -> Mark:
        """● if the second is significantly less than the first, ○ if it is significantly more, empty otherwise.

        >>> paired_t_test([5.0, 5.0], [1.0, 1.0]).mark(), paired_t_test([5.0, 6.0], [1.0, 9.0]).mark()
        ('●', '')
        """
        if not self.p < level:
            return ""
        return "●" if self.t > 0 else "○"


def paired_t_test(first: Sequence[float], second: Sequence[float]) -> PairedTest:
    """Student's t-test of the differences, with n - 1 degrees of freedom.

    Where all differences are equal, p is 1 if they are 0 and 0 if they are not; SciPy's `ttest_rel` returns NaN there,
    or warns.

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
    mean = float(differences.mean())
    if np.allclose(differences, mean, rtol=ROUNDING, atol=0.0):
        return PairedTest(float(np.copysign(np.inf, mean)) if mean else 0.0, 0.0 if mean else 1.0, len(differences))
    from scipy.stats import ttest_rel  # takes up to 1.3 s to import: only where it is needed

    found = ttest_rel(first, second)
    return PairedTest(float(found.statistic), float(found.pvalue), len(differences))
