from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workbench.source.read.arff.files import reader, same_columns
from tests.workbench.source.read.arff.weka import BUNDLED, assert_weka_has, example, weka_tables
from workbench.source.errors import SourceError
from workbench.source.read.arff import writer as arff_writer
from workbench.source.read.arff.header import DEFAULT_DATE
from workbench.source.read.arff.writer import quoted, write_arff
from workbench.source.table.table import Column, Table

ODD_TEXTS = [
    *("plain", "two words", "", "?", "it's", 'say "x"', "50%", "a,b", "{brace}", "back\\slash", "C:\\new\\u0041", "\\"),
    *(
        "line\nbreak",
        "return\rhere",
        "tab\there",
        " edge ",
        "größe",
        "日本",
        "😀",
        "\x00",
        "\x01\x1e",
        "\u2028",
        "\xa0",
    ),
    *("@data", "%", "'", '"', "-", "1e5", "a'b'c", "NaN", "\ufeff"),
]


def dates(*texts: str, pattern: str = "", name: str = "when") -> Column:
    return Column(name, "date", np.array(texts, dtype="datetime64[us]"), date_format=pattern)


def strings(name: str, *texts: str | None) -> Column:
    return Column(name, "string", np.array([*texts, None], dtype=object)[:-1])


def text_of(table: Table, folder: Path) -> str:
    write_arff(table, folder / "t.arff")
    return (folder / "t.arff").read_text(encoding="utf-8")


def read_back(table: Table, folder: Path) -> Table:
    write_arff(table, folder / "t.arff")
    return reader(folder / "t.arff").table()


ODD = Table(
    "an odd 'relation'",
    (
        Column.numeric("x {1}", np.linspace(-1, 1, len(ODD_TEXTS)) / 3),
        Column.nominal("the 100%, 'all'", [*ODD_TEXTS[:-1], None], [*ODD_TEXTS, "unused"]),
        strings("s", *ODD_TEXTS[1:], None),
        dates(*["1582-12-31T23:59:59", "NaT"], *["2026-01-31T12:30:00"] * (len(ODD_TEXTS) - 2)),
        dates(*["2026-01-31T12:30:59.123"] * len(ODD_TEXTS), name="fine"),
        dates(*["2026-01-31T12:30"] * len(ODD_TEXTS), name="own", pattern="dd.MM.yyyy, h:mm a"),
    ),
    np.linspace(0, 3, len(ODD_TEXTS)),
)


def test_a_file_reads_well(tmp_path: Path) -> None:
    table = Table(
        "iris flowers",
        (
            Column.numeric("petal length", [1.4, np.nan, 5]),
            Column.numeric("count", np.array([1, -2, 3], dtype=np.int64)),
            Column.nominal("class", ["setosa", "iris virginica", None], ["setosa", "iris virginica", "other"]),
            strings("note", "it's", None, "fine"),
            dates("2026-01-31", "NaT", "2026-02-01", pattern="yyyy-MM-dd"),
        ),
        np.array([1, 2.5, 0]),
    )
    assert (
        text_of(table, tmp_path)
        == r"""@relation 'iris flowers'

@attribute 'petal length' numeric
@attribute count numeric
@attribute class {setosa,'iris virginica',other}
@attribute note string
@attribute when date yyyy-MM-dd

@data
1.4,1,setosa,'it\'s',2026-01-31,{1}
?,-2,'iris virginica',?,?,{2.5}
5,3,?,fine,2026-02-01,{0}
"""
    )


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_quotes_and_escapes_stand_where_weka_needs_them(text: str) -> None:
    plain = not set(text) & set(" ,{}'\"%\\\n\r\t\x00\x01") and text not in {"", "?"}
    assert (quoted(text) == text) == plain


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    back = read_back(ODD, tmp_path)
    assert back.name == ODD.name
    formats = ["", "", "", DEFAULT_DATE, arff_writer.MILLISECONDS, ODD["own"].date_format]
    expected = [replace(column, date_format=pattern) for column, pattern in zip(ODD, formats, strict=True)]
    assert same_columns(back, ODD.with_columns(expected))
    assert back.weights is not None
    assert ODD.weights is not None
    assert back.weights.tolist() == ODD.weights.tolist()


