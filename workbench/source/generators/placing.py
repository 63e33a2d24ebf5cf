"""Places and directions that keep a distance from each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

GOLDEN = (5**0.5 - 1) / 2
"""The golden angle in turns; its multiples never meet."""
CANDIDATES = 20
"""Places tried for each point; more make the distances more even."""


def spread_out(random: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float64]:
    """Random points in the cube from -1/2 to 1/2, each the best of some: the one farthest from those before it."""
    points = random.uniform(-0.5, 0.5, (count, dimensions))
    for i in range(1, count):
        offered = random.uniform(-0.5, 0.5, (CANDIDATES, dimensions))
        nearest = distances(offered, points[:i]).min(axis=1)
        points[i] = offered[nearest.argmax()]
    return points


def smallest_gap(points: NDArray[np.float64]) -> float:
    """The distance between the two nearest points; infinite for a single one.

    >>> smallest_gap(np.array([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0]]))
    5.0
    """
    between = distances(points, points)
    np.fill_diagonal(between, np.inf)
    return float(between.min())


def sunflower(count: int) -> NDArray[np.float64]:
    """Points of the plane as even as a sunflower's seeds (Vogel 1979); no two are less than 1.5 apart."""
    number = np.arange(count, dtype=np.float64)
    return arrows(number * GOLDEN, np.sqrt(number + 0.5))


def arrows(turns: NDArray[np.float64], length: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors of these lengths in directions that are given in turns, counter-clockwise from the x axis.

    >>> arrows(np.array([0.0, 0.25]), np.array([1.0, 2.0])).round(12).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    angle = 2 * np.pi * turns
    return np.column_stack([length * np.cos(angle), length * np.sin(angle)])


def distances(some: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """From each of some points to each of the others.

    >>> distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])).tolist()
    [[5.0, 1.0]]
    """
    return np.sqrt(((some[:, np.newaxis] - others) ** 2).sum(axis=2))  # type: ignore[no-any-return]
