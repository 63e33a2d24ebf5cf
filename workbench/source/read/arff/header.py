"""The header of an ARFF file: the attributes and their types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.source.errors import SourceError
from workbench.source.read.arff.rows import text_of, tokens_of
from workbench.source.read.date_pattern import DatePattern
from workbench.source.table.fields import Field, unique_names

DATA = re.compile(rb"^[\x00-\x09\x0b-\x20,]*@data(?![^\x00-\x20,%]).*\n?", re.IGNORECASE | re.MULTILINE)
DEFAULT_DATE = "yyyy-MM-dd'T'HH:mm:ss"
KEYWORDS = {"@relation", "@attribute", "@data", "@end"}
NUMBERS = {"numeric", "real", "integer"}
TYPES = "numeric, real, integer, string, date or a set of values in braces"


@dataclass(frozen=True)
class Header:
    """What an ARFF file says of its rows."""

    relation: str
    fields: tuple[Field, ...]
    data_line: int
    """The first line after @data."""
    notes: tuple[str, ...] = ()


def header_end(data: bytes) -> int | None:
    r"""Where the rows start; None if the line @data is not there yet.

    >>> header_end(b"@relation r\n@DATA\n1,2\n")
    18
    """
    found = DATA.search(data)
    return found.end() if found else None


def parse_header(text: str, path: Path) -> Header:
    r"""Read the lines up to @data.

    >>> parse_header("@relation r\n@attribute 'my x' REAL\n@attribute c { a, b }\n@data\n", Path("r.arff")).fields[1]
    Field(name='c', kind='nominal', labels=('a', 'b'), date_format='')
    """
    relation: str | None = None
    attributes: list[Field] = []
    notes: list[str] = []
    for line, tokens in _statements(text, path):
        keyword = tokens[0].lower()
        if relation is None and keyword != "@relation":
            raise SourceError(
                "{file}, line {line:,}: {value!r} stands before @relation. An ARFF file begins with a line @relation "
                "and a name; open this one as another format.",
                file=path,
                line=line,
                value=tokens[0],
            )
        if relation is None:
            relation = " ".join(map(_word, tokens[1:]))
        elif keyword == "@attribute":
            attributes.append(_Declaration(tokens[1:], line, path, notes).field())
        elif keyword == "@data":
            return _complete(relation, attributes, notes, tokens, line, path)
        else:
            raise SourceError(
                "{file}, line {line:,}: {value!r} is not a line of a header. A header has lines that begin with "
                "@relation, @attribute and @data, and comments after %.",
                file=path,
                line=line,
                value=tokens[0],
            )
    if relation is None:
        raise SourceError(
            "{file} has no line @relation. An ARFF file begins with a line @relation and a name; open this one as "
            "another format.",
            file=path,
        )
    last = text.rstrip("\n").count("\n") + 1
    raise SourceError(
        "{file}, line {line:,} ends the file without a line @data. Write @data in a line above the rows.",
        file=path,
        line=last,
    )


def _complete(
    relation: str, attributes: Sequence[Field], notes: Sequence[str], tokens: Sequence[str], line: int, path: Path
) -> Header:
    if not attributes:
        raise SourceError(
            "{file}, line {line:,}: {value!r} comes before any attribute. Write a line @attribute with name and type "
            "for every column.",
            file=path,
            line=line,
            value=tokens[0],
        )
    if len(tokens) > 1:
        raise SourceError(
            "{file}, line {line:,}: {value!r} stands in the line of @data. Begin the rows in the next line.",
            file=path,
            line=line,
            value=" ".join(tokens[1:]),
        )
    old = [field.name for field in attributes]
    new = unique_names(old)
    renamed = [
        f"Attribute {position} is called {name!r}: it has "
        + (f"the name {given!r} of another one." if given.strip() else "no name.")
        for position, (given, name) in enumerate(zip(old, new, strict=True), 1)
        if name != given.strip()
    ]
    fields = [
        Field(name, field.kind, field.labels, field.date_format) for name, field in zip(new, attributes, strict=True)
    ]
    return Header(relation, tuple(fields), line + 1, (*notes, *renamed))


def _statements(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines with something in them; a set of values may go on over several."""
    start, pending = 0, list[str]()
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1] in {"", "%"}:
            continue
        tokens = tokens_of(line)
        if "'" in tokens or '"' in tokens:
            raise SourceError(
                "{file}, line {line:,}: {value!r} has a quote that is not closed. Close it; within quotes an "
                "apostrophe is written \\'.",
                file=path,
                line=number,
                value=line,
            )
        if pending and tokens and tokens[0].lower() in KEYWORDS:
            break
        start = start if pending else number
        pending += tokens
        if pending and pending.count("{") <= pending.count("}"):
            yield start, pending
            pending = []
    if pending:
        raise SourceError(
            "{file}, line {line:,}: {value!r} opens a set of values {{ that is not closed. Close it with }} after the "
            "last value.",
            file=path,
            line=start,
            value=_name(pending),
        )


