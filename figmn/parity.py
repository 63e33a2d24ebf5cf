"""How far two mixtures that learned the same rows agree: FastIGMN and IGMN, or any two engines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from figmn.engine import ComponentPart, Engine
from figmn.system.arrays import Floats


@dataclass(frozen=True)
class Differences:
    """Largest relative differences of two mixtures."""

    means: float = 0.0
    """Per column, in units of the mean or of the standard deviation, whichever is larger."""
    precisions: float = 0.0
    """Of Λ_ij, in units of √(Λ_ii Λ_jj)."""
    log_determinants: float = 0.0
    """In units of the log determinant, or of 1 where that is smaller."""
    accumulators: float = 0.0

    @property
    def worst(self) -> float:
        """The largest of them."""
        return max(self.means, self.precisions, self.log_determinants, self.accumulators)

    def or_larger(self, other: Differences) -> Differences:
        """The larger value of both, field by field."""
        return Differences(
            max(self.means, other.means),
            max(self.precisions, other.precisions),
            max(self.log_determinants, other.log_determinants),
            max(self.accumulators, other.accumulators),
        )


def compare(
    first: Engine, second: Engine, n_columns: int | None = None, n_components: int | None = None
) -> Differences:
    """The largest differences between two mixtures, over the components that both have.

    Parameters
    ----------
    first, second
        Two engines that have learned the same rows; components are matched by their ids.
    n_columns : int
        Compare only the precisions between this many columns, spread evenly. None: all of them.
    n_components : int
        Compare only the matrices of this many components, those with the most evidence. None: of all. Each costs
        `IGMN` a factorisation.

    Examples
    --------
    >>> from figmn import IGMN, FastIGMN
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> fast, cubic = (engine(delta=1, scale=np.ones(3)).learn(X) for engine in (FastIGMN, IGMN))
    >>> compare(fast, cubic).worst < 1e-12
    True
    """
    mine, theirs = first._components, second._components
    _, left, right = np.intersect1d(mine.ids, theirs.ids, assume_unique=True, return_indices=True)
    if not len(left):
        return Differences()
    weightiest = np.argsort(-mine.accumulators[left], kind="stable")[:n_components]
    width = first.n_features
    columns = np.unique(np.linspace(0, width - 1, min(n_columns or width, width)).astype(np.intp))
    matrices = [_difference(first._part(left[k], columns), second._part(right[k], columns)) for k in weightiest]
    unit = np.maximum(np.abs(second.means[right]), np.sqrt(np.abs(theirs.variances[right])))
    evidence = theirs.accumulators[right]
    return Differences(
        means=_largest(np.abs(first.means[left] - second.means[right]), unit),
        precisions=max(found[0] for found in matrices),
        log_determinants=max(found[1] for found in matrices),
        accumulators=_largest(np.abs(mine.accumulators[left] - evidence), evidence),
    )


def _difference(mine: ComponentPart, theirs: ComponentPart) -> tuple[float, float]:
    """Of the precisions and of the log determinants of two components."""
    roots = np.sqrt(np.abs(theirs.precision.diagonal()))
    apart = abs(mine.log_determinant - theirs.log_determinant) / max(1.0, abs(theirs.log_determinant))
    return _largest(np.abs(mine.precision - theirs.precision), np.outer(roots, roots)), float(apart)


def _largest(differences: Floats, units: Floats) -> float:
    """The largest quotient; 0 for equal values, even if the unit is 0."""
    found = np.divide(differences, units, out=np.where(differences > 0, np.inf, 0.0), where=units > 0)
    return float(found.max(initial=0.0))
