"""Base class of pages with a run bar: the bar, the keys and the messages of the run."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from workbench.desk.seat import Seat
from workbench.pages.page import Page, PageView
from workbench.pages.shell import Level, Shell
from workbench.run.show.frame import Message
from workbench.views.fields.run_bar import RunBar

LEVELS: dict[str, Level] = {"failed": "error", "warning": "warning", "left-out": "warning"}


class RunningPage(Page):
    """A page whose run is played, paused and stepped by its run bar and by the keys of the Run menu."""

    def __init__(self, shell: Shell, view: PageView, run_bar: RunBar, seat: Seat[Any, Any]) -> None:
        super().__init__(shell, view)
        self.run_bar, self.seat = run_bar, seat
        self.controls = self
        run_bar.play_requested.connect(self.play_or_pause)
        run_bar.step_requested.connect(self.step)
        run_bar.run_to_requested.connect(self.run_to)
        run_bar.restart_requested.connect(self.restart)
        run_bar.stop_requested.connect(self.stop)
        run_bar.speed_changed.connect(self.set_speed)
        run_bar.unlimited_toggled.connect(self.toggle_unlimited)

    @abstractmethod
    def play(self) -> None:
        """Continue the run, or start one if none can continue."""

    @abstractmethod
    def step(self) -> None:
        """Learn one sample, then pause."""

    @abstractmethod
    def run_to(self, sample: int) -> None:
        """Learn up to a sample, then pause."""

    @abstractmethod
    def restart(self) -> None:
        """Start from the first sample with the present settings."""

    def play_or_pause(self) -> None:
        """Pause if running, otherwise play. Decided by the state of the run, as the last frame may be out of date."""
        if self.seat.state == "running":
            self.pause()
        else:
            self.play()

    def pause(self) -> None:
        """Pause after the present chunk."""
        self.seat.pause()

    def stop(self) -> None:
        """End the run; its results are kept."""
        self.seat.stop()

    def set_speed(self, speed: float | None) -> None:
        """Learn at most this many samples per second; None for no limit."""
        self.seat.set_speed(speed)

    def toggle_unlimited(self) -> None:
        """Switch between no limit and the limit chosen before."""
        self.seat.toggle_unlimited()
        self.show_speed()

    def show_speed(self) -> None:
        """Show the speed on the run bar."""
        self.run_bar.set_speed(self.seat.speed)

    # What is shown

    def pump(self) -> int:
        """Show the messages and the newest frame, and return the number of frames."""
        for message in self.seat.mailbox.take_messages():
            self.show_message(message)
        frame = self.seat.take_frame()
        if frame is None:
            return 0
        self.show_frame(frame)
        return 1

    @abstractmethod
    def show_frame(self, frame: Any) -> None:
        """Draw the newest frame."""

    def tick(self) -> None:
        """Release runs whose threads have ended."""
        self.seat.forget_ended()

    def show_message(self, message: Message) -> None:
        """Log a message; one of the present run is also shown on the page."""
        self.shell.note(LEVELS.get(message.kind, "info"), message.text, message.details)
        if message.run != self.seat.number:
            return  # of a run that was replaced
        self.shell.refresh()
        if message.kind == "failed":
            self.shell.failure = message.text
            self.notice.show_error(message.text, message.details)
        elif message.kind == "started":
            self.notice.clear()
        elif message.kind == "left-out":
            self.notice.show_error(message.text, kind="info")
        self.take_message(message)

    @abstractmethod
    def take_message(self, message: Message) -> None:
        """Update the page for a message of the present run."""
