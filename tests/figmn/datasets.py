"""Real data for the tests: scikit-learn's copies with a one-hot class appended, in a fixed shuffled order."""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn import datasets

from figmn.scale import column_std, with_floor
from figmn.system.arrays import Floats

NAMES = ("iris", "wine", "breast_cancer", "digits")


@cache
def rows_of(name: str) -> Floats:
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    rows = np.hstack([X, np.eye(y.max() + 1)[y]])
    rows = rows[np.random.default_rng(0).permutation(len(rows))]
    rows.flags.writeable = False
    return rows


@cache
def widths_of(name: str) -> Floats:
    """Standard deviations, with the floor for the constant pixels of the digits: no warning."""
    widths = with_floor(column_std(rows_of(name)))
    widths.flags.writeable = False
    return widths
