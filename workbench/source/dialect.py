"""How a delimited text file is written: delimiter, decimal sign, header and kinds, found out from its first lines."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from workbench.source.errors import SourceError
from workbench.source.fields import ROW_NAME, Field, unique_names
from workbench.source.kinds import Cells, Line, find_fields, is_number
from workbench.source.options import DELIMITERS, WHITESPACE, ReadOptions

SNIFFED = 100
"""Lines that the delimiter is judged by."""
JUDGED = 500
"""Lines that all else is judged by."""


@dataclass(frozen=True)
class Dialect:
    """What was found out, and what follows for the columns."""

    options: ReadOptions
    fields: tuple[Field, ...]
    first_data_line: int
    notes: tuple[str, ...] = ()


def find_dialect(text: str, options: ReadOptions, path: Path) -> Dialect:
    r"""Judge a file by its first lines; what the options already say is kept.

    >>> found = find_dialect("length;class\n1,5;a\n2,5;b\n", ReadOptions(), Path("x.csv"))
    >>> found.options.delimiter, found.options.decimal, found.options.header
    (';', ',', True)
    """
    # Not splitlines, which also splits at characters that are part of a text.
    skipped = options.skip_lines or 0
    texts = text.split("\n")[skipped:]
    delimiter = options.delimiter or _delimiter("\n".join(texts[:SNIFFED]), options)
    rows = [(line + skipped, row) for line, row in cells("\n".join(texts[:JUDGED]), delimiter, options.quote)]
    if not rows:
        where = f" below line {skipped}" if skipped else ""
        raise SourceError(f"is empty{where}", path=path, remedy="Choose a file with rows and columns")
    width = Counter(len(row) for _, row in rows[1:] or rows).most_common(1)[0][0]
    if options.skip_lines is None:
        rows = _without_comments(rows, width)
    options = replace(
        options,
        delimiter=delimiter,
        decimal=options.decimal or _decimal(rows, delimiter, options),
        skip_lines=rows[0][0] - 1,
    )
    if options.header is None:
        body = [row for _, row in rows[1:] if len(row) == width]
        options = replace(options, header=_has_header(rows[0][1], body, options))
    given = _given_names(rows, width, path) if options.header else [f"column {i}" for i in range(1, width + 1)]
    names = unique_names(given)
    lines = [(line, row) for line, row in rows[bool(options.header) :] if len(row) == len(names)]
    changed = [f"{old!r} → {new!r}" for old, new in zip(given, names, strict=True) if old.strip() != new]
    fields, notes = find_fields(names, lines, options, path)
    if changed:
        notes.insert(0, f"Columns renamed: {', '.join(changed[:10])}.")
    return Dialect(options, tuple(fields), rows[bool(options.header)][0], tuple(notes))


def _without_comments(rows: list[Line], width: int) -> list[Line]:
    """The rows from the first on that is no comment. A header may start with # too: it has a name for every value."""
    for position, (_, row) in enumerate(rows):
        if not row[0].lstrip().startswith("#") or len(row) == width:
            return rows[position:]
    return rows


def _given_names(rows: Sequence[Line], width: int, path: Path) -> Cells:
    line, names = rows[0]
    if len(rows) == 1:
        raise SourceError(
            "has a header but no rows", path=path, line=line, remedy="Choose a file with rows under the names"
        )
    refuse_header_again(names, rows[1:], path)
    # R writes row names under no name of their own, pandas its index under an empty one.
    if _lacks_row_names(names, width):
        return [ROW_NAME, *names]
    return [ROW_NAME, *names[1:]] if width > 1 and not names[0].strip() else names


def _lacks_row_names(names: Cells, width: int) -> bool:
    """Whether names are one fewer than values; a single name above two values may as well be a title."""
    return 1 < len(names) == width - 1


def refuse_header_again(names: Sequence[str], rows: Sequence[Line], path: Path) -> None:
    """Files put together repeat the header, which would turn every column into text."""
    first, whole = names[0].strip(), [name.strip() for name in names]
    for line, row in rows:
        if row[0].strip() == first and [cell.strip() for cell in row] == whole:
            raise SourceError(
                "repeats the header: files put together",
                path=path,
                line=line,
                value=",".join(row),
                remedy="Delete the line",
            )


