"""Rows and columns of the source in the errors of an engine, which knows positions among the rows it was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from figmn.rows import RowError
from figmn.system.arrays import Ints
from workbench.words.sentences import UserError


@contextmanager
def naming(rows: Ints | None, columns: Sequence[str], title: str) -> Iterator[None]:
    """Turn a `RowError` into a sentence for the user.

    Parameters
    ----------
    rows : numbers of the rows in the source, from 0; None where these are their positions
    columns : names of the encoded columns
    title : of the source
    """
    try:
        yield
    except RowError as error:
        number = int(error.row if rows is None else rows[error.row])
        raise _named(error, number, columns, title) from error


def _named(error: RowError, number: int, columns: Sequence[str], title: str) -> UserError:
    if error.column is None:
        return UserError("Row {row:,} of {title} {problem}.", row=number + 1, title=title, problem=error.problem)
    return UserError(
        "Row {row:,} of {title}, column {column!r}: {problem}.",
        row=number + 1,
        title=title,
        column=columns[error.column],
        problem=error.problem,
    )
