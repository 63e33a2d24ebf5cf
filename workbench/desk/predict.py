"""Questions to the mixture of the run: asked between two chunks of samples, answered with the newest mixture. No Qt."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import Any

from workbench.desk.asked_map import AskedMap
from workbench.desk.findings import Finding
from workbench.desk.jobs import Jobs
from workbench.desk.run import RunDesk
from workbench.run.ask.answer import Answer, answer
from workbench.run.ask.attributes import Attribute, attributes_of
from workbench.run.ask.changes import ChangeQuestion, FoundChange, find_change
from workbench.run.ask.coverage import Coverage, coverages
from workbench.run.ask.next_questions import NextQuestions, next_questions
from workbench.run.ask.question import Question
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import SampleLog
from workbench.words.sentences import UserError

AGAIN, SHARE = 0.25, 0.2
"""Seconds between two answers to the same question while the mixture learns, and the share of its time for answers."""


class PredictDesk:
    """One question at a time: while it is answered, only the newest of those asked meanwhile is kept."""

    def __init__(self, run: RunDesk, jobs: Jobs) -> None:
        self._run = run
        self.question = Question()
        self.attributes: tuple[Attribute, ...] = ()
        """Of the run that was asked last; empty before it has said them."""
        self.latest: Answer | None = None
        """The latest answer of the present run."""
        self.map = AskedMap()
        self.next: Finding[NextQuestions] = Finding("Ranking what to ask next", jobs)
        self.change: Finding[FoundChange] = Finding("Searching what would change the answer", jobs)
        self.coverage: Finding[dict[str, Coverage]] = Finding("Checking the intervals on the table", jobs)
        self._number: int | None = None
        """Run that the attributes and the answer are of."""
        self._pending: Future[tuple[Answer | None, float]] | None = None
        self._naming: Future[tuple[Attribute, ...]] | None = None
        self._is_asked = False
        """Whether there is a question to be answered."""
        self._is_new = True
        """Whether the question has changed since it was last asked."""
        self._n_asked, self._rest_until = 0, 0.0
        """Samples learned when the question was last asked, and the time until which it is not asked again."""

    @property
    def is_answered(self) -> bool:
        """Whether the latest answer is to the present question."""
        return self.latest is not None and self.latest.question == self.question

    def ask(self, question: Question, is_asked: bool = True) -> None:
        """Replace the question; the answer comes by `take`, unless it is not to be asked yet."""
        self.question, self._is_new, self._is_asked = question, True, is_asked

    def rank_next(self) -> None:
        """Rank the open attributes for the present question; the result comes by `take`."""
        question, attributes = self.question, self.attributes
        self.next.begin(
            self._run.transport,
            lambda snapshot, progress: next_questions(snapshot, snapshot.n_seen, attributes, question, progress),
        )

    def find_change(self, asked: ChangeQuestion) -> None:
        """Search for the smallest change that turns an answer; the result comes by `take`."""
        attributes = self.attributes
        self.change.begin(
            self._run.transport,
            lambda snapshot, progress: find_change(snapshot, snapshot.n_seen, attributes, asked, progress),
        )

    @property
    def can_check(self) -> bool:
        """Whether the table of the run is in memory."""
        return self._run.transport is not None and self._run.transport.table is not None

    def check_coverage(self) -> None:
        """Check the intervals of the wanted numbers on rows of the table; the result comes by `take`."""
        question, attributes, runner = self.question, self.attributes, self._run.transport
        table = None if runner is None else runner.table
        if runner is None or table is None:
            raise UserError(
                "There is no table of this run in memory: open a file that fits into memory, and stream it."
            )
        asked = runner.ask(lambda learner, _: learner.prepared)
        self.coverage.begin(
            runner,
            lambda snapshot, _: coverages(snapshot, snapshot.n_seen, attributes, question, asked.result(), table),
        )

    @property
    def _findings(self) -> tuple[Finding[Any], ...]:
        return self.next, self.change, self.coverage

    def take(self) -> bool:
        """Collect what has been said, and ask what is to be asked. True if attributes or answer have changed.

        Raises what the mixture raises, such as the error for a mixture without components.
        """
        is_changed = self._follow_run() | (sum(one.take() for one in self._findings) > 0)
        runner = self._run.transport
        if runner is None:
            return is_changed
        if self._naming is not None:
            if not self._naming.done():
                return is_changed
            naming, self._naming = self._naming, None
            self.attributes = naming.result()
            self.map.follow(self.attributes)
            return True
        if self._pending is not None:
            if not self._pending.done():
                return is_changed
            pending, self._pending = self._pending, None
            self._rest_until = time.monotonic() + AGAIN  # also where there is an error
            found, seconds = pending.result()
            self._rest_until = time.monotonic() + max(AGAIN, seconds / SHARE)
            is_changed |= found is not None
            self.latest = found or self.latest
        if self.attributes and self._is_asked and self._is_due():
            self._is_new = False
            self._n_asked = self._n_done
            question, attributes = self.question, self.attributes
            self._pending = runner.ask(lambda learner, log: _asked(learner, log, attributes, question))
        elif self._pending is None and self.attributes and self._is_asked:
            is_changed |= self.map.take(runner, self.attributes, self.question, self._n_done)
        return is_changed

    def _follow_run(self) -> bool:
        """Forget what another run has said; True if there was another."""
        if self._run.number == self._number:
            return False
        self._number, self._pending, self._is_new, self._is_asked = self._run.number, None, True, False
        self.attributes, self.latest, self._naming = (), None, None
        self.map.follow(())
        for one in self._findings:
            one.forget()
        if self._run.transport is not None:
            self._naming = self._run.transport.ask(lambda learner, _: attributes_of(learner.prepared))
        return True

    def _is_due(self) -> bool:
        if self._is_new:
            return True
        return self._n_done != self._n_asked and time.monotonic() >= self._rest_until

    @property
    def _n_done(self) -> int:
        return 0 if self._run.frame is None else self._run.frame.n_done


def _asked(
    learner: Learner, _: SampleLog, attributes: tuple[Attribute, ...], question: Question
) -> tuple[Answer | None, float]:
    """The answer of the mixture as it is now, None before its first component, and the seconds that it took."""
    engine = learner.engine
    if not engine.n_components:
        return None, 0.0
    began = time.perf_counter()
    is_exact = engine.parameters.covariance == "exact"
    found = answer(engine, engine.ids, engine.n_seen, attributes, question, is_exact)
    return found, time.perf_counter() - began