def cells(text: str, delimiter: str, quote: str | None) -> list[Line]:
    """The values of every line that is not blank, with the number of the line where it starts."""
    if delimiter == WHITESPACE:
        text = squeezed(text.encode(), quote).decode()
        delimiter = "\t"
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(
        io.StringIO(text, newline="\n"),
        delimiter=delimiter,
        quotechar=quote,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        skipinitialspace=True,
    )
    found, start = [], 1
    for row in reader:
        if row and any(row):
            found.append((start, row))
        start = reader.line_num + 1
    return found


def squeezed(data: bytes, quote: str | None) -> bytes:
    r"""Runs of blanks and tabs as one tab, none at the ends of lines; quoted values stay as they are.

    >>> squeezed(b"  a  'b  c' 3 \n", "'")
    b"a\t'b  c'\t3\n"
    """
    data = re.sub(rb"(?m)^[ \t]+|[ \t]+$", b"", data)
    if quote is None or quote.encode() not in data:
        return re.sub(rb"[ \t]+", b"\t", data)
    mark = re.escape(quote.encode())
    return re.sub(
        mark + rb"[^" + mark + rb"\n]*" + mark + rb"|[ \t]+",
        lambda match: b"\t" if match[0][:1] in b" \t" else match[0],
        data,
    )


def _delimiter(text: str, options: ReadOptions) -> str:
    """The delimiter that gives most lines the same number of values, and most of those numbers."""
    best, best_score = ",", (False, 0.0, 0.0, 0)
    for candidate in DELIMITERS:
        if candidate == options.decimal:
            continue
        rows = [row for _, row in cells(text, candidate, options.quote)]
        if not rows:
            continue
        width, lines = Counter(len(row) for row in rows).most_common(1)[0]
        if width == 1:
            continue
        body = [row for row in rows[1:] or rows if len(row) == width]
        if candidate == WHITESPACE and _holds_delimiters(body):
            continue
        numbers = max(_share_of_numbers(body, decimal, options) for decimal in (".", ",") if decimal != candidate)
        # Regular lines count most, in steps: a few bad lines must not make a worse delimiter look better.
        headed = len(rows[0]) == width or _lacks_row_names(rows[0], width)
        score = (headed, round(lines / len(rows), 1), numbers, width)
        if score > best_score:
            best, best_score = candidate, score
    return best


def _holds_delimiters(rows: Sequence[Cells]) -> bool:
    """Whether blanks divide what another delimiter holds together, as in `Bad Ems,Bad Orb`."""
    texts = [cell for row in rows[:200] for cell in row[:100] if not is_number(cell, ".") and not is_number(cell, ",")]
    return sum(any(sign in cell for sign in DELIMITERS[:-1]) for cell in texts) > 0.1 * len(texts)


def _share_of_numbers(rows: Sequence[Cells], decimal: str, options: ReadOptions) -> float:
    values = [cell for row in rows[:200] for cell in row[:100] if cell.strip() not in options.absent]
    return round(sum(is_number(cell, decimal) for cell in values) / len(values), 2) if values else 0.0


def _decimal(rows: Sequence[Line], delimiter: str, options: ReadOptions) -> Literal[".", ","]:
    if delimiter == ",":
        return "."
    body = [row for _, row in rows[1:] or rows]
    comma, point = (_share_of_numbers(body, decimal, options) for decimal in (",", "."))
    return "," if comma > point else "."


def _has_header(first: Cells, body: Sequence[Cells], options: ReadOptions) -> bool:
    """A name stands above values of another kind; without any such column, above values that it is not one of."""
    if not body:
        return not any(is_number(cell, options.decimal) for cell in first)
    if len(first) != len(body[0]):
        return _lacks_row_names(first, len(body[0]))
    # A header that comes again, in files put together, is judged as one here and refused later.
    others = [row for row in body if row != first]
    numeric = False
    for position, cell in enumerate(first):
        if _holds_numbers([row[position] for row in others], options):
            numeric = True
            if cell.strip() not in options.absent and not is_number(cell, options.decimal):
                return True
    if numeric or any(is_number(cell, options.decimal) for cell in first):
        return False
    named = [cell.strip() for cell in first]
    return len(set(named)) == len(named) and not any(
        any(row[position].strip() == name for row in body) for position, name in enumerate(named)
    )


def _holds_numbers(column: Cells, options: ReadOptions) -> bool:
    """All but a line or two: a line of units, or a broken line, must not hide the header."""
    known = [cell for cell in column if cell.strip() not in options.absent]
    return sum(is_number(cell, options.decimal) for cell in known) >= max(1, 0.9 * (len(known) - 1))
