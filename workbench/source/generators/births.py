"""Endless stream of clusters that are born, move a little, fade and vanish."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.source.generators.base import CONSTANTS, EVENTS, Drawn, Generator, axes, numbered, random_stream
from workbench.source.generators.placing import arrows, sunflower
from workbench.source.generators.settings import setting
from workbench.source.table.table import Role

FADING = 0.25
"""The last part of a life, over which a cluster's rows become rarer."""
SPACING, LONGEST_MOVE, LONG_AXIS, SHORT_AXIS = 1.8, 0.8, 0.4, 0.15
"""Sites are 2.8 apart or more, so that clusters that live together never come nearer than five standard deviations."""


class Lives(NamedTuple):
    """Lives with consecutive numbers, one a line."""

    first: int
    birth: NDArray[np.int64]
    lifetime: NDArray[np.float64]
    site: NDArray[np.float64]
    move: NDArray[np.float64]
    """From where the cluster is born to where it dies."""
    long_axis: NDArray[np.float64]
    short_axis: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class BirthsAndDeaths(Generator):
    """A cluster is born at regular times, and dies when from two to `clusters` younger ones have been born.

    >>> next(BirthsAndDeaths(clusters=3).stream())["class"].labels
    ('cluster 1', 'cluster 2', 'cluster 3')
    """

    title = "Births and deaths"
    description = "Clusters that are born, move a little, fade and vanish while others live on, for ever."

    clusters: int = setting(6, low=2, high=20, whole=True, label="clusters", help="Largest number alive at a time.")
    lifetime: int = setting(
        4000, low=200, high=1_000_000, log=True, whole=True, label="lifetime (rows)", help="Rows of an average life."
    )

    def living(self, start: int, stop: int) -> NDArray[np.int64]:
        """How many clusters live at each row from `start` up to `stop`: always from two to `clusters`.

        >>> BirthsAndDeaths(clusters=2).living(10**9, 10**9 + 3).tolist()
        [2, 2, 2]
        """
        first = self._row_number("start", start)
        rows = np.arange(first, self._row_number("stop", stop, low=first + 1), dtype=np.int64)
        candidates = self._candidates(rows)
        return (frequency(rows, self._lives(candidates), candidates) > 0).sum(axis=0)  # type: ignore[no-any-return]

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(2)

    def _labels(self) -> tuple[str, ...]:
        return numbered("cluster", self.clusters)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        candidates = self._candidates(rows)
        lives = self._lives(candidates)
        number = choose(random, candidates, frequency(rows, lives, candidates))
        life = number - lives.first
        progress = (rows - lives.birth[life]) / lives.lifetime[life] - 0.5
        along, across = random.standard_normal((2, len(rows), 1))
        # np.take copies whole lines, ten times as fast as an index in brackets.
        vectors = (lives.site, lives.move, lives.long_axis, lives.short_axis)
        site, move, long_axis, short_axis = (np.take(lines, life, axis=0) for lines in vectors)
        return Drawn(
            site + progress[:, np.newaxis] * move + along * long_axis + across * short_axis, number % self.clusters
        )

    @property
    def _step(self) -> int:
        """Rows from birth to birth. Lives last from 2 to `clusters` steps, which makes their average as set."""
        return round(2 * self.lifetime / (self.clusters + 2))

    def _candidates(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of the lives that may not have ended yet, one column a row, the youngest last."""
        # Lives count from 1 - clusters steps before the first row, so that it too has older ones to belong to.
        return rows // self._step + np.arange(1, self.clusters + 1)[:, np.newaxis]

    def _lives(self, candidates: NDArray[np.int64]) -> Lives:
        number = np.arange(candidates.min(), candidates.max() + 1)
        span, reach, thinness, direction, turn = np.transpose([fate(self.seed, int(life)) for life in number])
        return Lives(
            first=int(number[0]),
            birth=(number - self.clusters) * self._step,
            lifetime=self._step * (2 + span * (self.clusters - 2)),
            site=self._sites[number % len(self._sites)],
            move=arrows(direction, LONGEST_MOVE * reach),
            long_axis=arrows(turn, np.full_like(turn, LONG_AXIS)),
            short_axis=arrows(turn + 0.25, LONG_AXIS + (SHORT_AXIS - LONG_AXIS) * thinness),
        )

    @cached_property
    def _sites(self) -> NDArray[np.float64]:
        # No two of these consecutive lives share a site; the odd number gives a site another colour each time.
        sites = SPACING * sunflower(2 * self.clusters + 1)
        return random_stream(self.seed, CONSTANTS).permutation(sites)


@lru_cache(maxsize=4096)
def fate(seed: int, life: int) -> NDArray[np.float64]:
    """Five numbers from 0 to 1 that decide about a life; remembered because consecutive blocks share lives."""
    return random_stream(seed, EVENTS, life).random(5)


def frequency(rows: NDArray[np.int64], lives: Lives, number: NDArray[np.int64]) -> NDArray[np.float64]:
    """How frequent a cluster is: fully from its birth on, at last less and less, and not at all after its death."""
    life = number - lives.first
    remaining = (lives.birth + lives.lifetime)[life] - rows
    return np.clip(remaining / (FADING * lives.lifetime)[life], 0, 1)


def choose(random: np.random.Generator, number: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """One number of every column, with probabilities in proportion to its weights."""
    # Line by line, which is much faster than NumPy's cumsum over few long lines.
    bounds = np.stack(list(accumulate(weights)))
    lot = random.random(weights.shape[1]) * bounds[-1]
    # Rounding can lift the lot to the last bound; the last of all is then the right one.
    position = np.minimum((bounds <= lot).sum(axis=0), len(bounds) - 1)
    return number[position, np.arange(weights.shape[1])]  # type: ignore[no-any-return]
