"""A run in a thread of its own: the transport applied to a learner. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from figmn import Parameters
from figmn.params import CHANGEABLE
from workbench.run.learn.chunks import ChunkSize
from workbench.run.learn.drift_watch import DriftWatch
from workbench.run.learn.input_scores import InputScores
from workbench.run.learn.learner import Learner, latest_words
from workbench.run.learn.sample_log import SampleLog
from workbench.run.recipe.dataset import Colour, Dataset
from workbench.run.recipe.model_file import OpenedModel
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.prepared import Prepared, prepare
from workbench.run.show.colours import PointColours
from workbench.run.show.frame import LIVE, Frame, FullCensus, Plane
from workbench.run.show.mailbox import Mailbox
from workbench.run.show.matrix import matrix_of
from workbench.run.show.planes import axes_of, first_plane, picture
from workbench.run.show.points import KEPT, LatestPoints
from workbench.run.show.row_facts import RowFacts, row_facts
from workbench.run.show.tour import Tour
from workbench.run.transport import Returned, Transport
from workbench.source.table.table import Column, Table
from workbench.words.names import LONGEST_NAME
from workbench.words.sentences import UserError

FRAME_SECONDS = 1 / 50
"""Least time between two frames."""
FRAME_SHARE = 0.1
"""Share of the thread's time that frames may take."""
TOUR_SHARE = 0.3
"""The same while the plane turns: it must turn smoothly."""
LONGEST_TURN = 0.1
"""Seconds of a turn between two frames, at most."""
RATE_SECONDS = 0.5
"""Time over which samples per second are counted."""
NAP, TICK = 0.05, 0.01
"""Longest and shortest wait at a limited speed: samples that are due in one tick are learned together."""


SAME_UNITS = "the rows are learned as the Data page encodes them."
"""After the warning about a model whose file has names of columns at most."""


