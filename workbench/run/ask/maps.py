"""Answers over a plane of two numbers: a wanted number as a map, a wanted label as decision regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from figmn.answers.density import Answers
from figmn.answers.inference import normalised
from figmn.answers.quantiles import intervals
from figmn.system.arrays import Floats, Ints
from workbench.run.ask.attributes import Attribute
from workbench.run.ask.given import COVERAGE, encoded_row, given, places_of, softened
from workbench.run.ask.question import Question
from workbench.run.ask.telling import Telling
from workbench.source.encode.encoding import scaled

Figure = Literal["mean", "width", "std"]
COARSE, FINE = (40, 27), (120, 81)
"""Cells across and up, at first and in the end."""
MARGIN = 0.03
"""Share of the range of the data that is drawn beyond it, on either side."""
STEP_ITEMS, SEARCH_ITEMS = 400_000, 20
"""Numbers that are computed before the caller is asked again, and how many of them an interval is worth."""
LEAST_ROWS = 50
"""Cells that are computed together, however many components there are: each component has costs of its own."""


@dataclass(frozen=True)
class MapChoice:
    """What the user wants to see; empty names are chosen by what is known and by the data."""

    wanted: str = ""
    across: str = ""
    up: str = ""
    figure: Figure = "mean"
    """Of a wanted number: its mean, the width of its interval of `COVERAGE`, or its standard deviation."""


@dataclass(frozen=True)
class MapKey:
    """What a map depends on: as long as it is the same, only the mark of the question moves on it."""

    wanted: str
    across: str
    up: str
    figure: Figure
    fixed: Question
    """What is known apart from the axes, and the errors of the axes."""
    ends: tuple[tuple[float, float], tuple[float, float]]
    """Ranges of the axes."""


@dataclass(frozen=True, eq=False)
class AnswerMap:
    """Answers at the centres of the cells of a grid, in the user's units; (rows upwards, columns)."""

    key: MapKey
    wanted: Attribute
    across: Attribute
    up: Attribute
    values: Floats
    """Of a wanted number the figure, of a wanted label the probability of the likeliest."""
    best: Ints
    """Positions of the likeliest labels; empty for a number."""
    is_fine: bool
    n_seen: int

    @property
    def x(self) -> Floats:
        """Centres of the cells across."""
        return _centres(self.key.ends[0], self.values.shape[1])

    @property
    def y(self) -> Floats:
        """Centres of the cells upwards."""
        return _centres(self.key.ends[1], self.values.shape[0])

    @property
    def points(self) -> Floats:
        """Rows of the table: across, up, and the wanted value or position of the label, NaN where missing; (m, 3)."""
        columns = [self.across.values, self.up.values, self.wanted.values]
        if len({len(column) for column in columns}) > 1:
            return np.empty((0, 3))
        found = np.column_stack(columns)
        return found[np.isfinite(found[:, :2]).all(axis=1)]


def map_key(attributes: Sequence[Attribute], telling: Telling, question: Question, choice: MapChoice) -> MapKey | None:
    """The map of a question; None where there are no two numbers for the axes.

    Axes that the user has not chosen are those that tell most of the wanted attribute, known ones first.
    """
    by_name = {one.name: one for one in attributes}
    wanted = choice.wanted if choice.wanted in question.wanted else next(iter(question.wanted), "")
    if wanted not in by_name:
        return None
    free = [name for name in telling.ranked(wanted) if name not in question.wanted]
    chosen = [name if name in free else "" for name in (choice.across, choice.up)]
    if chosen[0] == chosen[1]:
        chosen[1] = ""
    rest = sorted((name for name in free if name not in chosen), key=lambda name: name not in question.known)
    if len(rest) < chosen.count(""):
        return None
    # In the order of the table, so that axes do not change places when one becomes known.
    places = {name: place for place, name in enumerate(by_name)}
    automatic = iter(sorted(rest[: chosen.count("")], key=places.__getitem__))
    across, up = (name or next(automatic) for name in chosen)
    fixed = Question(
        {name: value for name, value in question.known.items() if name not in (across, up)},
        dict(question.errors),
        (wanted,),
    )
    ends = tuple(_ends(by_name[name], question.known.get(name)) for name in (across, up))
    return MapKey(wanted, across, up, choice.figure, fixed, (ends[0], ends[1]))


