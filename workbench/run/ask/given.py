"""A mixture under a question: what is known as an encoded row, and the wanted columns given it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from figmn import Density
from figmn.answers.density import Answers, Evidence
from figmn.answers.quantiles import cumulative
from figmn.system.arrays import Floats, Ints
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.question import Question

COVERAGE = 0.9
"""Share of the intervals that are shown."""


class Given(NamedTuple):
    """The wanted columns, given the known ones."""

    marginal: Density
    evidence: Evidence


class EncodedRow(NamedTuple):
    """What is known, encoded; NaN elsewhere."""

    values: Floats
    errors: Floats
    """Standard deviations of the errors; 0 where a value is exact or unknown."""


def encoded_row(n_columns: int, attributes: Sequence[Attribute], question: Question) -> EncodedRow:
    """The known values of a question as an encoded row."""
    values, errors = np.full(n_columns, np.nan), np.zeros(n_columns)
    for attribute in attributes:
        if attribute.name in question.known:
            values[attribute.places] = attribute.encoded(question.known[attribute.name])
            errors[attribute.places] = question.errors.get(attribute.name, 0.0) / attribute.block.scale
    return EncodedRow(values, errors)


def given(model: Answers, row: EncodedRow, wanted: Ints, is_exact: bool = True) -> Given:
    """Condition a model on a row. Columns that are open are left out before or after, whichever leaves fewer to do.

    Under the published rule always after: the part of a covariance that is no longer positive definite may not be left
    over before.
    """
    known, unknown = np.flatnonzero(~np.isnan(row.values)), np.flatnonzero(np.isnan(row.values))
    noise = row.errors if row.errors.any() else None
    if len(unknown) <= len(known) + len(wanted) or not is_exact:
        found = model.condition(row.values, noise)
        return Given(found.marginal(np.searchsorted(unknown, wanted)), found.evidence)
    asked = np.concatenate([known, wanted])
    found = model.marginal(asked).condition(row.values[asked], None if noise is None else noise[asked])
    return Given(found, found.evidence)


def softened(found: Density, errors: Floats) -> Density:
    """A mixture whose columns are measured with errors: C + R in place of C."""
    if not errors.any():
        return found
    return Density(found.priors, found.means, found.covariances + np.diag(errors**2), found.columns, found.evidence)


def places_of(attributes: Sequence[Attribute]) -> Ints:
    """The encoded columns of attributes, one after the other."""
    return np.concatenate([attribute.places for attribute in attributes])


def label_shares(attribute: Attribute, weights: Floats, means: Floats, covariances: Floats) -> Floats:
    """Probabilities of the labels under n mixtures of K components over the columns of an attribute, (n, labels).

    The means of their columns, cut to [0, 1]; or the mass around a position.

    Parameters
    ----------
    weights : (n, K), each row with the sum 1
    means : (n, K, o)
    covariances : (K, o, o)
    """
    n_labels = len(attribute.labels)
    if attribute.block.one_hot:
        shares = np.einsum("nk,nko->no", weights, means).clip(0.0, 1.0)[:, :n_labels]
    else:
        stds = np.sqrt(covariances[None, :, 0, 0])
        borders = [np.full(len(weights), place + 0.5) for place in range(n_labels - 1)]
        below = [cumulative(border, weights, means[:, :, 0], stds) for border in borders]
        ends = [np.zeros(len(weights)), *below, np.ones(len(weights))]
        shares = np.diff(np.column_stack(ends), axis=1)[:, :n_labels]
    total = shares.sum(axis=1, keepdims=True)
    return np.where(total > 0, shares / np.where(total > 0, total, 1.0), 1 / max(n_labels, 1))
