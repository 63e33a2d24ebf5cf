"""Plane figures that no single Gaussian can follow, and noise without any figure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.source.generators.base import Drawn, Generator, axes, numbered
from workbench.source.generators.settings import choice, setting
from workbench.source.table.table import Role

SPIRAL_POINTS = 97
"""Points of each of the two original spirals."""


@dataclass(frozen=True, kw_only=True)
class TwoSpirals(Generator):
    """The benchmark of Lang & Witbrock (1988), "Learning to tell two spirals apart", and dense versions of it.

    >>> TwoSpirals().table(194)["class"].labels
    ('spiral 1', 'spiral 2')
    """

    title = "Two spirals"
    description = "Two interleaved spirals of three turns; the original has 194 points."

    points: str = choice(
        "original",
        "dense",
        label="points",
        help="original: the 194 points of 1988, over and over. dense: anywhere along the curves, evenly.",
    )
    noise: float = setting(0.0, low=0, high=1, label="noise", help="Standard deviation; the spirals are 1 apart.")

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(2)

    def _labels(self) -> tuple[str, ...]:
        return numbered("spiral", 2)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        if self.points == "original":
            point, codes = np.divmod(rows % (2 * SPIRAL_POINTS), 2)
            where = point.astype(np.float64)
        else:
            where, codes = evenly_along(random.random(len(rows))), random.integers(2, size=len(rows))
        clean = spiral(where) * (1 - 2 * codes)[:, np.newaxis]
        return Drawn(clean + self.noise * random.standard_normal(clean.shape), codes)


@dataclass(frozen=True, kw_only=True)
class Rings(Generator):
    """Rings of radius 1, 2, 3, … around one centre.

    >>> Rings(rings=2).table(5)["class"].labels
    ('ring 1', 'ring 2')
    """

    title = "Rings"
    description = "Rings around a common centre, a distance of 1 apart."

    rings: int = setting(3, low=1, high=10, whole=True, label="rings", help="How many, all equally frequent.")
    noise: float = setting(0.1, low=0, high=1, label="noise", help="Standard deviation; the rings are 1 apart.")

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(2)

    def _labels(self) -> tuple[str, ...]:
        return numbered("ring", self.rings)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        codes = random.integers(self.rings, size=len(rows))
        clean = (codes + 1)[:, np.newaxis] * on_circle(random.uniform(0, 2 * np.pi, len(rows)))
        return Drawn(clean + self.noise * random.standard_normal(clean.shape), codes)


@dataclass(frozen=True, kw_only=True)
class TwoMoons(Generator):
    """Two half circles of radius 1, each reaching into the other.

    >>> TwoMoons().table(5)["class"].labels
    ('upper', 'lower')
    """

    title = "Two moons"
    description = "Two half circles that reach into each other."

    noise: float = setting(0.1, low=0, high=1, label="noise", help="Standard deviation; the half circles' radius is 1.")

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(2)

    def _labels(self) -> tuple[str, ...]:
        return ("upper", "lower")

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        codes = random.integers(2, size=len(rows))
        upper = on_circle(random.uniform(0, np.pi, len(rows)))
        clean = np.where((codes == 0)[:, np.newaxis], upper, [1.0, 0.5] - upper)
        return Drawn(clean + self.noise * random.standard_normal(clean.shape), codes)


@dataclass(frozen=True, kw_only=True)
class UniformNoise(Generator):
    """Independent columns, uniform between 0 and 1.

    >>> UniformNoise(dimensions=3).table(5).names
    ('x', 'y', 'z')
    """

    title = "Uniform noise"
    description = "Independent numbers from 0 to 1: nothing to find, and a model should say so."

    dimensions: int = setting(2, low=1, high=1000, log=True, whole=True, label="dimensions", help="Columns.")

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(self.dimensions)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        return Drawn(random.random((len(rows), self.dimensions)))


def spiral(where: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places on the first spiral, from 0 outside to 96 near the centre; the second spiral is its negation.

    >>> spiral(np.array([0.0])).tolist()
    [[0.0, 6.5]]
    """
    radius = 6.5 * (104 - where) / 104
    # Lang & Witbrock swap sine and cosine.
    return radius[:, np.newaxis] * on_circle(where * np.pi / 16)[:, ::-1]


def evenly_along(share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where on the spiral the given shares of its length are reached.

    >>> evenly_along(np.array([0.0, 0.5, 1.0])).round(1).tolist()
    [0.0, 30.4, 96.0]
    """
    return np.interp(share * SPIRAL_LENGTH[-1], SPIRAL_LENGTH, SPIRAL_GRID)  # type: ignore[no-any-return]


def on_circle(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places on the circle of radius 1."""
    return np.column_stack([np.cos(angle), np.sin(angle)])


SPIRAL_GRID = np.linspace(0, SPIRAL_POINTS - 1, 4001)
SPIRAL_LENGTH = np.append(0, np.linalg.norm(np.diff(spiral(SPIRAL_GRID), axis=0), axis=1).cumsum())