def _ends(attribute: Attribute, at: float | str | None) -> tuple[float, float]:
    """The range of the data, and of the value that is known, with a margin in which points at its ends are whole."""
    value = attribute.typical if at is None else float(at)
    margin = MARGIN * (attribute.high - attribute.low)
    return min(attribute.low, value) - margin, max(attribute.high, value) + margin


class MapWork:
    """Computes a map in steps, coarse first, of a mixture as it is when this is made."""

    def __init__(self, model: Answers, n_seen: int, attributes: Sequence[Attribute], key: MapKey) -> None:
        by_name = {one.name: one for one in attributes}
        self.key, self.n_seen = key, n_seen
        self._wanted, self._axes = by_name[key.wanted], (by_name[key.across], by_name[key.up])
        row = encoded_row(model.n_features, attributes, key.fixed)
        found = given(model, row, places_of([*self._axes, self._wanted])).marginal
        errors = [key.fixed.errors.get(axis.name, 0.0) / axis.block.scale for axis in self._axes]
        self._mixture = softened(found, np.array([*errors, *(0.0 for _ in self._wanted.places)]))
        self._left = [COARSE, FINE]
        self._n_done = 0
        self._begin(COARSE)

    @property
    def is_done(self) -> bool:
        """Whether the last map was the finest."""
        return not self._left

    def step(self) -> AnswerMap | None:
        """Compute a part; a map where it completes one."""
        if not self._left:
            return None
        part = slice(self._n_done, self._n_done + self._rows_at_once)
        self._compute(part)
        self._n_done = part.stop
        if self._n_done < len(self._rows):
            return None
        across, up = self._left.pop(0)
        shape = (up, across)
        is_label = self._wanted.has_labels
        made = AnswerMap(
            key=self.key,
            wanted=self._wanted,
            across=self._axes[0],
            up=self._axes[1],
            values=self._values.reshape(shape),
            best=self._best.reshape(shape) if is_label else np.empty((0, 0), np.int64),
            is_fine=not self._left,
            n_seen=self.n_seen,
        )
        if self._left:
            self._begin(self._left[0])
        return made

    def _begin(self, size: tuple[int, int]) -> None:
        centres = [
            scaled(_centres(ends, count), axis.block)
            for ends, count, axis in zip(self.key.ends, size, self._axes, strict=True)
        ]
        up, across = np.meshgrid(centres[1], centres[0], indexing="ij")
        nothing = np.full((across.size, len(self._wanted.places)), np.nan)
        self._rows = np.column_stack([across.ravel(), up.ravel(), nothing])
        self._values, self._best = np.empty(across.size), np.zeros(across.size, np.int64)
        self._n_done = 0

    @property
    def _rows_at_once(self) -> int:
        items = self._mixture.n_components * (2 + len(self._wanted.places))
        if self.key.figure == "width" and not self._wanted.has_labels:
            items *= SEARCH_ITEMS
        return max(LEAST_ROWS, STEP_ITEMS // items)

    def _compute(self, part: slice) -> None:
        values, best = self._values[part], self._best[part]
        for found in self._mixture.conditionals(self._rows[part]):
            weights = normalised(found.log_weights)
            if self._wanted.has_labels:
                shares = self._wanted.variable().shares(weights, found.means, found.covariances)
                best[found.rows] = shares.argmax(axis=1)
                values[found.rows] = shares.max(axis=1)
            else:
                values[found.rows] = self._figure(weights, found.means[:, :, 0], found.covariances[:, 0, 0])

    def _figure(self, weights: Floats, means: Floats, variances: Floats) -> Floats:
        scale = self._wanted.block.scale
        if self.key.figure == "width":
            ends = intervals(COVERAGE, weights, means, np.sqrt(variances)[None])
            return np.asarray((ends[:, 1] - ends[:, 0]) * scale)
        mean = (weights * means).sum(axis=1)
        if self.key.figure == "mean":
            return self._wanted.in_units(mean)
        variance = (weights * ((means - mean[:, None]) ** 2 + variances)).sum(axis=1)
        return np.asarray(np.sqrt(variance) * scale)


def _centres(ends: tuple[float, float], count: int) -> Floats:
    low, high = ends
    return low + (high - low) * (np.arange(count) + 0.5) / count
