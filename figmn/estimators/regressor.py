"""Fast IGMN as a regressor."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from figmn.answers.density import check_coverage
from figmn.answers.inference import normalised
from figmn.answers.quantiles import intervals
from figmn.estimators.base import Estimator
from figmn.fast import FastIGMN
from figmn.signatures import documented
from figmn.system.arrays import Floats


@documented
class FastIGMNRegressor(RegressorMixin, Estimator):
    """Regressor for one or more targets, with the standard deviation of every prediction.

    Parameters
    ----------
    {hyper_parameters}
    scale : array-like or None
        Standard deviation of every column of X and then of y, from which newborn components get their widths. None:
        `fit` finds those of the table, `partial_fit` on a new estimator keeps running estimates.

    Attributes
    ----------
    model_ : FastIGMN
        Over the columns of X and those of y.
    n_components_ : int
    n_skipped_ : int
        Rows skipped by `fit`, or by all calls of `partial_fit`, because they have no known value in X.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(0, 6, (500, 1))
    >>> model = FastIGMNRegressor(delta=0.2, beta=0.1).fit(X, np.sin(X[:, 0]))
    >>> mean, std = model.predict([[1.5]], return_std=True)
    >>> bool(abs(mean[0] - np.sin(1.5)) < 2 * std[0] < 0.5)
    True
    """

    _y_shape: tuple[int, ...]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows in order, from scratch.

        >>> X = np.arange(10.0)[:, None]
        >>> FastIGMNRegressor(beta=0).fit(X, 2 * X[:, 0]).predict([[3.0]]).round(1)
        array([6.])
        """
        return self._learn(X, y, sample_weight, is_new=True, is_stream=False)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn more rows in order.

        >>> X = np.arange(10.0)[:, None]
        >>> model = FastIGMNRegressor(beta=0).partial_fit(X, 2 * X[:, 0])
        >>> model.partial_fit(X, 2 * X[:, 0]).model_.n_seen
        20
        """
        return self._learn(X, y, sample_weight, is_new=self._is_new(), is_stream=True)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Conditional mean of the targets, and with `return_std` their conditional standard deviations.

        Under the published rule a variance can be negative; its standard deviation is then 0.

        >>> X = np.arange(10.0)[:, None]
        >>> mean, std = FastIGMNRegressor(beta=0).fit(X, 2 * X[:, 0]).predict([[3.0]], return_std=True)
        >>> mean.round(1), std.round(1)
        (array([6.]), array([0.1]))
        """
        model, question = self._question(X)
        wanted = slice(self.n_features_in_, None)
        shape = (len(question), *self._y_shape)
        if not return_std:
            return model.recall(question)[:, wanted].reshape(shape)
        filled, covariances = model.recall(question, return_cov=True)
        n_targets = filled.shape[1] - self.n_features_in_
        variances = np.array([covariance.diagonal()[-n_targets:] for covariance in covariances])
        return filled[:, wanted].reshape(shape), np.sqrt(variances.clip(0)).reshape(shape)

    def predict_interval(self, X: Any, coverage: float = 0.9) -> tuple[Any, Any]:
        """Both ends of the central interval of every target: it lies inside with the probability `coverage`.

        Of the conditional mixture, which may have several modes. Under the published rule an interval can be empty.

        >>> X = np.random.default_rng(0).uniform(0, 6, (500, 1))
        >>> y = np.sin(X[:, 0]) + np.random.default_rng(1).normal(0, 0.1, 500)
        >>> low, high = FastIGMNRegressor(delta=0.2).fit(X, y).predict_interval([[1.5]])
        >>> bool(low[0] < np.sin(1.5) < high[0])
        True
        """
        model, question = self._question(X)
        share, n_inputs = check_coverage(coverage), self.n_features_in_
        ends = np.empty((2, len(question), model.n_features - n_inputs))
        for found in model.conditionals(question):
            weights, targets = normalised(found.log_weights), np.flatnonzero(found.wanted >= n_inputs)
            stds = np.sqrt(np.diagonal(found.covariances, axis1=1, axis2=2).clip(np.finfo(np.float64).tiny))
            for place, target in enumerate(targets):
                both = intervals(share, weights, found.means[:, :, target], stds[None, :, target])
                ends[:, found.rows, place] = both.T
        low, high = ends.reshape(2, len(question), *self._y_shape)
        return low, high

    def _question(self, X: Any) -> tuple[FastIGMN, Floats]:
        """The mixture, and the rows with the targets unknown."""
        (model,) = self._fitted()
        known = self._checked(X, reset=False)
        return model, np.hstack([known, np.full((len(known), model.n_features - known.shape[1]), np.nan)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _targets(self, n_columns: int) -> list[list[int]]:
        return [[column] for column in range(self.n_features_in_, n_columns)]

    def _learn(self, X: Any, y: Any, sample_weight: Any, is_new: bool, is_stream: bool) -> Self:
        given = y
        X, y = self._checked(X, y=y, reset=is_new, multi_output=True, y_numeric=True)
        if not is_new and y.shape[1:] != self._y_shape:
            raise ValueError(f"y has shape {y.shape}, the first call had (n, *{self._y_shape}): give the same targets")
        chosen = self._chosen(X, sample_weight, is_new)
        targets: Floats = y.astype(np.float64).reshape(len(y), -1)
        names = self._names(*_target_names(given, targets.shape[1]))
        self._learn_rows(chosen.of(np.hstack([X, targets])), chosen, names, is_new, is_stream)
        self._y_shape = y.shape[1:]
        return self


def _target_names(y: Any, n_targets: int) -> tuple[str, ...]:
    """Names of the targets, for messages."""
    if hasattr(y, "columns"):
        return tuple(map(str, y.columns))
    if n_targets > 1:
        return tuple(f"y[{place}]" for place in range(n_targets))
    return (str(getattr(y, "name", None) or "y"),)
