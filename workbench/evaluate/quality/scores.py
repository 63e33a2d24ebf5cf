"""Scores of predicted classes: areas under the ROC curve as Weka reports them, log-loss and Brier score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.integer]
LEAST = 1e-15
"""A probability below this counts as this much in the log-loss."""


def class_areas(scores: Floats, codes: Codes) -> Floats:
    """Area under the ROC curve of every class against all others; NaN where a class has no row, or all of them.

    Parameters
    ----------
    scores : one row a sample, one column a class; higher means more probable
    codes : positions of the true classes

    Examples
    --------
    >>> class_areas(np.array([[0.9, 0.1], [0.4, 0.6], [0.6, 0.4]]), np.array([0, 1, 1]))
    array([1., 1.])
    """
    from scipy.stats import rankdata

    is_class = codes[:, None] == np.arange(scores.shape[1])
    n_class = is_class.sum(axis=0)
    n_others = len(codes) - n_class
    ranks = np.where(is_class, rankdata(scores, axis=0), 0).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        areas: Floats = (ranks - n_class * (n_class + 1) / 2) / (n_class * n_others)
    return areas


def weighted_area(scores: Floats, codes: Codes) -> float:
    """Mean area over the classes, weighted by their rows; NaN where only one class occurs.

    >>> weighted_area(np.array([[0.9, 0.1], [0.4, 0.6], [0.6, 0.4]]), np.array([0, 1, 1]))
    1.0
    """
    areas = class_areas(scores, codes)
    counts = np.bincount(codes, minlength=len(areas))
    known = ~np.isnan(areas)
    return float(np.average(areas[known], weights=counts[known])) if known.any() else float("nan")


def log_loss(probabilities: Floats, codes: Codes) -> float:
    """Mean negative log probability of the true class; a probability of 0 counts as `LEAST`.

    >>> round(log_loss(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 0])), 3)
    0.347
    """
    true = probabilities[np.arange(len(codes)), codes]
    return float(-np.log(true.clip(LEAST)).mean())


def brier(probabilities: Floats, codes: Codes) -> float:
    """Mean squared distance between the predicted distribution and the true class.

    >>> brier(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 0]))
    0.25
    """
    return float(((probabilities - np.eye(probabilities.shape[1])[codes]) ** 2).sum(axis=1).mean())
