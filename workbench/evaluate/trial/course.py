"""Figures along a stream: over the latest rows, with fading weights, and over all rows so far."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.system.arrays import Floats, Ints
from workbench.evaluate.trial.outcome import Course
from workbench.evaluate.trial.plan import Prequential, TaskKind

MOST_PLACES = 400
"""Places of a course at most."""
FIGURES: dict[TaskKind, tuple[tuple[str, str], ...]] = {
    "classes": (
        ("accuracy", "accuracy"),
        ("kappa", "Kappa"),
        ("kappa_m", "Kappa-M (beyond the majority class)"),
        ("kappa_t", "Kappa-temporal (beyond the last class)"),
    ),
    "numbers": (("rmse", "RMSE"), ("mae", "MAE")),
    "density": (("log_likelihood", "log-likelihood per row"),),
}
"""Names and titles of the figures of a course."""


SCOPES = ("windows", "faded", "overall")
"""What figures are taken over, as the fields of `Course` are called."""


@dataclass(frozen=True, eq=False)
class Told:
    """What was told of some rows in the order of the stream, one line a row of numbers that are summed up."""

    terms: Floats
    """(rows, terms): of classes right, right by the last class, and right by the majority class of each scope; of
    numbers squared and absolute error; of a density the log density. Not finite where nothing was told of a row."""
    pairs: Ints | None = None
    """Position of (true class, predicted class) in the confusion matrix."""


class CourseKeeper:
    """Adds rows and keeps figures at no more than `MOST_PLACES` places.

    Parameters
    ----------
    kind : of the task
    option : window and fading factor
    n_rows : of the whole stream
    n_classes : 0 where there are none
    """

    def __init__(self, kind: TaskKind, option: Prequential, n_rows: int, n_classes: int = 0) -> None:
        self._kind, self._option, self._n_classes = kind, option, n_classes
        self._every = max(1, math.ceil(n_rows / MOST_PLACES))
        self._n_rows, self._n_done = n_rows, 0
        self._latest: list[Told] = []
        self._overall, self._faded = _Sums(n_classes), _Sums(n_classes)
        self._samples: list[int] = []
        self._values: dict[str, list[tuple[float, ...]]] = {scope: [] for scope in SCOPES}

    def add(self, told: Told) -> None:
        """Add rows, in the order of the stream."""
        begin, n_rows = 0, len(told.terms)
        while begin < n_rows:
            end = min(n_rows, begin + self._every - self._n_done % self._every)
            self._take(_part(told, begin, end))
            begin = end

    def course(self) -> Course:
        """What was kept."""
        names = [name for name, _ in FIGURES[self._kind]]

        def named(values: list[tuple[float, ...]]) -> dict[str, Floats]:
            columns = np.array(values, np.float64).reshape(len(values), len(names)).T
            return dict(zip(names, columns, strict=True))

        found = {scope: named(values) for scope, values in self._values.items()}
        return Course(np.array(self._samples, np.int64), **found)

    def _take(self, told: Told) -> None:
        n_new = len(told.terms)
        self._n_done += n_new
        self._latest.append(told)
        self._overall.add(told)
        self._faded.fade(self._option.fading**n_new)
        self._faded.add(told, self._option.fading ** np.arange(n_new - 1, -1, -1.0))
        if self._n_done % self._every and self._n_done < self._n_rows:
            return
        self._samples.append(self._n_done)
        for place, sums in enumerate((self._window(), self._faded, self._overall)):
            self._values[SCOPES[place]].append(sums.figures(self._kind, place))

    def _window(self) -> _Sums:
        """Sums over the latest rows; older ones are dropped."""
        n_rows = sum(len(told.terms) for told in self._latest)
        while n_rows - len(self._latest[0].terms) >= self._option.window:
            n_rows -= len(self._latest.pop(0).terms)
        sums, n_left = _Sums(self._n_classes), self._option.window
        for told in reversed(self._latest):
            n_taken = min(n_left, len(told.terms))
            sums.add(_part(told, len(told.terms) - n_taken, len(told.terms)))
            n_left -= n_taken
        return sums


class Guesses:
    """Whether the last class and the majority classes of all scopes are right, as MOA's evaluators count.

    A majority is that of the class's own scope, the present row included; of equal classes, the first.

    >>> Guesses(Prequential(window=2), 2).right(np.array([1, 1, 0, 0])).astype(int).tolist()
    [[0, 1, 1, 1], [1, 1, 1, 1], [0, 1, 0, 0], [1, 1, 1, 1]]
    """

    def __init__(self, option: Prequential, n_classes: int) -> None:
        self._option, self._last = option, -1
        self._counts, self._faded, self._in_window = ([0.0] * n_classes for _ in range(3))
        self._majority = self._faded_majority = 0
        self._weight = 1.0
        self._window: deque[int] = deque()

    def right(self, codes: Ints) -> NDArray[np.bool_]:
        """(rows, 4) of the next rows: by the last class, and by the majorities of `SCOPES`."""
        return np.array([self._next(code) for code in codes.tolist()], np.bool_).reshape(len(codes), 4)

    def _next(self, code: int) -> tuple[bool, bool, bool, bool]:
        last, self._last = self._last, code
        self._counts[code] += 1
        self._majority = _first_most(self._counts, self._majority, code)
        # Later rows weigh more, instead of earlier ones less.
        self._faded[code] += self._weight
        self._faded_majority = _first_most(self._faded, self._faded_majority, code)
        self._weight /= self._option.fading
        if self._weight > 1e200:  # noqa: PLR2004 - long before it overflows
            self._faded = [value / self._weight for value in self._faded]
            self._weight = 1.0
        self._window.append(code)
        self._in_window[code] += 1
        if len(self._window) > self._option.window:
            self._in_window[self._window.popleft()] -= 1
        in_window = self._in_window.index(max(self._in_window))
        return last == code, in_window == code, self._faded_majority == code, self._majority == code


def _first_most(counts: list[float], most: int, changed: int) -> int:
    """The first class with the highest count, after one has grown."""
    if counts[changed] > counts[most] or (counts[changed] == counts[most] and changed < most):
        return changed
    return most


def _part(told: Told, begin: int, end: int) -> Told:
    return Told(told.terms[begin:end], None if told.pairs is None else told.pairs[begin:end])


class _Sums:
    """Weighted sums of terms, and a confusion matrix."""

    def __init__(self, n_classes: int) -> None:
        self._weight = 0.0
        self._terms: NDArray[Any] = np.zeros(1)
        self._confusion = np.zeros(n_classes * n_classes)
        self._n_classes = n_classes

    def fade(self, factor: float) -> None:
        """Make all that was added count less."""
        self._weight *= factor
        self._terms = self._terms * factor
        self._confusion *= factor

    def add(self, told: Told, weights: Floats | None = None) -> None:
        """Add rows."""
        known: NDArray[np.bool_] = np.asarray(np.isfinite(told.terms).all(axis=1, keepdims=True))
        counted: Floats = known[:, 0] * (np.ones(len(known)) if weights is None else weights)
        self._weight += float(counted.sum())
        self._terms = self._terms + counted @ np.where(known, told.terms, 0.0)
        if told.pairs is not None:
            self._confusion += np.bincount(told.pairs, counted, len(self._confusion))

    def figures(self, kind: TaskKind, scope: int) -> tuple[float, ...]:
        """In the order of `FIGURES`; NaN where they are not defined. `scope` is a position in `SCOPES`."""
        if not self._weight:
            return (math.nan,) * len(FIGURES[kind])
        means: Sequence[float] = (self._terms / self._weight).tolist()
        if kind == "numbers":
            return math.sqrt(means[0]), means[1]
        if kind == "density":
            return (means[0],)
        right, by_last, by_majority = *means[:2], means[2 + scope]
        counts = self._confusion.reshape(self._n_classes, self._n_classes) / self._weight
        by_chance = float(counts.sum(axis=1) @ counts.sum(axis=0))
        return right, *(_beyond(right, least) for least in (by_chance, by_majority, by_last))


def _beyond(right: float, least: float) -> float:
    """Share of what the least leaves wrong that is right; NaN where that is nothing."""
    return (right - least) / (1 - least) if least < 1 - 1e-12 else math.nan
