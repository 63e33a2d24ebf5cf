"""Rows of an ARFF file, divided as Weka's tokenizer divides them: exact, for what the fast way cannot read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from workbench.source.errors import SourceError
from workbench.source.read.text import NotUtf8, TextBlock
from workbench.source.table.fields import Field

BLANKS = "".join(map(chr, range(33)))
"""Every character up to the blank divides values, as a comma does; runs of them count once."""
TOKEN = re.compile(
    r"""[^\x00-\x20,'"%{}]+ | '[^'\\]*(?:\\.[^'\\]*)*' | "[^"\\]*(?:\\.[^"\\]*)*" | [{}] | %.* | ['"]""", re.VERBOSE
)
SPECIAL = re.compile(r"""['"{}?]""")
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\([0-3][0-7]{2}|[0-7]{1,2})|\\(.)")
LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}

Text = str | None


@dataclass(frozen=True)
class ArffRows:
    """Values as text by column, None where missing, and the line that every row stands in."""

    columns: Sequence[Sequence[Text]]
    lines: Sequence[int]
    weights: NDArray[np.float64] | None
    skipped: Sequence[str]
    """Lines left out for having too few or too many values."""


class NotSo(Exception):  # noqa: N818 - caught by the reader, which knows the line
    """A value that its column cannot hold."""

    def __init__(self, position: int, value: str) -> None:
        self.position, self.value = position, value
        super().__init__(value)


class WrongWidthError(SourceError):
    """A row of too few or too many values."""


def tokens_of(line: str) -> list[str]:
    """The tokens of a line, still quoted, without the comment; a quote that is not closed is a token of its own.

    >>> tokens_of("5.1, 'a b' ?,{2} % good")
    ['5.1', "'a b'", '?', '{', '2', '}']
    """
    tokens = TOKEN.findall(line)
    if tokens and tokens[-1][0] == "%":
        tokens.pop()
    return tokens


def text_of(word: str) -> Text:
    r"""What a token stands for; None for a question mark outside quotes.

    >>> text_of(r"'it\'s'"), text_of("?"), text_of("'?'")
    ("it's", None, '?')
    """
    if word == "?":
        return None
    if word[0] not in "'\"":
        return word
    return unescaped(word[1:-1]) if "\\" in word else word[1:-1]


def unescaped(text: str) -> str:
    r"""Weka's escapes, Java's octal ones among them, as the characters they stand for.

    >>> unescaped(r"50\% \u00e9 \101\n") == "50% é A" + chr(10)
    True
    """
    plain = ESCAPE.sub(_character, text)
    # Java writes what lies beyond U+FFFF as two halves; half a character stands for nothing.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def read_rows(block: TextBlock, fields: Sequence[Field], defaults: Sequence[Text], path: Path, skip: bool) -> ArffRows:
    """The rows of a block; `defaults` are what a sparse row leaves out, `skip` passes over lines of a wrong width."""
    try:
        lines = block.data.decode().split("\n")
    except UnicodeDecodeError:
        raise NotUtf8(block.data) from None
    rows: list[Sequence[Text]] = []
    places: list[int] = []
    weights: list[float | None] = []
    skipped: list[str] = []
    for number, line in enumerate(lines, block.first_line):
        tokens = tokens_of(line)
        if not tokens:
            continue
        values: Sequence[Text] = tokens
        weight = None
        # Most rows have nothing special in them.
        if len(tokens) != len(fields) or SPECIAL.search(line):
            try:
                values, weight = _Line(tokens, number, fields, path).row(defaults)
            except WrongWidthError:
                if not skip:
                    raise
                skipped.append(line)
                continue
        rows.append(values)
        places.append(number)
        weights.append(weight)
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(fields)
    return ArffRows(columns, places, _filled(weights), skipped)


def numbers(texts: Sequence[Text], position: int) -> NDArray[np.float64]:
    """Numbers as Arrow reads them, NaN where missing: the fast way reads them with the same routine."""
    # Within quotes a number may have blanks around it.
    for found in (texts, [text and text.strip(BLANKS) for text in texts]):
        try:
            return _cast(found)
        except pa.ArrowInvalid:
            pass
    raise NotSo(position, next(text for text in texts if text is not None and not _is_number(text)))


def refusal(field: Field, value: str, path: Path, line: int, example: str = "") -> SourceError:
    """Why a value cannot stand in its column; the example is a date in the declared format."""
    if field.kind == "nominal":
        return _undeclared(field, value, path, line)
    if field.kind == "date":
        return SourceError(
            "{file}, line {line:,}, column {column!r}: {value!r} is not a date of the form {pattern}. Write it as "
            "{example}, or declare the format that the file has.",
            file=path,
            line=line,
            column=field.name,
            value=value,
            pattern=field.date_format,
            example=example,
        )
    return SourceError(
        "{file}, line {line:,}, column {column!r}: {value!r} is not a number. Mend it, write ? if it is missing, or "
        "declare the attribute as string.",
        file=path,
        line=line,
        column=field.name,
        value=value,
    )


def _undeclared(field: Field, value: str, path: Path, line: int) -> SourceError:
    labels = field.labels or ()
    known = ", ".join(labels[:10]) + (", …" if len(labels) > 10 else "")  # noqa: PLR2004
    return SourceError(
        "{file}, line {line:,}, column {column!r}: {value!r} is not a declared value. Mend it, or declare it in the "
        "header, which has: {known}.",
        file=path,
        line=line,
        column=field.name,
        value=value,
        known=known or "no values",
    )


