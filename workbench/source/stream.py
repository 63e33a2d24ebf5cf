"""Rows of numbers from any source, block by block: a file larger than memory, a table, a generator without end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.source.encode.encoding import Encoder, Encoding, Floats
from workbench.source.encode.order import Order
from workbench.source.errors import Cancelled, SourceError, cut_short
from workbench.source.generators import Generator
from workbench.source.read.options import Progress, ReadOptions, silent
from workbench.source.read.recognise import open_reader
from workbench.source.table.profile import Profile, profile_of
from workbench.source.table.table import Column, Role, Table

BLOCK_VALUES = 500_000
"""Numbers in a block of a table or generator."""
SCOUTED = 10_000
"""Rows of a generator that its figures are taken from."""

Source = str | os.PathLike[str] | Table | Generator
Index = NDArray[np.intp]
Blocks = Iterator[tuple[Index, Table]]
Codes = NDArray[np.int32]


class Piece(NamedTuple):
    """A block of encoded rows."""

    rows: Index
    """The numbers that the rows have in the source, counted from 0."""
    values: Floats
    codes: Codes
    """(rows, columns): positions in the labels of the nominal columns asked for; -1 where the label is missing."""
    left_out: Index
    """Rows of the source in this block that are not learned for missing values."""
    weights: Floats | None
    """One weight a row, above 0, where the source has them."""
    weightless: Index
    """Rows of the source in this block that are not learned because their weight is 0."""


@dataclass(frozen=True, eq=False)
class RowStream:
    """Encoded rows in blocks. Every loop over it starts from the first row again.

    Rows without a value in any input column are left out, and with `missing="drop"` every row with a missing value; so
    are rows of weight 0. A loop gives the values alone; `labelled` gives the weights of the rows, too.
    """

    encoder: Encoder
    """The encoded columns, their scale, and the way back to the user's units."""
    profile: Profile
    """The figures of the columns in the user's units."""
    _blocks: Callable[[], Blocks]

    @property
    def names(self) -> tuple[str, ...]:
        """The encoded columns."""
        return self.encoder.names

    def __iter__(self) -> Iterator[Floats]:
        return (values for _, values in self.indexed())

    def indexed(self) -> Iterator[tuple[Index, Floats]]:
        """Blocks with the numbers that their rows have in the source, counted from 0."""
        return ((piece.rows, piece.values) for piece in self.labelled(()) if len(piece.values))

    def labelled(self, names: Sequence[str]) -> Iterator[Piece]:
        """Blocks with the codes of their rows by each of these columns.

        A code is the position in the labels that the profile has for a nominal column, which need not be among the
        encoded ones. A block may have no row at all, where all are left out.
        """
        labels = [self.labels(name) for name in names]
        for index, block in self._blocks():
            rows = self.encoder.learnable(block, index)
            codes = np.empty((len(rows.index), len(names)), np.int32)
            for place, name in enumerate(names):
                codes[:, place] = _codes(block[name], labels[place])[rows.index]
            is_weightless = block.is_weightless
            is_left_out = ~is_weightless
            is_left_out[rows.index] = False
            weights = None if block.weights is None else block.weights[rows.index]
            yield Piece(index[rows.index], rows.values, codes, index[is_left_out], weights, index[is_weightless])

    @property
    def nominal(self) -> tuple[str, ...]:
        """Columns of the source that have labels, whatever their role."""
        return tuple(column.name for column in self.profile.columns if column.kind == "nominal")

    def labels(self, name: str | None) -> tuple[str, ...]:
        """The labels of a column of the source; none without a column."""
        return next((column.labels for column in self.profile.columns if column.name == name), ())