class _Declaration:
    """The words of one line @attribute."""

    def __init__(self, tokens: list[str], line: int, path: Path, notes: list[str]) -> None:
        self._tokens, self._line, self._path, self._notes = tokens, line, path, notes
        self._name = _word(tokens[0]) if tokens else ""
        self._shown = self._name or "@attribute"

    def field(self) -> Field:
        """The name and type that are declared."""
        if len(self._tokens) < 2 or self._tokens[0] in {"{", "}"}:  # noqa: PLR2004
            raise SourceError(
                "{file}, line {line:,}: {value!r} is an attribute without name or type. Write a name and one of: "
                "{types}.",
                file=self._path,
                line=self._line,
                value=self._shown,
                types=TYPES,
            )
        kind, rest = _word(self._tokens[1]).lower(), self._tokens[2:]
        if self._tokens[1] == "{":
            return self._nominal(rest)
        if kind == "relational":
            raise SourceError(
                "{file}, line {line:,}: {value!r} is a relational attribute, a table within a value, which is not read "
                "here. In Weka, apply the filter MultiInstanceToPropositional and save the result.",
                file=self._path,
                line=self._line,
                value=self._shown,
            )
        if kind == "date":
            return self._date(rest)
        if kind != "string" and kind not in NUMBERS:
            raise SourceError(
                "{file}, line {line:,}: {value!r} has the type {given!r}, which ARFF does not know. Use {types}.",
                file=self._path,
                line=self._line,
                value=self._shown,
                given=_word(self._tokens[1]),
                types=TYPES,
            )
        self._note_weight(rest)
        return Field(self._name, "string" if kind == "string" else "numeric")

    def _nominal(self, tokens: list[str]) -> Field:
        end = tokens.index("}")
        self._note_weight(tokens[end + 1 :])
        labels = tuple(dict.fromkeys(map(_word, tokens[:end])))
        if len(labels) < end:
            self._notes.append(f"Attribute {self._name!r} declares a value twice; it counts once.")
        return Field(self._name, "nominal", labels)

    def _date(self, tokens: list[str]) -> Field:
        given = bool(tokens) and tokens[0] != "{"
        self._note_weight(tokens[given:])
        pattern = _word(tokens[0]) if given else DEFAULT_DATE
        try:
            DatePattern(pattern)
        except SourceError as error:
            raise SourceError(
                "{file}, line {line:,}, attribute {value!r}: {problem}",
                file=self._path,
                line=self._line,
                value=self._shown,
                problem=error,
            ) from None
        return Field(self._name, "date", date_format=pattern)

    def _note_weight(self, tokens: Sequence[str]) -> None:
        """Newer Weka weighs attributes; after a type Weka ignores the rest of the line, after a set it does not."""
        if len(tokens) == 3 and tokens[0] == "{" and tokens[2] == "}":  # noqa: PLR2004
            self._notes.append(f"The weight {tokens[1]} of attribute {self._name!r} is not used.")
        elif tokens and self._tokens[1] == "{":
            raise SourceError(
                "{file}, line {line:,}: {value!r} has {rest!r} after its set of values. End the line after the }}.",
                file=self._path,
                line=self._line,
                value=self._shown,
                rest=" ".join(tokens),
            )


def _word(token: str) -> str:
    """What a token says where nothing can be missing."""
    text = text_of(token)
    return "?" if text is None else text


def _name(statement: Sequence[str]) -> str:
    return _word(statement[1]) if len(statement) > 1 else statement[0]
