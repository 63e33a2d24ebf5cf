"""What can go wrong with a source of rows, said with the place, the value and the remedy."""

from __future__ import annotations

from pathlib import Path

VALUE_LENGTH = 60
"""Characters of an offending value that an error shows."""
NAME_LENGTH, PROBLEM_LENGTH = 120, 400
"""Characters of a file's name and of a problem, which may quote what a library says of the file."""
NO_MEMORY = "Not enough memory: close other programs, or use fewer rows or columns"


class SourceError(ValueError):
    """A file or table that cannot be used, and what to do about it.

    >>> print(SourceError("is not a number", path="a/wine.csv", line=7, column="ash", value="2,1", remedy="Choose ,"))
    wine.csv, line 7, column 'ash': '2,1' is not a number. Choose ,.
    >>> print(SourceError("is empty", path="wine.csv", remedy="Choose another file"))
    wine.csv is empty. Choose another file.
    """

    def __init__(
        self,
        problem: str,
        *,
        remedy: str,
        path: str | Path | None = None,
        line: int | None = None,
        column: str | int | None = None,
        value: str | None = None,
    ) -> None:
        self.problem, self.remedy = problem, remedy
        self.path = None if path is None else Path(path)
        self.line, self.column, self.value = line, column, value
        super().__init__(self._text())

    def _text(self) -> str:
        place = [shortened(self.path.name or str(self.path), NAME_LENGTH)] if self.path else []
        place += [f"line {self.line:,}"] if self.line else []
        place += [f"column {self.column!r}"] if self.column is not None else []
        where, problem = ", ".join(place), shortened(self.problem, PROBLEM_LENGTH)
        if self.value is None:
            what = f"{where} {problem}" if where else problem[0].upper() + problem[1:]
        else:
            what = f"{where}: " * bool(where) + f"{shortened(self.value)!r} {problem}"
        return f"{what}. {self.remedy}."


class Cancelled(Exception):  # noqa: N818 - a wish that was granted, not an error
    """The user stopped a load; nothing was changed."""


def cut_short(path: str | Path, n_rows: int, announced: int) -> SourceError:
    """A file that ends before all its rows have come."""
    return SourceError(
        f"ends after {n_rows:,} of {announced:,} rows",
        path=path,
        remedy="It is damaged, or was changed while it was read: write it again, then open it again",
    )


def words_of(error: BaseException) -> str:
    """What an error says to a user; some of Python's say nothing.

    >>> words_of(MemoryError())
    'Not enough memory: close other programs, or use fewer rows or columns'
    """
    return str(error) or (NO_MEMORY if isinstance(error, MemoryError) else type(error).__name__)


def shortened(value: str, length: int = VALUE_LENGTH) -> str:
    """A value that fits into a message.

    >>> shortened("0123456789", 5)
    '0123…'
    """
    return value if len(value) <= length else value[: length - 1] + "…"
