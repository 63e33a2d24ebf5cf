"""Rows block by block, from files, tables and generators."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from workbench.source import Cancelled, Encoding, Order, ReadOptions, SourceError, read_table, sample, stream_rows
from workbench.source.generators import GaussianBlobs
from workbench.source.samples import assets

FILES = {path.name: path for path in sorted((assets() / "datasets").glob("*.*")) if path.suffix != ".md"}


def joined(stream: Any) -> np.ndarray:
    return np.concatenate(list(stream))


@pytest.mark.parametrize("name", [name for name in FILES if "labels" not in name])
@pytest.mark.parametrize("encoding", [Encoding(), Encoding("standard", "index", "mean"), Encoding(missing="drop")])
def test_a_file_streams_as_its_table_does(name: str, encoding: Encoding) -> None:
    table = read_table(FILES[name])
    from_table, from_file = stream_rows(table, encoding), stream_rows(FILES[name], encoding)
    assert from_file.names == from_table.names
    np.testing.assert_allclose(joined(from_file), joined(from_table), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(from_file.encoder.scale, from_table.encoder.scale, rtol=1e-9, atol=1e-12)
    assert from_file.profile.n_rows == table.n_rows


@pytest.fixture
def long_csv(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    path = tmp_path / "long.csv"
    numbers = rng.normal(1e3, 5, size=(300_000, 3)).round(4)
    labels = rng.choice(["a", "b", "c"], len(numbers))
    lines = [f"{x},{y},{z},id {i},{c}" for i, ((x, y, z), c) in enumerate(zip(numbers.tolist(), labels, strict=True))]
    path.write_text("x,y,z,id,class\n" + "\n".join(lines))
    return path


def test_a_long_file_comes_in_blocks_that_equal_the_table(long_csv: Path) -> None:
    table = read_table(long_csv)
    stream = stream_rows(long_csv, Encoding("standard"))
    blocks = list(stream)
    assert len(blocks) > 2
    whole = stream_rows(table, Encoding("standard"))
    np.testing.assert_allclose(np.concatenate(blocks), joined(whole), rtol=1e-6, atol=1e-8)
    assert stream.names == ("x", "y", "z", "class=a", "class=b", "class=c")
    for ours, theirs in zip(stream.profile.columns, whole.profile.columns, strict=True):
        assert (ours.name, ours.kind, ours.role, ours.labels, ours.counts) == (
            theirs.name,
            theirs.kind,
            theirs.role,
            theirs.labels,
            theirs.counts,
        )
        np.testing.assert_allclose([ours.mean, ours.std], [theirs.mean, theirs.std], rtol=1e-10)
    # A second loop starts again.
    assert sum(map(len, stream)) == 300_000


def test_rows_know_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "gaps.csv"
    path.write_text("x,y\n1,2\n?,3\n4,5\n")
    (index, rows), *rest = stream_rows(path, Encoding(missing="drop")).indexed()
    assert (index.tolist(), rows.tolist(), rest) == ([0, 2], [[1, 2], [4, 5]], [])
    table = sample("iris").read()
    order = Order("shuffled", seed=5)
    pieces = list(stream_rows(table, order=order).indexed())
    index, rows = np.concatenate([i for i, _ in pieces]), np.concatenate([r for _, r in pieces])
    np.testing.assert_array_equal(index, order.rows(table))
    np.testing.assert_array_equal(rows[:, 0], table.columns[0].values[index])


def test_one_pass_stops_at_what_the_first_rows_did_not_show(tmp_path: Path) -> None:
    path = tmp_path / "late.csv"
    path.write_text("x,c\n" + "1,a\n" * 100_000 + "2,b\n")
    with pytest.raises(SourceError, match=r"Column 'c': 'b' .* is a label that the encoding does not know"):
        list(stream_rows(path, passes=1))
    assert stream_rows(path).names == ("x", "c=a", "c=b")
    path.write_text("x,y\n" + "1,2\n" * 100_000 + "2,oops\n")
    with pytest.raises(SourceError, match=r"late\.csv, line 100,002, column 'y': 'oops' is not a number"):
        list(stream_rows(path, passes=1))
    assert stream_rows(path).names == ("x", "y=2", "y=oops")


def test_roles_and_kinds(long_csv: Path) -> None:
    stream = stream_rows(long_csv, roles={"class": "input", "y": "ignored", "z": "target"})
    assert stream.names == ("x", "class=a", "class=b", "class=c", "z")
    with pytest.raises(SourceError, match=r"'w' is not a column. Choose one of: x, y, z"):
        stream_rows(long_csv, roles={"w": "input"})
    with pytest.raises(SourceError, match="Column 'id' is text, and no number stands for it"):
        stream_rows(long_csv, roles={"id": "input"})


def test_a_file_keeps_its_order(long_csv: Path) -> None:
    with pytest.raises(SourceError, match=r"'shuffled' is an order for tables in memory. Load the file first"):
        stream_rows(long_csv, order=Order("shuffled"))


def test_a_generator_streams_without_end() -> None:
    generator = GaussianBlobs(seed=3)
    stream = stream_rows(generator)
    first = list(itertools.islice(stream, 3))
    rows = np.concatenate(first)
    expected = stream.encoder.encode(generator.table(len(rows))).values
    np.testing.assert_array_equal(rows, expected)


def test_every_pass_can_be_cancelled(long_csv: Path) -> None:
    with pytest.raises(Cancelled):
        stream_rows(long_csv, progress=lambda *_: False)
    calls = itertools.count()
    stream = stream_rows(long_csv, progress=lambda *_: next(calls) < 6)
    with pytest.raises(Cancelled):
        list(stream)
    with pytest.raises(Cancelled):
        list(stream_rows(sample("iris").read(), progress=lambda *_: False))


def test_a_stream_that_is_left_in_the_middle_leaves_nothing_behind(long_csv: Path) -> None:
    blocks = iter(stream_rows(long_csv))
    next(blocks)
    blocks.close()  # type: ignore[attr-defined]


MEMORY = """
import sys, tracemalloc
import pyarrow as pa
from workbench.source import stream_rows
tracemalloc.start()
n = sum(len(block) for block in stream_rows(sys.argv[1]))
print(n, pa.default_memory_pool().max_memory() + tracemalloc.get_traced_memory()[1])
"""
"""Bytes in use at the peak, of Arrow and of Python with NumPy: pages of the process would depend on the allocators."""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    lines = "".join(f"{i}.25,{i}.5,{i % 7},{'ab'[i % 2]}\n" for i in range(100_000))
    used = {}
    for copies in (20, 80):
        path = tmp_path / f"{copies}.csv"
        with path.open("w") as file:
            file.write("x,y,z,class\n")
            for _ in range(copies):
                file.write(lines)
        done = subprocess.run(
            [sys.executable, "-c", MEMORY, str(path)], capture_output=True, text=True, check=True, timeout=300
        )
        rows, used[copies] = map(int, done.stdout.split())
        assert rows == copies * 100_000
    assert used[80] < used[20] + 5_000_000
    assert used[80] < 100_000_000


def test_memory_does_not_grow_with_a_row_group(tmp_path: Path) -> None:
    used = {}
    for n_rows in (500_000, 4_000_000):
        path = tmp_path / f"{n_rows}.parquet"
        numbers = np.random.default_rng(0).normal(size=n_rows)
        parquet.write_table(pa.table({"x": numbers, "y": numbers[::-1]}), path, row_group_size=n_rows)
        done = subprocess.run(
            [sys.executable, "-c", MEMORY, str(path)], capture_output=True, text=True, check=True, timeout=300
        )
        rows, used[n_rows] = map(int, done.stdout.split())
        assert rows == n_rows
    assert used[4_000_000] < used[500_000] + 5_000_000


def test_options_reach_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("1;2\n3;4\n")
    stream = stream_rows(path, options=ReadOptions(delimiter=";", kinds={"column 2": "nominal"}))
    assert stream.names == ("column 1", "column 2=2", "column 2=4")
