"""Available memory, and a check that raises `MemoryError` before more is allocated."""

from __future__ import annotations

import psutil

from figmn.system import container

SMALL = 64 * 2**20
"""Requests below this are granted without checking the free memory."""


def require(n_bytes: int, purpose: str) -> None:
    """Raise `MemoryError` with the numbers if `n_bytes` more do not fit.

    >>> require(10**18, "a very large matrix")
    Traceback (most recent call last):
    ...
    MemoryError: a very large matrix: 1,000,000,000,000.0 MB needed, ... MB available; the model stays as it is so far
    """
    if n_bytes < SMALL:
        return
    available = available_bytes()
    if n_bytes > available:
        raise MemoryError(
            f"{purpose}: {n_bytes / 1e6:,.1f} MB needed, {available / 1e6:,.1f} MB available; "
            "the model stays as it is so far"
        )


def available_bytes() -> int:
    """Bytes that can be allocated without swapping, on the machine and within the limits of a container.

    >>> 0 < available_bytes() <= total_bytes()
    True
    """
    return _least(psutil.virtual_memory().available, container.memory_left())


def total_bytes() -> int:
    """Bytes of memory of the machine, or of the container where that is limited to fewer."""
    return _least(psutil.virtual_memory().total, container.memory_limit())


def _least(machine: int, limit: int | None) -> int:
    return machine if limit is None else min(machine, limit)
