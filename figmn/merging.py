"""Which two components to merge, what that costs, and the component that takes their place.

The union of two components has their mean and covariance together (moment matching): with α = sp_i / (sp_i + sp_j),
C̄ = α C_i + (1 - α) C_j and the gap Δ = μ_i - μ_j, C_ij = C̄ + α (1 - α) Δ Δᵀ. With n = sp_i + sp_j and q = Δᵀ C̄⁻¹ Δ,
the information that it loses has two parts, both in nats over the evidence:

- spread: ½ (n log|C̄| - sp_i log|C_i| - sp_j log|C_j|), since the covariances differ;
- gap: ½ n log(1 + α (1 - α) q), since the means differ.

Their sum is Runnalls' upper bound (2007), by which the pair is chosen where there must be one component fewer. It
counts two overlapping halves of one cluster as two clusters. Whether two components are one is therefore decided by
what the gap costs where the overlap is taken into account, n (½ log(1 + α (1 - α) q) - I): I is the information that a
sample carries on which of two Gaussians with the covariance C̄ it comes from, and the whole is the divergence of their
sum from one Gaussian, exactly. Gap and spread are each divided by the number of parameters that they save, D + 1 and
D (D + 1) / 2, and the larger quotient counts: means are known after few samples, covariances after many, and a sum over
both would merge distinct clusters in many columns until each has some D² samples.

Search. Of K components with K² / 2 pairs, only those are factorised, at O(D³), that a comparison of means and variances
at O(D) leaves over (`kernels.find_near`, `kernels.compare_diagonals`): q is at least the largest (Δ_d)² / C̄_dd, the
divergence grows with q, and spread is never negative. A union is computed by a QR decomposition of the stacked roots
√α L_iᵀ, √(1 - α) L_jᵀ and √(α (1 - α)) Δᵀ, which keeps all digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dtrtrs

from figmn.forms.bases import Upper
from figmn.state import Components
from figmn.system.arrays import Bools, Floats, Ints
from figmn.system.memory import require

CHECK_AFTER = 100
"""Least number of samples between two searches for components that are one."""
CHECK_PER_COLUMN = 2
"""The same for each settled component and column: enough for O(K D²) a sample, as a search takes at most O(K² D³)."""
CHECK_SHARE = 0.05
"""The same as a share of the samples seen: what is settled hardly changes."""
LOOKED_AT = 16
"""Pairs that are factorised to find the cheapest: all pairs of up to six components. Taking all pairs of a hundred
components changed no log-likelihood by more than other orders of the rows do, and took ten times as long."""
KEPT_ROOTS = 64 * 2**20
"""Bytes of roots that a search keeps."""
EVERYBODY = -1
"""Place of a partner: pairs of all components."""
PAIR = 2

Root = Callable[[int], Floats]
"""L, lower triangular, with C = L Lᵀ, of the component at a position."""


class Union(NamedTuple):
    """Two components, to be replaced by one."""

    kept: int
    """Position of the one with more evidence, whose id the union gets."""
    taken: int
    """Position of the other."""
    centre: Floats
    root: Floats
    """L, lower triangular, with C_ij = L Lᵀ."""


Replace = Callable[[Union], None]
"""Puts a union into the place of the component that is kept; the other is dropped later."""


class Measured(NamedTuple):
    """What merging a pair costs."""

    evidence: float
    """n."""
    share: float
    """α of the first."""
    gap: float
    """q."""
    spread: float
    """Information lost because the covariances differ, in nats over the evidence."""
    within: Upper
    """Triangle R with C̄ = Rᵀ R."""

    @property
    def runnalls(self) -> float:
        """Upper bound of the information lost, in nats over the evidence."""
        return self.spread + 0.5 * self.evidence * math.log1p(self.share * (1 - self.share) * self.gap)

    @property
    def per_parameter(self) -> float:
        """Information lost, with the overlap taken into account, in nats per parameter saved."""
        from figmn import kernels  # numba takes half a second to import

        n_features = self.within.n_features
        apart = self.evidence * kernels.divergence(self.gap, self.share)
        return max(apart / (n_features + 1), self.spread / (n_features * (n_features + 1) / 2))


class Pairs:
    """Measures pairs of components, given their roots.

    Positions stay the same while pairs are merged: see `merge_alike`.

    >>> components = Components(n_features=1, n_kept=1)
    >>> for number, (centre, evidence) in enumerate([(0.0, 30.0), (1.0, 10.0), (9.0, 20.0)]):
    ...     components.add(ids=number, centres=centre, matrices=1.0, forms=None, variances=1.0, log_dets=0.0,
    ...                    accumulators=evidence, masses=evidence)
    >>> pairs = Pairs(components, lambda j: np.ones((1, 1)))
    >>> pairs.cheapest()
    (0, 1)
    >>> union = pairs.union(0, 1)
    >>> union.centre, union.root**2
    (array([0.25]), array([[1.1875]]))
    >>> pairs.measure(0, 1).per_parameter < 0.2 < pairs.measure(0, 2).per_parameter
    True
    """

    def __init__(self, components: Components, root: Root) -> None:
        self._components, self._root = components, root
        self._roots: dict[int, Floats] = {}
        n_features = components.centres.shape[1]
        self._room = KEPT_ROOTS // (8 * n_features**2)
        # Two roots, the triangle upon which they are put, and the form of the union.
        require(32 * n_features**2, f"merging two components over {n_features} columns")

    def cheapest(self) -> tuple[int, int] | None:
        """Positions of the pair with the smallest bound of Runnalls; None where no two have positive covariances.

        Of many components, only the pairs are measured that are cheapest by their variances alone.
        """
        from figmn import kernels  # numba takes half a second to import

        components, sp = self._components, self._components.accumulators
        firsts, seconds = _pairs_among(components.negatives == 0)
        farthest, logs = kernels.compare_diagonals(components.centres, components.variances, sp, firsts, seconds)
        n, shares = sp[firsts] + sp[seconds], sp[firsts] / (sp[firsts] + sp[seconds])
        own = sp * np.log(np.abs(components.variances)).sum(axis=1)  # an indefinite one may have some below 0
        estimates = n * logs - own[firsts] - own[seconds]
        least = 0.5 * n * np.log1p(shares * (1 - shares) * farthest)
        best, found = np.inf, None
        for place in np.argsort(estimates, kind="stable")[:LOOKED_AT].tolist():
            if least[place] < best:
                pair = int(firsts[place]), int(seconds[place])
                cost = self.measure(*pair).runnalls
                best, found = min((best, found), (cost, pair), key=lambda one: one[0])
        return found

    def below(self, limit: float, allowed: Bools, partner: int = EVERYBODY) -> Iterator[tuple[float, int, int]]:
        """Cost per parameter and positions of the allowed pairs, or of those with a partner, that cost less."""
        from figmn import kernels  # numba takes half a second to import

        components, most = self._components, limit * (self._components.centres.shape[1] + 1)
        for i, j in kernels.find_near(
            components.centres, components.variances, components.accumulators, allowed, partner, most
        ).tolist():
            cost = self.measure(i, j).per_parameter
            if cost < limit:
                yield cost, i, j

    def measure(self, i: int, j: int) -> Measured:
        """What merging the components at two positions costs."""
        components = self._components
        n, share = self._evidence(i, j)
        first, second = self._kept_root(i), self._kept_root(j)
        within = Upper(np.sqrt(share) * first.T)
        within.take_in(np.array(np.sqrt(1 - share) * second.T, order="F"))
        white, _ = dtrtrs(within.array, components.centres[i] - components.centres[j], trans=1)
        logs = [np.log(np.abs(root.diagonal())).sum() for root in (within.array, first, second)]
        spread = max(n * float(logs[0] - share * logs[1] - (1 - share) * logs[2]), 0.0)
        return Measured(n, share, float(white @ white), spread, within)

    def union(self, i: int, j: int) -> Union:
        """The component that takes the place of two."""
        components = self._components
        if components.accumulators[j] > components.accumulators[i]:
            i, j = j, i
        _, share = self._evidence(i, j)
        gap = components.centres[j] - components.centres[i]
        triangle = self.measure(i, j).within
        triangle.take_in(np.array(np.sqrt(share * (1 - share)) * gap[None], order="F"))
        root: Floats = np.ascontiguousarray((triangle.array * np.sign(triangle.array.diagonal())[:, None]).T)
        return Union(i, j, components.centres[i] + (1 - share) * gap, root)

    def forget(self, union: Union) -> None:
        """Drop what is kept of two components that have been merged."""
        for j in (union.kept, union.taken):
            self._roots.pop(j, None)

    def _evidence(self, i: int, j: int) -> tuple[float, float]:
        """n and α."""
        first, second = self._components.accumulators[i], self._components.accumulators[j]
        return float(first + second), float(first / (first + second))

    def _kept_root(self, j: int) -> Floats:
        if j in self._roots:
            return self._roots[j]
        root = self._root(j)
        if len(self._roots) < self._room:
            self._roots[j] = root
        return root


def merge_alike(components: Components, root: Root, replace: Replace, limit: float) -> list[tuple[int, int]]:
    """Merge all pairs of settled components that cost less than the limit, in nats per parameter, the cheapest first.

    Returns the ids of those that were kept and of those that they took in. `replace` puts a union into the place of the
    one that is kept.
    """
    merged, candidates = list[tuple[int, int]](), are_settled(components)
    if np.count_nonzero(candidates) < PAIR:
        return merged
    pairs, alive = Pairs(components, root), np.ones(components.count, np.bool_)
    found = list(pairs.below(limit, candidates))
    try:
        while found:
            union = pairs.union(*min(found)[1:])
            replace(union)
            merged.append(_ids_of(components, union))
            alive[union.taken] = candidates[union.taken] = False
            pairs.forget(union)
            found = [pair for pair in found if not {*pair[1:]} & {union.kept, union.taken}]
            found += pairs.below(limit, candidates, union.kept)
    finally:
        if merged:
            components.keep(alive)
    return merged


def merge_down_to(most: float, components: Components, root: Root, replace: Replace) -> list[tuple[int, int]]:
    """Merge the cheapest pair, by Runnalls' bound, until there are at most so many components, if any can be merged.

    Returns and calls the same as `merge_alike`.
    """
    merged = []
    while components.count > most:
        pairs = Pairs(components, root)
        pair = pairs.cheapest()
        if pair is None:
            break
        union = pairs.union(*pair)
        replace(union)
        merged.append(_ids_of(components, union))
        components.keep(np.arange(components.count) != union.taken)
    return merged


def _ids_of(components: Components, union: Union) -> tuple[int, int]:
    return int(components.ids[union.kept]), int(components.ids[union.taken])


def are_settled(components: Components) -> Bools:
    """Whether components can be compared: they have learned from D + 1 samples, or have had their share of as many.

    A merger cannot be undone, and for components with fewer samples it would nearly always be worth while: the few
    parameters of a newborn describe it no worse than its neighbour's.
    """
    n_parameters = components.centres.shape[1] + 1
    settled: Bools = components.accumulators >= n_parameters
    settled |= components.ages >= components.count * n_parameters
    settled &= components.negatives == 0
    return settled


def samples_to_next_check(components: Components, n_seen: int) -> int:
    """Samples until the next search for components that are one; its cost stays within O(K D²) a sample."""
    n_settled = int(np.count_nonzero(are_settled(components)))
    n_features = int(components.centres.shape[1])
    return max(CHECK_AFTER, CHECK_PER_COLUMN * n_settled * n_features, int(CHECK_SHARE * n_seen))


def _pairs_among(allowed: Bools) -> tuple[Ints, Ints]:
    """Positions of all pairs of the allowed components, the first before the second."""
    places = np.flatnonzero(allowed)
    firsts, seconds = np.triu_indices(len(places), 1)
    return places[firsts], places[seconds]
