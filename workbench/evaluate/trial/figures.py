"""Figures of an evaluation: over all test rows together as Weka gives them, with their spread over the folds."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from figmn.system.arrays import Floats, Ints
from workbench.evaluate.quality.scores import brier, class_areas, log_loss, weighted_area
from workbench.evaluate.trial.outcome import Evaluation, Outcome, Tested
from workbench.evaluate.trial.plan import TaskKind

COVERAGE = 0.9
"""Share of the rows that should lie in the intervals."""
Better = Literal["more", "less", ""]


@dataclass(frozen=True)
class Measure:
    """A figure and how it is found from tested rows."""

    name: str
    title: str
    better: Better
    help: str
    of: Callable[[Tested], float]
    unit: Literal["", "share", "seconds", "target"] = ""
    """share: 0 to 1, shown as a percentage. target: the unit of the target."""


@dataclass(frozen=True)
class Figure:
    """A measure with its values; NaN where it is not defined."""

    measure: Measure
    value: float
    """Over all test rows together; of times, components and δ the mean over the folds."""
    folds: tuple[float, ...]

    @property
    def spread(self) -> float:
        """Standard deviation over the folds (ddof 1); NaN for fewer than two."""
        known = [value for value in self.folds if not math.isnan(value)]
        return float(np.std(known, ddof=1)) if len(known) > 1 else math.nan


@dataclass(frozen=True)
class ClassFigures:
    """How well one class is recognised; shares from 0 to 1, NaN where not defined."""

    label: str
    n_rows: int
    precision: float
    recall: float
    f1: float
    area: float
    """Under its ROC curve, against all other classes."""


def figures_of(evaluation: Evaluation, outcome: Outcome) -> tuple[Figure, ...]:
    """All figures of a method, in the order in which they are shown."""
    found = (_figure(outcome, measure) for measure in measures_of(evaluation))
    return tuple(one for one in found if not all(map(math.isnan, (one.value, *one.folds))))


def figure(evaluation: Evaluation, outcome: Outcome, name: str) -> Figure:
    """One of them; `KeyError` where the task has no such figure."""
    measure = {one.name: one for one in measures_of(evaluation)}[name]
    return _figure(outcome, measure)


def _figure(outcome: Outcome, measure: Measure) -> Figure:
    folds = tuple(_value(measure, part) for part in outcome.parts)
    return Figure(measure, _value(measure, outcome.whole) if measure.name not in PER_FOLD else _mean(folds), folds)


_values: WeakKeyDictionary[Tested, dict[str, float]] = WeakKeyDictionary()
"""Figures of rows that do not change any more, by name: the folds are asked for them again and again."""


def _value(measure: Measure, tested: Tested) -> float:
    """NaN where no row was tested."""
    if not len(tested.rows):
        return math.nan
    known = _values.setdefault(tested, {})
    if measure.name not in known:
        known[measure.name] = measure.of(tested)
    return known[measure.name]


def measures_of(evaluation: Evaluation) -> tuple[Measure, ...]:
    """The measures of the evaluation's task; the first one is the headline."""
    return measures_of_task(evaluation.plan.task.kind)


def measures_of_task(kind: TaskKind) -> tuple[Measure, ...]:
    """The measures of a kind of task."""
    return {"classes": (*_CLASSES, *_TIMES), "numbers": (*_NUMBERS, *_TIMES), "density": (*_DENSITIES, *_TIMES)}[kind]


def confusion(evaluation: Evaluation, outcome: Outcome) -> Ints:
    """(classes, classes): how often a row of the class in the line was taken for that in the column."""
    from sklearn.metrics import confusion_matrix

    whole = outcome.whole
    found: Ints = confusion_matrix(whole.truth, whole.predicted_codes, labels=np.arange(len(evaluation.labels)))
    return found


def cell_rows(outcome: Outcome, truth: int, predicted: int) -> Ints:
    """Source rows of one cell of the confusion matrix, each once, in ascending order."""
    whole = outcome.whole
    found: Ints = np.unique(whole.rows[(whole.truth == truth) & (whole.predicted_codes == predicted)])
    return found


def class_figures(evaluation: Evaluation, outcome: Outcome) -> tuple[ClassFigures, ...]:
    """One line for every class."""
    from sklearn.metrics import precision_recall_fscore_support

    whole, places = outcome.whole, np.arange(len(evaluation.labels))
    precision, recall, f1, counts = precision_recall_fscore_support(
        whole.truth, whole.predicted_codes, labels=places, zero_division=np.nan
    )
    areas = class_areas(_probabilities(whole), _codes(whole))
    return tuple(
        ClassFigures(label, int(counts[k]), float(precision[k]), float(recall[k]), float(f1[k]), float(areas[k]))
        for k, label in enumerate(evaluation.labels)
    )


# Classes


def _codes(tested: Tested) -> Ints:
    return tested.truth.astype(np.intp)


def _probabilities(tested: Tested) -> Floats:
    assert tested.probabilities is not None
    found: Floats = tested.probabilities.astype(np.float64)
    return found


def _accuracy(tested: Tested) -> float:
    return float(np.mean(tested.predicted_codes == tested.truth))


