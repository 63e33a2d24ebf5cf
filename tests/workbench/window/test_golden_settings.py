"""Settings that an earlier version wrote are still read, every one of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workbench.window.settings import FILE_VARIABLE, Memory

GOLDEN = Path(__file__).parent / "golden" / "settings.ini"


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    for name in ("LICENSE", "pyproject.toml"):
        (tmp_path / name).touch()
    (tmp_path / "assets").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(FILE_VARIABLE, str(shutil.copy(GOLDEN, tmp_path / "settings.ini")))
    return Memory()


@pytest.mark.usefixtures("qapp")
def test_settings_of_an_earlier_version_are_read(memory: Memory) -> None:
    assert memory.recent == ["pyproject.toml", "LICENSE"], "README.md is gone"
    assert memory.theme == "dark"
    assert memory.folder == "assets"
    assert memory.raw_csv is True
    assert memory.component_colours is False
    assert [memory.panel(name) for name in ("data", "side", "right", "none")] == [True, False, None, None]
    assert [bytes(memory.window(name).data()) for name in ("geometry", "state")] == [  # type: ignore[union-attr]
        b"\x01\xd9\xd0\xcb\x00\x03",
        b"\x00\x00\x00\xff",
    ]
    assert memory.window("place") is None


@pytest.mark.usefixtures("qapp")
def test_what_is_not_in_the_file_has_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "none.ini"))
    memory = Memory()
    assert (memory.recent, memory.theme, memory.folder) == ([], "system", "")
    assert (memory.raw_csv, memory.component_colours) == (False, True)
