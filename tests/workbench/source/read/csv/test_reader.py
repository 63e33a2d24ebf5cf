"""Delimited text of every kind that people have."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example as case
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.source import ReadOptions, SourceError, Table, preview, read_table
from workbench.source.read.csv import block as delimited_block
from workbench.source.read.csv import dialect
from workbench.source.read.csv import reader as delimited
from workbench.source.read.csv.reader import DelimitedReader
from workbench.source.read.opening import ByteSource
from workbench.source.read.options import silent
from workbench.source.read.text import text_blocks

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def writer(text: str | bytes, name: str = "file.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return writer


def values(table: Table) -> list[list[str | None]]:
    return [column.texts() for column in table]


@pytest.mark.parametrize(
    ("text", "delimiter", "decimal"),
    [
        ("x,y,class\n1,2.5,a\n3,-4e3,b\n", ",", "."),
        ("x;y;class\n1;2,5;a\n3;-4e3;b\n", ";", ","),
        ("x;y;class\n1;2.5;a\n3;-4e3;b\n", ";", "."),
        ("x\ty\tclass\n1\t2.5\ta\n3\t-4e3\tb\n", "\t", "."),
        ("x\ty\tclass\n1\t2,5\ta\n3\t-4e3\tb\n", "\t", ","),
        ("x|y|class\n1|2.5|a\n3|-4e3|b\n", "|", "."),
        ("x y class\n1 2.5 a\n3 -4e3 b\n", " ", "."),
        ("  x   y \t class\n 1   2.5  a \n 3  -4e3  b\n\n", " ", "."),
        ("x  y  class\n1  2,5  a\n3  -4e3  b\n", " ", ","),
    ],
)
def test_delimiter_and_decimal_sign_are_found_out(write: Write, text: str, delimiter: str, decimal: str) -> None:
    path = write(text)
    found = preview(path).options
    assert (found.delimiter, found.decimal, found.header) == (delimiter, decimal, True)
    table = read_table(path)
    assert table.names == ("x", "y", "class")
    assert table.kinds == ("numeric", "numeric", "nominal")
    assert values(table) == [["1", "3"], ["2.5", "-4000"], ["a", "b"]]


def test_blanks_inside_of_values_are_no_delimiter(write: Write) -> None:
    table = read_table(write("Bad Ems,3 km\nBad Orb,4 km\nBad Tölz,5 km\n"), ReadOptions(header=False))
    assert values(table) == [["Bad Ems", "Bad Orb", "Bad Tölz"], ["3 km", "4 km", "5 km"]]


def test_what_the_user_says_is_done(write: Write) -> None:
    path = write("1,5;2\n3,5;4\n")
    table = read_table(path, ReadOptions(delimiter=";", decimal=".", header=True, kinds={"1,5": "nominal"}))
    assert table.names == ("1,5", "2")
    assert values(table) == [["3,5"], ["4"]]


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("latin-1", "cp1252"),
        ("cp1252", "cp1252"),
    ],
)
def test_the_encoding_is_found_out_and_shown(write: Write, encoding: str, shown: str) -> None:
    path = write("größe,straße\n1.5,Öl\n2.5,Käse\n", encoding=encoding)
    assert preview(path).options.encoding == shown
    table = read_table(path)
    assert table.names == ("größe", "straße")
    assert values(table) == [["1.5", "2.5"], ["Öl", "Käse"]]


@pytest.mark.parametrize("missing", [tuple(map(str, range(50_000))), ("x" * 40_000,), ("é" * 15_000,)])
def test_too_many_or_too_long_texts_for_missing_values_are_refused(missing: tuple[str, ...]) -> None:
    with pytest.raises(SourceError, match=r"Give at most 1,000 texts of 20,000 bytes in all\.$"):
        ReadOptions(missing=missing)


def test_as_many_texts_for_missing_values_as_are_allowed_are_read(write: Write) -> None:
    texts = tuple(f"missing number {i:05}" for i in range(1_000))
    table = read_table(write("x,y\n1,2\nmissing number 00999,3\n"), ReadOptions(missing=texts))
    assert table["x"].missing.tolist() == [False, True]


def test_only_texts_stand_for_missing_values() -> None:
    with pytest.raises(SourceError, match="'7' is not a text for missing values"):
        ReadOptions(missing=(7,))  # type: ignore[arg-type]


def test_decimal_commas_are_no_delimiter_under_a_header_of_semicolons(write: Write) -> None:
    found = preview(write("size;class;colour\n" + "1,5;a;red\n2,5;b;blue\n" * 20)).options
    assert (found.delimiter, found.decimal) == (";", ",")


@pytest.mark.parametrize("name", ["rows.csv", "rows.arff", "rows.json"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_wide_encoding_without_its_mark_is_refused(write: Write, encoding: str, name: str) -> None:
    path = write("größe,straße\n1.5,Öl\n2.5,Käse\n", name)
    for read in (preview, read_table):
        with pytest.raises(SourceError, match=rf"^{name} is not {encoding} text \(.*\)\. Choose another encoding\.$"):
            read(path, ReadOptions(encoding=encoding))


@pytest.mark.parametrize("text", ['{"x": "\udcff"}\n', '[{"x": "\udcff"}]\n'])
def test_json_that_is_not_utf_8_is_refused(write: Write, text: str) -> None:
    path = write(text.encode(errors="surrogateescape"), "rows.json")
    for read in (preview, read_table):
        with pytest.raises(SourceError, match=r"^rows\.json is not utf-8 text\. Choose another encoding"):
            read(path, ReadOptions(encoding="utf-8"))


def test_a_late_latin_letter_changes_the_encoding_and_is_noted(write: Write) -> None:
    path = write(b"x,name\n" + b"1,plain\n" * 60_000 + b"2,Stra\xdfe\n")
    assert preview(path).options.encoding == "utf-8"
    table = read_table(path)
    assert table["name"].labels == ("Straße", "plain")
    assert table.notes == ("Read as cp1252: the text is not UTF-8.",)
    with pytest.raises(SourceError, match=r"file\.csv is not utf-8 text\. Choose another encoding"):
        read_table(path, ReadOptions(encoding="utf-8"))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end(write: Write, newline: str) -> None:
    assert values(read_table(write(newline.join(["x,y", "1,a", "2,b", ""])))) == [["1", "2"], ["a", "b"]]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_blocks_join_wherever_they_are_cut(write: Write, newline: str, size: int) -> None:
    lines = ["x,y", '1,"a, ""b"""', '2,"two\nlines"', '3,5" disk', "4,ü"]
    path = write(newline.join(lines))
    whole = read_table(path)
    source = ByteSource(path)
    blocks = list(text_blocks(source, "utf-8", '"', size))
    source.close()
    joined = b"".join(block.data for block in blocks).decode()
    assert joined == newline.join(lines).replace("\r\n", "\n").replace("\r", "\n") + "\n"
    assert [block.first_line for block in blocks] == [
        1 + b"".join(before.data for before in blocks[:i]).count(b"\n") for i in range(len(blocks))
    ]
    assert whole["y"].texts() == ['a, "b"', "two\nlines", '5" disk', "ü"]


