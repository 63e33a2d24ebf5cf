"""A moment in which a worker thread leaves interpreter and core to the window."""

from __future__ import annotations

import threading

LONGEST = 0.5
"""Seconds after which a rest is over, even if the thread that asked for it never ends it."""


class Rest:
    """Requested by one thread, taken by another.

    >>> rest = Rest()
    >>> thread = threading.Thread(target=rest.take)
    >>> thread.start()
    >>> rest.end()
    >>> thread.join()
    """

    def __init__(self) -> None:
        self.began = threading.Event()
        self._is_over = threading.Event()

    def take(self) -> None:
        """Block until the rest is over."""
        self.began.set()
        self._is_over.wait(LONGEST)

    def end(self) -> None:
        """Let the resting thread continue."""
        self._is_over.set()
