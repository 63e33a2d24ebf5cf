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
                "{value!r} is not a delimiter. Give one ASCII character; a blank stands for any run of blanks "
                "and tabs.",
                value=self.delimiter,
            )
        if self.quote is not None and not _is_sign(self.quote):
            raise SourceError(
                "{value!r} is not a quote. Give one ASCII character, or null (None in Python) for no quoting.",
                value=self.quote,
            )
        if self.skip_lines is not None and (isinstance(self.skip_lines, bool) or self.skip_lines < 0):
            raise SourceError(
                "{value!r} is not a number of lines. Give a whole number from 0 on.", value=str(self.skip_lines)
            )
        if self.decimal not in {None, ".", ","}:
            raise SourceError("{value!r} is not a decimal sign. Choose . or ,.", value=str(self.decimal))
        if self.decimal is not None and self.decimal == self.delimiter:
            raise SourceError(
                "{value!r} is both delimiter and decimal sign. Choose another delimiter.", value=self.decimal
            )
        self._check_missing()
        for name, kind in self.kinds.items():
            if kind not in KINDS:
                raise SourceError(
                    "Column {column!r}: {value!r} is not a kind. Choose one of: {known}.",
                    column=name,
                    value=str(kind),
                    known=", ".join(KINDS),
                )
        if self.encoding is not None and not _is_encoding(self.encoding):
            raise SourceError("{value!r} is not a known encoding. Try utf-8, utf-16 or latin-1.", value=self.encoding)

    def _check_missing(self) -> None:
        """Limit number and length of the texts: beyond these, Arrow's parser crashes."""
        for text in self.missing:
            if not isinstance(text, str):
                raise SourceError("{value!r} is not a text for missing values. Give texts alone.", value=repr(text))
        n_bytes = sum(len(text.encode(errors="replace")) for text in self.missing)
        if len(self.missing) > MOST_MISSING or n_bytes > MISSING_BYTES:
            raise SourceError(
                "{n_texts:,} texts of {n_bytes:,} bytes stand for missing values. Give at most {most:,} "
                "texts of {most_bytes:,} bytes in all.",
                n_texts=len(self.missing),
                n_bytes=n_bytes,
                most=MOST_MISSING,
                most_bytes=MISSING_BYTES,
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
