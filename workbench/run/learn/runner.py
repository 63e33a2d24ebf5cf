"""The learner's thread: plays, pauses and steps a run, and shows frames of it. It knows nothing of a window."""

from __future__ import annotations

import contextlib
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, Literal, TypeVar

from figmn import Parameters
from figmn.params import CHANGEABLE
from workbench.run.learn.chunks import ChunkSize, Pace
from workbench.run.learn.input_scores import InputScores
from workbench.run.learn.learner import Learner, latest_words
from workbench.run.learn.rest import Rest
from workbench.run.learn.sample_log import SampleLog
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import prepare
from workbench.run.show.frame import LIVE, Frame, FullCensus, Message, Plane, State
from workbench.run.show.mailbox import Mailbox
from workbench.run.show.planes import axes_of, first_plane, picture
from workbench.run.show.points import KEPT, LatestPoints
from workbench.source import Cancelled
from workbench.words.sentences import UserError

FRAME_SECONDS = 1 / 50
"""Least time between two frames."""
FRAME_SHARE = 0.1
"""Share of the thread's time that frames may take."""
RATE_SECONDS = 0.5
"""Time over which samples a second are counted."""
NAP, TICK = 0.05, 0.01
"""Longest and shortest sleep while a speed is kept: samples that are due in one tick are learned together."""

Answer = TypeVar("Answer")
Wish = Literal["play", "pause"]


