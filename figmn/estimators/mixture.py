"""Fast IGMN as a density."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import DensityMixin

from figmn.estimators.base import Chosen, Estimator
from figmn.estimators.gaussian import gaussian_mixture, model_of, precisions_cholesky
from figmn.fast import FastIGMN
from figmn.params import DECLARED, Parameters
from figmn.signatures import documented
from figmn.system.arrays import Floats, Ints


@documented
class FastIGMNMixture(DensityMixin, Estimator):
    """Density estimate whose number of components follows the data; the online counterpart of `GaussianMixture`.

    Parameters
    ----------
    {hyper_parameters}
    scale : array-like or None
        Standard deviation of every column of X, from which newborn components get their widths. None: `fit`
        finds those of the table, `partial_fit` on a new estimator keeps running estimates.

    Attributes
    ----------
    model_ : FastIGMN
    n_components_ : int
    n_skipped_ : int
        Rows skipped by `fit`, or by all calls of `partial_fit`, because they have no known value in X.
    weights_, means_, covariances_, precisions_, precisions_cholesky_ : arrays, one entry per component
    converged_ : bool
        Always True: there is one pass and nothing to wait for. It is here because `GaussianMixture` has it.
    n_iter_ : int
        Always 1, for the same reason.
    lower_bound_ : float
        Mean log density of the rows, each before it was learned, without those that started a component. It costs no
        second pass; `GaussianMixture` has the mean of the rows that it was fitted to, afterwards.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.permutation(np.concatenate([rng.normal(0, 1, (200, 2)), rng.normal(9, 1, (200, 2))]))
    >>> model = FastIGMNMixture(delta=0.3, beta=0.001).fit(X)
    >>> model.n_components_, bool(model.bic(X) < FastIGMNMixture(beta=0).fit(X).bic(X))
    (2, True)
    """

    _log_densities: tuple[float, float] = (0.0, 0.0)
    """Sum of the log densities behind `lower_bound_`, and of their weights."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Learn the rows in order, from scratch.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).n_components_
        2
        """
        return self._learn(X, sample_weight, is_new=True, is_stream=False)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002 (as above)
        """Learn more rows in order.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().partial_fit(X[:3]).partial_fit(X[3:]).model_.n_seen
        6
        """
        return self._learn(X, sample_weight, is_new=self._is_new(), is_stream=True)

    @classmethod
    def from_gaussian_mixture(cls, mixture: Any, n_samples: float, **settings: Any) -> Self:
        """An estimator with the components of a fitted `GaussianMixture`, which can learn more.

        Parameters
        ----------
        mixture : GaussianMixture
            Fitted; of any covariance type.
        n_samples : float
            Rows that it was fitted to: how much they count for beside rows that are learned later.
        **settings
            As in the constructor.

        Examples
        --------
        >>> from sklearn.mixture import GaussianMixture
        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> model = FastIGMNMixture.from_gaussian_mixture(GaussianMixture(2, random_state=0).fit(X), n_samples=6)
        >>> model.n_components_, model.partial_fit([[0.7]]).weights_.sum().round(6)
        (2, np.float64(1.0))
        """
        estimator = cls(**settings)
        parameters = Parameters(**{name: getattr(estimator, name) for name in DECLARED})
        scale = estimator._given_scale(mixture.means_.shape[1]) if hasattr(mixture, "means_") else None
        estimator.model_ = model_of(mixture, n_samples, parameters, scale)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(mixture, name):
                setattr(estimator, name, getattr(mixture, name))
        estimator.model_.columns = None if (names := estimator._names()) is None else tuple(names)
        estimator._log_densities = mixture.lower_bound_ * n_samples, float(n_samples)
        estimator._learned(Chosen(None, None, 0))
        return estimator

    def to_gaussian_mixture(self) -> Any:
        """A fitted `GaussianMixture` with the same components, of covariance type full.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> model = FastIGMNMixture().fit(X)
        >>> bool(np.allclose(model.to_gaussian_mixture().score_samples(X), model.score_samples(X)))
        True
        """
        mixture = gaussian_mixture(self.weights_, self.means_, self.covariances_)
        mixture.converged_, mixture.n_iter_, mixture.lower_bound_ = self.converged_, self.n_iter_, self.lower_bound_
        if hasattr(self, "feature_names_in_"):
            mixture.feature_names_in_ = self.feature_names_in_
        return mixture

    def fit_predict(self, X: Any, y: Any = None) -> Ints:
        """Learn the rows, then return the most probable component of each.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit_predict(X)
        array([0, 0, 0, 1, 1, 1])
        """
        return self.fit(X, y).predict(X)

    def predict(self, X: Any) -> Ints:
        """Most probable component of every row, 0 to K - 1.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).predict(X)
        array([0, 0, 0, 1, 1, 1])
        """
        labels: Ints = self.predict_proba(X).argmax(axis=1)
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Posterior of every component for every row.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).predict_proba([[0.7]]).round(3)
        array([[1., 0.]])
        """
        return self._model.responsibilities(self._checked(X, reset=False))

    def score_samples(self, X: Any) -> Floats:
        """Log density of every row.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).score_samples([[0.5], [4.5]]).round(1)
        array([ -0.8, -39.9])
        """
        return self._model.score_samples(self._checked(X, reset=False))

    def novelty(self, X: Any) -> Floats:
        """How far every row is from the nearest component, 0 to 1: at least 1 - β where it would start a component.

        The share of that component's samples that would be nearer, from the distribution χ² of their distances.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).novelty([[0.5], [4.5]]).round(3)
        array([0., 1.])
        """
        return self._model.novelty(self._checked(X, reset=False))

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002 (scikit-learn's signature)
        """Mean log density of the rows.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> round(FastIGMNMixture().fit(X).score(X), 1)
        -1.2
        """
        return float(self.score_samples(X).mean())

    def bic(self, X: Any) -> float:
        """Bayesian information criterion on `X`; lower is better.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> round(FastIGMNMixture().fit(X).bic(X), 1)
        23.7
        """
        log_densities = self.score_samples(X)
        return float(-2 * log_densities.sum() + self._n_parameters() * np.log(len(log_densities)))

    def aic(self, X: Any) -> float:
        """Akaike information criterion on `X`; lower is better.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> round(FastIGMNMixture().fit(X).aic(X), 1)
        24.7
        """
        return float(-2 * self.score_samples(X).sum() + 2 * self._n_parameters())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Floats, Ints]:
        """Draw rows, and the component of each.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).sample(3, random_state=0)[1]
        array([1, 0, 0])
        """
        return self._model.sample_with_components(n_samples, random_state)

    @property
    def weights_(self) -> Floats:
        """Prior of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).weights_.round(2)
        array([0.5, 0.5])
        """
        return self._model.priors

    @property
    def means_(self) -> Floats:
        """Mean of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).means_.round(2)
        array([[0.5],
               [8.5]])
        """
        return self._model.means

    @property
    def covariances_(self) -> Floats:
        """Covariance of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).covariances_.shape
        (2, 1, 1)
        """
        return self._model.covariances

    @property
    def precisions_(self) -> Floats:
        """Precision of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).precisions_.shape
        (2, 1, 1)
        """
        return self._model.precisions

    @property
    def precisions_cholesky_(self) -> Floats:
        """P, upper triangular, of every component: its precision is P Pᵀ.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).precisions_cholesky_.shape
        (2, 1, 1)
        """
        return precisions_cholesky(self.covariances_)

    @property
    def converged_(self) -> bool:
        """True once something was learned.

        >>> FastIGMNMixture().fit([[0.0], [1.0]]).converged_
        True
        """
        return bool(self._fitted())

    @property
    def n_iter_(self) -> int:
        """1 once something was learned.

        >>> FastIGMNMixture().fit([[0.0], [1.0]]).n_iter_
        1
        """
        return len(self._fitted())

    @property
    def lower_bound_(self) -> float:
        """Mean log density of the rows, each before it was learned; NaN while every row has started a component.

        >>> round(FastIGMNMixture(delta=1).fit([[0.0], [1.0], [0.5], [0.4]]).lower_bound_, 1)
        -1.4
        """
        self._fitted()
        total, weight = self._log_densities
        return total / weight if weight else np.nan

    def _learn_in(self, model: FastIGMN, rows: Floats, weights: Floats | None, is_new: bool) -> None:
        record = model.learn_recorded(rows) if weights is None else model.learn_recorded(rows, weights)
        is_familiar = record.born < 0
        counted = is_familiar.astype(np.float64) if weights is None else weights * is_familiar
        total, weight = (0.0, 0.0) if is_new else self._log_densities
        total += float(counted @ np.where(is_familiar, record.log_likelihoods, 0.0))
        self._log_densities = total, weight + float(counted.sum())

    def _learn(self, X: Any, sample_weight: Any, is_new: bool, is_stream: bool) -> Self:
        X = self._checked(X, reset=is_new)
        chosen = self._chosen(X, sample_weight, is_new)
        self._learn_rows(chosen.of(X), chosen, self._names(), is_new, is_stream)
        return self

    @property
    def _model(self) -> FastIGMN:
        (model,) = self._fitted()
        return model

    def _n_parameters(self) -> int:
        width = self.model_.n_features
        return self.n_components_ * (width + width * (width + 1) // 2 + 1) - 1
