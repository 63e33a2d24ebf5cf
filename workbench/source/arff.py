"""ARFF, the format of Weka: fast where a block is as plain as CSV, exact where it is not."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
from numpy.typing import NDArray

from workbench.source.arff_header import DatePattern, Header, header_end, parse_header
from workbench.source.arff_rows import NotSo, Rows, numbers, read_rows, refusal
from workbench.source.errors import SourceError, shortened
from workbench.source.fields import Field, with_default_roles
from workbench.source.opening import ByteSource, head_of
from workbench.source.options import Progress, ReadOptions, silent
from workbench.source.pipeline import in_order
from workbench.source.reader import PREVIEW_ROWS, Preview, Reader, memory_estimate
from workbench.source.table import MISSING_CODE, Column, Table
from workbench.source.text import LONGEST, NotUtf8, TextBlock, eight_bit_fallback, find_encoding, text_blocks

HEAD = 256 * 2**10
"""Bytes of rows that a preview reads."""
SAMPLE = 2**10
"""Bytes that tell text from other things."""
BLOCK = 2 * 2**20
"""Bytes of a block; smaller ones cost calls, larger ones memory."""
TEXT = pa.dictionary(pa.int32(), pa.string())
NEWLINE, BLANK, COMMA, QUOTED = b"\n ,\xff"
NO_INDEX = pa.scalar(-1, pa.int32())
EPOCH = np.zeros(1, dtype="datetime64[us]")
COMMENT = re.compile(rb"\n[\x00-\x09\x0b-\x20,]*%.*")
AS_COMMAS = bytes.maketrans(bytes(byte for byte in range(33) if byte != ord("\n")), b"," * 32)

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of one block: the values of every column as a table holds them."""

    columns: list[NDArray[Any]]
    weights: NDArray[np.float64] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0])


