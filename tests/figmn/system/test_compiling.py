"""Compiled code is kept wherever one may write, and nothing that is wrong with a disk ever stops a call."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from figmn.system import compiling
from tests.places import ROOT

POSIX = pytest.mark.skipif(os.name != "posix", reason="users and permissions of POSIX")

LOOPS = """
from figmn.system.compiling import compiled, part
FACTOR = 2
def learner(offset):
    @compiled
    def loop(x):
        return inner(x) + offset
    return loop
@part
def inner(x):
    return FACTOR * x
loops = [learner(0), learner(100)]
"""
CALL = """
import loops
print(loops.loops[0](4), loops.loops[1](4), sum(sum(loop.stats.cache_misses.values()) for loop in loops.loops))
"""
COMPILED, LOADED = ["8", "108", "2"], ["8", "108", "0"]


class Place:
    """A module with two loops and the environment of a user, in which nothing is writable but what a test allows."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.package, self.temporary = folder, folder / "package", folder / "temporary"
        for made in (self.package, self.temporary):
            made.mkdir()
        self.temporary.chmod(0o700)
        (self.package / "loops.py").write_text(LOOPS)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG", "FIGMN"))
        } | {
            "HOME": os.devnull,
            "TMPDIR": str(self.temporary),
            "PYTHONPATH": os.pathsep.join([str(self.package), str(ROOT)]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    @property
    def beside(self) -> Path:
        return self.package / "__pycache__"

    @property
    def private(self) -> Path:
        return self.temporary / f"figmn-{os.getuid()}"

    def close(self) -> None:
        """Nobody can write beside the source, not even root: a file is in the way."""
        shutil.rmtree(self.beside, ignore_errors=True)
        self.beside.touch()

    def run(self, code: str = CALL, prefix: tuple[str, ...] = ()) -> tuple[list[str], str]:
        """What a fresh interpreter prints, in words, and what it says on stderr."""
        done = subprocess.run(
            [*prefix, sys.executable, "-c", code],
            capture_output=True, text=True, check=False, env=self.environment, cwd=self.folder,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.split(), done.stderr

    def files(self, folder: Path, ending: str) -> list[Path]:
        return sorted(folder.rglob(f"*.{ending}"))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_code_is_kept_beside_the_source(place: Place) -> None:
    assert place.run()[0] == COMPILED
    assert place.run() == (LOADED, "")
    assert place.files(place.beside, "nbc")
    assert not place.private.exists()


@POSIX
def test_a_private_folder_is_the_last_resort(place: Place) -> None:
    place.close()
    assert place.run()[0] == COMPILED
    assert stat.S_IMODE(place.private.stat().st_mode) == 0o700
    assert place.run() == (LOADED, "")


def _open_to_all(private: Path) -> None:
    private.mkdir()
    private.chmod(0o777)


def _link(private: Path) -> None:
    elsewhere = private.parent / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    private.symlink_to(elsewhere)


def _around_open_to_all(private: Path) -> None:
    private.mkdir(mode=0o700)
    private.parent.chmod(0o777)


@POSIX
@pytest.mark.parametrize("prepare", [_open_to_all, _link, _around_open_to_all])
def test_no_code_is_run_from_a_folder_that_others_can_write(place: Place, prepare: Callable[[Path], None]) -> None:
    place.close()
    prepare(place.private)
    for _ in range(2):
        found, said = place.run()
        assert found == COMPILED
        assert "nothing can be kept" in said
    assert not place.files(place.temporary, "nb*")


@POSIX
def test_a_folder_of_another_user_is_not_private(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(place.temporary))
    place.private.mkdir(mode=0o700)
    assert compiling.private_folder() == place.private
    other = place.temporary / "figmn-4000000"
    other.mkdir(mode=0o700)
    monkeypatch.setattr("os.getuid", lambda: 4_000_000)
    with pytest.raises(PermissionError, match="not private"):
        compiling.private_folder()


@POSIX
def test_code_that_another_user_left_beside_the_source_is_read(place: Place) -> None:
    assert place.run()[0] == COMPILED
    for path in (place.beside, *place.beside.iterdir()):
        path.chmod(0o555)
    try:
        assert place.run(prefix=_without_privileges()) == (LOADED, "")
        assert not place.private.exists() or not place.files(place.private, "nbc")
    finally:
        place.beside.chmod(0o755)


def _without_privileges() -> tuple[str, ...]:
    """Permissions count for root as well."""
    if os.getuid():
        return ()
    drop = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    if not shutil.which("setpriv") or subprocess.run([*drop, "true"], check=False, capture_output=True).returncode:
        pytest.skip("root cannot give up its privileges here")
    return drop


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _blank(path: Path) -> None:
    """As after a power failure: the size is there, the blocks are not. Some machine code, and pickle sees nothing."""
    data = bytearray(path.read_bytes())
    middle = data.index(b".text") if b".text" in data else len(data) // 2
    data[middle : middle + 64] = bytes(64)
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [_truncate, _empty, _blank])
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_damaged_files_are_written_anew(place: Place, ending: str, damage: Callable[[Path], None]) -> None:
    place.run()
    for path in place.files(place.beside, ending):
        damage(path)
    assert place.run()[0] == COMPILED
    assert place.run() == (LOADED, "")


@POSIX
def test_a_full_disk_stops_nothing(place: Place) -> None:
    # No file may grow beyond a few bytes: what a full disk does to a write, for root as well.
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))"
    for _ in range(2):
        assert place.run(full + CALL)[0] == COMPILED


