"""What may be opened at all: regular files, judged before anything of them is read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from figmn import FastIGMN, save
from workbench.pages.data.dialogs.read_form import parts_of
from workbench.run import Recipe, RecipeError
from workbench.source import ReadOptions, SourceError, preview, read_table, stream_rows
from workbench.source.read.opening import is_recipe

READERS: list[Callable[[Path], Any]] = [preview, read_table, stream_rows]


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def linked(path: Path) -> Path:
    path.symlink_to(pipe(path.with_name("target")))
    return path


def bound(path: Path) -> Path:
    # The name of a socket may have about a hundred characters, fewer than a test's folder.
    here = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"/proc/self/fd/{here}/{path.name}")
    os.close(here)
    return path


def device(path: Path) -> Path:
    path.symlink_to("/dev/zero")
    return path


@pytest.mark.parametrize("name", ["rows.csv", "rows.json", "rows.arff", "rows.bin"])
@pytest.mark.parametrize(
    ("make", "what"), [(pipe, "pipe"), (linked, "pipe"), (bound, "socket"), (device, "device"), (Path.mkdir, "folder")]
)
def test_what_is_no_regular_file_is_refused_unread(
    make: Callable[[Path], object], what: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    make(path)
    for read in READERS:
        with pytest.raises(SourceError, match=rf"^{name} is a {what}\. "):
            read(path)
    with pytest.raises(RecipeError, match=rf"^{name} is a {what}\. [^.]+\.$"):
        Recipe.from_json(path)
    assert parts_of(path) == []


def test_a_recipe_is_known_by_its_beginning(tmp_path: Path) -> None:
    recipe, table = tmp_path / "run.json", tmp_path / "rows.json"
    recipe.write_text('{\n  "format": "figmn recipe"\n}')
    table.write_text('{"x": 1}\n')
    assert is_recipe(recipe)
    assert not is_recipe(table)
    with pytest.raises(SourceError, match="is a pipe"):
        is_recipe(pipe(tmp_path / "pipe.json"))


@pytest.mark.parametrize("options", [ReadOptions(), ReadOptions(encoding="latin-1")])
@pytest.mark.parametrize("name", ["learned.figmn", "learned.csv", "learned.json", "learned.arff"])
def test_a_saved_model_opened_as_data_says_what_it_is(name: str, options: ReadOptions, tmp_path: Path) -> None:
    path = tmp_path / name
    save(FastIGMN(scale=[1.0, 1.0]).learn([[0, 0], [9, 9]]), path)
    message = (
        f"{name} is not a table: it is a saved mixture, the model of a run. Open it in the window by "
        "File ▸ Open, or load it in Python with figmn.load(path)."
    )
    for read in (preview, read_table):
        with pytest.raises(SourceError) as caught:
            read(path, options)
        assert str(caught.value) == message


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_an_archive_inside_an_archive_is_named(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(gzip.compress(pack(b"a,b\n1,2\n")))
    with pytest.raises(SourceError, match="it is an archive inside an archive"):
        read_table(path)


def test_an_error_is_never_longer_than_it_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read_table(tmp_path / ("1" * 100_000))
    assert len(str(caught.value)) < 1000
    assert len(str(SourceError("{reason}. Fetch it again.", reason=1500 * "x"))) < 500


def test_a_recipe_read_as_data_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('{\n  "format": "figmn recipe",\n  "version": 1\n}\n')
    with pytest.raises(
        SourceError, match=r"^run\.json is not a table: it is a recipe of a run\. Open it in the window"
    ):
        preview(path)


def test_a_column_may_be_called_as_a_sound_file_begins(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text("ID3,x\n1,2\n3,4\n")
    assert read_table(path).names == ("ID3", "x")