class ArffReader(Reader):
    """A file as Weka writes it."""

    format: ClassVar[str] = "ARFF"

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, options)
        self._skipped: list[str] = []
        self._guessed = options.encoding is None
        if self._guessed:
            self.options = replace(options, encoding=self._find_encoding())
        self.header = self._retried(self._read_header)
        self.notes += self.header.notes

    @property
    def name(self) -> str:
        """The name of the relation."""
        return self.header.relation or super().name

    def preview(self) -> Preview:
        """The first rows, and an estimate of the rest."""
        part, n_rows, exact = self._retried(self._first_part)
        sample = self._whole([part])
        return Preview(
            self.path,
            self.format,
            self.options,
            sample.take(slice(0, PREVIEW_ROWS)),
            n_rows,
            exact,
            self.path.stat().st_size,
            memory_estimate(sample, n_rows),
        )

    def table(self, progress: Progress = silent) -> Table:
        """The whole file in memory."""
        return self._whole(self._retried(lambda: list(self._parts(progress))))

    def blocks(self, progress: Progress = silent) -> Iterator[Table]:
        """The file block by block, with the declared labels."""
        try:
            yield from self._tables(progress)
        except NotUtf8:
            raise self._not_utf8() from None

    def scanned(self, scan: Callable[[Iterator[Table]], Result], progress: Progress = silent) -> Result:
        """What `scan` makes of all blocks; it is called again where a later block shows another encoding."""
        return self._retried(lambda: scan(self._tables(progress)))

    def _tables(self, progress: Progress) -> Iterator[Table]:
        n_rows = 0
        for part in self._parts(progress):
            if part.n_rows:
                n_rows += part.n_rows
                yield _without_infinities(self._as_table([part]))[0]
        if not n_rows:
            raise self._no_rows()

    def _whole(self, parts: list[Part]) -> Table:
        if not sum(part.n_rows for part in parts):
            raise self._no_rows()
        table, notes = _without_infinities(self._as_table(parts))
        return replace(with_default_roles(table), notes=(*self.notes, *notes, *self._skipped_note()))

    def _as_table(self, parts: list[Part]) -> Table:
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate([np.ones(p.n_rows) if p.weights is None else p.weights for p in parts])
        columns = []
        # From the last column on, so that each can be dropped from the parts: memory holds the file once, not twice.
        for field in reversed(self.header.fields):
            values = [part.columns.pop() for part in parts]
            columns.append(_column(field, values[0] if len(values) == 1 else np.concatenate(values)))
        table = Table(self.name, tuple(reversed(columns)), weights)
        return table.with_kinds(self.options.kinds) if self.options.kinds else table

    def _retried(self, read: Callable[[], Result]) -> Result:
        """Read, and read again where the text turns out not to be UTF-8."""
        try:
            return read()
        except NotUtf8 as wrong:
            if not self._guessed:
                raise self._not_utf8() from None
            self._guessed = False
            self.options = replace(self.options, encoding=eight_bit_fallback(wrong.data))
            self.notes.append(f"Read as {self.options.encoding}: the text is not UTF-8.")
        if hasattr(self, "header"):
            self.header = self._read_header()
        return read()

    def _parts(self, progress: Progress) -> Iterator[Part]:
        parsing = self._parsing()
        with self._opened(progress) as source:
            blocks = map(self._data_of, text_blocks(source, self._encoding, size=BLOCK))
            # Threads do not pay for a single block.
            small = source.size < BLOCK and not source.compressed
            yield from map(parsing.part, blocks) if small else in_order(parsing.part, blocks)

    def _first_part(self) -> tuple[Part, int, bool]:
        """The first rows, how many the file has, and whether that is exact."""
        parsing = self._parsing()
        data, line, plain, position = b"", 1, 0, 0
        with self._opened() as source:
            for block in text_blocks(source, self._encoding, size=HEAD):
                if len(data) >= HEAD:
                    part = parsing.part(TextBlock(line, data))
                    # What is left on disk, unpacked as what was read, in rows of the length of those read.
                    left = (source.size - position) * plain / position
                    return part, round(part.n_rows * (1 + left / len(data))), False
                rows = self._data_of(block)
                line = line if data else rows.first_line
                data += rows.data
                plain, position = plain + len(block.data), source.position
        part = parsing.part(TextBlock(line, data))
        return part, part.n_rows, True

    def _parsing(self) -> Parsing:
        self._skipped.clear()
        return Parsing(self.path, self.header.fields, self.options.bad_lines == "skip", self._skipped)

    def _data_of(self, block: TextBlock) -> TextBlock:
        """The block without the lines of the header."""
        lines = self.header.data_line - block.first_line
        if lines <= 0:
            return block
        data = block.data.split(b"\n", lines)
        return TextBlock(self.header.data_line, data[lines] if len(data) > lines else b"")

    def _read_header(self) -> Header:
        data = b""
        with self._opened() as source:
            for block in text_blocks(source, self._encoding, size=HEAD):
                data += block.data
                end = header_end(data)
                if end is not None or len(data) > LONGEST:
                    data = data[:end]
                    break
        try:
            return parse_header(data.decode(), self.path)
        except UnicodeDecodeError:
            raise NotUtf8(data) from None

    @property
    def _encoding(self) -> str:
        assert self.options.encoding is not None
        return self.options.encoding

    def _find_encoding(self) -> str:
        head = head_of(self.path, self.options.member, HEAD)
        if not head.strip():
            raise SourceError("is empty", path=self.path, remedy="Choose a file with rows and columns")
        # A look at every character takes long; what decides between UTF-8 and the rest is found fast.
        name = find_encoding(head[:SAMPLE], self.path)
        return name if name not in {"utf-8", "cp1252", "latin-1"} else _eight_bit(head)

    def _opened(self, progress: Progress = silent) -> ByteSource:
        return ByteSource(self.path, self.options.member, progress)

    def _skipped_note(self) -> list[str]:
        if not self._skipped:
            return []
        first = shortened(self._skipped[0])
        return [f"{len(self._skipped):,} lines with too few or too many values are skipped, such as {first!r}."]

    def _not_utf8(self) -> SourceError:
        remedy = "Choose another encoding, such as latin-1"
        return SourceError(f"is not {self._encoding} text", path=self.path, remedy=remedy)

    def _no_rows(self) -> SourceError:
        return SourceError("has a header but no rows", path=self.path, remedy="Choose a file with rows after @data")


