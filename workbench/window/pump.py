"""The one place where threads and Qt meet: a timer takes the newest frame, the messages and the finished jobs."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from workbench.desk.race import RaceDesk
from workbench.desk.workspace import Workspace

INTERVAL = 16
"""Milliseconds between two looks."""
RATE_SECONDS = 1.0


class Pump(QObject):
    """Turns what the threads of a workspace and of a race have left into signals of the window's thread."""

    frame_arrived = Signal(object)
    message_arrived = Signal(object)
    job_ended = Signal(object)
    job_moved = Signal(object)
    """A job that is still under way, or None when there is none any more."""
    race_frame_arrived = Signal(object)
    race_message_arrived = Signal(object)
    measured = Signal(object)
    """What a sweep or a table has found so far."""
    machine_rated = Signal(float)
    """Operations per second of this machine, for estimates; once."""
    measuring_ended = Signal(object)
    """The error that ended it; None where there was none."""
    rate_changed = Signal(float)
    """Frames a second, about once a second."""

    def __init__(self, workspace: Workspace, desk: RaceDesk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._desk = workspace, desk
        self._was_busy = False
        self._n_frames, self._since = 0, time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.pump)
        self._timer.start(INTERVAL)

    def pump(self) -> None:
        """Take what there is."""
        self._take_run()
        self._take_race()
        self._take_measured()
        self._take_jobs()
        self._count()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def _take_run(self) -> None:
        workspace = self._workspace
        number = workspace.runner.number if workspace.runner is not None else None
        for message in workspace.mailbox.take_messages():
            self.message_arrived.emit(message)
        frame = workspace.mailbox.take_frame()
        if frame is not None and frame.run == number:
            workspace.frame = frame
            self._n_frames += 1
            self.frame_arrived.emit(frame)

    def _take_race(self) -> None:
        desk = self._desk
        for message in desk.mailbox.take_messages():
            self.race_message_arrived.emit(message)
        frame = desk.mailbox.take_frame()
        if frame is not None and desk.race is not None and frame.run == desk.race.number:
            self._n_frames += 1
            self.race_frame_arrived.emit(frame)

    def _take_measured(self) -> None:
        rate = self._desk.rate_meter.take()
        if rate is not None:
            self.machine_rated.emit(rate)
        found, ended = self._desk.take_measured()
        if found is not None:
            self.measured.emit(found)
        if ended is not None:
            self.measuring_ended.emit(ended.error)

    def _take_jobs(self) -> None:
        for ended in self._workspace.take_done():
            self.job_ended.emit(ended)
        job = self._workspace.job
        if job is not None or self._was_busy:
            self.job_moved.emit(job)
        self._was_busy = job is not None

    def _count(self) -> None:
        elapsed = time.perf_counter() - self._since
        if elapsed >= RATE_SECONDS:
            self.rate_changed.emit(self._n_frames / elapsed)
            self._workspace.forget_ended()
            self._desk.forget_ended()
            self._n_frames, self._since = 0, time.perf_counter()
