"""Mixtures made of a mixture: conditionals, marginals, one Gaussian; and how far rows are from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from figmn.answers import inference, quantiles
from figmn.answers.patterns import KeptPatterns
from figmn.answers.questions import Conditionals, Questions, no_components
from figmn.forms.triangle import Triangle, root_of_covariance, triangle_of_root
from figmn.rows import check_columns, check_row, describe_column
from figmn.system.arrays import Floats, Ints

LEAST_PRIOR = 1e-300
"""Of a component that the evidence rules out: its logarithm stays finite."""


class Evidence(NamedTuple):
    """How well a mixture knows the values that it was given."""

    log_density: float
    """Log density of the known values; 0 where none is known."""
    novelty: float
    """See `Answers.novelty`."""


NOTHING_KNOWN = Evidence(0.0, 0.0)


class Answers(Questions):
    """What engines, snapshots and densities make of their mixtures.

    >>> from figmn import FastIGMN
    >>> model = FastIGMN(delta=1, beta=0.1, scale=[1.0, 1.0], columns=["x", "y"]).learn([[0, 0], [9, 5], [9, 5]])
    >>> found = model.condition([9.0, np.nan])
    >>> found.columns, found.priors.round(3), found.means.ravel()
    (('y',), array([0., 1.]), array([0., 5.]))
    """

    @property
    @abstractmethod
    def priors(self) -> Floats:
        """p(j) of every component, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=1, scale=[1.0]).learn([[0.0], [99.0]]).priors
        array([0.5, 0.5])
        """

    @property
    @abstractmethod
    def covariances(self) -> Floats:
        """C of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=1, scale=[2.0]).learn([[0.0]]).covariances
        array([[[4.]]])
        """

    def condition(self, x: Any, noise: Any = None) -> Density:
        """The mixture of the unknown values of one row, given the known ones.

        Parameters
        ----------
        x : array-like of shape (D,)
            NaN marks the values that are wanted; if all are, the result is the mixture itself.
        noise : array-like of shape (D,) or None
            Standard deviations of the errors of the known values, as of a measurement: 0 where a value is exact. What
            is said of wanted columns is not read.

        Returns
        -------
        Density
            Over the wanted columns, in their order, with one component for each of the mixture. Its `evidence` says
            how surprising the known values are.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, beta=0, scale=[1.0, 1.0]).learn([[0, 0], [1, 2], [2, 4], [3, 6]])
        >>> exact, vague = model.condition([3.0, np.nan]), model.condition([3.0, np.nan], noise=[2.0, 0.0])
        >>> exact.means.round(2), vague.means.round(2)
        (array([[5.5]]), array([[3.68]]))
        >>> exact.evidence.novelty < 0.9, vague.evidence.novelty < exact.evidence.novelty
        (True, True)
        """
        if not self.n_components:
            raise no_components()
        row = check_row(x, self.n_features, self.columns)
        wanted = np.flatnonzero(np.isnan(row))
        if not len(wanted):
            raise ValueError("no value of the row is NaN, so nothing is wanted: mark the wanted values by NaN")
        errors = np.zeros(self.n_features) if noise is None else _check_noise(noise, row, self.columns)
        found = self._softly(row, wanted, errors) if errors.any() else next(self.conditionals(row[None]))
        joint = found.log_weights
        return Density(
            priors=inference.normalised(joint)[0],
            means=found.means[0],
            covariances=found.covariances,
            columns=_names_of(wanted, self.columns),
            evidence=Evidence(float(inference.log_sum(joint)[0]), float(found.novelty[0])),
        )

    def marginal(self, columns: Any) -> Density:
        """The mixture of some columns, whatever the others are.

        Parameters
        ----------
        columns : sequence of int or str
            Positions, where negative ones count from the end, or names; the result has them in this order.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, scale=[1.0, 2.0, 3.0], columns=["a", "b", "c"]).learn([[4, 5, 6]])
        >>> model.marginal(["c", "a"]).means, model.marginal([1]).covariances
        (array([[6., 4.]]), array([[[4.]]]))
        """
        if not self.n_components:
            raise no_components()
        places = check_columns(columns, self.n_features, self.columns, "columns", may_be_all=True)
        projected = self.project(np.eye(self.n_features)[:, places])
        return Density(self.priors, projected.means, projected.covariances, _names_of(places, self.columns))

    def to_gaussian(self) -> Density:
        """One Gaussian with the mean and the covariance of the whole mixture.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, beta=0.1, scale=[1.0]).learn([[0.0], [10.0]])
        >>> whole = model.to_gaussian()
        >>> whole.means, whole.covariances
        (array([[5.]]), array([[[26.]]]))
        """
        if not self.n_components:
            raise no_components()
        priors, means = self.priors, self.means
        mean = priors @ means
        gaps = (means - mean) * np.sqrt(priors)[:, None]
        covariance = np.tensordot(priors, self.covariances, 1) + gaps.T @ gaps
        return Density(np.ones(1), mean[None], covariance[None], self.columns)

    def predict(self, X: Any, wanted: Any) -> Floats:
        """Predict some columns of every row from its others, which may have gaps.

        What the rows have in the wanted columns is not read. The table is not copied: only a block of rows at a time.

        Parameters
        ----------
        X : array-like of shape (N, D)
        wanted : sequence of int or str
            The columns to predict: positions, where negative ones count from the end, or names.

        Returns
        -------
        array of shape (N, o)
            In the order of `wanted`.

        Examples
        --------
        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, beta=0, scale=[1.0, 1.0]).learn([[0, 0], [1, 2], [2, 4], [3, 6]])
        >>> model.predict([[1.5, 0.0], [3.0, 0.0]], wanted=[1]).round(2)
        array([[3. ],
               [5.5]])
        """
        rows = self._checked_question(X)
        places = check_columns(wanted, self.n_features, self.columns, may_be_all=True)
        predicted = np.empty((len(rows), len(places)))
        size = inference.rows_at_once(self.n_features)
        for start in range(0, len(rows), size):
            block = slice(start, start + size)
            question = rows[block].copy()
            question[:, places] = np.nan
            predicted[block] = self.recall(question)[:, places]
        return predicted

    def novelty(self, X: Any) -> Floats:
        """How far every row is from the nearest component, as a share of its samples that would be nearer, 0 to 1.

        The percentile of χ² at the smallest squared Mahalanobis distance of the known values. A row counts as new to
        the mixture, and would start a component, where this is at least 1 - β.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=1, scale=[1.0, 1.0]).learn([[0, 0]])
        >>> model.novelty([[0, 0], [1, 1], [3, 3], [3, np.nan]]).round(3)
        array([0.   , 0.632, 1.   , 0.997])
        """
        rows = self._checked_question(X)
        found = np.empty(len(rows))
        for part in self.conditionals(rows):
            found[part.rows] = part.novelty
        return found

    def _softly(self, row: Floats, wanted: Ints, noise: Floats) -> Conditionals:
        """`conditionals` of one row whose known values have errors: C_kk + R in place of C_kk."""
        known = np.flatnonzero(~np.isnan(row))
        means, covariances = self.means, self.covariances
        seen = covariances[:, known[:, None], known] + np.diag(noise[known] ** 2)
        try:
            roots = np.linalg.cholesky(seen)
        except np.linalg.LinAlgError:
            raise _not_positive() from None
        errors = row[known] - means[:, known]
        across = covariances[:, known[:, None], wanted]
        # Both in the coordinates in which the known values have the covariance I.
        white = np.linalg.solve(roots, np.concatenate([errors[:, :, None], across], axis=2))
        distances, gains = white[:, :, 0], white[:, :, 1:]
        squares = (distances**2).sum(axis=1)
        log_dets = 2 * np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
        return Conditionals(
            rows=slice(0, 1),
            wanted=wanted,
            n_known=len(known),
            log_weights=(np.log(self.priors) - 0.5 * (squares + log_dets + len(known) * np.log(2 * np.pi)))[None],
            distances=squares[None],
            means=(means[:, wanted] + np.einsum("kd,kdo->ko", distances, gains))[None],
            covariances=covariances[:, wanted[:, None], wanted] - gains.swapaxes(1, 2) @ gains,
        )


class Density(Answers):
    """A Gaussian mixture as plain numbers: what `condition`, `marginal` and `to_gaussian` return.

    It has the query methods of the engines, and of one column also distribution, quantiles, intervals and modes.

    Parameters
    ----------
    priors : array of shape (K,)
        Weights of the components; they are scaled to sum to 1.
    means : array of shape (K, D)
    covariances : array of shape (K, D, D)
    columns : sequence of str or None
    evidence : Evidence
        Of what `condition` was given.

    Examples
    --------
    >>> from figmn import FastIGMN
    >>> model = FastIGMN(delta=1, beta=0.1, scale=[1.0, 1.0]).learn([[0, 0], [0, 9]])
    >>> found = model.condition([0.0, np.nan])
    >>> found.modes().round(3) + 0.0, found.region(0.9).round(2)
    (array([0., 9.]), array([[-1.64,  1.64],
           [ 7.36, 10.64]]))
    """

    def __init__(
        self,
        priors: Floats,
        means: Floats,
        covariances: Floats,
        columns: Sequence[str] | None = None,
        evidence: Evidence = NOTHING_KNOWN,
    ) -> None:
        n_components, n_features = means.shape
        if priors.shape != (n_components,) or covariances.shape != (n_components, n_features, n_features):
            raise ValueError(
                f"got priors {priors.shape}, means {means.shape} and covariances {covariances.shape}: "
                "give (K,), (K, D) and (K, D, D)"
            )
        weights = np.maximum(priors, LEAST_PRIOR)
        self._priors: Floats = weights / weights.sum()
        self._means, self._covariances = means.copy(), covariances.copy()
        self.n_features, self.columns, self.evidence = n_features, None if columns is None else tuple(columns), evidence
        self.offset = self._priors @ self._means
        self._kept = KeptPatterns()

    @property
    def priors(self) -> Floats:
        """p(j), (K,).

        >>> Density(np.ones(2), np.zeros((2, 1)), np.ones((2, 1, 1))).priors
        array([0.5, 0.5])
        """
        return self._priors.copy()

    @property
    def means(self) -> Floats:
        """μ of every component, (K, D).

        >>> Density(np.ones(1), np.zeros((1, 2)), np.eye(2)[None]).means
        array([[0., 0.]])
        """
        return self._means.copy()

    @property
    def covariances(self) -> Floats:
        """C of every component, (K, D, D).

        >>> Density(np.ones(1), np.zeros((1, 2)), np.eye(2)[None]).covariances.shape
        (1, 2, 2)
        """
        return self._covariances.copy()

    @property
    def n_components(self) -> int:
        """K.

        >>> Density(np.ones(1), np.zeros((1, 2)), np.eye(2)[None]).n_components
        1
        """
        return len(self._priors)

    def pdf(self, x: Any) -> Floats:
        """Density at places, of one column.

        >>> Density(np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1))).pdf([0.0, 1.0]).round(3)
        array([0.399, 0.242])
        """
        return quantiles.density(np.asarray(x, np.float64), *self._line)

    def cdf(self, x: Any) -> Floats:
        """P(X ≤ x) at places, of one column.

        >>> Density(np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1))).cdf([0.0, 1.0]).round(3)
        array([0.5  , 0.841])
        """
        return quantiles.cumulative(np.asarray(x, np.float64), *self._line)

    def quantile(self, p: Any) -> Floats:
        """The places at which probabilities are reached, of one column.

        >>> Density(np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1))).quantile([0.025, 0.5]).round(3) + 0.0
        array([-1.96,  0.  ])
        """
        asked = np.asarray(p, np.float64)
        if not ((asked > 0) & (asked < 1)).all():
            raise ValueError(f"p = {p!r}: give probabilities above 0 and below 1")
        return quantiles.quantile(asked, *(one[None] for one in self._line))

    def interval(self, coverage: float = 0.9) -> Floats:
        """Both ends of the central interval of one column: as much probability lies below it as above it.

        >>> Density(np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1))).interval(0.9).round(3)
        array([-1.645,  1.645])
        """
        ends: Floats = quantiles.intervals(check_coverage(coverage), *(one[None] for one in self._line))[0]
        return ends

    def region(self, coverage: float = 0.9) -> Floats:
        """The smallest set that holds a share of one column, as intervals (m, 2): where the density is highest.

        >>> Density(np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1))).region(0.9).round(3)
        array([[-1.645,  1.645]])
        """
        return quantiles.region(check_coverage(coverage), *self._line)

    def modes(self) -> Floats:
        """The places of one column where the density is higher than around them, the highest first.

        >>> Density(np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1))).modes().round(6) + 0.0
        array([0.])
        """
        return quantiles.modes(*self._line)

    @property
    def _line(self) -> tuple[Floats, Floats, Floats]:
        """Weights, means and standard deviations of the only column."""
        if self.n_features != 1:
            raise ValueError(
                f"this needs one column, and there are {self.n_features}: take one of them first by marginal([column])"
            )
        variances = self._covariances[:, 0, 0]
        if not (variances > 0).all():
            raise _not_positive()
        return self._priors, self._means[:, 0], np.sqrt(variances)

    def _mixture(self) -> inference.Mixture:
        return self._measured

    @cached_property
    def _measured(self) -> inference.Mixture:
        if not (np.diagonal(self._covariances, axis1=1, axis2=2) > 0).all():
            raise _not_positive()
        roots = [root_of_covariance(covariance) for covariance in self._covariances]
        log_dets = np.array([2 * np.log(root.diagonal()).sum() for root in roots])
        forms = [Triangle(triangle_of_root(root, 1.0), 1.0) for root in roots]
        negatives = np.zeros(len(roots), np.int64)
        return inference.Mixture(self._means - self.offset, forms, log_dets, self._priors, negatives)

    def _projected(self, plane: Floats) -> Floats:
        projected: Floats = plane.T @ self._covariances @ plane
        return projected


def check_coverage(coverage: float) -> float:
    """The share of a distribution that is to be covered, or raise `ValueError`.

    >>> check_coverage(90)
    Traceback (most recent call last):
    ...
    ValueError: coverage = 90: give a share above 0 and below 1, such as 0.9
    """
    if not 0 < coverage < 1:
        raise ValueError(f"coverage = {coverage!r}: give a share above 0 and below 1, such as 0.9")
    return float(coverage)


def _check_noise(noise: Any, row: Floats, columns: Sequence[str] | None) -> Floats:
    """Standard deviations of the errors of the known values; 0 for the others."""
    stds = np.where(np.isnan(row), 0.0, check_row(noise, len(row), columns))
    for column in np.flatnonzero(~(stds >= 0)).tolist():
        place = describe_column(column, columns)
        raise ValueError(f"noise, {place}: {stds[column]:g} is not a standard deviation; give 0 or a positive number")
    return stds


def _not_positive() -> ValueError:
    return ValueError("a covariance is not positive definite, so this cannot be computed: use covariance='exact'")


def _names_of(places: Ints, columns: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if columns is None else tuple(columns[place] for place in places)
