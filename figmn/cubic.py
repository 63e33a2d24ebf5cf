"""The original IGMN: covariances, factorised anew for every sample at O(D³)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.lapack import dgetrs, dtrtrs

from figmn.answers import inference
from figmn.answers.questions import no_components
from figmn.engine import Arguments, ComponentPart, Engine
from figmn.forms.collinear import is_safe_factor, precisions_of, widened_inverse
from figmn.forms.precision import Dense
from figmn.forms.triangle import root_of_covariance
from figmn.learning import NOTHING, Outcome, weight_of
from figmn.params import SOLVER
from figmn.recorder import NOBODY, Recorder
from figmn.rules import counted_by, covariance_step, negatives_after
from figmn.signatures import documented, takes
from figmn.snapshot import priors_of
from figmn.system import lapack
from figmn.system.arrays import Floats, Ints
from figmn.system.limits import LEAST_EVIDENCE, NEGLIGIBLE, RIDGE, is_inflated
from figmn.system.tuning import CUBIC_COMPILED_UP_TO


class Measured(NamedTuple):
    """A sample measured by the components, one row or entry for each."""

    errors: Floats
    """e = x - μ."""
    distances: Floats
    """Squared Mahalanobis distances d²."""


@dataclass(frozen=True)
class CubicArguments(Arguments):
    """Arguments of `IGMN`."""

    solver: str = SOLVER.default


@documented
class IGMN(Engine):
    """The original incremental Gaussian mixture, at O(K D³) per sample: the baseline for `FastIGMN`.

    Parameters, decisions and answers are those of `FastIGMN`; it keeps covariances in place of precisions.

    Parameters
    ----------
    {hyper_parameters}
    scale, columns
        As in `FastIGMN`.
    solver : {"cholesky", "inverse"}
        ``"cholesky"`` factorises every covariance once per sample, D³/3 operations. ``"inverse"`` takes an inverse and
        a determinant, as the paper timed it.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> IGMN(delta=1, beta=0, scale=[1.0, 1.0]).learn([[0, 0], [2, 2]]).covariances
    array([[[1.5, 1. ],
            [1. , 1.5]]])
    """

    keeps = "IGMN"
    compiled_up_to = CUBIC_COMPILED_UP_TO

    @takes(CubicArguments)
    def __init__(self, solver: str, **others: Any) -> None:
        super().__init__(**others)
        self.kind = self.solver = SOLVER.check(solver)
        self._factor = np.empty((0, 0))

    def _precisions(self) -> Floats:
        return self._inverted()[0]

    def _covariances(self) -> Floats:
        return self._components.matrices.copy()

    def _log_determinants(self) -> Floats:
        return self._inverted()[1]

    def _inverted(self) -> tuple[Floats, Floats]:
        """Precisions and log determinants."""
        return precisions_of(self._components.matrices, self.parameters.covariance)

    @property
    def n_bytes(self) -> int:
        """Memory of the components, the work space and the cached patterns of missing values, in bytes.

        >>> IGMN(scale=[1.0, 1.0]).learn([[0, 0]]).n_bytes > 8 * 2 * 2
        True
        """
        return super().n_bytes + self._factor.nbytes

    def _part(self, position: int, columns: Ints) -> ComponentPart:
        """Precision between some columns, and log determinant, of the component at a position; O(D³)."""
        covariance, chosen = self._components.matrices[position], np.zeros((self.n_features, len(columns)))
        chosen[columns, np.arange(len(columns))] = 1.0
        factor = self._buffered(covariance)
        if lapack.cholesky(factor) and is_safe_factor(covariance, factor):
            whitened, _ = dtrtrs(factor, chosen, lower=1)
            return ComponentPart(whitened.T @ whitened, float(2 * np.log(factor.diagonal()).sum()))
        if self.parameters.covariance == "exact":
            precision, log_determinant, _ = widened_inverse(covariance)
            return ComponentPart(precision[np.ix_(columns, columns)], log_determinant)
        factor = self._buffered(covariance)
        pivots, log_determinant = lapack.lu(factor)
        solved, _ = dgetrs(factor, pivots - 1, chosen)
        return ComponentPart(solved[columns], log_determinant)

    def _mixture(self) -> inference.Mixture:
        if not self.n_components:
            raise no_components()
        precisions, log_determinants = self._inverted()
        priors = priors_of(self._components.accumulators)
        forms = [Dense(precision) for precision in precisions]
        return inference.Mixture(self._components.centres, forms, log_determinants, priors, self._components.negatives)

    def _projected(self, plane: Floats) -> Floats:
        projected: Floats = plane.T @ self._components.matrices @ plane
        return projected

    def _kept_at_birth(self, width: Floats, mass: float) -> dict[str, Any]:  # noqa: ARG002
        return {"matrices": np.diag(width**2), "forms": None}

    def _kept_of(self, root: Floats, mass: float) -> dict[str, Any]:  # noqa: ARG002
        return {"matrices": lapack.gram(root), "forms": None}

    def _root(self, position: int) -> Floats:
        return root_of_covariance(self._components.matrices[position])

    def _renewed(self, shares: Floats, width: Floats, masses: Floats) -> dict[str, Any]:  # noqa: ARG002
        shares = shares[:, None, None]
        return {"matrices": (1 - shares) * self._components.matrices + shares * np.diag(width**2)}

    def _learn_in_many_dimensions(self, rows: Floats, weights: Floats, observe: bool, recorder: Recorder) -> int:
        self._learn_with_care(rows[0], weight_of(weights, 0), observe, recorder)
        return 1

    def _learn_with_care(self, row: Floats, weight: float, observe: bool, recorder: Recorder) -> None:
        """Learn one sample in NumPy: in many dimensions, or where the compiled loop has met a collinear covariance.

        It repeats the weights and records of the compiled loop, since LAPACK is called for one component at a time.
        """
        components, sample = self._components, self.n_seen
        if not components.count:
            recorder.measured(sample, -np.inf, components.ids, np.empty(0), np.empty(0))
            self._give_birth(row, weight, observe, recorder)
            self._outcome = NOTHING
            return
        measured = self._measure(row)
        joint = np.log(priors_of(components.accumulators)) - 0.5 * (measured.distances + components.log_dets)
        top = joint.max()  # by hand: scipy.special.logsumexp takes 35 µs for a row of five components, this 3
        weights = np.exp(joint - top)
        total = weights.sum()
        posteriors = weights / total
        log_likelihood = float(top + np.log(total) - 0.5 * self.n_features * np.log(2 * np.pi))
        recorder.measured(sample, log_likelihood, components.ids, measured.distances, posteriors)
        if (measured.distances < self._rules.threshold).any():
            omegas = self._update(measured, weight * posteriors)
            recorder.removed(sample, self._prune())
            if observe:
                self._observe(row)
            self.n_seen += 1
            recorder.learned(sample, NOBODY, components.count, self.n_indefinite)
        else:
            omegas = np.zeros_like(posteriors)
            self._give_birth(row, weight, observe, recorder)
        self._outcome = Outcome(measured.distances, posteriors, omegas, log_likelihood)

    def _update(self, measured: Measured, evidence: Floats) -> Floats:
        """Equations `igmn-v` to `igmn-C`, given the posteriors times the weight of the row."""
        components = self._components
        components.ages += 1
        before = self._rules.decay * components.accumulators
        np.maximum(before + evidence, LEAST_EVIDENCE, out=components.accumulators)
        omegas: Floats = evidence / components.accumulators
        components.centres += omegas[:, None] * measured.errors
        for j in np.flatnonzero(omegas > NEGLIGIBLE).tolist():
            counted = counted_by(float(before[j]), self._rules.surplus)
            components.masses[j] = counted + evidence[j]
            self._absorb(j, float(omegas[j]), float(evidence[j] / components.masses[j]), measured)
        return omegas

    def _absorb(self, j: int, omega: float, rate: float, measured: Measured) -> None:
        """`igmn-C` for one component."""
        from figmn import kernels  # numba takes half a second to import

        components = self._components
        coefficient, multiplier = covariance_step(omega, rate, float(measured.distances[j]), self._rules.published)
        if multiplier < 0:
            components.negatives[j], is_first = negatives_after(coefficient, int(components.negatives[j]))
            self.n_indefinite += is_first
        kernels.add_rank_one(components.matrices, 1 - rate, coefficient, measured.errors, j)
        components.variances[j] = components.matrices[j].diagonal()

    def _measure(self, row: Floats) -> Measured:
        errors = row - self._components.centres
        measure = self._measure_by_cholesky if self.solver == "cholesky" else self._measure_by_inverse
        distances = np.array([measure(j, error) for j, error in enumerate(errors)])
        return Measured(errors, distances)

    def _measure_by_cholesky(self, j: int, error: Floats) -> float:
        components, exact = self._components, self.parameters.covariance == "exact"
        covariance = components.matrices[j]
        factor = self._buffered(covariance)
        found = lapack.cholesky(factor)
        if exact and not (found and is_safe_factor(covariance, factor)):
            self._widen(j)
            factor = self._buffered(covariance)
            found = lapack.cholesky(factor)
        if not found:
            # An indefinite covariance of the published rule has no Cholesky factor.
            factor = self._buffered(covariance)
            pivots, components.log_dets[j] = lapack.lu(factor)
            solved, _ = dgetrs(factor, pivots - 1, error)
            return float(error @ solved)
        components.log_dets[j] = 2 * np.log(factor.diagonal()).sum()
        whitened, _ = dtrtrs(factor, error, lower=1)
        return float(whitened @ whitened)

    def _buffered(self, covariance: Floats) -> Floats:
        """A copy to factorise, in a reused buffer."""
        if len(self._factor) != self.n_features:
            self._factor = np.empty((self.n_features, self.n_features), order="F")
        np.copyto(self._factor, covariance.T)
        return self._factor

    def _measure_by_inverse(self, j: int, error: Floats) -> float:
        components, exact = self._components, self.parameters.covariance == "exact"
        covariance = components.matrices[j]
        precision = np.linalg.inv(covariance)
        if exact and is_inflated(covariance.diagonal(), precision.diagonal()).any():
            self._widen(j)
            precision = np.linalg.inv(covariance)
        components.log_dets[j] = lapack.lu(self._buffered(covariance))[1]
        distance = float(error @ precision @ error)
        return max(distance, 0.0) if exact else distance

    def _widen(self, j: int) -> None:
        covariance = self._components.matrices[j]
        covariance[np.diag_indices_from(covariance)] *= 1 + RIDGE
        self.n_regularized += 1

    def _rescale(self, ratio: Floats) -> None:
        self._components.matrices *= ratio[:, None] * ratio
