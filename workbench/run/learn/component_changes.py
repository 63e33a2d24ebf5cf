"""Names the changes of components between two moments of a run.

A component that has learned 10,000 samples hardly moves by 300 more, so it is not compared with itself: the evidence
that it took in between has a mean and a covariance of its own, which follow from the sums of both moments. These are
compared with the component as it was, or with both where one took in another. A difference must be large for a user,
and beyond chance: `SURE` standard errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from figmn.engine import Engine
from figmn.system.arrays import Floats, Ints
from workbench.run.show.drift import ChangeKind, ComponentChange
from workbench.words.numbers import percent, short
from workbench.words.sentences import shortened

ENOUGH = 30.0
"""Evidence (about as many samples) that a component must have, and take, to be compared."""
MOVED = 0.5
"""Standard deviations, in the column of the largest move, from which on a component has moved."""
GREW = 1.25
"""Ratio of the standard deviations, geometric mean over the columns, from which on it grew; its inverse: it shrank."""
DEFORMED, TURNED = 1.5, 0.3
"""It was deformed where the ratio of a column differs this much from the mean ratio, or a correlation by `TURNED`."""
THINNED, VANISHED = 0.5, 0.05
"""Share of its former part in the evidence below which it has thinned, and below which it has vanished."""
SURE = 4.5
"""Standard errors that a difference must have: the largest of a thousand differences seldom has more by chance."""
NARROWEST = 0.05
"""Widths in a column below this part of the column's standard deviation count as this part: a column of labels is
constant in most components, and rounding decides on what is left of its width."""
CORRELATED_UP_TO = 64
"""Columns up to which correlations are compared, D² numbers a component."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The components at one moment of a run; arrays are read-only."""

    n_done: int
    """Samples learned."""
    memory: float
    """In samples; infinite where nothing is forgotten."""
    prior_count: float
    """Pseudo-samples of each covariance beside the evidence."""
    ids: Ints
    priors: Floats
    evidence: Floats
    """sp, (K,)."""
    means: Floats
    covariances: Floats
    """(K, D, D) up to `CORRELATED_UP_TO` columns, else the variances, (K, D)."""

    @property
    def least_variances(self) -> Floats:
        """The smallest variances that count, (D,): see `NARROWEST`."""
        variances = np.stack([_diagonal(covariance) for covariance in self.covariances])
        mean = self.priors @ self.means
        overall: Floats = self.priors @ (variances + (self.means - mean) ** 2)
        return NARROWEST**2 * overall

    @staticmethod
    def of(engine: Engine) -> Moment:
        """Taken now; the arrays are copies."""
        few = engine.n_features <= CORRELATED_UP_TO
        return Moment(
            n_done=engine.n_seen,
            memory=engine.parameters.memory,
            prior_count=engine.parameters.prior_count or 1.0,
            ids=engine.ids,
            priors=engine.priors,
            evidence=engine.accumulators,
            means=engine.means,
            covariances=engine.covariances if few else engine.variances,
        )

    def merged(self, mergers: Iterable[tuple[int, int]]) -> Moment:
        """The components as if mergers, the ids of the one kept and of the one taken in, had been made before.

        >>> from figmn import FastIGMN
        >>> moment = Moment.of(FastIGMN(scale=[1.0]).learn([[0.0], [4.0]])).merged([(1, 0)])
        >>> moment.ids, moment.evidence, moment.means, moment.covariances.round(1)
        (array([1]), array([2.]), array([[2.]]), array([[[4.]]]))
        """
        parts = {
            number: _Part(*values)
            for number, *values in zip(self.ids.tolist(), self.evidence, self.means, self.covariances, strict=True)
        }
        for kept, taken in mergers:
            if taken in parts:
                part = parts.pop(taken)
                parts[kept] = parts[kept].with_part(part) if kept in parts else part
        ids = np.array(sorted(parts), np.int64)
        evidence, means, covariances = (
            np.array(values) for values in zip(*(parts[i] for i in ids.tolist()), strict=True)
        )
        return replace(
            self, ids=ids, priors=evidence / evidence.sum(), evidence=evidence, means=means, covariances=covariances
        )


class _Part(NamedTuple):
    """One component of a moment."""

    evidence: float
    mean: Floats
    covariance: Floats

    def with_part(self, other: _Part) -> _Part:
        """Both together, with the same moments."""
        evidence = self.evidence + other.evidence
        share, gap = other.evidence / evidence, other.mean - self.mean
        square = np.outer(gap, gap) if self.covariance.ndim > 1 else gap**2
        covariance = (1 - share) * self.covariance + share * other.covariance + share * (1 - share) * square
        return _Part(evidence, self.mean + share * gap, covariance)


