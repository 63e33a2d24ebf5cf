"""What to ask next: open attributes by what they are expected to tell about the wanted ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from figmn.answers.density import Answers
from figmn.answers.information import information
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.given import encoded_row, given, places_of
from workbench.run.ask.question import Question, nothing_wanted
from workbench.source import Cancelled
from workbench.source.read.options import Progress, silent


@dataclass(frozen=True)
class Gain:
    """What an open attribute is expected to tell."""

    attribute: str
    bits: float
    """Expected drop of the entropy of the wanted attributes, summed over them."""
    error: float
    """Estimate of the numerical error of the bits."""


@dataclass(frozen=True)
class NextQuestions:
    """All open attributes, those that tell most first."""

    question: Question
    n_seen: int
    gains: tuple[Gain, ...]


def next_questions(
    model: Answers,
    n_seen: int,
    attributes: Sequence[Attribute],
    question: Question,
    progress: Progress = silent,
) -> NextQuestions:
    """Rank the open attributes, given what is known. Numbers that never vary and single labels have nothing to tell."""
    if not question.wanted:
        raise nothing_wanted()
    by_name = {one.name: one for one in attributes}
    wanted = [by_name[name] for name in question.wanted]
    open_ones = [
        one
        for one in attributes
        if one.name not in question.known
        and one.name not in question.wanted
        and (one.varies if not one.has_labels else len(one.labels) > 1)
    ]
    row = encoded_row(model.n_features, attributes, question)
    gains = []
    for place, candidate in enumerate(open_ones):
        if not progress(place, len(open_ones)):
            raise Cancelled
        mixture = given(model, row, places_of([candidate, *wanted])).marginal
        start, found = len(candidate.places), []
        for one in wanted:
            found.append(information(mixture, one.variable(start), candidate.variable()))
            start += len(one.places)
        gains.append(Gain(candidate.name, sum(one.bits for one in found), sum(one.error for one in found)))
    order = np.argsort([-gain.bits for gain in gains], kind="stable")
    return NextQuestions(question, n_seen, tuple(gains[place] for place in order))
