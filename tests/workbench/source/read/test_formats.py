"""Files that are no text: Parquet, Arrow, JSON, NumPy, IDX, CIFAR-10 and Excel."""

from __future__ import annotations

import datetime
import gzip
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import openpyxl
import psutil
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from tests.places import SHARED
from workbench.source import Cancelled, ReadOptions, SourceError, Table, preview, read_table, stream_rows
from workbench.source.read.reading import MANY_COLUMNS

CIFAR = SHARED / "data" / "cifar10-1000.bin"

ROWS = pa.table(
    {
        "whole": pa.array([1, 2, None], pa.int16()),
        "real": [0.5, None, 2.5],
        "text": ["a", None, "b"],
        "flag": [True, False, None],
        "day": pa.array([datetime.date(2026, 1, 31), None, datetime.date(2026, 2, 1)]),
        "moment": pa.array([0, 1_500_000, None], pa.timestamp("us", "Europe/Berlin")),
        "clock": pa.array([datetime.time(12, 30), None, datetime.time(0, 0, 1)]),
        "money": pa.array([None, "1.25", "2.50"]).cast(pa.decimal128(6, 2)),
        "choice": pa.array(["x", "y", "x"]).dictionary_encode(),
        "place": [{"x": 1.0, "y": 2.0}, {"x": 3.0, "y": None}, None],
        "many": [[1], [2, 3], []],
    }
)
TEXTS: dict[str, list[str | None]] = {
    "whole": ["1", "2", None],
    "real": ["0.5", None, "2.5"],
    "text": ["a", None, "b"],
    "flag": ["true", "false", None],
    "day": ["2026-01-31", None, "2026-02-01"],
    "moment": ["1970-01-01T00:00:00.000000", "1970-01-01T00:00:01.500000", None],
    "clock": ["45000", None, "1"],
    "money": [None, "1.25", "2.5"],
    "choice": ["x", "y", "x"],
    "place.x": ["1", "3", None],
    "place.y": ["2", None, None],
}


def texts(table: Table) -> dict[str, list[str | None]]:
    return {column.name: column.texts() for column in table}


def write_stream(path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, ROWS.schema) as writer:
        writer.write_table(ROWS)


@pytest.mark.parametrize(
    ("format", "write"),
    [
        ("Parquet", lambda path: parquet.write_table(ROWS, path)),
        ("Arrow", lambda path: feather.write_feather(ROWS, path)),
        ("Arrow stream", write_stream),
    ],
)
def test_every_type_of_a_columnar_file(tmp_path: Path, format: str, write: Any) -> None:
    path = tmp_path / "rows.anything"
    write(path)
    table = read_table(path)
    assert texts(table) == TEXTS
    assert table.kinds == (
        *["numeric"] * 2,
        "nominal",
        "nominal",
        "date",
        "date",
        "numeric",
        "numeric",
        "nominal",
        *["numeric"] * 2,
    )
    assert len(table.notes) == 1
    assert table.notes[0].startswith("Column 'many' is left out: list<")
    found = preview(path)
    assert (found.format, found.n_rows, found.exact) == (format, 3, True)
    assert texts(found.table) == TEXTS


def test_parquet_streams_in_blocks(tmp_path: Path) -> None:
    path = tmp_path / "long.parquet"
    n = 200_000
    labels = np.array(["low", "high"])[np.arange(n) % 2]
    parquet.write_table(pa.table({"x": np.arange(n, dtype=float), "class": labels}), path, row_group_size=70_000)
    stream = stream_rows(path)
    blocks = list(stream)
    assert len(blocks) > 2
    rows = np.concatenate(blocks)
    np.testing.assert_array_equal(rows[:, 0], np.arange(n))
    assert stream.names == ("x", "class=high", "class=low")
    np.testing.assert_array_equal(rows[:, 1], np.arange(n) % 2)


