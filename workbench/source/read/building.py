"""From Arrow's arrays, block by block, to the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt
from numpy.typing import DTypeLike, NDArray

from workbench.source.read.pipeline import in_order
from workbench.source.table.doubles import held_by_doubles
from workbench.source.table.fields import Field, is_nominal, with_default_roles
from workbench.source.table.table import MISSING_CODE, Column, Table

LABEL_BYTES = 200
"""Memory for a label beside its characters: the text's head, its places in a dictionary and in a column."""
THREADED = 50_000
"""Rows from which on a column is worth a thread."""


class TableBuilder:
    """A table that grows by blocks.

    Values go straight to where they stay, so that a block's memory is free for the next one: fresh memory costs as much
    as parsing.
    """

    def __init__(self, fields: Sequence[Field], n_expected: int = 0) -> None:
        self._growing = [_growing(field, n_expected) for field in fields]

    def add(self, block: pa.Table) -> None:
        """Append the rows of a block."""
        for position, growing in enumerate(self._growing):
            growing.add_all(block.column(position).chunks)

    def add_all(self, blocks: Sequence[pa.Table]) -> None:
        """Append the rows of all blocks, several columns at a time."""

        def fill(numbered: tuple[int, _Growing]) -> None:
            position, growing = numbered
            growing.add_all(chunk for block in blocks for chunk in block.column(position).chunks)

        several = in_order if sum(block.num_rows for block in blocks) > THREADED else map
        for _ in several(fill, enumerate(self._growing)):
            pass

    @property
    def n_bytes(self) -> int:
        """The memory that the values so far take."""
        return sum(growing.n_bytes for growing in self._growing)

    def table(self, name: str, notes: Sequence[str] = ()) -> Table:
        """The whole, with text settled as nominal or string, and with a target chosen as Weka would."""
        columns, found = [], list(notes)
        for column, column_notes in map(_Growing.settled, self._growing):
            columns.append(column)
            found += column_notes
        return with_default_roles(Table(name, tuple(columns), notes=tuple(found)))

    def block(self, name: str) -> Table:
        """The rows so far as a part of a file: text columns are nominal, with the labels that occurred."""
        columns = (growing.column(settled=False) for growing in self._growing)
        return Table(name, tuple(held_by_doubles(column)[0] for column in columns))


def build_table(name: str, fields: Sequence[Field], blocks: Sequence[pa.Table], notes: Sequence[str] = ()) -> Table:
    """One table out of the blocks of a whole file, several columns at a time."""
    builder = TableBuilder(fields, sum(block.num_rows for block in blocks))
    builder.add_all(blocks)
    return builder.table(name, notes)


def block_table(name: str, fields: Sequence[Field], block: pa.Table) -> Table:
    """One table out of one block of a file."""
    builder = TableBuilder(fields, block.num_rows)
    builder.add(block)
    return builder.block(name)


def _growing(field: Field, n_expected: int) -> _Growing:
    if field.kind == "numeric":
        return _Numbers(field, n_expected)
    return _Dates(field, n_expected) if field.kind == "date" else _Texts(field, n_expected)


