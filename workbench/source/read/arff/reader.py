"""ARFF, the format of Weka: fast where a block is as plain as CSV, exact where it is not."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.read.arff.block import Parsing, Part
from workbench.source.read.arff.header import Header, header_end, parse_header
from workbench.source.read.options import Progress, ReadOptions, silent
from workbench.source.read.pipeline import in_order
from workbench.source.read.reader import Preview
from workbench.source.read.text import LONGEST, NotUtf8, TextBlock, text_blocks
from workbench.source.read.text_reader import HEAD, TextReader, from_line, skipped_note
from workbench.source.table.doubles import held_by_doubles
from workbench.source.table.fields import Field, with_default_roles
from workbench.source.table.table import Column, Table
from workbench.words.counts import counted

BLOCK = 2 * 2**20
"""Bytes of a block; smaller ones cost calls, larger ones memory."""

Result = TypeVar("Result")


class ArffReader(TextReader):
    """A file as Weka writes it."""

    format: ClassVar[str] = "ARFF"

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, options)
        self._skipped: list[str] = []
        self.header = self._retried(self._read_header)
        self.notes += self.header.notes

    def start_again(self) -> None:
        """Forget what an earlier pass has counted."""
        super().start_again()
        self._skipped = []

    @property
    def name(self) -> str:
        """The name of the relation."""
        return self.header.relation or super().name

    def preview(self) -> Preview:
        """The first rows, and an estimate of the rest."""
        part, n_rows, exact = self._retried(self._first_part)
        return self._preview_of(self._whole([part]), n_rows, exact)

    def table(self, progress: Progress = silent) -> Table:
        """The whole file in memory."""
        return self._whole(self._retried(lambda: self._all_parts(progress)))

    def blocks(self, progress: Progress = silent) -> Iterator[Table]:
        """The file block by block, with the declared labels."""
        try:
            yield from self._tables(progress)
        except NotUtf8:
            raise self._not_utf8() from None

    def scanned(self, scan: Callable[[Iterator[Table]], Result], progress: Progress = silent) -> Result:
        """The result of `scan` over all blocks; it is called again where a later block shows another encoding."""
        return self._retried(lambda: scan(self._tables(progress)))

    def _tables(self, progress: Progress) -> Iterator[Table]:
        n_rows = 0
        for part in self._parts(progress):
            if part.n_rows:
                n_rows += part.n_rows
                yield _held_by_doubles(self._as_table([part]))[0]
        if not n_rows:
            raise self._no_rows()

    def _whole(self, parts: list[Part]) -> Table:
        if not sum(part.n_rows for part in parts):
            raise self._no_rows()
        table, notes = _held_by_doubles(self._as_table(parts))
        notes += _weight_notes(table)
        return replace(with_default_roles(table), notes=(*self.notes, *notes, *skipped_note(self._skipped)))

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

    def _encoding_changed(self) -> None:
        if hasattr(self, "header"):
            self.header = self._read_header()

    def _all_parts(self, progress: Progress) -> list[Part]:
        found, n_bytes = [], 0
        with closing(self._parts(progress)) as parts:
            for part in parts:
                found.append(part)
                n_bytes += sum(column.nbytes for column in part.columns)
                self._budget.require(n_bytes)
        return found

    def _parts(self, progress: Progress) -> Generator[Part]:
        parsing = self._parsing()
        with self._opened(progress) as source:
            blocks = (
                from_line(block, self.header.data_line) for block in text_blocks(source, self.encoding, size=BLOCK)
            )
            # Threads do not pay for a single block.
            small = source.size < BLOCK and not source.compressed
            yield from map(parsing.part, blocks) if small else in_order(parsing.part, blocks)

    def _first_part(self) -> tuple[Part, int, bool]:
        """The first rows, how many the file has, and whether that is exact."""
        parsing = self._parsing()
        data, line, plain, share = b"", 1, 0, 1.0
        with self._opened() as source:
            for block in text_blocks(source, self.encoding, size=HEAD):
                if len(data) >= HEAD:
                    part = parsing.part(TextBlock(line, data))
                    # What is left, in rows of the length of those read.
                    left = plain * (1 / share - 1)
                    return part, round(part.n_rows * (1 + left / len(data))), False
                rows = from_line(block, self.header.data_line)
                line = line if data else rows.first_line
                data += rows.data
                plain, share = plain + len(block.data), source.share
        part = parsing.part(TextBlock(line, data))
        return part, part.n_rows, True

    def _parsing(self) -> Parsing:
        self._skipped.clear()
        return Parsing(self.path, self.header.fields, self.options.bad_lines == "skip", self._skipped)

    def _read_header(self) -> Header:
        data = b""
        with self._opened() as source:
            for block in text_blocks(source, self.encoding, size=HEAD):
                data += block.data
                end = header_end(data)
                if end is not None or len(data) > LONGEST:
                    data = data[:end]
                    break
        try:
            return parse_header(data.decode(), self.path)
        except UnicodeDecodeError:
            raise NotUtf8(data) from None

    def _no_rows(self) -> SourceError:
        return SourceError("{file} has a header but no rows. Choose a file with rows after @data.", file=self.path)


def _column(field: Field, values: NDArray[Any]) -> Column:
    assert field.kind != "text"
    return Column(field.name, field.kind, values, field.labels or (), date_format=field.date_format)


def _weight_notes(table: Table) -> list[str]:
    """That rows have weights, and how many do not count."""
    if not table.weight_range:
        return []
    n_out = int(table.is_weightless.sum())
    left_out = f" {counted(n_out, 'row')} of weight 0 will not be learned." if n_out else ""
    return [f"The rows have weights {table.weight_range}, which learning uses.{left_out}"]


def _held_by_doubles(table: Table) -> tuple[Table, list[str]]:
    columns, notes = zip(*map(held_by_doubles, table), strict=True)
    said = list(chain.from_iterable(notes))
    return (replace(table, columns=columns) if said else table), said
