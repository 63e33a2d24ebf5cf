"""Named tuples of arrays that the compiled loops of `figmn.kernels` take. No numba here, so importing it is cheap.

The loops read and write the arrays in place. Each field must always have the same dtype, number of dimensions and
memory layout: to numba, another one is another type, for which the loop would be compiled again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from figmn.system.arrays import Bools, Floats, Ints

N_ALIVE, NEXT_ID, N_LOST, N_REMOVED = 0, 1, 2, 3
"""Places in the counters: components alive, id of the next component, updates that lost positive definiteness, and
removals recorded."""


class ComponentArrays(NamedTuple):
    """Buffers of `state.Components`, with room for more components than are alive."""

    ids: Ints
    centres: Floats
    matrices: Floats
    variances: Floats
    log_dets: Floats
    accumulators: Floats
    masses: Floats
    ages: Ints
    negatives: Ints


class BlockComponents(NamedTuple):
    """The numbers of each component that a block of samples changes: copies, which `Block.commit` writes back."""

    ids: Ints
    log_dets: Floats
    accumulators: Floats
    masses: Floats
    ages: Ints
    negatives: Ints


class Columns(NamedTuple):
    """What newborn components get their widths from: given widths, or running statistics as in `ColumnStatistics`."""

    given_width: Floats
    """σ_ini where the scale is given, else empty."""
    counts: Ints
    means: Floats
    squares: Floats


class Rules(NamedTuple):
    """What decides on births, updates and removals."""

    threshold: float
    """τ."""
    v_min: float
    sp_min: float
    delta: float
    published: bool
    """Whether the covariance rule is the published one; else it is the exact one."""
    surplus: float
    """n_0 - 1."""
    decay: float
    """λ = 1 - 1 / memory: what remains of the evidence with each sample."""
    most: float
    """K_max."""


class RecorderPage(NamedTuple):
    """Arrays of a `Recorder`; the rows of `measures` and `numbers` have names in `figmn.recorder`."""

    measures: Floats
    numbers: Ints
    removals: Ints
    """Column of the sample and id of the component, one row for each removal."""
    column: int
    """Column of the first sample of this call."""


class Work(NamedTuple):
    """Work space of a loop."""

    results: Floats
    """The next three fields together, (3, K): after a call, what it found for the last sample."""
    distances: Floats
    posteriors: Floats
    omegas: Floats
    log_accumulators: Floats
    log_masses: Floats
    errors: Floats
    """e, (K, D); this and what follows is used by the loops over rows only."""
    products: Floats
    """The matrix of each component times e, (K, D)."""
    factor: Floats
    """(D, D)."""

    @classmethod
    def of(cls, n_components: int, n_features: int) -> Self:
        """Uninitialised work space; blocks of samples pass 0 features."""
        results = np.empty((3, n_components))
        errors, products = np.empty((n_components, n_features)), np.empty((n_components, n_features))
        factor = np.empty((n_features, n_features))
        return cls(
            results, results[0], results[1], results[2], np.empty(n_components), np.empty(n_components),
            errors, products, factor,
        )  # fmt: skip

    @property
    def n_bytes(self) -> int:
        """Memory of the arrays."""
        logs = (self.log_accumulators, self.log_masses)
        arrays = (self.results, *logs, self.errors, self.products, self.factor)
        return sum(array.nbytes for array in arrays)


class Unknowns(NamedTuple):
    """What a loop finds out about rows before it learns them, one entry per row."""

    gaps: Bools
    """Whether the row has missing values, which are filled in."""
    wanted: Ints
    """Columns that are predicted from the others, in ascending order, (o,)."""
    answers: Floats
    """The predictions, (n, o)."""
    filled: Floats
    """The last row with missing values, filled in and minus the offset, (D,)."""

    @classmethod
    def of(cls, rows: Floats, gaps: Sequence[int], wanted: Ints) -> Self:
        """For rows of which those at `gaps` have missing values; what is to be found is uninitialised."""
        has_gaps = np.zeros(len(rows), np.bool_)
        has_gaps[gaps] = True
        return cls(has_gaps, wanted, np.empty((len(rows), len(wanted))), np.empty(rows.shape[1]))

    def part(self, begin: int, end: int | None = None) -> Self:
        """Those of some of the rows; the answers are a view."""
        return self._replace(gaps=self.gaps[begin:end], answers=self.answers[begin:end])


class ScatterSteps(NamedTuple):
    """What components have learned from a block under the exact rule; `kernels.learn_scatter_block` has the formulas.

    There are K components and n samples in the block; component j has learned from ``updates[j]`` of them.
    """

    places: Ints
    """Which sample, (K, n)."""
    rates: Floats
    """ω, (K, n)."""
    strengths: Floats
    """h, (K, n)."""
    corners: Floats
    """T, (K, n, n)."""
    updates: Ints

    @classmethod
    def of(cls, n_components: int, n_samples: int) -> Self:
        """Uninitialised arrays, and no updates."""
        shape = n_components, n_samples
        return cls(
            places=np.empty(shape, np.int64),
            rates=np.empty(shape),
            strengths=np.empty(shape),
            corners=np.empty((*shape, n_samples)),
            updates=np.zeros(n_components, np.int64),
        )


class PrecisionSteps(NamedTuple):
    """What components have learned from a block under the published rule; see `kernels.learn_precision_block`.

    There are K components and n samples in the block; component j has learned from ``updates[j]`` of them.
    """

    shifts: Floats
    """a, (K, n)."""
    directions: Floats
    """c, (K, n, n)."""
    gains: Floats
    """g, (K, n)."""
    errors: Floats
    """Coefficients of the errors e₀ in each error e, (K, n, n)."""
    variance_weights: Floats
    """Weights of each e² and, in the last place, of the old variances, (K, n + 1)."""
    scales: Floats
    """s, (K,)."""
    posteriors: Floats
    """Posterior of each sample, or 0 if it is negligible, (K, n)."""
    updates: Ints

    @classmethod
    def of(cls, n_components: int, n_samples: int) -> Self:
        """Uninitialised arrays, and no updates."""
        shape, square = (n_components, n_samples), (n_components, n_samples, n_samples)
        return cls(
            shifts=np.empty(shape),
            directions=np.empty(square),
            gains=np.empty(shape),
            errors=np.empty(square),
            variance_weights=np.empty((n_components, n_samples + 1)),
            scales=np.empty(n_components),
            posteriors=np.empty(shape),
            updates=np.zeros(n_components, np.int64),
        )
