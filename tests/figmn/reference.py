"""The paper, equation by equation: slow, literal, and obviously right. The truth that the engines are tested against.

Everything is kept in extended precision, so that the rounding errors in a comparison are the engine's alone. Plain
determinants are safe there up to some hundred dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import chdtri

Array = Any
real = np.longdouble


@dataclass
class Component:
    id: int
    mean: Array
    precision: Array
    determinant: Any
    sp: Any
    v: int


@dataclass
class Reference:
    delta: float
    beta: float
    v_min: float
    sp_min: float
    covariance: str
    scale: Array
    components: list[Component] = field(default_factory=list)
    decisions: list[tuple[bool, tuple[int, ...]]] = field(default_factory=list)
    """For every sample: whether it made a component, and the ids of those it removed."""
    born: int = 0

    def learn(self, X: Array) -> Reference:
        for x in X:
            self.decisions.append(self.learn_one(np.asarray(x, real)))
        return self

    def learn_one(self, x: Array) -> tuple[bool, tuple[int, ...]]:
        threshold = chdtri(len(x), self.beta)
        distances = [(x - c.mean) @ c.precision @ (x - c.mean) for c in self.components]  # figmn-maha
        if any(distance < threshold for distance in distances):
            self.update(x, distances)
            return False, self.prune()
        self.create(x)
        return True, ()

    def create(self, x: Array) -> None:
        sigma = real(self.delta) * np.asarray(self.scale, real)  # sigma
        self.components.append(Component(self.born, x.copy(), np.diag(sigma**-2), np.prod(sigma**2), real(1), 1))
        self.born += 1

    def update(self, x: Array, distances: list[Any]) -> None:
        total = sum(c.sp for c in self.components)
        likelihoods = [  # igmn-like, without the constant that cancels, scaled by the largest
            np.log(c.sp / total) - (np.log(abs(c.determinant)) + d) / 2
            for c, d in zip(self.components, distances, strict=True)
        ]
        largest = max(likelihoods)
        weights = [np.exp(likelihood - largest) for likelihood in likelihoods]
        for c, weight in zip(self.components, weights, strict=True):
            self.update_component(c, x, weight / sum(weights))  # posterior

    def update_component(self, c: Component, x: Array, posterior: Any) -> None:
        c.v += 1  # igmn-v
        c.sp += posterior  # igmn-sp
        error = x - c.mean  # igmn-e
        omega = posterior / c.sp  # igmn-omega
        shift = omega * error  # igmn-delta
        c.mean = c.mean + shift  # igmn-mu
        new_error = x - c.mean  # igmn-enew
        if self.covariance == "exact":
            new_error = error
        old = c.precision
        dimensions = len(x)
        # figmn-sherman1
        pulled = old @ new_error
        inner = 1 + omega / (1 - omega) * (new_error @ pulled)
        halfway = old / (1 - omega) - (omega / (1 - omega) ** 2) * np.outer(pulled, pulled) / inner
        # figmn-sherman2
        pulled = halfway @ shift
        outer = 1 - shift @ pulled
        c.precision = halfway + np.outer(pulled, pulled) / outer
        # figmn-det-lemma-apply1, figmn-det-lemma-apply2
        c.determinant = (1 - omega) ** dimensions * c.determinant * inner
        c.determinant = c.determinant * outer

    def prune(self) -> tuple[int, ...]:
        spurious = tuple(c.id for c in self.components if c.v > self.v_min and c.sp < self.sp_min)
        self.components = [c for c in self.components if c.id not in spurious]
        return spurious
