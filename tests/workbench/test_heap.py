"""Memory that was freed is returned to the system."""

from __future__ import annotations

import sys

import pytest
from pytestqt.qtbot import QtBot

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


def held() -> int:
    found = memory_bytes()
    assert found is not None
    return found
