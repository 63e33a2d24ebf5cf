"""The speed of a run: the initial speed of a dataset, and how long the user's choice is kept.

The rule, in this one place: data of up to `SMALL` rows start at a speed that can be watched, `WATCHED_SECONDS` for the
whole; a stream without end starts at `ENDLESS_SPEED`; all other data start unlimited. A number of samples a second
that the user chooses holds until data of another origin come. *Unlimited*, once the user has chosen it, stays for them,
too, until it is switched off.
"""

from __future__ import annotations

import math

from workbench.run.recipe.dataset import Dataset, Origin

SPEEDS = (*(mantissa * 10.0**power for power in range(6) for mantissa in (1, 1.5, 2, 3, 5, 7)), 1e6)
"""Samples per second that can be chosen; beyond the last is unlimited."""
SMALL = 5000
WATCHED_SECONDS = 20.0
ENDLESS_SPEED = 1500.0
"""Fast enough to see births, slow enough to see why."""
USUAL_SPEED = 100.0
"""The limit when *unlimited* is switched off before there are data."""


class Speed:
    """Samples per second; None is unlimited.

    >>> from workbench.run.recipe.dataset import SampleOrigin, load
    >>> speed = Speed()
    >>> speed.suit(load(SampleOrigin("iris")))
    >>> speed.value
    7.0
    >>> speed.toggle()
    >>> print(speed.value)
    None
    """

    def __init__(self) -> None:
        self.value: float | None = None
        self._limit = USUAL_SPEED
        """The limit when *unlimited* is switched off."""
        self._stays_unlimited = False
        self._origin: Origin | None = None

    def suit(self, dataset: Dataset) -> None:
        """Take the initial speed of a dataset, if its origin is another than that of the one before."""
        if dataset.origin == self._origin:
            return
        self._origin, self._limit = dataset.origin, watched_speed(dataset)
        if not self._stays_unlimited:
            self.value = self._limit if starts_watched(dataset) else None

    def choose(self, value: float | None) -> None:
        """Take the user's choice."""
        self.value, self._stays_unlimited = value, value is None
        if value is not None:
            self._limit = value

    def toggle(self) -> None:
        """Switch *unlimited* on, or off again."""
        self.choose(self._limit if self.value is None else None)


def starts_watched(dataset: Dataset) -> bool:
    """Whether the initial speed is one that can be watched."""
    return dataset.is_endless or (dataset.is_whole and dataset.table.n_rows <= SMALL)


def watched_speed(dataset: Dataset) -> float:
    """The speed at which all rows take about `WATCHED_SECONDS`, as a round number."""
    if not dataset.is_whole:
        return ENDLESS_SPEED
    return nearest(max(dataset.table.n_rows, 1) / WATCHED_SECONDS)


def nearest(speed: float) -> float:
    """The speed that can be chosen nearest to another one.

    >>> nearest(7.5), nearest(0.01), nearest(1e9)
    (7.0, 1.0, 1000000.0)
    """
    return min(SPEEDS, key=lambda offered: abs(math.log(offered / speed)))
