"""Learners of a prequential evaluation: each predicts a row before it learns it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from figmn import FastIGMN
from figmn.rows import RowError
from figmn.system.arrays import Floats
from workbench.evaluate.trial.methods import (
    FILLED,
    JOINT,
    STREAM_BASELINES,
    TUNED,
    class_estimator,
    form_title,
    unknown_baseline,
)
from workbench.evaluate.trial.plan import Plan, TaskKind
from workbench.source import Encoding
from workbench.words.sentences import UserError

Weights = Floats | None
SMOOTHING = 1e-9
"""Share of the largest variance that is added to all, as in scikit-learn's GaussianNB. So much is added at least, where
nothing has varied yet: columns are standardised."""


class StreamLearner(Protocol):
    """Predicts from inputs, and learns when the target is known."""

    @property
    def n_components(self) -> int | None:
        """K, of a mixture."""

    def both(self, X: Floats, y: Floats, weights: Weights) -> Floats:
        """Predict and learn rows, one after the other: probabilities (rows, classes), numbers or log densities."""

    def predict(self, X: Floats) -> Floats:
        """Predict rows."""

    def learn(self, X: Floats, y: Floats, weights: Weights) -> None:
        """Learn rows; `weights` is None where all count the same."""


class JointLearner:
    """One mixture over inputs and target, with the columns of 0 and 1 for classes last: the Stream page's."""

    def __init__(self, engine: FastIGMN, kind: TaskKind, n_inputs: int, n_classes: int) -> None:
        self._engine, self._kind, self._n_inputs, self._n_classes = engine, kind, n_inputs, n_classes

    @property
    def n_components(self) -> int:
        """K."""
        return self._engine.n_components

    def both(self, X: Floats, y: Floats, weights: Weights) -> Floats:
        """Predict and learn in the compiled loop; a density of rows with gaps one by one."""
        if self._kind == "density":
            # The engine's own record measures rows whose gaps are filled.
            if np.isnan(X).any():
                return one_by_one(self, X, y, weights)
            return self._engine.learn_recorded(X, weights).log_likelihoods
        wanted = range(self._n_inputs, self._n_inputs + self._width)
        return self._answers(self._engine.learn_prequential(self._rows(X, y), wanted, weights))

    def predict(self, X: Floats) -> Floats:
        """Predict by the mixture as it is."""
        if self._kind == "density":
            return self._engine.score_samples(X) if self._engine.n_components else np.full(len(X), -np.inf)
        if not self._engine.n_components:
            return self._answers(np.full((len(X), self._width), np.nan))
        question = np.hstack([X, np.full((len(X), self._width), np.nan)])
        return self._answers(self._engine.recall(question)[:, self._n_inputs :])

    def learn(self, X: Floats, y: Floats, weights: Weights) -> None:
        """Learn inputs and target."""
        self._engine.learn(self._rows(X, y), weights)

    @property
    def _width(self) -> int:
        return self._n_classes if self._kind == "classes" else 1

    def _rows(self, X: Floats, y: Floats) -> Floats:
        if self._kind == "density":
            return X
        target = np.eye(self._n_classes)[y.astype(np.intp)] if self._kind == "classes" else y[:, None]
        return np.hstack([X, target])

    def _answers(self, said: Floats) -> Floats:
        """Class columns cut to [0, 1] as the Predict page does; what no component answers is equally probable."""
        if self._kind != "classes":
            return said[:, 0]
        shares = np.nan_to_num(said).clip(0.0, 1.0)
        total = shares.sum(axis=1, keepdims=True)
        equal = np.full_like(shares, 1 / max(1, self._n_classes))
        found: Floats = np.divide(shares, total, out=equal, where=total > 0)
        return found


