"""The per-sample CSV: what it says, and that no Python object is made for each of a million lines."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow.csv
import pytest

from workbench.run.learn.sample_log import Lines, write_csv
from workbench.source import Cancelled


def lines(codes: list[int]) -> Lines:
    whole, real = np.arange(len(codes)), np.ones(len(codes))
    code = np.array(codes, np.int32)
    return Lines(whole, whole, code, whole, real, whole, real, whole, real, real, whole)


def test_labels_stand_by_their_names(tmp_path: Path) -> None:
    write_csv(tmp_path / "log.csv", lines([1, -1, 0]), ("setosa", "=1+1"))
    found = pyarrow.csv.read_csv(tmp_path / "log.csv")
    assert found["label"].to_pylist() == ["'=1+1", "", "setosa"]
    write_csv(tmp_path / "log.csv", lines([-1, -1]), ())
    assert "label" in pyarrow.csv.read_csv(tmp_path / "log.csv").column_names


def test_labels_are_written_by_arrow(tmp_path: Path) -> None:
    """By Python they held the interpreter, and the window with it."""
    n_lines = 200_000
    wanted = lines([0] * n_lines)
    tracemalloc.start()
    write_csv(tmp_path / "log.csv", wanted, ("setosa",))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    arrays_and_masks = 2 * 8 + 6
    assert peak < (arrays_and_masks + 1) * n_lines, "a reference for each line would be eight bytes more"


def test_a_cancelled_file_is_as_it_was(tmp_path: Path) -> None:
    path, seen = tmp_path / "log.csv", []
    path.write_text("before")

    def stop(done: int, total: int) -> bool:
        seen.append((done, total))
        return False

    with pytest.raises(Cancelled):
        write_csv(path, lines([1, -1, 0]), ("setosa", "virginica"), progress=stop)
    assert seen == [(0, 3)]
    assert path.read_text() == "before"