def changes_between(
    before: Moment, after: Moment, columns: Sequence[str], earlier: Moment | None = None
) -> tuple[ComponentChange, ...]:
    """The components that have changed, in the order of their ids.

    Parameters
    ----------
    before, after : the moments to compare
    columns : names of the columns
    earlier : moment before `before`: a component's part is what it took between them; None: its prior

    Examples
    --------
    >>> from figmn import FastIGMN
    >>> rng = np.random.default_rng(0)
    >>> engine = FastIGMN(beta=0, scale=[1.0]).learn(rng.normal(size=(1000, 1)))
    >>> before, after = Moment.of(engine), Moment.of(engine.learn(rng.normal(2, 1, (200, 1))))
    >>> [change.words() for change in changes_between(before, after, ["height"])]
    ["#0 moved by 2.1 σ in 'height'"]
    """
    taken = _taken(before, after)
    total = sum(taken.values())
    parts = dict(zip(before.ids.tolist(), before.priors.tolist(), strict=True))
    if earlier is not None:
        formerly = _taken(earlier, before)
        parts = {number: evidence / sum(formerly.values()) for number, evidence in formerly.items()}
    places = {number: place for place, number in enumerate(after.ids.tolist())}
    found = []
    for old, number in enumerate(before.ids.tolist()):
        new, took = places.pop(number, None), taken.get(number, 0.0)
        kinds = _thinning(parts[number], took, total)
        if new is not None and min(took, before.evidence[old]) >= ENOUGH:
            kinds |= _reshaping(before, old, after, new, columns)
        found += [ComponentChange(number, kinds)] if kinds else []
    newborn = [number for number in places if taken[number] >= ENOUGH]
    return (*found, *(ComponentChange(number, {"new": ""}) for number in newborn))


def _taken(before: Moment, after: Moment) -> dict[int, float]:
    """The evidence that every component has taken between two moments, by id; those removed since are left out."""
    was = dict(zip(before.ids.tolist(), (_kept(before, after) * before.evidence).tolist(), strict=True))
    pairs = zip(after.ids.tolist(), after.evidence.tolist(), strict=True)
    return {number: max(0.0, evidence - was.get(number, 0.0)) for number, evidence in pairs}


def _kept(before: Moment, after: Moment) -> float:
    """Share of the evidence of `before` that is not forgotten."""
    kept: float = (1 - 1 / after.memory) ** (after.n_done - before.n_done)
    return kept


def _thinning(part: float, took: float, total: float) -> dict[ChangeKind, str]:
    """Whether a component took much less of the evidence than its former part."""
    expected = part * total
    if expected < ENOUGH or took >= THINNED * expected:
        return {}
    if took < VANISHED * expected:
        return {"vanished": ""}
    return {"thinned": f"from {percent(part)} to {percent(took / total)}"}


def _reshaping(before: Moment, old: int, after: Moment, new: int, columns: Sequence[str]) -> dict[ChangeKind, str]:
    """How the evidence that a component took differs from the component as it was."""
    was, now = _kept(before, after) * before.evidence[old], after.evidence[new]
    took = float(now - was)
    shift = (after.means[new] - before.means[old]) * (now / took)
    covariance, recent = before.covariances[old], _scatter_taken(before, old, after, new, shift) / took
    widths, recent_widths = (np.sqrt(np.maximum(_diagonal(c), before.least_variances)) for c in (covariance, recent))
    moves = np.abs(shift) / widths
    largest = int(moves.argmax())
    kinds: dict[ChangeKind, str] = {}
    if moves[largest] >= max(MOVED, SURE / np.sqrt(took)):
        kinds["moved"] = f"by {short(float(moves[largest]), 2)} σ in {shortened(columns[largest])!r}"
    turned = 0.0
    if covariance.ndim > 1:
        first, second = covariance / np.outer(widths, widths), recent / np.outer(recent_widths, recent_widths)
        turned = float(np.abs(np.triu(first - second, 1)).max())
    return kinds | _resizing(np.log(recent_widths / widths), took, turned)


def _scatter_taken(before: Moment, old: int, after: Moment, new: int, shift: Floats) -> Floats:
    """The scatter of the evidence that a component took about its own mean: S' − S − (sp · took / sp') shift shiftᵀ."""
    was, now = _kept(before, after) * before.evidence[old], after.evidence[new]
    scatters = [
        (max(evidence, 1.0) + moment.prior_count - 1) * moment.covariances[place]
        for moment, place, evidence in ((after, new, now), (before, old, was))
    ]
    square = np.outer(shift, shift) if scatters[0].ndim > 1 else shift**2
    taken: Floats = scatters[0] - scatters[1] - was * (now - was) / now * square
    return taken


def _resizing(ratios: Floats, took: float, turned: float) -> dict[ChangeKind, str]:
    """From the logarithms of the ratios of the standard deviations, and the largest difference of a correlation."""
    kinds: dict[ChangeKind, str] = {}
    chance = SURE / np.sqrt(2 * took)
    size = float(ratios.mean())
    if abs(size) >= max(np.log(GREW), chance):
        kinds["grew" if size > 0 else "shrank"] = f"to {short(float(np.exp(size)), 2)}×"
    if np.abs(ratios - size).max() >= max(np.log(DEFORMED), chance) or turned >= max(TURNED, SURE / np.sqrt(took)):
        kinds["deformed"] = ""
    return kinds


def _diagonal(covariance: Floats) -> Floats:
    return covariance.diagonal() if covariance.ndim > 1 else covariance
