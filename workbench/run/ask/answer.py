"""What a mixture says of the wanted attributes, given the known ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from figmn import Density
from figmn.answers.density import Answers, Evidence
from figmn.system.arrays import Floats, Ints
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.bands import Bands, bands_of
from workbench.run.ask.question import Question, nothing_wanted
from workbench.source.encode.encoding import scaled

COVERAGE = 0.9
"""Share of the intervals that are shown."""
N_PLACES = 241
"""Places at which a density is drawn."""
EXTREME = 0.998
"""Share of a density that is drawn, at least."""


@dataclass(frozen=True, eq=False)
class NumberAnswer:
    """A wanted number: its whole distribution, in the user's units."""

    attribute: Attribute
    mean: float
    std: float
    interval: tuple[float, float]
    """Central interval of `COVERAGE`."""
    regions: Floats
    """Where the density is highest, with the same share, (m, 2)."""
    modes: Floats
    places: Floats
    heights: Floats
    """Density at the places, per unit of the user."""
    prior_heights: Floats
    """The same where nothing is known."""
    bands: Bands | None = None
    """How it follows the known number, where a single number is known."""


@dataclass(frozen=True, eq=False)
class LabelAnswer:
    """A wanted label: its probabilities."""

    attribute: Attribute
    shares: Floats
    """In the order of the labels; their sum is 1."""
    prior_shares: Floats
    """The same where nothing is known."""


@dataclass(frozen=True, eq=False)
class Answer:
    """All that is said to a question."""

    question: Question
    n_seen: int
    """Samples that the mixture had learned."""
    wanted: tuple[NumberAnswer | LabelAnswer, ...]
    ids: Ints
    """Of the components."""
    responsibilities: Floats
    """Of every component for what is known."""
    priors: Floats
    log_density: float
    """Of what is known, per unit of the user; 0 where nothing is."""
    novelty: float
    """Share of the nearest component's samples that would be nearer, 0 to 1."""


def answer(
    model: Answers,
    ids: Ints,
    n_seen: int,
    attributes: Sequence[Attribute],
    question: Question,
    is_exact: bool = True,
) -> Answer:
    """Ask a model over the encoded columns. Attributes that are neither known nor wanted may have any value."""
    if not question.wanted:
        raise nothing_wanted()
    by_name = {attribute.name: attribute for attribute in attributes}
    known = [by_name[name] for name in question.known]
    wanted = [by_name[name] for name in question.wanted]
    row, errors = np.full(model.n_features, np.nan), np.zeros(model.n_features)
    for attribute in known:
        row[attribute.places] = attribute.encoded(question.known[attribute.name])
        errors[attribute.places] = question.errors.get(attribute.name, 0.0) / attribute.block.scale
    given = _given(model, row, errors, _places(wanted), is_exact)
    found, prior = given.marginal, model.marginal(_places(wanted))
    answers, start = [], 0
    for attribute in wanted:
        places = np.arange(start, start + len(attribute.places))
        said = _answer(attribute, found.marginal(places), prior.marginal(places))
        answers.append(_with_bands(said, model, known, question) if is_exact else said)
        start += len(places)
    scales = sum(len(one.places) * float(np.log(one.block.scale)) for one in known)
    log_density = given.evidence.log_density - scales if known else 0.0
    return Answer(
        question, n_seen, tuple(answers), ids, found.priors, model.priors, log_density, given.evidence.novelty
    )


class Given(NamedTuple):
    """The wanted columns, given the known ones."""

    marginal: Density
    evidence: Evidence


def _given(model: Answers, row: Floats, errors: Floats, wanted: Ints, is_exact: bool) -> Given:
    """Condition a model on a row. Columns that are open are left out before or after, whichever leaves fewer to do.

    Under the published rule always after: the part of a covariance that is no longer positive definite may not be left
    over before.
    """
    known, unknown = np.flatnonzero(~np.isnan(row)), np.flatnonzero(np.isnan(row))
    if len(unknown) <= len(known) + len(wanted) or not is_exact:
        found = model.condition(row, errors if errors.any() else None)
        return Given(found.marginal(np.searchsorted(unknown, wanted)), found.evidence)
    asked = np.concatenate([known, wanted])
    found = model.marginal(asked).condition(row[asked], errors[asked] if errors.any() else None)
    return Given(found, found.evidence)


def _places(attributes: Sequence[Attribute]) -> Ints:
    return np.concatenate([attribute.places for attribute in attributes])


def _answer(attribute: Attribute, found: Density, prior: Density) -> NumberAnswer | LabelAnswer:
    if attribute.has_labels:
        return LabelAnswer(attribute, _shares(attribute, found), _shares(attribute, prior))
    block = attribute.block
    whole = found.to_gaussian()
    ends = attribute.in_units(found.interval(EXTREME))
    low, high = min(attribute.low, ends[0]), max(attribute.high, ends[1])
    places = np.linspace(low, high, N_PLACES)
    modes = attribute.in_units(found.modes())
    places = np.unique(np.concatenate([places, modes]))  # between two places there may be a narrow top
    encoded = scaled(places, block)
    return NumberAnswer(
        attribute=attribute,
        mean=float(attribute.in_units(whole.means)[0, 0]),
        std=float(np.sqrt(whole.covariances[0, 0, 0]) * block.scale),
        interval=_ends(attribute.in_units(found.interval(COVERAGE))),
        regions=attribute.in_units(found.region(COVERAGE)),
        modes=modes,
        places=places,
        heights=found.pdf(encoded) / block.scale,
        prior_heights=prior.pdf(encoded) / block.scale,
    )


def _with_bands(
    said: NumberAnswer | LabelAnswer, model: Answers, known: Sequence[Attribute], question: Question
) -> NumberAnswer | LabelAnswer:
    if isinstance(said, LabelAnswer) or len(known) != 1 or known[0].has_labels:
        return said
    (one,) = known
    at, error = float(question.known[one.name]), question.errors.get(one.name, 0.0)
    return replace(said, bands=bands_of(model, one, said.attribute, at, error))


def _ends(ends: Floats) -> tuple[float, float]:
    return float(ends[0]), float(ends[1])


def _shares(attribute: Attribute, found: Density) -> Floats:
    """Probabilities of the labels: conditional means of their columns, cut to [0, 1]; or the mass around a position."""
    n_labels = len(attribute.labels)
    if attribute.block.one_hot:
        shares = (found.priors @ found.means).clip(0.0, 1.0)[:n_labels]
    else:
        below = found.cdf(np.arange(n_labels - 1) + 0.5)
        shares = np.diff(np.concatenate([[0.0], below, [1.0]]))
    total = shares.sum()
    return shares / total if total > 0 else np.full(n_labels, 1 / max(n_labels, 1))
