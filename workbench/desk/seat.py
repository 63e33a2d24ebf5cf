"""Base class of desks with a run: drives the present transport and starts the next. No Qt."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from workbench.run.show.frame import LIVE, Plane, State
from workbench.run.show.mailbox import Mailbox, Numbered
from workbench.run.speed import Speed
from workbench.run.transport import Transport


class Moment(Numbered, Protocol):
    """A frame with its progress."""

    @property
    def n_done(self) -> int:
        """Samples done."""


Driven = TypeVar("Driven", bound=Transport[Any])
ShownMoment = TypeVar("ShownMoment", bound=Moment)


class Seat(ABC, Generic[Driven, ShownMoment]):
    """Mailbox, run numbers, the present transport, its latest frame, and the user's speed and plane.

    Its methods return at once; what takes time runs in threads. Whether to play or to pause is decided from the state
    of the transport, never from the last frame, which may be out of date.

    Subclasses implement `start`, which calls `_begin` unless the seat is closed, and `goes_on`.
    """

    def __init__(self) -> None:
        self.mailbox: Mailbox[ShownMoment] = Mailbox()
        self.transport: Driven | None = None
        """The running transport, or the last one; None before the first start."""
        self.frame: ShownMoment | None = None
        """The latest frame that was taken, of the present transport."""
        self.plane: Plane | None = None
        """The plane that the user chose; None before a choice, and after the columns have changed."""
        self.columns: tuple[Any, ...] = ()
        """Columns of the latest start."""
        self._speed = Speed()
        self._ending: list[Driven] = []
        """Closed transports, whose threads may still finish a last chunk in the background."""
        self._n_started = 0
        self._is_closed = False

    @abstractmethod
    def start(self, *, is_held: bool = False, run_to: int | None = None) -> None:
        """Start a new transport with the present settings, paused if `is_held`; the previous one is closed."""

    @property
    @abstractmethod
    def goes_on(self) -> bool:
        """Whether play continues the present transport; otherwise it starts a new one."""

    def _begin(self, make: Callable[[int], Driven], columns: tuple[Any, ...], run_to: int | None) -> None:
        """Replace the transport by the one that `make` returns for a run number."""
        if columns != self.columns:
            self.columns, self.plane = columns, None
        self.close_transport()
        self._n_started += 1
        self.frame = None
        self.transport = make(self._n_started)
        if run_to is not None:
            self.transport.run_to(run_to)

    # What runs

    @property
    def state(self) -> State | None:
        """State of the present transport; None where there is none."""
        return None if self.transport is None else self.transport.state

    @property
    def number(self) -> int | None:
        """Number of the present transport; None where there is none."""
        return None if self.transport is None else self.transport.number

    @property
    def is_live(self) -> bool:
        """Whether the present transport can continue."""
        return self.state in LIVE

    def take_frame(self) -> ShownMoment | None:
        """The newest frame of the present transport, once; frames of earlier ones are dropped."""
        frame = self.mailbox.take_frame()
        if frame is None or frame.run != self.number:
            return None
        self.frame = frame
        return frame

    # Commands

    def play(self) -> None:
        """Continue, or start if nothing can continue."""
        if self.transport is not None and self.goes_on:
            self.transport.play()
        else:
            self.start()

    def pause(self) -> None:
        """Pause after the present chunk."""
        if self.transport is not None:
            self.transport.pause()

    def play_or_pause(self) -> None:
        """Pause if running, otherwise play."""
        if self.state == "running":
            self.pause()
        else:
            self.play()

    def step(self) -> None:
        """Learn one sample, then pause; start with the first one if nothing can continue."""
        if not self.goes_on:
            self.start(is_held=True)
        if self.transport is not None:
            self.transport.step()

    def run_to(self, sample: int) -> None:
        """Learn up to a sample, then pause; start again if that sample was already learned."""
        done = 0 if self.frame is None else self.frame.n_done
        if self.transport is not None and self.goes_on and sample > done:
            self.transport.run_to(sample)
        else:
            self.start(is_held=True, run_to=sample)

    def stop(self) -> None:
        """End for good; results so far are kept."""
        if self.transport is not None:
            self.transport.stop()

    # Speed and plane

    @property
    def speed(self) -> float | None:
        """Samples per second at most; None for unlimited."""
        return self._speed.value

    def set_speed(self, speed: float | None) -> None:
        """Set the user's choice of samples per second; None for unlimited."""
        self._speed.choose(speed)
        self._apply_speed()

    def toggle_unlimited(self) -> None:
        """Switch between unlimited and the previous limit."""
        self._speed.toggle()
        self._apply_speed()

    def _apply_speed(self) -> None:
        if self.transport is not None:
            self.transport.set_speed(self.speed)

    def set_plane(self, plane: Plane) -> None:
        """Draw on another plane."""
        self.plane = plane
        if self.transport is not None:
            self.transport.set_plane(plane)

    # Closing

    def close_transport(self) -> None:
        """Close the present transport; its threads end soon after."""
        if self.transport is not None:
            self.transport.close()
            self._ending.append(self.transport)
            self.transport = None

    def forget_ended(self) -> None:
        """Release transports whose threads have ended: mixtures and logs may take hundreds of megabytes."""
        ended = [one for one in self._ending if not one.is_alive]
        self._ending = [one for one in self._ending if one not in ended]
        for one in ended:
            one.forget()

    def close(self) -> None:
        """End all threads and wait for them."""
        self._is_closed = True
        self.close_transport()
        for one in self._ending:
            one.join()
