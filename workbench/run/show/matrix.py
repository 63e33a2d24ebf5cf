"""A scatter matrix: the mixture and the latest samples in a few columns, for all pairs of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from figmn.engine import Engine
from figmn.system.arrays import Floats
from workbench.run.rows.prepared import Prepared
from workbench.run.show.planes import between_classes
from workbench.run.show.points import LatestPoints
from workbench.run.show.separation import separating_columns

MOST = 6
"""Columns of a scatter matrix."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """Mixture and samples in m columns, in the user's units; colours are those of the frame's picture."""

    columns: tuple[int, ...]
    """Positions of the encoded columns."""
    names: tuple[str, ...]
    """Dates are shown as such, not as days."""
    kinds: tuple[str, ...]
    points: Floats
    """(n, m): the latest samples, the newest last, the same as in the picture; NaN where a value is missing."""
    centres: Floats
    """(K, m)."""
    covariances: Floats
    """(K, m, m)."""


def matrix_columns(prepared: Prepared) -> tuple[int, ...]:
    """The columns before anybody has chosen: those in which the classes differ most, else the first."""
    columns = separating_columns(prepared)
    if prepared.labels:
        shares = between_classes(prepared.scouts[:, columns], prepared.scout_codes)
        columns = np.sort(columns[np.argsort(-shares, kind="stable")[:MOST]])
    return tuple(columns[:MOST].tolist())


def matrix_of(columns: tuple[int, ...], engine: Engine, prepared: Prepared, points: LatestPoints, count: int) -> Matrix:
    """The mixture and the latest `count` samples in some columns; the default ones where none are given."""
    chosen = [column for column in dict.fromkeys(columns) if column < prepared.encoder.n_columns][:MOST]
    places = np.array(chosen or matrix_columns(prepared))
    scales, centers = prepared.units.scales[places], prepared.units.centers[places]
    axes = np.zeros((prepared.encoder.n_columns, len(places)))
    axes[places, np.arange(len(places))] = scales
    shown = engine.project(axes)
    values = np.stack([points.column(place, count) for place in places.tolist()], axis=1) * scales + centers
    kinds = prepared.encoder.kinds
    names = [
        name for block in prepared.encoder.blocks for name in ([block.name] if block.kind == "date" else block.names)
    ]
    values.flags.writeable = False
    return Matrix(
        tuple(places.tolist()),
        tuple(names[place] for place in places.tolist()),
        tuple(kinds[place] for place in places.tolist()),
        values,
        shown.means + centers,
        shown.covariances,
    )
