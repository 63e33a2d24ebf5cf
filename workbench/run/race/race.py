"""A race: contenders learn the same stream, each in a thread of its own, and a referee says whose turn it is."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

from figmn import Record
from figmn.bench import pinned
from figmn.parity import Differences
from workbench.run.learn.chunks import CHUNK_SECONDS
from workbench.run.learn.learner import Stopwatch, timed
from workbench.run.race.contenders import RaceContender, contenders_of
from workbench.run.race.frame import PAIR, LaneFrame, RaceFrame, short_titles
from workbench.run.race.lane import Lane
from workbench.run.race.monitor import Monitors
from workbench.run.race.referee import Checked, Referee, Standing, Turn
from workbench.run.race.settings import RaceSettings
from workbench.run.race.split_times import SplitTimes
from workbench.run.race.workers import Workers
from workbench.run.recipe.dataset import Dataset
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import prepare
from workbench.run.show.frame import LIVE, Plane, State
from workbench.run.show.mailbox import Mailbox
from workbench.run.show.planes import Axes, axes_of, first_plane
from workbench.run.show.points import KEPT
from workbench.run.transport import Transport
from workbench.source import Cancelled
from workbench.words.sentences import UserError

FRAME_SECONDS = 0.08
"""Least time between two frames: the engines rest while a frame is painted."""
LOOK_SHARE = 0.1
"""Share of a lane's time that making its frames may take."""
PAINT_SECONDS = 0.1
"""How long the engines wait at most for a frame to be painted."""
NAP = 0.005
"""Seconds between two looks whether others are still busy."""
PARITY = "parity"
"""Key of the worker that compares the numbers; contenders have their positions as keys."""