def test_weka_reads_what_is_written(tmp_path: Path) -> None:
    rows = np.arange(20) % 7
    plain = Table(
        "plain", (Column.numeric("x", 10.0**rows / 3), Column.nominal("c", map(str, rows)), strings("s", *"ab" * 10))
    )
    single = Table("", (Column("none", "nominal", np.full(2, -1, dtype=np.int32), ("a",)),))
    bundled = [reader(example(name)).table() for name in BUNDLED.values()]
    tables = [ODD, plain, single, *bundled]
    paths = [tmp_path / f"{position}.arff" for position in range(len(tables))]
    for table, path in zip(tables, paths, strict=True):
        write_arff(table, path)
    for weka, table in zip(weka_tables(tmp_path, paths), tables, strict=True):
        assert_weka_has(weka, table)


def test_numbers_keep_every_digit(tmp_path: Path) -> None:
    numbers = np.array([0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 1e15, 123456789.123456789, 2**53 + 1.0])
    narrow = Column.numeric("narrow", numbers[:2].repeat(4).astype(np.float32))
    small = Column.numeric("small", np.arange(8, dtype=np.uint8))
    flags = Column.numeric("flags", np.arange(8) % 2 == 0)
    back = read_back(Table("t", (Column.numeric("x", numbers), narrow, small, flags)), tmp_path)
    assert back["x"].values.tobytes() == numbers.tobytes()
    assert back["narrow"].values.tolist() == narrow.values.astype(np.float64).tolist()
    assert back["small"].values.tolist() == list(range(8))
    assert back["flags"].values.tolist() == [1, 0] * 4


def test_an_infinite_number_is_written_as_java_reads_it(tmp_path: Path) -> None:
    assert "\nInfinity\n-Infinity\n?\n" in text_of(
        Table("t", (Column.numeric("x", [np.inf, -np.inf, np.nan]),)), tmp_path
    )


def test_a_format_that_does_not_say_the_whole_date_is_replaced(tmp_path: Path) -> None:
    for pattern in ("yyyy-MM-dd", "dd.MM.yy HH:mm", "HH:mm", "EEE", "yyyy-MM-dd hh:mm"):
        table = Table("t", (dates("2026-01-31T12:30", pattern=pattern),))
        assert "@attribute when date 'yyyy-MM-dd\\'T\\'HH:mm:ss'\n" in text_of(table, tmp_path)
        assert read_back(table, tmp_path)["when"].values.tolist() == table["when"].values.tolist()


def test_microseconds_are_cut_off_with_a_note(tmp_path: Path) -> None:
    table = Table("t", (dates("2026-01-31T12:30:59.123456"),))
    assert write_arff(table, tmp_path / "t.arff") == (
        "Column 'when': the dates are cut off at the millisecond, as far as ARFF goes.",
    )
    assert (tmp_path / "t.arff").read_text().endswith("2026-01-31T12:30:59.123\n")
    assert write_arff(ODD, tmp_path / "t.arff") == ()


def test_a_table_of_many_pieces_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arff_writer, "CELLS", 10)
    table = Table(
        "t", (Column.numeric("x", np.arange(1001.0)), Column.nominal("c", ["a", None, "b c"] * 333 + ["a", "a"]))
    )
    assert same_columns(read_back(table, tmp_path), table)


def test_a_table_without_rows_is_a_header(tmp_path: Path) -> None:
    assert text_of(Table("t", (Column.numeric("x", []),)), tmp_path).endswith("\n@data\n")


# Files and folders -----------------------------------------------------------------------------------------------

SMALL = Table("t", (Column.numeric("x", [1.0]),))


