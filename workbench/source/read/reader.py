"""What every reader of a file can do."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

from workbench.source.errors import SourceError
from workbench.source.read.memory import Budget
from workbench.source.read.options import Progress, ReadOptions, silent
from workbench.source.table.table import Column, Table

PREVIEW_ROWS = 100
JUDGED = 1000
"""Rows by which it is judged how often texts repeat."""
ADDRESS = re.compile(r":? <[\w.]+ object at 0x[0-9a-f]+>")
"""What Python says of an object that has no words."""

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Preview:
    """The first rows of a file, what was found out about it, and how large it will be."""

    path: Path
    format: str
    options: ReadOptions
    """What was found out or chosen: nothing that matters to this format is None."""
    table: Table
    """The first rows."""
    n_rows: int
    """Rows of the whole file, estimated unless `exact`."""
    exact: bool
    file_size: int
    memory: int
    """Bytes that the whole table will take, estimated."""
    peak: int
    """Bytes that are taken at most while it is loaded, estimated."""


class Reader(ABC):
    """One file of one format."""

    format: ClassVar[str]
    """The name that a user sees."""

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.path = path
        self.options = options
        """With what was found out filled in."""
        self.notes: list[str] = []
        self._budget = Budget(path)

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.path.name.split(".")[0] or self.path.name

    @property
    def undecided(self) -> frozenset[str]:
        """Text columns whose kind, nominal or string, is known only after reading the whole file."""
        return frozenset()

    @abstractmethod
    def preview(self) -> Preview:
        """The first rows, without a look at the rest."""

    @abstractmethod
    def table(self, progress: Progress = silent) -> Table:
        """The whole file in memory."""

    @abstractmethod
    def blocks(self, progress: Progress = silent) -> Iterator[Table]:
        """The whole file in blocks, read from disk as they are asked for.

        Text columns are nominal in a block, with the labels of that block.
        """

    def _preview_of(self, sample: Table, n_rows: int, exact: bool) -> Preview:
        size, memory = self.path.stat().st_size, memory_estimate(sample, n_rows)
        shown, peak = sample.take(slice(0, PREVIEW_ROWS)), self._peak(sample, n_rows)
        return Preview(self.path, self.format, self.options, shown, n_rows, exact, size, memory, peak)

    def _peak(self, sample: Table, n_rows: int) -> int:
        """Peak memory of a load of rows like those of the sample: the raw data and the table exist at the same time."""
        return 2 * memory_estimate(sample, n_rows)

    def _no_rows(self) -> SourceError:
        return SourceError("{file} has no rows. Choose a file with rows and columns.", file=self.path)

    @contextmanager
    def _explained(self, *complaints: type[Exception]) -> Iterator[None]:
        """Turn errors of a library into `SourceError`."""
        try:
            yield
        except complaints as error:
            if isinstance(error, SourceError):
                raise
            reason = ADDRESS.sub("", str(error).splitlines()[0].rstrip(".")) if str(error) else type(error).__name__
            raise SourceError(
                "{file} cannot be read as {format} ({reason}). It is cut off, damaged or of another format: "
                "write it again.",
                file=self.path,
                format=self.format,
                reason=reason,
            ) from error

    def scanned(self, scan: Callable[[Iterator[Table]], Result], progress: Progress = silent) -> Result:
        """The result of `scan` over all blocks. It may be called more than once."""
        return scan(self.blocks(progress))


def memory_estimate(sample: Table, n_rows: int) -> int:
    """Bytes that `n_rows` like those of the sample take.

    >>> from workbench.source.table.table import Column
    >>> memory_estimate(Table("t", (Column.numeric("x", [1.0, 2.0]), Column.nominal("c", ["a", "b"]))), 1000)
    12000
    """
    return round(sum(map(bytes_per_value, sample)) * n_rows)


def bytes_per_value(column: Column) -> float:
    """Bytes per value of a column; for texts, estimated from the first ones."""
    if column.kind != "string":
        return column.values.itemsize
    lengths = [len(text) for text in column.values[:PREVIEW_ROWS] if text is not None]
    # The reference, and where it is not one to an earlier text, the text with the head that Python gives it.
    return 8 + distinct_share(column) * (50 + sum(lengths) / max(1, len(lengths)))


def distinct_share(column: Column) -> float:
    """Share of distinct texts among the first known ones; 1 where none is known.

    Of more rows it is hardly ever larger, unless they are sorted by this column.
    """
    texts = [text for text in column.values[:JUDGED].tolist() if text is not None]
    return len({*texts}) / len(texts) if texts else 1.0
