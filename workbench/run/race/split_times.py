"""Split times of a race: what both engines had used after as many samples, wherever each of them is now."""

from __future__ import annotations

from bisect import bisect_left

from workbench.run.race.frame import Split


class SplitTimes:
    """Cumulative engine time of two engines, fast first, kept from the last split asked for onwards.

    >>> times = SplitTimes()
    >>> times.add(0, 4, 8e-6)
    >>> times.add(1, 1, 50e-6)
    >>> times.at(1)
    Split(n_samples=1, fast_seconds=2e-06, cubic_seconds=5e-05)
    """

    def __init__(self) -> None:
        self._counts, self._seconds = ([0], [0]), ([0.0], [0.0])
        """Samples learned and time used by the end of every chunk."""

    def add(self, engine: int, n_samples: int, seconds: float) -> None:
        """Append a chunk of one engine."""
        self._counts[engine].append(self._counts[engine][-1] + n_samples)
        self._seconds[engine].append(self._seconds[engine][-1] + seconds)

    def at(self, n_samples: int) -> Split:
        """Times of both after `n_samples`, or after as many as both have learned; never fewer than asked for before."""
        count = min(n_samples, *(counts[-1] for counts in self._counts))
        fast, cubic = (self._time(engine, count) for engine in (0, 1))
        return Split(count, fast, cubic)

    def _time(self, engine: int, count: int) -> float:
        """Within a chunk every sample has an equal share of its time, as in all other figures of a race."""
        counts, seconds = self._counts[engine], self._seconds[engine]
        place = bisect_left(counts, count)
        del counts[: max(0, place - 1)], seconds[: max(0, place - 1)]
        if counts[0] == count:
            return seconds[0]
        if counts[1] == count:
            return seconds[1]
        return seconds[0] + (seconds[1] - seconds[0]) * (count - counts[0]) / (counts[1] - counts[0])
