"""Fast IGMN as a classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from figmn.estimators.base import Chosen, Estimator, learn, std_of
from figmn.estimators.calibration import Calibration
from figmn.estimators.classes import Classes, JointClasses, SeparateClasses
from figmn.estimators.labels import one_hot, places_of, unlabelled
from figmn.estimators.probabilities import smoothed
from figmn.estimators.settings import MIXTURES, ClassifierSettings
from figmn.fast import FastIGMN
from figmn.signatures import documented, takes
from figmn.system.arrays import Bools, Floats, Ints

JOINT, PER_CLASS = MIXTURES.choices


@documented
class FastIGMNClassifier(ClassifierMixin, Estimator):
    """Classifier with calibrated probabilities, whose mixtures learn each row once.

    Parameters
    ----------
    {hyper_parameters}
    scale : array-like or None
        Standard deviation of every column of X, from which newborn components get their widths. None: `fit` finds those
        of the table, `partial_fit` on a new estimator keeps running estimates.
    mixtures : {'joint', 'per class'}
        joint: one mixture over the columns of X and one column of 0 and 1 per class; all classes must be known from
        the start. per class: one mixture over the columns of X for each class, and p(c | x) by Bayes' rule; classes
        may appear at any time, and rows need no label.

    Attributes
    ----------
    classes_ : array of shape (C,)
    model_ : FastIGMN
        joint: over the columns of X and one column per class.
    models_ : list of C FastIGMN
        per class: in the order of `classes_`; None for a class that was named and has not occurred.
    class_count_ : array of shape (C,)
        per class: rows, or sum of their weights, of every class.
    calibration_ : Calibration
        `calibration_.exponent` is the power to which probabilities are raised.
    n_components_ : int
    n_skipped_ : int
        Rows skipped by `fit`, or by all calls of `partial_fit`, because they have no known value in X.

    Notes
    -----
    Probabilities allow for what components cannot know: see `figmn.estimators.probabilities` and
    `figmn.estimators.calibration`. None is ever 0: after N rows, all are mixed with the overall frequencies of the
    classes in the proportion N : C.

    Rows without a label, with `mixtures="per class"`: y is None or NaN, or -1 where the labels are whole numbers, as in
    `sklearn.semi_supervised`. Labels that are only -1 and 1 are two classes; in `partial_fit`, `classes` says which
    is meant while fewer than two classes are known. These rows are learned after the labelled ones of the same
    call, by the mixture of each class with the probability of that class as their weight, and count for its frequency.

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
    models_: list[FastIGMN | None]
    class_count_: Floats
    calibration_: Calibration

    @takes(ClassifierSettings)
    def __init__(self, **settings: Any) -> None:
        # Unchecked, as in the base class.
        self.__dict__.update(settings)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows in order, from scratch.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict([[0.4], [5.4]]).tolist()
        ['low', 'high']
        >>> FastIGMNClassifier(mixtures="per class").fit(X, y).predict([[0.4], [5.4]]).tolist()
        ['low', 'high']
        """
        return self._learn(X, y, sample_weight, None, is_new=True, whole_table=True)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows in order.

        Parameters
        ----------
        X : array-like of shape (n, D)
        y : array-like of shape (n,)
        classes : array-like or None
            With one joint mixture, the first call must list all that will ever occur. With a mixture per class, those
            named here have a probability before they occur.
        sample_weight : array-like of shape (n,) or None

        Examples
        --------
        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> model = FastIGMNClassifier().partial_fit(X[:2], y[:2], classes=["low", "high"])
        >>> model.partial_fit(X[2:], y[2:]).model_.n_seen
        4
        >>> model = FastIGMNClassifier(mixtures="per class").partial_fit(X[:2], y[:2])
        >>> model.partial_fit(X[2:], y[2:]).classes_.tolist()
        ['high', 'low']
        """
        return self._learn(X, y, sample_weight, classes, is_new=self._is_new(), whole_table=False)

    def predict_proba(self, X: Any) -> Floats:
        """Class distribution of every row, never exactly 0.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict_proba([[0.4]]).round(2)
        array([[0.37, 0.63]])
        """
        self._fitted()
        return self._probabilities(self._checked(X, reset=False))

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithms of `predict_proba`, all finite.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict_log_proba([[0.4]]).round(2)
        array([[-0.98, -0.47]])
        """
        return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> Any:
        """Most probable class of every row.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict([[0.4]]).tolist()
        ['low']
        """
        most_probable = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_probable]

    def _models(self) -> list[FastIGMN]:
        return [model for model in getattr(self, "models_", ()) if model is not None] or super()._models()

    def _source(self) -> Classes:
        if hasattr(self, "models_"):
            return SeparateClasses(self.classes_, self.models_, self.class_count_, self._new_class_model)
        return JointClasses(self.classes_, self.model_)

    def _new_class_model(self) -> FastIGMN:
        return self._new_model(self._class_scale, self._names())

    def _probabilities(self, source: Classes, calibration: Calibration, X: Floats) -> Floats:
        counts = source.counts
        n_rows, n_classes = counts.sum(), len(counts)
        calibrated = calibration.applied(source.log_probabilities(X))
        return np.asarray((n_rows * calibrated + n_classes * smoothed(counts)) / (n_rows + n_classes))

    # Learning

    def _learn(self, X: Any, y: Any, sample_weight: Any, classes: Any, is_new: bool, is_stream: bool) -> Self:
        is_joint = MIXTURES.check(self.mixtures) == JOINT
        if not is_new:
            self._follow_changes()
        named = self._named_classes(classes, is_joint, is_new, is_stream)
        target = str(getattr(y, "name", None) or "class")
        y, without = (y, None) if is_joint else _labelled(y, named, is_new, is_stream and classes is None)
        X, y = self._checked(X, y=y, reset=is_new)
        check_classification_targets(y)
        chosen = self._chosen(X, sample_weight, is_new)
        if sample_weight is not None:  # rows of weight 0 bring no class
            y = chosen.of(y)
        if named is None or not is_joint:
            named = all_classes(() if named is None else named, y)
        X, labels = chosen.of(X), y if sample_weight is not None else chosen.of(y)
        places = places_of(labels, named)
        if is_joint:
            source = self._joint(X, places, chosen, named, target, is_new, is_stream)
        else:
            source = self._separate(X, chosen, named, is_new, is_stream)
        calibration = Calibration() if is_new else self.calibration_
        ...
