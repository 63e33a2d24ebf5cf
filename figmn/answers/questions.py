"""The query methods that engines and snapshots share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from scipy.special import chdtr

from figmn.answers import inference
from figmn.answers.inference import Projection
from figmn.answers.patterns import Asked, KeptPatterns
from figmn.rows import check_plane, check_rows
from figmn.system.arrays import Floats, Ints


class Answer(NamedTuple):
    """The answer to a single row."""

    filled: Floats
    """The row with every NaN replaced by its conditional mean, (1, D)."""
    joint: Floats
    """Log p(j) + log p(known values | j), (1, K)."""


class Conditionals(NamedTuple):
    """What every component says of the unknown values of rows that miss the same columns."""

    rows: slice | Ints
    """Their places among all rows of the query; there are n."""
    wanted: Ints
    """The o columns that they miss."""
    n_known: int
    """Number of the other columns."""
    log_weights: Floats
    """log p(j) + log p(known | j), (n, K)."""
    distances: Floats
    """Squared Mahalanobis distance of the known values, (n, K)."""
    means: Floats
    """Conditional mean of the wanted values, (n, K, o)."""
    covariances: Floats
    """Conditional covariance of the wanted values, (K, o, o)."""

    @property
    def novelty(self) -> Floats:
        """Percentile of χ² at the smallest of the distances, (n,); 0 where nothing is known."""
        nearest = np.maximum(self.distances.min(axis=1), 0.0)
        return np.asarray(chdtr(self.n_known, nearest)) if self.n_known else np.zeros(len(nearest))


class Questions(ABC):
    """Query methods; they never change the mixture. NaN in a row means "not known".

    >>> from figmn import FastIGMN
    >>> model = FastIGMN(delta=1, beta=0, scale=[1.0, 1.0]).learn([[0, 0], [1, 2], [2, 4], [3, 6]])
    >>> model.recall([[1.5, np.nan]])
    array([[1.5, 3. ]])
    """

    n_features: int
    columns: tuple[str, ...] | None
    offset: Floats
    """The first row seen, (D,): it is subtracted from all rows, so that columns far from 0 keep their digits."""
    _kept: KeptPatterns
    """Cache of patterns of the current mixture."""

    @property
    @abstractmethod
    def n_components(self) -> int:
        """K.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=1, scale=[1.0]).learn([[0.0], [99.0]]).n_components
        2
        """

    @abstractmethod
    def _mixture(self) -> inference.Mixture:
        """The arrays that inference needs."""

    @abstractmethod
    def _projected(self, plane: Floats) -> Floats:
        """Vᵀ C V of every component, (K, m, m); there is at least one."""

    @property
    @abstractmethod
    def means(self) -> Floats:
        """μ of every component, (K, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=1, scale=[1.0]).learn([[0.0], [99.0]]).means
        array([[ 0.],
               [99.]])
        """

    def score_samples(self, X: Any) -> Floats:
        """Log density of every row; where values are missing, of the known ones alone.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, scale=[1.0]).learn([[0.0]])
        >>> model.score_samples([[0.0], [1.0]]).round(3)
        array([-0.919, -1.419])
        """
        return inference.log_sum(self._log_joint(X))

    def responsibilities(self, X: Any) -> Floats:
        """Posterior p(j | x) of every component, (N, K); where values are missing, given the known ones alone.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, beta=0.1, scale=[1.0]).learn([[0.0], [4.0]])
        >>> model.responsibilities([[0.0], [2.0]]).round(3)
        array([[1. , 0. ],
               [0.5, 0.5]])
        """
        return inference.normalised(self._log_joint(X))

    @overload
    def recall(self, X: Any, return_cov: Literal[False] = ...) -> Floats: ...
    @overload
    def recall(self, X: Any, return_cov: Literal[True]) -> tuple[Floats, list[Floats]]: ...
    def recall(self, X: Any, return_cov: bool = False) -> Floats | tuple[Floats, list[Floats]]:
        """Predict any elements from any others: NaN marks what is wanted.

        Parameters
        ----------
        X : array-like of shape (N, D)
            Rows with the same missing values are answered together.
        return_cov : bool
            Return the covariances of the answers as well.

        Returns
        -------
        filled : array of shape (N, D)
            `X` with every NaN replaced by its conditional mean.
        covariances : list of N arrays
            For every row the (o, o) conditional covariance of its o wanted values. Under the published rule it
            need not be positive definite.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, beta=0, scale=[1.0, 1.0]).learn([[0, 0], [1, 2], [2, 4], [3, 6]])
        >>> filled, covariances = model.recall([[np.nan, 3], [1.5, 3]], return_cov=True)
        >>> filled
        array([[1.5, 3. ],
               [1.5, 3. ]])
        >>> [covariance.shape for covariance in covariances]
        [(1, 1), (0, 0)]
        """
        given = self._checked_question(X)
        answer = None if return_cov else self._answer_one(given, self.offset)
        if answer is not None:
            return answer.filled
        patterns, rows, offset = self._asked(), given - self.offset, self.offset
        if return_cov:
            filled, covariances = inference.recall_with_covariances(patterns, rows)
            return np.where(np.isnan(given), filled + offset, given), covariances
        return np.where(np.isnan(given), inference.recall(patterns, rows) + offset, given)

    def conditionals(self, X: Any) -> Iterator[Conditionals]:
        """What `recall` adds up, component by component.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, beta=0.1, scale=[1.0, 1.0]).learn([[0, 0], [9, 5]])
        >>> (found,) = model.conditionals([[1.0, np.nan], [2.0, np.nan]])
        >>> found.wanted, found.means[0].ravel(), found.distances[0].round(6)
        (array([1]), array([0., 5.]), array([ 1., 64.]))
        """
        given = self._checked_question(X)
        found = self._condition_one(given)
        if found is not None:
            yield found
            return
        rows = given - self.offset
        for places, pattern, log_weights, means in inference.conditions(self._asked(), rows):
            wanted = pattern.wanted
            yield Conditionals(
                rows=places,
                wanted=wanted,
                n_known=self.n_features - len(wanted),
                log_weights=log_weights,
                distances=2 * (pattern.log_scales - log_weights),
                means=means + self.offset[wanted],
                covariances=pattern.covariances,
            )

    def forget_patterns(self) -> None:
        """Clear the cache of patterns of missing values; answers are the same without it.

        `recall` and `score_samples` cache what they have computed for the last patterns of missing values, until
        something is learned: at most 32 of them and 128 MiB, counted in `n_bytes`. A single row in few columns needs
        none under the exact rule: a compiled loop answers it in the time that finding a pattern would take.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, scale=[1.0, 1.0]).learn([[0, 0]])
        >>> before, _ = model.n_bytes, model.recall([[1.5, np.nan], [2.5, np.nan]])
        >>> model.n_bytes > before, model.forget_patterns(), model.n_bytes == before
        (True, None, True)
        """
        self._kept.clear()

    def project(self, plane: Any) -> Projection:
        """Project every component onto a plane, for example to draw its ellipse, without a full inverse.

        Parameters
        ----------
        plane : array-like of shape (D, m)
            One axis per column: two unit vectors for a pair of columns, two loadings for a principal plane.

        Returns
        -------
        Projection
            ``means`` of shape (K, m) and ``covariances`` of shape (K, m, m): Vᵀμ and VᵀCV of every component. K is 0
            if there is none.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, scale=[1.0, 2.0, 3.0]).learn([[4, 5, 6]])
        >>> means, covariances = model.project([[1, 0], [0, 0], [0, 1]])
        >>> means, covariances
        (array([[4., 6.]]), array([[[1., 0.],
                [0., 9.]]]))
        """
        axes = check_plane(plane, self.n_features)
        if not self.n_components:
            m = axes.shape[1]
            return Projection(np.empty((0, m)), np.empty((0, m, m)))
        # Computed products are symmetric only up to rounding.
        means, covariances = self.means @ axes, self._projected(axes)
        return Projection(means, 0.5 * (covariances + covariances.swapaxes(1, 2)))

    def sample(self, n_samples: int = 1, seed: int | np.random.Generator | None = None) -> Floats:
        """Draw rows from the mixture.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, scale=[1.0, 1.0]).learn([[0, 0]])
        >>> model.sample(3, seed=0).shape
        (3, 2)
        """
        return self.sample_with_components(n_samples, seed)[0]

    def sample_with_components(
        self, n_samples: int = 1, seed: int | np.random.Generator | None = None
    ) -> tuple[Floats, Ints]:
        """Draw rows from the mixture, and the index (0 to K - 1) of the component that each came from.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, scale=[1.0, 1.0]).learn([[0, 0]])
        >>> model.sample_with_components(3, seed=0)[1]
        array([0, 0, 0])
        """
        if n_samples < 1:
            raise ValueError(f"n_samples = {n_samples!r} is too few: draw at least one row")
        rows, components = inference.sample(self._mixture(), n_samples, np.random.default_rng(seed))
        return rows + self.offset, components

    def _log_joint(self, X: Any) -> Floats:
        given = self._checked_question(X)
        answer = self._answer_one(given, self.offset)
        return inference.log_joint(self._asked(), given - self.offset) if answer is None else answer.joint

    def _answer_one(self, given: Floats, offset: Floats) -> Answer | None:  # noqa: ARG002 (some engines use them)
        """The answer to a single row minus an offset, where a compiled loop is faster than a pattern; else None."""
        return None

    def _condition_one(self, given: Floats) -> Conditionals | None:  # noqa: ARG002 (some engines use it)
        """`conditionals` of a single row, where a compiled loop is faster than a pattern; else None."""
        return None

    def _checked_question(self, X: Any) -> Floats:
        if not self.n_components:
            raise no_components()
        return check_rows(X, self.n_features, self.columns)

    def _asked(self) -> Asked:
        return Asked(self._kept, self._mixture, self.n_components)


def no_components() -> ValueError:
    """The error for a query on an empty mixture."""
    return ValueError("the mixture has no components yet: learn at least one row first")
