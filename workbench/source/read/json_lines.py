"""JSON: one object a line, or one list of objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.json as pajson

from workbench.source.errors import SourceError, empty
from workbench.source.read.columnar import COMPLAINTS, ColumnarReader, flat
from workbench.source.read.memory import convertible
from workbench.source.read.opening import ByteSource, head_of
from workbench.source.read.options import Progress, ReadOptions
from workbench.source.read.pipeline import in_order
from workbench.source.read.text import TextBlock, find_encoding, first_lines, text_blocks

HEAD = 256 * 2**10
"""Bytes that the preview reads."""

BETWEEN = re.compile(r"[\s,]*")

JsonRecord = dict[str, Any]

LIST_BYTES, LINES_BYTES = 10, 2
"""Memory for a byte of JSON: as objects of Python, of which a list consists on the way, and in columns."""
DEEPEST = 500
"""Braces in one line that Arrow's parser is given."""
MOST_DIGITS = 308
"""Digits of a whole number up to which it is a finite double."""


class JsonReader(ColumnarReader):
    """Objects whose keys are the columns; objects inside them become columns with a dot in the name."""

    format: ClassVar[str] = "JSON"

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, options)
        head = head_of(path, options.member, HEAD)
        if not head.strip():
            raise empty(path)
        self._encoding = options.encoding or find_encoding(head, path)
        self._is_list = head.decode(self._encoding, errors="replace").lstrip("\ufeff \n\r\t").startswith("[")

    def _first(self) -> tuple[pa.Table | None, int, bool]:
        with ByteSource(self.path, self.options.member) as source:
            block, share = first_lines(source, self._encoding, None, HEAD, 1)
        whole = share == 1
        table = _as_table(self._list_items(self._text(block), whole)) if self._is_list else self._parsed(block)
        return flat(table), round(table.num_rows / share), whole

    def _tables(self, progress: Progress, n_rows: int) -> Iterator[pa.Table]:
        with self._explained(*COMPLAINTS), ByteSource(self.path, self.options.member, progress) as source:
            blocks = self._counted(text_blocks(source, self._encoding))
            if self._is_list:
                table = _as_table(self._list_items("".join(map(self._text, blocks)), True))
            else:
                table = flat(_joined([flat(piece) for piece in in_order(self._parsed, blocks)]))
        yield from (flat(table).slice(start, n_rows) for start in range(0, table.num_rows, n_rows))

    def _counted(self, blocks: Iterator[TextBlock]) -> Iterator[TextBlock]:
        n_bytes = 0
        for block in blocks:
            n_bytes += (LIST_BYTES if self._is_list else LINES_BYTES) * len(block.data)
            self._budget.require(n_bytes, convertible)
            yield block

    def _count(self) -> int:
        return 0  # Unknown until all is read.

    def _parsed(self, block: TextBlock) -> pa.Table:
        if not block.data.isascii():
            self._text(block)  # Arrow takes any bytes.
        if _may_be_deep(block.data):
            return _as_table(list(self._records(block)))
        try:
            return pajson.read_json(
                pa.BufferReader(block.data), pajson.ReadOptions(use_threads=False, block_size=len(block.data) + 1)
            )
        except pa.ArrowInvalid:
            return _as_table(list(self._records(block)))

    def _records(self, block: TextBlock) -> Iterator[JsonRecord]:
        """The slow way: says which line is wrong, or reads what the fast way is too strict for."""
        for line, text in enumerate(self._text(block).split("\n"), block.first_line):
            if text.strip():
                try:
                    record = DECODER.decode(text)
                except (ValueError, RecursionError) as error:
                    raise self._not_json(error, line, text) from None
                if not isinstance(record, dict):
                    raise self._no_object(line, text)
                yield record

    def _list_items(self, text: str, whole: bool) -> list[JsonRecord]:
        """The objects of a list; of a piece of one, those that are complete."""
        position = text.index("[") + 1
        records: list[JsonRecord] = []
        while True:
            position = BETWEEN.match(text, position).end()  # type: ignore[union-attr]
            if position < len(text) and text[position] == "]":
                return records
            try:
                record, end = DECODER.raw_decode(text, position)
            except (ValueError, RecursionError) as error:
                if not whole:
                    return records
                raise self._not_json(error, _line(text, position), text[position:]) from None
            if not isinstance(record, dict):
                raise self._no_object(_line(text, position), text[position:end])
            records.append(record)
            position = end

    def _text(self, block: TextBlock) -> str:
        try:
            return block.data.decode()
        except UnicodeDecodeError:
            raise SourceError(
                "{file} is not {encoding} text. Choose another encoding, such as latin-1.",
                file=self.path,
                encoding=self._encoding,
            ) from None

    def _not_json(self, error: Exception, line: int, value: str) -> SourceError:
        return SourceError(
            "{file}, line {line:,}: {value!r} is not JSON ({reason}). Write one object a line, such as "
            '{{"x": 1, "y": 2}}.',
            file=self.path,
            line=line,
            value=value,
            reason=str(error),
        )

    def _no_object(self, line: int, value: str) -> SourceError:
        return SourceError(
            "{file}, line {line:,}: {value!r} is not an object in braces. Write one object a line, such as "
            '{{"x": 1, "y": 2}}.',
            file=self.path,
            line=line,
            value=value,
        )


def _may_be_deep(data: bytes) -> bool:
    """Whether a line opens enough braces to crash Arrow's parser, should they all be nested."""
    byte = np.frombuffer(data, np.uint8)
    opening = np.flatnonzero((byte == ord("{")) | (byte == ord("[")))
    if len(opening) <= DEEPEST:
        return False
    per_line = np.diff(np.searchsorted(opening, np.flatnonzero(byte == ord("\n"))), prepend=0)
    return bool(per_line.max() > DEEPEST)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _as_table(records: list[JsonRecord]) -> pa.Table:
    """Columns of the records' values; as text where a column mixes numbers and texts."""
    columns: dict[str, pa.Array] = {}
    for name in dict.fromkeys(key for record in records for key in record):
        values = [record.get(name) for record in records]
        try:
            columns[name] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            # Numbers too large for 64 bits, or a mixture.
            convert = float if all(map(_is_number, values)) else _text
            columns[name] = pa.array([None if value is None else convert(value) for value in values])
    return pa.table(columns)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _whole(digits: str) -> float:
    """A whole number; a double, perhaps infinite, where none may be as large."""
    return int(digits) if len(digits) <= MOST_DIGITS else float(digits)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _joined(tables: list[pa.Table]) -> pa.Table:
    """One table; a column that is a number here and a text there becomes text."""
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return _as_table([record for table in tables for record in table.to_pylist()])


DECODER = json.JSONDecoder(parse_int=_whole)