def kappa(truth: Ints, predicted: Ints, n_classes: int) -> float:
    """Agreement beyond that of two who answer with the same frequencies by chance; NaN where chance alone is right.

    >>> kappa(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]), 2)
    0.5
    """
    n_rows = len(truth)
    shares = [np.bincount(codes, minlength=n_classes) / n_rows for codes in (truth, predicted)]
    by_chance = float(shares[0] @ shares[1])
    right = float(np.mean(truth == predicted))
    return (right - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan


def _kappa(tested: Tested) -> float:
    return kappa(_codes(tested), tested.predicted_codes, _probabilities(tested).shape[1])


def _first_area(tested: Tested) -> float:
    return float(class_areas(_probabilities(tested), _codes(tested))[0])


def _weighted(place: int, tested: Tested) -> float:
    from sklearn.metrics import precision_recall_fscore_support

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that are never predicted: their precision counts as 0, as in Weka
        found = precision_recall_fscore_support(
            tested.truth, tested.predicted_codes, average="weighted", zero_division=0.0
        )
    return float(found[place])


_CLASSES = (
    Measure(
        "accuracy", "accuracy", "more", "Share of the test rows whose class was predicted right", _accuracy, "share"
    ),
    Measure("kappa", "Kappa", "more", "Agreement beyond chance: 0 as by chance, 1 always right", _kappa),
    Measure(
        "auc",
        "AUC, weighted",
        "more",
        "Area under the ROC curve of every class against the others, weighted by rows",
        lambda tested: weighted_area(_probabilities(tested), _codes(tested)),
    ),
    Measure(
        "first_auc", "AUC, first class", "more", "Area under the ROC curve of the class declared first", _first_area
    ),
    Measure(
        "log_loss",
        "log-loss",
        "less",
        "Mean of −log of the probability of the right class, in nats",
        lambda tested: log_loss(_probabilities(tested), _codes(tested)),
    ),
    Measure(
        "brier",
        "Brier score",
        "less",
        "Mean squared distance of the probabilities from the right class: 0 to 2",
        lambda tested: brier(_probabilities(tested), _codes(tested)),
    ),
    Measure(
        "precision",
        "precision, weighted",
        "more",
        "Right ones among those predicted as a class; weighted by rows",
        partial(_weighted, 0),
        "share",
    ),
    Measure(
        "recall",
        "recall, weighted",
        "more",
        "Right ones among those of a class; weighted by rows",
        partial(_weighted, 1),
        "share",
    ),
    Measure(
        "f1", "F1, weighted", "more", "Harmonic mean of precision and recall; weighted by rows", partial(_weighted, 2)
    ),
)


# Numbers


def _residuals(tested: Tested) -> Floats:
    assert tested.predicted is not None
    found: Floats = tested.predicted - tested.truth
    return found


def _r_squared(tested: Tested) -> float:
    if len(tested.truth) < 2:  # noqa: PLR2004 - one value has no variance
        return math.nan
    variance = float(np.var(tested.truth))
    return 1 - float(np.mean(_residuals(tested) ** 2)) / variance if variance > 0 else math.nan


def _coverage(tested: Tested) -> float:
    if tested.low is None or tested.high is None:
        return math.nan
    return float(np.mean((tested.low <= tested.truth) & (tested.truth <= tested.high)))


def _width(tested: Tested) -> float:
    return math.nan if tested.low is None or tested.high is None else float(np.mean(tested.high - tested.low))


_NUMBERS = (
    Measure(
        "rmse",
        "RMSE",
        "less",
        "Root of the mean squared error",
        lambda tested: float(np.sqrt(np.mean(_residuals(tested) ** 2))),
        "target",
    ),
    Measure(
        "mae", "MAE", "less", "Mean absolute error", lambda tested: float(np.mean(np.abs(_residuals(tested)))), "target"
    ),
    Measure("r2", "R²", "more", "Share of the variance explained: 0 as their own mean would, 1 exact", _r_squared),
    Measure(
        "coverage",
        "90 % intervals cover",
        "",
        "Share of the test rows inside of their 90 % interval: 90 % is right",
        _coverage,
        "share",
    ),
    Measure(
        "width",
        "90 % interval, width",
        "less",
        "Mean width of the 90 % intervals; narrow ones help only if they cover 90 %",
        _width,
        "target",
    ),
)


# Densities


def _log_likelihood(tested: Tested) -> float:
    return math.nan if tested.log_densities is None else float(np.mean(tested.log_densities))


def _bic(tested: Tested) -> float:
    if tested.log_densities is None or tested.n_parameters is None:
        return math.nan
    return tested.n_parameters * math.log(len(tested.rows)) - 2 * float(np.sum(tested.log_densities))


_DENSITIES = (
    Measure(
        "log_likelihood",
        "log-likelihood per row",
        "more",
        "Mean log density of the test rows, per unit of the columns, in nats",
        _log_likelihood,
    ),
    Measure(
        "bic",
        "BIC of the test rows",
        "less",
        "p log n − 2 log L with p free parameters, of n test rows; mean over the folds",
        _bic,
    ),
)


# Of every task

_TIMES = (
    Measure(
        "components",
        "components",
        "",
        "Mean number of components K",
        lambda tested: math.nan if tested.n_components is None else float(tested.n_components),
    ),
    Measure(
        "delta",
        "δ",
        "",
        "Width of new components; where it is automatic, found from the training rows",
        lambda tested: math.nan if tested.delta is None else tested.delta,
    ),
    Measure(
        "train",
        "training time",
        "less",
        "Time of one training, mean over the folds; of a prequential test, of all testing and learning",
        lambda tested: tested.train_seconds,
        "seconds",
    ),
    Measure(
        "test",
        "testing time",
        "less",
        "Time of one test, mean over the folds",
        lambda tested: tested.test_seconds,
        "seconds",
    ),
)
PER_FOLD = {"components", "delta", "train", "test", "bic"}
"""Figures that have no meaning over all rows together: the mean over the folds is given."""


def _mean(values: tuple[float, ...]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan
