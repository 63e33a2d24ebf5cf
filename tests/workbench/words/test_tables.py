"""Tables as CSV, JSON and LaTeX: nothing a user's label contains breaks them, numbers survive exactly."""

from __future__ import annotations

import csv
import io
import json
import math

from hypothesis import given
from hypothesis import strategies as st

from workbench.words.tables import FORMULA_STARTS, LATEX_SIGNS, csv_text, json_text, latex_tabular, latex_text

TEXTS = st.text().filter(lambda text: "\0" not in text)


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2)))
def test_raw_texts_survive_csv(rows: list[list[str]]) -> None:
    out = io.StringIO(csv_text(["a", "b"], rows, raw=True), newline="")
    assert list(csv.reader(out)) == [["a", "b"], *rows]


@given(TEXTS)
def test_no_text_but_a_number_begins_like_a_formula(label: str) -> None:
    ((written,),) = csv.reader(io.StringIO(csv_text([f"={label}"], []), newline=""))
    assert written == f"'={label}"
    ((written,), *_) = csv.reader(io.StringIO(csv_text(["x" + label], []), newline=""))
    assert not written.startswith(FORMULA_STARTS)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_back_exactly(number: float) -> None:
    assert float(csv_text(["x"], [[number]]).splitlines()[1]) == number
    assert json.loads(json_text({"x": number})) == {"x": number}


def test_json_has_null_where_there_is_no_number_however_deep() -> None:
    assert json.loads(json_text({"a": [{"b": (math.nan, 1)}, math.inf]})) == {"a": [{"b": [None, 1]}, None]}


def test_json_is_readable_text_that_ends_with_a_line() -> None:
    assert "β" in json_text({"name": "β"})
    assert json_text([]).endswith("\n")


@given(st.text(st.sampled_from("".join(LATEX_SIGNS) + "ab 1")))
def test_latex_is_ascii_and_balanced(text: str) -> None:
    written = latex_text(text)
    assert written.isascii()
    unescaped = written.replace("\\\\", "").replace("\\{", "").replace("\\}", "").replace("\\$", "")
    assert unescaped.count("{") == unescaped.count("}")
    assert unescaped.count("$") % 2 == 0


def test_a_table_has_a_line_around_every_group_and_its_note_across_all_columns() -> None:
    text = latex_tabular("l|rr", [[["a", "b", "c"]], [["1", "2", "3"]]], note="all rows")
    assert text.count(r"\hline") == 3
    assert text.splitlines()[-2:] == [r"\multicolumn{3}{l}{all rows}", r"\end{tabular}"]
