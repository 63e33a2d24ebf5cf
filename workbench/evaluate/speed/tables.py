"""The paper's tables of times, measured here: eleven sets, δ = 1, β = 0, two-fold cross-validation.

Engine time only: rows, models and compiled code are ready before the clocks start, both engines get the same rows and
one BLAS thread, and they take turns at going first. A short fold is learned in one call. Prediction goes row by row
with the classes unknown, as Weka asks its classifiers, in two ways. With nothing kept from row to row the cubic engine
pays one inversion per row, as in the paper. With the pattern kept, both engines compute at the first row of a fold what
the missing columns need, and reuse it for the others.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from figmn import IGMN, FastIGMN
from figmn.bench import machine, pinned, warm_up
from figmn.engine import Engine
from figmn.scale import column_std
from figmn.system.arrays import Floats
from workbench.evaluate.folds import Fold, stratified_folds
from workbench.evaluate.speed.clock import PIECE, FoldProgress, clocked, timed_pieces
from workbench.evaluate.speed.cost import Estimate, estimate_seconds
from workbench.evaluate.speed.printed import Phase
from workbench.evaluate.speed.sets import SETS, PaperSet
from workbench.evaluate.speed.settings import N_FOLDS, TableSettings
from workbench.evaluate.speed.times import ENGINE_TITLES, ENGINES, EngineName, SetTimes, SpeedTables, Timing
from workbench.run.recipe.choices import PAPER
from workbench.source import Encoding, Table

__all__ = ["Estimate", "SetTimes", "SpeedTables", "TableSettings", "estimate_seconds", "measure_tables"]

THREADS = 1


def measure_tables(
    settings: TableSettings = TableSettings(),  # noqa: B008 (frozen)
    sets: Sequence[PaperSet] = SETS,
) -> Generator[SpeedTables, None, None]:
    """Measure all tables; yields them after every small piece of work.

    To cancel, close the generator: the tables yielded last hold all that was measured. A fold that was cut off is
    extrapolated and marked as sampled. BLAS gets its threads back in any case.

    >>> from workbench.evaluate.speed.sets import SETS
    >>> *_, tables = measure_tables(sets=SETS[5:6])
    >>> tables.is_whole, len(tables.rows[0].training.fast.timings)
    (True, 2)
    """
    with pinned(THREADS):
        tables = SpeedTables(
            settings=settings,
            rows=tuple(SetTimes(one) for one in sets),
            now="Preparing the compiled engines",
            machine=tuple(machine().items()),
            threads=THREADS,
        )
        yield tables
        warm_up()
        import_module("scipy.stats")  # for the marks: up to 1.3 s, which would block the GUI thread
        measuring = _Measuring(tables)
        for position, one in enumerate(sets):
            yield measuring.says(f"Reading {one.title}")
            yield from measuring.measure(position, one.read())
        yield measuring.says("")


@dataclass(frozen=True)
class _Place:
    """A fold of a run on a set."""

    position: int
    run: int
    fold: int

    @property
    def order(self) -> tuple[EngineName, ...]:
        """Engines in the order of their turns; the first one alternates."""
        return ENGINES if (self.run * N_FOLDS + self.fold) % 2 == 0 else ENGINES[::-1]


@dataclass(frozen=True, eq=False)
class _Rows:
    """The encoded rows of a fold."""

    train: Floats
    questions: Floats
    """Rows of the test set with unknown classes."""
    scale: Floats
    """Standard deviations of the training rows."""

    @staticmethod
    def of(table: Table, fold: Fold) -> _Rows:
        train = table.take(fold.train)
        encoder = Encoding().fit(train)
        questions = encoder.encode(table.take(fold.test)).values.copy()
        questions[:, encoder.targets] = np.nan
        questions.flags.writeable = False
        rows = encoder.encode(train).values
        return _Rows(rows, questions, column_std(rows))


class _Measuring:
    """The tables as they grow."""

    def __init__(self, tables: SpeedTables) -> None:
        self.tables = tables
        self.settings = tables.settings

    def says(self, now: str) -> SpeedTables:
        """The tables with a new text of the current step."""
        self.tables = replace(self.tables, now=now)
        return self.tables

    def measure(self, position: int, table: Table) -> Iterator[SpeedTables]:
        """All folds of a set."""
        for run in range(self.settings.n_runs):
            for number, fold in enumerate(stratified_folds(table, N_FOLDS, self.settings.seed + run)):
                yield from self._fold(_Place(position, run, number), _Rows.of(table, fold))

    def _fold(self, place: _Place, rows: _Rows) -> Iterator[SpeedTables]:
        models: dict[EngineName, Engine] = {}
        for engine in place.order:
            models[engine] = self._new(engine, rows)
            yield from self._train(place, engine, models[engine], rows)
        yield from self._finish(place, models, rows)
        for engine in place.order:
            yield from self._test(place, engine, models[engine], rows)
            yield from self._test_kept(place, engine, models[engine], rows)

    def _train(self, place: _Place, engine: EngineName, model: Engine, rows: _Rows) -> Iterator[SpeedTables]:
        words = self._words(place, engine, "learns")
        yield self.says(words)
        each = self._rehearse(engine, rows)
        yield self.tables
        learning = timed_pieces(
            lambda begin, end: _learn(model, rows.train[begin:end]),
            len(rows.train),
            each,
            self.settings.seconds_at_most,
            n_special=1,  # the creation of the only component is cheap
        )
        yield from self._follow(place, "training", engine, learning, len(rows.train), words)

    def _test(self, place: _Place, engine: EngineName, model: Engine, rows: _Rows) -> Iterator[SpeedTables]:
        words, questions = self._words(place, engine, "answers"), rows.questions
        yield self.says(words)

        def ask(begin: int, end: int) -> None:
            for row in range(begin, end):
                model.forget_patterns()
                model.recall(questions[row : row + 1])

        each = clocked(ask, 0, 1).wall  # warms up as well
        yield self.tables
        answering = timed_pieces(ask, len(questions), each, self.settings.seconds_at_most)
        yield from self._follow(place, "testing", engine, answering, len(questions), words)

    def _test_kept(self, place: _Place, engine: EngineName, model: Engine, rows: _Rows) -> Iterator[SpeedTables]:
        words, questions = self._words(place, engine, "answers with the pattern kept"), rows.questions
        yield self.says(words)

        def ask(begin: int, end: int) -> None:
            for row in range(begin, end):
                model.recall(questions[row : row + 1])

        each = clocked(ask, len(questions) - 1, len(questions)).wall  # of a pattern that is cached
        model.forget_patterns()
        answering = timed_pieces(ask, len(questions), each, self.settings.seconds_at_most, n_special=1)
        yield from self._follow(place, "testing_kept", engine, answering, len(questions), words)

    def _follow(
        self, place: _Place, phase: Phase, engine: EngineName, steps: Iterator[FoldProgress], n_rows: int, words: str
    ) -> Iterator[SpeedTables]:
        """Add the time of every piece to the tables; count the timing at the end."""
        for n_run, reading in steps:
            if reading is not None:
                timing = Timing(place.run, place.fold, reading.wall, reading.cpu, n_run, n_rows)
                self._put(place, phase, engine, timing)
            yield self.says(f"{words}, {n_run:,} of {n_rows:,} rows")
        self.tables = replace(self.tables, n_done=self.tables.n_done + 1)
        yield self.tables

    def _finish(self, place: _Place, models: dict[EngineName, Engine], rows: _Rows) -> Iterator[SpeedTables]:
        """Give both models the whole training set before they predict, untimed."""
        n_rows, fast = len(rows.train), models["fast"]
        if fast.n_seen < n_rows:
            clocked(lambda begin, end: _learn(fast, rows.train[begin:end]), fast.n_seen, n_rows)
        if models["igmn"].n_seen < n_rows:
            yield self.says(self._words(place, "igmn", "takes over what Fast IGMN has learned"))
            del models["igmn"]  # frees its matrix before another one is allocated
            models["igmn"] = IGMN.from_snapshot(fast.snapshot())

    def _rehearse(self, engine: EngineName, rows: _Rows) -> float:
        """Warm up with rows of the fold, all of them where that is quick; returns roughly the seconds per row."""
        scratch, train = self._new(engine, rows), rows.train
        clocked(lambda begin, end: _learn(scratch, train[begin:end]), 0, 1)
        each = clocked(lambda begin, end: _learn(scratch, train[begin:end]), 1, 2).wall
        if each * len(train) > PIECE:
            return each
        again = self._new(engine, rows)
        return clocked(lambda begin, end: _learn(again, train[begin:end]), 0, len(train)).wall / len(train)

    def _new(self, engine: EngineName, rows: _Rows) -> Engine:
        options: dict[str, Any] = {**PAPER, "covariance": "exact", "scale": rows.scale}
        return IGMN(**options, solver=self.settings.solver) if engine == "igmn" else FastIGMN(**options)

    def _put(self, place: _Place, phase: Phase, engine: EngineName, timing: Timing) -> None:
        all_rows = list(self.tables.rows)
        all_rows[place.position] = all_rows[place.position].with_timing(phase, engine, timing)
        self.tables = replace(self.tables, rows=tuple(all_rows))

    def _words(self, place: _Place, engine: EngineName, does: str) -> str:
        run = f"run {place.run + 1}, " if self.settings.n_runs > 1 else ""
        title = self.tables.rows[place.position].of.title
        return f"{title}, {run}fold {place.fold + 1}: {ENGINE_TITLES[engine]} {does}"


def _learn(model: Engine, rows: Floats) -> None:
    model.learn(rows)
