"""Content of the speed tables: the time of every fold, means, speed-ups and tests. Frozen."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean, stdev
from types import MappingProxyType
from typing import Any, Literal

from workbench.evaluate.significance import FEWEST, Mark, PairedTest, paired_t_test
from workbench.evaluate.speed.printed import PHASES, Phase
from workbench.evaluate.speed.sets import SETS, PaperSet
from workbench.evaluate.speed.settings import N_FOLDS, TableSettings
from workbench.words.factors import speed_up

EngineName = Literal["igmn", "fast"]
ENGINES: tuple[EngineName, ...] = ("igmn", "fast")
PHASE_WORDS: Mapping[Phase, str] = MappingProxyType(
    {"training": "training", "testing": "testing, nothing kept", "testing_kept": "testing, pattern kept"}
)
ENGINE_TITLES: Mapping[EngineName, str] = MappingProxyType({"igmn": "IGMN", "fast": "Fast IGMN"})


@dataclass(frozen=True)
class Timing:
    """One engine over one fold."""

    run: int
    fold: int
    seconds: float
    """Wall-clock time of all rows; extrapolated where fewer were run."""
    cpu_seconds: float
    """CPU time of the thread for the same rows."""
    n_run: int
    """Rows that were run."""
    n_rows: int
    """Rows of the fold."""

    @property
    def is_sampled(self) -> bool:
        """Whether the time is extrapolated."""
        return self.n_run < self.n_rows


@dataclass(frozen=True)
class Cell:
    """One engine over the folds of one set."""

    timings: tuple[Timing, ...] = ()

    @property
    def mean(self) -> float:
        """Mean seconds over the folds; NaN before the first."""
        return fmean(t.seconds for t in self.timings) if self.timings else math.nan

    @property
    def std(self) -> float:
        """Sample standard deviation over the folds; NaN where there are fewer than two."""
        return stdev(t.seconds for t in self.timings) if len(self.timings) > 1 else math.nan

    @property
    def cpu_mean(self) -> float:
        """Mean CPU seconds of the thread."""
        return fmean(t.cpu_seconds for t in self.timings) if self.timings else math.nan

    @property
    def is_sampled(self) -> bool:
        """Whether a time of a fold is extrapolated."""
        return any(t.is_sampled for t in self.timings)

    def of_folds(self, folds: Container[tuple[int, int]]) -> Cell:
        """Only the timings of these (run, fold) pairs."""
        return Cell(tuple(t for t in self.timings if (t.run, t.fold) in folds))

    def with_timing(self, timing: Timing) -> Cell:
        """A copy with one more timing, which replaces an earlier one of the same fold."""
        others = [t for t in self.timings if (t.run, t.fold) != (timing.run, timing.fold)]
        return Cell((*others, timing))


@dataclass(frozen=True)
class PhaseTimes:
    """Both engines over the folds of one set."""

    igmn: Cell = Cell()
    fast: Cell = Cell()

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """Seconds of IGMN and of Fast IGMN for every fold that both have finished."""
        fast = {(t.run, t.fold): t.seconds for t in self.fast.timings}
        return [(t.seconds, fast[t.run, t.fold]) for t in self.igmn.timings if (t.run, t.fold) in fast]

    @property
    def shown(self) -> PhaseTimes:
        """Only folds that both have finished, so that means and speed-up agree; all timings before there is one."""
        common = {(t.run, t.fold) for t in self.igmn.timings} & {(t.run, t.fold) for t in self.fast.timings}
        return PhaseTimes(self.igmn.of_folds(common), self.fast.of_folds(common)) if common else self

    @property
    def speed_up(self) -> float:
        """IGMN's mean time over Fast IGMN's, over the folds that both have done; NaN before the first."""
        return speed_up(self.shown.fast.mean, self.shown.igmn.mean) if self.pairs else math.nan

    @cached_property  # tables are drawn after every piece of work, and SciPy takes 0.2 ms for a test
    def test(self) -> PairedTest | None:
        """The paired t-test over the folds; None where there are too few."""
        pairs = self.pairs
        return paired_t_test([i for i, _ in pairs], [f for _, f in pairs]) if len(pairs) >= FEWEST else None

    @property
    def mark(self) -> Mark:
        """● where Fast IGMN takes significantly less time than IGMN, ○ where it takes more."""
        return self.test.mark() if self.test else ""

    @property
    def is_sampled(self) -> bool:
        """Whether a time of either engine is extrapolated."""
        return self.igmn.is_sampled or self.fast.is_sampled

    def cell(self, engine: EngineName) -> Cell:
        """One engine."""
        return self.igmn if engine == "igmn" else self.fast


@dataclass(frozen=True)
class SetTimes:
    """One dataset."""

    of: PaperSet
    training: PhaseTimes = PhaseTimes()
    testing: PhaseTimes = PhaseTimes()
    """Row by row with nothing kept."""
    testing_kept: PhaseTimes = PhaseTimes()
    """Row by row with the pattern kept: the first row of a fold pays for all."""

    def phase(self, phase: Phase) -> PhaseTimes:
        """One of the phases."""
        return {"training": self.training, "testing": self.testing, "testing_kept": self.testing_kept}[phase]

    def with_timing(self, phase: Phase, engine: EngineName, timing: Timing) -> SetTimes:
        """A copy with the timing of a fold added or replaced."""
        times = self.phase(phase)
        cell = times.cell(engine).with_timing(timing)
        times = replace(times, igmn=cell) if engine == "igmn" else replace(times, fast=cell)
        changed: dict[str, Any] = {phase: times}
        return replace(self, **changed)


@dataclass(frozen=True)
class Average:
    """Last row of a table: means over all sets."""

    igmn: float
    fast: float
    igmn_sampled: bool
    """Whether one of the means is extrapolated."""
    fast_sampled: bool

    @property
    def speed_up(self) -> float:
        """Of the averages."""
        return speed_up(self.fast, self.igmn)

    @property
    def is_sampled(self) -> bool:
        """Whether one of all means is extrapolated."""
        return self.igmn_sampled or self.fast_sampled


@dataclass(frozen=True)
class SpeedTables:
    """All tables, as far as they are measured."""

    settings: TableSettings = field(default_factory=TableSettings)
    rows: tuple[SetTimes, ...] = tuple(SetTimes(one) for one in SETS)
    """All sets; one that is not measured yet has no timings."""
    n_done: int = 0
    """Finished timings; one that was cut off is kept but not counted."""
    now: str = ""
    """The current step, in words; empty at the end."""
    machine: tuple[tuple[str, str], ...] = ()
    """Names and values: the processor, and the versions of what was used."""
    threads: int = 1
    """BLAS threads of both engines."""

    @property
    def n_total(self) -> int:
        """Total number of timings: both engines, all phases, every fold of every set."""
        return len(self.rows) * self.settings.n_runs * N_FOLDS * len(PHASES) * len(ENGINES)

    @property
    def is_whole(self) -> bool:
        """Whether everything has been measured."""
        return self.n_done == self.n_total

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been measured."""
        return not any(row.phase(phase).cell(e).timings for row in self.rows for phase in PHASES for e in ENGINES)

    def average(self, phase: Phase) -> Average | None:
        """Last row of a table; None while a set is missing, since both means must be over the same sets."""
        times = [row.phase(phase).shown for row in self.rows]
        if any(not t.igmn.timings or not t.fast.timings for t in times):
            return None
        igmn, fast = [t.igmn for t in times], [t.fast for t in times]
        return Average(_mean(igmn), _mean(fast), _any_sampled(igmn), _any_sampled(fast))

    def cpu_shares(self) -> list[tuple[float, str]]:
        """CPU time / wall-clock time of every cell with its name, lowest first: low where other processes ran."""
        found = [
            (cell.cpu_mean / cell.mean, f"{row.of.title}, {ENGINE_TITLES[engine]}, {PHASE_WORDS[phase]}")
            for row in self.rows
            for phase in PHASES
            for engine in ENGINES
            if (cell := row.phase(phase).cell(engine)).timings
        ]
        return sorted(found)


def _mean(cells: Sequence[Cell]) -> float:
    return fmean(cell.mean for cell in cells)


def _any_sampled(cells: Sequence[Cell]) -> bool:
    return any(cell.is_sampled for cell in cells)
