"""Tables as ARFF that Weka reads."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.read.arff.header import DEFAULT_DATE
from workbench.source.read.date_pattern import DatePattern
from workbench.source.table.table import Column, Table

CELLS = 500_000
"""Values that are turned into text at a time."""
MILLISECONDS = "yyyy-MM-dd'T'HH:mm:ss.SSS"
YEARS = np.array(["0001", "10000"], dtype="datetime64[us]")
"""The years that a date can be written in: from the first on, before the second."""
IN_QUOTES = re.compile(r"""[\x00-\x20,{}'"%\\]|^\??\Z""")
NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", "'": "\\'", '"': '\\"', "%": "\\%"}
# Other control characters as Java's octal escapes: with them the file would not be text.
ESCAPES = str.maketrans({chr(code): f"\\{code:03o}" for code in range(32)} | NAMED)
LARGE = pa.large_string()


def write_arff(table: Table, path: Path) -> tuple[str, ...]:
    """Write a table; the file that was there before is replaced only by a complete new one.

    Returns what could not be said in ARFF, in words for the user.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise SourceError("{file} is a folder. Give the name of a file.", file=path)
    patterns = [_pattern(column) for column in table]
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            for piece in _pieces(table, patterns):
                file.write(piece)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _refusal(target, error) from error
    except BaseException:  # whatever stopped us, Ctrl+C included: leave no half-written file behind
        temporary.unlink(missing_ok=True)
        raise
    return tuple(_note(column) for column in table if column.kind == "date" and _has_microseconds(column))


def quoted(text: str) -> str:
    r"""A name or value as Weka writes it, in quotes where it needs them.

    >>> quoted("setosa"), quoted("it's 5%"), quoted("?"), quoted("")
    ('setosa', "'it\\'s 5\\%'", "'?'", "''")
    """
    return f"'{text.translate(ESCAPES)}'" if IN_QUOTES.search(text) else text


def _pieces(table: Table, patterns: Sequence[str]) -> Iterator[bytes | memoryview]:
    lines = [f"@relation {quoted(table.name)}", ""]
    lines += [f"@attribute {quoted(c.name)} {_type(c, pattern)}" for c, pattern in zip(table, patterns, strict=True)]
    yield _encoded("\n".join([*lines, "", "@data", ""]))
    step = max(1, CELLS // len(table.columns))
    labels = [_large([*map(quoted, column.labels), "?"]) for column in table]
    for start in range(0, table.n_rows, step):
        part = table.take(slice(start, start + step))
        cells = [_cells(*each) for each in zip(part, patterns, labels, strict=True)]
        if part.weights is not None:
            cells.append(pc.binary_join_element_wise(_large("{"), _numbers(part.weights), _large("}"), _large("")))
        rows = pc.binary_join_element_wise(*cells, _large(","))
        yield _text_of(pc.binary_join_element_wise(rows, _large(""), _large("\n")))


def _type(column: Column, pattern: str) -> str:
    if column.kind == "nominal":
        return "{" + ",".join(map(quoted, column.labels)) + "}"
    return f"date {quoted(pattern)}" if column.kind == "date" else column.kind


def _cells(column: Column, pattern: str, labels: pa.Array) -> pa.Array:
    """The texts of a column; ? where a value is missing."""
    if column.kind == "nominal":
        return labels.take(pa.array(np.where(column.values < 0, len(column.labels), column.values)))
    if column.kind == "numeric":
        return _numbers(column.values)
    texts = np.full(len(column.values), "?", dtype=object)
    known: list[str] = column.values[~column.missing].tolist()
    if column.kind == "date":
        known = DatePattern(pattern).texts(column.values[~column.missing])
    # The digits of dates need no quotes; what stands between them does in all or in none.
    if column.kind == "string" or (known and quoted(known[0]) != known[0]):
        known = list(map(quoted, known))
    texts[~column.missing] = known
    return _large(texts)


def _numbers(values: NDArray[Any]) -> pa.Array:
    """The shortest text that is read back as the same number."""
    if values.dtype.kind == "b":
        values = values.astype(np.uint8)
    elif values.dtype.kind == "f":
        # Narrow floats have a shorter text, which is another number in Weka's doubles.
        values = values.astype(np.float64)
    missing = np.isnan(values) if values.dtype.kind == "f" else None
    texts = pa.array(values, mask=missing).cast(LARGE).fill_null("?")
    if values.dtype.kind == "f" and np.isinf(values).any():
        texts = pc.replace_substring(texts, "inf", "Infinity")
    return texts


def _pattern(column: Column) -> str:
    """The format of a date column: its own if that says every date in full, else one of ISO 8601."""
    if column.kind != "date":
        return ""
    known = column.values[~column.missing]
    odd = known[(known < YEARS[0]) | (known >= YEARS[1])]
    if len(odd):
        raise SourceError(
            "Column {column!r}: {value!r} lies outside the years 1 to 9999. Leave the column out, or make it numeric.",
            column=column.name,
            value=str(odd[0]),
        )
    for pattern in (column.date_format, DEFAULT_DATE):
        if (unit := _unit(pattern)) and (known == known.astype(f"datetime64[{unit}]")).all():
            return pattern
    return MILLISECONDS


def _unit(pattern: str) -> str | None:
    try:
        return DatePattern(pattern).unit
    except ValueError:
        return None  # A format that only another program knows.


def _has_microseconds(column: Column) -> bool:
    known = column.values[~column.missing]
    return bool((known != known.astype("datetime64[ms]")).any())


def _note(column: Column) -> str:
    return f"Column {column.name!r}: the dates are cut off at the millisecond, as far as ARFF goes."


def _large(texts: Any) -> pa.Array:
    """Texts with room for more than 2 GB in a piece."""
    try:
        return pa.scalar(texts, LARGE) if isinstance(texts, str) else pa.array(texts, LARGE)
    except UnicodeEncodeError as error:
        raise _half_a_character(error) from None


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise _half_a_character(error) from None


def _half_a_character(error: UnicodeEncodeError) -> SourceError:
    return SourceError("{value!r} holds half a character, which no file can hold. Mend it.", value=ascii(error.object))


def _text_of(lines: pa.Array) -> memoryview:
    """All texts one after the other: that is how Arrow holds them."""
    offsets = np.frombuffer(lines.buffers()[1], np.int64)[lines.offset : lines.offset + len(lines) + 1]
    return memoryview(lines.buffers()[2])[offsets[0] : offsets[-1]]


def _refusal(target: Path, error: OSError) -> SourceError:
    folder = target.parent
    if not folder.is_dir():
        return SourceError("{file} does not exist. Make the folder, or choose another one.", file=folder)
    if isinstance(error, PermissionError):
        return SourceError("{file} is a folder that you may not write to. Choose another folder.", file=folder)
    return SourceError(
        "{file} cannot be written ({reason}). Check the disk, or choose another.", file=target, reason=error.strerror
    )