class RowByRow:
    """A classifier in the manner of scikit-learn with `partial_fit`."""

    def __init__(self, model: Any, n_classes: int) -> None:
        self._model, self._n_classes, self._is_new = model, n_classes, True

    @property
    def n_components(self) -> int | None:
        """K, of a mixture."""
        return None if self._is_new else getattr(self._model, "n_components_", None)

    def both(self, X: Floats, y: Floats, weights: Weights) -> Floats:
        """One row after the other."""
        return one_by_one(self, X, y, weights)

    def predict(self, X: Floats) -> Floats:
        """Probabilities of all classes."""
        found = np.zeros((len(X), self._n_classes))
        if self._is_new:
            return found + 1 / self._n_classes
        said = np.nan_to_num(self._model.predict_proba(X))
        found[:, self._model.classes_.astype(np.intp)] = said
        return found

    def learn(self, X: Floats, y: Floats, weights: Weights) -> None:
        """Learn rows; all classes are named with the first."""
        classes = np.arange(self._n_classes) if self._is_new else None
        self._model.partial_fit(X, y.astype(np.intp), classes=classes, sample_weight=weights)
        self._is_new = False


class NaiveBayes:
    """Gaussian naive Bayes of the rows so far.

    That of scikit-learn, learning row by row, takes its smoothing from the last row alone, which has no variance.
    """

    n_components = None

    def __init__(self, n_inputs: int, n_classes: int) -> None:
        self._counts = np.zeros(n_classes)
        self._means, self._squares = np.zeros((n_classes, n_inputs)), np.zeros((n_classes, n_inputs))
        """Of every class: means, and sums of squared deviations from them."""

    def both(self, X: Floats, y: Floats, weights: Weights) -> Floats:
        """One row after the other."""
        return one_by_one(self, X, y, weights)

    def predict(self, X: Floats) -> Floats:
        """Probabilities of all classes; all the same before the first row."""
        known = self._counts > 0
        found = np.full((len(X), len(self._counts)), 0.0 if known.any() else 1 / len(self._counts))
        if known.any():
            counts, means = self._counts[known], self._means[known]
            variances = self._squares[known] / counts[:, None] + max(self._smoothing(), SMOOTHING)
            logs = -0.5 * (((X[:, None] - means) ** 2 / variances) + np.log(variances)).sum(axis=2) + np.log(counts)
            found[:, known] = np.exp(logs - logs.max(axis=1, keepdims=True))
            found /= found.sum(axis=1, keepdims=True)
        return found

    def learn(self, X: Floats, y: Floats, weights: Weights) -> None:
        """Update means and squares."""
        for row, place, weight in zip(X, y.astype(np.intp).tolist(), _each(y, weights), strict=True):
            self._counts[place] += weight
            before = row - self._means[place]
            self._means[place] += weight / self._counts[place] * before
            self._squares[place] += weight * before * (row - self._means[place])

    def _smoothing(self) -> float:
        """From the largest variance of all rows so far."""
        shares = self._counts / self._counts.sum()
        centre = shares @ self._means
        within = self._squares.sum(axis=0) / self._counts.sum()
        return SMOOTHING * float((within + shares @ (self._means - centre) ** 2).max(initial=0.0))


class Majority:
    """The most frequent class so far, or the mean so far; rows count by their weights."""

    n_components = None

    def __init__(self, n_classes: int) -> None:
        self._counts = np.zeros(n_classes)
        self._mean, self._weight = math.nan, 0.0

    def both(self, X: Floats, y: Floats, weights: Weights) -> Floats:
        """From what came before each row."""
        if not len(self._counts):
            return np.array([self._next_mean(*pair) for pair in zip(y.tolist(), _each(y, weights), strict=True)])
        added = np.eye(len(self._counts))[y.astype(np.intp)] * np.array(_each(y, weights))[:, None]
        before = self._counts + np.vstack([np.zeros(len(self._counts)), np.cumsum(added[:-1], axis=0)])
        self.learn(X, y, weights)
        return _shares(before)

    def predict(self, X: Floats) -> Floats:
        """The same for all rows."""
        if not len(self._counts):
            return np.full(len(X), self._mean)
        return np.repeat(_shares(self._counts[None]), len(X), axis=0)

    def learn(self, X: Floats, y: Floats, weights: Weights) -> None:  # noqa: ARG002
        """Count."""
        each = _each(y, weights)
        if len(self._counts):
            self._counts += np.bincount(y.astype(np.intp), each, len(self._counts))
        else:
            for value, weight in zip(y.tolist(), each, strict=True):
                self._next_mean(value, weight)

    def _next_mean(self, value: float, weight: float) -> float:
        """Add a number to the mean, and return the mean before it."""
        before, self._weight = self._mean, self._weight + weight
        self._mean = value if math.isnan(before) else before + weight / self._weight * (value - before)
        return before