@pytest.mark.parametrize(
    ("text", "header", "names"),
    [
        ("1,2\n3,4\n", False, ("column 1", "column 2")),
        ("a,b\n1,2\n", True, ("a", "b")),
        ("id,2019,2020\n1,3,4\n2,5,6\n", True, ("id", "2019", "2020")),
        ("name,town\nAnn,Ulm\nBob,Bonn\n", True, ("name", "town")),
        ("red,small\nblue,big\nred,big\n", False, ("column 1", "column 2")),
        ("yes,no\nno,yes\nyes,no\n", False, ("column 1", "column 2")),
        ("5.1,setosa\n4.9,setosa\n", False, ("column 1", "column 2")),
        ("?,2\n3,4\n", False, ("column 1", "column 2")),
        ("7\n", False, ("column 1",)),
        ("when,x\n2026-01-31,1\n", True, ("when", "x")),
    ],
)
def test_a_header_is_told_from_data(write: Write, text: str, header: bool, names: tuple[str, ...]) -> None:
    path = write(text)
    assert preview(path).options.header is header
    assert read_table(path).names == names


def test_comments_and_titles_above_the_table(write: Write) -> None:
    savetxt = write("# made by numpy\n#\n1 2\n3 4\n")
    assert preview(savetxt).options.skip_lines == 2
    assert values(read_table(savetxt)) == [["1", "3"], ["2", "4"]]
    # A name may start with # as well.
    assert read_table(write("#,name\n1,a\n2,b\n")).names == ("#", "name")
    report = write("Sales of 2026\nby region, in EUR\nregion,sum\nnorth,5\nsouth,6\neast,7\n")
    with pytest.raises(SourceError, match=r"line 1: 'Sales of 2026' has 1 value .* or the lines above the table"):
        read_table(report)
    table = read_table(report, ReadOptions(skip_lines=2))
    assert table.names == ("region", "sum")
    assert table["sum"].texts() == ["5", "6", "7"]
    late = write("title\nx,y\n1,2\n3\n")
    with pytest.raises(SourceError, match=r"line 4: '3' has 1 value"):
        read_table(late, ReadOptions(skip_lines=1))
    with pytest.raises(SourceError, match=r"is empty below line 9"):
        read_table(late, ReadOptions(skip_lines=9))


