"""Pairs of columns ranked by how well components, or classes, are told apart on them.

The measure is the Bhattacharyya coefficient of two Gaussians, ∫ √(p q): 1 where they are the same, 0 where they do not
overlap. Of a pair of columns it has a closed form in their two-dimensional marginals. A plane gets the mean over all
pairs of Gaussians, weighted by the product of their priors; its separation is one minus that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from figmn.engine import Engine
from figmn.system.arrays import Floats, Ints
from workbench.run.rows.prepared import Prepared
from workbench.run.show.frame import Plane

OFFERED = 10
"""Pairs that are offered."""
MOST_COLUMNS = 24
"""Columns whose pairs are compared; of more, those that separate best alone."""
MOST_GAUSSIANS = 50
"""Components, or classes, that are compared: the largest."""
FEWEST_ROWS = 3
"""Rows of a class from which its Gaussian is estimated, at least."""
NARROWEST = 1e-6
"""Least variance of a Gaussian in a column, as a share of the column's own: a class may not vary at all."""

MOST_ALIKE = 0.999
"""Largest correlation of two columns of a class."""


@dataclass(frozen=True)
class RankedPlane:
    """A pair of columns, and how well it separates, from 0 to 1."""

    plane: Plane
    names: tuple[str, str]
    separation: float


@dataclass(frozen=True)
class Ranking:
    """The best pairs of columns, the best first, and what they were chosen from."""

    components: tuple[RankedPlane, ...]
    """Pairs that separate the components; none where there are fewer than two."""
    classes: tuple[RankedPlane, ...]
    """Pairs that separate the classes; none where there are no two."""
    label_column: str | None
    """The column with the classes."""
    n_columns: int
    """Columns that were compared alone."""
    n_paired: int
    """Columns whose pairs were compared."""
    n_components: int
    n_compared: int
    """Components that were compared."""


@dataclass(frozen=True, eq=False)
class Gaussians:
    """Gaussians in some columns: weights (K,), means (K, m), covariances (K, m, m) or their diagonals (K, m)."""

    weights: Floats
    means: Floats
    covariances: Floats


def rank_planes(engine: Engine, prepared: Prepared) -> Ranking:
    """Rank the pairs of the columns that `separating_columns` gives, by the mixture as it is and by the rows."""
    columns = separating_columns(prepared)
    largest = np.argsort(-engine.priors, kind="stable")[:MOST_GAUSSIANS] if engine.n_components else np.empty(0, int)
    by_components, n_paired = _by_components(engine, columns, largest)
    return Ranking(
        components=_ranked(by_components, prepared.encoder.names),
        classes=_ranked(_by_classes(prepared, columns), prepared.encoder.names),
        label_column=prepared.label_column,
        n_columns=len(columns),
        n_paired=n_paired,
        n_components=engine.n_components,
        n_compared=len(largest),
    )


def separating_columns(prepared: Prepared) -> Ints:
    """Columns to make planes of: inputs with numbers, where there are two; else all numbers, inputs, or columns.

    A column of zeros and ones for a label shows two dots, and that of a target would always win.
    """
    encoder = prepared.encoder
    numbers = [block.start for block in encoder.blocks if not block.one_hot]
    inputs = [block.start for block in encoder.blocks if not block.one_hot and block.role == "input"]
    everything = np.arange(encoder.n_columns)
    found = next((some for some in (inputs, numbers, encoder.inputs) if len(some) > 1), everything)
    return np.asarray(found, np.int64)


def separations(gaussians: Gaussians) -> Floats:
    """One minus the mean overlap on every pair of columns, (m, m), symmetric; on the diagonal, of a column alone.

    >>> apart = Gaussians(np.array([0.5, 0.5]), np.array([[0.0, 0.0], [100.0, 0.0]]), np.array([np.eye(2)] * 2))
    >>> separations(apart).round(6)
    array([[1., 1.],
           [1., 0.]])
    """
    first, second = _pairs(len(gaussians.weights))
    means, covariances = gaussians.means, gaussians.covariances
    apart = means[first] - means[second]
    one, other = covariances[first], covariances[second]
    overlaps = _pairwise_overlaps(apart, one, other)
    alone = _overlaps(apart, _diagonals(one), _diagonals(other))
    weights = _pair_weights(gaussians.weights, first, second)
    found: Floats = 1 - np.einsum("p,pab->ab", weights, overlaps)
    np.fill_diagonal(found, 1 - weights @ alone)
    return found


def separations_alone(gaussians: Gaussians) -> Floats:
    """One minus the mean overlap in every column alone, (m,), from diagonals of covariances."""
    first, second = _pairs(len(gaussians.weights))
    variances = gaussians.covariances
    overlaps = _overlaps(gaussians.means[first] - gaussians.means[second], variances[first], variances[second])
    found: Floats = 1 - _pair_weights(gaussians.weights, first, second) @ overlaps
    return found


Found = tuple[Ints, Floats]
"""Columns, and the separation on every pair of them."""


def _by_components(engine: Engine, columns: Ints, largest: Ints) -> tuple[Found | None, int]:
    if len(largest) < 2 or len(columns) < 2:  # noqa: PLR2004
        return None, len(columns)
    weights = engine.priors[largest]
    alone = _standardised(Gaussians(weights, engine.means[largest][:, columns], engine.variances[largest][:, columns]))
    chosen = _best_alone(separations_alone(alone))
    paired = columns[chosen]
    axes = np.zeros((engine.n_features, len(paired)))
    axes[paired, np.arange(len(paired))] = 1.0
    shown = engine.project(axes)
    found = separations(_standardised(Gaussians(weights, shown.means[largest], shown.covariances[largest])))
    return (paired, found), len(paired)


