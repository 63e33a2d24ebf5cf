"""Fast IGMN as scikit-learn estimators: a classifier, a regressor and a density.

`fit` learns the rows in order, each once, with initial widths from the standard deviations of the whole table.
`partial_fit` continues from the previous call; on a new estimator it uses running standard deviations instead.
NaN in X means missing, both when learning and when predicting. A row without any known value in X is skipped, even
where its target is known: `n_skipped_` counts such rows, and each call gives one `EmptyRowWarning` with their positions
in X, counted from 0 as scikit-learn does.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, DensityMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from figmn.fast import FastIGMN
from figmn.params import Parameters
from figmn.rows import check_rows
from figmn.scale import column_std
from figmn.signatures import documented, takes
from figmn.system.arrays import Floats, Ints

NAMED = 5
"""Skipped rows whose positions a warning lists; the others are only counted."""


class EmptyRowWarning(UserWarning):
    """Rows without any known value were skipped."""


class _Estimator(BaseEstimator):
    """What the three estimators share."""

    model_: FastIGMN
    n_skipped_: int

    @takes(Parameters)
    def __init__(self, **parameters: Any) -> None:
        # Unchecked: scikit-learn's `clone` needs the very objects that were given; `fit` checks them.
        self.__dict__.update(parameters)

    @property
    def n_components_(self) -> int:
        """Number of components K.

        >>> FastIGMNMixture().fit([[0.0], [1.0], [0.5], [9.0]]).n_components_
        2
        """
        return self._fitted().n_components

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _is_new(self) -> bool:
        return not hasattr(self, "model_")

    def _fitted(self) -> FastIGMN:
        check_is_fitted(self, "model_")
        return self.model_

    def _checked(self, X: Any, **checks: Any) -> Any:
        """`X` (and y, where given) as scikit-learn checks them, NaN allowed in X."""
        return validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", **checks)

    def _fit_rows(self, rows: Floats) -> Self:
        known = self._known(rows)
        model = FastIGMN(**self.get_params(), scale=column_std(known))
        self.model_ = model.learn(known)
        self.n_skipped_ = len(rows) - len(known)
        return self

    def _partial_fit_rows(self, rows: Floats) -> Self:
        first = self._is_new()
        model = FastIGMN(**self.get_params()) if first else self.model_
        known = self._known(rows, model.n_features)
        # Only the first call needs a known row; later ones may have none.
        self.model_ = model.learn(known) if first or len(known) else model
        self.n_skipped_ = (0 if first else self.n_skipped_) + len(rows) - len(known)
        return self

    def _known(self, rows: Floats, n_features: int = 0) -> Floats:
        """The rows with a known value in X, whose columns come first; warns of the others.

        At least one is required, unless `n_features` says that the model has learned before.
        """
        check_rows(rows, n_features, None)  # before any is left out: errors name positions in X
        empty = np.isnan(rows[:, : self.n_features_in_]).all(axis=1)
        if not empty.any():
            return rows
        if empty.all() and not n_features:
            raise ValueError("no row of X has any value, so there is nothing to learn: give at least one")
        _warn_of_empty_rows(np.flatnonzero(empty))
        return np.ascontiguousarray(rows[~empty])


class _Predictor(_Estimator):
    """Targets are columns to the right of X; `predict` recalls them from the others."""

    def _question(self, X: Any) -> Floats:
        n_features = self._fitted().n_features
        known = self._checked(X, reset=False)
        return np.hstack([known, np.full((len(known), n_features - known.shape[1]), np.nan)])


@documented
class FastIGMNClassifier(ClassifierMixin, _Predictor):
    """Classifier: the class is a one-hot block of columns, predicted from the others.

    Parameters
    ----------
    {hyper_parameters}

    Attributes
    ----------
    classes_ : array of shape (C,)
    model_ : FastIGMN
        Over the columns of X and one column per class.
    n_components_ : int
    n_skipped_ : int
        Rows skipped by `fit`, or by all calls of `partial_fit`, because they have no known value in X.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.utils import shuffle
    >>> X, y = shuffle(*load_iris(return_X_y=True), random_state=0)
    >>> model = FastIGMNClassifier().fit(X[:100], y[:100])
    >>> bool(model.score(X[100:], y[100:]) > 0.9)
    True
    """

    classes_: Any

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rows in order, from scratch.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict([[0.4], [5.4]]).tolist()
        ['low', 'high']
        """
        X, y = self._checked(X, y=y)
        check_classification_targets(y)
        classes = np.unique(y)
        self._fit_rows(np.hstack([X, _one_hot(y, classes)]))
        self.classes_ = classes
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn more rows in order; the first call must list all `classes` that will ever occur.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> model = FastIGMNClassifier().partial_fit(X[:2], y[:2], classes=["low", "high"])
        >>> model.partial_fit(X[2:], y[2:]).model_.n_seen
        4
        """
        first = self._is_new()
        if first and classes is None:
            raise ValueError("classes is missing in the first call of partial_fit: name all that will ever come")
        known = np.unique(classes) if first else self.classes_
        if classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(f"classes = {classes!r} are not those of the first call, {known!r}: leave them out")
        X, y = self._checked(X, y=y, reset=first)
        check_classification_targets(y)
        self._partial_fit_rows(np.hstack([X, _one_hot(y, known)]))
        self.classes_ = known
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Class distribution of every row: the recalled one-hot block, clipped to [0, 1] and normalised.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict_proba([[0.4]]).round(2)
        array([[0., 1.]])
        """
        question = self._question(X)
        scores = self.model_.recall(question)[:, -len(self.classes_) :].clip(0, 1)
        totals = scores.sum(axis=1, keepdims=True)
        # Far from all data the linear prediction can leave [0, 1] for every class: then all are equally likely.
        return np.where(totals > 0, scores / np.where(totals > 0, totals, 1), 1 / len(self.classes_))

    def predict(self, X: Any) -> Any:
        """Most probable class of every row.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict([[0.4]]).tolist()
        ['low']
        """
        most_probable = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_probable]


