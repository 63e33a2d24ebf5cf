"""How a delimited text file is written: delimiter, decimal sign, header and kinds, found out from its first lines."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from workbench.source.errors import SourceError, empty
from workbench.source.read.kinds import Cells, Line, find_fields, is_number
from workbench.source.read.options import DELIMITERS, WHITESPACE, ReadOptions
from workbench.source.table.fields import ROW_NAME, Field, unique_names

SNIFFED, FEWEST = 100, 5
"""Lines that the delimiter is judged by at most and, however long they are, at least."""
SNIFFED_CHARACTERS = 2**22
"""Characters that are enough to judge it by: each delimiter is tried on all of them."""
JUDGED = 500
"""Lines that all else is judged by."""
PIECE = 2**18
"""Characters that are parsed at a time: a call holds the interpreter, and other threads wait for its end."""

BLANK, TAB, NEWLINE = b" \t\n"


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
    skipped = options.skip_lines or 0
    judged = _lines(text, skipped, JUDGED)
    delimiter = options.delimiter or _delimiter(_sniffed(judged), options)
    rows = [(line + skipped, row) for line, row in cells(judged, delimiter, options.quote)]
    if not rows and skipped:
        raise SourceError(
            "{file} is empty below line {line}. Choose a file with rows and columns.", file=path, line=skipped
        )
    if not rows:
        raise empty(path)
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


def _lines(text: str, first: int, count: int) -> str:
    """Some lines of a text."""
    begin = _end_of_line(text, 0, first)
    return text[begin : _end_of_line(text, begin, count)]


def _sniffed(text: str) -> str:
    """As many lines as the delimiter is judged by."""
    fewest = _end_of_line(text, 0, FEWEST)
    enough = text.find("\n", max(fewest, SNIFFED_CHARACTERS) - 1) + 1 or len(text)
    return _lines(text[:enough], 0, SNIFFED)


def _end_of_line(text: str, begin: int, count: int) -> int:
    """Where `count` lines end. Not by splitlines, which also splits at characters that are part of a text."""
    for _ in range(count):
        begin = text.find("\n", begin) + 1
        if not begin:
            return len(text)
    return begin


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
            "{file}, line {line:,} has a header but no rows. Choose a file with rows under the names.",
            file=path,
            line=line,
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
                "{file}, line {line:,}: {value!r} repeats the header: files put together. Delete the line.",
                file=path,
                line=line,
                value=",".join(row),
            )


def cells(text: str, delimiter: str, quote: str | None) -> list[Line]:
    """The values of every line that is not blank, with the number of the line where it starts."""
    pieces = _pieces(text)
    if delimiter == WHITESPACE:
        pieces = (squeezed(piece.encode(), quote).decode() for piece in pieces)
        delimiter = "\t"
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(
        chain.from_iterable(io.StringIO(piece, newline="\n") for piece in pieces),
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


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces of whole lines."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", begin + PIECE) + 1 or len(text)
        yield text[begin:end]
        begin = end


def squeezed(data: bytes, quote: str | None) -> bytes:
    r"""Runs of blanks and tabs as one tab, none at the ends of lines; quoted values stay as they are.

    Not by a regular expression, which takes ten times as long and holds the interpreter meanwhile.

    >>> squeezed(b"  a  'b  c' 3 \n", "'")
    b"a\t'b  c'\t3\n"
    """
    characters = np.frombuffer(data, np.uint8)
    blank = (characters == BLANK) | (characters == TAB)
    if quote is not None and quote.encode() in data:
        blank &= ~_quoted(characters, ord(quote))
    edges = np.flatnonzero(np.diff(blank, prepend=False, append=False))
    begins, ends = edges[::2], edges[1::2]
    fenced = np.pad(characters, 1, constant_values=NEWLINE)
    between = begins[(fenced[begins] != NEWLINE) & (fenced[ends + 1] != NEWLINE)]
    kept, tabbed = ~blank, characters.copy()
    kept[between], tabbed[between] = True, TAB
    found: bytes = tabbed[kept].tobytes()
    return found


def _quoted(characters: NDArray[np.uint8], mark: int) -> NDArray[np.bool_]:
    """Which characters stand between two quotes of a line; a last quote without another is none."""
    marks = np.flatnonzero(characters == mark)
    lines = np.searchsorted(np.flatnonzero(characters == NEWLINE), marks)
    first, end = np.searchsorted(lines, lines, "left"), np.searchsorted(lines, lines, "right")
    place = np.arange(len(marks)) - first
    paired = marks[(place | 1) < end - first]
    steps = np.zeros(len(characters) + 1, np.int8)
    steps[paired[::2]], steps[paired[1::2]] = 1, -1
    return np.cumsum(steps[:-1], dtype=np.int8).astype(bool)


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
