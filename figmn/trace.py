"""What one sample did to the mixture."""

from __future__ import annotations

from dataclasses import dataclass

from figmn.state import Floats, Ints


@dataclass(frozen=True, eq=False)
class Trace:
    """What `learn_one` did with one sample. Arrays are read-only and have one entry a component *before* the sample.

    >>> from figmn import FastIGMN
    >>> model = FastIGMN(delta=1, beta=0.1, scale=[1.0, 1.0])
    >>> model.learn_one([0, 0]).created
    True
    >>> trace = model.learn_one([0.5, 0])
    >>> trace.created, trace.distances, round(trace.threshold, 3), trace.omegas
    (False, array([0.25]), 4.605, array([0.5]))
    """

    sample: int
    """Number of the sample, from 0."""
    row: Floats
    """The sample as it was learned: missing values are filled in."""
    created: bool
    """True where a component was born, False where the components were updated."""
    ids: Ints
    distances: Floats
    """Squared Mahalanobis distances d²."""
    threshold: float
    """τ, the χ² quantile that every d² has to reach for a birth."""
    posteriors: Floats
    omegas: Floats
    """Learning rates ω = posterior / accumulator; zeros where a component was born."""
    log_likelihood: float
    """Log density of the sample before it was learned; minus infinity for the very first."""
    n_before: int
    n_after: int
    born: int | None
    """Id of the new component, if any."""
    removed: tuple[int, ...]
    """Ids of the components that were pruned."""
    nanoseconds: int
    """Time spent in the engine."""
