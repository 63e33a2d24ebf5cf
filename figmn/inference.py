"""Questions to a mixture: densities, responsibilities, any elements from any others, samples.

Pure functions of a `Mixture`; engines and snapshots both hand one out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from figmn.blas import inside
from figmn.form import Form
from figmn.state import Bools, Floats, Ints
from figmn.tuning import ANSWER_ITEMS, ANSWER_ROWS


class Mixture(NamedTuple):
    """What inference needs to know of a mixture."""

    means: Floats
    forms: Sequence[Form]
    log_determinants: Floats
    """log|det C| of every component."""
    priors: Floats
    negatives: Ints
    """Negative eigenvalues of every covariance; all 0 under the exact rule."""


class Projection(NamedTuple):
    """A mixture as it is seen in a plane of m axes.

    >>> from figmn import FastIGMN
    >>> seen = FastIGMN(delta=1, scale=[1.0, 2.0, 3.0]).learn([[5, 6, 7]]).project([[0, 1], [0, 0], [1, 0]])
    >>> seen.means, seen.covariances
    (array([[7., 5.]]), array([[[9., 0.],
            [0., 1.]]]))
    """

    means: Floats
    """(K, m)."""
    covariances: Floats
    """(K, m, m)."""


@inside
def log_joint(mixture: Mixture, X: Floats) -> Floats:
    """Log p(j) + log p(x | j) for every row and component, the marginal of the known values where some are NaN.

    >>> from figmn.precision import Dense
    >>> one = Mixture(np.zeros((1, 2)), [Dense(np.eye(2))], np.zeros(1), np.ones(1), np.zeros(1, np.int64))
    >>> log_joint(one, np.array([[0.0, 0.0], [0.0, np.nan]])).round(3)
    array([[-1.838],
           [-0.919]])
    """
    joint = np.empty((len(X), len(mixture.priors)))
    for rows, _, log_weights, _ in _conditions(mixture, X):
        joint[rows] = log_weights
    return joint


def log_sum(joint: Floats) -> Floats:
    """Log density of every row: the log of the summed exponentials."""
    top = joint.max(axis=1)
    density: Floats = top + np.log(np.exp(joint - top[:, None]).sum(axis=1))
    return density


def normalised(joint: Floats) -> Floats:
    """Responsibilities: every row of exp(joint), scaled to sum to 1."""
    weights: Floats = np.exp(joint - joint.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


@inside
def recall(mixture: Mixture, X: Floats) -> Floats:
    """Fill every NaN with its conditional mean given the known values of its row (`figmn-reconstructfull`).

    >>> from figmn.precision import Dense
    >>> one = Mixture(np.zeros((1, 2)), [Dense(np.array([[2.0, -1], [-1, 1]]))], np.zeros(1), np.ones(1),
    ...               np.zeros(1, np.int64))
    >>> recall(one, np.array([[3.0, np.nan]]))
    array([[3., 3.]])
    """
    filled = X.copy()
    # A lone component has the whole responsibility, whatever the density.
    for rows, pattern, joint, answers in _conditions(mixture, X, with_joint=len(mixture.priors) > 1):
        _fill(filled, rows, pattern, np.einsum("nk,nko->no", normalised(joint), answers))
    return filled


@inside
def recall_with_covariances(mixture: Mixture, X: Floats) -> tuple[Floats, list[Floats]]:
    """As `recall`, and for every row the covariance of its wanted values in the order of the columns.

    >>> from figmn.precision import Dense
    >>> one = Mixture(np.zeros((1, 2)), [Dense(np.array([[2.0, -1], [-1, 1]]))], np.zeros(1), np.ones(1),
    ...               np.zeros(1, np.int64))
    >>> recall_with_covariances(one, np.array([[3.0, np.nan]]))[1]
    [array([[1.]])]
    """
    filled = X.copy()
    covariances: list[Floats] = [np.empty((0, 0))] * len(X)
    for rows, pattern, joint, answers in _conditions(mixture, X, with_joint=len(mixture.priors) > 1):
        weights = normalised(joint)
        means = np.einsum("nk,nko->no", weights, answers)
        spread = answers - means[:, None]
        spreads = np.einsum("nk,nkp,nkq->npq", weights, spread, spread)
        _fill(filled, rows, pattern, means)
        for row, covariance in zip(
            np.arange(len(X))[rows], spreads + np.tensordot(weights, pattern.covariances, 1), strict=True
        ):
            covariances[row] = covariance
    return filled, covariances


def sample(mixture: Mixture, n_samples: int, generator: np.random.Generator) -> tuple[Floats, Ints]:
    """Draw rows from the mixture, and say which component each came from.

    >>> from figmn.precision import Dense
    >>> one = Mixture(np.zeros((1, 2)), [Dense(np.eye(2))], np.zeros(1), np.ones(1), np.zeros(1, np.int64))
    >>> rows, components = sample(one, 3, np.random.default_rng(0))
    >>> rows.shape, components
    ((3, 2), array([0, 0, 0]))
    """
    if mixture.negatives.any():
        raise ValueError(
            f"component {int(np.flatnonzero(mixture.negatives)[0])} is not positive definite, so nothing can be drawn "
            "from it: use covariance='exact'"
        )
    components = generator.choice(len(mixture.priors), n_samples, p=mixture.priors)
    rows = generator.standard_normal((n_samples, mixture.means.shape[1]))
    for j in np.unique(components):
        chosen = components == j
        rows[chosen] = mixture.means[j] + rows[chosen] @ mixture.forms[j].root().T
    return rows, components


class _Pattern:
    """One set of wanted dimensions: what every row that misses just these has in common."""

    def __init__(self, mixture: Mixture, wanted: Bools) -> None:
        self.mixture = mixture
        self.wanted = np.flatnonzero(wanted)
        self.conditionals = [form.given(self.wanted) for form in mixture.forms]
        self.covariances = np.array([conditional.covariance for conditional in self.conditionals])
        log_ratios = np.array([conditional.log_ratio for conditional in self.conditionals])
        constant = (len(wanted) - len(self.wanted)) * np.log(2 * np.pi)
        self.log_scales = np.log(mixture.priors) - 0.5 * (constant + mixture.log_determinants + log_ratios)

    def condition(self, X: Floats, with_joint: bool) -> tuple[Floats, Floats]:
        """log p(j) + log p(known | j) and the conditional means of the wanted values, (n, K) and (n, K, o).

        Where the former is not asked for, zeros stand in its place.
        """
        joint = np.zeros((len(X), len(self.mixture.priors)))
        answers = np.empty((*joint.shape, len(self.wanted)))
        for j, (mean, conditional) in enumerate(zip(self.mixture.means, self.conditionals, strict=True)):
            errors = X - mean
            errors[:, self.wanted] = 0.0
            shifts, distances = conditional.answer(errors, with_joint)
            answers[:, j] = mean[self.wanted] - shifts
            if with_joint:
                joint[:, j] = self.log_scales[j] - 0.5 * distances
        return joint, answers


def _conditions(
    mixture: Mixture, X: Floats, with_joint: bool = True
) -> Iterator[tuple[slice | Ints, _Pattern, Floats, Floats]]:
    """Blocks of rows that miss the same dimensions, with what `_Pattern.condition` says of them."""
    size = max(ANSWER_ROWS, ANSWER_ITEMS // X.shape[1])
    for group, wanted in _patterns(X):
        pattern = _Pattern(mixture, wanted)
        n_rows = len(X) if group is None else len(group)
        for start in range(0, n_rows, size):
            rows = slice(start, start + size) if group is None else group[start : start + size]
            yield rows, pattern, *pattern.condition(X[rows], with_joint)


def _patterns(X: Floats) -> list[tuple[Ints | None, Bools]]:
    """Row numbers grouped by the dimensions that they miss; None for all rows."""
    missing = np.isnan(X)
    if (missing == missing[0]).all():
        return [(None, missing[0])]
    _, label = np.unique(np.packbits(missing, axis=1), axis=0, return_inverse=True)
    label = label.ravel()
    order = np.argsort(label, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(label[order])) + 1)
    return [(group, missing[group[0]]) for group in groups]


def _fill(filled: Floats, rows: slice | Ints, pattern: _Pattern, values: Floats) -> None:
    if isinstance(rows, slice):
        filled[rows, pattern.wanted] = values
    else:
        filled[np.ix_(rows, pattern.wanted)] = values
