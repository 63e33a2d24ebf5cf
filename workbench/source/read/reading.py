"""Files to tables: preview, load and estimate."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from workbench.source.errors import SourceError
from workbench.source.read.memory import available_bytes
from workbench.source.read.options import Progress, ReadOptions, silent
from workbench.source.read.reader import Preview
from workbench.source.read.recognise import open_reader
from workbench.source.table.table import Table

LARGE = 2**20
"""Bytes of a file below which the memory for its table is not estimated beforehand, but counted while it is read."""
MANY_COLUMNS = 4_000
MOST_NOTES = 20


def preview(path: str | os.PathLike[str], options: ReadOptions = ReadOptions()) -> Preview:
    """The first rows of a file, what was found out about it, and an estimate of its size; fast whatever the size.

    Parameters
    ----------
    path : a file of any format that `read_table` takes
    options : what is known of the file; all else is found out
    """
    found = open_reader(Path(path), options).preview()
    return replace(found, table=_with_few_notes(found.table))


def read_table(
    path: str | os.PathLike[str], options: ReadOptions = ReadOptions(), progress: Progress = silent
) -> Table:
    """Read a file into memory.

    Takes CSV and its relatives, ARFF, Parquet, Feather/Arrow, Excel, JSON lines, NumPy, IDX and CIFAR-10 batches;
    gzip, xz, bzip2 and zip are unpacked on the way. The format is judged by the bytes, not by the name alone.

    Parameters
    ----------
    path : the file
    options : delimiter, encoding, kinds and so on; what is left out is found out
    progress : called with what is done and the total; the load stops with `Cancelled` when it returns False

    Returns
    -------
    Table
        `notes` says what was found out or decided.

    Raises
    ------
    SourceError
        With file, line, column, value and remedy.
    Cancelled
        On the word of `progress`.

    Examples
    --------
    >>> from workbench.source.samples import assets
    >>> table = read_table(assets() / "datasets" / "iris.arff")
    >>> table.n_rows, table.kinds[-1], table["class"].labels[0]
    (150, 'nominal', 'Iris-setosa')
    """
    reader = open_reader(Path(path), options)
    if reader.path.stat().st_size > LARGE:
        _require_memory(reader.preview())
    table = reader.table(progress)
    if len(table.columns) > MANY_COLUMNS:
        note = (
            f"{len(table.columns):,} columns: one component over all of them takes "
            f"{8 * len(table.columns) ** 2 / 1e6:,.0f} MB. Ignore columns that you do not need."
        )
        table = replace(table, notes=(note, *table.notes))
    return _with_few_notes(table)


def _with_few_notes(table: Table) -> Table:
    """Limit the notes: each of thousands of columns may have one."""
    if len(table.notes) <= MOST_NOTES:
        return table
    more = f"There are {len(table.notes) - MOST_NOTES:,} more notes on columns."
    return replace(table, notes=(*table.notes[:MOST_NOTES], more))


def _require_memory(found: Preview) -> None:
    """Refuse a table that cannot be loaded, before minutes of reading."""
    available = available_bytes()
    if found.peak > available:
        raise SourceError(
            "{file} would take {needed:,.0f} MB to load, {available:,.0f} MB are available. Stream it from "
            "disk instead, or load a part of it.",
            file=found.path,
            needed=found.peak / 1e6,
            available=available / 1e6,
        )