class _Line:
    """The tokens of one line, and what can be wrong with them."""

    def __init__(self, tokens: list[str], number: int, fields: Sequence[Field], path: Path) -> None:
        self._tokens, self._number, self._fields, self._path = tokens, number, fields, path

    def row(self, defaults: Sequence[Text]) -> tuple[list[Text], float | None]:
        """The values of all columns, and the weight if there is one."""
        tokens = self._tokens
        if "'" in tokens or '"' in tokens:
            raise self._unclosed()
        if tokens[0] == "{":
            return self._sparse(defaults)
        weight = None
        if "{" in tokens or "}" in tokens:
            start = tokens.index("{" if "{" in tokens else "}")
            weight, tokens = self._weight(tokens[start:]), tokens[:start]
        if len(tokens) != len(self._fields):
            raise self._wrong_width(len(tokens))
        return [text_of(token) for token in tokens], weight

    def _sparse(self, defaults: Sequence[Text]) -> tuple[list[Text], float | None]:
        if "}" not in self._tokens:
            raise SourceError(
                "{file}, line {line:,}: {value!r} opens a sparse row with {{ that is not closed. Close it with }} in "
                "the same line.",
                file=self._path,
                line=self._number,
                value=" ".join(self._tokens),
            )
        end = self._tokens.index("}")
        inner, rest = self._tokens[1:end], self._tokens[end + 1 :]
        values, before = list(defaults), -1
        for index, token in zip(inner[::2], [*inner[1::2], ""], strict=False):
            before = self._index(index, before)
            if token in {"", "{"}:
                raise SourceError(
                    "{file}, line {line:,}: {value!r} has an index without a value. Write index and value in turn.",
                    file=self._path,
                    line=self._number,
                    value=index,
                )
            values[before] = text_of(token)
        return values, self._weight(rest) if rest else None

    def _index(self, token: str, before: int) -> int:
        index = int(token) if token.isascii() and token.isdigit() else -1
        if not 0 <= index < len(self._fields):
            raise SourceError(
                "{file}, line {line:,}: {value!r} is not the number of an attribute. In a sparse row the attributes "
                "have the numbers 0 to {last}.",
                file=self._path,
                line=self._number,
                value=token,
                last=len(self._fields) - 1,
            )
        if index <= before:
            raise SourceError(
                "{file}, line {line:,}: {value!r} comes after the attribute number {before}. Sort the values of a "
                "sparse row by their attributes, each of them once.",
                file=self._path,
                line=self._number,
                value=token,
                before=before,
            )
        return index

    def _weight(self, tokens: list[str]) -> float:
        """The number in braces at the end of a row."""
        shown = " ".join(tokens)
        if len(tokens) != 3 or tokens[0] != "{" or tokens[2] != "}":  # noqa: PLR2004
            raise SourceError(
                "{file}, line {line:,}: {value!r} is not the weight of a row. A weight stands in braces at the end: "
                "{{2.5}}; put a value that contains a brace into quotes.",
                file=self._path,
                line=self._number,
                value=shown,
            )
        try:
            weight = float(numbers([text_of(tokens[1])], 0)[0])
        except NotSo:
            weight = np.nan
        if not 0 <= weight < np.inf:
            raise SourceError(
                "{file}, line {line:,}: {value!r} is not the weight of a row. Write a number of 0 or more in the "
                "braces.",
                file=self._path,
                line=self._number,
                value=shown,
            )
        return weight

    def _unclosed(self) -> SourceError:
        position = min(self._tokens.index(mark) for mark in "'\"" if mark in self._tokens)
        mark = self._tokens[position]
        value = mark + " ".join(self._tokens[position + 1 :])
        if self._tokens[0] == "{":
            return SourceError(
                "{file}, line {line:,}: {value!r} opens a quote {mark} that is not closed in the line. Close it; "
                "within quotes an apostrophe is written \\{mark}.",
                file=self._path,
                line=self._number,
                value=value,
                mark=mark,
            )
        return SourceError(
            "{file}, line {line:,}, column {column!r}: {value!r} opens a quote {mark} that is not closed in "
            "the line. Close it; within quotes an apostrophe is written \\{mark}.",
            file=self._path,
            line=self._number,
            column=self._fields[min(position, len(self._fields) - 1)].name,
            value=value,
            mark=mark,
        )

    def _wrong_width(self, found: int) -> WrongWidthError:
        return WrongWidthError(
            "{file}, line {line:,}: {value!r} has {values} where {attributes} declared. Mend the line: a missing value "
            "is written ?, one with a blank, comma or % stands in quotes.",
            file=self._path,
            line=self._number,
            value=",".join(self._tokens),
            values="1 value" if found == 1 else f"{found} values",
            attributes="1 attribute is" if len(self._fields) == 1 else f"{len(self._fields)} attributes are",
        )


def _character(escape: re.Match[str]) -> str:
    code, octal, letter = escape.groups()
    if letter:
        return LETTERS.get(letter, letter)
    return chr(int(code, 16) if code else int(octal, 8))


def _is_number(text: str) -> bool:
    try:
        _cast([text.strip(BLANKS)])
    except pa.ArrowInvalid:
        return False
    return True


def _cast(texts: Sequence[Text]) -> NDArray[np.float64]:
    return pa.array(texts, pa.string()).cast(pa.float64()).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _filled(weights: Sequence[float | None]) -> NDArray[np.float64] | None:
    """A row without a weight counts once."""
    if all(weight is None for weight in weights):
        return None
    return np.array([1.0 if weight is None else weight for weight in weights])
