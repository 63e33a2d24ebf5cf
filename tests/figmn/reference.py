"""The paper, equation by equation: slow, literal, and obviously right. The truth that the engines are tested against.

Everything is kept in extended precision, so that the rounding errors in a comparison are the engine's alone. Plain
determinants are safe there up to some hundred dimensions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import chdtri

Array = Any
real = np.longdouble


@dataclass(eq=False)
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
    prior_count: float = 1.0
    memory: float = math.inf
    seen: int = 0
    max_components: float = math.inf
    merge_below: float = 0.0
    next_check: int = 0
    merges: list[tuple[int, int, int]] = field(default_factory=list)
    """For every merger the number of the sample, the id of the component that was kept, and of the one taken in."""

    @property
    def decay(self) -> Any:
        return 1 - 1 / real(self.memory)

    def learn(self, X: Array, weights: Array | None = None) -> Reference:
        for x, weight in zip(X, np.ones(len(X)) if weights is None else weights, strict=True):
            self.decisions.append(self.learn_one(np.asarray(x, real), real(weight)))
            self.seen += 1
            if self.memory < math.inf and self.seen % self.period(len(x)) == 0:
                for c in self.components:
                    self.renew(c)
            while len(self.components) > self.max_components:
                self.merge(*min(self.pairs(self.components), key=lambda pair: self.runnalls(*pair)))
            if self.merge_below > 0 and self.seen >= self.next_check:
                self.merge_alike(len(x))
        return self

    def learn_one(self, x: Array, weight: Any) -> tuple[bool, tuple[int, ...]]:
        threshold = chdtri(len(x), self.beta)
        distances = [(x - c.mean) @ c.precision @ (x - c.mean) for c in self.components]  # figmn-maha
        if any(distance < threshold for distance in distances):
            self.update(x, weight, distances)
            return False, self.prune()
        self.create(x, weight)
        return True, ()

    @property
    def sigma(self) -> Array:
        return real(self.delta) * np.asarray(self.scale, real)  # sigma

    def create(self, x: Array, weight: Any) -> None:
        variances = self.sigma**2 * self.prior_count / self.counted(weight)
        self.components.append(Component(self.born, x.copy(), np.diag(1 / variances), np.prod(variances), weight, 1))
        self.born += 1

    def counted(self, sp: Any) -> Any:
        """Samples that a covariance counts for."""
        return max(sp, real(1)) - 1 + real(self.prior_count)

    def update(self, x: Array, weight: Any, distances: list[Any]) -> None:
        total = sum(c.sp for c in self.components)
        likelihoods = [  # igmn-like, without the constant that cancels, scaled by the largest
            np.log(c.sp / total) - (np.log(abs(c.determinant)) + d) / 2
            for c, d in zip(self.components, distances, strict=True)
        ]
        largest = max(likelihoods)
        shares = [np.exp(likelihood - largest) for likelihood in likelihoods]
        update = self.update_component if self.is_of_the_paper(weight) else self.update_beyond_the_paper
        for c, share in zip(self.components, shares, strict=True):
            update(c, x, weight * share / sum(shares))  # posterior

    def is_of_the_paper(self, weight: Any) -> bool:
        return bool(self.prior_count == 1 and self.memory == math.inf and weight == 1)

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

    # What the paper does not have

    def update_beyond_the_paper(self, c: Component, x: Array, evidence: Any) -> None:
        """Evidence is forgotten, counts by the weight of the row, and C = (n_0 C_0 + S) / (sp - 1 + n_0)."""
        c.v += 1
        before = self.decay * c.sp
        c.sp = before + evidence
        omega, rate = evidence / c.sp, evidence / (self.counted(before) + evidence)
        error = x - c.mean
        c.mean = c.mean + omega * error
        kept = 1 - omega if self.covariance == "exact" else 1 - 3 * omega + omega**2
        c.precision, c.determinant = c.precision / (1 - rate), c.determinant * (1 - rate) ** len(x)
        self.add(c, rate * kept, error)

    def add(self, c: Component, strength: Any, direction: Array) -> None:
        """C' = C + h u u^T, by Sherman and Morrison."""
        pulled = c.precision @ direction
        multiplier = 1 + strength * (direction @ pulled)
        c.precision = c.precision - strength * np.outer(pulled, pulled) / multiplier
        c.determinant = c.determinant * multiplier

    def period(self, dimensions: int) -> int:
        return math.ceil(min(max(self.memory, dimensions, 100), 300 * self.memory))

    def renew(self, c: Component) -> None:
        """C' = (1 - s) C + s C_0, where s is the share of C_0 that has been forgotten."""
        forgotten = self.prior_count * (1 - self.decay ** min(c.v - 1, self.period(len(c.mean))))
        share = forgotten / (self.counted(c.sp) + forgotten)
        if (np.linalg.eigvalsh(c.precision.astype(float)) < 0).any():
            return
        c.precision, c.determinant = c.precision / (1 - share), c.determinant * (1 - share) ** len(c.mean)
        for axis, width in zip(np.eye(len(c.mean), dtype=real), self.sigma, strict=True):
            self.add(c, share * width**2, axis)

    # Merging: all pairs, all in full

    def merge_alike(self, dimensions: int) -> None:
        settled = self.settled()
        while True:
            pairs = self.pairs([c for c in settled if c in self.components])
            if not pairs:
                break
            pair = min(pairs, key=lambda pair: self.cost_per_parameter(*pair))
            if not self.cost_per_parameter(*pair) < self.merge_below:
                break
            self.merge(*pair)
        self.next_check = self.seen + max(100, 2 * len(self.settled()) * dimensions, int(0.05 * self.seen))

    def settled(self) -> list[Component]:
        """They have learned from D + 1 samples, or have had their share of as many."""

        def has_met_enough(c: Component) -> bool:
            enough = len(c.mean) + 1
            return bool(c.sp >= enough or c.v >= len(self.components) * enough)

        return [c for c in self.components if has_met_enough(c)]

    def pairs(self, components: list[Component]) -> list[tuple[Component, Component]]:
        return list(combinations([c for c in components if is_positive(c)], 2))

    def runnalls(self, a: Component, b: Component) -> float:
        """Upper bound of the information that merging loses, in nats."""
        n, share, gap, spread = self.differences(a, b)
        return float(spread + n * np.log1p(share * (1 - share) * gap) / 2)

    def cost_per_parameter(self, a: Component, b: Component) -> float:
        """The same for each parameter saved, with the overlap taken into account."""
        n, share, gap, spread = self.differences(a, b)
        apart = n * (np.log1p(share * (1 - share) * gap) / 2 - information(float(gap), float(share)))
        dimensions = len(a.mean)
        return float(max(apart / (dimensions + 1), spread / (dimensions * (dimensions + 1) / 2)))

    def differences(self, a: Component, b: Component) -> tuple[Any, Any, Any, Any]:
        """n, α, q and the spread."""
        n, share = a.sp + b.sp, a.sp / (a.sp + b.sp)
        within = share * inverse(a.precision) + (1 - share) * inverse(b.precision)
        gap = (a.mean - b.mean) @ inverse(within) @ (a.mean - b.mean)
        logs = [log_determinant(within), -log_determinant(a.precision), -log_determinant(b.precision)]
        return n, share, gap, (n * logs[0] - a.sp * logs[1] - b.sp * logs[2]) / 2

    def merge(self, a: Component, b: Component) -> None:
        kept, taken = (b, a) if b.sp > a.sp else (a, b)
        share = kept.sp / (kept.sp + taken.sp)
        gap = kept.mean - taken.mean
        covariance = share * inverse(kept.precision) + (1 - share) * inverse(taken.precision)
        kept.precision = inverse(covariance + share * (1 - share) * np.outer(gap, gap))
        kept.determinant = np.exp(-log_determinant(kept.precision))
        kept.mean = share * kept.mean + (1 - share) * taken.mean
        kept.sp += taken.sp
        self.components = [c for c in self.components if c is not taken]
        self.merges.append((self.seen - 1, kept.id, taken.id))


