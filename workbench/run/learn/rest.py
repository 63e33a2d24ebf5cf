"""A moment in which a thread leaves interpreter and core to the window."""

from __future__ import annotations

import threading

LONGEST = 0.5
"""Seconds after which a rest is over, whatever became of whoever asked for it."""


class Rest:
    """Asked for by one thread and taken by another.

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
        """Do nothing until it is over."""
        self.began.set()
        self._is_over.wait(LONGEST)

    def end(self) -> None:
        """Let the other thread go on."""
        self._is_over.set()
