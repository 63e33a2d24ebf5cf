"""What distinguishes a component from the rest of its mixture, column by column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figmn.system.arrays import Floats, Ints
from workbench.run.show.frame import FullCensus


class Contrast(NamedTuple):
    """One component against all others together, (D,) each; NaN where there are no others, or no variance."""

    shifts: Floats
    """Its mean minus the mean of the rest, in standard deviations of the whole mixture."""
    divergences: Floats
    """Kullback-Leibler divergence of its normal distribution from that with mean and variance of the rest, in nats."""
    widths: Floats
    """Its standard deviation divided by that of the rest."""

    def ranked(self) -> Ints:
        """Columns that differ, the most different first."""
        order = np.argsort(-np.nan_to_num(self.divergences, nan=-1.0), kind="stable")
        found: Ints = order[np.isfinite(self.divergences[order])]
        return found


def contrast(census: FullCensus, position: int) -> Contrast:
    """Compare a component with the rest: both are normal distributions with the moments of their parts.

    >>> census = FullCensus(
    ...     None, np.arange(2), np.array([0.5, 0.5]), np.ones(2), np.ones(2), np.array([[0.0, 1.0], [4.0, 1.0]]),
    ...     np.array([[1.0, 1.0], [1.0, 4.0]]), np.zeros(2))
    >>> found = contrast(census, 1)
    >>> found.shifts.round(2), found.divergences.round(2), found.ranked()
    (array([1.79, 0.  ]), array([8.  , 0.81]), array([0, 1]))
    """
    if not np.delete(census.priors, position).sum() > 0:
        unknown = np.full(census.means.shape[1], np.nan)
        return Contrast(unknown, unknown, unknown)
    with np.errstate(all="ignore"):
        weights = census.priors
        mean, variance = census.means[position], census.variances[position]
        _, of_all = _moments(weights, census.means, census.variances)
        others = np.delete(weights, position)
        rest_mean, rest = _moments(
            others, np.delete(census.means, position, axis=0), np.delete(census.variances, position, axis=0)
        )
        gap = mean - rest_mean
        shifts = gap / np.sqrt(of_all)
        divergences = 0.5 * (variance / rest + gap**2 / rest - 1 + np.log(rest / variance))
        widths = np.sqrt(variance / rest)
    return Contrast(*(np.where(np.isfinite(found), found, np.nan) for found in (shifts, divergences, widths)))


def _moments(weights: Floats, means: Floats, variances: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of every column of a mixture."""
    shares = weights / weights.sum()
    mean = shares @ means
    return mean, shares @ (variances + (means - mean) ** 2)
