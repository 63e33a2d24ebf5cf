"""One mixture for each class: what classifiers of all kinds share, and the choice of δ for them."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from figmn.fast import FastIGMN
from figmn.params import DELTA
from figmn.snapshot import Snapshot
from figmn.system.arrays import Floats, Ints

Density = Callable[[Any, Floats], Floats]
"""Log density of every row, (n,), by a mixture."""


WIDEST = 1.0
"""Largest automatic δ where every class has running standard deviations of its own."""


def class_delta(n_columns: int) -> float:
    """Automatic δ where every class has running standard deviations of its own: min(1, D / 12).

    The rule of the engines goes up to 2, for standard deviations of all rows. Those within a class are smaller where
    classes differ, and yet the class is not wider than they are.

    >>> class_delta(6), class_delta(18)
    (0.5, 1.0)
    """
    return min(WIDEST, DELTA.default_for(n_columns))


@dataclass
class ClassMixtures:
    """One mixture over the same columns for each class, and how often each class has occurred.

    >>> mixtures = ClassMixtures.empty(["low", "high"], FastIGMN(delta=1, scale=[1.0]))
    >>> mixtures.learn(np.array([[0.0], [1.0], [8.0]]), np.array([0, 0, 1]))
    >>> mixtures.counts, mixtures.log_densities(np.array([[8.0]])).argmax()
    (array([2., 1.]), np.int64(1))
    """

    classes: Any
    """Labels in the order of their places."""
    models: list[Any]
    """None for a class that has not occurred."""
    counts: Floats
    """Rows of every class, or the sum of their weights; they fade like the evidence of components."""
    blank: FastIGMN
    """A mixture that has learned nothing: where a class begins."""

    @classmethod
    def empty(cls, classes: Any, blank: FastIGMN) -> Self:
        """Classes of which none has occurred."""
        return cls(classes, [None] * len(classes), np.zeros(len(classes)), blank)

    @property
    def n_seen(self) -> int:
        """Rows learned, of all classes."""
        return sum(model.n_seen for model in self._occurred())

    @property
    def n_components(self) -> int:
        """Components of all mixtures together."""
        return sum(model.n_components for model in self._occurred())

    def moved(self, classes: Any, places: Ints) -> Self:
        """The same mixtures among more classes: what was at place i is at `places[i]` there."""
        found = self.empty(classes, self.blank)
        found.counts[places] = self.counts
        for place, model in zip(places.tolist(), self.models, strict=True):
            found.models[place] = model
        return found

    def frozen(self) -> Self:
        """A copy that does not change while the mixtures learn."""
        models = [None if model is None else frozen(model) for model in self.models]
        return type(self)(self.classes, models, self.counts.copy(), self.blank)

    def log_densities(self, X: Floats, density: Density | None = None) -> Floats:
        """log p(x | c) of every row and class, (n, C), by `score_samples` or another density.

        -inf for a class that has not occurred, or has no component left; where that is so for all, 0: nothing is known.
        """
        found = np.full((len(X), len(self.models)), -np.inf)
        for place, model in enumerate(self.models):
            if model is not None and model.n_components:
                found[:, place] = density(model, X) if density else model.score_samples(X)
        found[(found == -np.inf).all(axis=1)] = 0.0
        return found

    def learn(self, X: Floats, places: Ints, weights: Floats | None = None) -> None:
        """Learn rows, (n, D), whose classes are at `places`."""
        for place in sorted(set(places.tolist())):
            of_class = places == place
            model = self.models[place] or deepcopy(self.blank)
            model.learn(np.ascontiguousarray(X[of_class]), None if weights is None else weights[of_class])
            self.models[place] = model
        shares = np.zeros((len(X), len(self.models)))
        shares[np.arange(len(X)), places] = 1.0 if weights is None else weights
        kept = (1 - 1 / self.blank.parameters.memory) ** np.arange(len(X), -1, -1)
        self.counts = kept[0] * self.counts + kept[1:] @ shares

    def _occurred(self) -> list[FastIGMN]:
        return [model for model in self.models if model is not None]


def frozen(model: FastIGMN | Snapshot) -> Snapshot:
    """A mixture as it is now."""
    return model if isinstance(model, Snapshot) else model.snapshot()
