"""The numbers of a mixture that users read."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from figmn.learning import Learning
from figmn.snapshot import priors_of
from figmn.system.arrays import Floats, Ints


class ComponentPart(NamedTuple):
    """Part of a component, for comparisons between engines."""

    precision: Floats
    """Λ between some columns."""
    log_determinant: float
    """log|det C|."""


class Mixture(Learning):
    """Reads the components; `Engine` adds what changes them."""

    @property
    def n_components(self) -> int:
        """K.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).n_components
        2
        """
        return self._components.count

    @property
    def ids(self) -> Ints:
        """Number of every component, in the order of birth; it never changes.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).ids
        array([0, 1])
        """
        return self._components.ids.copy()

    @property
    def means(self) -> Floats:
        """μ of every component, (K, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).means.round(2)
        array([[0.],
               [9.]])
        """
        return self._components.centres + self.offset

    @property
    def precisions(self) -> Floats:
        """Λ of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).precisions
        array([[[0.25, 0.  ],
                [0.  , 0.25]]])
        """
        return self._precisions()

    @property
    def covariances(self) -> Floats:
        """C of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).covariances
        array([[[4., 0.],
                [0., 4.]]])
        """
        return self._covariances()

    @property
    def variances(self) -> Floats:
        """Diagonals of the covariances, (K, D), at the cost of a copy.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).variances
        array([[4., 4.]])
        """
        return self._components.variances.copy()

    @property
    def log_determinants(self) -> Floats:
        """log|det C| of every component, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, scale=[1.0, 1.0]).learn([[0, 0]]).log_determinants.round(4)
        array([2.7726])
        """
        return self._log_determinants()

    @property
    def accumulators(self) -> Floats:
        """Evidence sp that every component has gathered, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).accumulators.round(3)
        array([1., 2.])
        """
        return self._components.accumulators.copy()

    @property
    def ages(self) -> Ints:
        """Age v of every component: the samples since its birth, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).ages
        array([2, 2])
        """
        return self._components.ages.copy()

    @property
    def priors(self) -> Floats:
        """p(j), from the accumulators (`igmn-p`).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).priors.round(3)
        array([0.333, 0.667])
        """
        return priors_of(self._components.accumulators)

    @property
    def renewal_period(self) -> int | None:
        """Samples between two renewals, which widen what has shrunk by forgetting; None where nothing is forgotten.

        >>> from figmn import FastIGMN
        >>> FastIGMN(memory=500, scale=[1.0]).renewal_period, FastIGMN(scale=[1.0]).renewal_period
        (500, None)
        """
        return self._renewal_period if self._rules.decay < 1 else None

    @property
    def n_bytes(self) -> int:
        """Memory of the components, the work space and the cached patterns of missing values, in bytes.

        >>> from figmn import FastIGMN
        >>> FastIGMN(scale=[1.0, 1.0]).learn([[0, 0]]).n_bytes > 8 * 2 * 2
        True
        """
        return self._components.n_bytes + self._kept.n_bytes + self._work.n_bytes

    # What the engines do differently

    @abstractmethod
    def _precisions(self) -> Floats:
        """Λ, a copy."""

    @abstractmethod
    def _covariances(self) -> Floats:
        """C, a copy."""

    @abstractmethod
    def _log_determinants(self) -> Floats:
        """log|det C|, a copy."""

    @abstractmethod
    def _part(self, position: int, columns: Ints) -> ComponentPart:
        """Precision between some columns, and log determinant, of the component at a position."""
