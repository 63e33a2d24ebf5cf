"""CSV, TSV and their relatives."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

import pyarrow as pa

from workbench.source.errors import SourceError
from workbench.source.read.building import TableBuilder, block_table, build_table
from workbench.source.read.csv.block import BlockParser, NotSo
from workbench.source.read.csv.dialect import find_dialect
from workbench.source.read.kinds import text_note
from workbench.source.read.opening import ByteSource
from workbench.source.read.options import WHITESPACE, Progress, ReadOptions, silent
from workbench.source.read.pipeline import WORKERS, in_order
from workbench.source.read.reader import Preview, distinct_share, memory_estimate
from workbench.source.read.text import BLOCK, NotUtf8, TextBlock, first_lines, text_blocks, text_chunks
from workbench.source.read.text_reader import HEAD, TextReader, from_line, skipped_note
from workbench.source.table.table import Table

AT_ONCE = 256 * 2**20
"""Bytes of a file and of its table up to which it is parsed as a whole."""
BLOCKS = (WORKERS + 1) * 48 * 2**20
"""Upper bound of the bytes of all blocks in the pipeline, as text and parsed, for files of any size."""
CODE, COUNTED = 4, 120
"""Bytes that a text takes while it is not known whether it is a label: its code, and where it is new, its count."""
ENOUGH_LINES = 20
"""Lines that a file is judged by at least, however long they are."""

Result = TypeVar("Result")


class DelimitedReader(TextReader):
    """A text file with one row a line and a delimiter between the values."""

    format: ClassVar[str] = "CSV"

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, options)
        with self._opened_head() as source:
            self._head, self._share = first_lines(source, self.encoding, options.quote, HEAD, ENOUGH_LINES)
        found = find_dialect(self._head_text(), self.options, path)
        self.options, self.fields, self._first_line = found.options, found.fields, found.first_data_line
        self.notes = list(found.notes)

    @property
    def undecided(self) -> frozenset[str]:
        """Text columns whose kind, nominal or string, is known only after reading the whole file."""
        return frozenset(field.name for field in self.fields if field.kind == "text")

    def preview(self) -> Preview:
        """The first rows, and an estimate of the rest; lines that cannot be read are left to the load to report."""
        block = self._retried(lambda: self._parser("skip")(from_line(self._head, self._first_line)))
        sample = build_table(self.name, self.fields, [block], self.notes)
        return self._preview_of(sample, round(block.num_rows / self._share), self._share == 1)

    def _peak(self, sample: Table, n_rows: int) -> int:
        size, memory = self.path.stat().st_size, memory_estimate(sample, n_rows)
        copies = 2 if self._is_for_at_once(size) else 1
        counting = sum(CODE + COUNTED * distinct_share(column) for column in sample if column.kind == "string")
        return round(copies * memory + counting * n_rows + min(BLOCKS, max(size, memory)))

    def table(self, progress: Progress = silent) -> Table:
        """The whole file in memory."""
        table = self._built_at_once(progress) or self._retried(lambda: self._built(progress))
        if not table.n_rows:
            raise self._no_rows()
        return table

    def _built(self, progress: Progress) -> Table:
        builder = TableBuilder(self.fields, round(1.02 * self._n_lines))
        parser = self._parser()
        with closing(self._arrow_blocks(parser, progress)) as blocks:
            for block in blocks:
                builder.add(block)
                self._budget.require(builder.n_bytes)
        return builder.table(self.name, [*self.notes, *skipped_note(parser.skipped)])

    def _built_at_once(self, progress: Progress) -> Table | None:
        """The table, if nothing at all is unusual in the file.

        Arrow's whole table stands beside ours for a moment, so this is for files of moderate and known size.
        """
        if self.options.delimiter == WHITESPACE:
            return None
        with self._opened(progress) as source:
            if source.compressed or not self._is_for_at_once(source.size):
                return None
            try:
                blocks = self._parser().at_once(text_chunks(source, self.encoding, BLOCK), self._first_line)
            except pa.ArrowInvalid:
                return None
        table = build_table(self.name, self.fields, blocks, self.notes)
        while blocks:  # one by one: freeing thousands of columns at once would block other threads
            blocks.pop()
        return table

    @property
    def _n_lines(self) -> float:
        """Lines of the whole file, estimated."""
        return self._head.data.count(b"\n") / self._share

    def _is_for_at_once(self, file_size: int) -> bool:
        """Whether neither file nor table is large; a file of digits becomes a table of four times its size."""
        return max(file_size, 8 * len(self.fields) * self._n_lines) <= AT_ONCE

    def blocks(self, progress: Progress = silent) -> Iterator[Table]:
        """The file block by block; a value that contradicts what the first lines showed is an error."""
        try:
            yield from self._tables(progress)
        except NotSo as wrong:
            raise self._contradiction(wrong) from None
        except NotUtf8:
            raise self._not_utf8() from None

    def scanned(self, scan: Callable[[Iterator[Table]], Result], progress: Progress = silent) -> Result:
        """The result of `scan` over all blocks; it is called again where a later block contradicts the first lines."""
        return self._retried(lambda: scan(self._tables(progress)))

    def _tables(self, progress: Progress) -> Iterator[Table]:
        for block in self._arrow_blocks(self._parser(), progress):
            yield block_table(self.name, self.fields, block)

    def _retried(self, read: Callable[[], Result]) -> Result:
        """Read; where a later line contradicts the first ones, start again with that column as text."""
        while True:
            try:
                return super()._retried(read)
            except NotSo as wrong:
                if wrong.field.name in self.options.kinds:
                    raise self._contradiction(wrong) from None
                self._read_as_text(wrong)

    def _read_as_text(self, wrong: NotSo) -> None:
        name = wrong.field.name
        self.fields = tuple(
            replace(field, kind="text", date_format="") if field.name == name else field for field in self.fields
        )
        wanted = "dates" if wrong.field.kind == "date" else "numbers"
        self.notes.append(text_note(name, wrong.value, wrong.line, wanted))

    def _contradiction(self, wrong: NotSo) -> SourceError:
        if wrong.field.kind == "date":
            return SourceError(
                "{file}, line {line:,}, column {column!r}: {value!r} is not a date. Mend it, give it as a "
                "missing value, or read the column as nominal.",
                file=self.path,
                line=wrong.line,
                column=wrong.field.name,
                value=wrong.value,
            )
        return SourceError(
            "{file}, line {line:,}, column {column!r}: {value!r} is not a number. Mend it, give it as a "
            "missing value, or read the column as nominal.",
            file=self.path,
            line=wrong.line,
            column=wrong.field.name,
            value=wrong.value,
        )

    def _parser(self, bad_lines: Literal["stop", "skip"] | None = None) -> BlockParser:
        options = replace(self.options, bad_lines=bad_lines or self.options.bad_lines)
        return BlockParser(self.path, self.fields, options, [])

    def _arrow_blocks(self, parser: BlockParser, progress: Progress) -> Generator[pa.Table]:
        with self._opened(progress) as source:
            yield from in_order(parser, self._text_blocks(source))

    def _text_blocks(self, source: ByteSource) -> Iterator[TextBlock]:
        # Blocks of wide rows must hold enough of them that the work per column and block does not count.
        size = max(BLOCK, min(8 * BLOCK, 300 * len(self._head.data) // max(1, self._head.data.count(b"\n"))))
        for block in text_blocks(source, self.encoding, self.options.quote, size):
            yield from_line(block, self._first_line)

    def _opened_head(self) -> ByteSource:
        return self._opened()

    def _head_text(self) -> str:
        try:
            return self._head.data.decode()
        except UnicodeDecodeError:
            raise self._not_utf8() from None
