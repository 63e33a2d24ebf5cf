"""Real frames of a race without a runner: FastIGMN and IGMN learn the same rows, and the dataclasses are filled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from figmn import IGMN, FastIGMN
from figmn.parity import compare
from figmn.system.arrays import Floats
from tests.workbench import frames
from tests.workbench.frames import Rows
from workbench.run.race.frame import Figures, LaneFrame, Parity, RaceFrame, Split
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.recipe import Recipe
from workbench.run.show.frame import Census, Latest, Picture, Plane, State, Timeline
from workbench.words.names import SOLVER_NAMES

Engine = FastIGMN | IGMN


class Lane:
    """One engine and what it did."""

    def __init__(self, engine: Engine, title: str) -> None:
        self.engine, self.title = engine, title
        self.past: list[tuple[float, ...]] = []
        self.seconds = self.cpu_seconds = 0.0
        self.spent: list[float] = []
        self.born: list[int | None] = []
        self.latest: Latest | None = None
        self.chunk = 0

    def learn(self, values: Floats) -> None:
        """One sample after the other, as a piece of the past."""
        before, n_births = self.engine.n_components, sum(born is not None for born in self.born)
        wall, processor = time.perf_counter(), time.thread_time()
        traces = [self.engine.learn_one(row) for row in values]
        spent = time.perf_counter() - wall
        self.seconds += spent
        self.spent.append(self.seconds)
        self.cpu_seconds += time.thread_time() - processor
        self.born += [trace.born for trace in traces]
        births = sum(born is not None for born in self.born) - n_births
        n_components = self.engine.n_components
        removals = before + births - n_components
        n_seen = self.engine.n_seen
        self.past.append((n_seen, n_components, births, removals, 1e6 * spent / len(values), np.nan, 0))
        self.latest, self.chunk = frames._latest(traces[-1]), len(values)

    def frame(self, rows: Rows, plane: Plane) -> LaneFrame:
        """The moment after the latest sample."""
        timeline = _timeline(self.past)
        times = timeline.microseconds
        n_components = self.engine.n_components
        figures = Figures(
            n_done=self.engine.n_seen,
            n_components=n_components,
            median=float(np.median(times)) if len(times) else np.nan,
            p99=float(np.quantile(times, 0.99)) if len(times) else np.nan,
            engine_seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
            n_bytes=8 * n_components * rows.values.shape[1] ** 2,
            chunk=self.chunk,
        )
        census = Census.of(self.engine)
        return LaneFrame(self.title, figures, _picture(rows, self.engine, plane), census, timeline, self.latest)


def race_frame(rows: Rows, plane: Plane = Plane(), **wishes: Any) -> RaceFrame:  # noqa: B008 - frozen
    """The moment after the last row."""
    *_, last = race_frames(rows, plane, **wishes)
    return last


def race_frames(
    rows: Rows,
    plane: Plane = Plane(),  # noqa: B008 - frozen
    n_pieces: int = 50,
    lag: int = 0,
    run: int = 1,
    state: State = "running",
    settings: RaceSettings = RaceSettings(source="data"),  # noqa: B008 - frozen
    **parameters: Any,
) -> Iterator[RaceFrame]:
    """The moments after each of so many pieces of the rows; the cubic engine is so many pieces behind."""
    chosen = {"scale": np.maximum(np.nanstd(rows.values, axis=0), 1e-9)} | parameters
    fast = Lane(FastIGMN(columns=rows.columns, **chosen), "Fast IGMN")
    title = f"IGMN ({SOLVER_NAMES[settings.solver]})"
    cubic = Lane(IGMN(columns=rows.columns, solver=settings.solver, **chosen), title)
    pieces = np.array_split(rows.values, min(n_pieces, len(rows.values)))
    for number, piece in enumerate(pieces):
        fast.learn(piece)
        if number >= lag:
            cubic.learn(pieces[number - lag])
        yield RaceFrame(
            run=run,
            recipe=Recipe(rows.origin),
            settings=settings,
            columns=rows.columns,
            labels=rows.labels,
            state=state,
            n_total=len(rows.values),
            left_out="",
            lanes=(fast.frame(rows, plane), cubic.frame(rows, plane)),
            split=_split(fast, cubic),
            parities=(_parity(fast, cubic),),
            threads=1,
            seconds_left=None,
        )


def _split(fast: Lane, cubic: Lane) -> Split:
    """Both learn the same pieces."""
    n_pieces = min(len(fast.spent), len(cubic.spent))
    if not n_pieces:
        return Split()
    return Split(int(fast.past[n_pieces - 1][0]), (fast.spent[n_pieces - 1], cubic.spent[n_pieces - 1]))


def _parity(fast: Lane, cubic: Lane) -> Parity:
    n_compared = min(len(fast.born), len(cubic.born))
    assert fast.born[:n_compared] == cubic.born[:n_compared], "the engines decide differently"
    if not n_compared:
        return Parity()
    one, other = fast.engine, cubic.engine
    if one.n_seen != other.n_seen:
        return Parity(n_compared=n_compared)
    return Parity(
        n_compared=n_compared,
        counts=(one.n_components, other.n_components),
        differences=compare(one, other),
        n_checked=one.n_seen,
        check_seconds=0.12,
    )


def _picture(rows: Rows, engine: Engine, plane: Plane) -> Picture:
    directions, origin, labels, share = frames._axes(rows, plane)
    shown = engine.n_components > 0
    return Picture(
        plane=plane,
        labels=labels,
        share=share,
        centres=engine.means @ directions + origin if shown else np.empty((0, 2)),
        covariances=directions.T @ engine.covariances @ directions if shown else np.empty((0, 2, 2)),
        points=(rows.values[: engine.n_seen] @ directions + origin).astype(np.float32),
        codes=rows.codes[: engine.n_seen],
    )


def _timeline(past: list[tuple[float, ...]]) -> Timeline:
    if past:
        return frames.timeline_of(np.array(past))
    counts, numbers = np.empty(0, np.int64), np.empty(0)
    return Timeline(1, counts, counts, counts, counts, numbers, numbers, numbers, counts)
