"""A speed in samples per second: how many samples are due now, and how long to wait for the next one."""

from __future__ import annotations

import time

LONGEST_CHUNK = 65_536
"""Samples that are learned in one call at most."""


class Pace:
    """Counts the samples that are due at a speed; a speed of None is unlimited."""

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
        """Samples that are due now. After a delay of more than a second, missed samples are not made up for."""
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
