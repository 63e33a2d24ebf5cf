"""One block of a delimited file: parsed by Arrow, or exactly where Arrow finds something wrong."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from workbench.source.errors import SourceError
from workbench.source.read.csv.dialect import cells, refuse_header_again, squeezed
from workbench.source.read.date_pattern import DatePattern
from workbench.source.read.kinds import ZONED, Cells, Line
from workbench.source.read.options import WHITESPACE, ReadOptions
from workbench.source.read.text import BLOCK, NotUtf8, TextBlock, for_arrow
from workbench.source.table.fields import Field

TEXT = pa.dictionary(pa.int32(), pa.string())


class NotSo(Exception):  # noqa: N818 - caught by the reader, which then reads the column as text
    """A column that was numbers or dates so far holds something else."""

    def __init__(self, field: Field, value: str, line: int) -> None:
        self.field, self.value, self.line = field, value, line
        super().__init__(field.name)


@dataclass(frozen=True)
class BlockParser:
    """What is known of a file when its blocks are parsed; several threads may share it."""

    path: Path
    fields: tuple[Field, ...]
    options: ReadOptions
    skipped: list[str]
    """Lines with too few or too many values, where these are to be skipped."""

    def __call__(self, block: TextBlock) -> pa.Table:
        """The values of a block: fast, or exact where the fast way finds something wrong."""
        data = self._plain_delimiters(block.data)
        if not data or data.isspace():
            return pa.table({field.name: pa.array([], _arrow_type(field)) for field in self.fields})
        data = for_arrow(data)
        skipped: list[str] = []
        options = pacsv.ReadOptions(column_names=self._names, use_threads=False, block_size=len(data) + 1)
        try:
            table = self._with_dates(self._read(pa.BufferReader(data), options, skipped))
        except pa.ArrowInvalid:
            return self._parsed_exactly(block)
        self.skipped.extend(skipped)
        return table

    def at_once(self, chunks: Iterable[bytes], first_line: int) -> list[pa.Table]:
        """A whole file by Arrow's own threads, which is faster by a quarter; ArrowInvalid where anything is unusual."""
        file = _ChunkFile(self._usual(chunks, first_line - 1))
        options = pacsv.ReadOptions(column_names=self._names, block_size=BLOCK)
        try:
            table = self._read(pa.PythonFile(file, "r"), options, None)
        finally:
            # What stopped the reading comes before what Arrow made of the rest.
            if file.stopped is not None:
                raise file.stopped
        return [self._with_dates(pa.Table.from_batches([batch])) for batch in table.to_batches()]

    def _usual(self, chunks: Iterable[bytes], n_above: int) -> Iterator[bytes]:
        """The data without the lines above it, as long as Arrow can take it as it is."""
        n_quotes = 0
        for chunk in chunks:
            data = chunk
            if n_above and chunk:
                *above, data = chunk.split(b"\n", n_above)
                n_above -= len(above)
            edge = data.startswith((b" ", codecs.BOM_UTF8)) or data.endswith(b" ")
            if b"\0" in data or edge or self._has_blanks_before_quotes(data):
                raise pa.ArrowInvalid("not as usual")
            n_quotes = self._count_quotes(data, n_quotes)
            yield data

    def _count_quotes(self, data: bytes, before: int) -> int:
        """How many quotes there are so far. Arrow cuts a file at newlines, and must find none inside of quotes."""
        mark = (self.options.quote or "").encode()
        if not mark or (mark not in data and before % 2 == 0):
            return before
        characters = np.frombuffer(data, np.uint8)
        quotes, newlines = np.flatnonzero(characters == ord(mark)), np.flatnonzero(characters == ord("\n"))
        if ((before + np.searchsorted(quotes, newlines)) % 2).any():
            raise pa.ArrowInvalid("a newline inside of quotes")
        return before + len(quotes)

    @property
    def _names(self) -> list[str]:
        return [field.name for field in self.fields]

    def _read(self, source: Any, options: pacsv.ReadOptions, skipped: list[str] | None) -> pa.Table:
        def skip(row: Any) -> str:
            if skipped is None:
                return "error"
            skipped.append(row.text)
            return "skip"

        return pacsv.read_csv(
            source,
            options,
            pacsv.ParseOptions(
                delimiter="\t" if self.options.delimiter == WHITESPACE else self.options.delimiter,
                quote_char=self.options.quote or False,
                newlines_in_values=not options.use_threads,
                invalid_row_handler=skip if self.options.bad_lines == "skip" else None,
            ),
            pacsv.ConvertOptions(
                column_types={field.name: _arrow_type(field) for field in self.fields},
                null_values=list(self.options.missing),
                strings_can_be_null=True,
                decimal_point=self.options.decimal,
            ),
            # Arrow's own allocator gives memory back at once and pays for every page again.
            pa.system_memory_pool(),
        )

    def _with_dates(self, table: pa.Table) -> pa.Table:
        """Dates that Arrow does not read by itself, from their texts."""
        for position, field in enumerate(self.fields):
            if field.kind == "date" and field.date_format:
                texts = table.column(position).combine_chunks()
                stripped = [text.strip() for text in texts.dictionary.to_pylist()]
                known = pa.array([None if text in field.missing else text for text in stripped], pa.string())
                dates = _dates(known, field.date_format).take(texts.indices)
                table = table.set_column(position, field.name, dates)
        return table

    def _plain_delimiters(self, data: bytes) -> bytes:
        """Blanks as Arrow wants them: none around a quoted value, one tab between values that blanks divide."""
        quote = self.options.quote
        if self.options.delimiter == WHITESPACE:
            return squeezed(data, quote)
        if quote and self._has_blanks_before_quotes(data):
            return _without_blanks_before(quote.encode(), str(self.options.delimiter).encode(), data)
        return data

    def _has_blanks_before_quotes(self, data: bytes) -> bool:
        if not self.options.quote or self.options.quote.encode() not in data:
            return False
        mark, between = self.options.quote.encode(), str(self.options.delimiter).encode()
        return between + b" " + mark in data or between + b"  " in data or b"\n " in data or data.startswith(b" ")

    def _parsed_exactly(self, block: TextBlock) -> pa.Table:
        """The slow way: says which line and value is wrong, or reads what the fast way is too strict for."""
        try:
            text = block.data.decode()
        except UnicodeDecodeError:
            raise NotUtf8(block.data) from None
        rows = []
        for offset, row in cells(text, str(self.options.delimiter), self.options.quote):
            line = block.first_line + offset - 1
            if len(row) == len(self.fields):
                rows.append((line, row))
            elif self.options.bad_lines == "stop":
                raise self._wrong_width(line, row)
            else:
                self.skipped.append(str(self.options.delimiter).join(row))
        if self.options.header:
            refuse_header_again([field.name for field in self.fields], rows, self.path)
        return pa.table({field.name: self._converted(field, i, rows) for i, field in enumerate(self.fields)})

    def _converted(self, field: Field, position: int, rows: Sequence[Line]) -> pa.Array:
        texts = [None if row[position].strip() in self.options.absent else row[position].strip() for _, row in rows]
        if field.kind not in {"numeric", "date"}:
            return pa.array(texts, pa.string()).dictionary_encode()
        array = pa.array(texts, pa.string())
        try:
            return self._numbers_or_dates(array, field)
        except pa.ArrowInvalid:
            row = self._culprit(array, field)
            raise NotSo(field, str(texts[row]), rows[row][0]) from None

    def _numbers_or_dates(self, texts: pa.Array, field: Field) -> pa.Array:
        if field.kind == "date":
            return _dates(texts, field.date_format)
        if self.options.decimal == ",":
            texts = pc.replace_substring(texts, ",", ".")
        return pc.replace_substring_regex(texts, r"^\+", "").cast(pa.float64())

    def _culprit(self, texts: pa.Array, field: Field) -> int:
        """The first value that cannot be converted, found by bisection."""
        low, high = 0, len(texts)
        while high - low > 1:
            middle = (low + high) // 2
            try:
                self._numbers_or_dates(texts.slice(low, middle - low), field)
                low = middle
            except pa.ArrowInvalid:
                high = middle
        return low

    def _wrong_width(self, line: int, row: Cells) -> SourceError:
        delimiter = "blanks" if self.options.delimiter == WHITESPACE else repr(self.options.delimiter)
        return SourceError(
            "{file}, line {line:,}: {value!r} has {values} where the file has {columns}. "
            "Mend the line, skip bad lines or the lines above the table, or choose another "
            "delimiter than {delimiter}.",
            file=self.path,
            line=line,
            value=str(self.options.delimiter).join(row),
            values="1 value" if len(row) == 1 else f"{len(row)} values",
            columns="1 column" if len(self.fields) == 1 else f"{len(self.fields)} columns",
            delimiter=delimiter,
        )