def test_the_old_file_stays_if_anything_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.arff"
    path.write_text("old")

    def stop(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(arff_writer, "_text_of", stop)
    with pytest.raises(KeyboardInterrupt):
        write_arff(SMALL, path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["t.arff"]


def test_a_new_file_replaces_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "t.arff").write_text("old")
    assert text_of(SMALL, tmp_path).startswith("@relation t\n")
    assert os.listdir(tmp_path) == ["t.arff"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        write_arff(SMALL, tmp_path / "none" / "t.arff")
    assert str(caught.value) == "none does not exist. Make the folder, or choose another one."


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        write_arff(SMALL, tmp_path)
    assert str(caught.value) == f"{tmp_path.name} is a folder. Give the name of a file."


def test_a_folder_that_may_not_be_written_to_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    # Permissions do not hold root back.
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError) as caught:
        write_arff(SMALL, tmp_path / "t.arff")
    assert str(caught.value) == f"{tmp_path.name} is a folder that you may not write to. Choose another folder."


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    error = arff_writer._refusal(tmp_path / "t.arff", OSError(28, "No space left on device"))
    assert str(error) == "t.arff cannot be written (No space left on device). Check the disk, or choose another."


def test_a_date_beyond_the_calendar_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        write_arff(Table("t", (dates("12026-01-31"),)), tmp_path / "t.arff")
    assert str(caught.value) == (
        "Column 'when': '12026-01-31T00:00:00.000000' lies outside the years 1 to 9999. Leave the column out, or make "
        "it numeric."
    )


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    for table in (Table("\ud800", SMALL.columns), Table("t", (strings("s", "\ud800"),))):
        with pytest.raises(SourceError) as caught:
            write_arff(table, tmp_path / "t.arff")
        assert "holds half a character, which no file can hold. Mend it." in str(caught.value)
        assert not list(tmp_path.iterdir())


# Any table -------------------------------------------------------------------------------------------------------

TEXTS = (
    st.sampled_from(ODD_TEXTS)
    | st.text("ab'\"%{},\\ ?\n\r\tué😀", max_size=6)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
NAMES = TEXTS.filter(lambda name: name.strip() == name != "")
MOMENTS = st.integers(-(10**12), 10**12).map(lambda number: np.datetime64(number, "ms").astype("datetime64[us]"))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    n_rows = draw(st.integers(1, 5))
    columns = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)):
        kind = draw(st.sampled_from(["numeric", "nominal", "string", "date"]))
        if kind == "numeric":
            numbers = st.floats(allow_infinity=False)
            columns.append(Column.numeric(name, draw(st.lists(numbers, min_size=n_rows, max_size=n_rows))))
        elif kind == "nominal":
            labels = draw(st.lists(TEXTS, max_size=4, unique=True))
            codes = draw(st.lists(st.integers(-1, len(labels) - 1), min_size=n_rows, max_size=n_rows))
            columns.append(Column(name, "nominal", np.array(codes, dtype=np.int32), tuple(labels)))
        elif kind == "string":
            columns.append(strings(name, *draw(st.lists(TEXTS | st.none(), min_size=n_rows, max_size=n_rows))))
        else:
            moments = draw(st.lists(MOMENTS | st.just(np.datetime64("NaT", "us")), min_size=n_rows, max_size=n_rows))
            columns.append(Column(name, "date", np.array(moments, dtype="datetime64[us]")))
    weights = draw(st.none() | st.lists(st.floats(0, 1e9), min_size=n_rows, max_size=n_rows).map(np.array))
    return Table(draw(TEXTS), tuple(columns), weights)


@given(tables())
@hypothesis.example(Table("plain", (Column("a", "nominal", np.zeros(1, np.int32), ("\ufeff",)),)))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_table_comes_back_as_it_was(tmp_path: Path, table: Table) -> None:
    back = read_back(table, tmp_path)
    assert back.name == (table.name or "t")
    assert (back.names, back.kinds, back.n_rows) == (table.names, table.kinds, table.n_rows)
    for old, new in zip(table, back, strict=True):
        assert old.labels == new.labels
        assert np.array_equal(old.missing, new.missing)
        assert old.values[~old.missing].tolist() == new.values[~new.missing].tolist()
    assert (table.weights is None) == (back.weights is None)
    if table.weights is not None and back.weights is not None:
        assert back.weights.tolist() == table.weights.tolist()
