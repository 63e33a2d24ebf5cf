"""The figures of a column, as Weka's Explorer shows them; what models use is in `profile`."""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FARTHEST = 400
"""Powers of two from 1 within which the squares of numbers, and sums of many, are ordinary doubles."""

PIECE = 5_000
"""Objects that are looked at without a break: meanwhile no other thread has the interpreter, the window's included."""


@dataclass(frozen=True)
class Summary:
    """What a column holds. Figures that a kind does not have are None."""

    n_rows: int
    n_missing: int
    n_distinct: int
    """How many different values there are."""
    n_unique: int
    """How many values occur just once."""
    minimum: float | np.datetime64 | None = None
    maximum: float | np.datetime64 | None = None
    mean: float | np.datetime64 | None = None
    std: float | None = None
    """Sample standard deviation (n - 1), as Weka shows it; of dates, in days. For display alone: models take n."""
    counts: tuple[tuple[str, int], ...] = ()
    """How often every label of a nominal column occurs, those that never do included."""

    @property
    def missing_percent(self) -> float:
        """Missing values in percent of all rows."""
        return 100 * self.n_missing / self.n_rows if self.n_rows else 0.0


def summarise(kind: str, values: NDArray[Any], labels: tuple[str, ...], missing: NDArray[np.bool_]) -> Summary:
    """The figures of the values of one column.

    >>> summarise("numeric", np.array([1.0, 2.0, 2.0, np.nan]), (), np.array([False, False, False, True]))
    Summary(n_rows=4, n_missing=1, n_distinct=2, n_unique=1, minimum=1.0, maximum=2.0, mean=1.66..., std=0.57..., ...)
    """
    n_missing = int(missing.sum())
    known = values[~missing] if n_missing else values
    if kind == "nominal":
        counts = np.bincount(known, minlength=len(labels))
        distinct, unique = int((counts > 0).sum()), int((counts == 1).sum())
        by_label = tuple(zip(labels, counts.tolist(), strict=True))
        return Summary(len(values), n_missing, distinct, unique, counts=by_label)
    distinct, unique = _distinct_and_unique(known) if len(known) else (0, 0)
    if kind == "string" or not len(known):
        return Summary(len(values), n_missing, distinct, unique)
    if kind == "date":
        return _date_summary(known, len(values), n_missing, distinct, unique)
    low, high, mean, std = _moments(known)
    return Summary(len(values), n_missing, distinct, unique, low, high, mean, std)


def _date_summary(known: NDArray[Any], n_rows: int, n_missing: int, distinct: int, unique: int) -> Summary:
    """Mean and std from whole microseconds, taken from the first date so that no digit is lost."""
    first = known.min()
    _, _, mean, std = _moments((known - first).astype(np.int64))
    middle = first + np.timedelta64(round(mean), "us")
    return Summary(n_rows, n_missing, distinct, unique, first, known.max(), middle, std / 86_400e6)


def _moments(known: NDArray[Any]) -> tuple[float, float, float, float]:
    low, high, mean, spread = population_moments(known)
    # In place of known.std(ddof=1), which warns of a single value.
    return low, high, mean, _sample_std(spread, len(known))


def population_moments(known: NDArray[Any]) -> tuple[float, float, float, float]:
    """Minimum, maximum, mean and standard deviation (ddof 0) of finite numbers, whose squares may overflow.

    >>> population_moments(np.array([-1.5e308, 1.5e308]))
    (-1.5e+308, 1.5e+308, 0.0, 1.5e+308)
    """
    low, high = float(known.min()), float(known.max())
    if low == high:
        # The mean of equal numbers is not always one of them.
        return low, high, low, 0.0
    exponent = math.frexp(max(-low, high))[1]
    if abs(exponent) > FARTHEST:
        # Squares would overflow or vanish: a power of two scales without rounding.
        known = np.ldexp(known.astype(np.float64), -exponent)
    else:
        exponent = 0
    mean, spread = float(known.mean(dtype=np.float64)), float(known.std(dtype=np.float64))
    # Half of the smallest double is not 0 either.
    spread = max(math.ldexp(spread, exponent), math.ulp(0))
    return low, high, min(max(math.ldexp(mean, exponent), low), high), spread


def _sample_std(spread: float, n: int) -> float:
    """The sample standard deviation (n - 1) from that of the population; the largest double where it is larger."""
    return min(spread * math.sqrt(n / (n - 1)), sys.float_info.max) if n > 1 else 0.0


def _distinct_and_unique(known: NDArray[Any]) -> tuple[int, int]:
    if known.dtype == object:
        counts: Counter[str] = Counter()
        for start in range(0, len(known), PIECE):
            counts.update(known[start : start + PIECE].tolist())
        return len(counts), sum(count == 1 for count in counts.values())
    # Sorting a million numbers takes NumPy 15 ms, counting them in a hash table 30 times as long.
    ordered = np.sort(known)
    new = np.concatenate([[True], ordered[1:] != ordered[:-1], [True]])
    return int(new[:-1].sum()), int((new[:-1] & new[1:]).sum())
