"""Fast IGMN as a classifier."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from figmn.classes import class_delta
from figmn.estimators.base import ClassPredictor, Estimator, std_of
from figmn.estimators.calibration import Calibration
from figmn.estimators.classes import Classes, JointClasses, SeparateClasses
from figmn.estimators.labels import all_classes, filled_labels, listed_classes, one_hot, places_of
from figmn.estimators.probabilities import smoothed
from figmn.estimators.settings import MIXTURES, ClassifierSettings
from figmn.fast import FastIGMN
from figmn.params import LABEL_WIDTH
from figmn.signatures import documented, takes
from figmn.system.arrays import Bools, Floats, Ints

JOINT, _ = MIXTURES.choices


@documented
class FastIGMNClassifier(ClassPredictor, Estimator):
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
    label_width : float
        joint: width of newborn components in the columns of the classes, relative to what `delta` gives them there. A
        small one keeps components apart that differ in the class alone. With running estimates of the widths it must
        be 1.

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
        `calibration_.exponent` is the power to which the ratios of probabilities to overall frequencies are raised.
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
    call, as rows of their most probable class c with the weight (C p(c | x) - 1) / (C - 1), and count that much for
    its frequency. They help where the classes are clusters, and can do harm where they are not: measure it.

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
    models_: list[Any]
    class_count_: Floats
    calibration_: Calibration
    _blank: FastIGMN

    @takes(ClassifierSettings)
    def __init__(self, **settings: Any) -> None:
        # Unchecked, as in the base class.
        self.__dict__.update(settings)

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "model_" in state:  # pickles of before were not calibrated
            state = {"calibration_": Calibration()} | state
        super().__setstate__(state)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows in order, from scratch.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict([[0.4], [5.4]]).tolist()
        ['low', 'high']
        >>> FastIGMNClassifier(mixtures="per class").fit(X, y).predict([[0.4], [5.4]]).tolist()
        ['low', 'high']
        """
        return self._learn(X, y, sample_weight, None, is_new=True, is_stream=False)

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
        return self._learn(X, y, sample_weight, classes, is_new=self._is_new(), is_stream=True)

    def predict_proba(self, X: Any) -> Floats:
        """Class distribution of every row, never exactly 0.

        >>> X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), ["low", "low", "high", "high"]
        >>> FastIGMNClassifier().fit(X, y).predict_proba([[0.4]]).round(2)
        array([[0.28, 0.72]])
        """
        self._fitted()
        return _calibrated(self._source(), self.calibration_, self._checked(X, reset=False))

    def _models(self) -> list[FastIGMN]:
        return [model for model in getattr(self, "models_", ()) if model is not None] or super()._models()

    def _changing(self) -> list[FastIGMN]:
        return [*super()._changing(), *([self._blank] if hasattr(self, "models_") else [])]

    def _source(self) -> Classes:
        if hasattr(self, "models_"):
            return SeparateClasses(self.classes_, self.models_, self.class_count_, self._blank)
        return JointClasses(self.classes_, self.model_)

    # Learning

    def _learn(self, X: Any, y: Any, sample_weight: Any, classes: Any, is_new: bool, is_stream: bool) -> Self:
        is_joint = MIXTURES.check(self.mixtures) == JOINT
        if not is_new:
            self._follow_changes()
        known = self._classes_before(classes, is_joint, is_new, is_stream)
        target = str(getattr(y, "name", None) or "class")
        without: Bools | None = None
        if not is_joint:
            y, without = filled_labels(y, known, is_stream=is_stream and classes is None, is_new=is_new)
        X, y = self._checked(X, y=y, reset=is_new)
        if is_new or not is_joint:
            check_classification_targets(y)  # else it is enough that the classes are known
        chosen = self._chosen(X, sample_weight, is_new)
        rows = _Rows(chosen.of(X), chosen.of(y), None if without is None else chosen.of(without), chosen.weights)
        labelled, others = rows.split()
        if not (is_joint and is_stream):
            known = all_classes(known, labelled.labels)
        places = places_of(labelled.labels, known)
        calibration = Calibration() if is_new else self.calibration_
        if is_joint:
            source: Any = self._joint(known, labelled, places, target, is_new, is_stream)
        else:
            source = self._separate(known, rows, labelled, places, is_new, is_stream)
        _learn_tested(source, calibration, labelled, places)
        if len(others.X):
            source.learn_unlabelled(others.X, _calibrated(source, calibration, others.X), others.weights)
        self._keep(source, calibration)
        self._learned(chosen)
        return self

    def _classes_before(self, classes: Any, is_joint: bool, is_new: bool, is_stream: bool) -> Any:
        """Classes known before the rows of a call are looked at."""
        if not is_stream:
            return np.empty(0)
        if is_joint:
            return listed_classes(classes, None if is_new else self.classes_)
        named = np.empty(0) if classes is None else np.unique(classes)
        return named if is_new else all_classes(self.classes_, named)

    def _joint(self, classes: Any, rows: _Rows, places: Ints, target: str, is_new: bool, is_stream: bool) -> Any:
        if not is_new:
            return JointClasses(classes, self.model_)
        scale, columns = self._given_scale(rows.X.shape[1]), np.hstack([rows.X, one_hot(places, len(classes))])
        delta, width = None, LABEL_WIDTH.check(self.label_width)
        if not is_stream:
            found = std_of(columns, rows.weights)
            found[rows.X.shape[1] :] = width * _class_widths(found[rows.X.shape[1] :])
            scale = found if scale is None else np.append(scale, found[len(scale) :])
            delta = self._found_delta(columns, scale, _class_columns(columns, classes))
        elif scale is not None:  # as if all classes were equally frequent
            std = np.full(len(classes), np.sqrt(len(classes) - 1) / len(classes))
            scale = np.append(scale, width * _class_widths(std))
        elif width != 1:
            raise ValueError(f"label_width = {width:g} needs known widths: give scale, call fit, or leave it at 1")
        names = self._names(*(f"{target}={name}" for name in classes.tolist()))
        return JointClasses(classes, self._new_model(scale, names, delta))

    def _separate(self, classes: Any, rows: _Rows, labelled: _Rows, places: Ints, is_new: bool, is_stream: bool) -> Any:
        if not is_new:
            return SeparateClasses(self.classes_, self.models_, self.class_count_, self._blank).with_classes(classes)
        scale, delta = self._given_scale(rows.X.shape[1]), None
        if not is_stream:
            scale = std_of(rows.X, rows.weights) if scale is None else scale
            columns = np.hstack([labelled.X, one_hot(places, len(classes))])
            widths = np.append(scale, np.ones(len(classes)))
            delta = self._found_delta(columns, widths, _class_columns(columns, classes), per_class=True)
        elif scale is None:
            delta = class_delta(rows.X.shape[1])
        blank = self._new_model(scale, self._names(), delta)
        return SeparateClasses.empty(classes, blank)

    def _keep(self, source: Any, calibration: Calibration) -> None:
        for name in ("model_", "models_", "class_count_", "_blank"):  # the last fit may have had the other form
            self.__dict__.pop(name, None)
        self.__dict__.update(source.attributes, classes_=source.classes, calibration_=calibration)


