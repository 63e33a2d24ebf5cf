"""Results as CSV, JSON and LaTeX: every export is written here."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import IO, Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters that make a spreadsheet evaluate a cell; the full-width ones count in Japanese locales."""
NEGATIVE_NUMBER = re.compile(r"-\d+(\.\d+)?([eE][+-]?\d+)?")
LATEX_SIGNS = {
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "#": "\\#", "_": "\\_", "$": "\\$", "{": "\\{", "}": "\\}",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$",
    "±": "$\\pm$", "×": "$\\times$", "≈ ": "$\\approx$\\,", "≈": "$\\approx$", "●": "$\\bullet$", "○": "$\\circ$",
    "δ": "$\\delta$", "β": "$\\beta$", "µ": "$\\mu$", "·": "$\\cdot$", "–": "--", "−": "$-$",
}  # fmt: skip
"""Signs with a meaning in LaTeX, and those of our texts that are not ASCII."""


# CSV


def csv_text(headings: Sequence[str], rows: Iterable[Iterable[Any]], raw: bool = False) -> str:
    r"""A table as CSV; `raw` as in `CsvWriter`.

    >>> csv_text(["label", "n"], [["=1+1", 2]])
    "label,n\n'=1+1,2\n"
    """
    out = io.StringIO()
    writer = CsvWriter(out, raw)
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue()


class CsvWriter:
    r"""Writes rows as CSV.

    Parameters
    ----------
    out : text file
    raw : write texts as they are, even those that a spreadsheet would evaluate as formulas

    Examples
    --------
    >>> out = io.StringIO()
    >>> CsvWriter(out).writerow(["-1.5", "@x", 2.5])
    >>> out.getvalue()
    "-1.5,'@x,2.5\n"
    """

    def __init__(self, out: IO[str], raw: bool = False) -> None:
        # The csv module quotes a carriage return only where the line ends have one (before Python 3.13).
        self._writer, self._raw = csv.writer(_LineFeeds(out), lineterminator="\r\n"), raw

    def writerow(self, row: Iterable[Any]) -> None:
        """Write one row."""
        cells = row if self._raw else (neutral(cell) if isinstance(cell, str) else cell for cell in row)
        self._writer.writerow(list(cells))

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write several rows."""
        for row in rows:
            self.writerow(row)


class _LineFeeds:
    """Writes lines that end with a carriage return and a line feed with the latter alone."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def write(self, line: str) -> None:
        self._out.write(line.removesuffix("\r\n") + "\n")


def neutral(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would evaluate it as a formula; numbers stay numbers.

    >>> [neutral(text) for text in ("=1+1", "+1", "-1+1", "@x", "\uff1d1", "-1.5", "iris")]
    ["'=1+1", "'+1", "'-1+1", "'@x", "'\uff1d1", '-1.5', 'iris']
    """
    return f"'{text}" if text.startswith(FORMULA_STARTS) and not NEGATIVE_NUMBER.fullmatch(text) else text


# JSON


def json_text(content: Any) -> str:
    r"""Dictionaries, lists, texts and numbers as JSON; null in place of NaN and infinity, which JSON does not know.

    >>> json_text({"µs": (1.5, math.nan)})
    '{\n  "µs": [\n    1.5,\n    null\n  ]\n}\n'
    """
    return json.dumps(_finite(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


# LaTeX


def latex_text(text: str) -> str:
    r"""Text as LaTeX source: special characters escaped, and no characters of ours that are not ASCII.

    >>> print(latex_text("Abacus & Sons_1: ≈ 10 ± 2"))
    Abacus \& Sons\_1: $\approx$\,10 $\pm$ 2
    """
    return LATEX_SIGN.sub(lambda found: LATEX_SIGNS[found.group()], text)


LATEX_SIGN = re.compile("|".join(map(re.escape, LATEX_SIGNS)))


def latex_tabular(columns: str, groups: Sequence[Sequence[Sequence[str]]], note: str = "") -> str:
    r"""A tabular environment that needs no package; cells are LaTeX source already.

    Parameters
    ----------
    columns : column specification, such as "l|rr"
    groups : groups of rows, with a horizontal line before, between and after them
    note : last line of the table, across all columns

    Examples
    --------
    >>> print(latex_tabular("lr", [[["set", "D"]], [["Glass", "16"], ["iris", "7"]]]))
    \begin{tabular}{lr}
    \hline
    set & D \\
    \hline
    Glass & 16 \\
    iris & 7 \\
    \hline
    \end{tabular}
    """
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\hline"]
    for group in groups:
        lines += [*(" & ".join(cells) + r" \\" for cells in group), r"\hline"]
    if note:
        width = sum(letter.isalpha() for letter in columns)
        lines.append(rf"\multicolumn{{{width}}}{{l}}{{{note}}}")
    return "\n".join([*lines, r"\end{tabular}"])
