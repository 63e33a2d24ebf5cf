"""Gaussian clusters, and a single Gaussian of many dimensions and a chosen condition number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.source.generators.base import CONSTANTS, Drawn, Generator, axes, numbered, random_stream
from workbench.source.generators.placing import smallest_gap, spread_out
from workbench.source.generators.settings import setting
from workbench.source.table.table import Role


@dataclass(frozen=True, kw_only=True)
class GaussianBlobs(Generator):
    """Clusters whose columns have standard deviation 1.

    >>> table = GaussianBlobs(clusters=3).table(100)
    >>> table.names, table["class"].labels
    (('x', 'y', 'class'), ('cluster 1', 'cluster 2', 'cluster 3'))
    """

    title = "Gaussian blobs"
    description = "Round or elongated clusters at a chosen distance from each other."

    clusters: int = setting(5, low=1, high=50, whole=True, label="clusters", help="How many, all equally frequent.")
    dimensions: int = setting(2, low=1, high=200, whole=True, label="dimensions", help="Columns beside the class.")
    separation: float = setting(
        6.0,
        low=0,
        high=20,
        label="separation",
        help="Between the two nearest centres, in standard deviations of a column. 0: all on one spot.",
    )
    correlation: float = setting(
        0.0, low=0, high=0.95, label="correlation", help="Between any two columns within a cluster. 0: round clusters."
    )

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """The clusters' means, the two nearest of which are `separation` apart."""
        points = spread_out(random_stream(self.seed, CONSTANTS), self.clusters, self.dimensions)
        points -= points.mean(axis=0)
        points *= self.separation / smallest_gap(points)
        points.flags.writeable = False
        return points

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(self.dimensions)

    def _labels(self) -> tuple[str, ...]:
        return numbered("cluster", self.clusters)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        codes = random.integers(self.clusters, size=len(rows))
        # A share of the variance that all columns have in common is their correlation.
        own = random.standard_normal((len(rows), self.dimensions)) * np.sqrt(1 - self.correlation)
        common = random.standard_normal((len(rows), 1)) * np.sqrt(self.correlation)
        return Drawn(self.centres[codes] + own + common, codes)


@dataclass(frozen=True, kw_only=True)
class WideGaussian(Generator):
    """One Gaussian whose covariance has eigenvalues spaced evenly on a log scale, from 1 to the condition number.

    >>> WideGaussian(dimensions=100).table(10).names[-1]
    'x 100'
    """

    title = "High-dimensional Gaussian"
    description = "One cluster of many dimensions, as flat as the condition number of its covariance says."

    dimensions: int = setting(100, low=2, high=3072, log=True, whole=True, label="dimensions", help="Columns.")
    condition: float = setting(
        1000.0,
        low=1,
        high=1e8,
        log=True,
        label="condition number",
        help="Largest over smallest variance of any direction. 1: a ball.",
    )

    def coloured(self, white: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows of independent standard normals made into rows of this Gaussian."""
        return self._signs * hartley(white * self._scales)

    @cached_property
    def _scales(self) -> NDArray[np.float64]:
        # In any order but the sorted: a smooth spectrum would leave distant columns uncorrelated.
        return random_stream(self.seed, CONSTANTS).permutation(np.geomspace(1, self.condition, self.dimensions)) ** 0.5

    @cached_property
    def _signs(self) -> NDArray[np.float64]:
        return random_stream(self.seed, CONSTANTS, 1).choice([-1.0, 1.0], self.dimensions)

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(self.dimensions)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        return Drawn(self.coloured(random.standard_normal((len(rows), self.dimensions))))


def hartley(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotate every row by the Hartley transform: orthogonal, all columns mixed, and no matrix of columns by columns.

    >>> hartley(hartley(np.array([[1.0, 2.0, 3.0]]))).round(12).tolist()
    [[1.0, 2.0, 3.0]]
    """
    columns = rows.shape[1]
    half = np.fft.rfft(rows, norm="ortho")
    # The rest of a real row's spectrum is the conjugate of what rfft computes, backwards.
    mirrored = half[:, 1 : columns - half.shape[1] + 1][:, ::-1]
    return np.hstack([half.real - half.imag, mirrored.real + mirrored.imag])
