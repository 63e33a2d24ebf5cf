"""Files are written whole or not at all, and what was there keeps its place, its permissions and its links."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from figmn import FastIGMN, load, save
from figmn.system.files import STALE_SECONDS, write_safely

posix = pytest.mark.skipif(os.name != "posix", reason="permissions, links and processes as POSIX has them")


def write(path: Path, text: str = "new") -> None:
    write_safely(path, lambda new: new.write_text(text, encoding="utf-8"))


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_permissions_are_kept(tmp_path: Path, mode: int) -> None:
    for name, replace in (("a.txt", write), ("a.figmn", lambda path: save(FastIGMN().learn([[1.0]]), path))):
        path = tmp_path / name
        path.write_text("old", encoding="utf-8")
        path.chmod(mode)
        replace(path)
        assert mode_of(path) == mode


@posix
def test_a_new_file_gets_what_the_user_gives_to_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "a.txt")
        save(FastIGMN().learn([[1.0]]), tmp_path / "a.figmn")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "a.txt") == mode_of(tmp_path / "a.figmn") == 0o640


@posix
def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target.txt", tmp_path / "link.txt"
    link.symlink_to(Path("folder") / "target.txt")
    for text in ("made", "replaced"):  # first of a link to nothing
        write(link, text)
        assert link.is_symlink()
        assert target.read_text(encoding="utf-8") == text
    assert os.listdir(tmp_path / "folder") == ["target.txt"]


@posix
def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    pipe, circle = tmp_path / "pipe", tmp_path / "circle"
    os.mkfifo(pipe)
    circle.symlink_to(circle)
    with pytest.raises(OSError, match="is a device or pipe, not a file: choose another name"):
        write(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(OSError, match="circle cannot be written"):
        write(circle)
    with pytest.raises(IsADirectoryError, match="is a folder: give the name of a file in it"):
        write(tmp_path)
    with pytest.raises(OSError, match="cannot be written"):
        write(tmp_path / ("x" * 300))


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr("figmn.system.files.os.access", lambda *_: False)  # root may write whatever the mode says
    with pytest.raises(PermissionError, match=r"a.txt is read-only: choose another name, or make it writable"):
        write(path)
    assert path.read_text(encoding="utf-8") == "old"


@posix
def test_files_that_a_killed_process_left_are_cleared(tmp_path: Path) -> None:
    words = (
        "import os; from pathlib import Path; from figmn.system.files import write_safely; "
        f"write_safely({str(tmp_path / 'a.csv')!r}, lambda new: (new.write_text('half'), os._exit(9)))"
    )
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 9
    (left,) = tmp_path.iterdir()
    write(tmp_path / "b.txt")
    assert left.exists(), "its process might have written a moment ago"
    os.utime(left, (0, time.time() - STALE_SECONDS - 1))
    write(tmp_path / "b.txt")
    assert os.listdir(tmp_path) == ["b.txt"]


@posix
def test_files_of_others_and_of_running_processes_stay(tmp_path: Path) -> None:
    names = [
        f".figmn-{os.getppid()}-{'0' * 16}.csv",
        f".figmn-0-{'0' * 15}.csv",
        ".figmn-notes.txt",
        "figmn-1-0123456789abcdef.csv",
        ".results-k2j3h4.csv",
    ]
    for name in names:
        (tmp_path / name).write_text("kept", encoding="utf-8")
        os.utime(tmp_path / name, (0, 0))
    write(tmp_path / "b.txt")
    assert sorted(os.listdir(tmp_path)) == sorted([*names, "b.txt"])


def test_a_model_that_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a folder, device or pipe"):
        load(tmp_path)
