"""The speed of this machine, measured in the background when an estimate is first needed."""

from __future__ import annotations

from workbench.evaluate.machine_rate import machine_rate
from workbench.run.job import Job


class RateMeter:
    """Measures the rate of the machine once, in a thread; `take` returns it once.

    >>> meter = RateMeter()
    >>> meter.take() is None
    True
    >>> meter.start()
    >>> meter.join()
    >>> meter.take() > 0, meter.take() is None
    (True, True)
    """

    def __init__(self) -> None:
        self._job: Job[float] | None = None
        self._is_taken = False

    def start(self) -> None:
        """Begin to measure; later calls do nothing."""
        if self._job is None:
            self._job = Job("Measuring the speed of this machine", lambda progress: machine_rate())  # noqa: ARG005

    def take(self) -> float | None:
        """Operations per second at the first call after the measurement, otherwise None; raises the thread's error."""
        if self._job is None or self._is_taken or not self._job.is_done:
            return None
        self._is_taken = True
        if self._job.error is not None:
            raise self._job.error
        return self._job.result

    def join(self) -> None:
        """Wait for the end of the measurement, if one is running."""
        if self._job is not None:
            self._job.join()
