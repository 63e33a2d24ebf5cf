"""Defaults that depend on the number of columns."""

from __future__ import annotations


def automatic_delta(n_columns: int) -> float:
    """min(2, D / 12): the more columns, the wider a newborn component.

    Two samples of one Gaussian lie about 2D/δ² apart in d², and τ grows like D alone: a δ that suits two columns makes
    nearly every row of a hundred columns a component of its own, and one that suits a hundred columns finds a single
    cluster in two columns.
    No single number does well over the bundled datasets and generators; this rule does on all of them.

    >>> [round(automatic_delta(n_columns), 2) for n_columns in (2, 6, 100)]
    [0.17, 0.5, 2.0]
    """
    return round(min(2.0, n_columns / 12), 2)


def automatic_prior_count(n_columns: int) -> float:
    """max(1, D / 2): the more columns, the longer a component keeps the width that it was born with.

    The covariance of D columns needs some D samples. With the paper's 1, a component of many columns collapses upon its
    first samples, and most others are far from it: a single Gaussian of 60 columns became 100 components.

    >>> [automatic_prior_count(n_columns) for n_columns in (1, 2, 5, 60)]
    [1.0, 1.0, 2.5, 30.0]
    """
    return max(1.0, n_columns / 2)