@documented
class FastIGMNRegressor(RegressorMixin, _Predictor):
    """Regressor for one or more targets, with the standard deviation of every prediction.

    Parameters
    ----------
    {hyper_parameters}

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

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rows in order, from scratch.

        >>> X = np.arange(10.0)[:, None]
        >>> FastIGMNRegressor(beta=0).fit(X, 2 * X[:, 0]).predict([[3.0]]).round(1)
        array([6.])
        """
        X, y = self._checked(X, y=y, multi_output=True, y_numeric=True)
        self._fit_rows(np.hstack([X, _as_columns(y)]))
        self._y_shape = y.shape[1:]
        return self

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learn more rows in order.

        >>> X = np.arange(10.0)[:, None]
        >>> model = FastIGMNRegressor(beta=0).partial_fit(X, 2 * X[:, 0])
        >>> model.partial_fit(X, 2 * X[:, 0]).model_.n_seen
        20
        """
        first = self._is_new()
        X, y = self._checked(X, y=y, reset=first, multi_output=True, y_numeric=True)
        if not first and y.shape[1:] != self._y_shape:
            raise ValueError(f"y has shape {y.shape}, the first call had (n, *{self._y_shape}): give the same targets")
        self._partial_fit_rows(np.hstack([X, _as_columns(y)]))
        self._y_shape = y.shape[1:]
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Conditional mean of the targets, and with `return_std` their conditional standard deviations.

        Under the published rule a variance can be negative; its standard deviation is then 0.

        >>> X = np.arange(10.0)[:, None]
        >>> mean, std = FastIGMNRegressor(beta=0).fit(X, 2 * X[:, 0]).predict([[3.0]], return_std=True)
        >>> mean.round(1), std.round(1)
        (array([6.]), array([0.4]))
        """
        question = self._question(X)
        wanted = slice(self.n_features_in_, None)
        shape = (len(question), *self._y_shape)
        if not return_std:
            return self.model_.recall(question)[:, wanted].reshape(shape)
        filled, covariances = self.model_.recall(question, return_cov=True)
        n_targets = filled.shape[1] - self.n_features_in_
        variances = np.array([covariance.diagonal()[-n_targets:] for covariance in covariances])
        return filled[:, wanted].reshape(shape), np.sqrt(variances.clip(0)).reshape(shape)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


@documented
class FastIGMNMixture(DensityMixin, _Estimator):
    """Density estimate whose number of components follows the data; the online counterpart of `GaussianMixture`.

    Parameters
    ----------
    {hyper_parameters}

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

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Learn the rows in order, from scratch.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).n_components_
        2
        """
        return self._fit_rows(self._checked(X))

    def partial_fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Learn more rows in order.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().partial_fit(X[:3]).partial_fit(X[3:]).model_.n_seen
        6
        """
        return self._partial_fit_rows(self._checked(X, reset=self._is_new()))

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
        return self._fitted().responsibilities(self._checked(X, reset=False))

    def score_samples(self, X: Any) -> Floats:
        """Log density of every row.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).score_samples([[0.5], [4.5]]).round(1)
        array([ -0.8, -39.9])
        """
        return self._fitted().score_samples(self._checked(X, reset=False))

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
        return self._fitted().sample_with_components(n_samples, random_state)

    @property
    def weights_(self) -> Floats:
        """Prior of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).weights_.round(2)
        array([0.5, 0.5])
        """
        return self._fitted().priors

    @property
    def means_(self) -> Floats:
        """Mean of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).means_.round(2)
        array([[0.5],
               [8.5]])
        """
        return self._fitted().means

    @property
    def covariances_(self) -> Floats:
        """Covariance of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).covariances_.shape
        (2, 1, 1)
        """
        return self._fitted().covariances

    @property
    def precisions_(self) -> Floats:
        """Precision of every component.

        >>> X = np.array([[0.0], [1.0], [0.5], [8.0], [9.0], [8.5]])
        >>> FastIGMNMixture().fit(X).precisions_.shape
        (2, 1, 1)
        """
        return self._fitted().precisions

    def _n_parameters(self) -> int:
        width = self.model_.n_features
        return self.n_components_ * (width + width * (width + 1) // 2 + 1) - 1


def _warn_of_empty_rows(rows: Ints) -> None:
    named = ", ".join(str(row) for row in rows[:NAMED].tolist())
    more = f" and {len(rows) - NAMED:,} more" if len(rows) > NAMED else ""
    count = "1 row of X has" if len(rows) == 1 else f"{len(rows):,} rows of X have"
    warnings.warn(
        f"{count} no value in any column and will be skipped (counted from 0): {named}{more}",
        EmptyRowWarning,
        stacklevel=5,  # to the caller of fit
    )


def _one_hot(y: Any, classes: Any) -> Floats:
    places = np.searchsorted(classes, y).clip(0, len(classes) - 1)
    for value in y[classes[places] != y]:
        raise ValueError(f"y holds the class {value!r}, which is not among {classes!r}: name it in the first call")
    block: Floats = np.eye(len(classes))[places]
    return block


def _as_columns(y: Any) -> Floats:
    columns: Floats = y.astype(np.float64).reshape(len(y), -1)
    return columns
