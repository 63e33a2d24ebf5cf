"""A frozen, read-only mixture: the state of an engine at one moment."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.answers import inference
from figmn.answers.density import Answers
from figmn.answers.patterns import KeptPatterns
from figmn.answers.questions import no_components
from figmn.exact import Scatters
from figmn.forms.collinear import precisions_of
from figmn.forms.form import stacked
from figmn.forms.precision import Dense
from figmn.keeping import Keeping, in_matrices
from figmn.params import Parameters
from figmn.published import Precisions
from figmn.scale import ColumnStatistics
from figmn.system.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Snapshot(Answers):
    """The whole state of an engine, frozen. Made by `snapshot()`, restored by `from_snapshot()`.

    It has the same query methods as the engine (`recall`, `predict`, `condition`, `score_samples`, `sample`, …).

    >>> from figmn import FastIGMN
    >>> model = FastIGMN(scale=[1.0, 1.0]).learn([[0, 0], [9, 9]])
    >>> snapshot = model.snapshot()
    >>> _ = model.learn([[5, -5]])
    >>> snapshot.n_components, model.n_components
    (2, 3)
    >>> snapshot.means.flags.writeable
    False
    """

    engine: str
    """Class that made it: ``"FastIGMN"`` keeps factors or precisions, ``"IGMN"`` covariances."""
    parameters: Parameters
    solver: str | None
    """Solver of the cubic engine."""
    columns: tuple[str, ...] | None
    scale: Floats | None
    """Width of every column as given; None where it is estimated."""
    n_features: int
    n_seen: int
    next_id: int
    next_check: int
    """Samples seen at which components that are one are searched for next, if they are merged."""
    n_indefinite: int
    n_regularized: int
    warned: bool
    """Whether the model has warned of constant columns."""
    offset: Floats
    statistics: ColumnStatistics
    """Of the rows minus the offset."""
    ids: Ints
    centres: Floats
    """Means minus the offset."""
    matrices: Floats
    """One `Triangle`, precision or covariance per component, as the engine keeps it; (K, 0, 0) where it keeps forms."""
    forms: NDArray[np.object_]
    """In many dimensions, the fast engine's `Scatter`, `Inverse` or `Precision` of every component; None elsewhere."""
    variances: Floats
    log_dets: Floats
    """As the engine has them: updated by every sample in the fast one, of the last factorisation in the cubic one."""
    accumulators: Floats
    masses: Floats
    """M of every component, S = M C: the unit in which its scatter is stored."""
    ages: Ints
    negatives: Ints

    def __post_init__(self) -> None:
        for holder in (self, self.statistics):
            for field in fields(holder):
                value = getattr(holder, field.name)
                if isinstance(value, np.ndarray):
                    value.flags.writeable = False
        for form in self.forms:
            if form is not None:
                form.freeze()

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickles of before have no masses, which were the accumulators, and no merging.
        self.__dict__.update({"masses": state["accumulators"], "next_check": 0} | state)

    @property
    def n_components(self) -> int:
        """K.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().n_components
        2
        """
        return len(self.ids)

    @cached_property
    def means(self) -> Floats:
        """μ of every component, (K, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().means.ravel().round(3)
        array([0., 9.])
        """
        return _frozen(self.centres + self.offset)

    @property
    def priors(self) -> Floats:
        """p(j), from the accumulators (`igmn-p`).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().priors.round(3)
        array([0.333, 0.667])
        """
        return priors_of(self.accumulators)

    @cached_property
    def stds(self) -> Floats:
        """Standard deviation of every column in every component, (K, D).

        NaN where a variance is negative, which only the published rule allows.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().stds.round(2).ravel()
        array([2.  , 1.41])
        """
        return _frozen(np.sqrt(np.where(self.variances >= 0, self.variances, np.nan)))

    @cached_property
    def precisions(self) -> Floats:
        """Λ of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().precisions.round(3).ravel()
        array([0.25, 0.5 ])
        """
        if self._keeping is None:
            return self._inverted[0]
        return _frozen(stacked((form.dense() for form in self._keeping.forms(self)), self.n_features))

    @cached_property
    def covariances(self) -> Floats:
        """C of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]])
        >>> model.snapshot().covariances.round(1).ravel()
        array([4., 2.])
        """
        if self._keeping is None:
            return self.matrices
        return _frozen(stacked((form.covariance() for form in self._keeping.forms(self)), self.n_features))

    @cached_property
    def log_determinants(self) -> Floats:
        """log|det C| of every component, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().log_determinants.round(2)
        array([1.39, 0.69])
        """
        return self._inverted[1] if self._keeping is None else self.log_dets

    def kept_as(self, engine: str) -> Snapshot:
        """The same mixture, converted to the matrices that `engine` keeps.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]])
        >>> model.snapshot().kept_as("IGMN").matrices.round(1).ravel()
        array([4., 2.])
        """
        if engine == self.engine:
            return self
        if self._keeping is None:
            kept = keeping_of(self.parameters.covariance).of_covariances(self.matrices, self.masses)
        else:
            kept = in_matrices(self.covariances, self.n_features)
        return replace(self, engine=engine, solver=None, log_dets=self.log_determinants, **kept)

    def measured_from(self, offset: Floats) -> Snapshot:
        """The same mixture with another offset.

        >>> from figmn import FastIGMN
        >>> snapshot = FastIGMN(scale=[1.0]).learn([[5.0]]).snapshot()
        >>> moved = snapshot.measured_from(np.array([3.0]))
        >>> snapshot.centres, moved.centres, moved.means
        (array([[0.]]), array([[2.]]), array([[5.]]))
        """
        gap, statistics = self.offset - offset, self.statistics.copy()
        statistics.mean = statistics.mean + gap
        return replace(self, offset=offset, centres=self.centres + gap, statistics=statistics)

    @cached_property
    def _kept(self) -> KeptPatterns:  # type: ignore[override]  # a snapshot never changes
        return KeptPatterns()

    def _mixture(self) -> inference.Mixture:
        if not self.n_components:
            raise no_components()
        keeping = self._keeping
        forms = [Dense(m) for m in self.precisions] if keeping is None else keeping.forms(self)
        return inference.Mixture(self.centres, forms, self.log_determinants, self.priors, self.negatives)

    def _projected(self, plane: Floats) -> Floats:
        if self._keeping is not None:
            return self._keeping.project(self, plane)
        projected: Floats = plane.T @ self.matrices @ plane
        return projected

    @cached_property
    def _inverted(self) -> tuple[Floats, Floats]:
        """Precisions and log determinants from covariances."""
        precisions, log_determinants = precisions_of(self.matrices, self.parameters.covariance)
        return _frozen(precisions), _frozen(log_determinants)

    @property
    def _keeping(self) -> Keeping | None:
        """How the fast engine keeps its components; None for the cubic one."""
        return keeping_of(self.parameters.covariance) if self.engine == "FastIGMN" else None


def keeping_of(rule: str) -> Keeping:
    """What Fast IGMN keeps under a covariance rule."""
    return Precisions() if rule == "published" else Scatters()


def priors_of(accumulators: Floats) -> Floats:
    """Accumulators scaled to sum to 1."""
    priors: Floats = accumulators / accumulators.sum()
    return priors


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
