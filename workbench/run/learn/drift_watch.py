"""Watches a run for drifts, and names how the components have changed when some samples have passed since."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from figmn import Record
from figmn.engine import Engine
from workbench.run.learn.component_changes import Moment, changes_between
from workbench.run.learn.drift_detector import DriftDetector
from workbench.run.show.drift import Drift

PERIOD = 250
"""Samples between two moments at which the components are kept to be compared. Chunks end there, so that the changes
are named alike however the chunks of a run are cut."""
KEPT = 8
"""Moments that are kept: drifts that began earlier are compared with the oldest."""
SINCE = 250
"""Samples after the one at which a drift was seen, at least, before components are compared."""

LOOKS, SHORTEST, LONGEST = 10, 25, 100
"""Looks at the widths of the components between two renewals, and the samples between two looks, within limits."""


class DriftWatch:
    """All drifts of a run so far."""

    def __init__(self, n_before: int = 0) -> None:
        self._n_before = n_before
        """Samples that the engine had learned before the run."""
        self.drifts: tuple[Drift, ...] = ()
        self.news: list[str] = []
        """Sentences about what is new, for whoever tells the user and clears them."""
        self._detector = DriftDetector()
        self._width = self._level = 0.0
        """Half the mean log-determinant of the components, and its changes while evidence was forgotten."""
        self._moments: deque[Moment] = deque(maxlen=KEPT)
        self._mergers: list[tuple[int, int, int]] = []
        """Since the oldest moment: the sample that each followed, the component kept and the one that it took in."""

    @staticmethod
    def n_until_moment(engine: Engine) -> int:
        """Samples until the next moment or the next renewal of the components, at which a chunk must end."""
        return min(period - engine.n_seen % period for period in _periods(engine))

    def add(self, record: Record, engine: Engine, columns: Sequence[str]) -> None:
        """Take a chunk after it was learned."""
        for found in self._detector.add(record.first, record.log_likelihoods + self._level):
            drift = replace(found, before=found.before + self._level, after=found.after + self._level)
            self.drifts += (drift,)
            self.news.append(drift.words())
        if any(engine.n_seen % period == 0 for period in _periods(engine)):
            self._follow_widths(engine)
        self._mergers += [(sample, kept, taken) for sample, kept, taken in record.merges.tolist()]
        if engine.n_seen % PERIOD == 0:
            self._compare(engine, columns, engine.n_seen - self._n_before - SINCE)
            self._moments.append(self._moment(engine))
            self._mergers = [merger for merger in self._mergers if merger[0] >= self._moments[0].n_done]

    def _follow_widths(self, engine: Engine) -> None:
        """Count out what forgetting itself does to the densities of the samples to come.

        Where a column does not vary within a component, as columns of labels do not, its width shrinks as evidence is
        forgotten, until it is renewed: densities rise by half the logarithm of the determinant, and fall again, once in
        every memory. Each fall looked like a drift.
        """
        width = float(engine.priors @ engine.log_determinants) / 2 if engine.n_components else self._width
        if engine.renewal_period is not None:
            self._level += width - self._width
        self._width = width

    def finish(self, engine: Engine, columns: Sequence[str]) -> None:
        """Compare the components at the end of the run, however few samples have passed since a drift."""
        self._compare(engine, columns, engine.n_seen - self._n_before)

    def _moment(self, engine: Engine) -> Moment:
        found = Moment.of(engine)
        return replace(found, n_done=found.n_done - self._n_before)

    def _compare(self, engine: Engine, columns: Sequence[str], seen_before: int) -> None:
        """Name the changes since the drifts that were seen before a sample and are not compared yet."""
        due = [i for i, drift in enumerate(self.drifts) if drift.compared is None and drift.sample < seen_before]
        if not due or not self._moments:
            return
        now, drifts = self._moment(engine), list(self.drifts)
        for i in due:
            earlier, before = self._moments_until(drifts[i].since)
            changes = changes_between(self._merged(before), now, columns, earlier and self._merged(earlier))
            drifts[i] = drifts[i].named((before.n_done, now.n_done), changes)
            self.news.append(drifts[i].change_words())
        self.drifts = tuple(drifts)

    def _merged(self, moment: Moment) -> Moment:
        """A moment with the mergers since."""
        return moment.merged((kept, taken) for sample, kept, taken in self._mergers if sample >= moment.n_done)

    def _moments_until(self, sample: int) -> tuple[Moment | None, Moment]:
        """The last two moments up to a sample, or the two oldest; None in place of the first where there is one."""
        moments = [None, *self._moments]
        n_until = sum(moment.n_done <= sample for moment in self._moments)
        place = min(max(n_until, 2), len(self._moments))
        before = moments[place]
        assert before is not None
        return moments[place - 1], before


def _periods(engine: Engine) -> list[int]:
    """Samples between two moments; where evidence is forgotten, between two looks at the widths, and two renewals."""
    if engine.renewal_period is None:
        return [PERIOD]
    return [PERIOD, engine.renewal_period, max(SHORTEST, min(LONGEST, engine.renewal_period // LOOKS))]
