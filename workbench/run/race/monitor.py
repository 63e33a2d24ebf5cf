"""Whether contenders agree with the first, sample by sample: decisions at once, numbers from time to time."""

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
"""Up to 160 columns, whole matrices are compared; beyond, 32 columns of 8 components."""


class Decisions(NamedTuple):
    """What an engine did with consecutive samples."""

    born: Ints
    distances: Floats
    """d² to the nearest component."""
    counts: Ints
    """K afterwards."""
    removed: dict[int, tuple[int, ...]]
    """Ids of removed components, by the number of the sample."""
    merged: dict[int, tuple[tuple[int, int], ...]]
    """Ids of the components kept and taken in, by the number of the sample."""

    @staticmethod
    def of(record: Record) -> Decisions:
        """Those of a chunk."""
        removed: dict[int, tuple[int, ...]] = {}
        for sample, number in zip(record.removed_samples.tolist(), record.removed_ids.tolist(), strict=True):
            removed[sample] = (*removed.get(sample, ()), number)
        merged: dict[int, tuple[tuple[int, int], ...]] = {}
        for sample, kept, taken in record.merges.tolist():
            merged[sample] = (*merged.get(sample, ()), (kept, taken))
        return Decisions(record.born, record.distances, record.n_components, removed, merged)

    def followed_by(self, other: Decisions) -> Decisions:
        """These and the next ones."""
        return Decisions(
            np.concatenate([self.born, other.born]),
            np.concatenate([self.distances, other.distances]),
            np.concatenate([self.counts, other.counts]),
            self.removed | other.removed,
            self.merged | other.merged,
        )

    def after(self, count: int) -> Decisions:
        """Those without the first ones."""
        return Decisions(self.born[count:], self.distances[count:], self.counts[count:], self.removed, self.merged)

    def words(self, place: int, sample: int) -> str:
        """One of them."""
        born = int(self.born[place])
        gone = ", ".join(f"#{number}" for number in self.removed.get(sample, ()))
        merged = "".join(f", #{kept} took in #{taken}" for kept, taken in self.merged.get(sample, ()))
        return (f"#{born} born" if born >= 0 else "learned") + (f", {gone} removed" if gone else "") + merged


NOTHING = Decisions(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64), {}, {})


class Monitors:
    """Compares every contender with the first: one `Monitor` for each but the first."""

    def __init__(self, n_contenders: int) -> None:
        self._monitors = [Monitor() for _ in range(n_contenders - 1)]

    def __getitem__(self, contender: int) -> Monitor:
        """The monitor of a contender, which is not the first."""
        return self._monitors[contender - 1]

    def add(self, contender: int, record: Record) -> list[int]:
        """Compare a chunk of one contender, and return those who diverged from the first for the first time."""
        concerned = range(1, len(self._monitors) + 1) if contender == 0 else [contender]
        before = [other for other in concerned if self[other].parity.divergence is None]
        for other in concerned:
            self[other].add(min(contender, 1), record)
        return [other for other in before if self[other].parity.divergence is not None]

    @property
    def parities(self) -> tuple[Parity, ...]:
        """What is known so far, one for each contender but the first."""
        return tuple(monitor.parity for monitor in self._monitors)


class Monitor:
    """Compares what two engines do, as far as both have come; the reference is 0, the other one 1."""

    def __init__(self) -> None:
        self._pending = [NOTHING, NOTHING]
        """Decisions of each that the other has not reached yet."""
        self._n_compared, self._n_checked = 0, 0
        self._divergence: Divergence | None = None
        self._counts: tuple[int, int] | None = None
        self._differences: Differences | None = None
        self._sampled = ""
        self.check_seconds = 0.0

    def add(self, engine: int, record: Record) -> None:
        """Add a chunk of one of them, and compare the decisions that both have made now."""
        self._pending[engine] = self._pending[engine].followed_by(Decisions.of(record))
        first, second = self._pending
        count = min(len(first.born), len(second.born))
        if not count:
            return
        if self._divergence is None:
            self._divergence = _divergence(first, second, count, self._n_compared, record.threshold)
        self._counts = int(first.counts[count - 1]), int(second.counts[count - 1])
        self._n_compared += count
        self._pending = [first.after(count), second.after(count)]

    def check(self, engines: Sequence[Engine]) -> tuple[Differences, str]:
        """Compare the numbers of two idle engines that have learned the same samples; O(K D³). Changes no state."""
        first, second = engines
        width, count = first.n_features, first.n_components
        if width <= ALL_COLUMNS:
            return compare(first, second), ""
        some = min(count, SOME_COMPONENTS)
        words = f"{SOME_COLUMNS} of {width:,} columns" + (f" of {some} of {count:,} components" if some < count else "")
        return compare(first, second, SOME_COLUMNS, SOME_COMPONENTS), words

    def take(self, found: tuple[Differences, str], n_samples: int, seconds: float) -> None:
        """Record the result of a check."""
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


def _divergence(first: Decisions, second: Decisions, count: int, begin: int, threshold: float) -> Divergence | None:
    """The first of `count` samples, from sample `begin` on, on which they decided differently."""
    differ = first.born[:count] != second.born[:count]
    for mine, theirs in ((first.removed, second.removed), (first.merged, second.merged)):
        for sample in mine.keys() | theirs.keys():
            if begin <= sample < begin + count and mine.get(sample) != theirs.get(sample):
                differ[sample - begin] = True
    if not differ.any():
        return None
    place = int(differ.argmax())
    return Divergence(
        sample=begin + place,
        distances=(float(first.distances[place]), float(second.distances[place])),
        threshold=threshold,
        decisions=(first.words(place, begin + place), second.words(place, begin + place)),
    )
