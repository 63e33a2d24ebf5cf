"""Class probabilities from the state of mixtures, without a second pass over the data.

A component knows its covariance only as well as its evidence sp allows. So its density of a new row is Student's t with
2 sp + 1 degrees of freedom in place of the Gaussian, and what it says of the classes is shrunk towards their overall
frequencies. For sp well above the number of columns both change little.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from figmn.answers.inference import log_sum
from figmn.answers.questions import Conditionals
from figmn.engine import Engine
from figmn.snapshot import Snapshot
from figmn.system.arrays import Floats
from figmn.system.blas import inside

SMOOTHING = 1.0
"""Rows with the overall class frequencies that every component counts beside its own."""
MOST_EXPLAINED = 1 - 1e-9
"""Largest share of the variance between classes that a component is believed to explain."""
MOST_FREEDOM = 1e7
"""Degrees of freedom from which on Student's t is as good as the Gaussian, and its formula loses digits."""
LEAST_EVIDENCE = 1e-9
"""A component that has forgotten nearly everything counts for no less."""
TINY = np.finfo(np.float64).tiny


@inside
def log_densities(model: Engine | Snapshot, X: Floats) -> Floats:
    """Log predictive density of every row: `score_samples` with Student's t for every component.

    >>> from figmn import FastIGMN
    >>> model = FastIGMN(delta=1, scale=[1.0]).learn([[0.0]])
    >>> log_densities(model, np.array([[0.0], [9.0]])).round(2)
    array([-1.  , -7.67])
    """
    densities = np.empty(len(X))
    for found in model.conditionals(X):
        densities[found.rows] = log_sum(_log_predictive(found, model.accumulators))
    return densities


@inside
def joint_log_probabilities(model: Engine | Snapshot, X: Floats) -> Floats:
    """log p(c | x) of every row and class, (n, C), from a mixture over the columns of X and one column per class.

    p(c | x) = Σ p(j | x) p(c | j, x). The mean and covariance of a component imply the frequency and the mean of every
    class in it, and a covariance within the classes: p(c | j, x) is the linear discriminant of these. It equals a
    softmax of the recalled class columns. Its slopes are shrunk along every canonical axis of classes and columns by
    signal / (signal + noise), where noise is what columns without any information would explain.

    >>> from figmn import FastIGMN
    >>> rows = np.array([[0, 1, 0], [1, 1, 0], [2, 0, 1], [3, 0, 1.0]])
    >>> model = FastIGMN(beta=0, delta=1, prior_count=1, scale=rows.std(axis=0)).learn(rows)
    >>> np.exp(joint_log_probabilities(model, np.array([[0.0], [1.5], [3.0]]))).round(2)
    array([[0.89, 0.11],
           [0.5 , 0.5 ],
           [0.11, 0.89]])
    """
    n_classes = model.n_features - X.shape[1]
    log_probabilities = np.zeros((len(X), n_classes))
    if n_classes == 1:
        return log_probabilities
    classes = _Classes(model, n_classes)
    question = np.hstack([X, np.full((len(X), n_classes), np.nan)])
    for found in model.conditionals(question):
        log_posteriors = _normalised(_log_predictive(found, model.accumulators))
        terms = log_posteriors[:, :, None] + classes.log_probabilities(found)
        top = terms.max(axis=1)
        log_probabilities[found.rows] = top + np.log(np.exp(terms - top[:, None]).sum(axis=1))
    return log_probabilities


