"""Learners of a prequential evaluation: each predicts a row before it learns it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from figmn import FastIGMN
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


class StreamLearner(Protocol):
    """Predicts from inputs, and learns when the target is known."""

    @property
    def n_components(self) -> int | None:
        """K, of a mixture."""

    def both(self, X: Floats, y: Floats) -> Floats:
        """Predict and learn rows, one after the other: probabilities (rows, classes), numbers or log densities."""

    def predict(self, X: Floats) -> Floats:
        """Predict rows."""

    def learn(self, X: Floats, y: Floats) -> None:
        """Learn rows."""


class JointLearner:
    """One mixture over inputs and target, with the columns of 0 and 1 for classes last: the Stream page's."""

    def __init__(self, engine: FastIGMN, kind: TaskKind, n_inputs: int, n_classes: int) -> None:
        self._engine, self._kind, self._n_inputs, self._n_classes = engine, kind, n_inputs, n_classes

    @property
    def n_components(self) -> int:
        """K."""
        return self._engine.n_components

    def both(self, X: Floats, y: Floats) -> Floats:
        """Predict and learn in the compiled loop."""
        if self._kind == "density":
            return self._engine.learn_recorded(X).log_likelihoods
        said = self._engine.learn_prequential(self._rows(X, y), range(self._n_inputs, self._n_inputs + self._width))
        return self._answers(said)

    def predict(self, X: Floats) -> Floats:
        """Predict by the mixture as it is."""
        if not self._engine.n_components:
            return self._answers(np.full((len(X), self._width), np.nan))
        if self._kind == "density":
            return self._engine.score_samples(X)
        question = np.hstack([X, np.full((len(X), self._width), np.nan)])
        return self._answers(self._engine.recall(question)[:, self._n_inputs :])

    def learn(self, X: Floats, y: Floats) -> None:
        """Learn inputs and target."""
        self._engine.learn(self._rows(X, y))

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

    def both(self, X: Floats, y: Floats) -> Floats:
        """One row after the other."""
        found = np.empty((len(X), self._n_classes))
        for place in range(len(X)):
            found[place] = self.predict(X[place : place + 1])[0]
            self.learn(X[place : place + 1], y[place : place + 1])
        return found

    def predict(self, X: Floats) -> Floats:
        """Probabilities of all classes."""
        found = np.zeros((len(X), self._n_classes))
        if self._is_new:
            return found + 1 / self._n_classes
        said = np.nan_to_num(self._model.predict_proba(X))
        found[:, self._model.classes_.astype(np.intp)] = said
        return found

    def learn(self, X: Floats, y: Floats) -> None:
        """Learn rows; all classes are named with the first."""
        classes = np.arange(self._n_classes) if self._is_new else None
        self._model.partial_fit(X, y.astype(np.intp), classes=classes)
        self._is_new = False


class Majority:
    """The most frequent class so far, or the mean so far."""

    n_components = None

    def __init__(self, n_classes: int) -> None:
        self._counts = np.zeros(n_classes)
        self._sum, self._n_rows = 0.0, 0

    def both(self, X: Floats, y: Floats) -> Floats:
        """From the counts before each row."""
        if not len(self._counts):
            before = self._sum + np.cumsum(y) - y
            n_before = self._n_rows + np.arange(len(y))
            self.learn(X, y)
            means: Floats = np.divide(before, n_before, out=np.full(len(y), np.nan), where=n_before > 0)
            return means
        seen = np.cumsum(np.eye(len(self._counts))[y.astype(np.intp)], axis=0)
        before = self._counts + np.vstack([np.zeros(len(self._counts)), seen[:-1]])
        self.learn(X, y)
        return _shares(before)

    def predict(self, X: Floats) -> Floats:
        """The same for all rows."""
        if not len(self._counts):
            return np.full(len(X), self._sum / self._n_rows if self._n_rows else np.nan)
        return np.repeat(_shares(self._counts[None]), len(X), axis=0)

    def learn(self, X: Floats, y: Floats) -> None:  # noqa: ARG002
        """Count."""
        self._sum, self._n_rows = self._sum + float(y.sum()), self._n_rows + len(y)
        if len(self._counts):
            self._counts += np.bincount(y.astype(np.intp), minlength=len(self._counts))


class Last:
    """The latest target that is known."""

    n_components = None

    def __init__(self, n_classes: int) -> None:
        self._n_classes, self._last = n_classes, np.nan

    def both(self, X: Floats, y: Floats) -> Floats:  # noqa: ARG002
        """The target of the row before."""
        before = np.concatenate([[self._last], y[:-1]])
        self._last = float(y[-1])
        return self._answers(before)

    def predict(self, X: Floats) -> Floats:
        """The same for all rows."""
        return self._answers(np.full(len(X), self._last))

    def learn(self, X: Floats, y: Floats) -> None:  # noqa: ARG002
        """Remember the last one."""
        self._last = float(y[-1])

    def _answers(self, values: Floats) -> Floats:
        if not self._n_classes:
            return values
        known = ~np.isnan(values)
        found = np.full((len(values), self._n_classes), 1 / self._n_classes)
        found[known] = np.eye(self._n_classes)[values[known].astype(np.intp)]
        return found


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
            from sklearn.naive_bayes import GaussianNB

            return RowByRow(GaussianNB(), n_classes)
        if name == "gaussian":
            return JointLearner(FastIGMN(beta=0.0, scale=scale), plan.task.kind, n_inputs, n_classes)
        return Last(n_classes) if name == "last" else Majority(n_classes)

    return make
