"""A run without a thread: feeds rows of a dataset to an engine, and keeps what frames show."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from functools import partial
from typing import Protocol

import numpy as np

from figmn import ConstantColumnWarning, FastIGMN, Parameters, Record
from figmn.bench import warm_up
from figmn.engine import ROWS_BEFORE_WARNING, Engine
from figmn.system.arrays import Floats, Ints
from workbench.run.learn.drift_watch import DriftWatch
from workbench.run.learn.input_scores import ROW_WORK, InputScores, log_density
from workbench.run.learn.sample_log import Lines, lines_of
from workbench.run.learn.timeline import Past
from workbench.run.recipe.model_file import OpenedModel
from workbench.run.recipe.recipe import Recipe
from workbench.run.rows.left_out import LeftOut
from workbench.run.rows.naming import naming
from workbench.run.rows.prepared import Chunk, Prepared
from workbench.run.show.endings import Endings, endings_of
from workbench.run.show.frame import HeldOut, Latest
from workbench.source import SourceError
from workbench.words.counts import merged_words

FEW_EVENTS = 4
"""Births, removals and mergers of a chunk that are listed one by one; of more, the numbers are given."""
HELD_OUT_WORK = 2e9
"""Multiplications that the likelihood of held-out rows may cost: a fifth of a second, in which no command
is executed."""


ONE_AT_A_TIME = threading.Lock()
"""Lock for the warning filters, which all threads share."""
Stopwatch = Callable[[Callable[[], Record]], Record]
"""Calls a function that learns, and returns its record; tests replace the times in it."""


def timed(learn: Callable[[], Record]) -> Record:
    """Learn; the engine measures its own time."""
    return learn()


class Log(Protocol):
    """Anything that stores what every sample did."""

    def add(self, lines: Lines) -> None:
        """Add a chunk."""


class Learner:
    """The engine of a run, its stream and its history; samples are counted from the beginning of the run.

    Every call learns one chunk: `advance` as many rows as it may, `advance_to_event` at most up to a birth or removal.
    """

    def __init__(
        self,
        recipe: Recipe,
        prepared: Prepared,
        log: Log,
        engine: Callable[..., Engine] = FastIGMN,
        stopwatch: Stopwatch = timed,
        input_scores: InputScores | None = None,
        drift_watch: DriftWatch | None = None,
        model: OpenedModel | None = None,
    ) -> None:
        self.recipe, self.prepared, self.log = recipe, prepared, log
        self._stopwatch, self._input_scores = stopwatch, input_scores
        self.drift_watch = drift_watch
        encoder = prepared.encoder
        warm_up([partial(engine, covariance=recipe.choices.parameters.covariance)], encoder.n_columns)
        if model is None:
            self.engine = engine(**asdict(recipe.choices.parameters), scale=prepared.scale, columns=encoder.names)
        else:
            self.engine = FastIGMN.from_snapshot(model.snapshot)
            self.engine.change(**recipe.choices.parameters.changeable())
        self.n_before = self.engine.n_seen
        """Samples that the engine had learned before the run."""
        self.past, self.endings = Past(), Endings()
        self.n_done = 0
        self.n_births = self.n_removals = self.n_merges = 0
        self.engine_seconds = self.cpu_seconds = 0.0
        """Time in the engine, wall-clock and CPU time of the thread."""
        self.record: Record | None = None
        """What the last chunk did."""
        self.latest: Latest | None = None
        self.happened = ""
        """Births, removals and mergers of the last chunk, in words; empty where there were none."""
        self.complaints: list[str] = []
        """Warnings of the engine."""
        self._feed = Feed(prepared.chunks())

    @property
    def n_total(self) -> int | None:
        """Samples of the whole run; None where it has no end.

        Of a file that is streamed every row counts until it is found to be left out.
        """
        n_rows, found = self.prepared.n_rows, self._feed.left_out.n_rows + self._feed.weightless.n_rows
        n_left = n_rows if n_rows is None or self.prepared.left_out is not None else n_rows - found
        return min((limit for limit in (n_left, self.recipe.n_samples) if limit is not None), default=None)

    @property
    def left_out(self) -> str:
        """Which rows of the source are not learned, in words; of a streamed file those so far."""
        is_streamed, title = self.prepared.left_out is None, self.recipe.origin.title
        found = self.prepared.left_out or self._feed.left_out
        weightless = self._feed.weightless if is_streamed else self.prepared.weightless
        sentences = [found.words(title, self.recipe.encoding.missing), weightless.words(title, "weight")]
        return ". ".join(filter(None, sentences))

    def advance(self, n_rows: int) -> Chunk:
        """Learn at most `n_rows` rows; none are left where the chunk is empty."""
        chunk = self._next(n_rows)
        if len(chunk.values):
            scores = self._scores(chunk)
            self._store(chunk, self._learned(chunk), scores)
        return chunk

    def advance_to_event(self, n_rows: int, births: bool, removals: bool) -> tuple[Chunk, bool]:
        """As `advance`, but stop right after the first birth, or removal or merger; returns whether there was one.

        The whole chunk is learned first. If an event happened within it, the engine is reset to a snapshot, and only
        the rows up to the event are learned again.
        """
        chunk = self._next(n_rows)
        if not len(chunk.values):
            return chunk, False
        before, scores = self.engine.snapshot(), self._scores(chunk)
        record = self._learned(chunk)
        place = _first_event(record, births, removals)
        if place is not None and place + 1 < len(chunk.values):
            self._feed.give_back(len(chunk.values) - (place + 1))
            chunk = chunk.part(0, place + 1)
            self.engine = type(self.engine).from_snapshot(before)
            record = self._learned(chunk)
        self._store(chunk, record, None if scores is None else scores[: len(chunk.values)])
        return chunk, place is not None

    def change(self, parameters: Parameters) -> None:
        """Use other values of the parameters that may change during a run, from the next sample on."""
        self.recipe = self.recipe.changed(self.n_done, parameters)
        self._make_changes()

    def held_out(self, most_work: float = HELD_OUT_WORK) -> HeldOut | None:
        """Mean log-likelihood of the held-out rows, of as many as `most_work` multiplications allow."""
        test = self.prepared.test
        if test is None or not len(test) or not self.engine.n_components:
            return None
        is_scored_twice = self.prepared.has_targets
        work = (1 + is_scored_twice) * self.engine.n_components * (self.engine.n_features**2 + ROW_WORK)
        rows = test[: int(min(len(test), max(1.0, most_work / work)))]
        weights = None if self.prepared.test_weights is None else self.prepared.test_weights[: len(rows)]
        with self._naming(self.prepared.test_rows):
            of_all = self.prepared.units.log_densities(self.engine.score_samples(rows), np.isfinite(rows))
            mean = float(np.average(of_all, weights=weights))
            if not is_scored_twice:
                return HeldOut(len(rows), mean)
            of_inputs = self._of_inputs(log_density(self.engine, rows, self.prepared.encoder.targets), rows)
            return HeldOut(len(rows), mean, float(np.average(of_inputs, weights=weights)))

    def close(self) -> None:
        """Release the data: a streamed file has a thread that reads ahead. No more rows can be learned."""
        self._feed.close()

    def _next(self, n_rows: int) -> Chunk:
        self._make_changes()
        chunk = self._feed.take(self._limited(n_rows))
        if not len(chunk.values):
            if not self.n_done:
                raise self._no_row()
            self._finish_watching()
        return chunk

    def _no_row(self) -> SourceError:
        if (self.prepared.weightless if self.prepared.left_out is not None else self._feed.weightless).n_rows:
            return SourceError(
                "{title} has no row to learn: rows of weight 0 do not count. Give some rows a weight above 0.",
                title=self.recipe.origin.title,
            )
        if self.recipe.encoding.missing == "drop":
            return SourceError(
                "{title} has no row to learn. Choose another missing-value policy than dropping rows, or ignore "
                "columns with many missing values.",
                title=self.recipe.origin.title,
            )
        return SourceError(
            "{title} has no row to learn. Give a column that has values the role input.",
            title=self.recipe.origin.title,
        )

    def _limited(self, n_rows: int) -> int:
        """At most up to the end and to the next change of parameters."""
        stops = [change.sample for change in self.recipe.changes if change.sample > self.n_done]
        stops += [] if self.n_total is None else [self.n_total]
        stops += [] if self.drift_watch is None else [self.n_done + self.drift_watch.n_until_moment(self.engine)]
        return max(0, min([n_rows, *(stop - self.n_done for stop in stops)]))

    def _make_changes(self) -> None:
        due = [change for change in self.recipe.changes if change.sample <= self.n_done]
        if due:
            wanted = due[-1].values
            if self.engine.parameters.changeable() != wanted:
                self.engine.change(**wanted)

    def _scores(self, chunk: Chunk) -> Floats | None:
        """Log densities of the inputs before they are learned; None where they are not wanted."""
        if self._input_scores is None:
            return None
        with self._naming(chunk.rows):
            return self._of_inputs(self._input_scores.of(self.engine, chunk.values), chunk.values)

    def _of_inputs(self, log_densities: Floats, rows: Floats) -> Floats:
        """Log densities of the known inputs, in the original units."""
        known = np.isfinite(rows)
        known[:, self.prepared.encoder.targets] = False
        return self.prepared.units.log_densities(log_densities, known)

    def _learned(self, chunk: Chunk) -> Record:
        if self.n_done > ROWS_BEFORE_WARNING:
            return self._timed(chunk)
        # The filters are the whole process's: changed for the first rows alone, after which no engine warns.
        with ONE_AT_A_TIME, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConstantColumnWarning)
            record = self._timed(chunk)
        self.complaints += [str(warning.message) for warning in caught]
        return record

    def _timed(self, chunk: Chunk) -> Record:
        with self._naming(chunk.rows):
            record = self._stopwatch(lambda: self.engine.learn_recorded(chunk.values, chunk.weights))
        whole = np.ones((1, self.engine.n_features), bool)  # gaps are filled before a row is measured
        found = self.prepared.units.log_densities(record.log_likelihoods, whole)
        found.flags.writeable = False
        return _counted_from(self.n_before, replace(record, log_likelihoods=found))

    def _naming(self, rows: Ints | None) -> AbstractContextManager[None]:
        return naming(rows, self.prepared.encoder.names, self.recipe.origin.title)

    def _store(self, chunk: Chunk, record: Record, input_scores: Floats | None) -> None:
        count = len(chunk.values)
        self.engine_seconds += record.nanoseconds / 1e9
        self.cpu_seconds += record.cpu_nanoseconds / 1e9
        self.n_done += count
        self.n_births += int(np.count_nonzero(record.born >= 0))
        self.n_removals += len(record.removed_ids)
        self.n_merges += len(record.merges)
        self.past.add(record, input_scores)
        self.log.add(lines_of(record, chunk.rows, chunk.codes, chunk.weights))
        self.endings.add(endings_of(record))
        self.record, self.latest = record, _latest(chunk, record)
        self.happened = events_text(record)
        if self.drift_watch is not None:
            self.drift_watch.add(record, self.engine, self.prepared.encoder.names)
        if self.n_done == self.n_total:
            self._finish_watching()

    def _finish_watching(self) -> None:
        if self.drift_watch is not None:
            self.drift_watch.finish(self.engine, self.prepared.encoder.names)


class Feed:
    """Rows of a stream in chunks of any size, never across two of its blocks."""

    def __init__(self, chunks: Generator[Chunk]) -> None:
        self.left_out = LeftOut()
        """Rows of the blocks so far that are not learned for missing values."""
        self.weightless = LeftOut()
        """Those that are not learned because their weight is 0."""
        self._chunks = chunks
        self._block: Chunk | None = None
        self._position = 0
        self._next_block()

    def take(self, n_rows: int) -> Chunk:
        """The next rows, at most `n_rows`; none at the end."""
        while self._block is not None and self._position == len(self._block.values):
            self._next_block()
        if self._block is None:
            nothing = np.empty(0, np.int64)
            no_code = nothing.astype(np.int32)
            return Chunk(nothing, np.empty((0, 0)), no_code, no_code[:, None], nothing)
        begin, self._position = self._position, min(self._position + n_rows, len(self._block.values))
        return self._block.part(begin, self._position)

    def give_back(self, n_rows: int) -> None:
        """Return the last `n_rows` rows to the stream."""
        self._position -= n_rows

    def close(self) -> None:
        """Close the stream, even before its end."""
        self._chunks.close()

    def _next_block(self) -> None:
        self._block, self._position = next(self._chunks, None), 0
        if self._block is not None:
            self.left_out = self.left_out.and_rows(self._block.left_out)
            self.weightless = self.weightless.and_rows(self._block.weightless)


def _counted_from(n_before: int, record: Record) -> Record:
    """A record whose samples are counted from the beginning of the run, where the engine had learned some before."""
    if not n_before:
        return record
    removed, merges = record.removed_samples - n_before, record.merges - np.array([n_before, 0, 0])
    for array in (removed, merges):
        array.flags.writeable = False
    return replace(record, first=record.first - n_before, removed_samples=removed, merges=merges)


def _first_event(record: Record, births: bool, removals: bool) -> int | None:
    """Place of the first birth, or of the first removal or merger, in the chunk."""
    places = np.flatnonzero(record.born >= 0)[:1].tolist() if births else []
    gone = [record.removed_samples[:1], record.merges[:1, 0]] if removals else []
    places += [place for samples in gone for place in (samples - record.first).tolist()]
    return min(places, default=None)


def events_text(record: Record) -> str:
    """Births, removals and mergers of a chunk in words: few are listed, of many the numbers are given.

    >>> model = FastIGMN(delta=1, beta=0.1, scale=[1.0])
    >>> events_text(model.learn_recorded([[0.0], [0.1], [50.0]]))
    'Sample 1: #0 born. Sample 3: #1 born.'
    """
    places = np.flatnonzero(record.born >= 0)
    n_born, n_removed, n_merged = len(places), len(record.removed_ids), len(record.merges)
    if n_born + n_removed + n_merged > FEW_EVENTS:
        first, last = record.first + 1, record.first + len(record.born)
        gone = f"{n_removed:,} removed{merged_words(n_merged)}"
        return f"Samples {first:,} to {last:,}: {n_born:,} components born, {gone}."
    births = [(record.first + place, f"#{record.born[place]} born") for place in places.tolist()]
    pairs = zip(record.removed_samples.tolist(), record.removed_ids.tolist(), strict=True)
    removals = [(sample, f"#{number} removed") for sample, number in pairs]
    merges = [(sample, f"#{kept} took in #{taken}") for sample, kept, taken in record.merges.tolist()]
    # In the order of the samples; of one sample births come first and mergers last, each kind as it happened.
    events = sorted([*births, *removals, *merges], key=lambda event: event[0])
    return " ".join(f"Sample {sample + 1:,}: {text}." for sample, text in events)


def latest_words(latest: Latest | None) -> str:
    """What the latest sample did to the components: the number of a newborn one, of those removed, of those merged."""
    if latest is None:
        return ""
    born = [] if latest.born is None else [f"#{latest.born} born"]
    gone = [f"{', '.join(f'#{number}' for number in latest.removed)} removed"] if latest.removed else []
    merged = [f"#{kept} took in #{taken}" for kept, taken in latest.merged]
    return ", ".join([*born, *gone, *merged])


def _latest(chunk: Chunk, record: Record) -> Latest:
    sample = record.first + len(record.born) - 1
    nearest, born = int(record.nearest[-1]), int(record.born[-1])
    return Latest(
        sample=sample,
        row=int(chunk.rows[-1]),
        nearest=None if nearest < 0 else nearest,
        distance=float(record.distances[-1]),
        owner=int(record.owners[-1]),
        posterior=float(record.posteriors[-1]),
        threshold=record.threshold,
        born=None if born < 0 else born,
        removed=tuple(record.removed_ids[record.removed_samples == sample].tolist()),
        log_likelihood=float(record.log_likelihoods[-1]),
        n_missing=int(np.count_nonzero(np.isnan(chunk.values[-1]))),
        weight=1.0 if chunk.weights is None else float(chunk.weights[-1]),
        merged=tuple((kept, taken) for number, kept, taken in record.merges.tolist() if number == sample),
    )
