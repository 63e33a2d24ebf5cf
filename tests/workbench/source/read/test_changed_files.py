"""Files that another program cuts off or overwrites while they are read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from workbench.run import Recipe, run
from workbench.run.recipe.dataset import FileOrigin
from workbench.source import SourceError, stream_rows

ROWS = 150_000

CHANGED = """
import os, sys
from workbench.source import SourceError, stream_rows
for path in sys.argv[1:]:
    stream = iter(stream_rows(path))
    n_rows, size = len(next(stream)), os.path.getsize(path)
    if "cut" in path:
        os.truncate(path, size // 3)
    else:
        with open(path, "r+b") as file:
            file.write(b"\\xff" * size)
    try:
        print("read to the end", n_rows + sum(map(len, stream)))
    except SourceError as error:
        print("refused", error)
"""
"""In a process of its own: a mapped file that is cut off ends it."""


def table() -> pa.Table:
    rng = np.random.default_rng(1)
    numbers = {name: rng.normal(size=ROWS) for name in "xy"}
    return pa.table({**numbers, "class": pa.array(["red", "green", "blue"] * (ROWS // 3)).dictionary_encode()})


def write_feather(path: Path) -> None:
    feather.write_feather(table(), path, compression="uncompressed", chunksize=5_000)


def write_stream(path: Path) -> None:
    with pa.ipc.new_stream(path, table().schema) as writer:
        writer.write_table(table(), max_chunksize=5_000)


def write_parquet(path: Path) -> None:
    parquet.write_table(table(), path, row_group_size=20_000)


WRITERS: list[Callable[[Path], None]] = [write_feather, write_stream, write_parquet]


def test_files_that_change_while_they_stream_are_refused(tmp_path: Path) -> None:
    paths = []
    for write in WRITERS:
        for change in ("cut", "overwritten"):
            paths.append(tmp_path / f"{write.__name__}-{change}")
            write(paths[-1])
    done = subprocess.run([sys.executable, "-c", CHANGED, *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["refused", path.name] for path in paths]


def test_a_stream_that_ends_early_at_a_whole_batch_says_both_numbers(tmp_path: Path) -> None:
    path, shorter = tmp_path / "rows.arrows", tmp_path / "shorter.arrows"
    write_stream(path)
    whole = table()
    with pa.ipc.new_stream(shorter, whole.schema) as writer:
        writer.write_table(whole.slice(0, 20_000), max_chunksize=5_000)
    stream = stream_rows(path)
    os.replace(shorter, path)
    with pytest.raises(SourceError, match=r"^rows\.arrows ends after 20,000 of 150,000 rows\. It is damaged, or was"):
        list(stream)


def test_a_csv_that_lost_its_last_lines_says_both_numbers(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("x,y\n" + "1,2\n" * 3_000)
    stream = stream_rows(path)
    assert sum(map(len, stream)) == 3_000
    path.write_text("x,y\n" + "1,2\n" * 1_000)
    with pytest.raises(SourceError, match=r"^rows\.csv ends after 1,000 of 3,000 rows\. "):
        list(stream)


def test_a_run_over_a_parquet_file_that_is_cut_fails(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    write_parquet(path)

    def cut(done: int, total: int) -> bool:  # noqa: ARG001
        if done and path.stat().st_size > 10_000:
            os.truncate(path, 10_000)
        return True

    with pytest.raises(SourceError, match=r"^rows\.parquet "):
        run(Recipe(FileOrigin(str(path), streamed=True), n_samples=None), cut)
