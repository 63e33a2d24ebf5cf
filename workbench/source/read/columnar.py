"""Files that know their columns: Parquet, Feather and Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import pyarrow as pa
from pyarrow import parquet

from workbench.source.errors import Cancelled, SourceError, cut_short
from workbench.source.read.building import TableBuilder, block_table, build_table
from workbench.source.read.opening import open_raw
from workbench.source.read.options import Progress, silent
from workbench.source.read.reader import PREVIEW_ROWS, Preview, Reader
from workbench.source.table.fields import Field, fields_of, unique_names, with_default_roles
from workbench.source.table.table import Table

BATCH = 65_536
"""Rows that are read at a time."""
LARGE_BATCH = 8 * BATCH
"""Rows that are read at a time where all of them will be in memory anyway."""
BUFFER = 2**20
"""Bytes that are read from disk at a time, for each column."""
LOOKED_AT = 16 * 2**20
"""Bytes of a file that its number of rows is judged by where it does not say it."""
BATCH_CELLS = 4_000_000
"""Values that are read at a time at most, however wide the rows are."""

COMPLAINTS = (pa.ArrowException, OSError, ValueError)
"""How Arrow says that a file is not as it should be."""


class ColumnarReader(Reader):
    """A file whose columns have declared types."""

    @property
    def undecided(self) -> frozenset[str]:
        """Text columns whose kind, nominal or string, is known only after reading the whole file."""
        first, *_ = self._first()
        fields = self._fields(first)[0] if first is not None else []
        return frozenset(field.name for field in fields if field.kind == "text") - set(self.options.kinds)

    def preview(self) -> Preview:
        """The first rows; the number of all rows stands in the file."""
        first, n_rows, exact = self._first()
        if first is None or not n_rows:
            raise self._no_rows()
        fields, notes = self._fields(first)
        table = with_default_roles(self._retyped(build_table(self.name, fields, [_chosen(first, fields)], notes)))
        return self._preview_of(table, n_rows, exact)

    def table(self, progress: Progress = silent) -> Table:
        """The whole file in memory."""
        builder: TableBuilder | None = None
        for block in self._tables(progress, LARGE_BATCH):
            if builder is None:
                fields, notes = self._fields(block)
                builder = TableBuilder(fields, self._count())
            builder.add_all([_chosen(block, fields)])
            self._budget.require(builder.n_bytes)
        if builder is None:
            raise self._no_rows()
        return with_default_roles(self._retyped(builder.table(self.name, notes)))

    def blocks(self, progress: Progress = silent) -> Iterator[Table]:
        """The file block by block."""
        for block in self._tables(progress, BATCH):
            fields, _ = self._fields(block)
            yield self._retyped(block_table(self.name, fields, _chosen(block, fields)))

    def _first(self) -> tuple[pa.Table | None, int, bool]:
        """The first piece, the number of all rows, and whether that is exact."""
        return next(self._tables(silent, PREVIEW_ROWS), None), self._count(), True

    def _tables(self, progress: Progress, n_rows: int) -> Iterator[pa.Table]:
        """Pieces of about `n_rows` rows, with flat and unique columns."""
        done, total = 0, self._count()
        with self._explained(*COMPLAINTS):
            for piece in self._pieces(n_rows):
                done += piece.num_rows
                if not progress(done, max(total, done)):
                    raise Cancelled
                yield flat(pa.Table.from_batches([piece]))
        if self.counts_exactly and done < total:
            raise cut_short(self.path, done, total)

    counts_exactly: ClassVar[bool] = True
    """Whether the file says how many rows it has."""

    def _pieces(self, n_rows: int) -> Iterator[pa.RecordBatch]:
        """Batches of at most `n_rows` rows, validated: damaged offsets or indices would crash the process when used."""
        raise NotImplementedError

    def _count(self) -> int:
        """Number of rows in the file; an estimate unless it `counts_exactly`."""
        raise NotImplementedError

    @contextmanager
    def _file(self) -> Iterator[pa.NativeFile]:
        """The file for Arrow: read, not mapped, because truncating a mapped file crashes the process."""
        open_raw(self.path).close()
        with pa.OSFile(str(self.path)) as file:
            yield file

    def _fields(self, block: pa.Table) -> tuple[list[Field], list[str]]:
        fields, notes = fields_of(block.schema)
        if not fields:
            raise SourceError(
                "{file} has no column of single values. Choose a file with numbers, texts or dates.",
                file=self.path,
            )
        return fields, notes

    def _retyped(self, table: Table) -> Table:
        return table.with_kinds(self.options.kinds)


class ParquetReader(ColumnarReader):
    """Apache Parquet."""

    format: ClassVar[str] = "Parquet"

    def _pieces(self, n_rows: int) -> Iterator[pa.RecordBatch]:
        # With buffers alone, or every column of a row group is read as a whole before its first value.
        with self._file() as raw, parquet.ParquetFile(raw, buffer_size=BUFFER, pre_buffer=False) as file:
            yield from map(_validated, file.iter_batches(batch_size=_batch_rows(n_rows, len(file.schema_arrow))))

    def _count(self) -> int:
        with self._explained(*COMPLAINTS), self._file() as raw, parquet.ParquetFile(raw) as file:
            return int(file.metadata.num_rows)


class FeatherReader(ColumnarReader):
    """Feather and other files in Arrow's own format."""

    format: ClassVar[str] = "Arrow"

    def _pieces(self, n_rows: int) -> Iterator[pa.RecordBatch]:
        with self._file() as raw, pa.ipc.open_file(raw) as file:
            for position in range(file.num_record_batches):
                yield from _slices(_validated(file.get_batch(position)), n_rows)

    def _count(self) -> int:
        # Of the first column alone, since a batch says its rows but is read with its values.
        options = pa.ipc.IpcReadOptions(included_fields=[0])
        with self._explained(*COMPLAINTS), self._file() as raw, pa.ipc.open_file(raw, options=options) as file:
            return sum(file.get_batch(position).num_rows for position in range(file.num_record_batches))