class Race(Transport[RaceFrame]):
    """A race between any number of contenders, the first of which is the reference of parity and speed-up.

    The thread of the transport never learns, so it executes commands at once, even within a step that takes seconds.
    A step that is under way when the race is paused, stopped or closed is finished in the background.

    Parameters
    ----------
    number, mailbox, is_held, speed
        As in `Transport`.
    data
        Returns dataset and recipe. It is called in the thread of the race, as drawing synthetic rows takes a while.
    settings
        How it is raced; the solver is used where no contenders are given.
    contenders
        Two or more; by default those of the Race page.
    others
        The race begins when none of them is busy any more: they would disturb its times.
    is_watched
        Whether a window paints the frames and calls `painted`: the engines rest meanwhile.
    threads
        BLAS threads of every engine.
    stopwatches
        One for each contender, for tests.
    """

    stop_text = "The race was stopped"

    def __init__(
        self,
        number: int,
        data: Callable[[], tuple[Dataset, Recipe]],
        settings: RaceSettings,
        mailbox: Mailbox[RaceFrame],
        *,
        contenders: Sequence[RaceContender] = (),
        others: Sequence[Callable[[], bool]] = (),
        is_held: bool = False,
        speed: float | None = None,
        plane: Plane | None = None,
        is_watched: bool = True,
        threads: int = 1,
        stopwatches: Sequence[Stopwatch] = (),
    ) -> None:
        super().__init__(number, "race", mailbox, is_held=is_held, speed=speed)
        self.settings = settings
        self.settled = threading.Event()
        """Set when the race has ended and its last frame is complete."""
        self._contenders = tuple(contenders) or contenders_of(settings)
        if len(self._contenders) < PAIR:
            raise UserError(
                "A race needs at least two engines, and there is only {engine}: give another one.",
                engine=self._contenders[0].title,
            )
        self._stopwatches = stopwatches or (timed,) * len(self._contenders)
        self._data, self._plane, self._others = data, plane, others
        self._is_watched, self._threads = is_watched, threads
        self._lanes: list[Lane] = []
        self._looks: list[LaneFrame] = []
        """The latest frame of every lane."""
        self._look_due = [0.0] * len(self._contenders)
        self._workers = Workers([*range(len(self._contenders)), PARITY], self._tell)
        self._referee = Referee(settings.mode, settings.takes_turns)
        self._monitors, self._splits = Monitors(len(self._contenders)), SplitTimes(len(self._contenders))
        self._paint_due = 0.0
        self._shown_state: State | None = None
        self._pins = ExitStack()
        """Keeps BLAS to the number of threads of the race."""
        self._start()

    def painted(self) -> None:
        """Tell that the latest frame has been painted: the engines need not rest any longer."""
        self._tell(self._end_rest)

    def join(self) -> None:
        """Wait for the end of all threads."""
        super().join()
        self._workers.join()

    @property
    def is_at_work(self) -> bool:
        """Whether an engine learns at this moment, or the numbers are compared; also after the end."""
        return self._workers.is_at_work

    @property
    def is_waiting(self) -> bool:
        """Whether it has not begun, because something else is still busy."""
        return any(is_busy() for is_busy in self._others)

    @property
    def is_alive(self) -> bool:
        """Whether a thread is still running."""
        return super().is_alive or self.is_at_work

    def forget(self) -> None:
        """Release the engines, once no thread is left.

        Queued commands and callbacks refer to the race: without this, its engines would be kept until Python collects
        reference cycles, which may be never where few objects are made.
        """
        for lane in self._lanes:
            lane.forget()
        self._lanes, self._looks = [], []
        self._workers.forget()

    # Hooks of the transport

    def _begin(self) -> None:
        while self.is_waiting and not self._is_unwanted:
            self._hear(NAP)
        self._others = ()  # they may hold much memory
        if self._is_unwanted:
            raise Cancelled
        self._pins.enter_context(pinned(self._threads))
        dataset, recipe = self._data()
        del self._data  # it may hold much memory, such as earlier races
        # Sent now, so that the window has drawn its consequences before the engines start.
        self._send("started", f"Race: {recipe.describe(dataset.n_encoded)}")
        prepared = prepare(dataset, recipe, lambda done, total: not self._is_unwanted)  # noqa: ARG005
        self._recipe, self._prepared = recipe, prepared
        self._axes = axes_of(self._plane or first_plane(prepared), prepared)
        self._lanes = [
            Lane(contender.title, recipe, prepared, contender.make, stopwatch)
            for contender, stopwatch in zip(self._contenders, self._stopwatches, strict=True)
        ]
        self._looks = [lane.look(self._axes, KEPT) for lane in self._lanes]
        if prepared.left_out is not None:
            self._tell_left_out()
        # A race that takes no longer than this is not interrupted for a frame.
        self._frame_due = time.perf_counter() + FRAME_SECONDS
        self._look_due = [self._frame_due] * len(self._lanes)

    @property
    def _is_unwanted(self) -> bool:
        """Whether it was stopped or closed."""
        return self._is_stopped.is_set() or self._is_closed.is_set()

    def _work(self) -> None:
        self._dispatch()
        self._show()

    def _patience(self) -> float | None:
        if self._state != "running":
            return None
        if self._pace.speed is not None:
            return max(0.005, min(0.05, self._pace.wait()))
        if self._rests:
            return max(0.001, self._paint_due - time.perf_counter())
        return None if self._workers.busy else 0.0

    @property
    def _n_done(self) -> int:
        """Samples that all have learned."""
        return min((lane.n_done for lane in self._lanes), default=0)

    def _resumed(self) -> None:
        self._referee.restart(self._standings())

    def _limit(self, speed: float | None) -> None:
        super()._limit(speed)
        self._referee.restart(self._standings())

    def _draw_on(self, plane: Plane) -> None:
        self._plane = plane
        if self._has_begun:
            self._axes = axes_of(plane, self._prepared)
            self._look_due = [0.0] * len(self._lanes)

    def _ended(self) -> None:
        if self._has_begun and self._prepared.left_out is None:
            self._tell_left_out()
        self._pins.close()
        if not self._has_begun:
            self.settled.set()

    def _failed(self) -> None:
        self._is_shown = self._is_shown or not self._looks
        self._pins.close()
        self.settled.set()

    def _closed(self) -> None:
        self._pins.close()
        self._workers.close()

    # Whose turn it is

    def _dispatch(self) -> None:
        """Let a worker do what is due next."""
        if PARITY in self._workers.busy:
            return
        pair = self._pair_to_check()
        if pair is not None:
            self._check(pair)
        elif self._state != "running":
            self._look_again()
        elif not self._rests:
            self._take_turns()

    def _standings(self) -> list[Standing]:
        return [lane.standing(is_busy=index in self._workers.busy) for index, lane in enumerate(self._lanes)]

    @property
    def _rests(self) -> bool:
        """Whether the engines wait for the window to paint."""
        return self.settings.takes_turns and time.perf_counter() < self._paint_due

    def _end_rest(self) -> None:
        self._paint_due = 0.0

    def _take_turns(self) -> None:
        standings = self._standings()
        n_due = max(0, self._pace.due())
        self._pace.learned(n_due)
        self._referee.allow(standings, n_due, is_limited=self._pace.speed is not None)
        if self._referee.has_reached(standings, None):
            self._end("finished", self._summary())
        elif self._referee.has_reached(standings, self._until):
            self._hold(f"Paused at sample {self._until:,}")
        else:
            for turn in self._referee.turns(standings, self._until):
                self._let_learn(turn)

    def _let_learn(self, turn: Turn) -> None:
        lane, axes = self._lanes[turn.contender], self._axes
        is_one_call = self.settings.mode == "sample"  # so that all learn in the same chunks

        def learn() -> tuple[list[Record], LaneFrame | None]:
            records = [lane.advance(turn.n_rows)] if is_one_call else lane.advance_for(CHUNK_SECONDS, turn.n_rows)
            is_due = time.perf_counter() >= self._look_due[turn.contender] or lane.is_through
            look = self._look(turn.contender, axes) if is_due else None
            return [record for record in records if record is not None], look

        self._workers.submit(turn.contender, learn, partial(self._take_learned, turn.contender))

    def _look(self, index: int, axes: Axes) -> LaneFrame:
        """The present frame of a lane, made in its thread."""
        began = time.perf_counter()
        found = self._lanes[index].look(axes, KEPT)
        now = time.perf_counter()
        self._look_due[index] = now + max(FRAME_SECONDS, (now - began) / LOOK_SHARE)
        return found

    def _look_again(self) -> None:
        """While nothing runs, bring the frames of idle lanes up to date."""
        for index, (lane, look) in enumerate(zip(self._lanes, self._looks, strict=True)):
            is_stale = look.figures.n_done != lane.n_done or look.picture.plane != self._axes.plane
            if is_stale and index not in self._workers.busy:
                self._workers.submit(index, partial(self._look, index, self._axes), partial(self._take_look, index))

    def _take_look(self, index: int, look: LaneFrame) -> None:
        self._take_learned(index, ([], look))

    def _take_learned(self, index: int, found: tuple[list[Record], LaneFrame | None]) -> None:
        """Receive what a lane has learned, and its frame if one was due."""
        records, look = found
        diverged: list[int] = []
        for record in records:
            diverged += self._monitors.add(index, record)
            self._splits.add(index, len(record.born), record.nanoseconds / 1e9)
        if look is not None:
            self._looks[index] = look
        self._is_shown = False
        for text in self._lanes[index].complaints() if index == 0 else ():  # all warn of the same columns
            self._send("warning", text)
        for other in diverged:
            self._tell_divergence(other)

    def _tell_divergence(self, other: int) -> None:
        divergence = self._monitors[other].parity.divergence
        assert divergence is not None, "that is why it is told"
        names, (first, second) = short_titles([lane.title for lane in self._lanes]), divergence.decisions
        self._send("warning", f"Sample {divergence.sample + 1:,}: {names[0]} {first}, {names[other]} {second}")

    # Parity

    def _pair_to_check(self) -> int | None:
        if self._state == "failed":
            return None
        checked = [Checked(parity.n_checked, parity.check_seconds) for parity in self._monitors.parities]
        return self._referee.pair_to_check(self._standings(), checked, is_running=self._state == "running")

    def _check(self, other: int) -> None:
        """Compare the numbers of a contender with those of the first."""
        engines, n_samples = [self._lanes[0].engine, self._lanes[other].engine], self._lanes[0].n_done
        monitor = self._monitors[other]

        def compare() -> tuple[tuple[Differences, str], float]:
            began = time.perf_counter()
            return monitor.check(engines), time.perf_counter() - began

        def take(found: tuple[tuple[Differences, str], float]) -> None:
            self._is_shown = False
            monitor.take(found[0], n_samples, found[1])

        self._workers.submit(PARITY, compare, take)

    # Frames and messages

    def _show(self) -> None:
        """Send a frame if one is due."""
        is_over = self._state not in LIVE and not self._workers.busy and self._pair_to_check() is None
        if self._is_shown or not self._frame_is_due():
            self._settle(is_over)
            return
        planes = {look.picture.plane for look in self._looks}
        is_learning = bool(self._workers.busy - {PARITY})
        if is_learning and planes != {self._axes.plane} and self._state == self._shown_state:
            return  # the panes change their plane together; the effect of a command is shown at once
        now = time.perf_counter()
        self._is_shown, self._shown_state = True, self._state
        self._mailbox.show(self.frame())
        self._frame_due = now + FRAME_SECONDS
        if self._is_watched and self._state == "running":
            self._paint_due = now + PAINT_SECONDS
        self._settle(is_over)

    def _settle(self, is_over: bool) -> None:
        is_fresh = all(look.figures.n_done == lane.n_done for look, lane in zip(self._looks, self._lanes, strict=True))
        if is_over and is_fresh:
            self.settled.set()

    def frame(self) -> RaceFrame:
        """The present moment."""
        return RaceFrame(
            run=self.number,
            recipe=self._recipe,
            settings=self.settings,
            columns=self._prepared.encoder.names,
            labels=self._prepared.stream.labels(self._prepared.colour),
            state=self._state,
            n_total=self._lanes[0].n_total,
            left_out=self._lanes[0].left_out,
            lanes=tuple(self._looks),
            split=self._splits.at(min(look.figures.n_done for look in self._looks)),
            parities=self._monitors.parities,
            threads=self._threads,
            seconds_left=self._referee.seconds_left(self._standings(), self._pace.speed),
            colour=self._prepared.colour,
            has_targets=self._prepared.has_targets,
        )

    def _summary(self) -> str:
        frame = self.frame()
        factor = "" if math.isnan(frame.speed_up) else f", speed-up {frame.speed_up:,.1f}×"
        return f"Race finished: {frame.n_done:,} samples{factor}"

    def _tell_left_out(self) -> None:
        """Sent once, as all contenders get the same rows."""
        if text := self._lanes[0].left_out:
            self._send("left-out", text)
