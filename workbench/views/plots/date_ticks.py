"""Round dates on an axis: whole years, months, days, hours, minutes or seconds.

Not `pyqtgraph.DateAxisItem`: it labels in two levels, and leaves the upper one out where none of its marks is in view.
Five days of January 2020 read "02 03 04 05 06" with no month or year, two hours of a day "01:00 02:00" with no date.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SECONDS = {"Y": 31_556_952, "M": 2_629_746, "D": 86_400, "h": 3_600, "m": 60, "s": 1}
STEPS = (
    *((step, "s") for step in (1, 2, 5, 10, 15, 30)),
    *((step, "m") for step in (1, 2, 5, 10, 15, 30)),
    *((step, "h") for step in (1, 2, 3, 6, 12)),
    *((step, "D") for step in (1, 2, 5, 10)),
    *((step, "M") for step in (1, 2, 3, 6)),
    *((step * scale, "Y") for scale in (1, 10, 100, 1000) for step in (1, 2, 5)),
)
"""From the finest to the coarsest."""


ROOM = {"Y": 56, "M": 72, "D": 92, "h": 120, "m": 120, "s": 72}
"""Pixels for the label of a tick."""


class DateTicks(NamedTuple):
    """Ticks in seconds since 1970, and their labels."""

    seconds: list[float]
    texts: list[str]


def date_ticks(low: float, high: float, pixels: float) -> DateTicks:
    """Round dates between two times in seconds since 1970, as many as fit.

    >>> date_ticks(1577836800, 1629417600, 330).texts
    ['2020-01', '2020-07', '2021-01', '2021-07']
    """
    a_pixel = (high - low) / max(pixels, 1.0)
    enough = ((step, unit) for step, unit in STEPS if step * SECONDS[unit] >= ROOM[unit] * a_pixel)
    step, unit = next(enough, STEPS[-1])
    first, last = (np.datetime64(int(np.clip(edge, -6e10, 2.5e11)), "s") for edge in (np.floor(low), np.ceil(high)))
    start = _rounded(first, step, unit)
    marks = np.arange(start, last.astype(f"datetime64[{unit}]") + 1, step)
    seconds = marks.astype("datetime64[s]").astype(np.int64).astype(np.float64)
    inside = (seconds >= low) & (seconds <= high)
    return DateTicks(seconds[inside].tolist(), _texts(marks[inside], unit))


def _rounded(moment: Any, step: int, unit: str) -> Any:
    """The last round date before a time; days count from the first of the month."""
    if unit == "D":
        return moment.astype("datetime64[M]").astype("datetime64[D]")
    number = int(moment.astype(f"datetime64[{unit}]").astype(np.int64))
    # Decades count from the year 0, not from 1970.
    shift = 1970 if unit == "Y" else 0
    return np.array((number + shift) // step * step - shift).astype(f"datetime64[{unit}]")[()]


def _texts(marks: NDArray[np.datetime64], unit: str) -> list[str]:
    texts = marks.astype("datetime64[m]" if unit == "h" else f"datetime64[{unit}]").astype(str).tolist()
    return [text[11:] if unit == "s" else text.replace("T", " ") for text in texts]
