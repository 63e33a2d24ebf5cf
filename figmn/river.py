"""Fast IGMN for river: a classifier, a regressor and an anomaly detector that learn one sample at a time.

A sample is a dict of features. Absent, None and NaN mean missing, in learning as in predicting. A feature may appear
later: it is ignored until it has had `FIRST_VALUES` values, then becomes a column (see `with_columns`). A sample
without any known value is skipped. Values must be numbers: encode others before, as in
``preprocessing.OneHotEncoder() | FastIGMNClassifier()``.

Initial widths come from running standard deviations. Hyper-parameters that may change during a run
(`figmn.params.CHANGEABLE`) are mutable attributes, as river calls them.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, Self

import numpy as np

from figmn.classes import ClassMixtures, class_delta
from figmn.estimators.calibration import Calibration
from figmn.estimators.probabilities import log_densities
from figmn.fast import FastIGMN
from figmn.params import CHANGEABLE, DECLARED, Parameters
from figmn.rows import LARGEST
from figmn.scale import ColumnStatistics, with_floor
from figmn.signatures import documented, takes
from figmn.system.arrays import Floats

try:
    from river import base
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "figmn.river needs river, which is an extra. Install it with: pip install 'figmn-workbench[river]'",
        name="river",
    ) from error

__all__ = ["FastIGMNClassifier", "FastIGMNRegressor", "FastIGMNScorer", "with_columns"]
FIRST_VALUES = 10
"""Values that a feature which appears later must have had before it becomes a column."""
Sample = Mapping[Any, Any]


class _Columns:
    """The features by name, each with its column; new ones wait here until they have had enough values.

    >>> columns = _Columns()
    >>> columns.admit({"b": 1.0, "a": 2.0})
    {'a': [2.0], 'b': [1.0]}
    >>> columns.row({"b": 3.0, "unknown": 5.0})
    array([nan,  3.])
    """

    def __init__(self, *others: str) -> None:
        self.names = list(others)
        """Of all columns; `others` are no features and come first."""
        self._n_others = len(others)
        self._places: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, list[float]] = {}

    def admit(self, x: Sample) -> dict[Hashable, list[float]]:
        """The features that become columns with this sample, and the values that they have had.

        All of the first sample do. The order does not depend on the order within a sample.
        """
        if x.keys() <= self._places.keys():
            return {}
        numbers = {name: _number(name, value) for name, value in x.items()}  # all are checked before anything changes
        unknown = numbers.keys() - self._places.keys()
        first, ready = not self._places, {}
        for name in sorted(unknown, key=lambda name: (str(name), repr(name))):
            value = numbers[name]
            values = self._waiting.setdefault(name, [])
            values += [] if math.isnan(value) else [value]
            if len(values) >= (1 if first else FIRST_VALUES):
                ready[name] = self._waiting.pop(name)
                self._places[name] = len(self.names)
                self.names.append(str(name))
        return ready

    def row(self, x: Sample, others: tuple[float, ...] = ()) -> Floats:
        """The values of a sample in the order of the columns; NaN where one is missing."""
        row = np.full(len(self.names), np.nan)
        row[: len(others)] = others
        places = self._places
        for name, value in x.items():
            if name in places:
                plain = type(value) is float and -LARGEST <= value <= LARGEST
                row[places[name]] = value if plain else _number(name, value)
        return row

    def has_any(self, row: Floats) -> bool:
        """Whether a feature is known."""
        return not np.isnan(row[self._n_others :]).all()


class _Now:
    """The present state: samples are tested one by one, each before it is learned."""

    def frozen(self) -> Self:
        """Itself."""
        return self


class _Estimator:
    """What the three estimators share: hyper-parameters, columns, and mixtures over these columns."""

    @takes(Parameters)
    def __init__(self, **parameters: Any) -> None:
        self._parameters = Parameters(**parameters)
        self._columns = self._no_columns()
        self._mixtures = ClassMixtures.empty({}, self._new_mixture())
        """`classes` has the place of every label; an estimator without classes has the only label None."""
        self.__dict__.update(parameters)  # as given: `clone` reads them
        self._begin()

    def _begin(self) -> None:
        """Set what an estimator has beside its mixtures."""

    @staticmethod
    def _no_columns() -> _Columns:
        return _Columns()

    @property
    def _mutable_attributes(self) -> set[str]:
        return set(CHANGEABLE)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in CHANGEABLE:  # `mutate` sets attributes
            checked = {name: DECLARED[name].check(value)}
            self._parameters = replace(self._parameters, **checked)  # type: ignore[arg-type]
            for mixture in (*self._mixtures.models, self._mixtures.blank):
                mixture.change(**checked)
        super().__setattr__(name, value)

    def _learn(self, key: Any, x: Sample, weight: float, others: tuple[float, ...] = ()) -> None:
        """Learn one sample into the mixture at `key`; `others` are the values of the columns before the features.

        After a `ValueError` nothing has changed.
        """
        weight = _checked_weight(weight)
        self._admit(x)
        row = self._columns.row(x, others)
        if not weight or not self._columns.has_any(row):
            return
        self._test(key, row, weight)
        places = self._mixtures.classes
        if key not in places:
            places = {**places, key: len(places)}
            self._mixtures = self._mixtures.moved(places, np.arange(len(places) - 1))
        self._mixtures.learn(row[None], np.array([places[key]]), None if weight == 1 else np.array([weight]))

    def _test(self, key: Any, row: Floats, weight: float) -> None:
        """Called with every row that is about to be learned."""

    def _admit(self, x: Sample) -> None:
        """Make columns of the new features of a sample, where it is time."""
        new = self._columns.admit(x)
        if new:
            models = self._mixtures.models
            models[:] = [with_columns(mixture, new, self._current()) for mixture in models]
            self._mixtures.blank = self._new_mixture()

    def _current(self) -> Parameters:
        """The hyper-parameters for the present columns."""
        return self._parameters

    def _new_mixture(self) -> FastIGMN:
        mixture = FastIGMN(**vars(self._current()), columns=self._columns.names or None)
        # Columns that do not vary yet are normal here, above all within a class: no warning.
        return FastIGMN.from_snapshot(replace(mixture.snapshot(), warned=True))


class _Single(_Estimator):
    """An estimator with one mixture."""

    @property
    def mixture(self) -> FastIGMN | None:
        """The mixture; None before anything was learned.

        >>> model = FastIGMNScorer()
        >>> model.learn_one({"height": 1.0})
        >>> model.mixture.means, model.mixture.columns
        (array([[1.]]), ('height',))
        """
        return next(iter(self._mixtures.models), None)


@documented
class FastIGMNClassifier(_Estimator, base.Classifier):
    """Classifier for river: one mixture for each class, and Bayes' rule.

    A class is known from its first sample on, and may come at any time. Priors are the shares of the classes in the
    samples, or in their weights; with a finite `memory` they forget, too. Each mixture has its own widths and limits,
    such as `max_components`, and counts the samples of its class only. Probabilities are calibrated on samples before
    they are learned (`figmn.estimators.calibration`), and densities allow for what young components cannot know
    (`figmn.estimators.probabilities`).

    Parameters
    ----------
    {hyper_parameters}

    Attributes
    ----------
    mixtures : dict of FastIGMN
        By class.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> accuracy = evaluate.progressive_val_score(datasets.Phishing(), FastIGMNClassifier(), metrics.Accuracy())
    >>> accuracy.get() > 0.85
    True
    """

    def _begin(self) -> None:
        self._calibration, self._exponent = Calibration(), 1.0

    def _current(self) -> Parameters:
        if self._parameters.delta is not None or not self._columns.names:
            return self._parameters
        return replace(self._parameters, delta=class_delta(len(self._columns.names)))

    @property
    def _multiclass(self) -> bool:
        return True

    @property
    def mixtures(self) -> dict[Any, FastIGMN]:
        """The mixtures by class.

        >>> model = FastIGMNClassifier()
        >>> model.learn_one({"height": 1.0}, "low")
        >>> model.mixtures["low"].n_seen
        1
        """
        return dict(zip(self._mixtures.classes, self._mixtures.models, strict=True))

    def learn_one(self, x: Sample, y: Any, w: float = 1.0) -> None:
        """Learn a sample `x` of class `y`, with the weight `w`.

        >>> model = FastIGMNClassifier()
        >>> for height, size in [(1.0, "low"), (9.0, "high"), (1.2, "low"), (8.5, "high")]:
        ...     model.learn_one({"height": height}, size)
        >>> model.predict_one({"height": 1.1})
        'low'
        """
        if y is None:
            raise ValueError("y = None is no class: give the label of the sample, or leave the sample out")
        self._learn(y, x, w)

    def _test(self, y: Any, row: Floats, weight: float) -> None:
        """Calibrate the probabilities on a sample that is about to be learned, if it is time for it."""
        tested = [tester is not None for _, tester in self._calibration.parts(1, _Now())]
        places, counts = self._mixtures.classes, self._mixtures.counts
        if not any(tested) or y not in places:
            return
        logs = np.log(counts) + self._mixtures.log_densities(row[None], log_densities)
        if np.isfinite(logs).all():
            self._calibration.see(logs, counts / counts.sum(), np.array([places[y]]), np.array([weight]))
            self._exponent = self._calibration.exponent

    def predict_proba_one(self, x: Sample, **kwargs: Any) -> dict[Any, float]:  # noqa: ARG002 (river's signature)
        """Probability of every class so far; none is exactly 0.

        >>> model = FastIGMNClassifier()
        >>> model.predict_proba_one({"height": 1.0})
        {}
        >>> model.learn_one({"height": 1.0}, "low")
        >>> model.predict_proba_one({"height": 1.0})
        {'low': 1.0}
        """
        row, counts = self._columns.row(x), self._mixtures.counts.tolist()
        n_samples = sum(counts)
        if not n_samples:
            return {}
        logs = [math.log(count) for count in counts]
        if self._columns.has_any(row):
            densities = self._mixtures.log_densities(row[None], log_densities)[0].tolist()
            logs = [log + self._exponent * density for log, density in zip(logs, densities, strict=True)]
        # One more sample that says nothing: nobody can be surer than the samples so far allow.
        return {
            label: (n_samples * share + count / n_samples) / (n_samples + 1)
            for label, share, count in zip(self._mixtures.classes, _shares(logs), counts, strict=True)
        }


@documented
class FastIGMNRegressor(_Single, base.Regressor):
    """Regressor for river: the target is one more column, predicted from the others.

    Parameters
    ----------
    {hyper_parameters}

    Attributes
    ----------
    mixture : FastIGMN or None
        Over the target, which comes first, and the features; None before anything was learned.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> error = evaluate.progressive_val_score(datasets.TrumpApproval(), FastIGMNRegressor(), metrics.MAE())
    >>> error.get() < 0.6
    True
    """

    @staticmethod
    def _no_columns() -> _Columns:
        return _Columns("target")

    def learn_one(self, x: Sample, y: Any, w: float = 1.0) -> None:
        """Learn a sample `x` with the target `y` (None or NaN: unknown) and the weight `w`.

        >>> model = FastIGMNRegressor(beta=0)
        >>> for hours in range(10):
        ...     model.learn_one({"hours": hours}, 2 * hours)
        >>> round(model.predict_one({"hours": 3.5}), 3)
        7.0
        """
        self._learn(None, x, w, (_number("y", y),))

    def predict_one(self, x: Sample) -> float:
        """Conditional mean of the target given the known features; 0 before anything was learned.

        >>> FastIGMNRegressor().predict_one({"hours": 1.0})
        0.0
        """
        mixture = self.mixture
        if mixture is None or not mixture.n_components:
            return 0.0
        return float(mixture.recall(self._columns.row(x)[None])[0, 0])


@documented
class FastIGMNScorer(_Single, base.AnomalyDetector):
    """Anomaly detector for river: the score of a sample is -log p(x), its surprise in nats.

    Scores have no bounds and depend on the units of the features: compare them with each other, for example in
    `river.anomaly.QuantileFilter`. Where features are missing, p is the density of the known ones.

    Parameters
    ----------
    {hyper_parameters}

    Attributes
    ----------
    mixture : FastIGMN or None
        None before anything was learned.

    References
    ----------
    R. Pinto, P. Engel. A Fast Incremental Gaussian Mixture Model. PLOS ONE 10(10), 2015.

    Examples
    --------
    >>> model = FastIGMNScorer()
    >>> for i in range(100):
    ...     model.learn_one({"a": i % 10, "b": i % 7})
    >>> model.score_one({"a": 5, "b": 3}) < model.score_one({"a": 5, "b": 30})
    True
    """

    def learn_one(self, x: Sample, w: float = 1.0) -> None:
        """Learn a sample with the weight `w`.

        >>> model = FastIGMNScorer()
        >>> model.learn_one({"height": 1.0})
        >>> model.mixture.n_seen
        1
        """
        self._learn(None, x, w)

    def score_one(self, x: Sample) -> float:
        """-log p(x); 0 before anything was learned, and for a sample without any known feature.

        >>> FastIGMNScorer().score_one({"height": 1.0})
        0.0
        """
        row, mixture = self._columns.row(x), self.mixture
        if mixture is None or not mixture.n_components or not self._columns.has_any(row):
            return 0.0
        return -float(mixture.score_samples(row[None])[0])


def with_columns(mixture: FastIGMN, new: Mapping[Any, Sequence[float] | Floats], parameters: Parameters) -> FastIGMN:
    """A copy of a mixture with further columns, in which every component is alike.

    Parameters
    ----------
    mixture : FastIGMN
    new : first values of every new column, by name
        Their mean and variance become those of each component, without correlation with the other columns: all that
        is known of a column which was missing so far.
    parameters : Parameters
        Automatic values follow the new number of columns.

    Examples
    --------
    >>> narrow = FastIGMN(scale=[1.0], columns=["a"]).learn([[0.0], [9.0]])
    >>> wide = with_columns(narrow, {"b": [1.0, 3.0]}, Parameters())
    >>> wide.means, wide.covariances[0].round(3)
    (array([[0., 2.],
           [9., 2.]]), array([[0.006, 0.   ],
           [0.   , 1.   ]]))
    """
    old = mixture.snapshot().kept_as("IGMN")
    counts = np.array([len(values) for values in new.values()])
    means, stds = (np.array([function(values) for values in new.values()]) for function in (np.mean, np.std))
    n_old, n_components = old.n_features, old.n_components
    n_columns = n_old + len(new)
    variances = with_floor(np.append(old.statistics.std, stds))[n_old:] ** 2
    covariances = np.zeros((n_components, n_columns, n_columns))
    covariances[:, :n_old, :n_old] = old.matrices
    covariances[:, range(n_old, n_columns), range(n_old, n_columns)] = variances
    seen = old.statistics
    return FastIGMN.from_snapshot(
        replace(
            old,
            parameters=parameters.for_columns(n_columns),
            columns=None if old.columns is None else (*old.columns, *map(str, new)),
            scale=None if old.scale is None else np.append(old.scale, stds),
            n_features=n_columns,
            offset=np.append(old.offset, means),
            statistics=ColumnStatistics(
                np.append(seen.count, counts),
                np.append(seen.mean, np.zeros(len(new))),  # minus the offset
                np.append(seen.squares, counts * stds**2),
            ),
            centres=np.hstack([old.centres, np.zeros((n_components, len(new)))]),
            matrices=covariances,
            variances=np.hstack([old.variances, np.tile(variances, (n_components, 1))]),
            log_dets=old.log_dets + np.log(variances).sum(),
        )
    )


def _number(name: Hashable, value: Any) -> float:
    """The value of a feature; NaN where it is missing.

    >>> _number("height", None), _number("height", True)
    (nan, 1.0)
    >>> _number("colour", "red")
    Traceback (most recent call last):
    ...
    ValueError: 'colour' = 'red' is not a number: encode it before, such as by river.preprocessing.OneHotEncoder()
    """
    if value is None:
        return math.nan
    try:
        if isinstance(value, str | bytes):
            raise TypeError("text, even where it could be read as a number")
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name!r} = {value!r} is not a number: encode it before, such as by river.preprocessing.OneHotEncoder()"
        ) from None
    if abs(number) > LARGEST:
        raise ValueError(
            f"{name!r} = {number:g} cannot be used: give a number up to {LARGEST:g}, or None where it is missing"
        )
    return number


def _checked_weight(weight: float) -> float:
    """A weight, or raise `ValueError`.

    >>> _checked_weight(-1.0)
    Traceback (most recent call last):
    ...
    ValueError: w = -1.0 is no weight: give a number from 0 upwards; 0 skips the sample
    """
    if not (isinstance(weight, Real) and 0 <= weight < math.inf):
        raise ValueError(f"w = {weight!r} is no weight: give a number from 0 upwards; 0 skips the sample")
    return weight


def _shares(logs: Sequence[float]) -> list[float]:
    """Parts of 1 in proportion to exp(logs).

    >>> _shares([0.0, -10_000.0])
    [1.0, 0.0]
    """
    largest = max(logs)
    parts = [math.exp(log - largest) for log in logs]
    total = sum(parts)
    return [part / total for part in parts]
