"""Fast IGMN beside scikit-learn's `GaussianMixture` with as many components: log-likelihood of new rows, and time.

Each is told its own setting: Fast IGMN the width δ, which `suggest` has found before, unless it is given;
`GaussianMixture` the number of components that Fast IGMN ends with. It starts, as by default, from k-means. Both have
one BLAS thread; times are medians of CPU time, taken in turns.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn import FastIGMNMixture, Parameters
from figmn.bench import pinned
from figmn.choosing import suggest

Floats = NDArray[np.float64]
N_ROWS = 100_000
N_NEW = 10_000
"""Rows on which the log-likelihood is measured; none of them is learned."""
N_CLUSTERS = 5
REPEATS = 3
APART = {"near": 3.0, "far": 10.0}
"""Distance between any two centres, in standard deviations of a cluster."""


@dataclass(frozen=True)
class MixtureCase:
    """Five Gaussians of unit variance, any two centres at the same distance from each other on average."""

    n_columns: int
    distance: str
    n_rows: int = N_ROWS
    seed: int = 0

    def draw(self) -> tuple[Floats, Floats, float]:
        """Rows to learn, new rows, and the mean log-likelihood of the new rows under the true mixture.

        >>> train, new, true = MixtureCase(2, "far", 500).draw()
        >>> train.shape, new.shape, round(true)
        ((500, 2), (10000, 2), -4)
        """
        rng = np.random.default_rng(self.seed)
        # The difference of two centres with this spread has the wanted length on average.
        spread = APART[self.distance] / np.sqrt(2 * self.n_columns)
        centres = rng.normal(0, spread, (N_CLUSTERS, self.n_columns))
        rows = rng.normal(size=(self.n_rows + N_NEW, self.n_columns))
        rows += centres[rng.integers(N_CLUSTERS, size=len(rows))]
        new = rows[self.n_rows :]
        return rows[: self.n_rows], new, float(_log_density(new, centres).mean())


@dataclass(frozen=True)
class MixtureScore:
    """Both mixtures on one case; log-likelihoods are means over new rows."""

    case: MixtureCase
    n_components: int
    fast: float
    batch: float
    true: float
    choice_seconds: float
    """Time of the choice of δ."""
    fast_seconds: float
    batch_seconds: float

    @property
    def difference(self) -> float:
        """Log-likelihood of Fast IGMN less that of `GaussianMixture`."""
        return self.fast - self.batch

    @property
    def speed_up(self) -> float:
        """Time of `GaussianMixture` divided by that of Fast IGMN, each with its setting given."""
        return self.batch_seconds / self.fast_seconds


def mixture_cases(dims: Sequence[int] = (2, 10, 50), n_rows: int = N_ROWS) -> list[MixtureCase]:
    """Near and far clusters for every number of columns.

    >>> [(case.n_columns, case.distance) for case in mixture_cases([2])]
    [(2, 'near'), (2, 'far')]
    """
    return [MixtureCase(n_columns, distance, n_rows) for n_columns in dims for distance in APART]


def measure_mixtures(cases: Sequence[MixtureCase], **parameters: Any) -> Iterator[MixtureScore]:
    """Measure case by case; `parameters` are those of `FastIGMNMixture`.

    >>> [score] = measure_mixtures([MixtureCase(2, "far", 500)])
    >>> abs(score.difference) < 1
    True
    """
    from sklearn.mixture import GaussianMixture

    with pinned(1):
        for warm in (FastIGMNMixture(**parameters), GaussianMixture()):  # code that is loaded by its first use
            _fit(warm, np.random.default_rng(0).normal(size=(100, 2)))
        for case in cases:
            train, new, true = case.draw()
            began = time.process_time()
            delta = parameters.get("delta") or suggest(train, Parameters(**parameters)).delta
            choice_seconds = time.process_time() - began
            fast = FastIGMNMixture(**parameters | {"delta": delta}).fit(train)
            batch = GaussianMixture(fast.n_components_, random_state=case.seed)
            seconds = [(_fit(fast, train), _fit(batch, train)) for _ in range(REPEATS)]
            scores = float(fast.score(new)), float(batch.score(new)), true
            times = np.median(seconds, axis=0).tolist()
            yield MixtureScore(case, fast.n_components_, *scores, choice_seconds, *times)


def _fit(model: Any, rows: Floats) -> float:
    """CPU seconds."""
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of no convergence after as many rounds as scikit-learn allows by default
        model.fit(rows)
    return time.process_time() - began


def _log_density(rows: Floats, centres: Floats) -> Floats:
    """Of a mixture of equally frequent unit Gaussians."""
    from scipy.special import logsumexp

    squares = ((rows[:, None] - centres) ** 2).sum(axis=2)
    constant = rows.shape[1] * np.log(2 * np.pi) / 2 + np.log(len(centres))
    densities: Floats = logsumexp(-squares / 2, axis=1) - constant
    return densities
