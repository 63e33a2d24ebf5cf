"""Columns to rows of numbers and back: what the engines learn from, and predictions in the user's units."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.table.profile import ColumnProfile, Profile, columns_in_use, profile_of
from workbench.source.table.table import Column, Kind, Role, Table, days, moments

HUGE = 1e300
"""Numbers above this are scaled before they are subtracted."""

Floats = NDArray[np.float64]
Scaling = Literal["none", "standard"]
Nominal = Literal["one-hot", "index"]
Missing = Literal["model", "mean", "drop"]


@dataclass(frozen=True)
class Encoding:
    """How columns become numbers.

    Parameters
    ----------
    scaling : none keeps the user's units; standard subtracts the mean and divides by the standard deviation
    nominal : one-hot gives every label a column of 0 and 1; index numbers them. A target is always one-hot
    missing : model leaves NaN, which the engines take as unknown; mean fills in the mean or the most frequent label;
        drop leaves out every row with a missing value

    Notes
    -----
    A row without a value in any input column is never learned, whatever `missing` says and even where its target is
    known: the target alone would teach the mixture something about no input. Where all columns in use are targets,
    these count in place of the inputs. Nor is a row of weight 0. `Encoder.learnable` leaves such rows out;
    `Encoder.encode` keeps them, because a question may be asked without knowing anything.

    Examples
    --------
    >>> table = Table("t", (Column.numeric("size", [1.0, 3.0]), Column.nominal("class", ["b", "a"])))
    >>> encoder = Encoding().fit(table)
    >>> encoder.names
    ('size', 'class=a', 'class=b')
    >>> encoder.encode(table).values.tolist()
    [[1.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    >>> encoder.decode(np.array([[2.5, 0.7, 0.2]])).columns[1].texts()
    ['a']
    """

    scaling: Scaling = "none"
    nominal: Nominal = "one-hot"
    missing: Missing = "model"

    def __post_init__(self) -> None:
        for name, choices in (("scaling", Scaling), ("nominal", Nominal), ("missing", Missing)):
            value = getattr(self, name)
            if value not in get_args(choices):
                allowed = ", ".join(get_args(choices))
                raise SourceError(
                    "{value!r} is not a choice for {name}. Choose one of: {allowed}.",
                    value=str(value),
                    name=name,
                    allowed=allowed,
                )

    def width(self, column: Column | ColumnProfile) -> int:
        """Columns that a column becomes, told by its kind and labels alone: no row is looked at.

        >>> Encoding().width(Column.nominal("class", ["a", "b", "a"])), Encoding().width(Column.numeric("x", [1.0]))
        (2, 1)
        """
        one_hot = column.kind == "nominal" and (self.nominal == "one-hot" or column.role == "target")
        return max(1, len(column.labels)) if one_hot else 1

    def fit(self, source: Table | Profile) -> Encoder:
        """Fix the columns and their figures; rows of any table with these columns can then be encoded."""
        profile = profile_of([source]) if isinstance(source, Table) else source
        # Targets last: what is known comes before what is asked for.
        used = sorted(columns_in_use(profile.columns, profile.name), key=lambda column: column.role == "target")
        blocks, start = [], 0
        for column in used:
            block = self._block(column, profile.n_rows, start)
            blocks.append(block)
            start = block.stop
        return Encoder(self, profile.name, tuple(blocks))

    def _block(self, column: ColumnProfile, n_rows: int, start: int) -> ColumnBlock:
        if column.kind == "nominal":
            return self._label_block(column, start)
        center, scale = (column.mean, column.std) if self.scaling == "standard" else (0.0, 1.0)
        # A constant column, or one without a value, keeps its unit.
        scale = scale if scale > 0 else 1.0
        center = 0.0 if math.isnan(center) else center
        std = 0.0 if math.isnan(column.std) else column.std / scale
        if self.missing == "mean" and n_rows:
            std *= math.sqrt(1 - column.n_missing / n_rows)  # values that are filled in deviate by nothing
        return ColumnBlock(
            column.name, column.kind, column.role, start, start + 1, (std,), (), center, scale, column.mean
        )

    def _label_block(self, column: ColumnProfile, start: int) -> ColumnBlock:
        one_hot = self.nominal == "one-hot" or column.role == "target"
        width = self.width(column)
        counts = np.array(column.counts, np.int64)
        codes = np.eye(width)[: len(counts)] if one_hot else np.arange(len(counts), dtype=np.float64)[:, None]
        fill = float(counts.argmax()) if counts.sum() else math.nan
        if self.missing == "mean" and counts.sum():
            counts[counts.argmax()] += column.n_missing
        return ColumnBlock(
            column.name,
            column.kind,
            column.role,
            start,
            start + width,
            _std(codes, counts),
            column.labels,
            fill=fill,
            one_hot=one_hot,
        )


@dataclass(frozen=True)
class ColumnBlock:
    """Where one column stands among the encoded ones."""

    name: str
    kind: Kind
    role: Role
    start: int
    stop: int
    std: tuple[float, ...]
    """Standard deviations (ddof 0) of the encoded columns, where the values are known; 0 where none is."""
    labels: tuple[str, ...] = ()
    center: float = 0.0
    scale: float = 1.0
    fill: float = math.nan
    """What a missing value is taken for under the policy mean: a number, or the position of a label."""
    one_hot: bool = False

    @property
    def names(self) -> list[str]:
        """Readable names of the encoded columns."""
        if self.one_hot:
            return [f"{self.name}={label}" for label in self.labels] or [self.name]
        return [f"{self.name} (days)" if self.kind == "date" else self.name]


@dataclass(frozen=True, eq=False)
class Rows:
    """Encoded rows, and where they come from."""

    values: Floats
    index: NDArray[np.intp]
    """The row of the table that each came from."""


@dataclass(frozen=True)
class Encoder:
    """An encoding whose columns and figures are fixed."""

    encoding: Encoding
    name: str
    blocks: tuple[ColumnBlock, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The encoded columns, such as `petal length` or `class=setosa`."""
        return tuple(name for block in self.blocks for name in block.names)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Of the column that each encoded one comes from."""
        return tuple(block.kind for block in self.blocks for _ in block.names)

    @property
    def n_columns(self) -> int:
        """The number of encoded columns."""
        return self.blocks[-1].stop

    @property
    def scale(self) -> Floats:
        """The standard deviation of every encoded column, derived from the figures of the source without encoding it.

        Of all known values, those of rows that are not learned included. A run takes it as the scale of a model where
        the rows are not in memory; where they are, it measures the rows that it learns.
        """
        return np.concatenate([block.std for block in self.blocks])

    @property
    def units(self) -> tuple[Floats, Floats]:
        """What was subtracted from every encoded column, and what it was divided by."""
        pairs = [(block.center, block.scale) for block in self.blocks for _ in range(block.start, block.stop)]
        centers, scales = np.array(pairs).T
        return centers, scales

    @property
    def inputs(self) -> NDArray[np.intp]:
        """Positions of the encoded inputs."""
        return self._positions("input")

    @property
    def targets(self) -> NDArray[np.intp]:
        """Positions of the encoded targets."""
        return self._positions("target")

    def block(self, name: str) -> ColumnBlock:
        """Where a column stands."""
        for block in self.blocks:
            if block.name == name:
                return block
        known = ", ".join(block.name for block in self.blocks[:10])
        raise SourceError("{value!r} is not an encoded column. Choose one of: {known}.", value=name, known=known)

    def learnable(self, table: Table, sources: NDArray[np.intp] | None = None) -> Rows:
        """As `encode`, without the rows that have no value in any input column or the weight 0.

        >>> table = Table("t", (Column.numeric("x", [1.0, np.nan]), Column.nominal("class", ["b", "a"], role="target")))
        >>> Encoding().fit(table).learnable(table).index.tolist()
        [0]
        """
        rows = self.encode(table, sources)
        known = rows.index[~(self._is_unknown(table) | table.is_weightless)[rows.index]]
        if len(known) == len(rows.index):
            return rows
        values = rows.values[np.isin(rows.index, known)]
        values.flags.writeable = False
        return Rows(values, known)

    def left_out(self, table: Table) -> NDArray[np.intp]:
        """The rows of a table that `learnable` leaves out for missing values, found without encoding them.

        Those of weight 0 are not among them.
        """
        gone = self._is_unknown(table)
        if self.encoding.missing == "drop":
            gone = gone.copy()
            for block in self.blocks:
                gone |= table[block.name].missing
        return np.flatnonzero(gone & ~table.is_weightless)

    def encode(self, table: Table, sources: NDArray[np.intp] | None = None) -> Rows:
        """The rows of a table as numbers; what is missing is NaN, filled in, or left out with its row.

        `sources` are the numbers of the rows in their source, counted from 0, for error messages; without them the
        table is taken to be the source.
        """
        values = np.empty((table.n_rows, self.n_columns))
        for block in self.blocks:
            self._encode_column(table[block.name], block, values[:, block.start : block.stop], sources)
        index = np.arange(table.n_rows)
        if self.encoding.missing == "drop":
            index = np.flatnonzero(~np.isnan(values).any(axis=1))
            values = values[index] if len(index) < len(values) else values
        values.flags.writeable = False
        return Rows(values, index)

    def decode(self, values: Floats) -> Table:
        """Encoded or predicted rows in the user's units and labels; NaN becomes missing."""
        values = np.atleast_2d(np.asarray(values, dtype=np.float64))
        if values.shape[1] != self.n_columns:
            raise SourceError(
                "A row has {n_values:,} numbers where the encoding has {n_columns:,} columns. "
                "Give rows as encode makes them.",
                n_values=values.shape[1],
                n_columns=self.n_columns,
            )
        columns = (_decoded(block, values[:, block.start : block.stop]) for block in self.blocks)
        return Table(self.name, tuple(columns))

    def _positions(self, role: Role) -> NDArray[np.intp]:
        found = [np.arange(block.start, block.stop) for block in self.blocks if block.role == role]
        return np.concatenate(found) if found else np.empty(0, dtype=np.intp)

    def _is_unknown(self, table: Table) -> NDArray[np.bool_]:
        """Whether a row has no value in any input; stops at the first column in which no such row is left."""
        inputs = [block for block in self.blocks if block.role == "input"] or self.blocks
        unknown = np.ones(table.n_rows, np.bool_)
        for block in inputs:
            unknown &= table[block.name].missing
            if not unknown.any():
                break
        return unknown

    def _encode_column(self, column: Column, block: ColumnBlock, out: Floats, sources: NDArray[np.intp] | None) -> None:
        fill = self.encoding.missing == "mean"
        if block.kind == "nominal":
            codes = _codes(column, block, sources)
            if fill and not math.isnan(block.fill):
                codes = np.where(codes < 0, int(block.fill), codes)
            out[:] = patterns(block)[codes]
            return
        if column.kind != block.kind:
            raise SourceError(
                "Column {column!r} is {kind} here, and was {known} where the encoding was made. Read both with "
                "the same kinds.",
                column=column.name,
                kind=column.kind,
                known=block.kind,
            )
        out[:, 0] = scaled(days(column.values) if block.kind == "date" else column.values, block)
        if fill and column.missing.any():
            out[column.missing, 0] = scaled(np.array([block.fill]), block)


def scaled(numbers: NDArray[Any], block: ColumnBlock) -> NDArray[Any]:
    """Numbers in the user's units as they are encoded."""
    if block.center == 0 and block.scale == 1:
        return numbers
    try:
        with np.errstate(over="raise"):
            if max(abs(block.center), block.scale) > HUGE:
                # The difference of two of the largest doubles is none.
                return numbers / block.scale - block.center / block.scale
            return (numbers - block.center) / block.scale
    except FloatingPointError:
        raise SourceError(
            "Column {column!r} holds a value that is too large for its scale: the standard deviation is "
            "{deviation:g}. Choose the scaling none, or mend the value.",
            column=block.name,
            deviation=block.scale,
        ) from None


def _std(codes: Floats, counts: NDArray[Any]) -> tuple[float, ...]:
    """Standard deviation (ddof 0) of the codes of labels, given how often each label occurs."""
    n = counts.sum()
    if not n:
        return (0.0,) * int(codes.shape[1])
    mean = counts @ codes / n
    return tuple(map(float, np.sqrt(counts @ (codes - mean) ** 2 / n)))


def patterns(block: ColumnBlock) -> Floats:
    """The encoded form of every label, and of a missing value at the end, where code -1 finds it."""
    if block.one_hot:
        width = block.stop - block.start
        return np.vstack([np.eye(width), np.full(width, math.nan)])
    return np.append(np.arange(len(block.labels), dtype=np.float64), math.nan)[:, None]


def _codes(column: Column, block: ColumnBlock, sources: NDArray[np.intp] | None) -> NDArray[Any]:
    """Codes by the labels of the encoding, which may stand in another order than those of the table."""
    if column.kind != "nominal":
        column = column.as_kind("nominal")
    if column.labels == block.labels:
        return column.values
    position: Mapping[str, int] = {label: code for code, label in enumerate(block.labels)}
    translation = np.array([*(position.get(label, -2) for label in column.labels), -1])
    codes: NDArray[np.intp] = translation[column.values]
    unknown = np.flatnonzero(codes == -2)  # noqa: PLR2004
    if len(unknown):
        number = unknown[0] if sources is None else sources[unknown[0]]
        raise SourceError(
            "Column {column!r}: {value!r} in row {row:,} is a label that the encoding does not know. "
            "Known are: {known}.",
            column=column.name,
            value=column.labels[column.values[unknown[0]]],
            row=number + 1,
            known=", ".join(block.labels[:10]) + (", …" if len(block.labels) > 10 else ""),  # noqa: PLR2004
        )
    return codes


def _decoded(block: ColumnBlock, values: Floats) -> Column:
    if block.kind == "nominal":
        return Column(block.name, "nominal", _nearest(block, values).astype(np.int32), block.labels, block.role)
    with np.errstate(over="ignore"):
        numbers = np.clip(values[:, 0] * block.scale + block.center, -sys.float_info.max, sys.float_info.max)
    if block.kind == "date":
        return Column(block.name, "date", moments(numbers), role=block.role)
    return Column(block.name, "numeric", numbers, role=block.role)


def _nearest(block: ColumnBlock, values: Floats) -> NDArray[Any]:
    """The label with the highest value, or at the nearest position; -1 where a value is missing."""
    missing: NDArray[np.bool_] = np.asarray(np.isnan(values).any(axis=1))
    if not block.labels:
        return np.full(len(values), -1)
    filled = np.where(missing[:, None], 0.0, values)
    codes = filled.argmax(axis=1) if block.one_hot else np.clip(np.rint(filled[:, 0]), 0, len(block.labels) - 1)
    return np.where(missing, -1, codes)
