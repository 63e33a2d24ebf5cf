"""Notices when the window's event loop stands still, and whose fault that was.

On a machine with other work a thread may be late because it is given no core. So a stall is split: time on a core,
time asleep (a lock, the interpreter lock, a file), and the rest, for which it was ready but had to wait for a core, or
the whole machine stood still, the watching process with it. Only the first two are the program's own.
"""

from __future__ import annotations

import faulthandler
import itertools
import json
import mmap
import os
import re
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from tests.workbench.monkey import sampler
from tests.workbench.monkey.findings import Journal

FRAME = re.compile(r'  File "(.*)", line (\d+) in (.*)')
DEPTH = 100
INTERVAL = 25
"""Milliseconds between two beats."""


@dataclass(frozen=True)
class Stall:
    """How long a stall was, and how much of it was the program's own."""

    wall: float
    cpu: float
    asleep: float
    process_cpu: float
    load: float

    @staticmethod
    def of(line: dict[str, Any]) -> Stall:
        states = line["states"]
        share = sum(states.get(letter, 0) for letter in "SD") / max(1, sum(states.values()))
        asleep = share * max(0.0, line["wall"] - line["unwatched"])
        return Stall(line["wall"], line["cpu"], asleep, line["process_cpu"], line["load"])

    @property
    def own(self) -> float:
        return min(self.wall, self.cpu + self.asleep)

    def words(self) -> str:
        return (
            f"{self.wall:.2f} s: {self.cpu:.2f} s on a core, {self.asleep:.2f} s asleep,"
            f" {self.wall - self.own:.2f} s without a core; the whole process {self.process_cpu:.2f} s on cores,"
            f" load {self.load:.1f}"
        )


class StallProbe(QObject):
    """Beats in the window's thread; another process looks at the beats."""

    def __init__(self, journal: Journal, folder: Path, patience: float, memory_limit: float) -> None:
        super().__init__()
        self._journal, self._patience, self._out = journal, patience, folder / "stalls.jsonl"
        self.stalls: list[Stall] = []
        """Everything above a second, the program's own or not."""
        beats = folder / "beats"
        beats.write_bytes(sampler.BEAT.pack(time.monotonic()))
        with beats.open("r+b") as file:
            self._beats = mmap.mmap(file.fileno(), sampler.BEAT.size)
        self._beaten = time.monotonic()
        self._late: dict[float, tuple[int, tuple[str, ...]]] = {}
        """The action during which a stall that began then was met."""
        faulthandler.register(signal.SIGUSR1, file=journal.faults, all_threads=True)
        files = (str(beats), journal.faults.name, str(self._out))
        self._process = subprocess.Popen(
            [sys.executable, sampler.__file__, str(os.getpid()), *files, str(memory_limit)]
        )
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._timer.start(INTERVAL)

    def stop(self) -> None:
        """End the watching and judge what was seen."""
        self._timer.stop()
        self._process.kill()
        self._process.wait()
        faulthandler.unregister(signal.SIGUSR1)
        for line in self._out.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            self._judge(Stall.of(found), self._frames(found["stacks_at"]), self._late.get(found["began"]))

    def _beat(self) -> None:
        now = time.monotonic()
        if now - self._beaten > sampler.STALL:
            self._late[self._beaten] = self._journal.number, self._journal.last
            self._journal.say(f"late by {now - self._beaten:.2f} s")
        self._beaten = now
        sampler.BEAT.pack_into(self._beats, 0, now)

    def _judge(
        self, stall: Stall, frames: list[traceback.FrameSummary], when: tuple[int, tuple[str, ...]] | None
    ) -> None:
        self.stalls.append(stall)
        if stall.own >= self._patience:
            self._journal.find("stall", stall.words(), frames, when)

    def _frames(self, start: int) -> list[traceback.FrameSummary]:
        """The stack of the thread that was interrupted, which is the window's."""
        lines = Path(self._journal.faults.name).read_bytes()[start:].decode().splitlines()
        begin = next((number for number, line in enumerate(lines) if line.startswith("Current thread")), len(lines))
        found = [FRAME.match(line) for line in lines[begin + 1 : begin + 1 + DEPTH]]
        inner = itertools.takewhile(bool, found)
        return [traceback.FrameSummary(*_parts(frame)) for frame in inner if frame][::-1]


def _parts(frame: re.Match[str]) -> tuple[str, int, str]:
    path, line, name = frame.groups()
    return path, int(line), name
