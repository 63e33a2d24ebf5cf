"""How a wanted number follows the only known one: its mean and bands along the whole range of the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from figmn.answers.density import Answers
from figmn.answers.inference import normalised
from figmn.answers.quantiles import intervals
from figmn.system.arrays import Floats
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.given import places_of, softened
from workbench.source.encode.encoding import scaled

COVERAGES = (0.9, 0.5)
"""Shares of the bands, the widest first."""
N_PLACES = 61


@dataclass(frozen=True, eq=False)
class Bands:
    """One known number across, one wanted number up, in the user's units."""

    known: Attribute
    wanted: Attribute
    at: float
    """The value that is known."""
    places: Floats
    means: Floats
    bands: Mapping[float, Floats]
    """(n, 2) for each of `COVERAGES`: central intervals."""
    points: Floats
    """Rows of the data that have both, (m, 2)."""


def bands_of(model: Answers, known: Attribute, wanted: Attribute, at: float, error: float = 0.0) -> Bands | None:
    """Of two numbers; None where the known one does not vary in the data.

    An error of the known value makes the bands wider, as it does the answer.
    """
    if not known.low < known.high:
        return None
    places = np.linspace(min(known.low, at), max(known.high, at), N_PLACES)
    pair = softened(model.marginal(places_of([known, wanted])), np.array([error / known.block.scale, 0.0]))
    rows = np.column_stack([scaled(places, known.block), np.full(N_PLACES, np.nan)])
    means, ends = np.empty(N_PLACES), {coverage: np.empty((N_PLACES, 2)) for coverage in COVERAGES}
    for part in pair.conditionals(rows):
        weights, centres = normalised(part.log_weights), part.means[:, :, 0]
        stds = np.sqrt(part.covariances[None, :, 0, 0])
        means[part.rows] = (weights * centres).sum(axis=1)
        for coverage in COVERAGES:
            ends[coverage][part.rows] = intervals(coverage, weights, centres, stds)
    has_points = len(known.values) == len(wanted.values)
    points = np.column_stack([known.values, wanted.values]) if has_points else np.empty((0, 2))
    return Bands(
        known,
        wanted,
        at,
        places,
        wanted.in_units(means),
        {coverage: wanted.in_units(band) for coverage, band in ends.items()},
        points[np.isfinite(points).all(axis=1)],
    )
