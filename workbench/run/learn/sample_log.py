"""What every sample did, one line each: kept in memory up to a limit, or written to a file as it happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from figmn import Record
from figmn.system.arrays import Floats, Ints
from workbench.run.files import write_safely
from workbench.run.show.endings import NO_ENDINGS, NOBODY, Endings, endings_of
from workbench.source import Cancelled
from workbench.source.read.options import Progress
from workbench.words.tables import neutral

KEPT = 1_000_000
"""Samples that a log keeps, the latest ones."""
WRITTEN_AT_ONCE = 50_000
"""Lines that are written between two calls of the progress callback."""


class Lines(NamedTuple):
    """Entries of the log, one for each sample; and how components ended."""

    sample: Ints
    """Number in the stream, from 0."""
    row: Ints
    """Row of the source, from 0."""
    code: NDArray[np.int32]
    """Position of its class in the labels, -1 for none."""
    weight: Floats
    """How much it counts."""
    nearest: Ints
    """The component with the smallest d² before it was learned; -1 where there was none."""
    distance: Floats
    """That smallest d²; NaN where there was no component."""
    owner: Ints
    """The component that takes most of it, by its posterior before it was learned; the newborn of a birth."""
    posterior: Floats
    """That largest posterior; 1 for a birth."""
    born: Ints
    """The component that was born of it; -1 for none."""
    log_likelihood: Floats
    """Log density before it was learned, of all columns (inputs and targets) in the user's units."""
    microseconds: Floats
    """Engine time: that of its chunk divided by the samples of the chunk."""
    n_components: Ints
    """K afterwards."""
    endings: Ints = NO_ENDINGS
    """After these samples, as `endings_of` gives them; not one for each sample."""

    @property
    def n_samples(self) -> int:
        """Number of entries."""
        return len(self.sample)

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """What there is of each sample."""
        return self[:-1]

    def part(self, begin: int, end: int) -> Lines:
        """Some of the entries, at least one."""
        first, last = np.searchsorted(self.endings[:, 0], self.sample[begin:end][[0, -1]] + [0, 1])
        some = Lines(*(column[begin:end] for column in self.columns))
        return some._replace(endings=self.endings[first:last])

    def latest(self, count: int) -> Lines:
        """The last ones."""
        return self.part(max(0, self.n_samples - count), self.n_samples)


def lines_of(record: Record, rows: Ints, codes: NDArray[np.int32], weights: Floats | None = None) -> Lines:
    """The entries of a chunk; without weights every row counts 1."""
    count = len(record.born)
    return Lines(
        sample=record.first + np.arange(count),
        row=rows,
        code=codes,
        weight=np.ones(count) if weights is None else weights,
        nearest=record.nearest,
        distance=record.distances,
        owner=record.owners,
        posterior=record.posteriors,
        born=record.born,
        log_likelihood=record.log_likelihoods,
        microseconds=np.full(count, record.nanoseconds / 1e3 / count),
        n_components=record.n_components,
        endings=endings_of(record),
    )


