"""Rows of an ARFF file: values, comments, gaps, dates, weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.workbench.source.read.arff.files import HEADER, read, reader, values, written


def test_a_question_mark_is_missing_unless_it_is_quoted(tmp_path: Path) -> None:
    table = read(tmp_path, "@relation r\n@attribute c {'?',b}\n@attribute s string\n@data\n?,?\n'?','?'\n\"?\",b\n")
    assert values(table) == [(None, None), ("?", "?"), ("?", "b")]


def test_comments_between_the_rows_and_at_the_end_are_passed_over(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "% one\n1,a,x\n% it's \"two\n   % three {\n2,'b c',y\n%\n%")
    assert values(table) == [("1", "a", "x"), ("2", "b c", "y")]


def test_a_comment_after_the_values_ends_the_line(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "1,a,x % one, two\n2,'b c','50%'% three\n")
    assert values(table) == [("1", "a", "x"), ("2", "b c", "50%")]


@pytest.mark.parametrize("row", ["1,'b c',x", "1 'b c' x", ' 1\t\t"b c" ,x ', "1,,'b c',,,x,", "'1', 'b c', 'x'"])
def test_values_are_divided_by_any_run_of_blanks_and_commas(row: str, tmp_path: Path) -> None:
    assert values(read(tmp_path, f"{HEADER}{row}\n{row}\n")) == [("1", "b c", "x")] * 2


def test_blanks_within_quotes_belong_to_the_value(tmp_path: Path) -> None:
    text = "@relation r\n@attribute c {' a','a ', a}\n@attribute s string\n@data\n' a',' x '\n'a ',x\na,'\u00a0'\n"
    assert values(read(tmp_path, text)) == [(" a", " x "), ("a ", "x"), ("a", "\u00a0")]


def test_a_sparse_row_leaves_out_zeros(tmp_path: Path) -> None:
    text = """@relation r
@attribute x numeric
@attribute c {a,b}
@attribute s string
@attribute d date 'MM/dd/yyyy'
@attribute e {}
@data
{0 5, 2 'a b', 3 01/31/2026}
{ 1 b , 2 ? }
{}
1 a z 02/28/2026 ?
"""
    table = read(tmp_path, text)
    assert values(table) == [
        ("5", "a", "a b", "2026-01-31", None),
        ("0", "b", None, "1970-01-01", None),
        ("0", "a", None, "1970-01-01", None),
        ("1", "a", "z", "2026-02-28", None),
    ]


def test_rows_may_have_weights(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "1,a,x,{2.5}\n2,d,y\n{0 3} , {0}\n")
    assert table.weights is not None
    assert table.weights.tolist() == [2.5, 1.0, 0.0]
    assert table.is_weightless.tolist() == [False, False, True]
    note = "The rows have weights from 0 to 2.5, which learning uses. 1 row of weight 0 will not be learned."
    assert table.notes[-1] == note
    plain = read(tmp_path, HEADER + "1,a,x\n")
    assert (plain.weights, plain.weight_range, plain.notes) == (None, "", ())
    assert not plain.is_weightless.any()
    assert read(tmp_path, HEADER + "1,a,x,{3}\n").notes[-1] == "The rows have weights of 3, which learning uses."


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("yyyy-MM-dd'T'HH:mm:ss", "2026-01-31T12:30:59", "2026-01-31T12:30:59"),
        ("yyyy-MM-dd HH:mm:ss.SSS", "2026-01-31 12:30:59.007", "2026-01-31T12:30:59.007"),
        ("dd.MM.yyyy", "1.2.2026", "2026-02-01"),
        ("yyyyMMddHHmm", "202601311230", "2026-01-31T12:30"),
        ("MM/dd/yy", "01/31/26", "2026-01-31"),
        ("MM/dd/yy", "01/31/69", "1969-01-31"),
        ("d. M. yyyy h:mm a", "1. 2. 2026 12:05 am", "2026-02-01T00:05"),
        ("d. M. yyyy hh:mm a", "1. 2. 2026 12:05 PM", "2026-02-01T12:05"),
        ("yyyy-MM-dd'T'HH:mm:ssZ", "2026-01-31T00:30:00+0100", "2026-01-30T23:30"),
        ("yyyy-MM-dd HH:mm XXX", "2026-01-31 12:30 -05:30", "2026-01-31T18:00"),
        ("HH 'o''clock'", "9 o'clock", "1970-01-01T09:00"),
    ],
)
def test_dates_are_read_in_the_declared_format(pattern: str, text: str, expected: str, tmp_path: Path) -> None:
    declared = pattern.replace("'", r"\'")
    path = written(tmp_path, f"@relation r\n@attribute d date '{declared}'\n@data\n\"{text}\"\n?\n")
    moments = reader(path).table()["d"].values
    assert moments[0] == np.datetime64(expected, "us")
    assert np.isnat(moments[1])


def test_infinite_numbers_are_missing_with_a_note(tmp_path: Path) -> None:
    path = written(tmp_path, "@relation r\n@attribute x real\n@data\nInfinity\n1e999\nNaN\n1\n")
    table = reader(path).table()
    assert values(table) == [(None,), (None,), (None,), ("1",)]
    assert table.notes == ("Column 'x': 2 infinite values are read as missing.",)
    assert [values(block) for block in reader(path).blocks()] == [values(table)]


def test_lines_of_a_wrong_width_can_be_skipped(tmp_path: Path) -> None:
    table = read(tmp_path, HEADER + "1,a,x\n2,a\n3,a,y,z\n4,a,w\n", bad_lines="skip")
    assert values(table) == [("1", "a", "x"), ("4", "a", "w")]
    assert table.notes == ("2 lines with too few or too many values are skipped, such as '2,a'.",)


def test_the_user_may_choose_another_kind(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "10,a,x\n2,d,y\n")
    assert reader(path, kinds={"x": "nominal", "s": "nominal"}).table()["x"].labels == ("2", "10")
    assert next(reader(path, kinds={"s": "nominal"}).blocks())["s"].labels == ("x", "y")
