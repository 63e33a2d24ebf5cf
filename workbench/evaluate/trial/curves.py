"""Curves of an evaluation: ROC, precision against recall, and calibration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from figmn.system.arrays import Floats, Ints
from workbench.evaluate.trial.outcome import Outcome

MOST_POINTS = 500
N_BINS = 10


@dataclass(frozen=True, eq=False)
class Curve:
    """Points of a curve."""

    x: Floats
    y: Floats
    area: float = float("nan")
    counts: Ints | None = None
    """Rows behind each point, of a calibration curve."""


def roc(outcome: Outcome, place: int) -> Curve | None:
    """Share found of a class against the share of false alarms; None where only one class was tested."""
    from sklearn.metrics import auc, roc_curve

    truth, scores = _one_against_all(outcome, place)
    if truth.all() or not truth.any():
        return None
    x, y, _ = roc_curve(truth, scores)
    return Curve(*_thinned(x, y), float(auc(x, y)))


def precision_recall(outcome: Outcome, place: int) -> Curve | None:
    """Precision against recall of a class, with the average precision as area; None where no row is of the class."""
    from sklearn.metrics import average_precision_score, precision_recall_curve

    truth, scores = _one_against_all(outcome, place)
    if not truth.any():
        return None
    precision, recall, _ = precision_recall_curve(truth, scores)
    return Curve(*_thinned(recall, precision), float(average_precision_score(truth, scores)))


def calibration(outcome: Outcome, place: int) -> Curve:
    """How often a class was right against the probability it was given, in bins of equal width that hold rows."""
    truth, scores = _one_against_all(outcome, place)
    bins = np.minimum((scores * N_BINS).astype(np.intp), N_BINS - 1)
    counts = np.bincount(bins, minlength=N_BINS)
    used = counts > 0
    said, right = (np.bincount(bins, weights, N_BINS)[used] / counts[used] for weights in (scores, truth))
    return Curve(said, right, counts=counts[used])


def _one_against_all(outcome: Outcome, place: int) -> tuple[np.ndarray, Floats]:
    whole = outcome.whole
    assert whole.probabilities is not None
    return whole.truth == place, whole.probabilities[:, place].astype(np.float64)


def _thinned(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """At most `MOST_POINTS` of the points, the first and the last among them."""
    if len(x) <= MOST_POINTS:
        return x, y
    places = np.unique(np.linspace(0, len(x) - 1, MOST_POINTS).astype(np.intp))
    return x[places], y[places]
