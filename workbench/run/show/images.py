"""Columns that are the pixels of a picture, found by their names."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from figmn.system.arrays import Floats, Ints

PLACED = re.compile(r"(pixel|red|green|blue) (\d{1,4})\.(\d{1,4})")
"""As IDX files, CIFAR-10 and the bundled pictures name them: row and column from 0."""
CROSSED, NUMBERED = re.compile(r"(\d{1,4})x(\d{1,4})"), re.compile(r"pix(?:el)?[ _]?(\d{1,7})", re.IGNORECASE)
"""As in well-known CSV files of MNIST: 1x1 to 28x28, or pixel0 to pixel783."""
CHANNELS = {"pixel": 0, "red": 0, "green": 1, "blue": 2}
LEAST, FILLED = 4, 0.5
"""Pixels on each side, at least, and the share of a picture that must be there: others may be ignored columns."""


def pixels_of(columns: Sequence[str]) -> Ints | None:
    """The position of every pixel among the columns, (height, width, 1 or 3), -1 for none; None without a picture.

    >>> pixels_of([*(f"pixel {y}.{x}" for y in range(4) for x in range(5)), "class=1"])[:2, :3, 0]
    array([[0, 1, 2],
           [5, 6, 7]])
    >>> pixels_of(["pixel0", "size"]) is None
    True
    """
    found = [(position, *place) for position, place in enumerate(map(_place, columns)) if place is not None]
    if not found:
        numbered = [position for position, name in enumerate(columns) if NUMBERED.fullmatch(name)]
        side = math.isqrt(len(numbered))
        is_square = side >= LEAST and side * side == len(numbered)
        return np.array(numbered).reshape(side, side, 1) if is_square else None
    positions, channels, rows, across = np.array(found).T
    rows, across = rows - rows.min(), across - across.min()
    shape = (int(rows.max()) + 1, int(across.max()) + 1, 3 if channels.max() else 1)
    if min(shape[:2]) < LEAST or len(found) < FILLED * math.prod(shape):
        return None
    pixels = np.full(shape, -1, np.int64)
    pixels[rows, across, channels] = positions
    return pixels


def picture_of(means: Floats, pixels: Ints, position: int) -> Floats:
    """The mean of a component as a picture, from 0 to 1 over the means of all components; 0 for absent pixels."""
    shown = means[:, pixels[pixels >= 0]]
    low, high = float(shown.min()), float(shown.max())
    values = np.append(means[position], low)[pixels]
    found: Floats = (values - low) / (high - low) if high > low else np.zeros(values.shape)
    return found


def _place(name: str) -> tuple[int, int, int] | None:
    if match := PLACED.fullmatch(name):
        return CHANNELS[match[1]], int(match[2]), int(match[3])
    if match := CROSSED.fullmatch(name):
        return 0, int(match[1]), int(match[2])
    return None
