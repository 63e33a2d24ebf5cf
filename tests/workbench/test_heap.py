"""Memory that was freed is returned to the system."""

from __future__ import annotations

import sys

import pytest
from pytestqt.qtbot import QtBot

from workbench.heap import Heap
from workbench.report import memory_bytes
from workbench.wiring import Wiring

PIECE, N_PIECES = 100_000, 3_000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems return pages by themselves")
def test_the_window_returns_what_was_freed(qtbot: QtBot, wiring: Wiring) -> None:
    before = held()
    pieces = [bytearray(PIECE) for _ in range(N_PIECES)]
    assert held() > before + 250e6
    kept = pieces[::100]  # the free pages between them stay with the process
    del pieces
    qtbot.waitUntil(lambda: held() < before + 100e6, timeout=30_000)
    assert len(kept) == N_PIECES // 100
    assert not wiring.is_closed


@pytest.mark.skipif(sys.platform != "linux", reason="other systems return pages by themselves")
def test_what_was_in_use_at_the_last_trim_is_returned_once_it_is_freed() -> None:
    heap, before = Heap(), held()
    freed, pieces = [bytearray(PIECE) for _ in range(N_PIECES)], [bytearray(PIECE) for _ in range(N_PIECES)]
    del freed
    look(heap)
    assert held() > before + 250e6
    kept = pieces[::100]
    del pieces
    look(heap)
    assert held() < before + 100e6
    assert len(kept) == N_PIECES // 100


def look(heap: Heap) -> None:
    heap.look()
    heap.join()


def held() -> int:
    found = memory_bytes()
    assert found is not None
    return found
