"""Compiled code made ready before the clock runs: loading it takes half a second, compiling it ten the first time."""

from __future__ import annotations

from functools import cache

import numpy as np

from figmn.engine import Engine

MANY = 200
"""Columns that are learned in the manner of many dimensions."""


@cache
def warm_up(engine: type[Engine], n_features: int) -> None:
    """Have the engine learn a little in the manner of so many columns, once a process."""
    width = min(n_features, MANY) if n_features > engine.compiled_up_to else 2
    rows = np.random.default_rng(0).standard_normal((12, width))
    model = engine(scale=np.ones(width), beta=0.5)
    for part in (rows[:1], rows[1:]):
        model.learn_recorded(part)
    model.project(np.eye(width, 2))
