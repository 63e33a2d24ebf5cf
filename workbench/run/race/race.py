"""Two engines on the same stream, each in a thread of its own, and a referee who says whose turn it is."""

from __future__ import annotations

import math
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from figmn import IGMN, FastIGMN, Record
from figmn.bench import pinned
from figmn.engine import Engine
from figmn.parity import Differences
from workbench.run.learn.chunks import CHUNK_SECONDS, Pace
from workbench.run.learn.learner import Stopwatch, timed
from workbench.run.race.frame import LaneFrame, RaceFrame
from workbench.run.race.lane import Lane
from workbench.run.race.monitor import Monitor
from workbench.run.race.settings import RaceSettings
from workbench.run.race.split_times import SplitTimes
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import prepare
from workbench.run.show.frame import LIVE, Message, Plane, State
from workbench.run.show.mailbox import Mailbox
from workbench.run.show.planes import Axes, axes_of, first_plane
from workbench.run.show.points import KEPT
from workbench.source import Cancelled
from workbench.words.names import SOLVER_NAMES

FRAME_SECONDS = 0.08
"""Least time between two frames: the engines rest while a frame is painted."""
LOOK_SHARE = 0.1
"""Share of a lane's time that looking at it may take."""
PAINT_SECONDS = 0.1
"""How long the engines wait at most for a frame to be painted."""
CHECK_SHARE = 0.2
"""Share of the engines' time that checks of their numbers may take while they run."""
TURN_SECONDS = 0.05
"""Engine time by which the one whose turn it is may get ahead."""
ROUND = 6
"""Chunks of the slower engine between two meetings, where both meet."""
NAP = 0.005
"""Seconds between two looks whether others are still busy."""
FAST, CUBIC, CHECK = 0, 1, 2


