"""Figures of a scatter matrix: ranges of its columns, ticks, and the density of the mixture in each."""

from __future__ import annotations

import numpy as np

from figmn.system.arrays import Floats
from workbench.run.show.matrix import Matrix
from workbench.views.plots.data_view import Span
from workbench.views.plots.plot_style import Marks

CURVE = 80
"""Points of a density curve."""
MARGIN = 0.06
"""Share of a column's range on either side."""


def density_curve(matrix: Matrix, priors: Floats, i: int, span: Span) -> tuple[Floats, Floats]:
    """Places over the range of a column, and the density of the mixture there; nothing without components."""
    places = np.linspace(span.low, span.high, CURVE)
    variances = matrix.covariances[:, i, i]
    definite = variances > 0
    if not definite.any():
        return places, np.empty(0)
    std = np.sqrt(variances[definite])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        away = (places[:, None] - matrix.centres[definite, i]) / std
        heights = np.exp(-(away**2) / 2) / (std * np.sqrt(2 * np.pi)) @ priors[definite]
    return places, np.nan_to_num(heights, posinf=0.0)


def column_range(values: Floats, centres: Floats) -> Span:
    """The range of a column's samples and of the components' centres, with a margin."""
    known = values[np.isfinite(values)]
    found = np.concatenate([known, centres[np.isfinite(centres)]])
    if not len(found):
        return Span(0.0, 1.0)
    return Span(float(found.min()), float(found.max())).widened().padded(MARGIN)


def tick_shares(marks: Marks, span: Span) -> list[tuple[float, str]]:
    """Places of ticks from 0 to 1 along a range, and their texts."""
    offset = f"{marks.origin} + " if marks.origin else ""
    width = span.width or 1.0
    return [
        ((float(value) - span.low) / width, f"{offset}{text}")
        for value, text in zip(marks.values, marks.texts, strict=True)
    ]
