"""Rows of four numbers and a label, and their attributes: b is scaled, the label one-hot or by positions."""

from __future__ import annotations

import numpy as np

from workbench.run.ask.attributes import Attribute
from workbench.source.encode.encoding import ColumnBlock

RNG = np.random.default_rng(3)
LABELS = RNG.integers(0, 3, 600)
NUMBERS = RNG.normal(0, 1, (600, 4)) + np.column_stack([3 * LABELS, -2 * LABELS, 0 * LABELS, LABELS % 2])


def attributes(one_hot: bool = True) -> list[Attribute]:
    """a, b, c, d and label; the encoded rows are `NUMBERS` and then the label's columns."""
    found = []
    for place, name in enumerate("abcd"):
        center, scale = (50.0, 10.0) if name == "b" else (0.0, 1.0)
        values = NUMBERS[:, place] * scale + center
        block = ColumnBlock(
            name, "numeric", "input", place, place + 1, (float(NUMBERS[:, place].std()),), (), center, scale
        )
        ends = float(values.min()), float(values.max())
        found.append(Attribute(block, *ends, float(np.median(values)), values=values))
    n_columns = 3 if one_hot else 1
    block = ColumnBlock("label", "nominal", "target", 4, 4 + n_columns, (1.0,), ("x", "y", "z"), one_hot=one_hot)
    return [*found, Attribute(block, 0.0, 0.0, 0.0, values=LABELS.astype(float))]


ATTRIBUTES = attributes()