def stream_rows(
    source: Source,
    encoding: Encoding = Encoding(),
    *,
    order: Order = Order(),
    roles: Mapping[str, Role] | None = None,
    options: ReadOptions = ReadOptions(),
    passes: Literal[1, 2] = 2,
    progress: Progress = silent,
) -> RowStream:
    """Rows of floats, ready to be learned, in constant memory.

    Parameters
    ----------
    source : a file, a table or a generator (which never ends)
    encoding : how columns become numbers
    order : of a table; files and generators keep theirs
    roles : by name, in place of those that the columns have or suggest
    options : how a file is read
    passes : 2 reads a file once for standard deviations and labels before the first row is given; 1 takes the first
        rows as a sample of all, and stops with an error where a later one has a text or label that they did not show
    progress : of every pass over a file; False cancels

    Examples
    --------
    >>> from workbench.source.samples import assets
    >>> stream = stream_rows(assets() / "datasets" / "iris.arff")
    >>> stream.names[-2:], sum(len(block) for block in stream)
    (('class=Iris-versicolor', 'class=Iris-virginica'), 150)
    """
    if isinstance(source, Table):
        return _stream_table(source, encoding, order, roles or {}, progress)
    if order.kind != "as is":
        raise SourceError(
            "{value!r} is an order for tables in memory. Load the file first, or stream it as it is.",
            value=order.kind,
        )
    if isinstance(source, Generator):
        return _stream_generator(source, encoding, roles or {})
    return _stream_file(Path(source), encoding, roles or {}, options, passes, progress)


def _stream_table(
    table: Table, encoding: Encoding, order: Order, roles: Mapping[str, Role], progress: Progress
) -> RowStream:
    profile = profile_of([table]).with_roles(roles)
    encoder = encoding.fit(profile)
    rows = order.rows(table)
    step = _rows_in_a_block(encoder, profile)

    def blocks() -> Blocks:
        for start in range(0, len(rows), step):
            if not progress(start, len(rows)):
                raise Cancelled
            index = rows[start : start + step]
            yield index, table.take(index if order.kind != "as is" else slice(start, start + step))

    return RowStream(encoder, profile, blocks)


def _stream_generator(generator: Generator, encoding: Encoding, roles: Mapping[str, Role]) -> RowStream:
    profile = profile_of([generator.table(SCOUTED)]).with_roles(roles)
    encoder = encoding.fit(profile)

    def blocks() -> Blocks:
        return _numbered(generator.stream(_rows_in_a_block(encoder, profile)))

    return RowStream(encoder, profile, blocks)


def _stream_file(
    path: Path,
    encoding: Encoding,
    roles: Mapping[str, Role],
    options: ReadOptions,
    passes: Literal[1, 2],
    progress: Progress,
) -> RowStream:
    reader = open_reader(path, options)
    if passes == 1:
        profile = profile_of([reader.preview().table])
    else:
        profile = reader.scanned(lambda blocks: profile_of(blocks, reader.undecided), progress).with_default_roles()
    profile = profile.with_roles(roles)
    n_counted = profile.n_rows if passes > 1 else 0

    def blocks() -> Blocks:
        n_rows = 0
        for index, block in _numbered(reader.blocks(progress)):
            n_rows += block.n_rows
            yield index, block
        if n_rows < n_counted:
            raise cut_short(path, n_rows, n_counted)

    return RowStream(encoding.fit(profile), profile, blocks)


def _numbered(tables: Iterator[Table]) -> Blocks:
    start = 0
    for table in tables:
        yield np.arange(start, start + table.n_rows), table
        start += table.n_rows


def _rows_in_a_block(encoder: Encoder, profile: Profile) -> int:
    """Ignored columns count as well: their labels may be wanted."""
    return max(1, BLOCK_VALUES // max(encoder.n_columns, len(profile.columns)))


def _codes(column: Column, labels: tuple[str, ...]) -> Codes:
    """Positions in `labels`; a block of a file may have them in another order, or some of them alone."""
    if column.kind != "nominal":
        return np.full(len(column.values), -1, np.int32)
    if column.labels == labels:
        return column.values
    position = {label: code for code, label in enumerate(labels)}
    translation = np.array([*(position.get(label, -1) for label in column.labels), -1], dtype=np.int32)
    found: Codes = translation[column.values]
    return found