class _Rows(NamedTuple):
    """Checked rows."""

    X: Floats
    labels: Any
    without: Bools | None
    """Which have no label; None: all have one."""
    weights: Floats | None

    def split(self) -> tuple[_Rows, _Rows]:
        """Those with a label and those without."""
        if self.without is None or not self.without.any():
            return self, _Rows(self.X[:0], self.labels[:0], None, None)
        return self._some(~self.without), self._some(self.without)

    def _some(self, some: Bools) -> _Rows:
        weights = None if self.weights is None else self.weights[some]
        return _Rows(self.X[some], self.labels[some], None, weights)


def _class_widths(std: Floats) -> Floats:
    """Widths of the class columns: their standard deviations; of a single class, which never varies, any."""
    return np.where(std > 0, std, 1.0)


def _class_columns(columns: Floats, classes: Any) -> list[list[int]]:
    """The last columns, one for each class, as a target."""
    n_columns = columns.shape[1]
    return [list(range(n_columns - len(classes), n_columns))]


def _learn_tested(source: Classes, calibration: Calibration, rows: _Rows, places: Ints) -> None:
    """Learn rows in order; some are predicted first, for the calibration."""
    for part, frozen in calibration.parts(len(rows.X), source):
        X, where = rows.X[part], places[part]
        weights = None if rows.weights is None else rows.weights[part]
        if frozen is not None:
            tester = frozen.with_classes(source.classes)
            log_probabilities = tester.log_probabilities(X)
            # A class that has not occurred cannot be expected.
            fair = np.isfinite(log_probabilities[np.arange(len(where)), where])
            frequencies, counted = smoothed(tester.counts), None if weights is None else weights[fair]
            calibration.see(log_probabilities[fair], frequencies, where[fair], counted)
        source.learn(X, where, weights)


def _calibrated(source: Classes, calibration: Calibration, X: Floats) -> Floats:
    """Class distribution of every row: calibrated, and mixed with the overall frequencies, so that none is 0."""
    counts = source.counts
    frequencies, n_rows, n_classes = smoothed(counts), counts.sum(), len(counts)
    calibrated = calibration.applied(source.log_probabilities(X), frequencies)
    return np.asarray((n_rows * calibrated + n_classes * frequencies) / (n_rows + n_classes))
