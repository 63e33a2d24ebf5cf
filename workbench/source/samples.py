"""The datasets that ship with the workbench."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Sample:
    """A bundled dataset: read-only rows of numbers with named columns."""

    name: str
    description: str
    columns: tuple[str, ...]
    rows: NDArray[np.float64]


def digits() -> Sample:
    """Handwritten digits as 8 x 8 pixels, without the class.

    >>> digits().rows.shape, digits().columns[:2]
    ((1797, 64), ('pixel 0.0', 'pixel 0.1'))
    """
    path = assets() / "datasets" / "digits.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        columns = tuple(file.readline().strip().split(","))
        rows = np.loadtxt(file, delimiter=",")
    pixels = rows[:, :-1].copy()
    pixels.flags.writeable = False
    return Sample("digits", "handwritten digits, 8 x 8 pixels", columns[:-1], pixels)


def assets() -> Path:
    """The folder of bundled files: inside the package where it is installed, beside it in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "assets"
    return installed if installed.is_dir() else package.parent / "assets"
