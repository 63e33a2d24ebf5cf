"""Watches another process from outside, where its interpreter lock cannot stop the watching.

Run by `stalls`: `python sampler.py PID BEATS FAULTS OUT MEMORY_LIMIT`. The watched process writes the time of each
turn of its event loop into the file BEATS; when none comes, its main thread is looked at through /proc, and SIGUSR1
lets its `faulthandler` write all stacks into FAULTS. Needs the standard library alone.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import struct
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

BEAT = struct.Struct("d")
INTERVAL = 0.02
LATE, STACKS, STALL = 0.2, 0.7, 1.0
"""Seconds without a beat from which on the thread is looked at, its stack is wanted, and the time is written down."""
PUNCTUAL = 0.1
"""Seconds from one look to the next that are nothing to speak of."""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Stall:
    """A time without a beat: `states` counts what the main thread was found in, by the letters of /proc."""

    began: float
    wall: float = 0.0
    cpu: float = 0.0
    process_cpu: float = 0.0
    load: float = 0.0
    unwatched: float = 0.0
    """Seconds for which the sampler, which needs next to nothing, was given no core either: the machine stood still."""
    states: dict[str, int] = field(default_factory=dict)
    stacks_at: int | None = None
    """Where in the file of faults its stacks begin."""


class Sampler:
    """Looks at a process until it is gone."""

    def __init__(self, pid: int, beats: Path, faults: Path, out: TextIO, memory_limit: float) -> None:
        self._pid, self._faults, self._out, self._memory_limit = pid, faults, out, memory_limit
        with beats.open("r+b") as file:
            self._beats = mmap.mmap(file.fileno(), BEAT.size)
        self._stall: Stall | None = None
        self._start = (0.0, 0.0)
        self._looked = time.monotonic()

    def watch(self) -> None:
        while True:
            beat, now = BEAT.unpack_from(self._beats)[0], time.monotonic()
            if not beat:
                continue  # it is just being written: `pack_into` begins with zeros
            if self._stall is not None and beat != self._stall.began:
                self._end(self._stall, beat)
            if now - beat > LATE:
                self._look(beat, now)
            self._looked = now
            self._guard_memory()
            time.sleep(INTERVAL)

    def _look(self, beat: float, now: float) -> None:
        state, cpu = self._thread()
        if self._stall is None:
            self._stall, self._start = Stall(beat), (cpu, self._process_cpu())
        stall = self._stall
        stall.states[state] = stall.states.get(state, 0) + 1
        stall.unwatched += unwatched(now - max(self._looked, beat))
        if now - beat > STACKS and stall.stacks_at is None:
            stall.stacks_at = self._faults.stat().st_size
            os.kill(self._pid, signal.SIGUSR1)

    def _end(self, stall: Stall, beat: float) -> None:
        self._stall = None
        stall.wall = beat - stall.began
        stall.unwatched += unwatched(beat - self._looked)
        if stall.wall < STALL:
            return
        stall.cpu, stall.process_cpu = self._thread()[1] - self._start[0], self._process_cpu() - self._start[1]
        stall.load = os.getloadavg()[0]
        self._out.write(json.dumps(asdict(stall)) + "\n")
        self._out.flush()

    def _thread(self) -> tuple[str, float]:
        """State and CPU seconds of the main thread."""
        return _state_and_cpu(f"/proc/{self._pid}/task/{self._pid}/stat")

    def _process_cpu(self) -> float:
        return _state_and_cpu(f"/proc/{self._pid}/stat")[1]

    def _guard_memory(self) -> None:
        """A rough hand must not take the machine down."""
        pages = int(Path(f"/proc/{self._pid}/statm").read_text(encoding="ascii").split()[1])
        if pages * PAGE > self._memory_limit:
            os.kill(self._pid, signal.SIGUSR1)
            time.sleep(0.5)
            os.kill(self._pid, signal.SIGKILL)


def unwatched(seconds: float) -> float:
    """Of the seconds since the last look, those by which this one came too late."""
    return seconds if seconds > PUNCTUAL else 0.0


def _state_and_cpu(path: str) -> tuple[str, float]:
    parts = Path(path).read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return parts[0], (int(parts[11]) + int(parts[12])) / TICKS


def main() -> None:
    pid, beats, faults, out, memory_limit = sys.argv[1:]
    with open(out, "w", encoding="utf-8") as file:
        try:
            Sampler(int(pid), Path(beats), Path(faults), file, float(memory_limit)).watch()
        except (FileNotFoundError, ProcessLookupError):
            return  # the process is gone


if __name__ == "__main__":
    main()
