"""Concepts that change with time, which is the row number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.source.generators.base import CONSTANTS, EVENTS, Drawn, Generator, axes, numbered, random_stream
from workbench.source.generators.placing import GOLDEN, arrows
from workbench.source.generators.settings import choice, setting
from workbench.source.table.table import Role


@dataclass(frozen=True, kw_only=True)
class ConceptDrift(Generator):
    """One cluster a class in the plane; a concept says where the clusters are.

    >>> ConceptDrift(classes=2).table(5)["class"].labels
    ('class 1', 'class 2')
    """

    title = "Concept drift"
    description = "Classes that move to other places: at once, little by little, or back and forth."

    drift: str = choice(
        "abrupt",
        "gradual",
        "recurring",
        label="drift",
        help="abrupt: a new concept at once. gradual: rows of the old and the new mixed for a while. "
        "recurring: old concepts come back.",
    )
    classes: int = setting(3, low=2, high=10, whole=True, label="classes", help="How many, all equally frequent.")
    period: int = setting(
        5000,
        low=100,
        high=1_000_000,
        log=True,
        whole=True,
        label="period (rows)",
        help="Rows until the concept changes.",
    )
    window: float = setting(
        0.5,
        low=0.01,
        high=1,
        label="window",
        help="Gradual drift only: the last part of each period, over which the new concept becomes more frequent.",
    )
    concepts: int = setting(
        2, low=2, high=5, whole=True, label="concepts", help="Recurring drift only: concepts that take turns."
    )

    def _numbers(self) -> tuple[tuple[str, Role], ...]:
        return axes(2)

    def _labels(self) -> tuple[str, ...]:
        return numbered("class", self.classes)

    def _draw(self, random: np.random.Generator, rows: NDArray[np.int64]) -> Drawn:
        codes = random.integers(self.classes, size=len(rows))
        concepts, position = np.unique(self._concept(random, rows), return_inverse=True)
        places = np.stack([centres(self.seed, int(concept), self.classes) for concept in concepts])
        return Drawn(places[position, codes] + random.standard_normal((len(rows), 2)), codes)

    def _concept(self, random: np.random.Generator, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        number, age = np.divmod(rows, self.period)
        if self.drift == "recurring":
            return number % self.concepts
        if self.drift == "gradual":
            chance_of_next = 1 - (1 - age / self.period) / self.window
            return number + (random.random(len(rows)) < chance_of_next)
        return number


@lru_cache(maxsize=64)
def centres(seed: int, concept: int, classes: int) -> NDArray[np.float64]:
    """Where a concept puts the classes; remembered because consecutive blocks ask for the same.

    The classes stand around the origin in their order, a little out of line, and every concept turns them all by the
    golden angle: no two concepts are alike, and consecutive ones have every class in quite another place.
    """
    random = random_stream(seed, EVENTS, concept)
    start = random_stream(seed, CONSTANTS).random()
    turns = start + concept * GOLDEN + (np.arange(classes) + random.uniform(-0.2, 0.2, classes)) / classes
    # Far enough from the origin for neighbours to be some three standard deviations apart.
    places = arrows(turns, (3 + 0.6 * classes) * random.uniform(1, 1.6, classes))
    places.flags.writeable = False
    return places
