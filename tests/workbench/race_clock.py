"""Stopwatches on which every sample takes a time of the test's, so that it knows every figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from figmn import Record
from workbench.run.learn.learner import Stopwatch


def clock(microseconds: float, cpu: float = 1.0, first: float = 0.0) -> Stopwatch:
    """`microseconds` per sample, of which the share `cpu` is CPU time; the first sample takes `first` µs more."""

    def time_it(learn: Callable[[], Record]) -> Record:
        record = learn()
        nanoseconds = int(1e3 * (microseconds * len(record.born) + (first if record.first == 0 else 0.0)))
        return replace(record, nanoseconds=nanoseconds, cpu_nanoseconds=int(cpu * nanoseconds))

    return time_it


def clocks(*microseconds: float) -> Stopwatch:
    """Microseconds per sample in the first chunk, in the second, and so on."""
    following = iter([clock(one) for one in microseconds])

    def time_it(learn: Callable[[], Record]) -> Record:
        return next(following)(learn)

    return time_it
