"""Tables of Arrow written block by block as CSV, Parquet or ARFF, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from workbench.run.files import write_safely
from workbench.source import Cancelled
from workbench.source.read.arff.writer import write_arff
from workbench.source.read.options import Progress
from workbench.source.table.table import Column, Table
from workbench.words.sentences import UserError
from workbench.words.tables import neutral


class BlockWriter(AbstractContextManager[Any], Protocol):
    """Writes blocks of one schema."""

    def write_table(self, table: pa.Table) -> None:
        """Append a block."""


def write_table(
    path: str | Path, blocks: Iterator[pa.Table], n_rows: int, raw: bool = False, progress: Progress = lambda *_: True
) -> None:
    """Write blocks to a file whose ending tells the format.

    Parameters
    ----------
    path : ends with .csv, .parquet or .arff
    blocks : at least one, all with the same columns
    n_rows : of all blocks, for the progress
    raw : write labels and names into CSV as they are, even those that begin like a formula
    progress : called after every block; where it answers False, `Cancelled` is raised and nothing is changed
    """
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        raise UserError(
            "{name!r} does not end with a known format. Choose a name that ends with {known}.",
            name=Path(path).name,
            known=", ".join(WRITERS),
        )

    def write(new: Path) -> None:
        first, done = next(blocks), 0
        with WRITERS[ending](new, first, raw) as writer:
            for block in chain([first], blocks):
                writer.write_table(block)
                done += block.num_rows
                if not progress(done, n_rows):
                    raise Cancelled

    write_safely(path, write)


class CsvBlocks:
    """CSV: labels and names that begin like a formula get an apostrophe, unless they are to stay as they are."""

    def __init__(self, path: Path, first: pa.Table, raw: bool) -> None:
        self._raw = raw
        self._writer = csv.CSVWriter(path, self._plain(first).schema)

    def write_table(self, table: pa.Table) -> None:
        """Append a block."""
        self._writer.write_table(self._plain(table))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def _plain(self, table: pa.Table) -> pa.Table:
        names = table.column_names if self._raw else [neutral(name) for name in table.column_names]
        return pa.table([self._texts(column.combine_chunks()) for column in table.columns], names)

    def _texts(self, column: Any) -> Any:
        if not pa.types.is_dictionary(column.type):
            return column
        labels = column.dictionary.to_pylist()
        written = labels if self._raw else [neutral(label) for label in labels]
        return pa.DictionaryArray.from_arrays(column.indices, pa.array(written, pa.string())).cast(pa.string())


class ArffBlocks:
    """ARFF, which is written at the end: its head names all labels."""

    def __init__(self, path: Path, first: pa.Table, raw: bool) -> None:  # noqa: ARG002 (nothing evaluates ARFF)
        self._path, self._blocks = path, list[pa.Table]()

    def write_table(self, table: pa.Table) -> None:
        """Append a block."""
        self._blocks.append(table)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            whole = pa.concat_tables(self._blocks).unify_dictionaries().combine_chunks()
            columns = (_column(name, whole.column(name).combine_chunks()) for name in whole.column_names)
            write_arff(Table("scored", tuple(columns)), self._path)


def _column(name: str, array: Any) -> Column:
    if pa.types.is_dictionary(array.type):
        codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
        return Column(name, "nominal", codes, tuple(array.dictionary.to_pylist()))
    if pa.types.is_timestamp(array.type):
        return Column(name, "date", array.to_numpy(zero_copy_only=False).astype("datetime64[us]"))
    if pa.types.is_string(array.type):
        return Column(name, "string", np.array(array.to_pylist(), dtype=object))
    return Column.numeric(name, array.to_numpy(zero_copy_only=False).astype(np.float64))


def _parquet(path: Path, first: pa.Table, raw: bool) -> Any:  # noqa: ARG001 (nothing evaluates Parquet)
    return parquet.ParquetWriter(path, first.schema)


WRITERS: Mapping[str, Callable[[Path, pa.Table, bool], BlockWriter]] = {
    ".csv": CsvBlocks,
    ".parquet": _parquet,
    ".arff": ArffBlocks,
}
"""By the ending of the file."""
