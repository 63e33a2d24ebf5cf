"""How a file is to be read: what is None is found out, and shown in the preview."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from workbench.source.errors import SourceError
from workbench.source.table.table import KINDS, Kind

Progress = Callable[[int, int], bool]
"""Callback `(done, total) -> bool`; return False to cancel."""

WHITESPACE = " "
"""The delimiter that stands for any run of blanks and tabs."""
DELIMITERS = (",", ";", "\t", "|", WHITESPACE)
MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>")
MOST_MISSING, MISSING_BYTES = 1_000, 20_000
"""How many texts may stand for missing values, and how long they may be in all."""


def silent(done: int, total: int) -> bool:  # noqa: ARG001
    """Progress callback that ignores progress and never cancels."""
    return True


@dataclass(frozen=True)
class ReadOptions:
    """How a file is read; what the user leaves open is None and is detected.

    >>> ReadOptions(delimiter="::")
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: '::' is not a delimiter. Give one ASCII character; a blank stands for ...
    """

    encoding: str | None = None
    delimiter: str | None = None
    decimal: Literal[".", ","] | None = None
    header: bool | None = None
    skip_lines: int | None = None
    """Lines above the names or the first row, such as a title; None leaves out lines that start with #."""
    quote: str | None = '"'
    """The character around values that contain the delimiter; None switches quoting off."""
    missing: tuple[str, ...] = MISSING
    """Texts that stand for a missing value."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """Kinds of columns by name, in place of what the values suggest."""
    bad_lines: Literal["stop", "skip"] = "stop"
    """What to do with a line of too few or too many values."""
    member: str | None = None
    """Which file of a zip archive, sheet of a workbook or array of an .npz (several with commas between)."""

    @cached_property
    def absent(self) -> frozenset[str]:
        """The texts for missing values, as a set."""
        return frozenset(self.missing)

    def __post_init__(self) -> None:
        if self.delimiter is not None and not _is_sign(self.delimiter):
            raise SourceError(
                "is not a delimiter",
                value=self.delimiter,
                remedy="Give one ASCII character; a blank stands for any run of blanks and tabs",
            )
        if self.quote is not None and not _is_sign(self.quote):
            raise SourceError(
                "is not a quote",
                value=self.quote,
                remedy="Give one ASCII character, or null (None in Python) for no quoting",
            )
        if self.skip_lines is not None and (isinstance(self.skip_lines, bool) or self.skip_lines < 0):
            raise SourceError(
                "is not a number of lines", value=str(self.skip_lines), remedy="Give a whole number from 0 on"
            )
        if self.decimal not in {None, ".", ","}:
            raise SourceError("is not a decimal sign", value=str(self.decimal), remedy="Choose . or ,")
        if self.decimal is not None and self.decimal == self.delimiter:
            raise SourceError(
                "is both delimiter and decimal sign", value=self.decimal, remedy="Choose another delimiter"
            )
        self._check_missing()
        for name, kind in self.kinds.items():
            if kind not in KINDS:
                raise SourceError(
                    "is not a kind", column=name, value=str(kind), remedy=f"Choose one of: {', '.join(KINDS)}"
                )
        if self.encoding is not None and not _is_encoding(self.encoding):
            raise SourceError("is not a known encoding", value=self.encoding, remedy="Try utf-8, utf-16 or latin-1")

    def _check_missing(self) -> None:
        """Limit number and length of the texts: beyond these, Arrow's parser crashes."""
        for text in self.missing:
            if not isinstance(text, str):
                raise SourceError("is not a text for missing values", value=repr(text), remedy="Give texts alone")
        n_bytes = sum(len(text.encode(errors="replace")) for text in self.missing)
        if len(self.missing) > MOST_MISSING or n_bytes > MISSING_BYTES:
            raise SourceError(
                f"{len(self.missing):,} texts of {n_bytes:,} bytes stand for missing values",
                remedy=f"Give at most {MOST_MISSING:,} texts of {MISSING_BYTES:,} bytes in all",
            )


def _is_encoding(name: str) -> bool:
    """Whether it is the encoding of a text: hex and zlib are none, idna and punycode cannot replace a wrong byte."""
    try:
        b"\xff\xfe\xff".decode(name, errors="replace")
    except (LookupError, UnicodeError, ValueError):
        return False
    return True


def _is_sign(text: str) -> bool:
    return len(text) == 1 and text.isascii() and text not in "\0\n\r"
