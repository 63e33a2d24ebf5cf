"""Returns freed memory to the system.

glibc keeps the pages of freed arrays below 32 MB, in fragments that seldom fit later allocations: after some races,
runs and loads, more than half a gigabyte was held unused.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import Any

FREED = 32_000_000
"""Bytes freed since the last trim from which their pages are returned."""
ARENAS, M_ARENA_MAX = 2, -8


def share_arenas() -> None:
    """Let all threads allocate from two arenas; call it before other threads start.

    glibc creates up to eight arenas per core, and the top of each, up to 64 MB, cannot be returned: after races of
    many columns that was a hundred megabytes and more. The interpreter lock keeps threads from allocating at the same
    time anyway: both engines take the same time with two arenas.
    """
    if (library := _glibc()) is not None:
        library.mallopt(M_ARENA_MAX, ARENAS)


class Heap:
    """Watches the free memory of this process, in a thread since counting and returning it take milliseconds.

    The resident set would not tell: it does not fall when a large race is released, and if that race existed at the
    last trim, it has not risen since, either.
    """

    def __init__(self) -> None:
        self._library = _glibc()
        self._floor = 0 if self._library is None else _free_bytes(self._library)
        """Lowest number of free bytes since the last trim; their pages are already returned."""
        self._thread: threading.Thread | None = None

    def look(self) -> None:
        """Return pages in the background if enough memory was freed."""
        if self._library is None or (self._thread is not None and self._thread.is_alive()):
            return
        # A daemon thread, since one starts every second; `join` waits for it at exit.
        self._thread = threading.Thread(
            target=self._return_pages, args=(self._library,), name="returning memory", daemon=True
        )
        self._thread.start()

    def join(self) -> None:
        """Wait for the thread that `look` started."""
        if self._thread is not None:
            self._thread.join()

    def _return_pages(self, library: ctypes.CDLL) -> None:
        free = _free_bytes(library)
        if free < self._floor + FREED:
            self._floor = min(self._floor, free)
            return
        library.malloc_trim(0)
        self._floor = _free_bytes(library)


class _Mallinfo(ctypes.Structure):
    """Result of glibc's `mallinfo2`."""

    _fields_ = (("others", 8 * ctypes.c_size_t), ("fordblks", ctypes.c_size_t), ("keepcost", ctypes.c_size_t))


def _glibc() -> ctypes.CDLL | None:
    """The C library if it is glibc; None for others, which return pages themselves."""
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(library, "malloc_trim") or not hasattr(library, "mallinfo2"):
        return None
    assert library is not None
    library.mallinfo2.restype = _Mallinfo
    return library


def _free_bytes(library: ctypes.CDLL) -> int:
    """Bytes that were freed but are kept by glibc, whether their pages are returned or not."""
    found: Any = library.mallinfo2()
    return int(found.fordblks)