def _by_classes(prepared: Prepared, columns: Ints) -> Found | None:
    """By a Gaussian for each class, of rows from everywhere in the table; the columns of the class do not count."""
    own = [block for block in prepared.encoder.blocks if block.name == prepared.label_column]
    columns = columns[~np.isin(columns, [place for block in own for place in range(block.start, block.stop)])]
    codes = prepared.scout_codes
    counts = np.bincount(codes[codes >= 0])
    classes = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code] >= FEWEST_ROWS]
    if len(classes) < 2 or len(columns) < 2:  # noqa: PLR2004
        return None
    members = [prepared.scouts[codes == code][:, columns] for code in classes[:MOST_GAUSSIANS]]
    weights = np.array([float(len(rows)) for rows in members])
    moments = [_moments(rows) for rows in members]
    means, variances = (np.array(part) for part in zip(*((mean, var) for mean, var in moments), strict=True))
    chosen = _best_alone(separations_alone(_standardised(Gaussians(weights, means, variances))))
    covariances = np.array([_covariance(rows[:, chosen]) for rows in members])
    found = separations(_standardised(Gaussians(weights, means[:, chosen], covariances)))
    return columns[chosen], found


def _best_alone(scores: Floats) -> Ints:
    """Positions of the columns that separate best alone, in their own order."""
    return np.sort(np.argsort(-scores, kind="stable")[:MOST_COLUMNS])


def _ranked(found: Found | None, names: Sequence[str]) -> tuple[RankedPlane, ...]:
    if found is None:
        return ()
    columns, scores = found
    pairs = sorted(combinations(range(len(columns)), 2), key=lambda pair: -scores[pair])[:OFFERED]
    return tuple(
        RankedPlane(
            Plane("columns", int(columns[a]), int(columns[b])),
            (names[columns[a]], names[columns[b]]),
            float(scores[a, b]),
        )
        for a, b in pairs
    )


def _standardised(gaussians: Gaussians) -> Gaussians:
    """In units of the columns' overall standard deviations, and none narrower than `NARROWEST`."""
    weights = gaussians.weights / gaussians.weights.sum()
    means, covariances = gaussians.means, gaussians.covariances
    variances = np.maximum(_diagonals(covariances), 0.0)
    centre = weights @ means
    total = weights @ (variances + (means - centre) ** 2)
    scale = np.sqrt(np.where((total > 0) & np.isfinite(total), total, 1.0))
    centred = (means - centre) / scale
    if covariances.ndim == 2:  # noqa: PLR2004 - diagonals
        return Gaussians(weights, centred, variances / scale**2 + NARROWEST)
    scaled = covariances / scale[:, None] / scale
    return Gaussians(weights, centred, scaled + NARROWEST * np.eye(len(scale)))


def _moments(rows: Floats) -> tuple[Floats, Floats]:
    """Means and variances of the known values."""
    known = np.isfinite(rows)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, rows, 0.0).sum(axis=0) / count
    variance: Floats = (np.where(known, rows - mean, 0.0) ** 2).sum(axis=0) / count
    return mean, variance


def _covariance(rows: Floats) -> Floats:
    """Covariances: correlations of the rows in which both columns are known, times the deviations of all known values.

    Covariances of some rows and variances of others would ask for more than two columns can have in common.
    """
    known = np.isfinite(rows)
    mean, variance = _moments(rows)
    centred, there = np.where(known, rows - mean, 0.0), known.astype(np.float64)
    both = np.maximum(there.T @ there, 1.0)
    means = centred.T @ there / both
    variances = np.maximum((centred**2).T @ there / both - means**2, 0.0)
    shared = centred.T @ centred / both - means * means.T
    spread = np.sqrt(variances * variances.T)
    alike = np.divide(shared, spread, out=np.zeros_like(shared), where=spread > 0).clip(-MOST_ALIKE, MOST_ALIKE)
    np.fill_diagonal(alike, 1.0)
    found: Floats = alike * np.sqrt(variance[:, None] * variance)
    return found


def _pairs(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(count, 1)
    return first, second


def _pair_weights(weights: Floats, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
    found = weights[first] * weights[second]
    total = found.sum()
    return found / total if total > 0 else np.full(len(found), 1 / max(1, len(found)))


def _overlaps(apart: Floats, one: Floats, other: Floats) -> Floats:
    """Bhattacharyya coefficients in one column, from variances."""
    both = (one + other) / 2
    return _coefficients(apart**2 / both, both, one, other)


def _pairwise_overlaps(apart: Floats, one: Floats, other: Floats) -> Floats:
    """Bhattacharyya coefficients on every pair of columns, (…, m, m); without a meaning on the diagonal."""
    both = (one + other) / 2
    across, up = _diagonals(both)[:, :, None], _diagonals(both)[:, None, :]
    determinant = across * up - both**2
    x, y = apart[:, :, None], apart[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        squared = (x**2 * up - 2 * x * y * both + y**2 * across) / determinant
    return _coefficients(squared, determinant, _determinants(one), _determinants(other))


def _coefficients(squared: Floats, both: Floats, one: Floats, other: Floats) -> Floats:
    """From squared Mahalanobis distances and determinants; 0 to 1, and 0 where a covariance is not definite."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        distance = squared / 8 + 0.5 * np.log(both) - 0.25 * (np.log(one) + np.log(other))
        found = np.exp(-np.maximum(distance, 0.0))
    return np.nan_to_num(found, nan=0.0)


def _determinants(covariances: Floats) -> Floats:
    variances = _diagonals(covariances)
    found: Floats = variances[:, :, None] * variances[:, None, :] - covariances**2
    return found


def _diagonals(covariances: Floats) -> Floats:
    return covariances if covariances.ndim == 2 else np.diagonal(covariances, axis1=1, axis2=2)  # noqa: PLR2004
