"""Models on disk: one file, versioned and checked, written atomically.

Layout: eight magic bytes, the format version, the lengths of header and arrays, a JSON header, the arrays as
little-endian numbers, and a SHA-256 of everything before it. The magic bytes, the three numbers and the closing
checksum are the same in every version. Nothing in the file is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from figmn.cubic import IGMN
from figmn.engine import Engine
from figmn.exact import Scatters
from figmn.fast import FastIGMN
from figmn.forms.inverse import Inverse
from figmn.forms.precision import Precision
from figmn.forms.scatter import Scatter
from figmn.params import NEUTRAL, SOLVER, Parameters
from figmn.scale import ColumnStatistics
from figmn.snapshot import Snapshot
from figmn.state import Components
from figmn.system.files import write_safely

MAGIC = b"\x89FIGMN\r\n"
ESTIMATOR_MAGIC = b"\x89FIGME\r\n"
"""Of files that hold an estimator: see `figmn.estimators.files`."""
VERSION = 4
"""Version 1 stored precisions under the exact rule as well, and had no offset: such files are converted. Version 2 had
no inverses of scatters. Version 3 had no masses, which were the accumulators."""
NUMBERS_IN_HEADER = (
    *("n_features", "n_components", "n_seen", "next_id"),
    *("next_check", "n_indefinite", "n_regularized"),
)
LENGTHS = struct.Struct("<8sIQQ")
DIGEST_SIZE = hashlib.sha256().digest_size


class FileFormatError(ValueError):
    """A file cannot be read as a model: it is foreign, truncated, damaged, or written by a newer version."""


def read(path: str | os.PathLike[str]) -> bytes:
    """The content of a file."""
    if not Path(path).is_file() and Path(path).exists():  # reading a pipe might never end
        raise FileFormatError(f"{path}: a folder, device or pipe: give a file written by figmn.save")
    return Path(path).read_bytes()


def model_of(data: bytes | memoryview, name: str) -> FastIGMN | IGMN:
    """The model in the content of a file."""
    snapshot, _ = snapshot_of(data, name)
    return FastIGMN.from_snapshot(snapshot) if snapshot.engine == FastIGMN.keeps else IGMN.from_snapshot(snapshot)


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write a file of these pieces, atomically."""

    def write(new: Path) -> None:
        with new.open("wb") as file:
            file.writelines(pieces)

    write_safely(path, write)


def pieces_of(model: Engine | Snapshot, about: Any = None) -> Iterator[bytes]:
    """The content of a file with a model, and what its program wants to keep about it: anything that JSON can hold."""
    snapshot = model if isinstance(model, Snapshot) else model.snapshot()
    arrays = _arrays_of(snapshot)
    header = {
        "engine": snapshot.engine,
        "parameters": asdict(snapshot.parameters),
        "solver": snapshot.solver,
        "columns": snapshot.columns,
        "n_features": snapshot.n_features,
        "n_components": snapshot.n_components,
        "n_seen": snapshot.n_seen,
        "next_id": snapshot.next_id,
        "next_check": snapshot.next_check,
        "n_indefinite": snapshot.n_indefinite,
        "n_regularized": snapshot.n_regularized,
        "warned": snapshot.warned,
        "scaled": snapshot.scale is not None,
        "forms": [_described(form) for form in snapshot.forms if form is not None],
    }
    header |= {} if about is None else {"about": about}
    in_bytes = (array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in arrays)
    return framed(MAGIC, VERSION, header, in_bytes, sum(array.nbytes for array in arrays))


def framed(magic: bytes, version: int, header: dict[str, Any], body: Iterable[bytes], n_bytes: int) -> Iterator[bytes]:
    """Magic bytes, version, lengths, header, a body of `n_bytes` bytes, and the checksum of all of it."""
    digest = hashlib.sha256()
    encoded = json.dumps(header).encode()
    for piece in chain((LENGTHS.pack(magic, version, len(encoded), n_bytes), encoded), body):
        digest.update(piece)
        yield piece
    yield digest.digest()


