"""Timings of contenders on cases, taking turns."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from figmn.bench.contenders import BenchModel, Case, Contender, require_room

PROBE, PROBE_GROWTH = 1, 8
"""Rows of the first probe for the time per row, and the growth of the next probe if it took too little time."""


@dataclass(frozen=True)
class Measurement:
    """Times of one contender on one case."""

    contender: Contender
    case: Case
    n_timed: int
    """Rows that were timed: fewer than asked for where a row takes long."""
    seconds: tuple[float, ...]
    """Wall-clock seconds per row, one for every repeat."""
    cpu_seconds: tuple[float, ...] = ()
    """CPU seconds per row of the learning thread, one for every repeat; further BLAS threads are not counted."""

    @property
    def median(self) -> float:
        """Median wall-clock seconds per row over the repeats."""
        return float(np.median(self.seconds))

    @property
    def cpu_median(self) -> float:
        """Median CPU seconds per row over the repeats; NaN where it was not measured."""
        return float(np.median(self.cpu_seconds)) if self.cpu_seconds else math.nan


@dataclass(frozen=True)
class Stage:
    """How far a series of timings has come."""

    measurements: tuple[Measurement, ...]
    """What has been measured so far; the last few may have fewer repeats than asked for."""
    n_done: int
    n_total: int
    now: tuple[Contender, Case] | None
    """What is timed next; None at the end."""

    @property
    def label(self) -> str:
        """What is timed next, in words."""
        return "done" if self.now is None else f"{self.now[0].name}, D = {self.now[1].n_features}"


LabelledProgress = Callable[[int, int, str], bool]
"""Callback `(done, total, label) -> bool`; return False to cancel."""


def measure(
    cases: Sequence[Case],
    contenders: Sequence[Contender],
    repeats: int = 5,
    seconds: float = 2.0,
    progress: LabelledProgress | None = None,
) -> list[Measurement]:
    """Time every contender on every case, taking turns, `repeats` times.

    Parameters
    ----------
    cases, contenders, repeats
        What is timed, and how often.
    seconds : float
        Budget per timing: where the rows of a case take longer, fewer are timed, at least two.
    progress : callable
        Callback `(done, total, label) -> bool`, called before every timing and every warm-up; return False to cancel,
        and get what has been measured so far.

    Examples
    --------
    >>> from figmn.bench import YOUNG, Case
    >>> fast, = measure([Case(n_features=2, n_rows=100)], [YOUNG], repeats=3)
    >>> len(fast.seconds), fast.median > 0
    (3, True)
    """
    stage = Stage((), 0, 0, None)
    with closing(measuring(cases, contenders, repeats, seconds)) as stages:
        for stage in stages:
            if progress and not progress(stage.n_done, stage.n_total, stage.label):
                break
    return list(stage.measurements)


def measuring(
    cases: Sequence[Case], contenders: Sequence[Contender], repeats: int = 5, seconds: float = 2.0
) -> Generator[Stage, None, None]:
    """`measure` as a generator of stages, so that a caller can show intermediate results and stop at any time.

    There is a stage before every warm-up, before every timing and at the end. Raises `MemoryError` with the numbers
    if a case does not fit: before the first timing, and again before each case, as less memory may be free by then.

    >>> from figmn.bench import CHOLESKY, YOUNG, Case
    >>> stages = list(measuring([Case(n_features=2, n_rows=10)], [YOUNG, CHOLESKY], repeats=2))
    >>> [(stage.n_done, stage.label) for stage in stages][-3:]
    [(2, 'Fast IGMN, D = 2'), (3, 'IGMN, Cholesky, D = 2'), (4, 'done')]
    """
    found: list[Measurement] = []
    total, done = len(cases) * repeats * len(contenders), 0
    for case in cases:
        require_room(case, contenders)
    try:
        for case in cases:
            require_room(case, contenders)
            entries = [_Entry(contender, case, seconds) for contender in contenders]
            for _ in range(repeats):
                for entry in entries:
                    for work in entry.turns():
                        now = entry.contender, case
                        yield Stage((*found, *(e.measurement() for e in entries if e.seconds)), done, total, now)
                        work()
                    done += 1
            found += [entry.measurement() for entry in entries]
        yield Stage(tuple(found), done, total, None)
    finally:
        Case.rows.cache_clear()  # up to hundreds of megabytes


class _Entry:
    """One contender on one case, over its repeats."""

    def __init__(self, contender: Contender, case: Case, budget: float) -> None:
        self.contender, self.case, self.budget = contender, case, budget
        self.seconds: list[float] = []
        self.cpu_seconds: list[float] = []
        self.n_timed = 0
        self._model: BenchModel | None = None

    def turns(self) -> list[Callable[[], None]]:
        """The steps of one repeat; the first repeat begins with a warm-up."""
        return [self._run] if self.n_timed else [self._warm_up, self._run]

    def measurement(self) -> Measurement:
        return Measurement(self.contender, self.case, self.n_timed, tuple(self.seconds), tuple(self.cpu_seconds))

    def _warm_up(self) -> None:
        self._time(PROBE)  # compiles
        self.n_timed = self._affordable()

    def _run(self) -> None:
        seconds, cpu_seconds = self._time(self.n_timed)
        self.seconds.append(seconds)
        self.cpu_seconds.append(cpu_seconds)

    def _affordable(self) -> int:
        """Rows that fit into the budget, by probes that grow until the overhead of the call is small."""
        probe = PROBE
        while True:
            each, _ = self._time(probe)
            if probe >= self.case.n_rows or each * probe > self.budget / 20:
                return max(2, min(self.case.n_rows, int(self.budget / each)))
            probe *= PROBE_GROWTH

    def _time(self, n_rows: int) -> tuple[float, float]:
        """Wall-clock and CPU seconds per row, over `n_rows` rows of the case."""
        model, n_before = self._prepared()
        rows = self.case.rows(n_before + self.case.n_rows)[n_before : n_before + n_rows]
        # The CPU clock is read inside the wall-clock interval, so CPU time never exceeds wall-clock time.
        began = time.perf_counter()
        cpu_began = time.thread_time()
        model.learn(rows)
        cpu_ended = time.thread_time()
        ended = time.perf_counter()
        return (ended - began) / len(rows), (cpu_ended - cpu_began) / len(rows)

    def _prepared(self) -> tuple[BenchModel, int]:
        """A model before the clock starts."""
        case, n_before = self.case, self.case.n_before(self.contender)
        if self._model is not None:
            return self._model, n_before
        model = self.contender.make(**case.options())
        model.learn(case.rows(n_before + case.n_rows)[:n_before])
        if self.contender.matures:
            self._model = model  # reused, since it stays mature
        return model, n_before
