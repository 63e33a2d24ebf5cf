"""To and from scikit-learn's `GaussianMixture`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.mixture import GaussianMixture
from sklearn.utils.validation import check_is_fitted

from figmn.cubic import IGMN
from figmn.fast import FastIGMN
from figmn.forms.triangle import root_of_covariance
from figmn.params import SOLVER, Number, Parameters
from figmn.scale import ColumnStatistics
from figmn.snapshot import Snapshot
from figmn.system import lapack
from figmn.system.arrays import Floats

N_SAMPLES = Number(
    name="n_samples",
    symbol="N",
    label="samples that the mixture has learned from",
    help="Evidence of all components together.",
    default=1.0,
    low_allowed=False,
)


def model_of(mixture: Any, n_samples: float, parameters: Parameters, scale: Floats | None) -> FastIGMN:
    """The model with the components of a fitted `GaussianMixture`, of any covariance type.

    >>> X = np.random.default_rng(0).normal(size=(99, 2))
    >>> model = model_of(GaussianMixture(2, covariance_type="tied", random_state=0).fit(X), 99, Parameters(), None)
    >>> model.n_components, model.accumulators.sum().round(6)
    (2, np.float64(99.0))
    """
    check_is_fitted(mixture)
    n_samples = N_SAMPLES.check(n_samples)
    alive = mixture.weights_ > 0
    weights, means = np.asarray(mixture.weights_[alive], np.float64), np.asarray(mixture.means_[alive], np.float64)
    n_components, n_features = means.shape
    covariances = _full(mixture)[alive]
    mean = weights @ means
    variances = weights @ (covariances.diagonal(axis1=1, axis2=2) + (means - mean) ** 2)
    evidence = weights * n_samples
    count = max(1, round(n_samples))
    snapshot = Snapshot(
        engine=IGMN.keeps,
        parameters=parameters,
        solver=SOLVER.default,
        columns=None,
        scale=np.sqrt(variances) if scale is None else scale.copy(),
        n_features=n_features,
        n_seen=count,
        next_id=n_components,
        next_check=0,
        n_indefinite=0,
        n_regularized=0,
        warned=False,
        offset=mean,
        statistics=ColumnStatistics(np.full(n_features, count), np.zeros(n_features), variances * count),
        ids=np.arange(n_components),
        centres=means - mean,
        matrices=covariances,
        forms=np.full(n_components, None),
        variances=covariances.diagonal(axis1=1, axis2=2).copy(),
        log_dets=np.array([lapack.lu(np.array(covariance, order="F"))[1] for covariance in covariances]),
        accumulators=evidence,
        masses=np.maximum(evidence, 1) + parameters.for_columns(n_features).prior_count - 1,
        ages=np.full(n_components, count),
        negatives=np.zeros(n_components, np.int64),
    )
    return FastIGMN.from_snapshot(snapshot)


def gaussian_mixture(weights: Floats, means: Floats, covariances: Floats) -> GaussianMixture:
    """A fitted `GaussianMixture` of covariance type full.

    >>> mixture = gaussian_mixture(np.ones(1), np.zeros((1, 2)), np.eye(2)[None])
    >>> mixture.score_samples([[0.0, 0.0]]).round(3)
    array([-1.838])
    """
    mixture = GaussianMixture(len(weights), covariance_type="full")
    mixture.weights_, mixture.means_, mixture.covariances_ = weights, means, covariances
    mixture.precisions_cholesky_ = precisions_cholesky(covariances)
    mixture.precisions_ = mixture.precisions_cholesky_ @ mixture.precisions_cholesky_.swapaxes(1, 2)
    mixture.n_features_in_ = means.shape[1]
    return mixture


def precisions_cholesky(covariances: Floats) -> Floats:
    """P, upper triangular, with C⁻¹ = P Pᵀ for every component, as in `GaussianMixture`.

    >>> precisions_cholesky(np.array([[[4.0, 0.0], [0.0, 0.25]]]))
    array([[[0.5, 0. ],
            [0. , 2. ]]])
    """
    identity = np.eye(covariances.shape[1])
    roots = [root_of_covariance(covariance) for covariance in covariances]
    return np.array([solve_triangular(root, identity, lower=True).T for root in roots])


def _full(mixture: Any) -> Floats:
    """Covariances of all components, (K, D, D)."""
    n_components, n_features = mixture.means_.shape
    found = np.asarray(mixture.covariances_, np.float64)
    identity = np.eye(n_features)
    if mixture.covariance_type == "tied":
        found = np.broadcast_to(found, (n_components, n_features, n_features))
    elif mixture.covariance_type == "diag":
        found = found[:, None, :] * identity
    elif mixture.covariance_type == "spherical":
        found = found[:, None, None] * identity
    return np.array(found)