class _Growing:
    """The values of one column so far."""

    def __init__(self, field: Field, n_expected: int) -> None:
        self.field = field
        self.n_expected = n_expected
        self.values: NDArray[Any] | None = None
        self.n = 0

    def add_all(self, chunks: Iterable[pa.Array]) -> None:
        """Append the values of some arrays."""
        for chunk in chunks:
            part = self.converted(chunk)
            values = self._room(len(part), part.dtype)
            values[self.n : self.n + len(part)] = part
            self.n += len(part)

    def settled(self) -> tuple[Column, list[str]]:
        """The column of the whole file, and notes on it."""
        return held_by_doubles(self.column(settled=True))

    def _room(self, n_new: int, dtype: DTypeLike) -> NDArray[Any]:
        """Make room for more values; integers become floats when missing values occur."""
        needed = self.n + n_new
        if self.values is None:
            self.values = np.empty(max(needed, self.n_expected), dtype)
        wanted = np.promote_types(self.values.dtype, dtype)
        if len(self.values) < needed or wanted != self.values.dtype:
            grown = np.empty(max(needed, len(self.values) if len(self.values) >= needed else needed * 5 // 4), wanted)
            grown[: self.n] = self.values[: self.n]
            self.values = grown
        return self.values

    @property
    def n_bytes(self) -> int:
        """The memory that the values so far take."""
        return 0 if self.values is None else self.n * self.values.itemsize

    @property
    def known(self) -> NDArray[Any]:
        """The values so far."""
        if self.values is None:
            return np.empty(0)
        # What was expected too much is given back where it would cost.
        return self.values[: self.n] if 5 * self.n >= 4 * len(self.values) else self.values[: self.n].copy()

    def converted(self, chunk: pa.Array) -> NDArray[Any]:
        """The values of an array as a column holds them."""
        raise NotImplementedError

    def column(self, settled: bool) -> Column:
        """The column so far; `settled` if these are all values of the file."""
        raise NotImplementedError


class _Numbers(_Growing):
    def converted(self, chunk: pa.Array) -> NDArray[Any]:
        if pt.is_time(chunk.type):
            # Seconds since midnight.
            unit = {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}[chunk.type.unit]
            width = pa.int32() if chunk.type.bit_width == 32 else pa.int64()  # noqa: PLR2004
            return chunk.cast(width).cast(pa.float64()).to_numpy(zero_copy_only=False) / unit  # type: ignore[no-any-return]
        if pt.is_duration(chunk.type):
            whole = chunk.cast(pa.duration("us"), safe=False).cast(pa.int64())
            return whole.cast(pa.float64()).to_numpy(zero_copy_only=False) / 1e6  # type: ignore[no-any-return]
        if pt.is_null(chunk.type) or pt.is_decimal(chunk.type) or pt.is_float16(chunk.type):
            chunk = chunk.cast(pa.float64())
        return chunk.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]

    def column(self, settled: bool) -> Column:  # noqa: ARG002
        return Column(self.field.name, "numeric", self.known)


class _Dates(_Growing):
    def converted(self, chunk: pa.Array) -> NDArray[Any]:
        # UTC where there is a zone.
        kind = pa.timestamp("us", getattr(chunk.type, "tz", None))
        return chunk.cast(kind, safe=False).to_numpy(zero_copy_only=False).astype("datetime64[us]")  # type: ignore[no-any-return]

    def column(self, settled: bool) -> Column:  # noqa: ARG002
        return Column(self.field.name, "date", self.known.astype("datetime64[us]"), date_format=self.field.date_format)


class _Texts(_Growing):
    """Positions among the labels in the order of their appearance; blanks around a label do not count."""

    def __init__(self, field: Field, n_expected: int) -> None:
        super().__init__(field, n_expected)
        self.position: dict[str, int] = {}
        self.n_characters = 0

    @property
    def n_bytes(self) -> int:
        """Codes, and labels with what Python needs for each."""
        return super().n_bytes + self.n_characters + LABEL_BYTES * len(self.position)

    def converted(self, chunk: pa.Array) -> NDArray[Any]:
        encoded = _dictionary(chunk)
        labels = [str(value).strip() for value in encoded.dictionary.to_pylist()]
        codes = [self._code(label) for label in labels]
        # The last place stands for missing values, whose index is -1.
        places = np.array([*codes, MISSING_CODE], dtype=np.int32)
        return places[encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)]  # type: ignore[no-any-return]

    def _code(self, label: str) -> int:
        if label in self.field.missing:
            return MISSING_CODE
        code = self.position.setdefault(label, len(self.position))
        if code == len(self.position) - 1:
            self.n_characters += len(label)
        return code

    def column(self, settled: bool) -> Column:
        codes = self.known.astype(np.int32, copy=False)
        if self.field.kind == "string" or (
            settled and self.field.kind == "text" and not is_nominal(len(self.position), self.n)
        ):
            return Column(self.field.name, "string", np.array([*self.position, None], dtype=object)[codes])
        labels = tuple(sorted(self.position))
        rank = {label: code for code, label in enumerate(labels)}
        translation = np.array([*(rank[label] for label in self.position), MISSING_CODE], dtype=np.int32)
        return Column(self.field.name, "nominal", translation[codes], labels)


def _dictionary(chunk: pa.Array) -> pa.DictionaryArray:
    if pt.is_boolean(chunk.type):
        chunk = chunk.cast(pa.string())
    if pt.is_dictionary(chunk.type):
        if not pt.is_string(chunk.type.value_type) or not pt.is_int32(chunk.type.index_type):
            chunk = chunk.cast(pa.dictionary(pa.int32(), pa.string()))
        return chunk
    if pt.is_null(chunk.type) or pt.is_large_string(chunk.type) or pt.is_string_view(chunk.type):
        chunk = chunk.cast(pa.string())
    return pc.dictionary_encode(chunk)
