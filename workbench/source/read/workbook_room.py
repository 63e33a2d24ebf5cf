"""Memory that a workbook needs, estimated before it is read: its reader crashes when memory runs out."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from workbench.source.errors import SourceError
from workbench.source.read.memory import Budget, Shortage
from workbench.source.read.opening import zip_explained

SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
PIECE = 2**20
"""Bytes that are unpacked at a time."""
CELL_BYTES = 32
"""Memory for every cell between the first and the last one, empty ones included."""
FOUND_BYTES = 64
"""Memory for a cell that is written, on the way."""
SURE_DIGITS = 9
COLUMN, ROW = (
    re.compile(rb'<(?:\w+:)?c\b[^>]*?\br="([A-Z]{1,3})\d'),
    re.compile(rb'<(?:\w+:)?row\b(?:[^>]*?\br="(\d+))?'),
)


def require_room(path: Path, content: bytes) -> None:
    """Refuse a workbook that unpacks to more than memory holds, or whose last cell is too far from the first."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return
    budget, unpacked = Budget(path), 0
    with zip_explained(path), zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in archive.infolist():
            extent = _Extent()
            for piece in _pieces(archive, entry):
                unpacked += len(piece)
                budget.require(unpacked, _unpacks_to_too_much)
                if SHEET.fullmatch(entry.filename):
                    extent.add(piece)
                    budget.require(unpacked + extent.n_bytes, extent.too_large)


class _Extent:
    """The last row and column of a sheet so far."""

    def __init__(self) -> None:
        self.n_found = self.n_columns = self.n_rows = 0
        self._rest = b""

    @property
    def n_bytes(self) -> int:
        return CELL_BYTES * self.n_rows * self.n_columns + FOUND_BYTES * self.n_found

    def too_large(self, found: Shortage) -> SourceError:
        """A sheet of so many rows and columns."""
        return SourceError(
            "{file} has cells up to row {row:,} and column {column:,}, which take more than {limit:,.0f} MB of memory, "
            "of {available:,.0f} MB that are available (the file has {size:,.1f} MB). Delete the cells that stand far "
            "from the table, or save the sheet as CSV.",
            file=found.file,
            row=self.n_rows,
            column=self.n_columns,
            limit=found.limit,
            available=found.available,
            size=found.size,
        )

    def add(self, piece: bytes) -> None:
        """Look at the next piece, which may begin inside of a tag."""
        text = self._rest + piece
        end = text.rfind(b"<")
        text, self._rest = text[:end], text[end:][:PIECE]
        columns, rows = COLUMN.findall(text), ROW.findall(text)
        self.n_found += len(columns)
        self.n_columns = max([self.n_columns, *map(_number, set(columns))])
        # Rows without a number follow on the one before.
        numbered = [int(row[:SURE_DIGITS]) for row in rows if row]
        self.n_rows = max(numbered) if numbered else self.n_rows + len(rows)


def _unpacks_to_too_much(found: Shortage) -> SourceError:
    return SourceError(
        "{file} unpacks to more than {limit:,.0f} MB of memory, of {available:,.0f} MB that are available (the file "
        "has {size:,.1f} MB). Save it as CSV or Parquet, which can be streamed from disk.",
        file=found.file,
        limit=found.limit,
        available=found.available,
        size=found.size,
    )


def _pieces(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(entry) as file:
        while piece := file.read(PIECE):
            yield piece


def _number(letters: bytes) -> int:
    """The number of a column: A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
