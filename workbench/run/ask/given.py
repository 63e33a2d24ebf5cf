"""A mixture under a question: what is known as an encoded row, and the wanted columns given it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from figmn import Density
from figmn.answers.density import Answers, Evidence
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
