"""Whether two engines agree, sample by sample: their decisions at once, their numbers from time to time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from figmn import Record
from figmn.engine import Engine
from figmn.parity import Differences, compare
from figmn.system.arrays import Floats, Ints
from workbench.run.race.frame import Divergence, Parity

ALL_COLUMNS, SOME_COLUMNS, SOME_COMPONENTS = 160, 32, 8
"""Columns up to which matrices are compared whole; of more, so many columns of so many components."""


class Decisions(NamedTuple):
    """What an engine did with samples in a row."""

    born: Ints
    distances: Floats
    """d² to the nearest component."""
    counts: Ints
    """K afterwards."""
    removed: dict[int, tuple[int, ...]]
    """Ids that went, by the number of the sample."""

    @staticmethod
    def of(record: Record) -> Decisions:
        """Those of a chunk."""
        removed: dict[int, tuple[int, ...]] = {}
        for sample, number in zip(record.removed_samples.tolist(), record.removed_ids.tolist(), strict=True):
            removed[sample] = (*removed.get(sample, ()), number)
        return Decisions(record.born, record.distances, record.n_components, removed)

    def followed_by(self, other: Decisions) -> Decisions:
        """These and the next ones."""
        return Decisions(
            np.concatenate([self.born, other.born]),
            np.concatenate([self.distances, other.distances]),
            np.concatenate([self.counts, other.counts]),
            self.removed | other.removed,
        )

    def after(self, count: int) -> Decisions:
        """Those without the first ones."""
        return Decisions(self.born[count:], self.distances[count:], self.counts[count:], self.removed)

    def words(self, place: int, sample: int) -> str:
        """One of them."""
        born = int(self.born[place])
        gone = ", ".join(f"#{number}" for number in self.removed.get(sample, ()))
        return (f"#{born} born" if born >= 0 else "learned") + (f", {gone} removed" if gone else "")


NOTHING = Decisions(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64), {})


class Monitor:
    """Compares what two engines do, fast first, as far as both have come."""

    def __init__(self) -> None:
        self._pending = [NOTHING, NOTHING]
        """Decisions of each that the other has not come to yet."""
        self._n_compared, self._n_checked = 0, 0
        self._divergence: Divergence | None = None
        self._counts: tuple[int, int] | None = None
        self._differences: Differences | None = None
        self._sampled = ""
        self.check_seconds = 0.0

    def add(self, lane: int, record: Record) -> None:
        """Take down a chunk of one of them, and compare what both have now."""
        self._pending[lane] = self._pending[lane].followed_by(Decisions.of(record))
        fast, cubic = self._pending
        count = min(len(fast.born), len(cubic.born))
        if not count:
            return
        if self._divergence is None:
            self._divergence = _divergence(fast, cubic, count, self._n_compared, record.threshold)
        self._counts = int(fast.counts[count - 1]), int(cubic.counts[count - 1])
        self._n_compared += count
        self._pending = [fast.after(count), cubic.after(count)]

    def check(self, engines: Sequence[Engine]) -> tuple[Differences, str]:
        """The numbers of both, which have learned the same samples and rest; O(K D³). It changes nothing here."""
        fast, cubic = engines
        width, count = fast.n_features, fast.n_components
        if width <= ALL_COLUMNS:
            return compare(fast, cubic), ""
        some = min(count, SOME_COMPONENTS)
        words = f"{SOME_COLUMNS} of {width:,} columns" + (f" of {some} of {count:,} components" if some < count else "")
        return compare(fast, cubic, SOME_COLUMNS, SOME_COMPONENTS), words

    def take(self, found: tuple[Differences, str], n_samples: int, seconds: float) -> None:
        """Take down the outcome of a check."""
        differences, self._sampled = found
        self._differences = differences if self._differences is None else self._differences.or_larger(differences)
        self._n_checked = n_samples
        self.check_seconds += seconds

    @property
    def parity(self) -> Parity:
        """What is known so far."""
        return Parity(
            n_compared=self._n_compared,
            divergence=self._divergence,
            counts=self._counts,
            differences=self._differences,
            n_checked=self._n_checked,
            sampled=self._sampled,
            check_seconds=self.check_seconds,
        )


def _divergence(fast: Decisions, cubic: Decisions, count: int, first: int, threshold: float) -> Divergence | None:
    """The first of these samples with which they did not do the same."""
    differ = fast.born[:count] != cubic.born[:count]
    for sample in fast.removed.keys() | cubic.removed.keys():
        if first <= sample < first + count and fast.removed.get(sample) != cubic.removed.get(sample):
            differ[sample - first] = True
    if not differ.any():
        return None
    place = int(differ.argmax())
    return Divergence(
        sample=first + place,
        distances=(float(fast.distances[place]), float(cubic.distances[place])),
        threshold=threshold,
        decisions=(fast.words(place, first + place), cubic.words(place, first + place)),
    )