class Race:
    """A race in threads of its own. Its methods return at once; what came of them shows in the mailbox.

    `data` gives what is raced on; it is called in the referee's thread, as drawing synthetic rows takes a while.
    The race begins when none of `others` is busy any more: they would disturb its times.

    The referee's thread never learns: it hears commands at once, even inside of a step that takes seconds.
    """

    def __init__(
        self,
        number: int,
        data: Callable[[], tuple[Dataset, Recipe]],
        settings: RaceSettings,
        mailbox: Mailbox[RaceFrame],
        *,
        others: Sequence[Callable[[], bool]] = (),
        is_held: bool = False,
        speed: float | None = None,
        plane: Plane | None = None,
        is_watched: bool = True,
        threads: int = 1,
        stopwatches: tuple[Stopwatch, Stopwatch] = (timed, timed),
    ) -> None:
        self.number, self.settings = number, settings
        self.settled = threading.Event()
        """Set when it has ended and nothing is left to be found out."""
        self._data, self._mailbox, self._plane, self._others = data, mailbox, plane, others
        self._is_watched, self._threads, self._stopwatches = is_watched, threads, stopwatches
        self._inbox: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._is_closed, self._is_unwanted = threading.Event(), threading.Event()
        self._state: State = "paused" if is_held else "running"
        self._lanes: list[Lane] = []
        self._looks: list[LaneFrame] = []
        self._look_due = [0.0, 0.0]
        self._busy: set[int] = set()
        self._work: dict[int, Future[Any]] = {}
        """The latest of every thread."""
        self._is_checking = False
        self._monitor, self._splits = Monitor(), SplitTimes()
        self._until: int | None = None
        self._pace, self._allowed = Pace(speed), 0
        self._round, self._latest = 0, FAST
        self._is_shown, self._frame_due, self._paint_due = False, 0.0, 0.0
        self._shown_state: State | None = None
        self._pool = [ThreadPoolExecutor(1, name) for name in ("fast", "cubic", "check")]
        self._thread = threading.Thread(target=self._main, name=f"race {number}")
        self._thread.start()

    @property
    def state(self) -> State:
        """What it does now; a command that was just given may not be in it yet."""
        return self._state

    # What the user wants

    def play(self) -> None:
        """Go on."""
        self._tell(self._go)

    def pause(self) -> None:
        """Hold; a step that is under way is finished behind the scenes."""
        self._tell(lambda: self._hold("Paused"))

    def step(self, n_samples: int = 1) -> None:
        """Let both learn up to `n_samples` samples more than the slower one has, then pause."""
        self._tell(lambda: self._run_to(self._n_done + n_samples))

    def run_to(self, sample: int) -> None:
        """Go on until both have learned `sample` samples, then pause."""
        self._tell(lambda: self._run_to(sample))

    def stop(self) -> None:
        """End the race; a step that is under way is finished behind the scenes."""
        self._is_unwanted.set()
        self._tell(lambda: self._end("stopped", "The race was stopped"))

    def set_speed(self, samples_per_second: float | None) -> None:
        """Let no engine learn faster than this; None: as fast as it goes."""
        self._tell(lambda: self._keep(samples_per_second))

    def set_plane(self, plane: Plane) -> None:
        """Draw on another plane."""
        self._tell(lambda: self._draw_on(plane))

    def painted(self) -> None:
        """Be told that the latest frame has been painted: the engines need not rest any longer."""
        self._tell(self._see_painted)

    def close(self) -> None:
        """End the threads soon; nobody needs to wait for a step that is under way."""
        self._is_unwanted.set()
        self._is_closed.set()
        self._tell(lambda: None)

    def join(self) -> None:
        """Wait for the end of all threads."""
        self._thread.join()
        for pool in self._pool:
            pool.shutdown(wait=True)

    @property
    def is_at_work(self) -> bool:
        """Whether an engine learns at this moment, or the numbers are compared; also after the end."""
        return any(not one.done() for one in self._work.values())

    @property
    def is_waiting(self) -> bool:
        """Whether it has not begun, because something else is still busy."""
        return any(is_busy() for is_busy in self._others)

    @property
    def is_alive(self) -> bool:
        """Whether a thread has not ended yet."""
        return self._thread.is_alive() or self.is_at_work

    def forget(self) -> None:
        """Let go of the engines, once no thread is left.

        Commands that nobody heard and callbacks lead back to the race: without this, its engines would stay until
        Python looks for such circles, which may be never where little else is made and dropped.
        """
        for lane in self._lanes:
            lane.forget()
        self._lanes, self._looks, self._work = [], [], {}

    def _tell(self, command: Callable[[], None]) -> None:
        self._inbox.put(command)

    # The referee's thread

    def _main(self) -> None:
        with ExitStack() as stack:
            self._unpin = stack.close
            self._wait_for_others()
            self._attempt(lambda: self._begin(stack))
            while not self._is_closed.is_set():
                self._attempt(self._go_on)
        for pool in self._pool:
            pool.shutdown(wait=False, cancel_futures=True)

    def _wait_for_others(self) -> None:
        """Until nothing else is timed; commands are heard meanwhile."""
        while self.is_waiting and not self._is_unwanted.is_set():
            self._hear(NAP)
        self._others = ()  # they may hold on to much

    def _attempt(self, action: Callable[[], None]) -> None:
        """Do something; where it fails, the race has failed, and what was measured so far stays."""
        try:
            action()
        except Cancelled:
            pass  # stopped or closed before the first sample
        except Exception as error:  # noqa: BLE001 - the one catch of the thread
            self._state, self._is_shown = "failed", self._state == "failed" or not self._looks
            details = "".join(traceback.format_exception(error))
            self._mailbox.send(Message(self.number, "failed", str(error) or type(error).__name__, details))
            self._unpin()
            self.settled.set()

    def _begin(self, stack: ExitStack) -> None:
        if self._is_unwanted.is_set():
            raise Cancelled
        stack.enter_context(pinned(self._threads))
        dataset, recipe = self._data()
        del self._data  # it may hold on to much, such as the races before
        # Now: what it makes the window draw is over by the start.
        self._send("started", f"Race: {recipe.describe(dataset.n_encoded)}")
        prepared = prepare(dataset, recipe, lambda done, total: not self._is_unwanted.is_set())  # noqa: ARG005
        self._recipe, self._prepared = recipe, prepared
        self._axes = axes_of(self._plane or first_plane(prepared), prepared)
        engines: tuple[Callable[..., Engine], ...] = (FastIGMN, partial(IGMN, solver=self.settings.solver))
        titles = ("Fast IGMN", f"IGMN ({SOLVER_NAMES[self.settings.solver]})")
        self._lanes = [
            Lane(title, recipe, prepared, engine, stopwatch)
            for title, engine, stopwatch in zip(titles, engines, self._stopwatches, strict=True)
        ]
        self._looks = [lane.look(self._axes, KEPT) for lane in self._lanes]
        if prepared.left_out is not None:
            self._tell_left_out()
        self._pace.start()
        # What takes no longer than this is not interrupted to be looked at.
        self._frame_due = time.perf_counter() + FRAME_SECONDS
        self._look_due = [self._frame_due, self._frame_due]

    def _go_on(self) -> None:
        if self._lanes:
            self._dispatch()
            self._show()
        self._hear(self._patience())

    def _hear(self, seconds: float | None) -> None:
        """Do what was commanded; wait so long for the first command, None: for ever."""
        try:
            self._inbox.get(timeout=seconds)()
            while True:
                self._inbox.get_nowait()()
        except Empty:
            pass

    def _patience(self) -> float | None:
        """Seconds until something must be done without being told; None: nothing need be."""
        if self._state != "running" or not self._lanes:
            return None
        if self._pace.speed is not None:
            return max(0.005, min(0.05, self._pace.wait()))
        if self._rests:
            return max(0.001, self._paint_due - time.perf_counter())
        return None if self._busy or self._is_checking else 0.0

    @property
    def _n_done(self) -> int:
        """Samples that both have learned."""
        return min((lane.n_done for lane in self._lanes), default=0)

    @property
    def _rests(self) -> bool:
        """Whether the engines wait for the window to paint."""
        return self.settings.takes_turns and time.perf_counter() < self._paint_due

    # Whose turn it is

    def _dispatch(self) -> None:
        if self._is_checking:
            return
        if self._wants_check():
            self._check()
        elif self._state == "running" and not self._rests:
            self._allow()
            for index in self._next():
                self._start(index)
        elif self._state != "running":
            self._look_again()

    def _allow(self) -> None:
        """As many samples as the speed makes due."""
        due = max(0, self._pace.due())
        self._pace.learned(due)
        ahead = max(lane.n_done for lane in self._lanes)
        self._allowed = self._allowed + due if self._pace.speed is not None else ahead + due
        if all(lane.is_through for lane in self._lanes):
            self._end("finished", self._summary())
        elif self._until is not None and all(lane.is_through or lane.n_done >= self._until for lane in self._lanes):
            self._hold(f"Paused at sample {self._until:,}")

    def _next(self) -> list[int]:
        """The lanes that shall learn now."""
        if self._state != "running" or (self._busy and self.settings.takes_turns):
            return []
        may = [k for k in (FAST, CUBIC) if k not in self._busy and self._n_rows(k) > 0]
        if self.settings.mode == "sample" and not may and not self._busy:
            self._round = self._n_done + self._round_rows()
            may = [k for k in (FAST, CUBIC) if self._n_rows(k) > 0]
        return may if len(may) < len(self._lanes) or not self.settings.takes_turns else [self._turn()]

    def _turn(self) -> int:
        """The contender with less elapsed time.

        The current one keeps its turn for `TURN_SECONDS` while its caches are warm.
        """
        ahead = self._lanes[self._latest].engine_seconds - self._lanes[1 - self._latest].engine_seconds
        return self._latest if ahead < TURN_SECONDS else 1 - self._latest

    def _round_rows(self) -> int:
        """Samples until the next meeting."""
        return ROUND * min(lane.wanted_rows for lane in self._lanes)

    def _n_rows(self, index: int) -> int:
        """Samples that a lane may learn now."""
        lane = self._lanes[index]
        if lane.is_through:
            return 0
        limits = [self._allowed]
        limits += [] if self._until is None else [self._until]
        limits += [self._round] if self.settings.mode == "sample" else []
        return min(limits) - lane.n_done

    def _start(self, index: int) -> None:
        """Let a lane learn in its thread."""
        self._busy.add(index)
        self._latest = index
        n_rows, axes = self._n_rows(index), self._axes
        at_once = self.settings.mode == "sample"  # so that both learn in the same chunks

        def learn() -> tuple[list[Record], LaneFrame | None]:
            lane = self._lanes[index]
            records = [lane.advance(n_rows)] if at_once else lane.advance_for(CHUNK_SECONDS, n_rows)
            is_due = time.perf_counter() >= self._look_due[index] or lane.is_through
            return [one for one in records if one is not None], self._looked(index, axes) if is_due else None

        self._submit(index, learn, self._arrive)

    def _look(self, index: int, axes: Axes) -> tuple[list[Record], LaneFrame]:
        """What a lane that has learned nothing new arrives with."""
        return [], self._looked(index, axes)

    def _looked(self, index: int, axes: Axes) -> LaneFrame:
        """What there is to see of a lane, called in its thread."""
        began = time.perf_counter()
        found = self._lanes[index].look(axes, KEPT)
        now = time.perf_counter()
        self._look_due[index] = now + max(FRAME_SECONDS, (now - began) / LOOK_SHARE)
        return found

    def _look_again(self) -> None:
        """Where nothing runs, show lanes as they are."""
        for index, (lane, look) in enumerate(zip(self._lanes, self._looks, strict=True)):
            stale = look.figures.n_done != lane.n_done or look.picture.plane != self._axes.plane
            if stale and index not in self._busy:
                self._busy.add(index)
                self._submit(index, partial(self._look, index, self._axes), self._arrive)

    def _submit(self, index: int, work: Callable[[], Any], arrive: Callable[[int, Future[Any]], None]) -> None:
        self._work[index] = self._pool[index].submit(work)
        self._work[index].add_done_callback(lambda done: self._tell(lambda: arrive(index, done)))

    def _arrive(self, index: int, done: Future[Any]) -> None:
        """Take what a lane has done."""
        self._busy.discard(index)
        records, look = done.result()
        had_diverged = self._monitor.parity.divergence is not None
        for record in records:
            self._monitor.add(index, record)
            self._splits.add(index, len(record.born), record.nanoseconds / 1e9)
        if look is not None:
            self._looks[index] = look
        self._is_shown = False
        for text in self._lanes[index].complaints() if index == FAST else ():
            self._send("warning", text)
        divergence = self._monitor.parity.divergence
        if divergence is not None and not had_diverged:
            first, second = divergence.decisions
            self._send("warning", f"Sample {divergence.sample + 1:,}: Fast IGMN {first}, IGMN {second}")

    # Parity

    def _wants_check(self) -> bool:
        """Whether both rest after the same samples, and the numbers have not been compared there."""
        fast, cubic = self._lanes
        is_new = fast.n_done == cubic.n_done > self._monitor.parity.n_checked
        if self._busy or not is_new or self._state == "failed":
            return False
        if self._state != "running" or fast.is_through:
            return True
        allowed = CHECK_SHARE * (fast.engine_seconds + cubic.engine_seconds)
        return self.settings.mode == "sample" and self._monitor.check_seconds <= allowed

    def _check(self) -> None:
        self._is_checking = True
        engines, n_samples = [lane.engine for lane in self._lanes], self._lanes[FAST].n_done

        def work() -> tuple[tuple[Differences, str], float]:
            began = time.perf_counter()
            return self._monitor.check(engines), time.perf_counter() - began

        def arrive(_: int, done: Future[Any]) -> None:
            self._is_checking, self._is_shown = False, False
            self._monitor.take(done.result()[0], n_samples, done.result()[1])

        self._submit(CHECK, work, arrive)

    # Commands, in the referee's thread

    def _go(self) -> None:
        if self._state in LIVE:
            self._state, self._until, self._is_shown = "running", None, False
            self._start_clocks()

    def _start_clocks(self) -> None:
        self._pace.start()
        self._allowed = max((lane.n_done for lane in self._lanes), default=0)

    def _run_to(self, sample: int) -> None:
        if self._state not in LIVE:
            return
        if sample <= self._n_done:
            self._hold(f"Paused at sample {self._n_done:,}: sample {sample:,} was already learned")
            return
        self._state, self._until, self._is_shown = "running", sample, False
        self._start_clocks()

    def _hold(self, text: str) -> None:
        if self._state == "running":
            self._state, self._until, self._is_shown = "paused", None, False
            self._send("paused", text)

    def _end(self, state: State, text: str) -> None:
        if self._state in LIVE:
            self._state, self._is_shown = state, False
            self._send("finished" if state == "finished" else "stopped", text)
            if self._lanes and self._prepared.left_out is None:
                self._tell_left_out()
            self._unpin()
            if not self._lanes:
                self.settled.set()

    def _tell_left_out(self) -> None:
        """Once a race, and once for both: they are given the same rows."""
        if text := self._lanes[FAST].left_out:
            self._send("left-out", text)

    def _keep(self, speed: float | None) -> None:
        self._pace = Pace(speed)
        self._start_clocks()

    def _draw_on(self, plane: Plane) -> None:
        self._plane = plane
        if self._lanes:
            self._axes = axes_of(plane, self._prepared)
            self._look_due = [0.0, 0.0]

    def _see_painted(self) -> None:
        self._paint_due = 0.0

    # What is shown

    def _show(self) -> None:
        now = time.perf_counter()
        is_over = self._state not in LIVE and not self._busy and not self._is_checking and not self._wants_check()
        if self._is_shown or (self._state == "running" and (self._mailbox.is_waiting or now < self._frame_due)):
            self._settle(is_over)
            return
        planes = {look.picture.plane for look in self._looks}
        if self._busy and planes != {self._axes.plane} and self._state == self._shown_state:
            return  # the panes change their plane together; a command is shown at once
        self._is_shown, self._shown_state = True, self._state
        self._mailbox.show(self.frame())
        self._frame_due = now + FRAME_SECONDS
        if self._is_watched and self._state == "running":
            self._paint_due = now + PAINT_SECONDS
        self._settle(is_over)

    def _settle(self, is_over: bool) -> None:
        fresh = all(look.figures.n_done == lane.n_done for look, lane in zip(self._looks, self._lanes, strict=True))
        if is_over and fresh:
            self.settled.set()

    def frame(self) -> RaceFrame:
        """The present moment."""
        fast, cubic = self._looks
        return RaceFrame(
            run=self.number,
            recipe=self._recipe,
            settings=self.settings,
            columns=self._prepared.encoder.names,
            labels=self._prepared.stream.labels(self._prepared.colour),
            state=self._state,
            n_total=self._lanes[FAST].n_total,
            left_out=self._lanes[FAST].left_out,
            fast=fast,
            cubic=cubic,
            split=self._splits.at(min(fast.figures.n_done, cubic.figures.n_done)),
            parity=self._monitor.parity,
            threads=self._threads,
            seconds_left=self._seconds_left(),
            colour=self._prepared.colour,
            has_targets=self._prepared.has_targets,
        )

    def _seconds_left(self) -> float | None:
        left = []
        for lane in self._lanes:
            if lane.n_total is None or not lane.n_done:
                return None
            left.append((lane.n_total - lane.n_done) * lane.engine_seconds / lane.n_done)
        by_clock = sum(left) if self.settings.takes_turns else max(left)
        slowest = max((lane.n_total or 0) - lane.n_done for lane in self._lanes)
        return by_clock if self._pace.speed is None else max(by_clock, slowest / self._pace.speed)

    def _summary(self) -> str:
        frame = self.frame()
        factor = "" if math.isnan(frame.speed_up) else f", speed-up {frame.speed_up:,.1f}×"
        return f"Race finished: {frame.n_done:,} samples{factor}"

    def _send(self, kind: Any, text: str) -> None:
        self._mailbox.send(Message(self.number, kind, text))
