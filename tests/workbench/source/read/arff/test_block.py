"""The fast way through plain rows gives the answers of the exact one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example as case
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.source.read.arff.block import Parsing, Part, as_csv
from workbench.source.read.arff.rows import NotSo
from workbench.source.read.text import TextBlock
from workbench.source.table.fields import Field

FIELDS = (
    Field("n", "numeric"),
    Field("c", "nominal", ("a", "b c", "?", "", "5%")),
    Field("s", "string"),
    Field("d", "date", date_format="yyyy-MM-dd"),
)
CELLS = [
    *("1", "?", "a", "x", "2026-01-31", "'b c'", "'?'", "''", "'5%'", '"a"', "1e5", "' 2 '", "+3", "nan", "inf", "-.5"),
    *("é", "1.", "''''", "'it\\'s'", '"it\'s"', "a'b", "'a'b", "%", "{1 2}", "{2}", "a\\b", "\xa0", "1d", "0x1", "1_0"),
    *("2026-1-1", "2026-02-30", "'2026-01-31'", "' 2026-01-31'", "'", '"', "{", "}", "\x01", "\u3000", "½", "nan(1)"),
]
GOOD = [
    ["1", "?", "-2.5", "'7'"],
    ["a", "'b c'", "'?'", "?", "''", "'5%'"],
    ["x", "' y, z '", "?", "'?'", "é"],
    ["2026-01-31", "?", "2026-1-1"],
]
SEPARATORS = [",", ", ", " ", "\t", ",,", " , "]


@st.composite
def blocks_of_lines(draw: st.DrawFn) -> bytes:
    """Lines that are mostly good, with an odd value here and there: most often a string, where any text will do."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        cells = [draw(st.sampled_from(cell)) for cell in GOOD]
        if draw(st.booleans()):
            cells[draw(st.sampled_from([0, 1, 2, 2, 2, 3]))] = draw(st.sampled_from(CELLS))
        gaps = [*draw(st.permutations([",", ",", draw(st.sampled_from(SEPARATORS))])), ""]
        start = draw(st.sampled_from(["", "", " ", "% c\n", ","]))
        lines.append(start + "".join(cell + gap for cell, gap in zip(cells, gaps, strict=True)))
    return ("\n".join(lines) + draw(st.sampled_from(["", ",", " ", " % c", "\n%'"])) + "\n").encode()


def columns_of(part: Part) -> list[list[Any]]:
    """The values; NaN as text, which equals itself."""
    return [[str(value) if isinstance(value, float) else value for value in column.tolist()] for column in part.columns]


@given(blocks_of_lines() | st.text("1a?'\"%{}\\ ,\t\n.-é", max_size=40).map(lambda text: (text + "\n").encode()))
@case(b"1,a,'x'y,?\n")
@case(b"1,a,x'y',?\n")
@case(b"1,a, x,?\n")
@case(b"1,a,x\x01,?\n")
@case(b"1,a,'?',?\n")
@case(b"1,a,,?\n")
@case(b"1,a,x%y,?\n")
@settings(max_examples=400, deadline=None)
def test_the_fast_way_never_gives_another_answer_than_the_exact_one(data: bytes) -> None:
    parsing = Parsing(Path("r.arff"), FIELDS, False, [])
    plain = as_csv(data)
    if plain is None:
        return
    try:
        fast = parsing.fast(*plain)
    except (pa.ArrowInvalid, NotSo):
        return
    exact = parsing.exact(TextBlock(1, data))
    assert exact.weights is None
    assert columns_of(fast) == columns_of(exact)


PLAIN = [
    "1,a,x,2026-01-31",
    "'1','b c',' y, z ',?",
    "1 , 'b c'\tx ?",
    ",,1,?,?,?,",
    "% c\n1,'5%','{%}',?",
    '1,"b c","it is",?',
]


@pytest.mark.parametrize("line", PLAIN)
def test_plain_rows_are_read_the_fast_way(line: str) -> None:
    plain = as_csv(f"{line}\n".encode())
    assert plain is not None
    parsing = Parsing(Path("r.arff"), FIELDS, False, [])
    assert columns_of(parsing.fast(*plain)) == columns_of(parsing.exact(TextBlock(1, f"{line}\n".encode())))
