"""ARFF files of a test, and what is read from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from workbench.source.read.arff.reader import ArffReader
from workbench.source.read.options import ReadOptions
from workbench.source.table.table import Table

HEADER = "@relation r\n@attribute x numeric\n@attribute c {a,'b c',d}\n@attribute s string\n@data\n"


def reader(path: Path, **options: Any) -> ArffReader:
    return ArffReader(path, ReadOptions(**options))


def written(folder: Path, text: str | bytes, name: str = "r.arff") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(folder: Path, text: str | bytes, **options: Any) -> Table:
    return reader(written(folder, text), **options).table()


def values(table: Table) -> list[tuple[str | None, ...]]:
    return list(zip(*(column.texts() for column in table), strict=True))


def same_columns(one: Table, other: Table) -> bool:
    return all(
        (a.name, a.kind, a.labels, a.date_format) == (b.name, b.kind, b.labels, b.date_format)
        and np.array_equal(a.missing, b.missing)
        and np.array_equal(a.values[~a.missing], b.values[~b.missing])
        for a, b in zip(one, other, strict=True)
    )
