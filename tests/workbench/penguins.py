"""A file like that of the Palmer penguins: three species, four measurements, and two rows without any of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workbench.evaluate.quality.expected import PENGUIN_SPREAD, PENGUINS

EMPTY = (4, 272)
"""Rows of the file without any measurement, counted from 1."""
COLUMNS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")


def write_penguins(path: Path, empty: tuple[int, ...] = EMPTY) -> Path:
    """344 rows: species, sex and the measurements; sex is missing in some more rows."""
    rng = np.random.default_rng(7)
    lines = [",".join(("species", *COLUMNS, "sex"))]
    for species, (count, centre) in PENGUINS.items():
        for _ in range(count):
            row, sex = len(lines), rng.choice(["male", "female"])
            values = ["NA"] * 4 if row in empty else [f"{value:.1f}" for value in rng.normal(centre, PENGUIN_SPREAD)]
            lines.append(",".join([species, *values, "NA" if row in {*empty, 9, 12} else sex]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
