"""What learning did to the mixture: a `Trace` of one sample in full, or a `Record` of many in summary."""

from __future__ import annotations

from dataclasses import dataclass

from figmn.system.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Trace:
    """What `learn_one` did with one sample. Arrays are read-only and have one entry per component *before* the sample.

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
    """The sample as learned, with missing values filled in."""
    created: bool
    """True if a component was created, False if the components were updated."""
    ids: Ints
    distances: Floats
    """Squared Mahalanobis distances d²."""
    threshold: float
    """τ, the χ² quantile that every d² has to reach for a birth."""
    posteriors: Floats
    omegas: Floats
    """Learning rates ω = posterior / accumulator; zeros if a component was created."""
    log_likelihood: float
    """Log density of the sample before it was learned; minus infinity for the very first."""
    n_before: int
    n_after: int
    born: int | None
    """Id of the new component, if any."""
    removed: tuple[int, ...]
    """Ids of the components that were pruned."""
    merged: tuple[tuple[int, int], ...]
    """For every merger after the sample, the ids of the component that was kept and of the one that it took in."""
    nanoseconds: int
    """Wall-clock time spent in the engine."""


@dataclass(frozen=True, eq=False)
class Record:
    """What `learn_recorded` did with its samples. Arrays are read-only and have one entry per sample.

    >>> from figmn import FastIGMN
    >>> record = FastIGMN(delta=1, beta=0.1, scale=[1.0, 1.0]).learn_recorded([[0, 0], [0.5, 0], [9, 0], [9, 0]])
    >>> record.born, record.n_components
    (array([ 0, -1,  1, -1]), array([1, 1, 2, 2]))
    >>> record.nearest, record.distances.round(2), round(record.threshold, 3)
    (array([-1,  0,  0,  1]), array([   nan,   0.25, 136.11,   0.  ]), 4.605)
    >>> record.owners, record.posteriors
    (array([0, 0, 1, 1]), array([1., 1., 1., 1.]))
    """

    first: int
    """Number of the first sample; the others follow."""
    log_likelihoods: Floats
    """Log density of every sample before it was learned; minus infinity where there was no component."""
    nearest: Ints
    """Id of the component with the smallest d² before the sample; -1 where there was none."""
    distances: Floats
    """That smallest d²; NaN where there was no component."""
    owners: Ints
    """Id of the component with the largest posterior (prior times density) before the sample was learned; it need
    not be the nearest. For a birth, the new component."""
    posteriors: Floats
    """That largest posterior; 1 for a birth."""
    born: Ints
    """Id of the new component; -1 where the components were updated."""
    n_components: Ints
    """K after the sample."""
    n_indefinite: Ints
    """Updates that lost positive definiteness so far, this sample's included."""
    removed_samples: Ints
    """For every removal, in order, the number of the sample that it followed, (R,)."""
    removed_ids: Ints
    """For every removal the id of the component, (R,)."""
    merges: Ints
    """For every merger, in order: the number of the sample that it followed, the id of the component that was kept, and
    the id of the one that it took in, (M, 3)."""
    threshold: float
    """τ, the χ² quantile that every d² has to reach for a birth."""
    nanoseconds: int
    """Wall-clock time spent in the engine."""
    cpu_nanoseconds: int
    """The same in CPU time of the thread."""
