"""Returns freed memory to the system.

glibc keeps the pages of freed arrays below 32 MB for itself, in pieces that seldom fit what comes next: some races,
runs and loads later that was more than half a gigabyte that nobody used.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable

from workbench.report import memory_bytes

GROWTH = 64_000_000
"""Bytes that the process may grow by before its free pages are returned."""


class Heap:
    """Watches the memory of this process. Returning pages takes 0.1 ms a megabyte, so it has a thread of its own."""

    def __init__(self) -> None:
        self._trim = _malloc_trim()
        self._floor = memory_bytes()
        """Bytes held after the last trim, or less."""
        self._thread: threading.Thread | None = None

    def look(self) -> None:
        """Return free pages in the background where the process has grown."""
        held = memory_bytes()
        is_trimming = self._thread is not None and self._thread.is_alive()
        if self._trim is None or self._floor is None or held is None or is_trimming:
            return
        if held < self._floor + GROWTH:
            self._floor = min(self._floor, held)
            return
        self._thread = threading.Thread(target=self._return_pages, name="returning memory")
        self._thread.start()

    def _return_pages(self) -> None:
        assert self._trim is not None
        self._trim(0)
        self._floor = memory_bytes()


def _malloc_trim() -> Callable[[int], int] | None:
    """The function of glibc; None where another library allocates, which returns pages by itself."""
    if sys.platform != "linux":
        return None
    return getattr(ctypes.CDLL(None), "malloc_trim", None)