class Runner(Transport[Frame]):
    """One run. A run that has ended still changes its plane and answers questions, until it is closed."""

    def __init__(
        self,
        number: int,
        recipe: Recipe,
        dataset: Dataset,
        mailbox: Mailbox[Frame],
        *,
        is_held: bool = False,
        speed: float | None = None,
        plane: Plane | None = None,
        pause_on: tuple[bool, bool] = (False, False),
        trail: int = KEPT,
        model: OpenedModel | None = None,
        tour_speed: float = 0.0,
        matrix: tuple[int, ...] | None = None,
    ) -> None:
        super().__init__(number, "run", mailbox, is_held=is_held, speed=speed)
        self.recipe, self._dataset, self._model = recipe, dataset, model
        self._plane, self._pause_on, self._trail = plane, pause_on, trail
        self._matrix = matrix
        self._tour: Tour | None = None
        """The tour, while its plane is shown."""
        self._tour_speed, self._turned = tour_speed, 0.0
        """Radians a second, and the time of the last turn."""
        self.names: dict[int, str] = {}
        """Of components, by their ids, where the user gave them one; replaced, never changed."""
        self._rate = Rate()
        self._chunk = ChunkSize(1)
        self._log = SampleLog()
        self._learner: Learner | None = None
        self._owes_held_out = False
        self._start()

    @property
    def table(self) -> Table | None:
        """The table that the run learns from, with its kinds and roles of then; None where it is not in memory."""
        return self._dataset.table if self._dataset.is_whole and self._dataset.has_rows else None

    @property
    def n_columns(self) -> int | None:
        """Columns after encoding, known before the first sample; None where the data cannot be encoded."""
        return self._dataset.n_encoded

    # Commands of a run, beside those of every transport

    def set_colour(self, colour: Colour, column: Column | None = None) -> None:
        """Colour all kept points by something else; `column` as in `PointColours.choose`."""
        self._tell(lambda: self._colour_by(colour, column))

    def set_trail(self, n_points: int) -> None:
        """Show the latest `n_points` samples, as far as they are kept."""
        self._tell(lambda: self._show_points(n_points))

    def set_matrix(self, columns: tuple[int, ...] | None) -> None:
        """Add a scatter matrix of these columns to the frames, of some where none are given; None: of no columns."""
        self._tell(lambda: self._show_matrix(columns))

    def set_tour_speed(self, radians_per_second: float) -> None:
        """Turn the plane of the tour by this angle a second; 0 stops it."""
        self._tell(lambda: self._turn_at(radians_per_second))

    def name_component(self, number: int, name: str) -> None:
        """Give a component a name, or take it away; it belongs to this run."""
        kept = {known: text for known, text in self.names.items() if known != number}
        name = " ".join(name.split())[:LONGEST_NAME]
        self.names = {**kept, number: name} if name else kept
        self._tell(self._show_anew)

    def set_pause_on(self, births: bool, removals: bool) -> None:
        """Pause right after the next birth or removal."""
        self._tell(lambda: setattr(self, "_pause_on", (births, removals)))

    def change(self, parameters: Parameters) -> None:
        """Use other values of the hyper-parameters that may change during a run, from the next sample."""
        self._tell(lambda: self._change(parameters))

    def ask(self, question: Callable[[Learner, SampleLog], Returned]) -> Future[Returned]:
        """Call `question` in the thread, between two chunks."""

        def answer() -> Returned:
            if self._learner is None:
                raise UserError("The run could not start: the messages say why.")
            return question(self._learner, self._log)

        return self._ask(answer)

    def about(self, row: int) -> Future[RowFacts | None]:
        """Ask what the mixture says of a row that is shown."""

        def answer(learner: Learner, _: SampleLog) -> RowFacts | None:
            encoder = learner.prepared.encoder if self.table is None else None
            return row_facts(row, self._points, learner.engine, encoder)

        return self.ask(answer)

    # Hooks of the transport

    def _begin(self) -> None:
        go_on = lambda done, total: not self._is_closed.is_set()  # noqa: ARG005, E731
        prepared = prepare(self._dataset, self.recipe, go_on, self._model)
        self._show_plane(self._plane or first_plane(prepared), prepared)
        self._points = LatestPoints(prepared.encoder.n_columns, prepared.colours)
        self._colours = PointColours(prepared, self.table, self._points)
        self._colours.choose(self._dataset.colour_choice)
        scores = InputScores(prepared.encoder.targets) if prepared.has_targets else None
        model = self._model
        watch = DriftWatch(0 if model is None else model.snapshot.n_seen) if self.recipe.choices.drift else None
        self._learner = Learner(self.recipe, prepared, self._log, input_scores=scores, drift_watch=watch, model=model)
        if not prepared.has_rows:
            self._state = "finished"
            self._send("started", f"Opened: {self.recipe.describe(prepared.encoder.n_columns)}")
            return
        self._send("started", f"Started: {self.recipe.describe(prepared.encoder.n_columns)}")
        if model is not None and not model.is_described:
            self._send("warning", f"{model.file.title} does not say how its columns were encoded: {SAME_UNITS}")
        if prepared.left_out is not None:
            self._tell_left_out(self._learner)

    def _work(self) -> None:
        assert self._learner is not None, "it has begun"
        if self._state == "running":
            self._learn(self._learner)
        self._turn_plane()
        self._show(self._learner)
        if self._owes_held_out and self._state != "running":
            self._tell_held_out(self._learner)  # after the frame, so that a pause is shown without delay

    def _patience(self) -> float | None:
        if self._state != "running":
            still = FRAME_SECONDS if self._is_touring else None
            return still if self._is_shown else 0.0
        wait, longest = self._pace.wait(), FRAME_SECONDS if self._is_touring else NAP
        return min(longest, max(TICK, wait)) if wait > 0 else 0.0

    @property
    def _n_done(self) -> int:
        return 0 if self._learner is None else self._learner.n_done

    def _resumed(self) -> None:
        self._rate.start()

    def _held(self) -> None:
        self._owes_held_out = True

    def _ended(self) -> None:
        self._owes_held_out = True
        if self._learner is not None:
            self._learner.close()
            if self._learner.prepared.left_out is None:
                self._tell_left_out(self._learner)

    def _closed(self) -> None:
        if self._learner is not None:
            self._learner.close()

    # Learning

    def _learn(self, learner: Learner) -> None:
        n_rows = self._n_next(learner)
        if n_rows < 1:
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
        self._tell_drifts(learner)
        if not count or learner.n_done == learner.n_total:
            self._end("finished", f"Finished after {learner.n_done:,} samples")
        elif happened:
            self._hold(f"Paused at sample {learner.n_done:,}: {latest_words(learner.latest)}")
        elif self._until is not None and learner.n_done >= self._until:
            self._hold(f"Paused at sample {learner.n_done:,}")

    def _n_next(self, learner: Learner) -> int:
        n_rows = min(self._chunk.rows, self._pace.due())
        return n_rows if self._until is None else min(n_rows, self._until - learner.n_done)

    # Commands, executed by the thread

    def _draw_on(self, plane: Plane) -> None:
        if self._learner is None:
            return
        self._show_plane(plane, self._learner.prepared)
        self._is_shown = False

    def _show_plane(self, plane: Plane, prepared: Prepared) -> None:
        if plane.kind != "tour":
            self._tour, self._axes = None, axes_of(plane, prepared)
            return
        self._tour = self._tour or Tour(prepared)
        self._axes, self._turned = self._tour.axes, time.perf_counter()

    def _turn_at(self, radians_per_second: float) -> None:
        self._tour_speed, self._turned = radians_per_second, time.perf_counter()

    @property
    def _is_touring(self) -> bool:
        return self._tour is not None and self._tour_speed > 0

    def _turn_plane(self) -> None:
        """Turn the plane of the tour where a frame can show it."""
        now = time.perf_counter()
        if self._tour is None or not self._is_touring or self._mailbox.is_waiting or now < self._frame_due:
            return
        # At most a few degrees at once, however long the last chunk took.
        self._tour.turn(self._tour_speed * min(now - self._turned, LONGEST_TURN))
        self._axes, self._turned, self._is_shown = self._tour.axes, now, False

    def _colour_by(self, colour: Colour, column: Column | None) -> None:
        if self._learner is not None:
            self._colours.choose(colour, column)
            self._is_shown = False

    def _show_anew(self) -> None:
        self._is_shown = False

    def _show_points(self, n_points: int) -> None:
        self._trail, self._is_shown = n_points, False

    def _show_matrix(self, columns: tuple[int, ...] | None) -> None:
        self._matrix, self._is_shown = columns, False

    def _change(self, parameters: Parameters) -> None:
        learner = self._learner
        if learner is None or self._state not in LIVE:
            return
        before = learner.recipe
        learner.change(parameters)
        if learner.recipe is not before:
            self.recipe, self._is_shown = learner.recipe, False
            old, new = before.parameters, learner.recipe.parameters
            values = ", ".join(new.phrase(name) for name in CHANGEABLE if getattr(new, name) != getattr(old, name))
            self._send("changed", f"From sample {learner.n_done + 1:,}: {values}")

    # Frames and messages

    def _show(self, learner: Learner) -> None:
        """Send a frame if one is due."""
        if not self._frame_is_due():
            return
        self._is_shown, now = True, time.perf_counter()
        began = time.thread_time()  # not wall-clock time: waiting for the window's thread costs nothing
        frame = self._frame(learner)
        self._mailbox.show(frame)
        # A paused run goes on to ask for the components of its points, between commands.
        self._is_shown = not frame.picture.n_outdated
        cost = time.thread_time() - began
        share = TOUR_SHARE if self._is_touring else FRAME_SHARE
        self._frame_due = now + max(FRAME_SECONDS, cost / share)

    def _frame(self, learner: Learner) -> Frame:
        column, engine = self._colours.column, learner.engine
        points, codes = self._points.on(self._axes, self._trail, column)
        details: dict[str, Any] = {"codes": codes, "rows": self._points.numbers(self._trail)}
        details |= self._colours.details(engine, self._trail)
        columns, prepared = self._matrix, learner.prepared
        matrix = None if columns is None else matrix_of(columns, engine, prepared, self._points, self._trail)
        return Frame(
            run=self.number,
            recipe=learner.recipe,
            columns=learner.prepared.encoder.names,
            units=learner.prepared.units,
            n_seen=learner.engine.n_seen,
            labels=self._colours.labels,
            state=self._state,
            n_done=learner.n_done,
            n_total=learner.n_total,
            census=FullCensus.of_engine(engine),
            picture=picture(self._axes, engine, points, **details),
            timeline=learner.past.timeline(),
            latest=learner.latest,
            n_births=learner.n_births,
            n_removals=learner.n_removals,
            n_merges=learner.n_merges,
            endings=learner.endings.latest(),
            engine_seconds=learner.engine_seconds,
            rows_per_second=self._rate.now() if self._state == "running" else 0.0,
            colour=None if self._colours.choice.by == "component" else self._colours.choice.column,
            kinds=learner.prepared.encoder.kinds,
            has_targets=learner.prepared.has_targets,
            drifts=() if learner.drift_watch is None else learner.drift_watch.drifts,
            matrix=matrix,
            names=self.names,
        )

    def _tell_left_out(self, learner: Learner) -> None:
        """Sent once: at the beginning where the rows are known, otherwise at the end."""
        if learner.left_out:
            self._send("left-out", learner.left_out)

    def _tell_held_out(self, learner: Learner) -> None:
        self._owes_held_out = False
        found = learner.held_out()
        if found is not None:
            words = found.words()
            self._send("held-out", words[0].upper() + words[1:], held_out=found, sample=learner.n_done)

    def _tell_drifts(self, learner: Learner) -> None:
        news = [] if learner.drift_watch is None else learner.drift_watch.news
        while news:
            self._send("drift", news.pop(0))

    def _warn(self, learner: Learner) -> None:
        while learner.complaints:
            self._send("warning", learner.complaints.pop(0))


class Rate:
    """Samples per second of wall-clock time, over the last `RATE_SECONDS` or so."""

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
        """The latest rate; before the first, that of the time so far."""
        elapsed = time.perf_counter() - self._began
        return self._value or (self._count / elapsed if elapsed > 0 else 0.0)
