"""Fast IGMN as a density."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import DensityMixin

from figmn.estimators.base import Estimator, learn, std_of
from figmn.fast import FastIGMN
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
    weights_, means_, covariances_, precisions_ : arrays, one entry per component

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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Learn the rows in order, from scratch.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).n_components_
        2
        """
        X = self._checked(X)
        chosen = self._chosen(X, sample_weight, is_new=True)
        rows = chosen.of(X)
        scale = self._given_scale(rows.shape[1])
        if scale is None:
            scale = std_of(rows, chosen.weights)
        self.model_ = learn(self._new_model(scale, self._names()), rows, chosen.weights)
        self._learned(chosen)
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002 (as above)
        """Learn more rows in order.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().partial_fit(X[:3]).partial_fit(X[3:]).model_.n_seen
        6
        """
        first = self._is_new()
        X = self._checked(X, reset=first)
        chosen = self._chosen(X, sample_weight, is_new=first)
        rows = chosen.of(X)
        if first:
            model = self._new_model(self._given_scale(rows.shape[1]), self._names())
        else:
            self._follow_changes()
            model = self.model_
        self.model_ = learn(model, rows, chosen.weights) if len(rows) else model
        self._learned(chosen)
        return self

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
    def _model(self) -> FastIGMN:
        (model,) = self._fitted()
        return model

    def _n_parameters(self) -> int:
        width = self.model_.n_features
        return self.n_components_ * (width + width * (width + 1) // 2 + 1) - 1