class ArrowStreamReader(ColumnarReader):
    """Arrow's streaming format, which is also how rows come over a wire."""

    format: ClassVar[str] = "Arrow stream"
    counts_exactly: ClassVar[bool] = False

    def _pieces(self, n_rows: int) -> Iterator[pa.RecordBatch]:
        with self._file() as raw, pa.ipc.open_stream(raw) as file:
            for batch in file:
                yield from _slices(_validated(batch), n_rows)

    def _first(self) -> tuple[pa.Table | None, int, bool]:
        first = next(self._tables(silent, PREVIEW_ROWS), None)
        return first, self._count(), self._estimate()[1]

    def _count(self) -> int:
        return self._estimate()[0]

    def _estimate(self) -> tuple[int, bool]:
        """The number of rows by the length of the first batches, and whether these are all: the file does not say."""
        n_rows = 0
        with self._explained(*COMPLAINTS), self._file() as raw, pa.ipc.open_stream(raw) as file:
            for batch in file:
                n_rows += batch.num_rows
                if raw.tell() > LOOKED_AT:
                    return round(n_rows * raw.size() / raw.tell()), False
        return n_rows, True


def _validated(batch: pa.RecordBatch) -> pa.RecordBatch:
    batch.validate(full=True)
    return batch


def _slices(batch: pa.RecordBatch, n_rows: int) -> Iterator[pa.RecordBatch]:
    step = _batch_rows(n_rows, batch.num_columns)
    return (batch.slice(start, step) for start in range(0, batch.num_rows, step))


def _batch_rows(wanted: int, n_columns: int) -> int:
    return max(1, min(wanted, BATCH_CELLS // max(1, n_columns)))


def flat(table: pa.Table) -> pa.Table:
    """Objects in a column become columns of their own: `place.x`, `place.y`."""
    while any(pa.types.is_struct(kind) for kind in table.schema.types):
        table = table.flatten()
    return table.rename_columns(unique_names(table.column_names))


def _chosen(table: pa.Table, fields: list[Field]) -> pa.Table:
    return table.select([field.name for field in fields])