class Runner:
    """One run in a thread of its own. Its methods return at once; what came of them shows in the mailbox.

    A run that has ended (finished, stopped or failed) still answers: its plane can be changed and its log asked for
    until it is closed.
    """

    def __init__(
        self,
        number: int,
        recipe: Recipe,
        dataset: Dataset,
        mailbox: Mailbox[Frame],
        *,
        wish: Wish = "play",
        speed: float | None = None,
        plane: Plane | None = None,
        pause_on: tuple[bool, bool] = (False, False),
        trail: int = KEPT,
    ) -> None:
        self.number, self.recipe = number, recipe
        self._dataset, self._mailbox = dataset, mailbox
        self._commands: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._is_closed = threading.Event()
        self._state: State = "running" if wish == "play" else "paused"
        self._plane, self._pause_on, self._trail = plane, pause_on, trail
        self._until: int | None = None
        self._pace = Pace(speed)
        self._rate = Rate()
        self._chunk = ChunkSize(1)
        self._log = SampleLog()
        self._learner: Learner | None = None
        self._frame_due, self._is_shown, self._owes_held_out = 0.0, False, False
        self._thread = threading.Thread(target=self._main, name=f"run {number}")
        self._thread.start()

    @property
    def state(self) -> State:
        """What it does now; a command that was just given may not be in it yet."""
        return self._state

    @property
    def n_columns(self) -> int | None:
        """Columns after encoding, known before the first sample; None where the data cannot be encoded."""
        return self._dataset.n_encoded

    # What the user wants

    def play(self) -> None:
        """Go on."""
        self._tell(self._go)

    def pause(self) -> None:
        """Hold after the chunk that is being learned."""
        self._tell(lambda: self._hold("Paused"))

    def step(self, n_samples: int = 1) -> None:
        """Learn `n_samples` samples, then pause."""
        self._tell(lambda: self._step(n_samples))

    def run_to(self, sample: int) -> None:
        """Go on until `sample` samples have been learned, then pause."""
        self._tell(lambda: self._run_to(sample))

    def stop(self) -> None:
        """End the run; what it has learned stays."""
        self._tell(lambda: self._end("stopped", "Stopped"))

    def set_speed(self, samples_per_second: float | None) -> None:
        """Keep this speed, or None for as fast as it goes."""
        self._tell(lambda: self._keep(samples_per_second))

    def set_plane(self, plane: Plane) -> None:
        """Draw on another plane."""
        self._tell(lambda: self._draw_on(plane))

    def set_colour(self, column: str | None) -> None:
        """Colour all points that are kept by another column; None for one colour."""
        self._tell(lambda: self._colour_by(column))

    def set_trail(self, n_points: int) -> None:
        """Show the latest `n_points` samples, as far as they are kept."""
        self._tell(lambda: self._show_points(n_points))

    def set_pause_on(self, births: bool, removals: bool) -> None:
        """Hold right after the next birth or removal."""
        self._tell(lambda: setattr(self, "_pause_on", (births, removals)))

    def change(self, parameters: Parameters) -> None:
        """Use other values of the hyper-parameters that may change during a run, from the next sample."""
        self._tell(lambda: self._change(parameters))

    def ask(self, question: Callable[[Learner, SampleLog], Answer]) -> Future[Answer]:
        """Have something found out in the thread, between two chunks."""
        future: Future[Answer] = Future()

        def answer() -> None:
            try:
                if self._learner is None:
                    raise UserError("The run could not start, so there is nothing to export.")
                future.set_result(question(self._learner, self._log))
            except Exception as error:  # noqa: BLE001 - it belongs to who asked
                future.set_exception(error)

        self._tell(answer)
        return future

    def rest(self) -> Rest:
        """Learn nothing from the end of this chunk until the rest is over."""
        rest = Rest()
        self._tell(rest.take)
        return rest

    def close(self) -> None:
        """End the thread soon: after the chunk that is being learned, or when the data will let go."""
        self._is_closed.set()
        self._tell(lambda: None)

    def join(self) -> None:
        """Wait for the end of the thread."""
        self._thread.join()

    @property
    def is_alive(self) -> bool:
        """Whether the thread has not ended yet."""
        return self._thread.is_alive()

    def _tell(self, command: Callable[[], None]) -> None:
        self._commands.put(command)

    # The thread

    def _main(self) -> None:
        self._attempt(self._begin)
        while not self._is_closed.is_set():
            self._attempt(self._go_on)
        while not self._commands.empty():
            self._attempt(self._drain)  # whoever has asked gets an answer
        if self._learner is not None:
            self._attempt(self._learner.close)

    def _attempt(self, action: Callable[[], None]) -> None:
        """Do something; where it fails, the run has failed, and what was learned so far stays."""
        try:
            action()
        except Cancelled:
            pass  # closed while the data were being read
        except Exception as error:  # noqa: BLE001 - the one catch of the thread
            # What fails after a failure was the picture itself: another attempt would fail the same way, without end.
            self._state, self._is_shown = "failed", self._state == "failed"
            details = "".join(traceback.format_exception(error))
            self._mailbox.send(Message(self.number, "failed", str(error) or type(error).__name__, details))

    def _begin(self) -> None:
        prepared = prepare(self._dataset, self.recipe, lambda done, total: not self._is_closed.is_set())  # noqa: ARG005
        self._axes = axes_of(self._plane or first_plane(prepared), prepared)
        self._points = LatestPoints(prepared.encoder.n_columns, prepared.colours)
        self._colour = prepared.colour
        scores = InputScores(prepared.encoder.targets) if prepared.has_targets else None
        self._learner = Learner(self.recipe, prepared, self._log, input_scores=scores)
        self._send("started", f"Started: {self.recipe.describe(prepared.encoder.n_columns)}")
        if prepared.left_out is not None:
            self._tell_left_out(self._learner)
        self._pace.start()

    def _go_on(self) -> None:
        if self._state != "running" and self._is_shown:
            self._commands.get()()
        self._drain()
        if self._learner is None:
            self._is_shown = True  # it could not begin
            return
        if self._state == "running":
            self._learn(self._learner)
        self._show(self._learner)
        if self._owes_held_out and self._state != "running":
            self._tell_held_out(self._learner)  # after the frame: who has pressed pause sees at once that it holds

    def _drain(self) -> None:
        """Do what was asked for."""
        while True:
            try:
                command = self._commands.get_nowait()
            except Empty:
                return
            command()

    def _learn(self, learner: Learner) -> None:
        n_rows = self._n_next(learner)
        if n_rows < 1:
            self._sleep()
            return
        began = time.perf_counter()
        births, removals = self._pause_on
        happened = False
        if births or removals:
            chunk, happened = learner.advance_to_event(n_rows, births, removals)
        else:
            chunk = learner.advance(n_rows)
        count = len(chunk.values)
        if count:
            self._points.add(chunk)
        self._pace.learned(count)
        self._rate.learned(count)
        self._chunk.fit(count, time.perf_counter() - began)
        self._warn(learner)
        if count and learner.happened:
            self._send("event", learner.happened)
        if not count or learner.n_done == learner.n_total:
            self._end("finished", f"Finished after {learner.n_done:,} samples")
        elif happened:
            self._hold(f"Paused at sample {learner.n_done:,}: {latest_words(learner.latest)}")
        elif self._until is not None and learner.n_done >= self._until:
            self._hold(f"Paused at sample {learner.n_done:,}")

    def _n_next(self, learner: Learner) -> int:
        n_rows = min(self._chunk.rows, self._pace.due())
        return n_rows if self._until is None else min(n_rows, self._until - learner.n_done)

    def _sleep(self) -> None:
        """Until a sample is due or something is asked for."""
        with contextlib.suppress(Empty):
            self._commands.get(timeout=min(NAP, max(TICK, self._pace.wait())))()

    # Commands, in the thread

    def _go(self) -> None:
        if self._state in LIVE:
            self._state, self._until = "running", None
            self._start_clocks()

    def _start_clocks(self) -> None:
        """Count from now on: the time of a pause was nobody's."""
        self._pace.start()
        self._rate.start()

    def _step(self, n_samples: int) -> None:
        if self._learner is not None:
            self._run_to(self._learner.n_done + n_samples)

    def _run_to(self, sample: int) -> None:
        learner = self._learner
        if learner is None or self._state not in LIVE:
            return
        if sample <= learner.n_done:
            self._hold(f"Paused at sample {learner.n_done:,}: sample {sample:,} was already learned")
            return
        self._state, self._until = "running", sample
        self._start_clocks()

    def _hold(self, text: str) -> None:
        if self._state == "running":
            self._state, self._until, self._is_shown = "paused", None, False
            self._send("paused", text)
            self._owes_held_out = True

    def _end(self, state: State, text: str) -> None:
        if self._state in LIVE:
            self._state, self._is_shown = state, False
            self._send("finished" if state == "finished" else "stopped", text)
            self._owes_held_out = True
            if self._learner is not None:
                self._learner.close()
                if self._learner.prepared.left_out is None:
                    self._tell_left_out(self._learner)

    def _keep(self, speed: float | None) -> None:
        self._pace = Pace(speed)

    def _draw_on(self, plane: Plane) -> None:
        if self._learner is None:
            return
        self._axes = axes_of(plane, self._learner.prepared)
        self._is_shown = False

    def _colour_by(self, column: str | None) -> None:
        if self._learner is not None:
            self._colour = column if column in self._learner.prepared.colours else None
            self._is_shown = False

    def _show_points(self, n_points: int) -> None:
        self._trail, self._is_shown = n_points, False

    def _change(self, parameters: Parameters) -> None:
        learner = self._learner
        if learner is None or self._state not in LIVE:
            return
        before = learner.recipe
        learner.change(parameters)
        if learner.recipe is not before:
            self.recipe, self._is_shown = learner.recipe, False
            values = ", ".join(parameters.phrase(name) for name in CHANGEABLE)
            self._send("changed", f"From sample {learner.n_done + 1:,}: {values}")

    # What is shown

    def _show(self, learner: Learner) -> None:
        """A frame where something changed for good, or where one is due and the last has been seen."""
        now = time.perf_counter()
        if self._state == "running":
            if self._mailbox.is_waiting or now < self._frame_due:
                return
        elif self._is_shown:
            return
        self._is_shown = True
        began = time.thread_time()  # not wall-clock time: waiting for the window's thread costs nothing
        self._mailbox.show(self._frame(learner))
        cost = time.thread_time() - began
        self._frame_due = now + max(FRAME_SECONDS, cost / FRAME_SHARE)

    def _frame(self, learner: Learner) -> Frame:
        points, codes = self._points.on(self._axes, self._trail, self._colour)
        return Frame(
            run=self.number,
            recipe=learner.recipe,
            columns=learner.prepared.encoder.names,
            units=learner.prepared.units,
            labels=learner.prepared.stream.labels(self._colour),
            state=self._state,
            n_done=learner.n_done,
            n_total=learner.n_total,
            census=FullCensus.of_engine(learner.engine),
            picture=picture(self._axes, learner.engine, points, codes),
            timeline=learner.past.timeline(),
            latest=learner.latest,
            n_births=learner.n_births,
            n_removals=learner.n_removals,
            engine_seconds=learner.engine_seconds,
            rows_per_second=self._rate.now() if self._state == "running" else 0.0,
            colour=self._colour,
            kinds=learner.prepared.encoder.kinds,
            has_targets=learner.prepared.has_targets,
        )

    def _tell_left_out(self, learner: Learner) -> None:
        """Once a run: at its beginning where the rows are known, otherwise at its end."""
        if learner.left_out:
            self._send("left-out", learner.left_out)

    def _tell_held_out(self, learner: Learner) -> None:
        self._owes_held_out = False
        found = learner.held_out()
        if found is not None:
            words = found.words()
            self._send("held-out", words[0].upper() + words[1:], held_out=found, sample=learner.n_done)

    def _warn(self, learner: Learner) -> None:
        while learner.complaints:
            self._send("warning", learner.complaints.pop(0))

    def _send(self, kind: Any, text: str, **data: Any) -> None:
        self._mailbox.send(Message(self.number, kind, text, data=data))


class Rate:
    """Samples per second of wall-clock time, over the last half second or so."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Count from now on."""
        self._began, self._count, self._value = time.perf_counter(), 0, 0.0

    def learned(self, count: int) -> None:
        """Count samples."""
        self._count += count
        now = time.perf_counter()
        if now - self._began >= RATE_SECONDS:
            self._value = self._count / (now - self._began)
            self._began, self._count = now, 0

    def now(self) -> float:
        """The latest figure; that of the time so far until there is one."""
        elapsed = time.perf_counter() - self._began
        return self._value or (self._count / elapsed if elapsed > 0 else 0.0)
