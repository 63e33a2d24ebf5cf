"""CSV, TSV and their relatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from workbench.source.building import TableBuilder, block_table, build_table
from workbench.source.dialect import cells, find_dialect, refuse_header_again, squeezed
from workbench.source.errors import SourceError, shortened
from workbench.source.fields import Field
from workbench.source.kinds import ZONED, Cells, Line, text_note
from workbench.source.opening import ByteSource, head_of
from workbench.source.options import WHITESPACE, Progress, ReadOptions, silent
from workbench.source.pipeline import in_order
from workbench.source.reader import PREVIEW_ROWS, Preview, Reader, memory_estimate
from workbench.source.table import Table
from workbench.source.text import BLOCK, NotUtf8, TextBlock, eight_bit_fallback, find_encoding, first_lines, text_blocks

HEAD = 256 * 2**10
"""Bytes that a file is judged by."""
ENOUGH_LINES = 20
"""Lines that a file is judged by at least, however long they are."""
STRPTIME = {"dd.MM.yyyy": "%d.%m.%Y", "dd/MM/yyyy": "%d/%m/%Y", "MM/dd/yyyy": "%m/%d/%Y", "yyyy/MM/dd": "%Y/%m/%d"}
TEXT = pa.dictionary(pa.int32(), pa.string())

Result = TypeVar("Result")


class NotSo(Exception):  # noqa: N818 - caught by the reader, which then reads the column as text
    """A column that was numbers or dates so far holds something else."""

    def __init__(self, field: Field, value: str, line: int) -> None:
        self.field, self.value, self.line = field, value, line
        super().__init__(field.name)


class DelimitedReader(Reader):
    """A text file with one row a line and a delimiter between the values."""

    format: ClassVar[str] = "CSV"

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, options)
        self._skipped: list[str] = []
        self._guessed = options.encoding is None
        encoding = options.encoding or self._find_encoding()
        with self._opened_head() as source:
            self._head, self._share = first_lines(source, encoding, options.quote, HEAD, ENOUGH_LINES)
        found = find_dialect(self._head_text(), replace(options, encoding=encoding), path)
        self.options, self.fields, self._first_line = found.options, found.fields, found.first_data_line
        self.notes = list(found.notes)

    @property
    def undecided(self) -> frozenset[str]:
        """Text columns that are nominal or string, as the whole file will tell."""
        return frozenset(field.name for field in self.fields if field.kind == "text")

    def preview(self) -> Preview:
        """The first rows, and an estimate of the rest; lines that cannot be read are left to the load to report."""
        block = self._retried(lambda: self._parsed(self._data_of(self._head), bad_lines="skip"))
        sample = build_table(self.name, self.fields, [block], self.notes)
        n_rows = round(block.num_rows / self._share)
        return Preview(
            self.path,
            self.format,
            self.options,
            sample.take(slice(0, PREVIEW_ROWS)),
            n_rows,
            self._share == 1,
            self.path.stat().st_size,
            memory_estimate(sample, n_rows),
        )

    def table(self, progress: Progress = silent) -> Table:
        """The whole file in memory."""
        table = self._retried(lambda: self._built(progress))
        if not table.n_rows:
            raise SourceError("has no rows", path=self.path, remedy="Choose a file with rows and columns")
        return table

    def _built(self, progress: Progress) -> Table:
        n_lines = self._head.data.count(b"\n") / self._share
        builder = TableBuilder(self.fields, round(1.02 * n_lines))
        for block in self._arrow_blocks(progress):
            builder.add(block)
        return builder.table(self.name, [*self.notes, *self._skipped_note()])

    def blocks(self, progress: Progress = silent) -> Iterator[Table]:
        """The file block by block; a value that contradicts what the first lines showed is an error."""
        try:
            for block in self._arrow_blocks(progress):
                yield block_table(self.name, self.fields, block)
        except NotSo as wrong:
            raise self._contradiction(wrong) from None
        except NotUtf8:
            raise self._not_utf8() from None

    def scanned(self, scan: Callable[[Iterator[Table]], Result], progress: Progress = silent) -> Result:
        """What `scan` makes of all blocks; it is called again where a later block contradicts the first lines."""
        return self._retried(
            lambda: scan(block_table(self.name, self.fields, block) for block in self._arrow_blocks(progress))
        )

    def _retried(self, read: Callable[[], Result]) -> Result:
        """Read, and read again with less presumption where a later part of the file contradicts the first lines."""
        while True:
            try:
                return read()
            except NotSo as wrong:
                if wrong.field.name in self.options.kinds:
                    raise self._contradiction(wrong) from None
                self._read_as_text(wrong)
            except NotUtf8 as wrong:
                if not self._guessed:
                    raise self._not_utf8() from None
                self._guessed = False
                self.options = replace(self.options, encoding=eight_bit_fallback(wrong.data))
                self.notes.append(f"Read as {self.options.encoding}: the text is not UTF-8.")

    def _read_as_text(self, wrong: NotSo) -> None:
        name = wrong.field.name
        self.fields = tuple(Field(name, "text") if field.name == name else field for field in self.fields)
        wanted = "dates" if wrong.field.kind == "date" else "numbers"
        self.notes.append(text_note(name, wrong.value, wrong.line, wanted))

    def _contradiction(self, wrong: NotSo) -> SourceError:
        what = "a date" if wrong.field.kind == "date" else "a number"
        return SourceError(
            f"is not {what}",
            path=self.path,
            line=wrong.line,
            column=wrong.field.name,
            value=wrong.value,
            remedy="Mend it, give it as a missing value, or read the column as nominal",
        )

    def _not_utf8(self) -> SourceError:
        return SourceError(
            f"is not {self.options.encoding} text", path=self.path, remedy="Choose another encoding, such as latin-1"
        )

    def _arrow_blocks(self, progress: Progress) -> Iterator[pa.Table]:
        assert self.options.encoding is not None
        self._skipped.clear()
        # Blocks of wide rows must hold enough of them that the work per column and block does not count.
        size = max(BLOCK, min(8 * BLOCK, 300 * len(self._head.data) // max(1, self._head.data.count(b"\n"))))
        with self._opened(progress) as source:
            blocks = text_blocks(source, self.options.encoding, self.options.quote, size)
            yield from in_order(self._parsed, map(self._data_of, blocks))

    def _data_of(self, block: TextBlock) -> TextBlock:
        """The block without the lines above the data."""
        lines = self._first_line - block.first_line
        if lines <= 0:
            return block
        data = block.data.split(b"\n", lines)
        return TextBlock(self._first_line, data[lines] if len(data) > lines else b"")

    def _parsed(self, block: TextBlock, bad_lines: str = "") -> pa.Table:
        """Fast, or exact where the fast way finds something wrong."""
        bad_lines = bad_lines or self.options.bad_lines
        data = self._plain_delimiters(block.data)
        if not data or data.isspace():
            return pa.table({field.name: pa.array([], _arrow_type(field)) for field in self.fields})
        try:
            table = pacsv.read_csv(
                pa.BufferReader(data),
                pacsv.ReadOptions(
                    column_names=[field.name for field in self.fields], use_threads=False, block_size=len(data) + 1
                ),
                pacsv.ParseOptions(
                    delimiter="\t" if self.options.delimiter == WHITESPACE else self.options.delimiter,
                    quote_char=self.options.quote or False,
                    newlines_in_values=True,
                    invalid_row_handler=self._skip if bad_lines == "skip" else None,
                ),
                self._convert_options(),
                # Arrow's own allocator gives memory back at once and pays for every page again.
                pa.system_memory_pool(),
            )
            return self._with_dates(self._without_blank_missing(table, data))
        except pa.ArrowInvalid:
            return self._parsed_exactly(block, bad_lines)

    def _skip(self, row: Any) -> str:
        self._skipped.append(row.text)
        return "skip"

    def _skipped_note(self) -> list[str]:
        if not self._skipped:
            return []
        first = shortened(self._skipped[0])
        return [f"{len(self._skipped):,} lines with too few or too many values are skipped, such as {first!r}."]

    def _without_blank_missing(self, table: pa.Table, data: bytes) -> pa.Table:
        """Arrow does not take a text for missing that has blanks around it."""
        if b" " not in data or (str(self.options.delimiter).encode() + b" " not in data and b" \n" not in data):
            return table
        for position, field in enumerate(self.fields):
            if _arrow_type(field) == TEXT:
                texts = table.column(position).combine_chunks()
                known = pc.invert(pc.is_in(pc.utf8_trim_whitespace(texts.dictionary), pa.array(self.options.missing)))
                if not pc.all(known).as_py():
                    indices = pc.if_else(known.take(texts.indices), texts.indices, None)
                    kept = pa.DictionaryArray.from_arrays(indices, texts.dictionary)
                    table = table.set_column(position, field.name, kept)
        return table

    def _with_dates(self, table: pa.Table) -> pa.Table:
        """Dates that Arrow does not read by itself, from their texts."""
        for position, field in enumerate(self.fields):
            if field.kind == "date" and field.date_format:
                texts = table.column(position).combine_chunks()
                dates = _dates(texts.dictionary, field.date_format).take(texts.indices)
                table = table.set_column(position, field.name, dates)
        return table

    def _convert_options(self) -> pacsv.ConvertOptions:
        return pacsv.ConvertOptions(
            column_types={field.name: _arrow_type(field) for field in self.fields},
            null_values=list(self.options.missing),
            strings_can_be_null=True,
            decimal_point=self.options.decimal,
        )

    def _plain_delimiters(self, data: bytes) -> bytes:
        """Blanks as Arrow wants them: none around a quoted value, one tab between values that blanks divide."""
        quote = self.options.quote
        if self.options.delimiter == WHITESPACE:
            return squeezed(data, quote)
        if quote and quote.encode() in data:
            mark, between = quote.encode(), str(self.options.delimiter).encode()
            if between + b" " + mark in data or between + b"  " in data or b"\n " in data or data.startswith(b" "):
                return _without_blanks_before(mark, between, data)
        return data

    def _parsed_exactly(self, block: TextBlock, bad_lines: str) -> pa.Table:
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
            elif bad_lines == "stop":
                raise self._wrong_width(line, row)
            else:
                self._skipped.append(str(self.options.delimiter).join(row))
        if self.options.header:
            refuse_header_again([field.name for field in self.fields], rows, self.path)
        return pa.table({field.name: self._converted(field, i, rows) for i, field in enumerate(self.fields)})

    def _converted(self, field: Field, position: int, rows: Sequence[Line]) -> pa.Array:
        texts = [None if row[position].strip() in self.options.missing else row[position].strip() for _, row in rows]
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
        """The first value that cannot be converted, found by halves."""
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
        values = "value" if len(row) == 1 else "values"
        columns = "column" if len(self.fields) == 1 else "columns"
        return SourceError(
            f"has {len(row)} {values} where the file has {len(self.fields)} {columns}",
            path=self.path,
            line=line,
            value=str(self.options.delimiter).join(row),
            remedy=f"Mend the line, skip bad lines, or choose another delimiter than {delimiter}",
        )

    def _opened_head(self) -> ByteSource:
        return self._opened()

    def _opened(self, progress: Progress = silent) -> ByteSource:
        return ByteSource(self.path, self.options.member, progress)

    def _find_encoding(self) -> str:
        head = head_of(self.path, self.options.member, HEAD)
        if not head.strip():
            raise SourceError("is empty", path=self.path, remedy="Choose a file with rows and columns")
        return find_encoding(head, self.path)

    def _head_text(self) -> str:
        try:
            return self._head.data.decode()
        except UnicodeDecodeError:
            raise self._not_utf8() from None


def _arrow_type(field: Field) -> Any:
    if field.kind == "numeric":
        return pa.float64()
    return pa.timestamp("us") if field.kind == "date" and not field.date_format else TEXT


def _dates(texts: pa.Array, date_format: str) -> pa.Array:
    if date_format == ZONED:
        return texts.cast(pa.timestamp("us", "UTC"))
    return pc.strptime(texts, STRPTIME[date_format], "us") if date_format else texts.cast(pa.timestamp("us"))


def _without_blanks_before(quote: bytes, delimiter: bytes, data: bytes) -> bytes:
    """Values whose quote follows on the delimiter; nothing inside of quotes is touched."""
    mark = re.escape(quote)
    quoted = mark + rb"[^" + mark + rb"]*" + mark
    blanks = rb"(^|" + re.escape(delimiter) + rb") +(?=" + mark + rb")"
    return re.sub(
        quoted + rb"|" + blanks, lambda found: found[1] if found[1] is not None else found[0], data, flags=re.MULTILINE
    )
