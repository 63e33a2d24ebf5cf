"""The transport: play, pause, step, run to, stop and speed of anything that advances sample by sample in a thread."""

from __future__ import annotations

import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, ClassVar, Generic, TypeVar

from workbench.run.pace import Pace
from workbench.run.rest import Rest
from workbench.run.show.frame import LIVE, Message, MessageKind, Plane, State
from workbench.run.show.mailbox import Mailbox, Shown
from workbench.source import Cancelled

Returned = TypeVar("Returned")


class Transport(ABC, Generic[Shown]):
    """A worker thread with a command queue and a mailbox. Commands return at once; their effect shows in the mailbox.

    The thread prepares once, then repeats: work, wait for commands, execute them. A worker that has ended (finished,
    stopped or failed) still executes commands that do not advance it, until it is closed.

    Subclasses implement these hooks, all of which are called in the thread:

    - `_begin`: prepare the data and the first frame. Raise `Cancelled` if `_is_closed` was set meanwhile.
    - `_work`: advance by what is due if the state is "running", and show a frame if one is due. It must return soon,
      as no command is executed before it has.
    - `_patience`: how many seconds to wait for a command before the next `_work`; None to wait until one arrives.
    - `_n_done`: samples done, from which `step` and `run_to` count.
    - `_draw_on`: draw the next frames on another plane.

    and override these where they have something to add:

    - `_resumed`: after play, step or run to has started the clocks.
    - `_held`: after a pause.
    - `_ended`: after the end (finished or stopped), once.
    - `_failed`: after an exception, which may be followed by others.
    - `_closed`: the last call of the thread.

    The subclass calls `_start` at the end of its `__init__`.
    """

    stop_text: ClassVar[str] = "Stopped"
    """The message of a stop."""

    def __init__(
        self, number: int, name: str, mailbox: Mailbox[Shown], *, is_held: bool = False, speed: float | None = None
    ) -> None:
        self.number = number
        """Marks frames and messages, so that those of an earlier run are recognised."""
        self._mailbox = mailbox
        self._commands: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._is_closed, self._is_stopped = threading.Event(), threading.Event()
        self._last_turn, self._is_over = threading.Lock(), False
        """After the thread's last turn nobody executes commands: questions are then answered where they are asked."""
        self._state: State = "paused" if is_held else "running"
        self._until: int | None = None
        """Sample to pause at; None: the end of the stream."""
        self._pace = Pace(speed)
        self._has_begun = False
        """Whether `_begin` has succeeded, so that there is something to advance and to show."""
        self._is_shown = False
        """Whether the latest frame shows the present state."""
        self._frame_due = 0.0
        self._thread = threading.Thread(target=self._main, name=f"{name} {number}")

    def _start(self) -> None:
        self._thread.start()

    @property
    def state(self) -> State:
        """The present state; commands that are still in the queue do not count."""
        return self._state

    # Commands, called by any thread

    def play(self) -> None:
        """Continue."""
        self._tell(self._play)

    def pause(self) -> None:
        """Pause after the chunk that is under way."""
        self._tell(lambda: self._hold("Paused"))

    def step(self, n_samples: int = 1) -> None:
        """Advance by `n_samples` samples, then pause."""
        self._tell(lambda: self._run_to(self._n_done + n_samples))

    def run_to(self, sample: int) -> None:
        """Continue until `sample` samples are done, then pause."""
        self._tell(lambda: self._run_to(sample))

    def stop(self) -> None:
        """End for good; results so far are kept."""
        self._is_stopped.set()
        self._tell(lambda: self._end("stopped", self.stop_text))

    def set_speed(self, samples_per_second: float | None) -> None:
        """Limit the speed; None: unlimited."""
        self._tell(lambda: self._limit(samples_per_second))

    def set_plane(self, plane: Plane) -> None:
        """Draw on another plane."""
        self._tell(lambda: self._draw_on(plane))

    def rest(self) -> Rest:
        """Pause the thread itself, after the chunk that is under way, until the returned rest is ended."""
        rest = Rest()
        self._tell(rest.take)
        return rest

    def close(self) -> None:
        """End the thread after the chunk that is under way. Returns at once: see `join`."""
        self._is_closed.set()
        self._tell(lambda: None)

    def join(self) -> None:
        """Wait for the end of the thread."""
        self._thread.join()

    def forget(self) -> None:
        """Release what takes memory, once no thread is left."""

    @property
    def is_alive(self) -> bool:
        """Whether the thread is still running."""
        return self._thread.is_alive()

    def _tell(self, command: Callable[[], None]) -> None:
        """Queue a function for the thread."""
        self._commands.put(command)

    def _ask(self, question: Callable[[], Returned]) -> Future[Returned]:
        """Queue a function for the thread, and return its result as a future."""
        future: Future[Returned] = Future()

        def answer() -> None:
            try:
                future.set_result(question())
            except Exception as error:  # noqa: BLE001 - it belongs to the caller
                future.set_exception(error)

        with self._last_turn:
            if self._is_over:
                answer()
            else:
                self._tell(answer)
        return future

    # The thread

    def _main(self) -> None:
        self._attempt(self._prepare)
        self._attempt(lambda: self._hear(0.0))
        while not self._is_closed.is_set():
            self._attempt(self._turn)
        with self._last_turn:
            while not self._commands.empty():
                self._attempt(lambda: self._hear(0.0))  # callers that wait for an answer get one
            self._is_over = True
        self._attempt(self._closed)

    def _prepare(self) -> None:
        self._begin()
        self._has_begun = True
        self._pace.start()

    def _turn(self) -> None:
        if self._has_begun:
            self._work()
        self._hear(self._patience() if self._has_begun else None)

    def _hear(self, seconds: float | None) -> None:
        """Wait at most `seconds` for a command (None: until one arrives), then execute all that are queued."""
        try:
            self._commands.get(timeout=seconds)()
            while True:
                self._commands.get_nowait()()
        except Empty:
            pass

    def _attempt(self, action: Callable[[], None]) -> None:
        """Call `action`; an exception sets the state to "failed" and is sent as a message."""
        try:
            action()
        except Cancelled:
            pass  # stopped or closed while the data were being prepared
        except Exception as error:  # noqa: BLE001 - the only catch of the thread
            # An exception after a failure was raised by the frame itself: a further attempt would raise it again.
            self._state, self._is_shown = "failed", self._state == "failed"
            details = "".join(traceback.format_exception(error))
            self._mailbox.send(Message(self.number, "failed", str(error) or type(error).__name__, details))
            self._failed()

    # Commands, executed by the thread

    def _play(self) -> None:
        if self._state in LIVE:
            self._resume(None)

    def _run_to(self, sample: int) -> None:
        if self._state not in LIVE:
            return
        if sample <= self._n_done:
            self._hold(f"Paused at sample {self._n_done:,}: sample {sample:,} was already learned")
            return
        self._resume(sample)

    def _resume(self, until: int | None) -> None:
        self._state, self._until, self._is_shown = "running", until, False
        self._pace.start()  # the time of a pause does not count
        self._resumed()

    def _hold(self, text: str) -> None:
        """Pause, if running."""
        if self._state == "running":
            self._state, self._until, self._is_shown = "paused", None, False
            self._send("paused", text)
            self._held()

    def _end(self, state: State, text: str) -> None:
        """Finish or stop, unless that has happened before."""
        if self._state in LIVE:
            self._state, self._is_shown = state, False
            self._send("finished" if state == "finished" else "stopped", text)
            self._ended()

    def _limit(self, speed: float | None) -> None:
        self._pace = Pace(speed)

    # Frames and messages

    def _frame_is_due(self) -> bool:
        """While running: whether the last frame was taken and `_frame_due` has passed. Otherwise: after any change."""
        if self._state == "running":
            return not self._mailbox.is_waiting and time.perf_counter() >= self._frame_due
        return not self._is_shown

    def _send(self, kind: MessageKind, text: str, **data: Any) -> None:
        self._mailbox.send(Message(self.number, kind, text, data=data))

    # Hooks

    @abstractmethod
    def _begin(self) -> None:
        """Prepare the data and the first frame."""

    @abstractmethod
    def _work(self) -> None:
        """Advance by what is due, and show a frame if one is due."""

    @abstractmethod
    def _patience(self) -> float | None:
        """Seconds to wait for a command before the next `_work`; None: until one arrives."""

    @property
    @abstractmethod
    def _n_done(self) -> int:
        """Samples done."""

    @abstractmethod
    def _draw_on(self, plane: Plane) -> None:
        """Draw the next frames on another plane."""

    def _resumed(self) -> None:
        """Called after play, step or run to."""

    def _held(self) -> None:
        """Called after a pause."""

    def _ended(self) -> None:
        """Called after the end."""

    def _failed(self) -> None:
        """Called after an exception."""

    def _closed(self) -> None:
        """Called last."""
