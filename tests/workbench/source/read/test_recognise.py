"""What is found out about a file is found out once, and again when the file has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.source import ReadOptions, preview, read_table, stream_rows
from workbench.source.read import recognise, text_reader
from workbench.source.read.arff.reader import ArffReader
from workbench.source.read.csv import reader as delimited

CSV = "x;y;class\n1,5;2;a\n2,5;3;b\n4;7;a\n"
ARFF = "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n1,a\n2,b\n"


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were written just now are taken as settled: the tests set their times."""
    monkeypatch.setattr(recognise, "SETTLED", 0)
    monkeypatch.setattr(recognise, "_latest", None)


@pytest.fixture
def sniffs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is found out from now on."""
    found: list[str] = []

    def noted(owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def call(*arguments: Any) -> Any:
            found.append(name)
            return function(*arguments)

        monkeypatch.setattr(owner, name, call)

    noted(delimited, "find_dialect")
    noted(text_reader, "find_encoding")
    noted(ArffReader, "_read_header")
    return found


def write(path: Path, text: str, seconds: int = 0) -> Path:
    path.write_text(text)
    os.utime(path, (1_700_000_000 + seconds,) * 2)
    return path


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [("t.csv", CSV, ["find_encoding", "find_dialect"]), ("t.arff", ARFF, ["find_encoding", "_read_header"])],
)
def test_preview_load_and_stream_find_out_once(
    tmp_path: Path, sniffs: list[str], name: str, text: str, expected: list[str]
) -> None:
    path = write(tmp_path / name, text)
    shown = preview(path)
    loaded = read_table(path)
    rows = list(stream_rows(path))
    assert sniffs == expected
    assert shown.table.names == loaded.names
    assert sum(map(len, rows)) == loaded.n_rows == shown.n_rows


def test_a_load_without_a_preview_finds_out_once(tmp_path: Path, sniffs: list[str]) -> None:
    read_table(write(tmp_path / "t.csv", CSV))
    assert sniffs == ["find_encoding", "find_dialect"]


def test_what_the_user_says_is_found_out_anew(tmp_path: Path, sniffs: list[str]) -> None:
    path = write(tmp_path / "t.csv", CSV)
    assert read_table(path)["x"].kind == "numeric"
    assert read_table(path, ReadOptions(decimal="."))["x"].kind == "nominal"
    assert sniffs.count("find_dialect") == 2


CHANGES: list[Callable[[Path], Any]] = [
    lambda path: write(path, CSV.replace(",", "."), seconds=1),
    lambda path: write(path, CSV + "9;9;b\n"),
    lambda path: write(path.with_name("new"), CSV.replace(",", ".")).replace(path),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_has_changed_is_found_out_anew(
    tmp_path: Path, sniffs: list[str], change: Callable[[Path], Any]
) -> None:
    path = write(tmp_path / "t.csv", CSV)
    preview(path)
    change(path)
    table = read_table(path)
    assert sniffs.count("find_dialect") == 2
    assert table["x"].kind == "numeric"
    assert table.n_rows == path.read_text().count("\n") - 1


def test_a_file_that_was_written_just_now_may_be_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sniffs: list[str]
) -> None:
    monkeypatch.setattr(recognise, "SETTLED", 1e6)
    path = write(tmp_path / "t.csv", CSV)
    preview(path)
    read_table(path)
    assert sniffs.count("find_dialect") == 2


def test_notes_of_one_reading_are_not_those_of_the_next(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,y\n" + "1,2\n" * 100_000 + "text,3\n")
    first, second = read_table(path), read_table(path)
    assert first.kinds == second.kinds == ("nominal", "numeric")
    assert len(first.notes) == 1
    assert first.notes == second.notes
    bad = write(tmp_path / "t.arff", ARFF + "1\n")
    skip = ReadOptions(bad_lines="skip")
    assert read_table(bad, skip).notes == read_table(bad, skip).notes