def test_constants_of_other_files_count(place: Place) -> None:
    (place.package / "loops.py").write_text(LOOPS.replace("FACTOR = 2", "from constants import FACTOR"))
    for factor, result in ((2, "8"), (3, "12")):
        (place.package / "constants.py").write_text(f"FACTOR = {factor}")
        assert place.run()[0][0] == result


def test_called_functions_of_other_files_count(place: Place) -> None:
    """Numba compares the file of the loop alone: machine code of yesterday would go on running."""
    inner = "@part\ndef inner(x):\n    return FACTOR * x\n"
    (place.package / "loops.py").write_text(LOOPS.replace(inner, "from parts import inner\n"))
    for factor, result in ((2, "8"), (30, "120")):
        parts = f"from figmn.system.compiling import part\n@part\ndef inner(x):\n    return {factor} * x\n"
        (place.package / "parts.py").write_text(parts)
        assert place.run()[0][0] == result
    assert place.run()[0][2] == "0"


def test_fields_of_named_tuples_count(place: Place) -> None:
    loop = """
from figmn.system.compiling import compiled
from fields import Pair
@compiled
def loop(x):
    return Pair(x, 10 * x).first
loops = [loop, loop]
"""
    (place.package / "loops.py").write_text(loop)
    for fields, result in (("first, second", "4"), ("second, first", "40")):
        named = [f"    {name}: int" for name in fields.split(", ")]
        source = ["from typing import NamedTuple", "class Pair(NamedTuple):", *named]
        (place.package / "fields.py").write_text("\n".join(source) + "\n")
        assert place.run()[0][0] == result


def test_compiling_is_announced_once(place: Place) -> None:
    in_threads = """
from concurrent.futures import ThreadPoolExecutor
import loops
with ThreadPoolExecutor(4) as pool:
    print(*pool.map(lambda loop: loop(4), loops.loops * 4))
"""
    found, said = place.run(in_threads)
    assert found == ["8", "108"] * 4
    assert said.startswith("figmn: compiling its loops, about ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(("value", "lines"), [("1", 0), ("0", 1), ("", 1)])
def test_the_announcement_can_be_switched_off(place: Place, value: str, lines: int) -> None:
    place.environment["FIGMN_QUIET"] = value
    assert place.run()[1].count("\n") == lines


@pytest.mark.parametrize("closed", ["sys.stderr = None", "sys.stderr.close()"])
def test_nobody_needs_to_hear_it(place: Place, closed: str) -> None:
    assert place.run(f"import sys; {closed}\n{CALL}")[0] == COMPILED


@POSIX
def test_an_engine_learns_where_nothing_can_be_written(place: Place) -> None:
    shutil.copytree(ROOT / "figmn", place.package / "figmn", ignore=shutil.ignore_patterns("__pycache__"))
    (place.package / "figmn" / "__pycache__").touch()
    place.temporary.chmod(0o777)
    learn = """
import numpy as np, figmn
print(figmn.__file__)
print(figmn.FastIGMN(scale=np.ones(2), beta=0).learn(np.eye(3, 2)).n_components)
"""
    (where, n_components), _ = place.run(learn)
    assert Path(where).is_relative_to(place.package)
    assert n_components == "1"
