"""Spreadsheets: the cells of a sheet as lines of text, and from there like any other text."""

from __future__ import annotations

import csv
import datetime
import io
import threading
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, ClassVar, Self

from workbench.source.errors import Cancelled, SourceError
from workbench.source.read.csv.reader import DelimitedReader
from workbench.source.read.memory import Budget, convertible
from workbench.source.read.opening import open_raw, zip_explained
from workbench.source.read.options import Progress, ReadOptions, silent
from workbench.source.read.workbook_room import SHEET, require_room
from workbench.source.table.table import number_text

HEAD = 4 * 2**20
"""Bytes of a large sheet that its preview reads."""
ERRORS = {"#N/A", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!"}
"""What a formula shows that has no value."""
PATIENCE = 0.05
"""Seconds between two looks at whether the user has cancelled."""


class ExcelReader(DelimitedReader):
    """One sheet of a workbook."""

    format: ClassVar[str] = "Excel"

    def __init__(self, path: Path, options: ReadOptions) -> None:
        super().__init__(path, replace(options, encoding="utf-8", delimiter=",", decimal=".", quote='"'))

    def _opened_head(self) -> Any:
        return SheetSource(self.path, self.options.member, silent, whole=False)

    def _opened(self, progress: Progress = silent) -> Any:
        return SheetSource(self.path, self.options.member, progress)


class SheetSource:
    """A sheet as the bytes of a CSV file; one row of the sheet is one line."""

    def __init__(self, path: Path, member: str | None, progress: Progress, whole: bool = True) -> None:
        self.path = path
        self._progress = progress
        self.position, self.size = 0, 1
        self.compressed = False
        content, share = (open_raw(path), 1.0) if whole else _head(path)
        with content:
            sheet = self._loaded(content, member)
        self.complete = share == 1
        self.size = max(1, round(sheet.total_height / share))
        """Rows of the sheet, estimated where only its head is read."""
        self._lines = map(self._line, sheet.iter_rows())

    @property
    def share(self) -> float:
        """How much of the sheet has been read, from 0 to 1."""
        return min(self.position / self.size, 1.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self, n_bytes: int) -> bytes:
        """The next lines, about as many bytes as asked for."""
        self._look()
        out, size = [], 0
        for line in self._lines:
            out.append(line)
            size += len(line)
            if size >= n_bytes:
                break
        return b"".join(out)

    def _loaded(self, content: IO[bytes], member: str | None) -> Any:
        """The sheet. It is read in one piece; a thread of its own lets the user cancel meanwhile."""
        results: list[Any] = []

        def load() -> None:
            try:
                results.append(_sheet(self.path, content.read(), member))
            except BaseException as error:  # noqa: BLE001 - a panic of the library, raised again by who waits
                results.append(error)

        # A daemon, which an executor does not offer: a cancelled sheet must not keep the program from ending.
        thread = threading.Thread(target=load, name="sheet", daemon=True)
        thread.start()
        while thread.is_alive():
            self._look()
            thread.join(PATIENCE)
        if isinstance(results[0], BaseException):
            raise results[0] if isinstance(results[0], SourceError) else _damaged(self.path, results[0])
        return results[0]

    def _look(self) -> None:
        if not self._progress(min(self.position, self.size), self.size):
            raise Cancelled

    def _line(self, row: list[Any]) -> bytes:
        self.position += 1
        if all(cell == "" for cell in row):
            return b"\n"
        line = io.StringIO()
        # A line of its own even where a text in a cell has several.
        csv.writer(line, lineterminator="\n").writerow([_text(cell).replace("\n", " ") for cell in row])
        return line.getvalue().encode()


def _sheet(path: Path, content: bytes, member: str | None) -> Any:
    try:
        import python_calamine as calamine
    except ImportError:
        raise SourceError(
            "{file} is a workbook; its reader is an extra. Install it with: pip install 'figmn-workbench[excel]', or "
            "save the sheet as CSV.",
            file=path,
        ) from None
    require_room(path, content)
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
        names = book.sheet_names
        if member is not None and member not in names:
            raise SourceError(
                "{file}: {value!r} is not a sheet of the workbook. Choose one of: {known}.",
                file=path,
                value=member,
                known=", ".join(names),
            )
        return book.get_sheet_by_name(member) if member is not None else book.get_sheet_by_index(0)
    except calamine.PasswordError:
        raise SourceError("{file} is a workbook with a password. Save it without one.", file=path) from None
    except calamine.CalamineError as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: BaseException) -> SourceError:
    return SourceError(
        "{file} is a damaged workbook ({reason}). Open it in a spreadsheet program and save it again.",
        file=path,
        reason=str(error),
    )


def _head(path: Path) -> tuple[IO[bytes], float]:
    """A workbook whose large sheets end early, and the share of the largest one that is left."""
    with open_raw(path) as file, zip_explained(path):
        if not zipfile.is_zipfile(file):
            return open_raw(path), 1.0
        with zipfile.ZipFile(file) as archive:
            sheets = [entry for entry in archive.infolist() if SHEET.fullmatch(entry.filename)]
            if max((sheet.file_size for sheet in sheets), default=0) <= HEAD:
                return open_raw(path), 1.0
            short, share, budget = io.BytesIO(), 1.0, Budget(path)
            with zipfile.ZipFile(short, "w") as target:
                for entry in archive.infolist():
                    budget.require(
                        short.tell() + min(entry.file_size, HEAD if entry in sheets else entry.file_size),
                        convertible,
                    )
                    content = archive.open(entry).read(HEAD if entry in sheets else -1)
                    if entry.file_size > HEAD and entry in sheets:
                        content, kept = _cut(content)
                        share = min(share, kept / entry.file_size)
                    target.writestr(entry.filename, content)
    short.seek(0)
    return short, share


def _cut(sheet: bytes) -> tuple[bytes, int]:
    """The whole rows of the head of a sheet."""
    end = sheet.rfind(b"</row>") + len(b"</row>")
    return sheet[:end] + b"</sheetData></worksheet>", end


def _text(cell: Any) -> str:
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(sep=" ")
    if isinstance(cell, datetime.timedelta):
        return number_text(cell.total_seconds())
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return number_text(cell)
    return "" if cell in ERRORS else str(cell)