class Last:
    """The latest target that is known."""

    n_components = None

    def __init__(self, n_classes: int) -> None:
        self._n_classes, self._last = n_classes, np.nan

    def both(self, X: Floats, y: Floats, weights: Weights) -> Floats:  # noqa: ARG002
        """The target of the row before."""
        before = np.concatenate([[self._last], y[:-1]])
        self._last = float(y[-1])
        return self._answers(before)

    def predict(self, X: Floats) -> Floats:
        """The same for all rows."""
        return self._answers(np.full(len(X), self._last))

    def learn(self, X: Floats, y: Floats, weights: Weights) -> None:  # noqa: ARG002
        """Remember the last one."""
        self._last = float(y[-1])

    def _answers(self, values: Floats) -> Floats:
        if not self._n_classes:
            return values
        known = ~np.isnan(values)
        found = np.full((len(values), self._n_classes), 1 / self._n_classes)
        found[known] = np.eye(self._n_classes)[values[known].astype(np.intp)]
        return found


def one_by_one(learner: StreamLearner, X: Floats, y: Floats, weights: Weights) -> Floats:
    """Predict every row before it is learned."""
    found = []
    for place in range(len(X)):
        row = slice(place, place + 1)
        try:
            found.append(learner.predict(X[row]))
            learner.learn(X[row], y[row], None if weights is None else weights[row])
        except RowError as error:
            raise RowError(place, error.problem, error.column) from error
    return np.concatenate(found)


def _each(y: Floats, weights: Weights) -> list[float]:
    return [1.0] * len(y) if weights is None else weights.tolist()


def _shares(counts: Floats) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    found: Floats = np.divide(counts, total, out=np.full_like(counts, 1 / counts.shape[1]), where=total > 0)
    return found


@dataclass(frozen=True)
class StreamMethod:
    """A learner that is made for a stream."""

    name: str
    title: str
    encoding: Encoding
    make: Callable[[int, int, Floats | None], StreamLearner]
    """Of the number of inputs, that of classes, and the standard deviations of inputs and target's columns; None for
    running estimates."""


def stream_methods(plan: Plan) -> tuple[StreamMethod, ...]:
    """Fast IGMN as the plan wants it, and the baseline where there is one."""
    if plan.method == TUNED:
        raise UserError(
            "A stream goes by once, so nothing is tuned on it beforehand. Choose another form of Fast IGMN."
        )
    found = [StreamMethod(plan.method, form_title(plan), plan.recipe.encoding, _form(plan))]
    if plan.baseline is not None:
        if plan.baseline not in STREAM_BASELINES[plan.task.kind]:
            raise unknown_baseline(plan, STREAM_BASELINES[plan.task.kind])
        title = STREAM_BASELINES[plan.task.kind][plan.baseline]
        found.append(StreamMethod(plan.baseline, title, FILLED, _baseline(plan, plan.baseline)))
    return tuple(found)


def _form(plan: Plan) -> Callable[[int, int, Floats | None], StreamLearner]:
    parameters, kind = asdict(plan.recipe.choices.parameters), plan.task.kind

    def make(n_inputs: int, n_classes: int, scale: Floats | None) -> StreamLearner:
        if plan.method == JOINT:
            return JointLearner(FastIGMN(**parameters, scale=scale), kind, n_inputs, n_classes)
        inputs = None if scale is None else scale[:n_inputs]
        return RowByRow(class_estimator(plan.method, parameters, inputs), n_classes)

    return make


def _baseline(plan: Plan, name: str) -> Callable[[int, int, Floats | None], StreamLearner]:
    def make(n_inputs: int, n_classes: int, scale: Floats | None) -> StreamLearner:
        if name == "bayes":
            return NaiveBayes(n_inputs, n_classes)
        if name == "gaussian":
            return JointLearner(FastIGMN(beta=0.0, scale=scale), plan.task.kind, n_inputs, n_classes)
        return Last(n_classes) if name == "last" else Majority(n_classes)

    return make