def test_names_are_made_unique_and_the_change_is_noted(write: Write) -> None:
    table = read_table(write("x,,x,x (2)\n1,2,3,4\n5,6,7,8\n"))
    assert table.names == ("x", "column 2", "x (3)", "x (2)")
    assert table.notes == ("Columns renamed: '' → 'column 2', 'x' → 'x (3)'.",)


def test_row_names_of_r_and_pandas_are_ignored(write: Write) -> None:
    from_r = read_table(write('"len" "width"\n"1" 3.5 2\n"2" 4.5 1\n'))
    from_pandas = read_table(write(pd.DataFrame({"len": [3.5, 4.5], "width": [2, 1]}).to_csv()))
    for table in (from_r, from_pandas):
        assert table.names == ("row name", "len", "width")
        assert table.roles == ("ignored", "input", "input")


def test_missing_values(write: Write) -> None:
    table = read_table(write("x,y,z\n1,a,\n?, ?,NA\nnan,N/A,null\n4,b,\n"))
    assert values(table) == [["1", None, None, "4"], ["a", None, None, "b"], [None] * 4]
    assert table.n_missing == 8
    assert table.roles[2] == "ignored"
    only = read_table(write("x,y\n-9,a\n1,?\n"), ReadOptions(missing=("-9",)))
    assert values(only) == [[None, "1"], ["a", "?"]]


def test_dates(write: Write) -> None:
    text = (
        "day,stamp,german,british,american,zoned,unclear\n"
        "2026-01-31,2026-01-31 12:30:15,31.1.2026,31/01/2026,01/31/2026,2026-01-31T12:30:00+02:00,01/02/2026\n"
        "2026-02-01,2026-02-01 00:00:00.5,01.02.2026,01/02/2026,02/01/2026,2026-02-01T00:00:00Z,03/04/2026\n"
    )
    table = read_table(write(text))
    assert table.kinds == ("date",) * 6 + ("nominal",)
    days = [["2026-01-31", "2026-02-01"]]
    assert values(table)[:1] + values(table)[2:5] == days * 4
    assert values(table)[1] == ["2026-01-31T12:30:15.000000", "2026-02-01T00:00:00.500000"]
    assert values(table)[5] == ["2026-01-31T10:30:00", "2026-02-01T00:00:00"]


def test_numbers_in_every_spelling(write: Write) -> None:
    table = read_table(write('x,y\n+1,"2"\n 1e-3 ,.5\n-7.,"  3 "\n12345678901234567890,0\n'))
    assert table.kinds == ("numeric", "numeric")
    np.testing.assert_array_equal(table["x"].values, [1, 0.001, -7, 12345678901234567890.0])
    np.testing.assert_array_equal(table["y"].values, [2, 0.5, 3, 0])


def test_infinite_values_become_missing_with_a_note(write: Write) -> None:
    table = read_table(write("x\n1\ninf\n-inf\n"))
    assert values(table) == [["1", None, None]]
    assert table.notes == ("Column 'x': 2 infinite values are read as missing.",)


def test_a_late_text_makes_a_column_text_and_says_why(write: Write) -> None:
    path = write("x,y\n" + "1,2\n" * 100_000 + "oops,2\n" + "1,2\n" * 10)
    assert preview(path).table.kinds == ("numeric", "numeric")
    table = read_table(path)
    assert table.kinds == ("nominal", "numeric")
    assert table["x"].labels == ("1", "oops")
    assert table.notes == (
        "Column 'x' is text because of 'oops' in line 100,002; give that as a missing value to read numbers.",
    )
    assert read_table(path, ReadOptions(missing=("oops",))).kinds == ("numeric", "numeric")
    with pytest.raises(SourceError, match=r"file\.csv, line 100,002, column 'x': 'oops' is not a number"):
        read_table(path, ReadOptions(kinds={"x": "numeric"}))


def test_text_is_nominal_where_it_is_a_choice_among_few(write: Write) -> None:
    rows = "".join(f"name {i},{'ab'[i % 2]},town {i % 90}\n" for i in range(300))
    table = read_table(write(f"name,class,town\n{rows}"))
    assert table.kinds == ("string", "nominal", "nominal")
    assert table.roles == ("ignored", "target", "input")
    chosen = read_table(write(f"name,class,town\n{rows}"), ReadOptions(kinds={"name": "nominal", "town": "string"}))
    assert chosen.kinds == ("nominal", "nominal", "string")


