"""The header of an ARFF file: the attributes and their types, with the formats of dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from workbench.source.arff_rows import text_of, tokens_of
from workbench.source.errors import SourceError
from workbench.source.fields import Field, unique_names

DATA = re.compile(rb"^[\x00-\x09\x0b-\x20,]*@data(?![^\x00-\x20,%]).*\n?", re.IGNORECASE | re.MULTILINE)
DEFAULT_DATE = "yyyy-MM-dd'T'HH:mm:ss"
KEYWORDS = {"@relation", "@attribute", "@data", "@end"}
NUMBERS = {"numeric", "real", "integer"}
NO_RELATION = "An ARFF file begins with a line @relation and a name; open this one as another format"
DATE_PARTS = "yyyy, yy, MM, dd, HH, hh, mm, ss, SSS, a, Z and XXX, and text in apostrophes"
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
            raise SourceError("stands before @relation", path=path, line=line, value=tokens[0], remedy=NO_RELATION)
        if relation is None:
            relation = " ".join(map(_word, tokens[1:]))
        elif keyword == "@attribute":
            attributes.append(_Declaration(tokens[1:], line, path, notes).field())
        elif keyword == "@data":
            return _complete(relation, attributes, notes, tokens, line, path)
        else:
            remedy = "A header has lines that begin with @relation, @attribute and @data, and comments after %"
            raise SourceError("is not a line of a header", path=path, line=line, value=tokens[0], remedy=remedy)
    if relation is None:
        raise SourceError("has no line @relation", path=path, remedy=NO_RELATION)
    last = text.rstrip("\n").count("\n") + 1
    raise SourceError(
        "ends the file without a line @data", path=path, line=last, remedy="Write @data in a line above the rows"
    )


def _complete(
    relation: str, attributes: Sequence[Field], notes: Sequence[str], tokens: Sequence[str], line: int, path: Path
) -> Header:
    if not attributes:
        remedy = "Write a line @attribute with name and type for every column"
        raise SourceError("comes before any attribute", path=path, line=line, value=tokens[0], remedy=remedy)
    if len(tokens) > 1:
        remedy = "Begin the rows in the next line"
        raise SourceError(
            "stands in the line of @data", path=path, line=line, value=" ".join(tokens[1:]), remedy=remedy
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
            remedy = "Close it; within quotes an apostrophe is written \\'"
            raise SourceError("has a quote that is not closed", path=path, line=number, value=line, remedy=remedy)
        if pending and tokens and tokens[0].lower() in KEYWORDS:
            break
        start = start if pending else number
        pending += tokens
        if pending and pending.count("{") <= pending.count("}"):
            yield start, pending
            pending = []
    if pending:
        remedy = "Close it with } after the last value"
        raise SourceError(
            "opens a set of values { that is not closed", path=path, line=start, value=_name(pending), remedy=remedy
        )


class _Declaration:
    """The words of one line @attribute."""

    def __init__(self, tokens: list[str], line: int, path: Path, notes: list[str]) -> None:
        self._tokens, self._line, self._path, self._notes = tokens, line, path, notes
        self._name = _word(tokens[0]) if tokens else ""

    def field(self) -> Field:
        """The name and type that are declared."""
        if len(self._tokens) < 2 or self._tokens[0] in {"{", "}"}:  # noqa: PLR2004
            raise self._error("is an attribute without name or type", f"Write a name and one of: {TYPES}")
        kind, rest = _word(self._tokens[1]).lower(), self._tokens[2:]
        if self._tokens[1] == "{":
            return self._nominal(rest)
        if kind == "relational":
            remedy = "In Weka, apply the filter MultiInstanceToPropositional and save the result"
            raise self._error("is a relational attribute, a table within a value, which is not read here", remedy)
        if kind == "date":
            return self._date(rest)
        if kind != "string" and kind not in NUMBERS:
            raise self._error(f"has the type {_word(self._tokens[1])!r}, which ARFF does not know", f"Use {TYPES}")
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
        except ValueError as error:
            raise self._error(f"has the date format {pattern!r}, in which {error}", f"Use {DATE_PARTS}") from None
        return Field(self._name, "date", date_format=pattern)

    def _note_weight(self, tokens: Sequence[str]) -> None:
        """Newer Weka weighs attributes; after a type Weka ignores the rest of the line, after a set it does not."""
        if len(tokens) == 3 and tokens[0] == "{" and tokens[2] == "}":  # noqa: PLR2004
            self._notes.append(f"The weight {tokens[1]} of attribute {self._name!r} is not used.")
        elif tokens and self._tokens[1] == "{":
            raise self._error(f"has {' '.join(tokens)!r} after its set of values", "End the line after the }")

    def _error(self, problem: str, remedy: str) -> SourceError:
        value = self._name or "@attribute"
        return SourceError(problem, path=self._path, line=self._line, value=value, remedy=remedy)


def _word(token: str) -> str:
    """What a token says where nothing can be missing."""
    text = text_of(token)
    return "?" if text is None else text


def _name(statement: Sequence[str]) -> str:
    return _word(statement[1]) if len(statement) > 1 else statement[0]


DATE_ITEM = re.compile(r"''|'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")
WIDTHS = {"y": 4, "M": 2, "d": 2, "H": 2, "h": 2, "m": 2, "s": 2, "S": 3}
OTHER_PARTS = {
    "a": "[AaPp][Mm]",
    "Z": r"[+-]\d{4}",
    "X": r"Z|[+-]\d{2}",
    "XX": r"Z|[+-]\d{4}",
    "XXX": r"Z|[+-]\d{2}:\d{2}",
}
WRITTEN = {
    "yy": "{0:%y}",
    "y": "{0.year:04}",
    "M": "{0.month:0#}",
    "d": "{0.day:0#}",
    "H": "{0.hour:0#}",
    "h": "{1:0#}",
    "m": "{0.minute:0#}",
    "s": "{0.second:0#}",
    "S": "{2:0#}",
    "a": "{3}",
    "Z": "+0000",
    "X": "Z",
}
UNITS = {"y": "Y", "M": "M", "d": "D", "H": "h", "m": "m", "s": "s", "S": "ms"}
ISO = r"^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})$"
START = {"y": "1970", "M": "1", "d": "1", "H": "0", "h": "12", "m": "0", "s": "0", "S": "0"}
"""What a date is where its format has no such part."""


class DatePattern:
    """A date format in Java's letters.

    >>> DatePattern("dd.MM.yy, h:mm a").parsed(["31.01.26, 9:05 PM"])
    array(['2026-01-31T21:05:00.000000'], dtype='datetime64[us]')
    >>> DatePattern("EEE")
    Traceback (most recent call last):
    ...
    ValueError: 'EEE' is not known here
    """

    def __init__(self, pattern: str) -> None:
        if pattern.count("'") % 2:
            raise ValueError("an apostrophe is not closed")
        self._items = [_date_item(found) for found in DATE_ITEM.finditer(pattern)]
        runs = [letters for letters, _ in self._items if letters]
        unknown = [run for run in runs if run not in OTHER_PARTS and len(run) > WIDTHS.get(run[0], 0)]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is not known here")
        self._widths = {run[0]: len(run) for run in runs}
        if len(self._widths) < len(runs):
            raise ValueError("a part stands twice")
        self._lenient = re.compile(self._regex(exact=False), re.ASCII)

    @property
    def unit(self) -> str | None:
        """The finest part that the format says, with all above it, as numpy names it; None without a full year."""
        found = None
        for letter, unit in UNITS.items():
            if letter not in self._widths and not (letter == "H" and {"h", "a"} <= self._widths.keys()):
                break
            found = unit
        return found if self._widths.get("y") != 2 else None  # noqa: PLR2004

    def parsed(self, texts: Sequence[str]) -> NDArray[np.datetime64]:
        """The dates; ValueError with the first text that is none."""
        if self._fixed:
            try:
                return self._parsed_fast(texts)
            except pa.ArrowInvalid:
                pass  # One by one, with less digits where they may be less.
        moments = np.empty(len(texts), dtype="datetime64[us]")
        for position, text in enumerate(texts):
            try:
                moments[position] = self._parsed_one(text.strip())
            except (ValueError, OverflowError):
                raise ValueError(text) from None
        return moments

    def texts(self, moments: NDArray[np.datetime64]) -> list[str]:
        """Dates of the years 1 to 9999 in this format; a zone is written as UTC."""
        if self._fixed:
            order = {letter: position for position, letter in enumerate(UNITS, 1)}
            parts = [rf"\{order[run[0]]}" if run else text.replace("\\", r"\\") for run, text in self._items]
            iso = pa.array(moments.astype("datetime64[ms]")).cast(pa.string())
            return pc.replace_substring_regex(iso, ISO, "".join(parts)).to_pylist()  # type: ignore[no-any-return]
        template = "".join(_written(letters, text) for letters, text in self._items)
        known: list[datetime] = moments.astype("datetime64[us]").tolist()
        halves = ["AM"] * 12 + ["PM"] * 12
        return [
            template.format(moment, (moment.hour + 11) % 12 + 1, moment.microsecond // 1000, halves[moment.hour])
            for moment in known
        ]

    @property
    def _fixed(self) -> bool:
        """Whether every part has a fixed width: Arrow reads and writes millions of such dates a second."""
        return all(WIDTHS.get(letter) == width and letter != "h" for letter, width in self._widths.items())

    def _parsed_fast(self, texts: Sequence[str]) -> NDArray[np.datetime64]:
        """Rewritten as ISO 8601, where Arrow refuses what is not in the calendar."""
        place = {letter: rf"\{position}" for position, letter in enumerate(self._widths, 1)}
        date = f"{place.get('y', '1970')}-{place.get('M', '01')}-{place.get('d', '01')}"
        time = f"{place.get('H', '00')}:{place.get('m', '00')}:{place.get('s', '00')}.{place.get('S', '000')}"
        array, pattern = pa.array(texts, pa.string()), f"^{self._regex(exact=True)}$"
        if not pc.all(pc.match_substring_regex(array, pattern), min_count=0).as_py():
            raise pa.ArrowInvalid
        iso = pc.replace_substring_regex(array, pattern, f"{date}T{time}")
        return iso.cast(pa.timestamp("us")).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]

    def _parsed_one(self, text: str) -> datetime:
        found = self._lenient.fullmatch(text)
        if not found:
            raise ValueError
        part = dict(zip(self._widths, found.groups(), strict=True))
        number = {letter: int(part.get(letter, default)) for letter, default in START.items()}
        year, hour = number["y"], number["H"]
        if len(part.get("y", "")) == 2:  # noqa: PLR2004
            year = _with_century(year)
        if "h" in part:
            if not 1 <= number["h"] <= 12:  # noqa: PLR2004
                raise ValueError
            hour = number["h"] % 12 + 12 * (part.get("a", "am").lower() == "pm")
        moment = datetime(year, number["M"], number["d"], hour, number["m"], number["s"], 1000 * number["S"])
        return moment - _offset(part.get("Z", part.get("X", "Z")))

    def _regex(self, exact: bool) -> str:
        parts = []
        for (letters, text), (following, _) in zip(self._items, [*self._items[1:], ("", "")], strict=True):
            # Between numbers without anything between them only their widths tell.
            packed = following[:1] in WIDTHS
            parts.append(f"({_part_regex(letters, exact or packed)})" if letters else re.escape(text))
        return "".join(parts)


def _date_item(found: re.Match[str]) -> tuple[str, str]:
    """Letters of the format, or else plain text."""
    if found[2]:
        return found[0], ""
    if found[0] == "''":
        return "", "'"
    return "", found[0] if found[1] is None else found[1].replace("''", "'")


def _part_regex(letters: str, exact: bool) -> str:
    if letters in OTHER_PARTS:
        return OTHER_PARTS[letters]
    if letters[0] == "y" and letters != "yy":
        return r"\d{4}"
    if exact:
        return rf"\d{{{len(letters)}}}"
    return r"\d{2}|\d{4}" if letters == "yy" else rf"\d{{1,{WIDTHS[letters[0]]}}}"


def _written(letters: str, text: str) -> str:
    if not letters:
        return text.replace("{", "{{").replace("}", "}}")
    return WRITTEN.get(letters, WRITTEN[letters[0]]).replace("#", str(len(letters)))


def _with_century(year: int) -> int:
    """Two digits mean a year from 80 years ago to 20 ahead, as in Java."""
    first = datetime.now().year - 80
    return first + (year - first) % 100


def _offset(zone: str) -> timedelta:
    if zone == "Z":
        return timedelta()
    sign = -1 if zone[0] == "-" else 1
    return sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]) if len(zone) > 3 else 0)  # noqa: PLR2004
