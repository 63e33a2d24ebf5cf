"""Frames of real races for tests of views: lanes learn the pieces that they are told to, and are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from figmn import Parameters
from workbench.run import Choices, Plane, Recipe
from workbench.run.learn.learner import Stopwatch, timed
from workbench.run.race.contenders import contenders_of
from workbench.run.race.frame import RaceFrame
from workbench.run.race.lane import Lane
from workbench.run.race.monitor import Monitors
from workbench.run.race.settings import RaceSettings
from workbench.run.race.split_times import SplitTimes
from workbench.run.rows.prepared import Prepared, prepare
from workbench.run.show.frame import State
from workbench.run.show.planes import axes_of, first_plane
from workbench.run.show.points import KEPT

CHECK_SECONDS = 0.12
"""Time that every comparison is said to have taken."""


def race_frame(recipe: Recipe, plane: Plane | None = None, **wishes: Any) -> RaceFrame:
    """The moment after the last sample."""
    *_, last = race_frames(recipe, plane, **wishes)
    return last


def race_frames(
    recipe: Recipe,
    plane: Plane | None = None,
    *,
    n_pieces: int = 50,
    lag: int = 0,
    run: int = 1,
    state: State = "running",
    settings: RaceSettings = RaceSettings(source="data"),  # noqa: B008 - frozen
    stopwatches: Sequence[Stopwatch] = (timed, timed),
    **parameters: Any,
) -> Iterator[RaceFrame]:
    """The moments after each of `n_pieces` pieces of the samples; the cubic engine is `lag` pieces behind."""
    chosen = replace(recipe, choices=Choices(Parameters(**parameters)))
    course = Course(chosen, plane, settings, stopwatches)
    n_total = course.lanes[0].n_total
    assert n_total is not None, "a race without an end has no last frame"
    places = np.linspace(0, n_total, min(n_pieces, n_total) + 1).astype(int)
    lengths = [end - begin for begin, end in pairwise(places.tolist())]
    for number, length in enumerate(lengths):
        course.learn(0, length)
        if number >= lag:
            course.learn(1, lengths[number - lag])
        yield course.frame(run, state)


class Course:
    """The lanes of a race with all that watches them, but without its threads and its referee."""

    def __init__(
        self, recipe: Recipe, plane: Plane | None, settings: RaceSettings, stopwatches: Sequence[Stopwatch]
    ) -> None:
        self._recipe, self._settings = recipe, settings
        self._prepared: Prepared = prepare(recipe.dataset(), recipe)
        self._axes = axes_of(plane or first_plane(self._prepared), self._prepared)
        self.lanes = [
            Lane(contender.title, recipe, self._prepared, contender.make, stopwatch)
            for contender, stopwatch in zip(contenders_of(settings), stopwatches, strict=True)
        ]
        self._monitors, self._splits = Monitors(len(self.lanes)), SplitTimes(len(self.lanes))

    def learn(self, contender: int, n_rows: int) -> None:
        """Let one of them learn, and compare the numbers where both are at the same sample."""
        record = self.lanes[contender].advance(n_rows)
        assert record is not None, "no samples are left"
        self._monitors.add(contender, record)
        self._splits.add(contender, n_rows, record.nanoseconds / 1e9)
        fast, cubic = self.lanes
        if fast.n_done == cubic.n_done:
            found = self._monitors[1].check([fast.engine, cubic.engine])
            self._monitors[1].take(found, fast.n_done, CHECK_SECONDS)

    def frame(self, run: int, state: State) -> RaceFrame:
        """The present moment."""
        return RaceFrame(
            run=run,
            recipe=self._recipe,
            settings=self._settings,
            columns=self._prepared.encoder.names,
            labels=self._prepared.stream.labels(self._prepared.colour),
            state=state,
            n_total=self.lanes[0].n_total,
            left_out=self.lanes[0].left_out,
            lanes=tuple(lane.look(self._axes, KEPT) for lane in self.lanes),
            split=self._splits.at(min(lane.n_done for lane in self.lanes)),
            parities=self._monitors.parities,
            threads=1,
            seconds_left=None,
            colour=self._prepared.colour,
            has_targets=self._prepared.has_targets,
        )
