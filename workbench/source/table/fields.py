"""From Arrow's arrays to our columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa
import pyarrow.types as pt

from workbench.source.table.table import Kind, Role, Table

NOMINAL_LIMIT = 100
"""Text with more different values than this is a string column unless the user says otherwise."""
ALWAYS_NOMINAL = 10
"""Text with at most this many distinct values is nominal, however few rows there are."""
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
    missing: frozenset[str] = field(default=frozenset(), repr=False)
    """Texts that stand for a missing value where blanks around them hide it from the parser."""


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


def with_default_roles(table: Table) -> Table:
    """The table with the roles that its columns suggest."""
    return table.with_roles(default_roles([(c.name, c.kind, c.is_empty) for c in table]))


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
    """Whether text with `n_distinct` distinct values is nominal."""
    return n_distinct <= ALWAYS_NOMINAL or (n_distinct <= NOMINAL_LIMIT and 2 * n_distinct <= n_rows)


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
