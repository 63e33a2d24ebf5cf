"""One block of an ARFF file: parsed by Arrow where it is as plain as CSV, exactly where it is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.read.arff.rows import ArffRows, NotSo, numbers, read_rows, refusal
from workbench.source.read.date_pattern import DatePattern
from workbench.source.read.text import TextBlock, for_arrow
from workbench.source.table.fields import Field
from workbench.source.table.table import MISSING_CODE

TEXT = pa.dictionary(pa.int32(), pa.string())
NEWLINE, BLANK, COMMA, QUOTED = b"\n ,\xff"
EPOCH = np.zeros(1, dtype="datetime64[us]")
COMMENT = re.compile(rb"\n[\x00-\x09\x0b-\x20,]*%.*")
AS_COMMAS = bytes.maketrans(bytes(byte for byte in range(33) if byte != ord("\n")), b"," * 32)


@dataclass(frozen=True, eq=False)
class Part:
    """The rows of one block: the values of every column as a table holds them."""

    columns: list[NDArray[Any]]
    weights: NDArray[np.float64] | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0])


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
        data = for_arrow(data)
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

    def _array(self, rows: ArffRows, position: int) -> pa.Array:
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
        filled = array.indices.fill_null(-1) if array.null_count else array.indices
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

    def _refusal(self, wrong: NotSo, rows: ArffRows) -> SourceError:
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
