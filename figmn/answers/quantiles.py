"""Sums of Gaussians in one dimension: distribution functions, quantiles, highest-density regions and modes.

Arrays of weights, means and standard deviations broadcast to (n, K): n mixtures of K components, or one for all n
places; the weights of each have the sum 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtr, ndtri

from figmn.system.arrays import Floats
from figmn.system.tuning import ANSWER_ITEMS

MOST_STEPS = 200
"""Of a search for a quantile: halving alone finds every digit within 60 or so."""
HALVINGS = 50
"""From a step of the grid to all digits."""
DIGITS = 1e-14
"""Relative change of a place at which a search has found it."""
REACH = 8.0
"""Standard deviations around a mean beyond which a component is 0."""
GRID = np.linspace(-REACH, REACH, 8 * 16 + 1)
"""Places around each mean at which a density is looked at: 8 for each standard deviation."""
CLOSELY, ROUGHLY = 64, 4
"""Components that are looked at in all these places, and steps of the others."""
ROOT = np.sqrt(2 * np.pi)
NEGLIGIBLE = 1e-12
"""Weight of a component that no mode or region can come from."""


def cumulative(x: Floats, weights: Floats, means: Floats, stds: Floats) -> Floats:
    """P(X ≤ x) of mixtures, one place for each, (n,).

    >>> cumulative(np.array([0.0, 1.0]), np.array([0.5, 0.5]), np.array([0.0, 2.0]), np.array([1.0, 1.0])).round(3)
    array([0.261, 0.5  ])
    """
    return _summed(lambda scaled, weight, _: weight * ndtr(scaled), x, weights, means, stds)


def density(x: Floats, weights: Floats, means: Floats, stds: Floats) -> Floats:
    """Density of mixtures, one place for each, (n,).

    >>> density(np.array([0.0]), np.array([1.0]), np.array([0.0]), np.array([2.0])).round(4)
    array([0.1995])
    """
    return _summed(
        lambda scaled, weight, std: weight / (std * ROOT) * np.exp(-0.5 * scaled**2), x, weights, means, stds
    )


def quantile(p: Floats, weights: Floats, means: Floats, stds: Floats) -> Floats:
    """The places at which mixtures reach the probabilities p, one for each, (n,); 0 < p < 1.

    It lies between the smallest and the largest quantile of the components that count. Newton's steps; where one leads
    outside, or the last one has not halved the error, what is left is halved.

    >>> weights, means, stds = np.full((2, 2), 0.5), np.array([[0.0, 4.0]]), np.ones((1, 2))
    >>> quantile(np.array([0.1, 0.5]), weights, means, stds).round(4)
    array([-0.8416,  2.    ])
    """
    _, weights, means, stds = np.broadcast_arrays(p[:, None], weights, means, stds)
    counts = weights > NEGLIGIBLE
    own = np.where(counts, means + stds * ndtri(p)[:, None], np.nan)
    low, high = np.nanmin(own, axis=1), np.nanmax(own, axis=1)
    centre = (weights * means).sum(axis=1)
    spread = np.sqrt((weights * ((means - centre[:, None]) ** 2 + stds**2)).sum(axis=1))
    found: Floats = (centre + spread * ndtri(p)).clip(low, high)  # of the Gaussian with the same mean and variance
    tolerance = DIGITS * np.where(counts, stds, np.inf).min(axis=1)
    left, x = np.arange(len(p)), found.copy()
    before = np.full(len(p), np.inf)
    for _ in range(MOST_STEPS):
        excess = cumulative(x, weights, means, stds) - p
        low, high = np.where(excess < 0, x, low), np.where(excess < 0, high, x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = x - excess / density(x, weights, means, stds)
        is_taken = (step > low) & (step < high) & (np.abs(excess) < 0.5 * before)
        after = np.where(is_taken, step, 0.5 * (low + high))
        found[left] = after
        is_left = np.abs(after - x) > DIGITS * np.abs(x) + tolerance
        if not is_left.any():
            break
        left, x, p, low, high = left[is_left], after[is_left], p[is_left], low[is_left], high[is_left]
        before, tolerance = np.abs(excess)[is_left], tolerance[is_left]
        weights, means, stds = weights[is_left], means[is_left], stds[is_left]
    return found


def intervals(coverage: float, weights: Floats, means: Floats, stds: Floats) -> Floats:
    """Central intervals of mixtures, (n, 2): as much probability lies below each as above it.

    >>> intervals(0.9, np.ones((1, 1)), np.zeros((1, 1)), np.ones((1, 1))).round(3)
    array([[-1.645,  1.645]])
    """
    tail = np.full(len(weights), 0.5 * (1 - coverage))
    return np.column_stack([quantile(p, weights, means, stds) for p in (tail, 1 - tail)])


def region(coverage: float, weights: Floats, means: Floats, stds: Floats) -> Floats:
    """The smallest set that holds a share of one mixture, as intervals (m, 2): where the density is highest.

    >>> region(0.9, np.array([0.5, 0.5]), np.array([0.0, 9.0]), np.array([1.0, 1.0])).round(2)
    array([[-1.64,  1.64],
           [ 7.36, 10.64]])
    """
    from scipy.optimize import brentq  # it takes 0.1 s to import

    weights, means, stds, centre = _counting(weights, means, stds)
    grid = _grid(weights, means, stds)
    heights = density(grid, weights, means, stds)

    def above(log_level: float) -> Floats:
        return _above(np.exp(log_level), grid, heights, weights, means, stds)

    def excess(log_level: float) -> float:
        ends = cumulative(above(log_level).ravel(), weights, means, stds)
        return float((ends[1::2] - ends[::2]).sum()) - coverage

    highest, lowest = np.log(heights.max()), np.log(heights[heights > 0].min())
    if excess(lowest) <= 0:  # of a component that is narrower than the distance between two doubles there
        return above(lowest) + centre
    return above(brentq(excess, lowest, highest, xtol=DIGITS, rtol=DIGITS)) + centre


def modes(weights: Floats, means: Floats, stds: Floats) -> Floats:
    """The places where the density of one mixture is higher than around them, the highest first.

    >>> modes(np.array([0.3, 0.7]), np.array([0.0, 9.0]), np.array([1.0, 1.0])).round(6) + 0.0
    array([9., 0.])
    """
    weights, means, stds, centre = _counting(weights, means, stds)
    grid = _grid(weights, means, stds)
    heights = np.concatenate([[0.0], density(grid, weights, means, stds), [0.0]])
    tops = np.flatnonzero((heights[1:-1] > heights[:-2]) & (heights[1:-1] >= heights[2:]))
    low, high = grid[np.maximum(tops - 1, 0)], grid[np.minimum(tops + 1, len(grid) - 1)]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        rises = _slope(middle, weights, means, stds) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    found: Floats = 0.5 * (low + high)
    return found[np.argsort(-density(found, weights, means, stds), kind="stable")] + centre


def _slope(x: Floats, weights: Floats, means: Floats, stds: Floats) -> Floats:
    return _summed(
        lambda scaled, weight, std: -weight / std**2 * scaled * np.exp(-0.5 * scaled**2), x, weights, means, stds
    )


def _summed(
    term: Callable[[Floats, Floats, Floats], Floats], x: Floats, weights: Floats, means: Floats, stds: Floats
) -> Floats:
    """Sum of a term of (x - μ) / σ, weight and σ over the components, some places at a time: K may be thousands."""
    found, size = np.empty(len(x)), max(1, ANSWER_ITEMS // weights.shape[-1])
    for start in range(0, len(x), size):
        part = slice(start, start + size)
        weight, mean, std = (
            one[part] if one.ndim > 1 and len(one) == len(x) else one for one in (weights, means, stds)
        )
        found[part] = term((x[part, None] - mean) / std, weight, std).sum(axis=-1)
    return found


def _counting(weights: Floats, means: Floats, stds: Floats) -> tuple[Floats, Floats, Floats, float]:
    """The components that count, their means relative to that of the heaviest, and this."""
    counts, centre = weights > NEGLIGIBLE, float(means[weights.argmax()])
    return weights[counts], means[counts] - centre, stds[counts], centre


def _grid(weights: Floats, means: Floats, stds: Floats) -> Floats:
    """Places around the components, in order: many around the heaviest, a few around each of the others."""
    heaviest = np.argsort(-weights, kind="stable")[:CLOSELY]
    closely = means[heaviest, None] + stds[heaviest, None] * GRID
    roughly = means[:, None] + stds[:, None] * GRID[:: len(GRID) // ROUGHLY]
    return np.unique(np.concatenate([closely.ravel(), roughly.ravel()]))


def _above(level: float, grid: Floats, heights: Floats, weights: Floats, means: Floats, stds: Floats) -> Floats:
    """Intervals within the grid in which the density is above a level, (m, 2)."""
    above = np.concatenate([[False], heights > level, [False]])
    starts, stops = np.flatnonzero(above[1:] & ~above[:-1]), np.flatnonzero(above[:-1] & ~above[1:])
    before = grid[np.maximum(starts - 1, 0)], grid[np.minimum(starts, len(grid) - 1)]
    after = grid[stops - 1], grid[np.minimum(stops, len(grid) - 1)]
    low, high = np.concatenate([before[0], after[1]]), np.concatenate([before[1], after[0]])
    for _ in range(
        HALVINGS
    ):  # the density is below the level at `low`, which may be on either side, and above it at `high`
        middle = 0.5 * (low + high)
        is_above = density(middle, weights, means, stds) > level
        low, high = np.where(is_above, low, middle), np.where(is_above, middle, high)
    return high.reshape(2, -1).T
