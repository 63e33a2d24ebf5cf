"""A stand-in for CIFAR-10, which has no clear licence to be shipped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.source.generators.base import CONSTANTS, Drawn, Generator, numbered, random_stream
from workbench.source.generators.settings import setting
from workbench.source.table.table import Role

COLOURS, SIDE, CLASSES = ("red", "green", "blue"), 32, 10
SIDES = (2, 4, 8, 16)
"""Blotches of each of these sizes are as strong as the others, much as in photographs."""
MIDDLE, BLOTCHES = 127.5, 24.0
"""The mean of a pixel, and the standard deviation of the blotches of one size."""


@dataclass(frozen=True, kw_only=True)
class CifarStandIn(Generator):
    """Blotches of colour in the shape of CIFAR-10: red, then green, then blue, each 32 lines of 32 bytes.

    >>> CifarStandIn().table(2)
    Table('CIFAR-10-shaped stand-in', 2 rows, 3,073 columns)
    """

    title = "CIFAR-10-shaped stand-in"
    description = "Random blotches of 32 x 32 pixels in ten classes: a stand-in for CIFAR-10 to measure time with."
    notes = ("This is a stand-in: random images of CIFAR-10's shape, not one of its photographs",)
    dtype = np.uint8

    separation: float = setting(
        1.0, low=0, high=3, label="separation", help="How much the classes differ, beside how much their images do."
    )
    grain: float = setting(
        12.0, low=0, high=60, label="grain", help="Standard deviation of the part of a pixel that is its own."
    )

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        places = [(line, column) for line in range(1, SIDE + 1) for column in range(1, SIDE + 1)]
        return tuple((f"{colour} {line} {column}", "input") for colour in COLOURS for line, column in places)

    def _labels(self) -> tuple[str, ...]:
        return numbered("stand-in", CLASSES)

    @cached_property
    def _templates(self) -> NDArray[np.float32]:
        return blotches(random_stream(self.seed, CONSTANTS), CLASSES)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        codes = random.integers(CLASSES, size=len(rows))
        images = blotches(random, len(rows))
        images += self.separation * self._templates[codes]
        images += self.grain * random.standard_normal(images.shape, dtype=np.float32)
        return Drawn(np.rint(np.clip(images + MIDDLE, 0, 255)).astype(np.uint8), codes)


def blotches(random: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Images around 0, one a row: large blotches with ever smaller ones on them, the three colours much alike."""
    images: NDArray[np.float32] = np.zeros((count, len(COLOURS), 1, 1), dtype=np.float32)
    for side in SIDES:
        common, own = np.split(random.standard_normal((count, 1 + len(COLOURS), side, side), dtype=np.float32), [1], 1)
        images = enlarged(images, side)
        images += BLOTCHES * (0.9 * common + 0.4 * own)
    return enlarged(images, SIDE).reshape(count, -1)


def enlarged(images: NDArray[np.float32], side: int) -> NDArray[np.float32]:
    """Images of more pixels, straight from one old pixel to the next."""
    where = np.linspace(0, images.shape[-1] - 1, side)
    shares = np.maximum(1 - np.abs(where[:, np.newaxis] - np.arange(images.shape[-1])), 0).astype(np.float32)
    return shares @ images @ shares.T  # type: ignore[no-any-return]
