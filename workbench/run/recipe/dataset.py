"""A table with all choices made for it: origin, kinds, roles, encoding, order and split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from figmn.system.memory import available_bytes
from workbench.run.recipe.model_file import ModelFile
from workbench.run.recipe.saved_selection import SavedSelection
from workbench.source import (
    Column,
    Encoding,
    Generator,
    Order,
    ReadOptions,
    SourceError,
    Table,
    preview,
    read_table,
    sample,
    split,
)
from workbench.source.encode.order import n_held_out
from workbench.source.read.options import Progress, silent
from workbench.source.read.reader import bytes_per_value
from workbench.source.table.profile import columns_in_use
from workbench.source.table.table import Kind, Role
from workbench.words.decode import Range

Count = Annotated[int, Range(1, 2**53)]
Coordinate = Annotated[float, Range(-(10**9), 10**9)]
ClassNumber = Annotated[int, Range(0, 999)]


@dataclass(frozen=True)
class FileOrigin:
    """A data file of the user."""

    path: str
    options: ReadOptions = ReadOptions()
    streamed: bool = False
    """Whether it stays on disk and is read during the run; the table then holds only the first rows."""

    @property
    def title(self) -> str:
        """Its name in the window."""
        return Path(self.path).name

    def read(self, progress: Progress = silent) -> Table:
        """Its rows."""
        return (
            preview(self.path, self.options).table if self.streamed else read_table(self.path, self.options, progress)
        )


@dataclass(frozen=True)
class SampleOrigin:
    """A bundled dataset."""

    name: str

    @property
    def title(self) -> str:
        """Its name in the window."""
        return self.name

    def read(self, progress: Progress = silent) -> Table:  # noqa: ARG002 - they load instantly
        """Its rows."""
        return sample(self.name).read()


@dataclass(frozen=True)
class GeneratorOrigin:
    """Rows of a generator."""

    generator: Generator
    n_rows: Count = 5000
    """Rows of the table."""
    endless: bool = False
    """Whether the stream has no end; the table then holds its first rows."""

    @property
    def title(self) -> str:
        """Its name in the window."""
        return self.generator.title

    def read(self, progress: Progress = silent) -> Table:  # noqa: ARG002
        """Its rows; SourceError where they do not fit into memory."""
        needed = 8 * self.n_rows * len(self.generator.table(1).columns)
        there = available_bytes()
        if needed > there:
            raise SourceError(
                "{title}: {n_rows:,} rows take {needed:,.0f} MB, {available:,.0f} MB are available. Choose "
                "fewer rows, or an endless stream.",
                title=self.title,
                n_rows=self.n_rows,
                needed=needed / 1e6,
                available=there / 1e6,
            )
        return self.generator.table(self.n_rows)


@dataclass(frozen=True)
class PaintedOrigin:
    """Points that the user painted: x, y and the number of their class."""

    points: tuple[tuple[Coordinate, Coordinate, ClassNumber], ...]

    title = "painted points"

    def read(self, progress: Progress = silent) -> Table:  # noqa: ARG002
        """Its rows."""
        if not self.points:
            raise SourceError("No points are painted. Paint at least one.")
        x, y, code = np.array(self.points).T
        numbers = sorted(set(code.astype(int).tolist()))
        labels = [f"class {number + 1}" for number in numbers]
        texts = [f"class {int(number) + 1}" for number in code]
        columns = [Column.numeric("x", x), Column.numeric("y", y)]
        if len(numbers) > 1:
            columns.append(Column.nominal("class", texts, labels, role="target"))
        return Table(self.title, tuple(columns))


Origin = FileOrigin | SampleOrigin | GeneratorOrigin | PaintedOrigin | ModelFile
"""Where rows come from. A model file has none: it is only looked at."""


@dataclass(frozen=True)
class Colour:
    """A user's choice of what points are coloured by."""

    column: str | None = None
    """Numbers, dates or labels, whatever their role; None for one colour."""
    by: Literal["column", "component"] = "column"
    """Or the component with the largest posterior, under the model shown."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """What the Data page shows and a run streams. Every change makes a new object, so that it can be undone.

    >>> iris = load(SampleOrigin("iris"))
    >>> iris.with_roles({"class": "ignored"}).roles["class"], iris.roles["class"]
    ('ignored', 'target')
    """

    origin: Origin
    loaded: Table
    """The table as it was read."""
    table: Table
    """The table with the user's kinds and roles."""
    encoding: Encoding = Encoding()
    order: Order = Order()
    test_share: float = 0.0
    """Share of the rows that are held out and never learned; 0 holds out none."""
    colour: Colour | None = None
    """None until it is chosen: by the class."""
    selections: tuple[SavedSelection, ...] = ()
    """Selections of rows that were saved as columns, the last ones of the table."""

    @property
    def title(self) -> str:
        """Its name in the window."""
        return self.origin.title

    @property
    def is_endless(self) -> bool:
        """Whether its stream has no end."""
        return isinstance(self.origin, GeneratorOrigin) and self.origin.endless

    @property
    def is_whole(self) -> bool:
        """Whether the table holds all rows; otherwise only the first ones."""
        return not (self.is_endless or (isinstance(self.origin, FileOrigin) and self.origin.streamed))

    @property
    def has_rows(self) -> bool:
        """Whether it is more than the columns of a model."""
        return not isinstance(self.origin, ModelFile)

    @property
    def kinds(self) -> dict[str, Kind]:
        """Kinds that the user changed."""
        pairs = zip(self.loaded, self.table, strict=True)
        return {after.name: after.kind for before, after in pairs if before.kind != after.kind}

    @property
    def roles(self) -> dict[str, Role]:
        """The role of every column."""
        return dict(zip(self.table.names, self.table.roles, strict=True))

    @property
    def nominal(self) -> tuple[str, ...]:
        """Columns with labels, whatever their role."""
        return tuple(column.name for column in self.table if column.kind == "nominal")

    @property
    def colourable(self) -> tuple[str, ...]:
        """Columns that can colour: all but text; of a stream, no numbers that are not learned, as none are kept."""
        return tuple(
            column.name
            for column in self.table
            if column.kind == "nominal" or (column.kind != "string" and (self.is_whole or column.role != "ignored"))
        )

    @property
    def colour_choice(self) -> Colour:
        """What points and bars are coloured by, on every page: by the class until something is chosen."""
        return Colour(self.label_column) if self.colour is None else self.colour

    @property
    def colour_column(self) -> str | None:
        """The column that colours; None for one colour and for components."""
        return self.colour_choice.column if self.colour_choice.by == "column" else None

    @property
    def label_column(self) -> str | None:
        """The classes of the rows: the labels chosen to colour by, else the first nominal target or last nominal."""
        nominal = self.nominal
        if self.colour is not None and self.colour.column in nominal:
            return self.colour.column
        return next(iter(self.class_columns), nominal[-1] if nominal else None)

    @property
    def class_columns(self) -> tuple[str, ...]:
        """Nominal targets."""
        return tuple(column.name for column in self.table if column.kind == "nominal" and column.role == "target")

    def with_colour(self, colour: Colour | None) -> Dataset:
        """Coloured by something else; SourceError where that is a column that cannot colour."""
        if colour is not None and colour.column is not None and colour.column not in self.colourable:
            raise SourceError(
                "{title}: {value!r} is no column to colour by. Choose one with numbers, dates or labels.",
                title=self.title,
                value=colour.column,
            )
        return replace(self, colour=colour)

    @property
    def n_encoded(self) -> int | None:
        """Columns that a model sees, counted without a look at the rows; None where it cannot be given these."""
        try:
            return sum(map(self.encoding.width, columns_in_use(self.table, self.title)))
        except SourceError:
            return None

    @property
    def n_encoded_targets(self) -> int:
        """How many of the columns that a model sees are of targets; 0 where there are no inputs to tell them from."""
        used = [column for column in self.table if column.role != "ignored"]
        targets = [column for column in used if column.role == "target"]
        return sum(map(self.encoding.width, targets)) if len(targets) < len(used) else 0

    def with_roles(self, roles: dict[str, Role]) -> Dataset:
        """With other roles for some columns. A class that is no longer learned still colours the points."""
        changed = _with_fitting_colour(replace(self, table=self.table.with_roles(roles)))
        if self.colour is not None or changed.colour_column == self.colour_column or changed.class_columns:
            return changed
        return replace(changed, colour=Colour(self.colour_column))

    def with_kinds(self, kinds: dict[str, Kind]) -> Dataset:
        """With some columns read as another kind; SourceError with the first value that cannot be."""
        return _with_fitting_colour(replace(self, table=self.table.with_kinds(kinds)))

    def with_selection(self, saved: SavedSelection) -> Dataset:
        """With a column that says which rows are selected; SourceError where its name is taken or rows are missing."""
        if not self.is_whole:
            raise SourceError(
                "{title} is streamed, so that its rows cannot be saved as a column. Load all its rows into a table "
                "first.",
                title=self.title,
            )
        if saved.name in self.table.names:
            raise SourceError(
                "{title} has a column {value!r} already. Choose another name.", title=self.title, value=saved.name
            )
        column = saved.column(self.table.n_rows, self.title)
        loaded, table = (replace(table, columns=(*table.columns, column)) for table in (self.loaded, self.table))
        return replace(self, loaded=loaded, table=table, selections=(*self.selections, saved))

    def with_order(self, order: Order) -> Dataset:
        """In another order; SourceError where the rows cannot be ordered that way."""
        if order.kind != "as is":
            self._require_whole_to_order()
        if order.kind in {"sorted", "interleaved"}:
            order.rows(self.table.take(slice(0, 2)))
        return replace(self, order=order)

    def with_encoding(self, encoding: Encoding) -> Dataset:
        """With another encoding."""
        return replace(self, encoding=encoding)

    def with_test_share(self, share: float) -> Dataset:
        """With a share of the rows held out; SourceError where that leaves nothing to learn or to test."""
        if share:
            self._require_whole_to_split()
            n_held_out(self.table.n_rows, share)
        return replace(self, test_share=share)

    def parts(self, seed: int) -> tuple[Table, Table | None]:
        """Training rows, and test rows where some are held out."""
        return split(self.table, self.test_share, seed) if self.test_share else (self.table, None)

    def split_rows(self, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The rows of the table that `parts` gives for training and for testing."""
        train, test = split(self._row_numbers, self.test_share, seed)
        return train["row"].values.astype(np.intp), test["row"].values.astype(np.intp)

    def sizes(self) -> dict[int, int]:
        """Bytes of every array by its address: arrays shared by two datasets have the same address."""
        columns = {id(column): column for table in (self.loaded, self.table) for column in table}.values()
        found = {_address(column.values): round(bytes_per_value(column) * len(column.values)) for column in columns}
        weights = [table.weights for table in (self.loaded, self.table) if table.weights is not None]
        return found | {_address(array): array.nbytes for array in weights}

    @property
    def _row_numbers(self) -> Table:
        """A table of row numbers, for splits that need no other column."""
        return Table("rows", (Column.numeric("row", np.arange(self.table.n_rows)),))

    def _require_whole_to_order(self) -> None:
        if not self.is_whole:
            raise SourceError(
                "{title} is streamed and cannot be put in another order. Load all its rows into a table first.",
                title=self.title,
            )

    def _require_whole_to_split(self) -> None:
        if not self.is_whole:
            raise SourceError(
                "{title} is streamed and cannot be split. Load all its rows into a table first.", title=self.title
            )


def _with_fitting_colour(dataset: Dataset) -> Dataset:
    """Coloured by the class where the column chosen cannot colour any more."""
    chosen = None if dataset.colour is None else dataset.colour.column
    return dataset if chosen is None or chosen in dataset.colourable else replace(dataset, colour=None)


def _address(array: NDArray[Any]) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def load(origin: Origin, progress: Progress = silent) -> Dataset:
    """Load a dataset from its origin.

    >>> load(SampleOrigin("iris")).table.n_rows
    150
    """
    table = origin.read(progress)
    return Dataset(origin, table, table)
