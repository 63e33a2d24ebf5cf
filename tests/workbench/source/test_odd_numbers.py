"""Numbers at the ends of what a double holds, and what looks like numbers: read, summed up, encoded."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.workbench.source.odd_numbers import ODD_FILES
from workbench.source import Column, Encoding, ReadOptions, SourceError, Table, preview, read_table, stream_rows
from workbench.source.table.profile import profile_of

MAX = sys.float_info.max
EXTREMES = [
    [MAX, -MAX / 4],
    [MAX, MAX, MAX / 4],
    [1e155, 1.0, 2.0],
    [1e300, 1e-300],
    [1e-300, 3e-300, 1e-299],
    [1e200 * i for i in range(-3, 40)],
    [2.0**63, 2.0**63 - 4096],
    [1.5e-320, 4e-320, 1e-319],
]


@pytest.mark.parametrize("name", ODD_FILES)
def test_an_odd_file_is_read_summed_up_and_encoded(name: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(ODD_FILES[name], encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert preview(path).n_rows
        table = read_table(path)
        for column in table:
            figures = [column.summary.minimum, column.summary.maximum, column.summary.mean, column.summary.std]
            assert all(figure is None or math.isfinite(float(figure)) for figure in figures)
            column.texts()
        for scaling in ("none", "standard"):
            try:
                stream = stream_rows(path, Encoding(scaling))
            except SourceError as error:
                assert "has no column in use" in error.template  # noqa: PT017 - most files have one
                continue
            rows = np.concatenate(list(stream))
            assert len(rows) == table.n_rows
            assert not np.isinf(rows).any()
            assert np.isfinite(stream.encoder.scale[~np.isnan(rows).all(axis=0)]).all()
            stream.encoder.decode(rows)


@pytest.mark.parametrize("values", EXTREMES)
def test_mean_and_std_are_exact_over_the_whole_range_of_doubles(values: list[float]) -> None:
    exact = list(map(Fraction, values))
    mean = sum(exact) / len(exact)
    unit = Fraction(math.ulp(max(map(abs, values))))
    squares = sum(((value - mean) / unit) ** 2 for value in exact)
    shown, learned = (math.sqrt(squares / n) * float(unit) for n in (len(exact) - 1, len(exact)))
    table = Table("t", (Column.numeric("x", values),))
    summary = table["x"].summary
    whole = profile_of([table]).columns[0]
    in_two = profile_of([table.take(slice(0, 1)), table.take(slice(1, None))]).columns[0]
    for found, std in ((summary, shown), (whole, learned), (in_two, learned)):
        assert found.mean == pytest.approx(float(mean), rel=1e-13)
        assert found.std == pytest.approx(std, rel=1e-13, abs=math.ulp(0))
        assert found.std


@pytest.mark.parametrize("value", [0.1, 1e40, 1e-40, MAX, -MAX, math.ulp(0), 0.0])
def test_equal_numbers_have_themselves_as_mean_and_no_spread(value: float) -> None:
    table = Table("t", (Column.numeric("x", [value] * 10),))
    summary = table["x"].summary
    profile = profile_of([table.take(slice(0, 3)), table.take(slice(3, None))]).columns[0]
    assert (summary.mean, summary.std, profile.mean, profile.std) == (value, 0.0, value, 0.0)


def test_a_std_that_no_double_holds_is_the_largest_one() -> None:
    assert Table("t", (Column.numeric("x", [MAX, -MAX]),))["x"].summary.std == MAX


def test_a_value_too_large_for_its_scale_is_refused() -> None:
    encoder = Encoding("standard").fit(Table("t", (Column.numeric("x", [1e-300, 2e-300]),)))
    with pytest.raises(SourceError, match=r"^Column 'x' holds a value that is too large for its scale"):
        encoder.encode(Table("t", (Column.numeric("x", [1e300]),)))


def test_ids_that_are_the_same_double_are_kept_as_text_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text(ODD_FILES["ids"])
    table = read_table(path)
    assert (table["x"].kind, table["x"].role, table["x"].summary.n_distinct) == ("string", "ignored", 300)
    assert table.notes == (
        "Column 'x' is text because numbers do not keep all its digits: 9007199254740992 and 9007199254740993 would be "
        "the same; choose numeric to round them.",
    )
    rounded = read_table(path, ReadOptions(kinds={"x": "numeric"}))
    assert rounded["x"].summary.n_distinct == 151
    assert rounded.notes == (
        "Column 'x': whole numbers beyond 2^53 (9,007,199,254,740,992) are rounded, so that some may be the same now; "
        "write ids as text.",
    )


def test_nanoseconds_stay_numbers_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(ODD_FILES["nanoseconds"])
    table = read_table(path)
    assert table["x"].kind == "numeric"
    assert table.notes[0].startswith("Column 'x': whole numbers beyond 2^53")


def test_measurements_beyond_2_to_the_53_are_no_ids(tmp_path: Path) -> None:
    path = tmp_path / "stars.csv"
    path.write_text("mass\n1.989e30\n5.97e24\n6.4e23\n")
    assert read_table(path).notes == ()


def test_whole_numbers_of_64_bits_keep_their_digits_in_a_table(tmp_path: Path) -> None:
    path = tmp_path / "ids.parquet"
    parquet.write_table(pa.table({"id": [2**53, 2**53 + 1], "u": pa.array([2**64 - 1, 0], pa.uint64())}), path)
    table = read_table(path)
    assert table["id"].summary.n_distinct == 2
    assert table["id"].texts() == ["9007199254740992", "9007199254740993"]
    assert table.with_kinds({"u": "nominal"})["u"].labels == ("0", "18446744073709551615")
    assert len(table.notes) == 2
    assert table.notes[0].endswith("are rounded when they are learned; ignore it if it is an id.")


@pytest.mark.parametrize("digits", [20, 400, 5000])
@pytest.mark.parametrize("form", ["lines", "list", "mixed"])
def test_json_takes_whole_numbers_of_any_length(form: str, digits: int, tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    rows = [f'{{"x": {"9" * digits}}}', '{"x": 1}', '{"x": null}']
    text = "[" + ",\n".join(rows) + "]" if form == "list" else "\n".join(rows)
    path.write_text(text + ('\n{"x": 1e999}' if form == "mixed" else ""))
    table = read_table(path)
    assert table["x"].kind == "numeric"
    known = table["x"].values[~table["x"].missing]
    assert known.tolist() == ([1e20, 1.0] if digits == 20 else [1.0])
    assert ("infinite values are read as missing" in "".join(table.notes)) == (digits > 20 or form == "mixed")


def test_notes_on_thousands_of_columns_are_few(tmp_path: Path) -> None:
    path = tmp_path / "wide.npy"
    np.save(path, np.full((2, 3_000), np.inf))
    for table in (read_table(path), preview(path).table):
        assert len(table.notes) == 21
        assert table.notes[-1] == "There are 2,980 more notes on columns."


def test_arff_and_decimals_take_large_numbers(tmp_path: Path) -> None:
    arff = tmp_path / "big.arff"
    arff.write_text(f"@relation r\n@attribute x numeric\n@data\n{'9' * 400}\n1\n{{0 {'8' * 400}}}\n")
    assert read_table(arff).notes == ("Column 'x': 2 infinite values are read as missing.",)
    path = tmp_path / "big.parquet"
    large = pa.array([Decimal(10**75), Decimal(-(10**70))], pa.decimal256(76, 0))
    parquet.write_table(pa.table({"x": large}), path)
    assert read_table(path)["x"].summary.maximum == 1e75


def test_texts_too_large_for_numbers_are_missing_when_they_become_numbers() -> None:
    table = Table("t", (Column.nominal("x", ["1e999", "2", None, "-inf"]),)).with_kinds({"x": "numeric"})
    assert table["x"].missing.tolist() == [True, False, True, True]
    assert table.notes == ("Column 'x': 2 infinite values are read as missing.",)


def test_long_doubles_of_numpy_become_doubles(tmp_path: Path) -> None:
    path = tmp_path / "long.npy"
    np.save(path, np.array([[np.longdouble("1e4000"), 1]], dtype=np.longdouble))
    table = read_table(path)
    assert table.n_missing == 1
    assert table.columns[1].values.dtype == np.float64


@pytest.mark.parametrize(
    "deep", ['{"x":' * 100_000 + "1" + "}" * 100_000, '{"x":' + "[" * 100_000 + "]" * 100_000 + "}"]
)
def test_deeply_nested_json_is_refused(deep: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text('{"x": 1}\n' + deep)
    # In a process of its own, which Arrow's parser would end.
    code = "import sys\nfrom workbench.source import read_table, SourceError\ntry:\n    read_table(sys.argv[1])\n"
    code += "except SourceError as error:\n    print(str(error)[:40])"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:19]) == (0, "deep.json, line 2: "), done.stderr
