"""What the columns of a mixture stand for: a number, or labels that are encoded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from figmn.answers.quantiles import cumulative
from figmn.system.arrays import Floats


@dataclass(frozen=True)
class Variable:
    """A number, or labels in one of two encodings.

    Parameters
    ----------
    columns : positions of its columns: one, or for one-hot labels one for each label
    n_labels : number of labels; 0 for a number
    one_hot : whether every label has a column of 0 and 1; otherwise the only column holds their positions 0, 1, …

    Examples
    --------
    >>> Variable((3,)).has_labels, Variable((3, 4), n_labels=2).patterns.tolist()
    (False, [[1.0, 0.0], [0.0, 1.0]])
    """

    columns: tuple[int, ...]
    n_labels: int = 0
    one_hot: bool = True

    @property
    def has_labels(self) -> bool:
        """Whether its values are labels."""
        return self.n_labels > 0

    @property
    def patterns(self) -> Floats:
        """The encoded form of every label, (labels, columns)."""
        if self.one_hot:
            return np.eye(len(self.columns))[: self.n_labels]
        return np.arange(self.n_labels, dtype=np.float64)[:, None]

    def shares(self, weights: Floats, means: Floats, covariances: Floats) -> Floats:
        """Probabilities of the labels under n mixtures of K components over its columns, (n, labels).

        The means of the columns, cut to [0, 1]; or the mass around each position.

        Parameters
        ----------
        weights : (n, K), each row with the sum 1
        means : (n, K, o)
        covariances : (K, o, o)

        Examples
        --------
        >>> one = np.ones((1, 1))
        >>> Variable((0, 1), 2).shares(one, np.array([[[0.9, -0.1]]]), np.eye(2)[None])
        array([[1., 0.]])
        >>> Variable((0,), 2, one_hot=False).shares(one, np.array([[[0.5]]]), np.eye(1)[None])
        array([[0.5, 0.5]])
        """
        if self.one_hot:
            shares = np.einsum("nk,nko->no", weights, means).clip(0.0, 1.0)[:, : self.n_labels]
        else:
            stds = np.sqrt(covariances[None, :, 0, 0])
            borders = [np.full(len(weights), place + 0.5) for place in range(self.n_labels - 1)]
            below = [cumulative(border, weights, means[:, :, 0], stds) for border in borders]
            shares = np.diff(np.column_stack([np.zeros(len(weights)), *below, np.ones(len(weights))]), axis=1)
        total = shares.sum(axis=1, keepdims=True)
        return np.where(total > 0, shares / np.where(total > 0, total, 1.0), 1 / max(self.n_labels, 1))