class SampleLog:
    """The latest samples of a run, `kept` of them at most."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept = kept
        self.n_added = 0
        self._room: list[NDArray[Any]] = []
        """Allocated at full size: the system provides memory pages when they are written to."""
        self._endings = Endings(2 * kept)  # of each sample's newborn, and of those that were there before

    @property
    def n_kept(self) -> int:
        """Samples that it holds."""
        return min(self.n_added, self.kept)

    def add(self, lines: Lines) -> None:
        """Add a chunk; the oldest samples are overwritten."""
        lines = lines.latest(self.kept)
        skipped = int(lines.sample[0]) - self.n_added
        self.n_added += skipped
        self._room = self._room or [np.empty(self.kept, column.dtype) for column in lines.columns]
        begin = self.n_added % self.kept
        first = min(lines.n_samples, self.kept - begin)
        for room, column in zip(self._room, lines.columns, strict=True):
            room[begin : begin + first] = column[:first]
            room[: lines.n_samples - first] = column[first:]
        self._endings.add(lines.endings)
        self.n_added += lines.n_samples

    def lines(self) -> Lines:
        """A copy of all that is kept, the oldest first."""
        if not self._room:
            return _nothing()
        begin = self.n_added % self.kept if self.n_added > self.kept else 0
        ordered = (np.concatenate([room[begin : self.n_kept], room[:begin]]) for room in self._room)
        endings = self._endings.latest()
        return Lines(*ordered)._replace(endings=endings[endings[:, 0] >= self.n_added - self.n_kept])


class CsvLog:
    """A log that is written to a file chunk by chunk, without a limit of length."""

    def __init__(self, path: Path, labels: tuple[str, ...], raw: bool = False) -> None:
        self.labels = _written(labels, raw)
        self._writer = csv.CSVWriter(path, _table(_nothing(), self.labels).schema)

    def add(self, lines: Lines) -> None:
        """Write a chunk."""
        self._writer.write_table(_table(lines, self.labels))

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()


def write_csv(
    path: str | Path,
    lines: Lines,
    labels: tuple[str, ...],
    raw: bool = False,
    progress: Progress = lambda done, total: True,  # noqa: ARG005
) -> None:
    """Write entries to a CSV file, whole or not at all.

    Parameters
    ----------
    path : file to write
    lines : entries
    labels : names of the classes
    raw : write labels as they are, even those that begin like a formula
    progress : called before every `WRITTEN_AT_ONCE` lines; where it answers False, `Cancelled` is raised
    """

    def write(new: Path) -> None:
        names = _written(labels, raw)
        with csv.CSVWriter(new, _table(_nothing(), names).schema) as writer:
            for start in range(0, lines.n_samples, WRITTEN_AT_ONCE):
                if not progress(start, lines.n_samples):
                    raise Cancelled
                writer.write_table(_table(lines.part(start, start + WRITTEN_AT_ONCE), names))

    write_safely(path, write)


def _written(labels: tuple[str, ...], raw: bool) -> tuple[str, ...]:
    return labels if raw else tuple(neutral(label) for label in labels)


def _table(lines: Lines, labels: tuple[str, ...]) -> pa.Table:
    """For users: samples and rows count from 1."""
    is_removed = lines.endings[:, 1] == NOBODY
    removals, mergers = lines.endings[is_removed], lines.endings[~is_removed]
    return pa.table(
        {
            "sample": lines.sample + 1,
            "row": lines.row + 1,
            "label": _named(lines.code, labels),
            "weight": lines.weight,
            "nearest_on_arrival": pa.array(lines.nearest, mask=lines.nearest < 0),
            "d2_to_nearest": pa.array(lines.distance, mask=np.isnan(lines.distance)),
            "owner_on_arrival": lines.owner,
            "owner_posterior": lines.posterior,
            "born": pa.array(lines.born, mask=lines.born < 0),
            "removed": _joined(lines.sample, removals, _texts(removals[:, 2])),
            "merged": _joined(lines.sample, mergers, _texts(mergers[:, 2], " into ", mergers[:, 1])),
            "log_likelihood_all_columns": pa.array(lines.log_likelihood, mask=~np.isfinite(lines.log_likelihood)),
            "us": lines.microseconds,
            "K": lines.n_components,
        }
    )


def _named(codes: NDArray[np.int32], labels: tuple[str, ...]) -> pa.Array:
    """The labels of codes, by Arrow: a million of Python's texts would hold the interpreter while they are copied."""
    known = pa.array(codes, pa.int32(), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(known, pa.array(labels, pa.string())).cast(pa.string())


def _texts(*parts: Ints | str) -> pa.Array:
    """Texts of numbers and words, one after another."""
    texts = (part if isinstance(part, str) else pa.array(part).cast(pa.string()) for part in parts)
    return pc.binary_join_element_wise(*texts, "")


def _joined(samples: Ints, endings: Ints, texts: pa.Array) -> pa.Array:
    """The texts of the endings after each sample, as one text; null where there is none."""
    begins = np.searchsorted(endings[:, 0], samples)
    offsets = np.append(begins, len(endings))
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), texts, mask=pa.array(np.diff(offsets) == 0))
    return pc.binary_join(lists, "; ")


def _nothing() -> Lines:
    whole, real = np.empty(0, np.int64), np.empty(0)
    return Lines(whole, whole, np.empty(0, np.int32), real, whole, real, whole, real, whole, real, real, whole)
