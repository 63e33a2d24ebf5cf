"""NumPy's files: an array (.npy) or several (.npz). Nothing in them is ever executed."""

from __future__ import annotations

import math
import sys
import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from tokenize import TokenError
from typing import IO, Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.lib import format as npy
from numpy.typing import NDArray

from workbench.source.errors import Cancelled, SourceError
from workbench.source.read.arrays import ArrayReader, in_rows, views
from workbench.source.read.building import build_table
from workbench.source.read.opening import ByteSource, open_raw, zip_explained
from workbench.source.read.options import Progress
from workbench.source.table.doubles import held_by_doubles
from workbench.source.table.fields import Field, unique_names
from workbench.source.table.table import Column, Table

COMPLAINTS = (ValueError, SyntaxError, TokenError, OverflowError)
"""How NumPy says that a file is not as it should be."""


@dataclass(frozen=True)
class Shape:
    """What the head of an array says."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fortran: bool = False

    @property
    def n_rows(self) -> int:
        """The length of the first axis."""
        return self.shape[0] if self.shape else 0


class NumpyReader(ArrayReader):
    """A NumPy array, `.npy`."""

    format: ClassVar[str] = "NumPy"

    def _rows(self, limit: int | None, progress: Progress) -> tuple[Table, int]:
        with self._explained(*COMPLAINTS), ByteSource(self.path, progress=progress) as source:
            array, n_rows = self._array(source, limit)
            return self._side_by_side([("", array)]), n_rows

    def _array(self, source: IO[bytes] | ByteSource, limit: int | None) -> tuple[NDArray[Any], int]:
        found = self._shape(source)
        self._check(found)
        rows = found.n_rows if limit is None or found.fortran else min(limit, found.n_rows)
        rest = found.shape[1:]
        data = self._read(source, rows * math.prod(rest) * found.dtype.itemsize)
        flat = np.frombuffer(data, found.dtype)
        array = flat.reshape((rows, *rest), order="F" if found.fortran else "C")
        return (array if limit is None else array[:limit]), found.n_rows

    def _shape(self, source: IO[bytes] | ByteSource) -> Shape:
        version = npy.read_magic(source)  # type: ignore[arg-type]
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings():
            # That Python 2 wrote the file does not matter to the user.
            warnings.simplefilter("ignore", UserWarning)
            shape, fortran, dtype = read(source)  # type: ignore[arg-type]
        return Shape(shape, dtype, fortran)

    def _check(self, found: Shape) -> None:
        dtype = found.dtype
        if dtype.hasobject:
            raise SourceError(
                "{file} holds Python objects, which could run code when loaded. Save numbers or texts: "
                "np.save(file, array.astype(float)).",
                file=self.path,
            )
        if dtype.kind in "cV" and not dtype.names:
            raise SourceError(
                "{file} holds values of type {dtype}. Save real numbers or texts.", file=self.path, dtype=str(dtype)
            )
        self._check_columns(found.shape[1:])
        if not found.shape:
            raise SourceError("{file} holds a single number. Save an array with a row a sample.", file=self.path)

    def _side_by_side(self, arrays: Sequence[tuple[str, NDArray[Any]]]) -> Table:
        columns = [column for name, array in arrays for column in _columns(name, array)]
        names = unique_names(column.name for column in columns)
        finite = [held_by_doubles(replace(c, name=name)) for c, name in zip(columns, names, strict=True)]
        notes = tuple(note for _, column_notes in finite for note in column_notes)
        return Table(self.name, tuple(column for column, _ in finite), notes=notes)


class ArchiveReader(NumpyReader):
    """NumPy arrays in one archive, `.npz`: those with the same number of rows stand side by side."""

    format: ClassVar[str] = "NumPy archive"

    def _rows(self, limit: int | None, progress: Progress) -> tuple[Table, int]:
        with (
            self._explained(*COMPLAINTS),
            zip_explained(self.path),
            open_raw(self.path) as file,
            zipfile.ZipFile(file) as archive,
        ):
            shapes = {name.removesuffix(".npy"): self._member_shape(archive, name) for name in archive.namelist()}
            arrays = []
            for done, name in enumerate(self._chosen(shapes)):
                if not progress(done, len(shapes)):
                    raise Cancelled
                with archive.open(f"{name}.npy") as member:
                    arrays.append((name, *self._array(member, limit)))
            return self._side_by_side([(name, array) for name, array, _ in arrays]), arrays[0][2]

    def _member_shape(self, archive: zipfile.ZipFile, name: str) -> Shape:
        with archive.open(name) as file:
            return self._shape(file)

    def _chosen(self, shapes: dict[str, Shape]) -> list[str]:
        wanted = [part.strip() for part in (self.options.member or "").split(",") if part.strip()] or list(shapes)
        listing = ", ".join(f"{name} {'×'.join(map(str, shape.shape))}" for name, shape in shapes.items())
        unknown = [name for name in wanted if name not in shapes]
        if unknown:
            raise SourceError(
                "{file}: {value!r} is not an array of the archive. Choose from: {listing}.",
                file=self.path,
                value=unknown[0],
                listing=listing,
            )
        if not wanted:
            raise self._no_rows()
        if len({shapes[name].n_rows for name in wanted}) > 1:
            raise SourceError(
                "{file} holds arrays of different numbers of rows. Choose members that belong together, with "
                "commas between: {listing}.",
                file=self.path,
                listing=listing,
            )
        return wanted


def _columns(name: str, array: NDArray[Any]) -> list[Column]:
    """The columns of an array: its fields, its second axis, or all places of the axes behind the first."""
    if array.dtype.names:
        return [column for field in array.dtype.names for column in _columns(field, array[field])]
    if array.dtype.kind in "SUMmb":
        return [_typed(label, in_rows(array)[:, i]) for i, label in enumerate(_labels(name, array))]
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    if native.dtype == np.float16:
        native = native.astype(np.float32)
    if native.dtype == np.longdouble:
        with np.errstate(over="ignore"):
            native = native.astype(np.float64)
    return list(views(_labels(name, array), in_rows(native)))


def _characters(texts: NDArray[Any]) -> NDArray[np.uint32]:
    native: NDArray[Any] = np.ascontiguousarray(texts, texts.dtype.newbyteorder("="))
    return native.view(np.uint32) if texts.dtype.itemsize else np.empty(0, np.uint32)


def _labels(name: str, array: NDArray[Any]) -> list[str]:
    if array.ndim == 1:
        return [name or "column 1"]
    word = name or ("column" if array.ndim == 2 else "value")  # noqa: PLR2004
    return [f"{word} {'.'.join(str(i + 1) for i in place)}" for place in np.ndindex(*array.shape[1:])]


def _typed(name: str, values: NDArray[Any]) -> Column:
    """Texts, dates and truth values."""
    if values.dtype.kind == "M":
        return Column(name, "date", values.astype("datetime64[us]"))
    if values.dtype.kind == "m":
        return Column(name, "numeric", values.astype("timedelta64[us]").astype(np.float64) / 1e6)
    if values.dtype.kind == "b":
        return Column(name, "nominal", values.astype(np.int32), ("false", "true"))
    if values.dtype.kind == "U" and _characters(values).max(initial=0) > sys.maxunicode:
        raise ValueError("a text holds characters that do not exist")
    texts = np.char.decode(values, "utf-8", "replace") if values.dtype.kind == "S" else values
    chunk = pa.array(texts.tolist(), pa.string())
    return build_table(name, [Field(name, "text")], [pa.table({name: chunk})]).columns[0]
