"""What a mixture says of the wanted attributes, given the known ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from figmn import Density
from figmn.answers.density import Answers
from figmn.system.arrays import Floats, Ints
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.bands import Bands, bands_of
from workbench.run.ask.given import COVERAGE, encoded_row, given, places_of
from workbench.run.ask.question import Question, nothing_wanted
from workbench.source.encode.encoding import scaled

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
    found, evidence = given(model, encoded_row(model.n_features, known, question), places_of(wanted), is_exact)
    prior = model.marginal(places_of(wanted))
    answers, start = [], 0
    for attribute in wanted:
        places = np.arange(start, start + len(attribute.places))
        said = _answer(attribute, found.marginal(places), prior.marginal(places))
        answers.append(_with_bands(said, model, known, question) if is_exact else said)
        start += len(places)
    scales = sum(len(one.places) * float(np.log(one.block.scale)) for one in known)
    log_density = evidence.log_density - scales if known else 0.0
    return Answer(question, n_seen, tuple(answers), ids, found.priors, model.priors, log_density, evidence.novelty)


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
    shares: Floats = attribute.variable().shares(found.priors[None], found.means[None], found.covariances)[0]
    return shares