def test_blanks_around_labels_do_not_count(write: Write) -> None:
    table = read_table(write("x, class\n1, a\n2,a \n3, b\n"))
    assert table["class"].labels == ("a", "b")


def test_bad_lines_can_be_skipped(write: Write) -> None:
    path = write("x,y\n1,2\n3\n4,5,6\n7,8\n")
    table = read_table(path, ReadOptions(bad_lines="skip"))
    assert values(table) == [["1", "7"], ["2", "8"]]
    assert table.notes == ("2 lines with too few or too many values are skipped, such as '3'.",)
    assert preview(path).table.n_rows == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_open_whatever_their_name(write: Write, pack: Callable[[bytes], bytes]) -> None:
    assert values(read_table(write(pack(b"x,y\n1,a\n2,b\n"), name="table"))) == [["1", "2"], ["a", "b"]]


def test_zip_archives(tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("__MACOSX/._a.csv", "junk")
        archive.writestr("a.csv", "x\n1\n")
    assert values(read_table(path)) == [["1"]]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("b.csv", "x\n2\n")
    with pytest.raises(SourceError, match=r"two\.zip holds 2 files\. Choose one of them as member: a\.csv, b\.csv"):
        read_table(path)
    assert values(read_table(path, ReadOptions(member="b.csv"))) == [["2"]]
    with pytest.raises(SourceError, match=r"holds no file 'c\.csv'"):
        read_table(path, ReadOptions(member="c.csv"))


def test_a_preview_estimates_what_it_has_not_read(write: Write) -> None:
    path = write("x,y,class\n" + "1.25,2.5,a\n" * 200_000)
    found = preview(path)
    assert (found.format, found.exact, found.table.n_rows) == ("CSV", False, 100)
    assert found.n_rows == pytest.approx(200_000, rel=0.01)
    assert found.memory == pytest.approx(200_000 * (8 + 8 + 4), rel=0.01)
    assert found.file_size == path.stat().st_size
    packed = write(gzip.compress(path.read_bytes()), name="packed.csv.gz")
    assert preview(packed).n_rows > 1000


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\x0b\x0c\x85"), max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.floats(allow_nan=False, allow_infinity=False), texts.filter(lambda t: t.strip() == t and len(t) > 0)
        ),
        min_size=3,
        max_size=20,
    )
)
def test_what_pandas_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[float, str]]
) -> None:
    path = tmp_path_factory.mktemp("csv") / "pandas.csv"
    frame = pd.DataFrame(rows, columns=["x", "label"])
    frame.to_csv(path, index=False)
    options = ReadOptions(delimiter=",", header=True, missing=("",), kinds={"x": "numeric", "label": "nominal"})
    table = read_table(path, options)
    np.testing.assert_array_equal(table["x"].values, frame["x"])
    assert table["label"].texts() == frame["label"].tolist()


def test_options_that_make_no_sense_are_refused() -> None:
    for options, message in (
        ({"delimiter": "::"}, "'::' is not a delimiter"),
        ({"delimiter": "§"}, "'§' is not a delimiter"),
        ({"skip_lines": -1}, "'-1' is not a number of lines"),
        ({"decimal": "x"}, "'x' is not a decimal sign"),
        ({"decimal": ",", "delimiter": ","}, "',' is both delimiter and decimal sign"),
        ({"encoding": "klingon"}, "'klingon' is not a known encoding"),
        ({"encoding": "hex"}, "'hex' is not a known encoding"),
        ({"encoding": "idna"}, "'idna' is not a known encoding"),
        ({"encoding": "undefined"}, "'undefined' is not a known encoding"),
        ({"kinds": {"x": "number"}}, "Column 'x': 'number' is not a kind"),
        ({"quote": "''"}, "\"''\" is not a quote"),
    ):
        with pytest.raises(SourceError, match=message):
            ReadOptions(**options)


def test_a_kind_for_a_column_that_is_not_there(write: Write) -> None:
    with pytest.raises(SourceError, match=r"file\.csv: 'z' is not a column\. Choose one of: x, y"):
        read_table(write("x,y\n1,2\n"), ReadOptions(kinds={"z": "nominal"}))


awkward = st.text(st.sampled_from(['"', ",", "\n", " ", "a", "1", "?", "ü", "'", "\t", ";"]), max_size=6)


