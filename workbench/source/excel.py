"""Excel workbooks: the cells of a sheet as lines of text, and from there like any other text."""

from __future__ import annotations

import csv
import datetime
import io
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self

from workbench.source.delimited import DelimitedReader
from workbench.source.errors import Cancelled, SourceError
from workbench.source.opening import open_raw
from workbench.source.options import Progress, ReadOptions, silent

INSTALL = "Install it with: pip install 'figmn-workbench[excel]', or save the sheet as CSV"


class ExcelReader(DelimitedReader):
    """One sheet of an .xlsx workbook."""

    format: ClassVar[str] = "Excel"

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, ReadOptions(**{**vars(options), "encoding": "utf-8", "delimiter": ",", "decimal": "."}))

    def _opened(self, progress: Progress = silent) -> Any:
        return SheetSource(self.path, self.options.member, progress)


class SheetSource:
    """A sheet as the bytes of a CSV file; one row of the sheet is one line."""

    compressed = True

    def __init__(self, path: Path, member: str | None, progress: Progress) -> None:
        self.path = path
        self._progress = progress
        self._book = _workbook(path)
        self._sheet = self._chosen(member)
        self.size = max(1, self._sheet.max_row or 1)
        self.position = 0
        self._lines = self._rows()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._book.close()

    def read(self, n_bytes: int) -> bytes:
        """The next lines, about as many bytes as asked for."""
        if not self._progress(self.position, self.size):
            raise Cancelled
        out, size = [], 0
        for line in self._lines:
            out.append(line)
            size += len(line)
            if size >= n_bytes:
                break
        return b"".join(out)

    def _rows(self) -> Iterator[bytes]:
        try:
            for row in self._sheet.iter_rows(values_only=True):
                self.position += 1
                line = io.StringIO()
                # A line of its own even where a text in a cell has several.
                csv.writer(line, lineterminator="\n").writerow([_text(cell).replace("\n", " ") for cell in row])
                yield line.getvalue().encode() if any(cell is not None for cell in row) else b"\n"
        except (zipfile.BadZipFile, KeyError, ValueError) as error:
            raise _damaged(self.path, error) from error

    def _chosen(self, member: str | None) -> Any:
        sheets = [sheet.title for sheet in self._book.worksheets]
        if member is None:
            return self._book.worksheets[0]
        if member not in sheets:
            self._book.close()
            raise SourceError(
                "is not a sheet of the workbook",
                path=self.path,
                value=member,
                remedy=f"Choose one of: {', '.join(sheets)}",
            )
        return self._book[member]


def _workbook(path: Path) -> Any:
    open_raw(path).close()
    try:
        import openpyxl
    except ImportError:
        raise SourceError("is an Excel workbook; its reader is an extra", path=path, remedy=INSTALL) from None
    try:
        with warnings.catch_warnings():
            # Styles and extensions that openpyxl does not know do not matter to the values.
            warnings.simplefilter("ignore", UserWarning)
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise _damaged(path, error) from error
    if not book.worksheets:
        raise SourceError("has no sheet with cells", path=path, remedy="Choose a workbook with a table")
    return book


def _damaged(path: Path, error: Exception) -> SourceError:
    return SourceError(
        f"is a damaged workbook ({error})", path=path, remedy="Open it in a spreadsheet program and save it again"
    )


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(sep=" ")
    if isinstance(cell, bool):
        return str(cell).upper()
    return str(cell)
