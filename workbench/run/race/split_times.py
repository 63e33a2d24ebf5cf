"""Split times of a race: engine time of every contender after the same number of samples."""

from __future__ import annotations

from bisect import bisect_left

from workbench.run.race.frame import Split


class SplitTimes:
    """Cumulative engine time of every contender, kept from the last split onwards.

    >>> times = SplitTimes(2)
    >>> times.add(0, 4, 8e-6)
    >>> times.add(1, 1, 50e-6)
    >>> times.at(1)
    Split(n_samples=1, seconds=(2e-06, 5e-05))
    """

    def __init__(self, n_contenders: int) -> None:
        self._counts = [[0] for _ in range(n_contenders)]
        """Samples learned by the end of every chunk."""
        self._seconds = [[0.0] for _ in range(n_contenders)]
        """Time used by the end of every chunk."""

    def add(self, contender: int, n_samples: int, seconds: float) -> None:
        """Append a chunk of one contender."""
        self._counts[contender].append(self._counts[contender][-1] + n_samples)
        self._seconds[contender].append(self._seconds[contender][-1] + seconds)

    def at(self, n_samples: int) -> Split:
        """Times after `n_samples`, or after as many as all have learned; never fewer than in the call before."""
        count = min(n_samples, *(counts[-1] for counts in self._counts))
        return Split(count, tuple(self._time(contender, count) for contender in range(len(self._counts))))

    def _time(self, contender: int, count: int) -> float:
        """Within a chunk every sample has an equal share of its time, as in all other figures of a race."""
        counts, seconds = self._counts[contender], self._seconds[contender]
        place = bisect_left(counts, count)
        del counts[: max(0, place - 1)], seconds[: max(0, place - 1)]
        if counts[0] == count:
            return seconds[0]
        if counts[1] == count:
            return seconds[1]
        return seconds[0] + (seconds[1] - seconds[0]) * (count - counts[0]) / (counts[1] - counts[0])