class Parsing:
    """How the blocks of one file become numbers, positions in the declared labels, dates and texts."""

    def __init__(self, path: Path, fields: Sequence[Field], skip: bool, skipped: list[str]) -> None:
        self._path, self._fields, self._skip, self._skipped = path, fields, skip, skipped
        self._codes = [{label: code for code, label in enumerate(field.labels or ())} for field in fields]
        self._dates = [DatePattern(field.date_format) if field.kind == "date" else None for field in fields]
        self._defaults = [_left_out(*each) for each in zip(fields, self._dates, strict=True)]
        types = {str(i): pa.float64() if field.kind == "numeric" else TEXT for i, field in enumerate(fields)}
        self._names = list(types)
        self._options = pacsv.ConvertOptions(
            column_types=types,
            null_values=["?"],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )

    def part(self, block: TextBlock) -> Part:
        """The rows of a block."""
        plain = as_csv(block.data)
        if plain is not None:
            try:
                return self.fast(*plain)
            except (pa.ArrowInvalid, NotSo):
                pass  # The exact way says what is wrong, with its line.
        return self.exact(block)

    def fast(self, data: bytes, quote: str | None) -> Part:
        """Rows that are plain CSV, by Arrow."""
        if not data.strip(b"\n"):
            return self.exact(TextBlock(1, b""))
        table = pacsv.read_csv(
            pa.BufferReader(data),
            pacsv.ReadOptions(column_names=self._names, use_threads=False, block_size=len(data) + 1),
            pacsv.ParseOptions(quote_char=quote or False, double_quote=False),
            self._options,
            # Arrow's own allocator gives memory back at once and pays for every page again.
            pa.system_memory_pool(),
        )
        return Part(self._typed([c.chunk(0) if c.num_chunks == 1 else c.combine_chunks() for c in table.columns]))

    def exact(self, block: TextBlock) -> Part:
        """Rows of any form, token by token; or the error with its line."""
        rows = read_rows(block, self._fields, self._defaults, self._path, self._skip)
        self._skipped += rows.skipped
        try:
            return Part(self._typed([self._array(rows, i) for i in range(len(self._fields))]), rows.weights)
        except NotSo as wrong:
            raise self._refusal(wrong, rows) from None

    def _array(self, rows: Rows, position: int) -> pa.Array:
        texts = rows.columns[position]
        if self._fields[position].kind == "numeric":
            return pa.array(numbers(texts, position))
        return pa.array(texts, pa.string()).dictionary_encode()

    def _typed(self, arrays: Sequence[pa.Array]) -> list[NDArray[Any]]:
        return [self._values(position, array) for position, array in enumerate(arrays)]

    def _values(self, position: int, array: pa.Array) -> NDArray[Any]:
        """What a table holds of a column; the work on texts is done once for each that occurs."""
        kind = self._fields[position].kind
        if kind == "numeric":
            return array.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]
        texts: list[str] = array.dictionary.to_pylist()
        filled = pc.fill_null(array.indices, NO_INDEX) if array.null_count else array.indices
        indices: NDArray[np.int32] = filled.to_numpy(zero_copy_only=False)
        if kind == "nominal":
            return self._coded(position, texts)[indices]
        if kind == "date":
            return self._moments(position, texts)[indices]
        return np.array([*texts, None], dtype=object)[indices]

    def _coded(self, position: int, texts: Sequence[str]) -> NDArray[np.int32]:
        """The codes of some texts and, last, of a missing value."""
        code = self._codes[position]
        for text in texts:
            if text not in code:
                raise NotSo(position, text)
        return np.array([*(code[text] for text in texts), MISSING_CODE], dtype=np.int32)

    def _moments(self, position: int, texts: Sequence[str]) -> NDArray[np.datetime64]:
        pattern = self._dates[position]
        assert pattern is not None
        try:
            return np.append(pattern.parsed(texts), np.datetime64("NaT"))
        except ValueError as error:
            raise NotSo(position, str(error)) from None

    def _refusal(self, wrong: NotSo, rows: Rows) -> SourceError:
        line = rows.lines[rows.columns[wrong.position].index(wrong.value)]
        pattern = self._dates[wrong.position]
        example = pattern.texts(np.array(["2026-01-31T12:30"], dtype="datetime64[us]"))[0] if pattern else ""
        return refusal(self._fields[wrong.position], wrong.value, self._path, line, example)


