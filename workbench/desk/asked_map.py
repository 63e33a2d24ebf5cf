"""The map of the present question: computed in steps between two chunks of samples, coarse first. No Qt."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import NamedTuple

from workbench.run.ask.attributes import Attribute
from workbench.run.ask.maps import AnswerMap, MapChoice, MapKey, MapWork, map_key
from workbench.run.ask.question import Question
from workbench.run.ask.telling import Telling
from workbench.run.learn.learner import Learner
from workbench.run.learn.runner import Runner

AGAIN, SHARE = 0.5, 0.1
"""Seconds between two maps of the same question while the mixture learns, and the share of its time for maps."""


class Step(NamedTuple):
    """What one step has brought."""

    work: MapWork | None
    """What goes on with the next step; None where there is no component yet."""
    found: AnswerMap | None
    seconds: float


class AskedMap:
    """One map at a time: another question ends the work at the present one."""

    def __init__(self) -> None:
        self.choice: MapChoice | None = None
        """What to draw; None: no map is wanted, and nothing is computed."""
        self.latest: AnswerMap | None = None
        self.key: MapKey | None = None
        """Of the present question; None where there are no two numbers for the axes."""
        self._pending: Future[Step] | None = None
        self._work: MapWork | None = None
        self._tried: tuple[MapKey, int] | None = None
        """What was begun last, and the samples learned then: it is not tried again before one of them is another."""
        self._rest_until, self._seconds = 0.0, 0.0
        self._telling = Telling(())

    @property
    def is_current(self) -> bool:
        """Whether the latest map is that of the present question."""
        return self.latest is not None and self.latest.key == self.key

    def follow(self, attributes: tuple[Attribute, ...]) -> None:
        """Forget what another run has said."""
        self._telling = Telling(attributes)
        self.latest, self.key, self._pending, self._work, self._tried = None, None, None, None, None
        self._rest_until = 0.0

    def take(self, runner: Runner, attributes: tuple[Attribute, ...], question: Question, n_done: int) -> bool:
        """Collect a step and ask for the next. True if what is shown has changed."""
        before = self.latest, self.key
        self.key = self._key(runner, attributes, question)
        if self._pending is not None and self._pending.done():
            pending, self._pending = self._pending, None
            self._rest_until = time.monotonic() + AGAIN  # also where there is an error
            self._collect(pending.result())
        if self._pending is None and self.key is not None:
            self._go_on(runner, attributes, self.key, n_done)
        return before != (self.latest, self.key)

    def _key(self, runner: Runner, attributes: tuple[Attribute, ...], question: Question) -> MapKey | None:
        if self.choice is None or runner.recipe.choices.parameters.covariance != "exact":
            return None
        return map_key(attributes, self._telling, question, self.choice)

    def _go_on(self, runner: Runner, attributes: tuple[Attribute, ...], key: MapKey, n_done: int) -> None:
        work = self._work if self._work is not None and self._work.key == key else None
        if work is None or work.is_done:
            is_again = self._tried is not None and self._tried[0] == key
            if is_again and (self._tried == (key, n_done) or time.monotonic() < self._rest_until):
                return
            self._tried, self._seconds, self._work, work = (key, n_done), 0.0, None, None
        self._pending = runner.ask(lambda learner, _: _stepped(learner, attributes, key, work))

    def _collect(self, step: Step) -> None:
        self._work = step.work
        self._seconds += step.seconds
        self._rest_until = time.monotonic() + max(AGAIN, self._seconds / SHARE)
        if step.found is not None and not self._has_finer(step.found):
            self.latest = step.found

    def _has_finer(self, found: AnswerMap) -> bool:
        """Whether a fine map of the same question is shown, which a coarse one of more samples does not replace."""
        return self.latest is not None and self.latest.is_fine and not found.is_fine and self.latest.key == found.key


def _stepped(learner: Learner, attributes: tuple[Attribute, ...], key: MapKey, work: MapWork | None) -> Step:
    """Go on with a map, or begin one."""
    engine, began = learner.engine, time.perf_counter()
    if not engine.n_components:
        return Step(None, None, 0.0)
    work = work or MapWork(engine, engine.n_seen, attributes, key)
    found = work.step()
    return Step(work, found, time.perf_counter() - began)
