"""From Arrow's arrays to our columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as pt
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.table import Column, Kind, Role, Table

NOMINAL_LIMIT = 100
"""Text with more different values than this is a string column unless the user says otherwise."""
ALWAYS_NOMINAL = 10
"""Text with at most so many different values is nominal however few rows there are."""
ROW_NAME = "row name"
"""The column of row names that R and pandas write without a name; it says which row, not what it is like."""
CLASS_NAMES = {"class", "target", "label", "species"}


@dataclass(frozen=True)
class Field:
    """What is known of a column before its values are read.

    The kind "text" is nominal or string, as the number of different values will tell.
    """

    name: str
    kind: Kind | Literal["text"]
    labels: tuple[str, ...] | None = None
    """The declared values of a nominal column; None: those that occur, sorted."""
    date_format: str = ""


def fields_of(schema: pa.Schema) -> tuple[list[Field], list[str]]:
    """The fields that can be used, and a note on each that cannot."""
    fields, notes = [], []
    for name, arrow in zip(unique_names(schema.names), schema.types, strict=True):
        kind = _kind_of(arrow)
        if kind is None:
            notes.append(f"Column {name!r} is left out: {arrow} is no single value.")
        else:
            fields.append(Field(name, kind))
    return fields, notes


def unique_names(names: Iterable[str]) -> list[str]:
    """Names for all columns, none twice.

    >>> unique_names(["x", "", "x"])
    ['x', 'column 2', 'x (2)']
    """
    given = [str(name).strip() or f"column {position}" for position, name in enumerate(names, 1)]
    taken, seen = set(given), Counter[str]()
    unique = []
    for name in given:
        seen[name] += 1
        new, number = name, seen[name]
        while number > 1 and new in taken:
            new, number = f"{name} ({number})", number + 1
        taken.add(new)
        unique.append(new)
    return unique


def build_table(
    name: str,
    fields: Sequence[Field],
    blocks: Sequence[pa.Table],
    notes: Sequence[str] = (),
    weights: NDArray[np.float64] | None = None,
) -> Table:
    """One table out of the blocks of a whole file, with a target chosen as Weka would."""
    columns, found = [], list(notes)
    for position, field in enumerate(fields):
        column = column_of(field, [chunk for block in blocks for chunk in block.column(position).chunks])
        if field.kind == "text" and not is_nominal(len(column.labels), len(column.values)):
            column = column.as_kind("string")
        column, column_notes = without_infinities(column)
        columns.append(column)
        found += column_notes
    return with_default_roles(Table(name, tuple(columns), weights, tuple(found)))


def block_table(name: str, fields: Sequence[Field], block: pa.Table) -> Table:
    """One table out of one block of a file; text columns are nominal, with the labels of the block."""
    return Table(name, tuple(column_of(field, block.column(position).chunks) for position, field in enumerate(fields)))


def column_of(field: Field, chunks: Sequence[pa.Array]) -> Column:
    """The column that some arrays make up."""
    if field.kind == "numeric":
        return Column(field.name, "numeric", _numbers(chunks))
    if field.kind == "date":
        return Column(field.name, "date", _dates(chunks), date_format=field.date_format)
    codes, labels = _codes(chunks, field)
    if field.kind == "string":
        return Column(field.name, "string", np.array([*labels, None], dtype=object)[codes])
    return Column(field.name, "nominal", codes, labels)


def with_default_roles(table: Table) -> Table:
    """The table with the roles that its columns suggest."""
    return table.with_roles(default_roles([(c.name, c.kind, bool(c.missing.all())) for c in table]))


def default_roles(columns: Sequence[tuple[str, Kind, bool]]) -> dict[str, Role]:
    """Roles for columns of a name, a kind and perhaps no value at all.

    The target is a nominal column called class or the like, else the last column if it is nominal. String columns are
    ignored: no number stands for them. So are row names, and columns without a value.

    >>> default_roles([("id", "string", False), ("x", "numeric", False), ("colour", "nominal", False)])
    {'id': 'ignored', 'x': 'input', 'colour': 'target'}
    """
    roles: dict[str, Role] = {
        name: "ignored" if kind == "string" or empty or name == ROW_NAME else "input" for name, kind, empty in columns
    }
    nominal = [name for name, kind, _ in columns if kind == "nominal" and roles[name] == "input"]
    target = next((name for name in nominal if name.lower() in CLASS_NAMES), columns[-1][0])
    if target in nominal and len(columns) > 1:
        roles[target] = "target"
    return roles


def is_nominal(n_distinct: int, n_rows: int) -> bool:
    """Whether text with so many different values is a choice among few."""
    return n_distinct <= ALWAYS_NOMINAL or (n_distinct <= NOMINAL_LIMIT and 2 * n_distinct <= n_rows)


def without_infinities(column: Column) -> tuple[Column, list[str]]:
    """Infinite values as missing ones, and a note that says so: no mixture learns from them."""
    if column.kind != "numeric" or column.values.dtype.kind != "f":
        return column, []
    infinite = np.isinf(column.values)
    if not infinite.any():
        return column, []
    note = f"Column {column.name!r}: {int(infinite.sum()):,} infinite values are read as missing."
    return replace(column, values=np.where(infinite, np.nan, column.values)), [note]


def _numbers(chunks: Sequence[pa.Array]) -> NDArray[Any]:
    parts = [_number_part(chunk) for chunk in chunks]
    if not parts:
        return np.empty(0)
    kinds = {part.dtype for part in parts}
    out = np.empty(sum(map(len, parts)), dtype=kinds.pop() if len(kinds) == 1 else np.float64)
    return np.concatenate(parts, out=out)


def _number_part(chunk: pa.Array) -> NDArray[Any]:
    if pt.is_time(chunk.type):
        # Seconds since midnight.
        unit = {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}[chunk.type.unit]
        width = pa.int32() if chunk.type.bit_width == 32 else pa.int64()  # noqa: PLR2004
        return chunk.cast(width).cast(pa.float64()).to_numpy(zero_copy_only=False) / unit  # type: ignore[no-any-return]
    if pt.is_null(chunk.type) or pt.is_decimal(chunk.type) or pt.is_float16(chunk.type):
        chunk = chunk.cast(pa.float64())
    elif pt.is_duration(chunk.type):
        chunk = chunk.cast(pa.duration("us"), safe=False).cast(pa.int64()).cast(pa.float64())
        return chunk.to_numpy(zero_copy_only=False) / 1e6  # type: ignore[no-any-return]
    return chunk.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _dates(chunks: Sequence[pa.Array]) -> NDArray[np.datetime64]:
    parts = []
    for chunk in chunks:
        # UTC where there is a zone.
        kind = pa.timestamp("us", getattr(chunk.type, "tz", None))
        parts.append(chunk.cast(kind, safe=False).to_numpy(zero_copy_only=False).astype("datetime64[us]"))
    return np.concatenate(parts) if parts else np.empty(0, dtype="datetime64[us]")


def _codes(chunks: Sequence[pa.Array], field: Field) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Positions in the sorted (or declared) labels; blanks around a label do not count."""
    if not chunks:
        return np.empty(0, dtype=np.int32), field.labels or ()
    encoded = pa.chunked_array([_dictionary(chunk) for chunk in chunks]).unify_dictionaries()
    found = [str(value).strip() for value in encoded.chunk(0).dictionary.to_pylist()]
    labels = field.labels if field.labels is not None else tuple(sorted(set(found)))
    position = {label: code for code, label in enumerate(labels)}
    unknown = [value for value in found if value not in position]
    if unknown:
        raise SourceError(
            "is not a declared value",
            column=field.name,
            value=unknown[0],
            remedy=f"Declared are: {', '.join(labels[:10])}{', …' if len(labels) > 10 else ''}",  # noqa: PLR2004
        )
    code = np.array([*(position[value] for value in found), -1], dtype=np.int32)
    indices = [chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False) for chunk in encoded.chunks]
    return code[np.concatenate(indices)], labels


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


def _kind_of(arrow: pa.DataType) -> Kind | Literal["text"] | None:
    if pt.is_dictionary(arrow):
        arrow = arrow.value_type
        return "nominal" if pt.is_string(arrow) or pt.is_large_string(arrow) else _kind_of(arrow)
    if pt.is_boolean(arrow):
        return "nominal"
    if pt.is_string(arrow) or pt.is_large_string(arrow) or pt.is_string_view(arrow):
        return "text"
    if pt.is_date(arrow) or pt.is_timestamp(arrow):
        return "date"
    numeric = (pt.is_integer, pt.is_floating, pt.is_decimal, pt.is_null, pt.is_time, pt.is_duration)
    return "numeric" if any(test(arrow) for test in numeric) else None
