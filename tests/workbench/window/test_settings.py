"""Settings are written outside of the window's thread; those that were damaged count as not there."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QByteArray, QSettings
from pytestqt.qtbot import QtBot

from workbench.pages.data.wiring import DataWiring
from workbench.window import application, settings
from workbench.window.settings import FILE_VARIABLE, Memory
from workbench.window.shell import WindowShell

VALUES = (
    "", "7", "-1e400", "true", "@Invalid()", "@Point(1 2)", "@Rect(1 2 3 4)", "@Size(-1 99999999)", "@Variant()",
    "@Variant(\\0\\0\\0\\x8\\0\\0\\0\\x1)", "@ByteArray()", "@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3)", "@String(x)",
    "a, b, c", ", , ,", "/dev/null, \\0, /", '"', "\\xd800", "../" * 500, "x" * 10_000, "@DateTime(\\0)", "@@", "\\x",
)  # fmt: skip
KEYS = ("recent", "theme", "folder", "raw_csv", "component_colours", "window/geometry", "window/state")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "settings.ini"
    monkeypatch.setenv(FILE_VARIABLE, str(found))
    return found


def checked(memory: Memory) -> Memory:
    """Ask for everything that is kept."""
    assert all(isinstance(name, str) for name in memory.recent)
    assert memory.theme in {"light", "dark", "system"}
    assert isinstance(memory.folder, str)
    assert isinstance(memory.raw_csv, bool)
    assert isinstance(memory.component_colours, bool)
    memory.add_recent(__file__)
    assert memory.recent[0] == __file__
    memory.save()
    return memory


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("value", VALUES)
def test_a_damaged_value_counts_as_not_there(value: str, path: Path) -> None:
    write(path, value)
    checked(Memory())


def test_a_window_opens_whatever_its_place_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    for number, value in enumerate(VALUES):
        # A name of its own: Qt shares the values of a file among all who have it open.
        write(tmp_path / f"{number}.ini", value)
        monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / f"{number}.ini"))
        _, shell = application.make(application.Start())
        qtbot.addWidget(shell.window)
        assert not shell.window.size().isEmpty()
        shell.window.close()


def write(path: Path, value: str) -> None:
    """Settings with the same value everywhere."""
    groups: dict[str, list[str]] = {key.rpartition("/")[0] or "General": [] for key in KEYS}
    for key in KEYS:
        groups[key.rpartition("/")[0] or "General"].append(f"{key.rpartition('/')[2]}={value}\n")
    text = "".join(f"[{group}]\n{''.join(lines)}" for group, lines in groups.items())
    path.write_text(text, encoding="utf-8", errors="surrogatepass")


def test_noise_in_the_file_counts_as_nothing(path: Path) -> None:
    chance = random.Random(0)
    keep = Memory()
    keep.theme = "dark"
    keep.add_recent(__file__)
    keep.save()
    whole = path.read_bytes()
    for number in range(60):
        damaged = bytearray(whole)
        for _ in range(1 + number % 8):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        other = path.with_name(f"{number}.ini")
        other.write_bytes(damaged[: chance.randrange(1, len(damaged))] if number % 3 else bytes(damaged))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(FILE_VARIABLE, str(other))
            checked(Memory())


class WatchedSettings(QSettings):
    """Notes the threads that write, and so wait for the disk."""

    writers: ClassVar[set[threading.Thread]] = set()

    def setValue(self, key: str, value: object) -> None:
        self.writers.add(threading.current_thread())
        super().setValue(key, value)

    def remove(self, key: str) -> None:
        self.writers.add(threading.current_thread())
        super().remove(key)


@pytest.fixture
def writers(monkeypatch: pytest.MonkeyPatch) -> set[threading.Thread]:
    found: set[threading.Thread] = set()
    monkeypatch.setattr(WatchedSettings, "writers", found)
    monkeypatch.setattr(settings, "QSettings", WatchedSettings)
    return found


def test_the_window_does_not_wait_for_the_disk(writers: set[threading.Thread], shell: WindowShell) -> None:
    shell.window.menus["theme-dark"].trigger()
    shell.page(DataWiring).forget_recent()
    shell.memory.folder = "elsewhere"
    shell.memory.save()
    assert writers
    assert threading.main_thread() not in writers


def test_settings_are_there_at_the_next_start(path: Path) -> None:  # noqa: ARG001
    memory = Memory()
    memory.theme = "dark"
    memory.theme = "light"
    memory.add_recent(__file__)
    memory.keep_panel("side", False)
    memory.keep_window("state", QByteArray(b"\x00where\xff"))
    memory.save()
    found = Memory()
    assert (found.theme, found.recent, found.panel("side")) == ("light", [__file__], False)
    assert found.window("state") == QByteArray(b"\x00where\xff")
    found.forget_recent()
    found.save()
    assert Memory().recent == []


@pytest.mark.parametrize("content", ["[General]\nrecent=@Variant(\\0\\0\\x7f\n[window]\ngeometry=7\n", "\x00\x01[", ""])
@pytest.mark.usefixtures("qapp")
def test_damaged_settings_count_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    path = tmp_path / "settings.ini"
    path.write_text(content, encoding="latin-1")
    monkeypatch.setenv(FILE_VARIABLE, str(path))
    memory = Memory()
    assert (memory.recent, memory.theme, memory.folder) == ([], "system", "")