def test_kinds_can_be_chosen_for_any_format(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    parquet.write_table(ROWS.select(["whole", "text"]), path)
    table = read_table(path, ReadOptions(kinds={"whole": "nominal", "text": "string"}))
    assert table.kinds == ("nominal", "string")
    assert table.roles == ("input", "ignored")


def test_a_file_of_lists_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lists.parquet"
    parquet.write_table(ROWS.select(["many"]), path)
    with pytest.raises(SourceError, match=r"lists\.parquet has no column of single values"):
        read_table(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.jsonl", '{"x": 1, "at": {"y": 2}, "c": "a"}\n\n{"x": 2.5, "c": null}\n'),
        ("rows", '{"x": 1, "at": {"y": 2}, "c": "a"}\n{"x": 2.5, "c": null}'),
        ("rows.json", '[{"x": 1, "at": {"y": 2}, "c": "a"},\n {"x": 2.5, "c": null}]'),
    ],
)
def test_json(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    for table in (read_table(path), preview(path).table):
        assert {name: texts(table)[name] for name in ("x", "at.y", "c")} == {
            "x": ["1", "2.5"],
            "at.y": ["2", None],
            "c": ["a", None],
        }


def test_json_that_changes_its_mind_becomes_text(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"x": 1}\n' * 3 + '{"x": "one"}\n')
    assert texts(read_table(path)) == {"x": ["1", "1", "1", "one"]}


def test_a_large_json_file_has_a_quick_preview(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text("[" + ",\n".join(['{"x": 1.25, "y": "some text"}'] * 100_000) + "]")
    found = preview(path)
    assert (found.exact, found.table.n_rows) == (False, 100)
    assert found.n_rows == pytest.approx(100_000, rel=0.02)
    assert read_table(path).n_rows == 100_000


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f4", "u1", "<i8", ">i2", "f2"])
def test_numpy_arrays(tmp_path: Path, dtype: str, order: Any) -> None:
    path = tmp_path / "rows.npy"
    array = np.arange(300 * 3).reshape(300, 3) % 100
    np.save(path, np.asarray(array, dtype=dtype, order=order))
    table = read_table(path)
    assert table.names == ("column 1", "column 2", "column 3")
    np.testing.assert_array_equal(np.column_stack([column.values for column in table]), array)
    assert table["column 1"].values.dtype.isnative
    assert preview(path).table.n_rows == 100


def test_numpy_arrays_with_more_axes_fields_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "rows.npy"
    np.save(path, np.arange(8).reshape(2, 2, 2))
    assert texts(read_table(path)) == {
        "value 1.1": ["0", "4"],
        "value 1.2": ["1", "5"],
        "value 2.1": ["2", "6"],
        "value 2.2": ["3", "7"],
    }
    kinds = [("n", "i4"), ("t", "U5"), ("b", "S5"), ("when", "M8[D]"), ("on", "?")]
    np.save(path, np.array([(1, "ä", b"raw", "2026-01-31", True), (2, "b", b"x", "NaT", False)], dtype=kinds))
    table = read_table(path)
    assert table.kinds == ("numeric", "nominal", "nominal", "date", "nominal")
    assert texts(table) == {
        "n": ["1", "2"],
        "t": ["ä", "b"],
        "b": ["raw", "x"],
        "when": ["2026-01-31", None],
        "on": ["true", "false"],
    }


def test_numpy_archives(tmp_path: Path) -> None:
    path = tmp_path / "mnist.npz"
    np.savez_compressed(path, x_train=np.eye(3), y_train=np.arange(3), x_test=np.eye(2))
    with pytest.raises(SourceError, match=r"different numbers of rows.*x_train 3×3, y_train 3, x_test 2×2"):
        read_table(path)
    table = read_table(path, ReadOptions(member="x_train, y_train"))
    assert table.names == ("x_train 1", "x_train 2", "x_train 3", "y_train")
    with pytest.raises(SourceError, match="'z' is not an array of the archive"):
        read_table(path, ReadOptions(member="z"))


def test_infinite_values_of_an_array(tmp_path: Path) -> None:
    path = tmp_path / "rows.npy"
    np.save(path, np.array([[1.0, np.inf], [np.nan, 2.0]]))
    table = read_table(path)
    assert texts(table) == {"column 1": ["1", None], "column 2": [None, "2"]}
    assert table.notes == ("Column 'column 2': 1 infinite values are read as missing.",)


def idx(array: np.ndarray) -> bytes:
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.astype("u1").tobytes()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_idx_images_find_their_labels(tmp_path: Path, pack: Any) -> None:
    images, labels = np.arange(150 * 4).reshape(150, 2, 2) % 256, np.arange(150) % 11
    ending = ".gz" if pack is gzip.compress else ""
    path = tmp_path / f"train-images-idx3-ubyte{ending}"
    path.write_bytes(pack(idx(images)))
    assert read_table(path).names == ("pixel 0.0", "pixel 0.1", "pixel 1.0", "pixel 1.1")
    beside = tmp_path / f"train-labels-idx1-ubyte{ending}"
    beside.write_bytes(pack(idx(labels)))
    table = read_table(path)
    assert table["class"].labels == tuple(str(i) for i in range(11))
    np.testing.assert_array_equal(table["class"].values, labels)
    np.testing.assert_array_equal(table["pixel 1.0"].values, images[:, 1, 0])
    assert table["pixel 1.0"].values.dtype == np.uint8
    assert table.roles[-1] == "target"
    assert table.notes == (f"The class comes from {beside.name}.",)
    found = preview(path)
    assert (found.n_rows, found.table.n_rows, found.table.names) == (150, 100, table.names)
    beside.write_bytes(pack(idx(labels[:-1])))
    assert read_table(path).notes == (f"{beside.name} is left out: it holds 149 labels for 150 images.",)
    assert read_table(beside).names == ("label",)


def test_cifar_batches(tmp_path: Path) -> None:
    records = np.zeros((3, 3073), dtype=np.uint8)
    records[:, 0], records[1, 1], records[1, 1 + 1024], records[2, -1] = [9, 0, 3], 7, 8, 255
    for path, content in (
        (tmp_path / "batch.bin", records.tobytes()),
        (tmp_path / "batch.bin.gz", gzip.compress(records.tobytes())),
    ):
        path.write_bytes(content)
        table = read_table(path)
        assert table["class"].texts() == ["truck", "airplane", "cat"]
        assert [table[name].values[1] for name in ("red 0.0", "green 0.0", "blue 0.0")] == [7, 8, 0]
        assert table["blue 31.31"].values[2] == 255
        assert preview(path).n_rows == 3


@pytest.mark.skipif(not CIFAR.exists(), reason="the real images are not part of the repository")
def test_real_cifar_images() -> None:
    table = read_table(CIFAR)
    assert (table.n_rows, len(table.columns), table.n_missing) == (1000, 3073, 0)
    assert sum(count for _, count in table["class"].summary.counts) == 1000
    assert table["class"].texts()[:4] == ["cat", "ship", "ship", "airplane"]


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        ["size", "when", "good", "note"],
        [1.5, datetime.datetime(2026, 1, 31), True, "two\nlines"],
        [],
        [None, datetime.datetime(2026, 2, 1, 12, 30), False, "one, two"],
        [0.1, None, None, None],
    ):
        sheet.append(row)
    other = book.create_sheet("second")
    other.append([1, 2])
    other.append([3, 4])
    path = tmp_path / "book.xlsx"
    book.save(path)
    return path


def test_excel(workbook: Path) -> None:
    table = read_table(workbook)
    assert table.kinds == ("numeric", "date", "nominal", "nominal")
    assert texts(table) == {
        "size": ["1.5", None, "0.1"],
        "when": ["2026-01-31T00:00:00", "2026-02-01T12:30:00", None],
        "good": ["TRUE", "FALSE", None],
        "note": ["two lines", "one, two", None],
    }
    assert preview(workbook).format == "Excel"
    assert read_table(workbook, ReadOptions(member="second")).n_rows == 2
    with pytest.raises(SourceError, match=r"book\.xlsx: 'third' is not a sheet.*Choose one of: Sheet, second"):
        read_table(workbook, ReadOptions(member="third"))


def test_excel_is_an_extra(workbook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(
        SourceError, match=r"its reader is an extra\. Install it with: pip install 'figmn-workbench\[excel\]'"
    ):
        read_table(workbook)


def test_a_large_workbook_has_a_quick_preview(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["x", "label"])
    for i in range(5000):
        sheet.append([i / 4, f"label {i % 3}"])
    path = tmp_path / "long.xlsx"
    book.save(path)
    monkeypatch.setattr("workbench.source.read.excel.HEAD", 20_000)
    found = preview(path)
    assert (found.exact, found.table.n_rows, found.table.kinds) == (False, 100, ("numeric", "nominal"))
    assert found.n_rows == pytest.approx(5000, rel=0.1)
    assert read_table(path).n_rows == 5000


def test_a_damaged_workbook(workbook: Path) -> None:
    workbook.write_bytes(workbook.read_bytes()[:3000])
    with pytest.raises(SourceError, match=r"book\.xlsx"):
        read_table(workbook)


@pytest.mark.usefixtures("workbook")
@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet", "rows.npy", "rows.jsonl", "rows.arff", "book.xlsx"])
@pytest.mark.parametrize("patience", [0, 1])
def test_a_load_reports_progress_and_can_be_cancelled(tmp_path: Path, name: str, patience: int) -> None:
    path = tmp_path / name
    values = np.arange(1_200_000.0)
    if name == "rows.csv":
        path.write_text("x\n" + "\n".join(map(str, range(3_000_000))))
    elif name == "rows.parquet":
        parquet.write_table(pa.table({"x": values}), path)
    elif name == "rows.npy":
        np.save(path, np.arange(1_000_000.0))
    elif name == "rows.jsonl":
        path.write_text('{"x": 1}\n' * 1_000_000)
    elif name == "rows.arff":
        path.write_text("@relation r\n@attribute x numeric\n@data\n" + "1.5\n" * 2_000_000)
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        seen.append((done, total))
        return len(seen) <= patience

    with pytest.raises(Cancelled):
        read_table(path, progress=stop)
    assert len(seen) == patience + 1
    assert all(0 <= done <= total for done, total in seen)
    seen.clear()
    read_table(path, progress=lambda done, total: seen.append((done, total)) or True)  # type: ignore[func-returns-value]
    assert seen == sorted(seen)
    assert len(seen) >= 2


def test_a_table_that_does_not_fit_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "big.csv"
    path.write_text("x,y\n" + "1.5,2.5\n" * 10_000)
    monkeypatch.setattr("workbench.source.read.reading.LARGE", 1000)
    available = SimpleNamespace(available=200_000)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: available)
    with pytest.raises(
        SourceError, match=r"big\.csv would take 0 MB to load, 0 MB are available\. Stream it from disk"
    ):
        read_table(path)
    available.available = 400_000_000
    assert read_table(path).n_rows == 10_000


def test_many_columns_is_less_than_the_widest_sample() -> None:
    assert MANY_COLUMNS > 3073
