"""Presets do what they say."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

from figmn import FastIGMN
from workbench.pages.stream.wiring import DEMO, DEMO_CHOICES
from workbench.run import Recipe
from workbench.run.rows.prepared import prepare


@pytest.mark.parametrize("start", [9_300_000, 10**12])
def test_the_demo_stays_alive(start: int) -> None:
    """From row 9,300,000 on a component once gathered enough to live for ever, and births ended."""
    values = DEMO_CHOICES.parameters
    recipe = Recipe(DEMO, roles={"class": "ignored"}, choices=DEMO_CHOICES)
    scale = prepare(recipe.dataset(), recipe).scale
    model = FastIGMN(**asdict(values), scale=scale)
    for first in range(start, start + 250_000, 50_000):
        table = DEMO.generator.rows(first, first + 50_000)
        record = model.learn_recorded(np.column_stack([table["x"].values, table["y"].values]))
        assert np.count_nonzero(record.born >= 0) > 100
        assert record.n_components.max() > 3
    assert model.ages.max() <= values.v_min + 1
