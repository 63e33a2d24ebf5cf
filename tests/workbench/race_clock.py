"""A stopwatch on which every sample takes the same time, so that a test knows every figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from figmn import Record
from workbench.run.learn.learner import Stopwatch


def clock(microseconds: float, cpu: float = 1.0, first: float = 0.0) -> Stopwatch:
    """Of so many µs a sample, of which the processor works a share; the first sample takes `first` µs more."""

    def time_it(learn: Callable[[], Record]) -> Record:
        record = learn()
        nanoseconds = int(1e3 * (microseconds * len(record.born) + (first if record.first == 0 else 0.0)))
        return replace(record, nanoseconds=nanoseconds, cpu_nanoseconds=int(cpu * nanoseconds))

    return time_it