class _Classes:
    """What the components know of the classes."""

    def __init__(self, model: Engine | Snapshot, n_classes: int) -> None:
        self.evidence = np.maximum(model.accumulators, LEAST_EVIDENCE)[:, None]
        self.frequencies = _frequencies(model, n_classes)
        overall = smoothed(class_evidence(model, n_classes))
        self.own = self.evidence / (self.evidence + SMOOTHING)
        """Share of a component's own rows beside the added ones."""
        self.smooth = self.own * self.frequencies + (1 - self.own) * overall
        # The class columns sum to 1, so all but the last say everything.
        some = self.smooth[:, :-1]
        between = some[:, :, None] * (np.eye(n_classes - 1) - some[:, None, :])
        self.whiten = np.linalg.inv(np.linalg.cholesky(between))
        surplus = (model.parameters.prior_count or 1.0) - 1
        self.per_row = ((np.maximum(model.accumulators, 1.0) + surplus)[:, None] / self.evidence)[:, :, None]
        """What turns a covariance into one of the rows alone, with that of the prior added."""
        self.covariances = self.per_row * model.project(np.eye(model.n_features)[:, -n_classes:-1]).covariances

    def log_probabilities(self, found: Conditionals) -> Floats:
        """log p(c | j, x) of rows that miss the same columns, (n, K, C)."""
        n_classes = self.smooth.shape[1]
        explained = self.covariances - self.per_row * found.covariances[:, -n_classes:-1, -n_classes:-1]
        whitened = self.whiten @ explained @ self.whiten.swapaxes(1, 2)
        shares, axes = np.linalg.eigh(0.5 * (whitened + whitened.swapaxes(1, 2)))
        shares = shares.clip(0.0, MOST_EXPLAINED)
        to_axes = axes.swapaxes(1, 2) @ self.whiten
        totals = np.einsum("kai,kij,kaj->ka", to_axes, self.covariances, to_axes)
        # By chance alone, D columns explain about D / sp of what is left unexplained; less where the prior adds much.
        signal, noise = self.evidence * shares, found.n_known * (1 - shares) / np.maximum(totals, 1.0)
        slopes = self.own * signal / (signal + noise + TINY)
        within = 1 - slopes**2 * shares
        corners = (np.eye(n_classes)[:, :-1] - self.smooth[:, None, :-1]) @ to_axes.swapaxes(1, 2)
        offsets = np.log(self.smooth) + 0.5 * (corners**2 * (1 - 1 / within)[:, None]).sum(axis=2)
        weights = corners * (slopes / within)[:, None] @ to_axes
        shifts = found.means[:, :, -n_classes:-1] - self.frequencies[:, :-1]
        return _normalised(offsets + np.einsum("kci,nki->nkc", weights, shifts))


def class_evidence(model: Engine | Snapshot, n_classes: int) -> Floats:
    """Evidence of every class in a mixture whose last columns are the classes, (C,).

    >>> from figmn import FastIGMN
    >>> rows = np.array([[0, 1, 0], [1, 1, 0], [2, 0, 1]])
    >>> class_evidence(FastIGMN(beta=0, delta=1, scale=rows.std(axis=0)).learn(rows), 2).round(9)
    array([2., 1.])
    """
    return np.asarray(model.accumulators @ _frequencies(model, n_classes))


def _frequencies(model: Engine | Snapshot, n_classes: int) -> Floats:
    """Frequency of every class in every component, (K, C)."""
    shares = model.means[:, -n_classes:].clip(TINY, 1.0)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def smoothed(counts: Floats) -> Floats:
    """Frequencies with one more row of every class, so that none is 0.

    >>> smoothed(np.array([3.0, 0.0]))
    array([0.8, 0.2])
    """
    return np.asarray((counts + 1) / (counts.sum() + len(counts)))


def _log_predictive(found: Conditionals, evidence: Floats) -> Floats:
    """log p(j) + log p(known | j) with Student's t for p(known | j), (n, K)."""
    freedom, width = (1 + 2 * evidence).clip(None, MOST_FREEDOM), found.n_known
    distances = found.distances.clip(0.0)  # negative ones only exist under the published rule
    constants = gammaln(0.5 * (freedom + width)) - gammaln(0.5 * freedom) + 0.5 * width * np.log(2 / freedom)
    at_means = found.log_weights + 0.5 * found.distances
    return np.asarray(at_means + constants - 0.5 * (freedom + width) * np.log1p(distances / freedom))


def _normalised(logarithms: Floats) -> Floats:
    """Shifted so that the exponentials along the last axis sum to 1."""
    shifted = logarithms - logarithms.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
