"""Formats of dates in Java's letters, as ARFF files declare them: yyyy-MM-dd HH:mm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from workbench.source.errors import SourceError

DATE_PARTS = "yyyy, yy, MM, dd, HH, hh, mm, ss, SSS, a, Z and XXX, and text in apostrophes"
"""The parts that are known."""
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
    workbench.source.errors.SourceError: 'EEE' is no date format: the part 'EEE' is not known here. Use ...
    """

    def __init__(self, pattern: str) -> None:
        if pattern.count("'") % 2:
            raise SourceError(
                "{pattern!r} is no date format: an apostrophe is not closed. Use {parts}.",
                pattern=pattern,
                parts=DATE_PARTS,
            )
        self._items = [_date_item(found) for found in DATE_ITEM.finditer(pattern)]
        runs = [letters for letters, _ in self._items if letters]
        unknown = [run for run in runs if run not in OTHER_PARTS and len(run) > WIDTHS.get(run[0], 0)]
        if unknown:
            raise SourceError(
                "{pattern!r} is no date format: the part {part!r} is not known here. Use {parts}.",
                pattern=pattern,
                part=unknown[0],
                parts=DATE_PARTS,
            )
        self._widths = {run[0]: len(run) for run in runs}
        if len(self._widths) < len(runs):
            raise SourceError(
                "{pattern!r} is no date format: a part stands twice. Use each at most once of {parts}.",
                pattern=pattern,
                parts=DATE_PARTS,
            )
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
