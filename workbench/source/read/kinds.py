"""The kinds of columns, judged by the texts of their first values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from workbench.source.errors import SourceError, shortened
from workbench.source.read.options import ReadOptions
from workbench.source.table.fields import Field

Cells = list[str]
Line = tuple[int, Cells]
"""The values of a line, and its number."""

NUMBER = {
    ".": re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(inf|infinity)\s*", re.IGNORECASE),
    ",": re.compile(r"\s*[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?\s*|\s*[+-]?(inf|infinity)\s*", re.IGNORECASE),
}
ZONED = "yyyy-MM-dd'T'HH:mm:ssXXX"
DATES = {
    "": re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?"),
    ZONED: re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d(:?\d\d)?)"),
    "dd.MM.yyyy": re.compile(r"\d\d?\.\d\d?\.\d{4}"),
    "dd/MM/yyyy": re.compile(r"(0?[1-9]|[12]\d|3[01])/(0?[1-9]|1[0-2])/\d{4}"),
    "MM/dd/yyyy": re.compile(r"(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])/\d{4}"),
    "yyyy/MM/dd": re.compile(r"\d{4}/\d\d?/\d\d?"),
}
"""Formats, as Java writes them, by what their values look like; the empty one is ISO 8601."""
DIGITS_AND_SIGNS = re.compile(r"\d{1,4}[-./]\d")
"""How a date starts."""
SURE_DIGITS = 15
"""Digits that a double keeps."""
NOTED_DIGITS = 40
"""Characters of a long number that a note shows."""
MOSTLY = 0.9
"""Share of numbers in a text column from which on the others are worth a note."""


def find_fields(
    names: Sequence[str], lines: Sequence[Line], options: ReadOptions, path: Path
) -> tuple[list[Field], list[str]]:
    """What every column is, and notes on those that are nearly something else."""
    unknown = [name for name in options.kinds if name not in names]
    if unknown:
        raise SourceError(
            "{file}: {value!r} is not a column. Choose one of: {known}.",
            file=path,
            value=unknown[0],
            known=", ".join(names[:10]),
        )
    fields, notes = [], []
    for position, name in enumerate(names):
        values = [row[position] for _, row in lines]
        field = _field(name, values, options, path)
        alike = _alike_as_doubles(values) if field.kind == "numeric" and name not in options.kinds else []
        if alike:
            field = replace(field, kind="text")
            notes.append(_id_note(name, alike))
        fields.append(field)
        if field.kind == "text" and not alike:
            notes += _nearly_numbers(name, [(line, row[position].strip()) for line, row in lines], options)
    if options.header:
        _refuse_second_header(fields, lines, options, path)
    return fields, notes


def is_number(cell: str, decimal: str | None) -> bool:
    """Whether a value reads as a number.

    >>> is_number("-1.5e3", "."), is_number("1.234,5", ","), is_number("1_000", ".")
    (True, False, False)
    """
    return NUMBER[decimal or "."].fullmatch(cell) is not None


def text_note(name: str, value: str, line: int, wanted: str) -> str:
    """Why a column that might be something else is text."""
    return (
        f"Column {name!r} is text because of {value!r} in line {line:,}; give that as a missing value to read {wanted}."
    )


def _field(name: str, values: Cells, options: ReadOptions, path: Path) -> Field:
    known = [text for text in map(str.strip, values) if text not in options.absent]
    kind = options.kinds.get(name)
    if kind == "date" or (kind is None and known and DIGITS_AND_SIGNS.match(known[0])):
        for pattern, shape in DATES.items():
            if known and all(shape.fullmatch(value) for value in known) and _unambiguous(pattern, known):
                return Field(name, "date", date_format=pattern, missing=options.absent)
    if kind == "date":
        raise SourceError(
            "{file}, column {column!r}: {value!r} is not a date that can be read. Write dates as 2026-01-31 "
            "or 2026-01-31T12:30, or read the column as a string.",
            file=path,
            column=name,
            value=_no_date(known),
        )
    if kind is not None:
        return Field(name, kind, missing=options.absent)
    numeric = all(map(NUMBER[options.decimal or "."].fullmatch, known))
    return Field(name, "numeric" if numeric else "text", missing=options.absent)


def _alike_as_doubles(values: Cells) -> list[str]:
    """Two whole numbers that are the same double, as ids of more than 15 digits may be; empty without such a pair."""
    first: dict[float, str] = {}
    for value in values:
        digits = value.strip().removeprefix("+").lstrip("0")
        if len(digits) > SURE_DIGITS and digits.isascii() and digits.removeprefix("-").isdigit():
            other = first.setdefault(float(digits), digits)
            if other != digits:
                return [other, digits]
    return []


def _id_note(name: str, alike: Sequence[str]) -> str:
    one, other = (shortened(digits, NOTED_DIGITS) for digits in alike)
    return (
        f"Column {name!r} is text because numbers do not keep all its digits: {one} and {other} would be the same; "
        "choose numeric to round them."
    )


def _no_date(values: Cells) -> str:
    strange = (value for value in values if not any(shape.fullmatch(value) for shape in DATES.values()))
    return next(strange, values[0] if values else "")


def _unambiguous(pattern: str, values: Sequence[str]) -> bool:
    """01/02/2026 alone says neither day first nor month first."""
    if pattern not in {"dd/MM/yyyy", "MM/dd/yyyy"}:
        return True
    return any(max(int(part) for part in value.split("/")[:2]) > 12 for value in values)  # noqa: PLR2004


def _nearly_numbers(name: str, values: Sequence[tuple[int, str]], options: ReadOptions) -> list[str]:
    known = [(line, value) for line, value in values if value not in options.absent]
    strange = [(line, value) for line, value in known if not is_number(value, options.decimal)]
    if len(strange) > (1 - MOSTLY) * len(known):
        return []
    line, value = strange[0]
    return [text_note(name, value, line, "numbers")]


def _refuse_second_header(fields: Sequence[Field], lines: Sequence[Line], options: ReadOptions, path: Path) -> None:
    """A line of units under the names would turn every column of numbers into text."""
    culprits = list(_texts_above_numbers(fields, lines, options))
    if culprits and not any(field.kind == "numeric" and field.name not in options.kinds for field in fields):
        line, value, name = culprits[0]
        raise SourceError(
            "{file}, line {line:,}, column {column!r}: {value!r} stands above numbers: a second header, or "
            "units. Delete line {line}, or give {unit!r} as a missing value.",
            file=path,
            line=line,
            column=name,
            value=value,
            unit=value.strip(),
        )


def _texts_above_numbers(
    fields: Sequence[Field], lines: Sequence[Line], options: ReadOptions
) -> Iterator[tuple[int, str, str]]:
    if len(lines) < 3:  # noqa: PLR2004 - two rows tell no rule from an exception
        return
    line, first = lines[0]
    for position, field in enumerate(fields):
        if field.kind == "text" and not is_number(first[position], options.decimal):
            below = [row[position] for _, row in lines[1:] if row[position].strip() not in options.absent]
            if below and all(is_number(cell, options.decimal) for cell in below):
                yield line, first[position], field.name