@settings(max_examples=300, deadline=None)
@case([(0, "", ""), (0, "", '1"\n,,')], 15)
@given(st.lists(st.tuples(st.integers(-999, 999), awkward, awkward), min_size=2, max_size=30), st.integers(1, 80))
def test_at_once_and_block_by_block_are_one(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, str]], size: int
) -> None:
    path = tmp_path_factory.mktemp("csv") / "awkward.csv"
    pd.DataFrame(rows, columns=["x", "first", "second"]).to_csv(path, index=False)
    options = ReadOptions(delimiter=",", header=True, kinds={"x": "numeric", "first": "nominal", "second": "nominal"})
    reader = DelimitedReader(path, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "BLOCK", size)
        patch.setattr(delimited_block, "BLOCK", size)
        at_once, in_blocks = reader._built_at_once(silent), reader._built(silent)
    expected = [None if text.strip() in options.missing else text.strip() for _, text, _ in rows]
    assert in_blocks["first"].texts() == expected
    # Arrow refuses a value that runs over the end of its block; a quarter of the time is no reason to guess.
    assert at_once is None or values(at_once) == values(in_blocks)


def test_most_files_are_read_at_once(write: Write) -> None:
    for text in ("x,y\n1,a\n2,b\n", 'x;y\n"1";"a;b"\n2;c\n', "x,y\n1, ?\n?,b\n"):
        assert DelimitedReader(write(text), ReadOptions())._built_at_once(silent) is not None


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from([" ", "\t", "\n", "a", "ü", "'", '"'])), st.sampled_from([None, "'", '"']))
def test_blanks_are_squeezed_as_by_two_regular_expressions(text: str, quote: str | None) -> None:
    stripped = re.sub(r"(?m)^[ \t]+|[ \t]+$", "", text)
    value = f"{quote}[^{quote}\n]*{quote}|" if quote is not None else ""
    expected = re.sub(f"({value}[ \t]+)", lambda found: found[0] if found[0].strip(" \t") else "\t", stripped)
    assert dialect.squeezed(text.encode(), quote).decode() == expected


def test_long_lines_are_judged_piece_by_piece(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines in one call held the interpreter for a second, and the window with it; each delimiter took all."""
    longest = 300_000
    given_at_once, sniffed = lengths_given(monkeypatch, "squeezed"), lengths_given(monkeypatch, "_delimiter")
    path = write("x,text\n" + "".join(f"{row},{'word ' * (longest // 5)}{row}\n" for row in range(60)))
    assert preview(path).table.names == ("x", "text")
    assert max(given_at_once) < dialect.PIECE + 2 * longest
    assert sniffed[0] < dialect.SNIFFED_CHARACTERS + 2 * longest


def lengths_given(monkeypatch: pytest.MonkeyPatch, name: str) -> list[int]:
    """How much text a function is given from now on."""
    found: list[int] = []
    call = getattr(dialect, name)

    def noted(text: str | bytes, *others: object) -> object:
        found.append(len(text))
        return call(text, *others)

    monkeypatch.setattr(dialect, name, noted)
    return found


def test_a_delimiter_is_judged_by_some_lines_however_long(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "SNIFFED_CHARACTERS", 10)
    path = write("a title; of two words\nx,y\n1,2\n3,4\n5,6\n7,8\n")
    assert preview(path, ReadOptions(skip_lines=1)).options.delimiter == ","
    assert preview(write("x,y\n1,2\n3,4\n5,6\n")).options.delimiter == ","


def test_arrows_blocks_are_given_up_one_by_one(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of five thousand columns, all at a time, held the interpreter for a tenth of a second."""
    given: list[list[object]] = []
    at_once = delimited_block.BlockParser.at_once

    def noted(parser: delimited_block.BlockParser, *arguments: Any) -> list[Any]:
        given.append(at_once(parser, *arguments))
        return given[-1]

    monkeypatch.setattr(delimited_block.BlockParser, "at_once", noted)
    assert read_table(write("x,y\n1,a\n2,b\n")).n_rows == 2
    assert given == [[]]


@pytest.mark.parametrize("is_large", [False, True])
def test_a_byte_order_mark_below_the_first_line_is_a_character(
    write: Write, monkeypatch: pytest.MonkeyPatch, is_large: bool
) -> None:
    if is_large:
        monkeypatch.setattr(delimited, "AT_ONCE", 0)
    table = read_table(write("\ufeffa,b\n\ufeffx,1\ny,2\n"))
    assert values(table) == [["\ufeffx", "y"], ["1", "2"]]
