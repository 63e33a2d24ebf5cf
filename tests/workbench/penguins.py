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


ISLANDS = {"Adelie": ("Torgersen", "Biscoe", "Dream"), "Chinstrap": ("Dream",), "Gentoo": ("Biscoe",)}
WITHOUT_SEX = (9, 10, 11, 12, 48, 179, 219, 257, 269)
"""Rows of the file whose sex alone is missing, counted from 1."""


def write_palmer(path: Path) -> Path:
    """A file of the shape of the whole table: 344 rows, 11 of them incomplete, two of these without a measurement."""
    rng = np.random.default_rng(8)
    lines = [",".join(("species", "island", *COLUMNS, "sex", "year"))]
    for species, (count, centre) in PENGUINS.items():
        for place in range(count):
            row, island = len(lines), ISLANDS[species][place * len(ISLANDS[species]) // count]
            measured, year = rng.normal(centre, PENGUIN_SPREAD), 2007 + place % 3
            values = ["NA"] * 4 if row in EMPTY else [f"{value:.1f}" for value in measured]
            sex = "NA" if row in {*EMPTY, *WITHOUT_SEX} else ("male", "female")[row % 2]
            lines.append(",".join([species, island, *values, sex, str(year)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
