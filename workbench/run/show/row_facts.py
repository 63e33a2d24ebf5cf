"""What the mixture says of one of the latest samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figmn.engine import Engine
from workbench.run.show.points import LatestPoints
from workbench.source import Encoder
from workbench.source.table.table import Table


class RowFacts(NamedTuple):
    """A row under the mixture as it was when it was asked."""

    row: int
    """Its number in the source, from 0."""
    component: int
    """Id of the component with the largest posterior."""
    posterior: float
    n_seen: int
    """Samples that the mixture had learned."""
    values: Table | None
    """Of a stream, the columns that are learned in the user's units: one row, in which gaps are not filled."""


def row_facts(row: int, points: LatestPoints, engine: Engine, encoder: Encoder | None) -> RowFacts | None:
    """Facts of a row; None where it is not among the samples that are kept, or there is no component.

    Its values are told where an encoder is given.
    """
    place = points.place_of(row)
    if place is None or not engine.n_components:
        return None
    encoded = points.rows_at(np.array([place]))
    posteriors = engine.responsibilities(encoded)[0]
    best = int(posteriors.argmax())
    values = None if encoder is None else encoder.decode(encoded)
    return RowFacts(row, int(engine.ids[best]), float(posteriors[best]), engine.n_seen, values)
