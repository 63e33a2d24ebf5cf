"""What can go wrong with a source of rows."""

from __future__ import annotations

from pathlib import Path

from workbench.words.sentences import UserError, shortened

__all__ = ["NO_MEMORY", "Cancelled", "SourceError", "cut_short", "empty", "shortened", "words_of"]
NO_MEMORY = "Not enough memory: close other programs, or use fewer rows or columns."


class SourceError(UserError):
    """A file or table that cannot be used, and what to do about it.

    >>> print(SourceError("{file} is empty. Choose another file.", file=Path("a/wine.csv")))
    wine.csv is empty. Choose another file.
    """


class Cancelled(Exception):  # noqa: N818 - a wish that was granted, not an error
    """The user stopped a load; nothing was changed."""


def empty(path: Path) -> SourceError:
    """A file without rows and without columns."""
    return SourceError("{file} is empty. Choose a file with rows and columns.", file=path)


def cut_short(path: Path, n_rows: int, announced: int) -> SourceError:
    """A file that ends before all its rows have come."""
    return SourceError(
        "{file} ends after {n_rows:,} of {announced:,} rows. It is damaged, or was changed while it was read: "
        "write it again, then open it again.",
        file=path,
        n_rows=n_rows,
        announced=announced,
    )


def words_of(error: BaseException) -> str:
    """What an error says to a user; some of Python's say nothing.

    >>> words_of(MemoryError())
    'Not enough memory: close other programs, or use fewer rows or columns.'
    """
    return str(error) or (NO_MEMORY if isinstance(error, MemoryError) else type(error).__name__)