def _left_out(field: Field, pattern: DatePattern | None) -> str | None:
    """What a sparse row does not name is 0 in Weka: the number, the first label, the first moment of 1970.

    Of strings it is the first of Weka's list, a dummy that Weka put there itself; here it is missing.
    """
    if field.kind == "numeric":
        return "0"
    if pattern is not None:
        return pattern.texts(EPOCH)[0]
    return field.labels[0] if field.labels else None


def as_csv(data: bytes) -> tuple[bytes, str | None] | None:
    r"""A block with one comma between values, and its quote; None where only the exact way reads it as Weka does.

    >>> as_csv(b"% comment\n1, 'a , b'\n"), as_csv(b"1\t2 ,\n"), as_csv(b"{1 5}\n")
    ((b"1,'a , b'\n", "'"), (b'1,2\n', None), None)
    """
    if b"%" in data:
        data = COMMENT.sub(b"", b"\n" + data)
    data = data.lstrip(b"\n")
    marks = [mark for mark in (b"'", b'"') if mark in data]
    if not marks:
        data = squeezed(data)
        return None if any(mark in data for mark in (b"%", b"{", b"}")) else (data, None)
    pieces = data.split(marks[0])
    # Both quotes in one block, escapes, and a quote that the line does not close need a closer look.
    if len(marks) > 1 or b"\\" in data or b"\xff" in data or b"\n" in b"".join(pieces[1::2]):
        return None
    # What stands outside of quotes, with a byte that UTF-8 does not have for every quoted value.
    found = b"\xff".join(pieces[::2])
    outside = squeezed(found)
    if any(mark in outside for mark in (b"%", b"{", b"}")) or not _apart(outside):
        return None
    if outside != found:
        pieces[::2] = outside.split(b"\xff")
        data = marks[0].join(pieces)
    return data, marks[0].decode()


def squeezed(data: bytes) -> bytes:
    """One comma for every run of commas and blanks, none at the ends of lines."""
    if _is_squeezed(data):
        return data
    data = data.translate(AS_COMMAS)
    while b",," in data:
        data = data.replace(b",,", b",")
    return data.replace(b"\n,", b"\n").replace(b",\n", b"\n").removeprefix(b",")


def _is_squeezed(data: bytes) -> bool:
    """In place: every array of the size of a block costs more than what is done with it."""
    byte = np.frombuffer(data, np.uint8)
    divides, comma = byte <= BLANK, byte == NEWLINE
    if np.count_nonzero(divides) != np.count_nonzero(comma) or data.startswith((b"\n", b",")):
        return False
    divides |= np.equal(byte, COMMA, out=comma)
    return not np.logical_and(divides[:-1], divides[1:], out=comma[1:]).any()


def _apart(outside: bytes) -> bool:
    """Whether every quoted value is a whole value: 'a'b would be two."""
    byte = np.frombuffer(b"\n" + outside, np.uint8)
    quoted = np.flatnonzero(byte == QUOTED)
    beside = np.concatenate([byte[quoted - 1], byte[quoted + 1]])
    return bool(((beside == COMMA) | (beside == NEWLINE)).all())


def _eight_bit(head: bytes) -> str:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return eight_bit_fallback(head)
    return "utf-8"


def _column(field: Field, values: NDArray[Any]) -> Column:
    assert field.kind != "text"
    return Column(field.name, field.kind, values, field.labels or (), date_format=field.date_format)


def _without_infinities(table: Table) -> tuple[Table, list[str]]:
    """No mixture takes an infinite value: it counts as missing."""
    columns, notes = [], []
    for column in table:
        if column.values.dtype.kind == "f" and (infinite := np.isinf(column.values)).any():
            columns.append(replace(column, values=np.where(infinite, np.nan, column.values)))
            notes.append(f"Column {column.name!r}: {int(infinite.sum()):,} infinite values are read as missing.")
    return (table.with_columns(columns) if columns else table), notes
