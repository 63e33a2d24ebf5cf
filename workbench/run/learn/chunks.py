"""How many samples are learned in one go: enough to be fast, few enough to hear a command soon."""

from __future__ import annotations

import time

CHUNK_SECONDS = 0.032
"""Work between two looks at the commands, most of it without the interpreter. At 0.01 the watched learner lost a third
of its speed to waiting for the window's thread. It is longer than a frame, so that every chunk is seen."""
LONGEST_CHUNK = 65_536
BLOCK, BLOCK_SECONDS = 64, 0.1
"""In many dimensions so many samples are learned together; worth the wait as long as it is this short."""


class ChunkSize:
    """Samples of the next chunk, by what the last one took.

    >>> size = ChunkSize(1)
    >>> size.fit(1, 0.001), size.fit(4, 0.004), size.fit(1, 0.5)
    (4, 16, 1)
    """

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def fit(self, count: int, seconds: float) -> int:
        """As many samples as take the time of a chunk; growing at most fourfold."""
        if count:
            each = max(seconds / count, 1e-12)
            wanted = CHUNK_SECONDS / each
            if wanted < BLOCK and BLOCK * each < BLOCK_SECONDS:
                wanted = BLOCK
            self.rows = int(max(1, min(wanted, 4 * self.rows, LONGEST_CHUNK)))
        return self.rows


class Pace:
    """How many samples are due at a speed; None is as fast as it goes."""

    def __init__(self, speed: float | None) -> None:
        self.speed = speed
        self.start()

    def start(self) -> None:
        """Count from now on; the first sample is due at once."""
        self._began, self._learned = time.perf_counter(), -1

    def learned(self, count: int) -> None:
        """Count samples that were learned."""
        self._learned += count

    def due(self) -> int:
        """Samples that are due now; those that could not be learned in time are not made up for."""
        if self.speed is None:
            return LONGEST_CHUNK
        due = int(self.speed * (time.perf_counter() - self._began)) - self._learned
        if due > max(1, self.speed):
            self.start()
            return 1
        return due

    def wait(self) -> float:
        """Seconds until the next sample is due."""
        if self.speed is None:
            return 0.0
        return max(0.0, (self._learned + 1) / self.speed - (time.perf_counter() - self._began))