def _arrays_of(snapshot: Snapshot) -> list[NDArray[Any]]:
    statistics = snapshot.statistics
    scale = [] if snapshot.scale is None else [snapshot.scale]
    components = [getattr(snapshot, name) for name, _ in _component_arrays(snapshot.n_features, 0)]
    forms = [array for form in snapshot.forms if form is not None for array in form.arrays()]
    return [*scale, snapshot.offset, statistics.count, statistics.mean, statistics.squares, *components, *forms]


def _component_arrays(n_features: int, n_kept: int) -> list[tuple[str, tuple[Any, tuple[int, ...]]]]:
    return [item for item in Components.layout(n_features, n_kept).items() if item[0] != "forms"]


def _described(form: Scatter | Inverse | Precision) -> dict[str, Any]:
    return {
        "scale": form.scale if isinstance(form, Precision) else form.weight,
        "mature": form.matrix is not None,
        "inverse": isinstance(form, Inverse),
        "rows": form.count,
    }


def snapshot_of(data: bytes | memoryview, name: str) -> tuple[Snapshot, Any]:
    """The mixture in the content of a file, and what was saved about it; None where nothing was."""
    version, header, body = unframed(data, name, MAGIC, VERSION, "model")
    try:
        content = json.loads(header)
        return _read_snapshot(content, body, version), content.get("about")
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        # The checksum is right but the content is not: the file was not written by figmn.save.
        raise FileFormatError(f"{name}: damaged: {error}; restore the file from a copy") from error


def unframed(
    data: bytes | memoryview, name: str, magic: bytes, newest: int, what: str
) -> tuple[int, bytes, memoryview]:
    """Version, header and body of what `framed` gave, or raise `FileFormatError`."""
    if data[: len(magic)] != magic[: len(data)]:
        raise FileFormatError(f"{name}: not a Fast IGMN {what} (foreign file): give a file written by figmn.save")
    if len(data) < LENGTHS.size + DIGEST_SIZE:
        raise FileFormatError(
            f"{name}: truncated: {len(data)} bytes, too few for a model; restore the file from a copy"
        )
    _, version, header_size, body_size = LENGTHS.unpack_from(data)
    expected = LENGTHS.size + header_size + body_size + DIGEST_SIZE
    if len(data) < expected:
        raise FileFormatError(f"{name}: truncated: {len(data)} of {expected} bytes; restore the file from a copy")
    if len(data) > expected or hashlib.sha256(data[:-DIGEST_SIZE]).digest() != data[-DIGEST_SIZE:]:
        raise FileFormatError(f"{name}: damaged: its checksum does not match; restore the file from a copy")
    if version > newest:
        raise FileFormatError(
            f"{name}: written by a newer version (file format {version}, this one reads up to {newest}): update figmn"
        )
    body = memoryview(data)[LENGTHS.size : -DIGEST_SIZE]
    return version, bytes(body[:header_size]), body[header_size:]


