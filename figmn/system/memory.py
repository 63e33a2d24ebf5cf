"""How much memory there is, and a refusal with the numbers before more is asked for."""

from __future__ import annotations

from pathlib import Path

SMALL = 64 * 2**20
"""Requests below this are granted without checking the free memory."""
MEMINFO = Path("/proc/meminfo")


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
    if available is not None and n_bytes > available:
        raise MemoryError(
            f"{purpose}: {n_bytes / 1e6:,.1f} MB needed, {available / 1e6:,.1f} MB available; "
            "the model stays as it is so far"
        )


def available_bytes() -> int | None:
    """Bytes that can be had without swapping; None where the system does not tell.

    >>> (available_bytes() or 1) > 0
    True
    """
    try:
        lines = MEMINFO.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")), None)
