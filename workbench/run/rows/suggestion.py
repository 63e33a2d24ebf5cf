"""A width for the components of a run, from the rows that it would learn."""

from __future__ import annotations

import numpy as np

from figmn.choosing import Suggestion, suggest
from figmn.system.arrays import Floats
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import prepare
from workbench.source import Cancelled, Encoder, RowStream
from workbench.source.read.options import Progress, silent

MOST_ROWS, MOST_VALUES = 20_000, 5_000_000
"""Rows at the beginning of the stream from which the compared ones are drawn; fewer where rows are wide."""


def suggest_width(recipe: Recipe, progress: Progress = silent, dataset: Dataset | None = None) -> Suggestion:
    """Compare widths on the first rows of a recipe's stream, with its other hyper-parameters.

    Targets are judged by their predictions; where there are none, or nothing else, the density is judged. Rows that are
    held out are not used.

    >>> from workbench.run.recipe.dataset import SampleOrigin
    >>> suggest_width(Recipe(SampleOrigin("iris"))).measure
    'classes'
    >>> suggest_width(Recipe(SampleOrigin("iris"), roles={"class": "ignored"})).measure
    'density'
    """
    prepared = prepare(recipe.dataset(progress) if dataset is None else dataset, recipe, progress)
    rows = _first_rows(prepared.stream, progress)
    targets = _targets(prepared.encoder) if prepared.has_targets else []
    return suggest(rows, recipe.parameters, targets, prepared.scale)


def _first_rows(stream: RowStream, progress: Progress) -> Floats:
    most = min(MOST_ROWS, max(1, MOST_VALUES // stream.encoder.n_columns))
    blocks: list[Floats] = []
    n_rows = 0
    for block in stream:
        blocks.append(block[: most - n_rows])
        n_rows += len(blocks[-1])
        if not progress(n_rows, most):
            raise Cancelled
        if n_rows == most:
            break
    return np.concatenate(blocks) if blocks else np.empty((0, stream.encoder.n_columns))


def _targets(encoder: Encoder) -> list[range]:
    return [range(block.start, block.stop) for block in encoder.blocks if block.role == "target"]