class _ChunkFile(io.RawIOBase):
    """File-like object over an iterator of chunks."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__()
        self._chunks = chunks
        self._left = b""
        self.stopped: Exception | None = None

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes: a piece as it is where it is no longer than what is asked for."""
        try:
            data = self._left or next(filter(None, self._chunks), b"")
        except Exception as error:  # noqa: BLE001 - kept, and raised again outside of Arrow's threads
            # An exception that passes through Arrow's threads can leave its reader waiting for ever.
            self.stopped = error
            return b""
        if size < 0 or len(data) <= size:
            self._left = b""
            return data
        self._left = data[size:]
        return data[:size]


def _arrow_type(field: Field) -> Any:
    if field.kind == "numeric":
        return pa.float64()
    return pa.timestamp("us") if field.kind == "date" and not field.date_format else TEXT


def _dates(texts: pa.Array, date_format: str) -> pa.Array:
    if not date_format or date_format == ZONED:
        return texts.cast(pa.timestamp("us", "UTC" if date_format else None))
    # Not by Arrow's strptime, which turns 30 February into 2 March.
    values = texts.to_pylist()
    try:
        known = DatePattern(date_format).parsed([value for value in values if value is not None])
    except ValueError as error:
        raise pa.ArrowInvalid(str(error)) from None
    dates = np.full(len(values), np.datetime64("NaT", "us"))
    dates[[value is not None for value in values]] = known
    return pa.array(dates)


def _without_blanks_before(quote: bytes, delimiter: bytes, data: bytes) -> bytes:
    """Values whose quote follows on the delimiter; nothing inside of quotes is touched."""
    mark = re.escape(quote)
    quoted = mark + rb"[^" + mark + rb"]*" + mark
    blanks = rb"(^|" + re.escape(delimiter) + rb") +(?=" + mark + rb")"
    return re.sub(
        quoted + rb"|" + blanks, lambda found: found[1] if found[1] is not None else found[0], data, flags=re.MULTILINE
    )
