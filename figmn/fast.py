"""Fast IGMN: precisions and log determinants, kept by rank-one steps at O(D²) a sample."""

from __future__ import annotations

import numpy as np

from figmn import inference
from figmn.engine import INFLATION_LIMIT, RIDGE, Engine, Measured, Step
from figmn.questions import no_components
from figmn.snapshot import inverses, priors_of
from figmn.state import Bools, Floats, Ints


class FastIGMN(Engine):
    """Fast incremental Gaussian mixture: learns each sample once, at O(K D²).

    A sample whose squared Mahalanobis distance to every component reaches the χ² quantile at 1 - `beta` gives birth
    to a component of width `delta` · std. Any other sample updates all components by their posteriors, and
    components older than `v_min` samples with less than `sp_min` evidence are removed.

    Parameters
    ----------
    delta : float
        Initial width of a component as a share of each column's standard deviation, 1e-6 to 1e6.
    beta : float
        Novelty level in [0, 1]. 0: one component for ever; 1: every sample is a component.
    v_min : float
        Age after which a component needs `sp_min` evidence.
    sp_min : float
        Least accumulated posterior of a component older than `v_min`; 0 removes nothing.
    covariance : {"exact", "published"}
        ``"exact"`` keeps the weighted sample covariance, always positive definite. ``"published"`` is the equation as
        printed, which can lose definiteness; `n_indefinite` counts those updates.
    scale : array-like of shape (D,) or None
        Standard deviation of every column. None: a running estimate over the rows seen so far. A column that does not
        vary gets a tenth of the median width of the others (1 where none varies), and after ten rows a
        `ConstantColumnWarning`, once.
    columns : sequence of str or None
        Column names, for messages and files.

    Notes
    -----
    Where a component's columns become collinear to double precision (C_dd Λ_dd above 1e11), every column of it is
    widened by 1e-10 of its variance; `n_regularized` counts how often.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (200, 2)), rng.normal(8, 1, (200, 2))])
    >>> model = FastIGMN(delta=0.5, beta=0.0001, scale=X.std(axis=0)).learn(X)
    >>> model.n_components, model.means.round(0)
    (2, array([[-0.,  0.],
           [ 8.,  8.]]))
    """

    keeps = "FastIGMN"

    def _precisions(self) -> Floats:
        return self._components.matrices.copy()

    def _covariances(self) -> Floats:
        return inverses(self._components.matrices)

    def _log_determinants(self) -> Floats:
        return self._components.log_dets.copy()

    def _mixture(self) -> inference.Mixture:
        components = self._components
        if not components.count:
            raise no_components()
        return inference.Mixture(
            components.means,
            components.matrices,
            components.log_dets,
            priors_of(components.accumulators),
            components.negatives,
        )

    def _matrix_at_birth(self, width: Floats) -> Floats:
        return np.diag(width**-2)

    def _measure(self, row: Floats) -> Measured:
        errors = row - self._components.means
        products = np.matmul(self._components.matrices, errors[:, :, None])[:, :, 0]
        distances = np.einsum("kd,kd->k", errors, products)
        if self.parameters.covariance == "exact":
            np.maximum(distances, 0.0, out=distances)
        return Measured(errors, distances, products)

    def _absorb(self, measured: Measured, step: Step) -> None:
        """`figmn-sherman1/2` and `figmn-det-lemma-apply1/2`, each pair collapsed into one step."""
        components, active = self._components, step.active
        assert measured.products is not None
        omegas, coefficients, factors = step.omegas[active], step.coefficients[active], step.factors[active]
        shrinks, errors = 1 - omegas, measured.errors[active]
        components.log_dets[active] += self.n_features * np.log1p(-omegas) + np.log(np.abs(factors))
        components.variances[active] *= shrinks[:, None]
        components.variances[active] += coefficients[:, None] * errors**2
        gains = coefficients / (shrinks**2 * factors)
        directions = np.sqrt(np.abs(gains))[:, None] * measured.products[active]
        collinear = self._is_collinear(active)
        for at, j in enumerate(active.tolist()):
            if collinear[at]:
                self._absorb_through_covariance(j, shrinks[at], coefficients[at], errors[at])
                continue
            precision, direction = components.matrices[j], directions[at]
            precision *= 1 / shrinks[at]
            # The outer product of a vector with itself is symmetric to the last bit, and so the precision stays.
            if gains[at] >= 0:
                precision -= direction[:, None] * direction
            else:
                precision += direction[:, None] * direction

    def _is_collinear(self, active: Ints) -> Bools:
        """Whether the subtraction from Λ could cancel its leading digits: C'_dd Λ_dd bounds what is lost."""
        if self.parameters.covariance != "exact":
            return np.zeros(len(active), bool)
        diagonals = self._components.matrices.diagonal(axis1=1, axis2=2)[active]
        collinear: Bools = (diagonals * self._components.variances[active]).max(axis=1) > INFLATION_LIMIT
        return collinear

    def _absorb_through_covariance(self, j: int, shrink: float, coefficient: float, error: Floats) -> None:
        """The same step at O(D³) without cancellation, on the correlation matrix; rare by construction."""
        components = self._components
        covariance = shrink * inverses(components.matrices[j]) + coefficient * error[:, None] * error
        widths = np.sqrt(covariance.diagonal())
        eigenvalues, vectors = np.linalg.eigh(covariance / (widths[:, None] * widths))
        if eigenvalues[0] < RIDGE:
            eigenvalues += RIDGE - min(eigenvalues[0], 0.0)
            self.n_regularized += 1
        rows = vectors / (widths[:, None] * np.sqrt(eigenvalues))
        components.matrices[j] = rows @ rows.T
        components.variances[j] = widths**2
        components.log_dets[j] = np.log(eigenvalues).sum() + 2 * np.log(widths).sum()

    def _rescale(self, ratio: Floats) -> None:
        self._components.matrices /= ratio[:, None] * ratio
