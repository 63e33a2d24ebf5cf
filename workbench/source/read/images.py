"""Files of pictures: MNIST's IDX and CIFAR-10's binary batches."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.read.arrays import PIECE, ArrayReader, in_rows, views
from workbench.source.read.opening import ByteSource, head_of
from workbench.source.read.options import Progress, silent
from workbench.source.table.doubles import held_by_doubles
from workbench.source.table.table import Column, Table

IDX_TYPES = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
CIFAR_LABELS = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
CIFAR_RECORD = 1 + 3 * 32 * 32


class IdxReader(ArrayReader):
    """MNIST's format; the labels are found in the file beside the images."""

    format: ClassVar[str] = "IDX"

    def _rows(self, limit: int | None, progress: Progress) -> tuple[Table, int]:
        array, n_rows = self._idx(self.path, limit, progress)
        names = _pixel_names(array.shape[1:], "pixel") if array.ndim > 1 else ["label"]
        columns = [held_by_doubles(column) for column in views(names, in_rows(array))]
        notes = tuple(note for _, column_notes in columns for note in column_notes)
        table = Table(self.name, tuple(column for column, _ in columns), notes=notes)
        return self._with_labels(table, limit, n_rows), n_rows

    def _idx(self, path: Path, limit: int | None, progress: Progress) -> tuple[NDArray[Any], int]:
        with ByteSource(path, progress=progress) as source:
            _, kind, n_axes = struct.unpack(">HBB", self._read(source, 4))
            if kind not in IDX_TYPES or not n_axes:
                raise SourceError(
                    "{file} is not an IDX file: its first bytes say no known type. Fetch it again.", file=path
                )
            shape = struct.unpack(f">{n_axes}I", self._read(source, 4 * n_axes))
            self._check_columns(shape[1:])
            rows = shape[0] if limit is None else min(limit, shape[0])
            dtype = np.dtype(IDX_TYPES[kind])
            data = self._read(source, rows * math.prod(shape[1:]) * dtype.itemsize)
        return np.frombuffer(data, dtype).astype(dtype.newbyteorder("="), copy=False).reshape(rows, *shape[1:]), shape[
            0
        ]

    def _with_labels(self, table: Table, limit: int | None, n_rows: int) -> Table:
        path = _labels_beside(self.path)
        if path is None:
            return table
        values, n_labels = self._idx(path, limit, silent)
        if values.ndim != 1 or n_labels != n_rows:
            self.notes = [f"{path.name} is left out: it holds {n_labels:,} labels for {n_rows:,} images."]
            return table
        self.notes = [f"The class comes from {path.name}."]
        labels = Column.numeric("class", values).as_kind("nominal")
        return replace(table, columns=(*table.columns, labels))


class CifarReader(ArrayReader):
    """CIFAR-10's binary batches: a label and 32 × 32 pixels in red, green and blue."""

    format: ClassVar[str] = "CIFAR-10"

    def _rows(self, limit: int | None, progress: Progress) -> tuple[Table, int]:
        with ByteSource(self.path, self.options.member, progress) as source:
            size = self._plain_size(source)
            if size % CIFAR_RECORD:
                raise SourceError(
                    "{file} has {size:,} bytes, which are not records of {record:,} (a label and 32 × 32 × 3 "
                    "pixels). Only CIFAR-10's binary version is read from .bin files, and this one may be cut off.",
                    file=self.path,
                    size=size,
                    record=CIFAR_RECORD,
                )
            n_rows = size // CIFAR_RECORD
            data = self._read(source, CIFAR_RECORD * (n_rows if limit is None else min(limit, n_rows)))
        records = np.frombuffer(data, np.uint8).reshape(-1, CIFAR_RECORD)
        labels = self._labels(records[:, 0])
        names = [name for colour in ("red", "green", "blue") for name in _pixel_names((32, 32), colour)]
        return Table(self.name, (*views(names, records[:, 1:]), labels)), n_rows

    def _plain_size(self, source: ByteSource) -> int:
        if not source.compressed:
            return source.size
        with ByteSource(self.path, self.options.member) as counted:
            return sum(iter(lambda: len(counted.read(PIECE)), 0))

    def _labels(self, codes: NDArray[np.uint8]) -> Column:
        wrong = np.flatnonzero(codes >= len(CIFAR_LABELS))
        if len(wrong):
            raise SourceError(
                "{file}: {value!r} in record {record:,} is no label from 0 to 9. Only CIFAR-10's binary version "
                "is read from .bin files.",
                file=self.path,
                value=str(codes[wrong[0]]),
                record=wrong[0] + 1,
            )
        return Column("class", "nominal", codes.astype(np.int32), CIFAR_LABELS, "target")


def is_idx(head: bytes) -> bool:
    """Whether a file starts as an IDX file does: two zeros, a type and the number of axes."""
    return len(head) >= 4 and head[:2] == b"\0\0" and head[2] in IDX_TYPES and 1 <= head[3] <= 8  # noqa: PLR2004


def _labels_beside(path: Path) -> Path | None:
    plain = path.name.removesuffix(".gz").replace("images", "labels").replace("idx3", "idx1")
    if plain == path.name.removesuffix(".gz"):
        return None
    for name in (plain, f"{plain}.gz"):
        other = path.with_name(name)
        if other.is_file() and is_idx(head_of(other, None, 4)):
            return other
    return None


def _pixel_names(shape: Sequence[int], word: str) -> list[str]:
    return [f"{word} {'.'.join(map(str, place))}" for place in np.ndindex(*shape)]
