"""What would change an answer: the smallest change of known values that turns it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from figmn.answers.counterfactual import Goal, Norm, nearest_change
from figmn.answers.density import Answers
from figmn.system.arrays import Floats
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.given import encoded_row, given, places_of, softened
from workbench.run.ask.question import Question
from workbench.source import Cancelled
from workbench.source.encode.encoding import scaled
from workbench.source.read.options import Progress, silent
from workbench.words.sentences import UserError

LEAD = 0.01
"""By which the probability of a label must exceed the others, before it counts as the answer."""
INSETS = (0.02, 0.2, 0.4)
"""How far inside its place the mean of labels that are numbered must lie, tried in this order."""
MOST_COMBINATIONS, MOST_TARGETS = 64, 20
"""Combinations of labels that are tried, and labels that an answer may turn to."""
STEPS = (3, 4, 6, 9, 12)
"""Decimals of the range to which changed values are rounded, tried in this order."""


@dataclass(frozen=True)
class Turn:
    """What an answer is to become."""

    wanted: str
    label: str = ""
    """Of a wanted label; empty for any other than now."""
    threshold: float = math.nan
    """Of a wanted number: its mean is to pass this, from whichever side it is now."""


@dataclass(frozen=True)
class ChangeQuestion:
    """Which values may change, and how their changes are measured."""

    question: Question
    turn: Turn
    free: tuple[str, ...]
    """Known attributes that may change."""
    norm: Norm = "l2"


@dataclass(frozen=True)
class FoundChange:
    """Values that turn the answer, as far as there are any within the range of the data."""

    asked: ChangeQuestion
    n_seen: int
    values: Mapping[str, float | str]
    """Of the attributes that change; empty where nothing was found."""
    shifts: Mapping[str, float]
    """Changes of the numbers in standard deviations of their columns."""
    distance: float
    """All changes together; a changed label counts as one standard deviation."""
    label: str = ""
    """The likeliest label afterwards."""
    figure: float = math.nan
    """Its probability, or the mean of the wanted number afterwards."""

    @property
    def is_found(self) -> bool:
        """Whether there is a change."""
        return bool(self.values)


def find_change(
    model: Answers,
    n_seen: int,
    attributes: Sequence[Attribute],
    asked: ChangeQuestion,
    progress: Progress = silent,
) -> FoundChange:
    """Search for the smallest change; every one that is considered has been asked about in the mixture."""
    return _Search(model, n_seen, attributes, asked).run(progress)


class _Search:
    """All combinations of labels that may change, and for each the nearest numbers."""

    def __init__(self, model: Answers, n_seen: int, attributes: Sequence[Attribute], asked: ChangeQuestion) -> None:
        self._model, self._n_seen, self._attributes, self._asked = model, n_seen, attributes, asked
        by_name = {one.name: one for one in attributes}
        question, turn = asked.question, asked.turn
        if turn.wanted not in question.wanted:
            raise UserError("{name!r} is not wanted: tick it as wanted, or choose another.", name=turn.wanted)
        self._wanted = by_name[turn.wanted]
        free = [by_name[name] for name in asked.free if name in question.known]
        self._numbers = [one for one in free if one.varies and one.block.std[0] > 0]
        self._labels = [one for one in free if one.has_labels and len(one.labels) > 1]
        if not self._numbers and not self._labels:
            raise UserError("No value may change: know some values first, and tick those that may change.")
        if turn.label and turn.label not in self._wanted.labels:
            raise UserError("{value!r} is not a label of {name!r}.", value=turn.label, name=turn.wanted)
        if not self._wanted.has_labels and not math.isfinite(turn.threshold):
            raise UserError("Give the number that the mean of {name!r} is to pass.", name=turn.wanted)
        self._now = self._said(question)

    def run(self, progress: Progress) -> FoundChange:
        """The best of all combinations."""
        if self._asked.turn.label and self._asked.turn.label == self._now[0]:
            return FoundChange(self._asked, self._n_seen, {}, {}, 0.0, *self._now)
        best = FoundChange(self._asked, self._n_seen, {}, {}, math.inf)
        combinations, goals = list(self._combinations()), list(self._goals())
        tries = [(labels, goal) for labels in combinations for goal in goals]
        for place, (labels, goal) in enumerate(tries):
            if not progress(place, len(tries)):
                raise Cancelled
            if self._total(0.0, labels) < best.distance:
                found = self._nearest(labels, goal)
                best = found if found is not None and found.distance < best.distance else best
        return best

    # What is tried

    def _combinations(self) -> Iterator[dict[str, str]]:
        """Labels that change, none first; one at a time where there are too many together."""
        known = self._asked.question.known
        choices = [[(one.name, label) for label in one.labels] for one in self._labels]
        if math.prod(len(one) for one in choices) <= MOST_COMBINATIONS:
            chosen: list[tuple[tuple[str, str], ...]] = list(itertools.product(*choices))
        else:
            singles = [pair for one in choices for pair in one if known[pair[0]] != pair[1]]
            chosen = [(), *((pair,) for pair in singles[:MOST_COMBINATIONS])]
        changes = [{name: label for name, label in pairs if known[name] != label} for pairs in chosen]
        yield from sorted(changes, key=len)

    def _goals(self) -> Iterator[Goal]:
        """What the means of the wanted columns must fulfil."""
        if not self._wanted.has_labels:
            side = 1.0 if self._now[1] < self._asked.turn.threshold else -1.0
            least = scaled(np.array([self._asked.turn.threshold]), self._wanted.block)
            yield Goal(np.array([[side]]), side * least)
            return
        shares, labels = self._shares(self._asked.question), self._wanted.labels
        best = int(shares.argmax())
        wanted = self._asked.turn.label
        likeliest = [place for place in np.argsort(-shares, kind="stable").tolist() if place != best]
        targets = [labels.index(wanted)] if wanted else likeliest[:MOST_TARGETS]
        for target in targets:
            if self._wanted.block.one_hot:
                others = [place for place in range(len(labels)) if place != target]
                weights = np.zeros((len(others), len(self._wanted.places)))
                weights[:, target] = 1.0
                weights[np.arange(len(others)), others] = -1.0
                yield Goal(weights, np.full(len(others), LEAD))
            else:
                ends = [(1.0, target - 0.5)] * (target > 0) + [(-1.0, -target - 0.5)] * (target < len(labels) - 1)
                for inset in INSETS:
                    yield Goal(np.array([[side] for side, _ in ends]), np.array([end + inset for _, end in ends]))

    # One combination

    def _nearest(self, labels: Mapping[str, str], goal: Goal) -> FoundChange | None:
        question = self._asked.question
        changed = replace(question, known={**question.known, **labels})
        numbers = self._numbers
        if labels and self._is_turned(changed):
            return self._found(changed)
        if not numbers:
            return None
        names = [one.name for one in numbers]
        rest = replace(changed, known={name: value for name, value in changed.known.items() if name not in names})
        row = encoded_row(self._model.n_features, self._attributes, rest)
        errors = [question.errors.get(one.name, 0.0) / one.block.scale for one in numbers]
        mixture = given(self._model, row, places_of([*numbers, self._wanted])).marginal
        mixture = softened(mixture, np.array([*errors, *(0.0 for _ in self._wanted.places)]))
        x = _encoded(numbers, [float(question.known[name]) for name in names])
        low, high = _encoded(numbers, [one.low for one in numbers]), _encoded(numbers, [one.high for one in numbers])
        scale = np.array([one.block.std[0] for one in numbers])
        found = nearest_change(mixture, x, goal, low, high, scale, self._asked.norm)
        return None if found is None else self._rounded(changed, found.values)

    def _rounded(self, question: Question, encoded: Floats) -> FoundChange | None:
        """The change in numbers that can be read, as far as these turn the answer as well."""
        for digits in STEPS:
            values = {
                one.name: _outwards(one, float(one.in_units(value)), float(question.known[one.name]), digits)
                for one, value in zip(self._numbers, encoded, strict=True)
            }
            changed = replace(question, known={**question.known, **values})
            if self._is_turned(changed):
                return self._found(changed)
        return None

    def _found(self, changed: Question) -> FoundChange:
        before, label, figure = self._asked.question.known, *self._said(changed)
        values = {name: value for name, value in changed.known.items() if value != before[name]}
        shifts = {
            one.name: (float(values[one.name]) - float(before[one.name])) / (one.block.std[0] * one.block.scale)
            for one in self._numbers
            if one.name in values
        }
        labels = {name: value for name, value in values.items() if isinstance(value, str)}
        lengths = np.abs(np.array(list(shifts.values())))
        of_numbers = float(lengths.sum() if self._asked.norm == "l1" else np.sqrt((lengths**2).sum()))
        distance = self._total(of_numbers, labels)
        return FoundChange(self._asked, self._n_seen, values, shifts, distance, label, figure)

    def _total(self, of_numbers: float, labels: Mapping[str, str]) -> float:
        if self._asked.norm == "l1":
            return of_numbers + len(labels)
        return math.sqrt(of_numbers**2 + len(labels))

    # What the mixture says

    def _is_turned(self, question: Question) -> bool:
        label, figure = self._said(question)
        if self._wanted.has_labels:
            return label == self._asked.turn.label if self._asked.turn.label else label != self._now[0]
        threshold = self._asked.turn.threshold
        return figure >= threshold if self._now[1] < threshold else figure <= threshold

    def _said(self, question: Question) -> tuple[str, float]:
        """The likeliest label and its probability, or the mean of the wanted number."""
        if self._wanted.has_labels:
            shares = self._shares(question)
            best = int(shares.argmax())
            return self._wanted.labels[best], float(shares[best])
        found = self._given(question)
        return "", float(self._wanted.in_units(found.priors @ found.means)[0])

    def _shares(self, question: Question) -> Floats:
        found = self._given(question)
        shares = self._wanted.variable().shares(found.priors[None], found.means[None], found.covariances)
        return np.asarray(shares[0])

    def _given(self, question: Question) -> Answers:
        row = encoded_row(self._model.n_features, self._attributes, question)
        return given(self._model, row, self._wanted.places).marginal


def _encoded(attributes: Sequence[Attribute], values: Sequence[float]) -> Floats:
    return np.array([one.encoded(value)[0] for one, value in zip(attributes, values, strict=True)])


def _outwards(attribute: Attribute, value: float, before: float, digits: int) -> float:
    """A value rounded away from what it was, to a part of the range; one that hardly changes stays."""
    if abs(value - before) < 1e-3 * attribute.block.std[0] * attribute.block.scale:
        return before
    size = attribute.high - attribute.low
    step = 10.0 ** (math.floor(math.log10(size)) - digits + 1)
    if attribute.is_whole and digits == STEPS[0]:
        step = max(1.0, step)
    steps = value / step
    rounded = (math.ceil(steps - 1e-9) if value > before else math.floor(steps + 1e-9)) * step
    return min(max(float(f"{rounded:.12g}"), min(attribute.low, before)), max(attribute.high, before))
