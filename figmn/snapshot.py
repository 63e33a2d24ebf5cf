"""A frozen, read-only mixture: what an engine was at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from figmn import inference
from figmn.collinear import inverses, precisions_of
from figmn.params import Parameters
from figmn.precision import Dense, Form, stacked
from figmn.questions import Questions, no_components
from figmn.scale import ColumnStatistics
from figmn.state import Floats, Ints


@dataclass(frozen=True, eq=False)
class Snapshot(Questions):
    """Everything an engine knows, frozen. Made by `snapshot()`, taken back by `from_snapshot()`.

    It answers the same questions as the engine (`recall`, `score_samples`, `responsibilities`, `sample`, `project`).

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
    """Class that made it: ``"FastIGMN"`` keeps precisions, ``"IGMN"`` covariances."""
    parameters: Parameters
    solver: str | None
    """Solver of the cubic engine."""
    columns: tuple[str, ...] | None
    scale: Floats | None
    """Width of every column as given; None where it is estimated."""
    n_features: int
    n_seen: int
    next_id: int
    n_indefinite: int
    n_regularized: int
    warned: bool
    """Whether the model has warned of constant columns."""
    statistics: ColumnStatistics
    ids: Ints
    means: Floats
    matrices: Floats
    """Precisions or covariances: what the engine keeps; (K, 0, 0) where it keeps forms."""
    forms: NDArray[np.object_]
    """In many dimensions, the fast engine's `Precision` of every component; None elsewhere."""
    variances: Floats
    log_dets: Floats
    """As the engine has them: carried on in the fast one, those of its last factorisations in the cubic one."""
    accumulators: Floats
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

    @property
    def n_components(self) -> int:
        """K.

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().n_components
        2
        """
        return len(self.ids)

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
        if not self._keeps_precisions:
            return self._inverted[0]
        return _frozen(stacked(self.forms, self.n_features)) if self._keeps_forms else self.matrices

    @cached_property
    def covariances(self) -> Floats:
        """C of every component, (K, D, D).

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]])
        >>> model.snapshot().covariances.round(1).ravel()
        array([4., 2.])
        """
        return _frozen(inverses(self.precisions)) if self._keeps_precisions else self.matrices

    @cached_property
    def log_determinants(self) -> Floats:
        """log|det C| of every component, (K,).

        >>> from figmn import FastIGMN
        >>> FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]]).snapshot().log_determinants.round(2)
        array([1.39, 0.69])
        """
        if self._keeps_precisions:
            return self.log_dets
        return self._inverted[1]

    def kept_as(self, engine: str) -> Snapshot:
        """The same mixture with the matrices that `engine` keeps.

        >>> from figmn import FastIGMN
        >>> model = FastIGMN(delta=2, beta=0.1, scale=[1.0]).learn([[0.0], [9.0], [9.0]])
        >>> model.snapshot().kept_as("IGMN").matrices.round(1).ravel()
        array([4., 2.])
        """
        if engine == self.engine:
            return self
        matrices = self.covariances if self._keeps_precisions else self.precisions
        return replace(
            self,
            engine=engine,
            solver=None,
            matrices=matrices,
            forms=np.full(self.n_components, None),
            log_dets=self.log_determinants,
        )

    def _mixture(self) -> inference.Mixture:
        if not self.n_components:
            raise no_components()
        forms: Sequence[Form] = self.forms.tolist() if self._keeps_forms else [Dense(m) for m in self.precisions]
        return inference.Mixture(self.means, forms, self.log_determinants, self.priors, self.negatives)

    def _projection(self, plane: Floats) -> inference.Projection:
        if self._keeps_precisions:
            return inference.project_precisions(self.means, self.matrices, self.forms, plane)
        return inference.project_covariances(self.means, self.matrices, plane)

    @cached_property
    def _inverted(self) -> tuple[Floats, Floats]:
        """Precisions and log determinants from covariances."""
        precisions, log_determinants = precisions_of(self.matrices, self.parameters.covariance)
        return _frozen(precisions), _frozen(log_determinants)

    @property
    def _keeps_precisions(self) -> bool:
        return self.engine == "FastIGMN"

    @property
    def _keeps_forms(self) -> bool:
        return bool(self.matrices.shape[1] < self.n_features)


def priors_of(accumulators: Floats) -> Floats:
    """Accumulators scaled to sum to 1."""
    priors: Floats = accumulators / accumulators.sum()
    return priors


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array
