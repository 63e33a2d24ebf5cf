"""Where class probabilities come from: one mixture over everything, or one mixture for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np

from figmn.classes import ClassMixtures, frozen
from figmn.estimators.labels import all_classes, one_hot
from figmn.estimators.probabilities import class_evidence, joint_log_probabilities, log_densities, smoothed
from figmn.fast import FastIGMN
from figmn.snapshot import Snapshot
from figmn.system.arrays import Floats, Ints

LEAST_CERTAINTY = 0.01
"""Least weight with which a row without a label is learned."""


class Classes(Protocol):
    """Source of class probabilities."""

    classes: Any

    @property
    def counts(self) -> Floats:
        """Evidence of every class, (C,)."""

    @property
    def attributes(self) -> dict[str, Any]:
        """Attributes of the classifier that hold the mixtures."""

    def log_probabilities(self, X: Floats) -> Floats:
        """log p(c | x) up to a constant for each row, (n, C); -inf for a class that has not occurred."""

    def with_classes(self, labels: Any) -> Classes:
        """The same mixtures with room for more classes."""

    def frozen(self) -> Classes:
        """A copy that does not change while the mixtures learn."""

    def learn(self, X: Floats, places: Ints, weights: Floats | None) -> None:
        """Learn rows whose classes are at `places`."""


@dataclass
class JointClasses:
    """One mixture over the columns of X and one column per class."""

    classes: Any
    model: FastIGMN | Snapshot

    @property
    def counts(self) -> Floats:
        """See `Classes`."""
        return class_evidence(self.model, len(self.classes))

    @property
    def attributes(self) -> dict[str, Any]:
        """See `Classes`."""
        return {"model_": self.model}

    def log_probabilities(self, X: Floats) -> Floats:
        """See `Classes`."""
        return joint_log_probabilities(self.model, X)

    def with_classes(self, labels: Any) -> JointClasses:  # noqa: ARG002
        """See `Classes`: all are known from the start."""
        return self

    def frozen(self) -> JointClasses:
        """See `Classes`."""
        return JointClasses(self.classes, frozen(self.model))

    def learn(self, X: Floats, places: Ints, weights: Floats | None) -> None:
        """See `Classes`."""
        cast(FastIGMN, self.model).learn(np.hstack([X, one_hot(places, len(self.classes))]), weights)


@dataclass
class SeparateClasses(ClassMixtures):
    """One mixture over the columns of X for each class: p(c | x) by Bayes' rule."""

    @property
    def attributes(self) -> dict[str, Any]:
        """See `Classes`."""
        return {"models_": self.models, "class_count_": self.counts, "_blank": self.blank}

    def with_classes(self, labels: Any) -> SeparateClasses:
        """See `Classes`."""
        if labels is self.classes:
            return self
        classes = all_classes(self.classes, labels)
        return self.moved(classes, np.searchsorted(classes, self.classes))

    def log_probabilities(self, X: Floats) -> Floats:
        """See `Classes`."""
        return np.asarray(self.log_densities(X, log_densities) + np.log(smoothed(self.counts)))

    def learn_unlabelled(self, X: Floats, probabilities: Floats, weights: Floats | None) -> None:
        """Learn rows without a label as rows of their most probable class, weighted by how far it is above chance.

        All classes with their probabilities as weights would be the usual choice. Most sets got worse by it: while few
        labels are known, every mixture then learns something of everything.
        """
        n_classes = len(self.models)
        places, highest = probabilities.argmax(axis=1), probabilities.max(axis=1)
        certainty = (n_classes * highest - 1) / (n_classes - 1) if n_classes > 1 else highest
        certainty = certainty if weights is None else certainty * weights
        some = certainty >= LEAST_CERTAINTY
        if some.any():
            self.learn(X[some], places[some], certainty[some])
