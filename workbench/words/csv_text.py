"""CSV as text: every export writes it here, and no label of the user's data becomes a formula in a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import IO, Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters that make spreadsheets calculate a cell; those of full width count where Japanese is written."""
NUMBER = re.compile(r"-\d+(\.\d+)?([eE][+-]?\d+)?")


def neutral(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would take it for a formula; numbers stay numbers.

    >>> [neutral(text) for text in ("=1+1", "+1", "-1+1", "@x", "\uff1d1", "-1.5", "iris")]
    ["'=1+1", "'+1", "'-1+1", "'@x", "'\uff1d1", '-1.5', 'iris']
    """
    return f"'{text}" if text.startswith(FORMULA_STARTS) and not NUMBER.fullmatch(text) else text


class CsvWriter:
    """Writes rows as CSV.

    Parameters
    ----------
    out : text file
    raw : write texts as they are, even those that begin like a formula
    """

    def __init__(self, out: IO[str], raw: bool = False) -> None:
        self._writer, self._raw = csv.writer(out, lineterminator="\n"), raw

    def writerow(self, row: Iterable[Any]) -> None:
        """Write one row."""
        cells = row if self._raw else (neutral(cell) if isinstance(cell, str) else cell for cell in row)
        self._writer.writerow(list(cells))

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write several rows."""
        for row in rows:
            self.writerow(row)