def _read_snapshot(header: dict[str, Any], payload: memoryview, version: int) -> Snapshot:
    header = {"next_check": 0} | header  # older files know of no merging
    numbers: dict[str, Any] = {key: _whole(header, key) for key in NUMBERS_IN_HEADER}
    n_features, n_components = numbers["n_features"], numbers.pop("n_components")
    columns = header["columns"]
    reader = _Reader(payload)
    scale = reader.take(np.float64, (n_features,)) if header["scaled"] else None
    offset = reader.take(np.float64, (n_features,)) if version > 1 else np.zeros(n_features)
    statistics = ColumnStatistics(
        reader.take(np.int64, (n_features,)),
        reader.take(np.float64, (n_features,)),
        reader.take(np.float64, (n_features,)),
    )
    components: dict[str, Any] = {
        field: reader.take(dtype, (n_components, *shape))
        for field, (dtype, shape) in _component_arrays(n_features, 0 if header["forms"] else n_features)
        if version > 3 or field != "masses"  # noqa: PLR2004
    }
    components.setdefault("masses", components["accumulators"].copy())
    engine, parameters = _engine(header), Parameters(**(NEUTRAL | header["parameters"]))
    is_exact = engine == FastIGMN.keeps and parameters.covariance == "exact"
    components["forms"] = np.full(n_components, None)
    for j, described in enumerate(header["forms"]):
        kind = Inverse if version > 2 and described["inverse"] else Scatter  # noqa: PLR2004
        components["forms"][j] = _form(reader, described, n_features, kind if is_exact and version > 1 else Precision)
    reader.finish()
    if is_exact and version == 1:
        precisions = [
            matrix if form is None else form
            for matrix, form in zip(components["matrices"], components["forms"], strict=True)
        ]
        components |= Scatters().of_precisions(precisions, components["accumulators"], n_features)
    snapshot = Snapshot(
        engine=engine,
        parameters=parameters,
        solver=None if header["solver"] is None else SOLVER.check(header["solver"]),
        columns=None if columns is None else tuple(str(column) for column in columns),
        warned=bool(header["warned"]),
        scale=scale,
        offset=offset,
        statistics=statistics,
        **numbers,
        **components,
    )
    _check_content(snapshot)
    return snapshot


def _form(
    reader: _Reader, described: dict[str, Any], n_features: int, kind: type[Scatter | Inverse | Precision]
) -> Scatter | Inverse | Precision:
    shapes = kind.shapes(n_features, _whole(described, "rows"), bool(described["mature"]))
    return kind.from_arrays(float(described["scale"]), [reader.take(np.float64, shape) for shape in shapes])


def _whole(header: dict[str, Any], key: str) -> int:
    value = header[key]
    if not isinstance(value, int) or not 0 <= value < 2**63:
        raise ValueError(f"{key} = {value!r} is not a count")
    return value


def _engine(header: dict[str, Any]) -> str:
    engine: str = header["engine"]
    if (engine, header["solver"] is None) not in {(FastIGMN.keeps, True), (IGMN.keeps, False)}:
        raise ValueError(f"engine {engine!r} with solver {header['solver']!r} is not known")
    return engine


class _Reader:
    """Takes arrays off the front of the payload."""

    def __init__(self, payload: memoryview) -> None:
        self.rest = payload

    def take(self, dtype: type, shape: tuple[int, ...]) -> NDArray[Any]:
        kind = np.dtype(dtype).newbyteorder("<")
        size = kind.itemsize * int(np.prod([int(extent) for extent in shape], dtype=object))
        if size > len(self.rest):
            raise ValueError(f"an array of shape {shape} does not fit into the file")
        array: NDArray[Any] = np.frombuffer(self.rest[:size], kind).astype(dtype).reshape(shape)
        self.rest = self.rest[size:]
        return array

    def finish(self) -> None:
        if len(self.rest):
            raise ValueError(f"{len(self.rest)} bytes are left over")


def _check_content(snapshot: Snapshot) -> None:
    for array in _arrays_of(snapshot):
        if not np.isfinite(array).all():
            raise ValueError("an array holds values that are not finite")
    if any(form is None for form in snapshot.forms) and snapshot.matrices.shape[1] < snapshot.n_features:
        raise ValueError("a component without its form")
    statistics = snapshot.statistics
    counts = (statistics.count, statistics.squares, snapshot.negatives, snapshot.ages - 1)
    weights = (snapshot.accumulators, snapshot.masses)
    if any((array < 0).any() for array in counts) or not all((array > 0).all() for array in weights):
        raise ValueError("a count below zero")
    if snapshot.columns is not None and len(snapshot.columns) != snapshot.n_features:
        raise ValueError(f"{len(snapshot.columns)} names for {snapshot.n_features} columns")
    if len(set(snapshot.ids.tolist())) != snapshot.n_components or (snapshot.ids >= snapshot.next_id).any():
        raise ValueError("the component ids clash")
