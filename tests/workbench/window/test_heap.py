"""Memory that was freed is returned to the system."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.places import ROOT
from tests.workbench.hands import wait
from workbench.window.heap import Heap, _glibc
from workbench.window.report import memory_bytes
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell

PIECE, N_PIECES = 100_000, 3_000
MANY_THREADS = f"""
from threading import Barrier, Thread

from workbench.window import application
from workbench.window.report import memory_bytes

_, shell = application.make(application.Start())
bytearray(30_000_000)  # freed at once: from now on glibc keeps up to twice as much at the end of every arena
before, together = memory_bytes(), Barrier(8)


def work():
    together.wait()
    pieces = [bytearray({PIECE}) for _ in range(400)]
    together.wait()


threads = [Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
shell.heap.look()
shell.heap.join()
print(memory_bytes() - before)
shell.window.close()
"""


@pytest.mark.skipif(_glibc() is None, reason="other allocators return pages by themselves")
def test_the_window_returns_what_was_freed(qtbot: QtBot, shell: WindowShell) -> None:
    before = memory_bytes()
    pieces = [bytearray(PIECE) for _ in range(N_PIECES)]
    assert memory_bytes() > before + 250e6
    kept = pieces[::100]  # the free pages between them stay with the process
    del pieces
    wait(qtbot, lambda: memory_bytes() < before + 100e6)
    assert len(kept) == N_PIECES // 100
    assert not shell.is_closed


@pytest.mark.skipif(_glibc() is None, reason="other allocators return pages by themselves")
def test_what_was_in_use_at_the_last_trim_is_returned_once_it_is_freed() -> None:
    heap, before = Heap(), memory_bytes()
    freed, pieces = [bytearray(PIECE) for _ in range(N_PIECES)], [bytearray(PIECE) for _ in range(N_PIECES)]
    del freed
    look(heap)
    assert memory_bytes() > before + 250e6
    kept = pieces[::100]
    del pieces
    look(heap)
    assert memory_bytes() < before + 100e6
    assert len(kept) == N_PIECES // 100


@pytest.mark.skipif(_glibc() is None, reason="other allocators return pages by themselves")
def test_what_many_threads_freed_is_returned(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MANY_THREADS],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", FILE_VARIABLE: str(tmp_path / "settings.ini")},
    )
    assert int(done.stdout) < 100e6


def look(heap: Heap) -> None:
    heap.look()
    heap.join()