def is_positive(c: Component) -> bool:
    return bool((np.linalg.eigvalsh(c.precision.astype(float)) > 0).all())


def inverse(matrix: Array) -> Array:
    """By Gauss and Jordan, in extended precision; the matrix is positive definite."""
    size = len(matrix)
    table = np.concatenate([matrix, np.eye(size, dtype=real)], axis=1).astype(real)
    for k in range(size):
        table[k] /= table[k, k]
        for other in range(size):
            if other != k:
                table[other] -= table[other, k] * table[k]
    return (table[:, size:] + table[:, size:].T) / 2


def log_determinant(matrix: Array) -> Any:
    """By Gaussian elimination, in extended precision; the matrix is positive definite."""
    table, total = matrix.astype(real), real(0)
    for k in range(len(table)):
        total += np.log(table[k, k])
        table[k + 1 :] -= np.outer(table[k + 1 :, k] / table[k, k], table[k])
    return total


def information(gap: float, share: float) -> float:
    """What a sample of two Gaussians, a distance of √gap apart, tells about which of them it is from, in nats."""
    if gap == 0:
        return 0.0

    def density(x: float) -> float:
        shares = (share, 0.0), (1 - share, math.sqrt(gap))
        return sum(part * math.exp(-((x - centre) ** 2) / 2) for part, centre in shares) / math.sqrt(2 * math.pi)

    def surprise(x: float) -> float:
        return -density(x) * math.log(density(x)) if density(x) > 0 else 0.0

    middle = math.sqrt(gap)
    entropy = sum(quad(surprise, *ends, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
                  for ends in ((-12, 0), (0, middle / 2), (middle / 2, middle), (middle, middle + 12)))  # fmt: skip
    return float(entropy) - math.log(2 * math.pi * math.e) / 2
