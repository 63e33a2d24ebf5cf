"""What readers of files with one block of numbers share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO, Any

from numpy.typing import NDArray

from workbench.source.errors import Cancelled, SourceError
from workbench.source.read.memory import Shortage
from workbench.source.read.opening import ByteSource
from workbench.source.read.options import Progress, silent
from workbench.source.read.reader import PREVIEW_ROWS, Preview, Reader
from workbench.source.table.fields import with_default_roles
from workbench.source.table.table import Column, Table

BLOCK_VALUES = 2_000_000
"""Values in a block of rows."""
MOST_COLUMNS = 100_000
PIECE = 4 * 2**20
"""Bytes that are read between two looks at whether the user has cancelled."""


class ArrayReader(Reader):
    """A file that says how many rows it has before the first of them."""

    def preview(self) -> Preview:
        """The first rows, and the number of all."""
        table, n_rows = self._rows(PREVIEW_ROWS, silent)
        if not n_rows:
            raise self._no_rows()
        return self._preview_of(self._finished(table), n_rows, exact=True)

    def table(self, progress: Progress = silent) -> Table:
        """The whole file in memory."""
        table, n_rows = self._rows(None, progress)
        if not n_rows:
            raise self._no_rows()
        return self._finished(table)

    def blocks(self, progress: Progress = silent) -> Iterator[Table]:
        """The rows block by block, out of memory."""
        table = self.table(progress)
        step = max(1, BLOCK_VALUES // len(table.columns))
        for start in range(0, table.n_rows, step):
            if not progress(start, table.n_rows):
                raise Cancelled
            yield table.take(slice(start, start + step))

    def _rows(self, limit: int | None, progress: Progress) -> tuple[Table, int]:
        """The first `limit` rows (None: all), and how many there are in the file."""
        raise NotImplementedError

    def _finished(self, table: Table) -> Table:
        table = replace(table, notes=(*table.notes, *self.notes))
        return with_default_roles(table.with_kinds(self.options.kinds))

    def _check_columns(self, shape: Sequence[int]) -> None:
        """Refuse more columns than a name each could be made for, and none at all."""
        n_columns = math.prod(shape)
        if not n_columns:
            raise SourceError("{file} has rows without a value. Choose another file.", file=self.path)
        if n_columns > MOST_COLUMNS:
            raise SourceError(
                "{file} announces {n_columns:,} values a row. It is damaged, or no table: at most "
                "{most:,} columns are read.",
                file=self.path,
                n_columns=n_columns,
                most=MOST_COLUMNS,
            )

    def _cut_off(self, needed: int, found: int) -> SourceError:
        return SourceError(
            "{file} is cut off: {needed:,} bytes of numbers are announced, {found:,} are there. Fetch or "
            "write it again.",
            file=self.path,
            needed=needed,
            found=found,
        )

    def _read(self, source: IO[bytes] | ByteSource, n_bytes: int) -> bytearray:
        """Exactly the given number of bytes, in pieces so that the user can cancel."""
        self._budget.require(n_bytes, _announces_too_much)
        data = bytearray()
        while len(data) < n_bytes:
            piece = source.read(min(PIECE, n_bytes - len(data)))
            if not piece:
                raise self._cut_off(n_bytes, len(data))
            data += piece
        return data


def in_rows(array: NDArray[Any]) -> NDArray[Any]:
    """All axes behind the first as one, even without a row."""
    return array.reshape(len(array), math.prod(array.shape[1:]))


def views(names: Sequence[str], rows: NDArray[Any]) -> tuple[Column, ...]:
    """Columns that share one array."""
    return tuple(Column(name, "numeric", rows[:, position]) for position, name in enumerate(names))


def _announces_too_much(found: Shortage) -> SourceError:
    return SourceError(
        "{file} announces numbers that take more than {limit:,.0f} MB of memory, of {available:,.0f} MB that are "
        "available (the file has {size:,.1f} MB). Save it as CSV or Parquet, which can be streamed from disk.",
        file=found.file,
        limit=found.limit,
        available=found.available,
        size=found.size,
    )
