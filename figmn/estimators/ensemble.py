"""Several classifiers side by side, weighted by what each has predicted before it learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from figmn.estimators.base import ClassPredictor, Estimator, std_of
from figmn.estimators.classifier import FastIGMNClassifier
from figmn.estimators.labels import listed_classes, places_of
from figmn.estimators.settings import MIXTURES, EstimatorSettings
from figmn.fast import FastIGMN
from figmn.params import DECLARED, NUMBERS
from figmn.scale import is_constant, warn_of_constant, with_floor
from figmn.signatures import documented, takes
from figmn.system.arrays import Floats, Ints

WIDTHS = (0.1, 0.3, 0.7, 1.5)
"""δ of the members, each as one joint mixture and as a mixture per class."""
LINEAR_WIDTH = 1.0
"""δ of the member that has a single component."""
SHORTEST, GROWTH, LONGEST = 4, 4, 64
"""Rows that are predicted together before they are learned: a quarter of those before, within limits."""
CROWD, CROWDED = 50, 0.6
"""A member with more components than both `CROWD` and this share of the rows is dropped."""
WINDOW = 2000
"""Latest predicted rows that the weights follow."""
STEPS = 100
"""Steps of expectation maximisation for the weights."""


@documented
class FastIGMNEnsemble(ClassPredictor, Estimator):
    """Classifier for when the width is not known: nine `FastIGMNClassifier`, weighted by their predictions.

    Four widths, each as one joint mixture and as a mixture per class, and one single component. Every member predicts
    rows before it learns them; the weights are those with which the mixed predictions would have had the least
    log-loss over the latest 2,000 rows, where rows fade as `memory` says.

    Parameters
    ----------
    {hyper_parameters}
    scale : array-like or None
        Standard deviation of every column of X, from which newborn components get their widths. None: `fit` finds those
        of the table, `partial_fit` on a new estimator keeps running estimates.

    Attributes
    ----------
    classes_ : array of shape (C,)
    members_ : list of FastIGMNClassifier
        With `delta=None` nine; else the three of that width. Members that start a component for most rows are dropped:
        they are slow, and know little.
    weights_ : array, one for each member
    n_components_ : int
        Of all members.
    n_skipped_ : int
        Rows skipped by `fit`, or by all calls of `partial_fit`, because they have no known value in X.

    Notes
    -----
    A call of `partial_fit` is learned in blocks, each predicted before it is learned. How a stream is split into calls
    therefore changes the weights a little, as the rows of a block are predicted by the same members.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> X, y = make_circles(400, noise=0.1, factor=0.5, random_state=0)
    >>> model = FastIGMNEnsemble().fit(X[:200], y[:200])
    >>> bool(model.score(X[200:], y[200:]) > 0.95)
    True
    """

    classes_: Any
    members_: list[FastIGMNClassifier]
    _places: list[int]
    """Of the members among `_settings`."""
    _predicted: Predicted
    _n_seen: int

    @takes(EstimatorSettings)
    def __init__(self, **settings: Any) -> None:
        # Unchecked, as in the base class.
        self.__dict__.update(settings)

    @property
    def weights_(self) -> Floats:
        """Weights of the members; they sum to 1.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNEnsemble(delta=1).fit(X, y).weights_.shape
        (3,)
        """
        self._fitted()
        return self._predicted.weights

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows in order, from scratch.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNEnsemble().fit(X, y).predict([[0.4], [5.4]]).tolist()
        ['low', 'high']
        """
        return self._learn(X, y, sample_weight, None, is_new=True, is_stream=False)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows in order; the first call must list all `classes` that will ever occur.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> model = FastIGMNEnsemble().partial_fit(X[:2], y[:2], classes=["low", "high"])
        >>> model.partial_fit(X[2:], y[2:]).predict([[0.4], [5.4]]).tolist()
        ['low', 'high']
        """
        return self._learn(X, y, sample_weight, classes, is_new=self._is_new(), is_stream=True)

    def predict_proba(self, X: Any) -> Floats:
        """Class distribution of every row, never exactly 0: the members' distributions, mixed by their weights.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNEnsemble().fit(X, y).predict_proba([[0.4]]).sum()
        np.float64(1.0)
        """
        self._fitted()
        rows = self._checked(X, reset=False)
        mixed: Floats = np.zeros((len(rows), len(self.classes_)))
        for weight, member in zip(self.weights_, self.members_, strict=True):
            mixed += weight * member.predict_proba(rows)
        mixed /= mixed.sum(axis=1, keepdims=True)
        return mixed

    def _models(self) -> list[FastIGMN]:
        return [model for member in getattr(self, "members_", ()) for model in member._models()]

    # Learning

    def _learn(self, X: Any, y: Any, sample_weight: Any, classes: Any, is_new: bool, is_stream: bool) -> Self:
        X, y = self._checked(X, y=y, reset=is_new)
        check_classification_targets(y)
        known = self._known_classes(y, classes, is_new, is_stream)
        places = places_of(y, known)
        chosen = self._chosen(X, sample_weight, is_new)
        rows, places = chosen.of(X), chosen.of(places)
        if is_new:
            scale = self._given_scale(X.shape[1])
            scale = std_of(rows, chosen.weights) if scale is None and not is_stream else scale
            self._start(scale)
        else:
            self._follow_changes()
        self.classes_ = known
        for block in self._blocks(len(rows)):
            self._learn_block(rows[block], places[block], None if chosen.weights is None else chosen.weights[block])
        self._learned(chosen)
        return self

    def _known_classes(self, y: Any, classes: Any, is_new: bool, is_stream: bool) -> Any:
        if not is_stream:
            return np.unique(y)
        return listed_classes(classes, None if is_new else self.classes_)

    def _settings(self) -> list[dict[str, Any]]:
        """Arguments of every member."""
        given = {name: getattr(self, name) for name in DECLARED}
        widths = WIDTHS if self.delta is None else (self.delta,)
        members = [given | {"delta": width, "mixtures": mixtures} for mixtures in MIXTURES.choices for width in widths]
        single = {"delta": LINEAR_WIDTH if self.delta is None else self.delta, "beta": 0.0}
        return [*members, given | single | {"mixtures": MIXTURES.default}]

    def _start(self, scale: Floats | None) -> None:
        if scale is not None and is_constant(scale).any():
            warn_of_constant(scale, self._names())
            scale = with_floor(scale)  # else every member would warn
        self.members_ = [FastIGMNClassifier(**settings, scale=scale) for settings in self._settings()]
        self._places = list(range(len(self.members_)))
        self._predicted, self._n_seen = Predicted(np.empty((0, len(self.members_))), np.empty(0)), 0

    def _follow_changes(self) -> None:
        """Give the members what `set_params` has changed; they refuse what takes effect only from the start."""
        self._refuse_changes()
        settings = self._settings()
        if len(settings) <= max(self._places):
            raise ValueError(f"delta = {self.delta!r} was set after learning began: call fit, or set it back")
        for member, place in zip(self.members_, self._places, strict=True):
            member.set_params(**settings[place])

    def _blocks(self, n_rows: int) -> Iterator[slice]:
        start = 0
        while start < n_rows:
            stop = min(n_rows, start + min(max(SHORTEST, self._n_seen // GROWTH), LONGEST))
            yield slice(start, stop)
            start = stop

    def _learn_block(self, rows: Floats, places: Ints, weights: Floats | None) -> None:
        """Learn rows that are predicted first, unless they are the very first."""
        if self._n_seen:
            found = [member.predict_proba(rows)[np.arange(len(rows)), places] for member in self.members_]
            self._predicted.add(np.column_stack(found), weights, NUMBERS["memory"].check(self.memory))
        for member in self.members_:
            member.partial_fit(rows, places, classes=np.arange(len(self.classes_)), sample_weight=weights)
        self._n_seen += len(rows)
        most = max(CROWD, CROWDED * self._n_seen)
        kept = [place for place, member in enumerate(self.members_) if member.n_components_ <= most]
        if len(kept) < len(self.members_):  # the single component is always kept
            self.members_, self._places = [self.members_[at] for at in kept], [self._places[at] for at in kept]
            # In the same order in memory as before: else sums, and so the weights, would differ in the last bit.
            self._predicted = Predicted(np.ascontiguousarray(self._predicted.right[:, kept]), self._predicted.counts)


@dataclass(eq=False)
class Predicted:
    """What the members have predicted of the latest rows.

    >>> predicted = Predicted(np.empty((0, 2)), np.empty(0))
    >>> predicted.add(np.array([[0.9, 0.1]] * 50 + [[0.1, 0.9]] * 50), None, memory=10)
    >>> predicted.weights.round(1)
    array([0.1, 0.9])
    """

    right: Floats
    """Probability of the right class of every row by every member, (n, M)."""
    counts: Floats
    """How much every row counts, (n,)."""
    _weights: Floats | None = None
    """None: not found yet."""

    @property
    def weights(self) -> Floats:
        """`pool_weights` of these rows."""
        if self._weights is None:
            self._weights = pool_weights(self.right, self.counts)
        return self._weights

    def add(self, right: Floats, weights: Floats | None, memory: float) -> None:
        """Add rows; the earlier ones fade, and the earliest are forgotten."""
        fading = (1 - 1 / memory) ** np.arange(len(right), -1, -1)
        counts = fading[1:] if weights is None else weights * fading[1:]
        self.right = np.vstack([self.right, right])[-WINDOW:]
        self.counts = np.append(fading[0] * self.counts, counts)[-WINDOW:]
        self._weights = None


def pool_weights(right: Floats, counts: Floats) -> Floats:
    """Weights of members with which the mixture of their predictions has the least log-loss.

    Expectation maximisation from equal weights, where one more row is shared by all members equally.

    Parameters
    ----------
    right : array of shape (n, M)
        Probability of the right class of every row by every member.
    counts : array of shape (n,)
        How much every row counts.

    Examples
    --------
    >>> pool_weights(np.array([[0.9, 0.5], [0.8, 0.5], [0.1, 0.5]] * 20), np.ones(60)).round(2)
    array([0.37, 0.63])
    >>> pool_weights(np.empty((0, 2)), np.empty(0))
    array([0.5, 0.5])
    """
    n_members = right.shape[1]
    weights = np.full(n_members, 1 / n_members)
    for _ in range(STEPS):
        shares = right * weights
        shares /= shares.sum(axis=1, keepdims=True)
        weights = (counts @ shares + 1 / n_members) / (counts.sum() + 1)
    return weights
