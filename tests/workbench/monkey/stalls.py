"""A thread that notices when the window's event loop stands still, and what its thread does meanwhile.

On a machine with other work a thread may be late because it is given no core. So a stall is split: time on a core,
time asleep (a lock, the interpreter lock, a file), and the rest, for which it was ready but had to wait for a core.
Only the first two are the program's own.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer

from tests.workbench.monkey.findings import Journal
from tests.workbench.monkey.vitals import memory

BEAT = 0.05
LATE = 0.25
"""Seconds without a beat after which the window's thread is looked at."""
STALL = 1.0
"""Seconds from which on it is written down."""


@dataclass
class Stall:
    """One time without a beat."""

    began: float
    cpu: float
    """CPU seconds of the window's thread at its beginning."""
    frames: list[traceback.FrameSummary] = field(default_factory=list)
    n_looks: int = 0
    n_asleep: int = 0


@dataclass(frozen=True)
class Judged:
    """How long a stall was, and how much of it was the program's own."""

    wall: float
    cpu: float
    asleep: float
    load: float
    frames: list[traceback.FrameSummary]

    @property
    def own(self) -> float:
        return min(self.wall, self.cpu + self.asleep)

    def words(self) -> str:
        return (
            f"{self.wall:.2f} s: {self.cpu:.2f} s on a core, {self.asleep:.2f} s asleep,"
            f" {self.wall - self.own:.2f} s without a core; load {self.load:.1f}"
        )


class StallProbe(QObject):
    """Made in the window's thread; its own thread looks."""

    def __init__(self, journal: Journal, patience: float, memory_limit: float) -> None:
        super().__init__()
        self._journal, self._patience, self._memory_limit = journal, patience, memory_limit
        self._main = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._main)
        self._beaten = time.monotonic()
        self.late: list[Judged] = []
        """Everything above a second, the program's own or not."""
        self.peak = 0
        self._is_over = threading.Event()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._timer.start(round(1000 * BEAT))
        self._thread = threading.Thread(target=self._watch, name="stall probe", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._timer.stop()
        self._is_over.set()
        self._thread.join()

    def _beat(self) -> None:
        self._beaten = time.monotonic()

    def _watch(self) -> None:
        stall: Stall | None = None
        while not self._is_over.wait(BEAT / 2):
            beaten = self._beaten
            if stall is not None and beaten > stall.began:
                self._judge(stall, beaten - stall.began)
                stall = None
            if time.monotonic() - beaten > LATE:
                stall = stall or Stall(beaten, time.clock_gettime(self._clock))
                self._look(stall)
            self._guard_memory()

    def _look(self, stall: Stall) -> None:
        stall.n_looks += 1
        stall.n_asleep += _state() in "SD"
        if time.monotonic() - stall.began > STALL / 2 and not stall.frames:
            stall.frames = list(traceback.extract_stack(sys._current_frames()[self._main]))

    def _judge(self, stall: Stall, wall: float) -> None:
        if wall < STALL:
            return
        cpu = time.clock_gettime(self._clock) - stall.cpu
        found = Judged(wall, cpu, wall * stall.n_asleep / stall.n_looks, os.getloadavg()[0], stall.frames)
        self.late.append(found)
        if found.own >= self._patience:
            self._journal.find("stall", found.words(), found.frames)
        else:
            self._journal.say(f"late: {found.words()}")

    def _guard_memory(self) -> None:
        """A rough hand must not take the machine down."""
        now = memory()
        self.peak = max(self.peak, now)
        if now > self._memory_limit:
            stack = traceback.extract_stack(sys._current_frames()[self._main])
            self._journal.find("memory limit", f"{now / 1e9:.1f} GB", stack)
            os._exit(3)


def _state() -> str:
    """R for a window's thread that is on a core or wants one, S or D for one that waits."""
    with open(f"/proc/self/task/{os.getpid()}/stat", encoding="ascii") as file:
        return file.read().rsplit(")", 1)[1].split()[0]
