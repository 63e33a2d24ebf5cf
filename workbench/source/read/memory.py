"""The memory that a load may take: what the machine has left, checked while rows are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psutil

from workbench.source.errors import SourceError

Limit = Callable[[], int | None]
"""Bytes that may still be allocated; None without a limit."""
USABLE = 0.8
"""Share of the available memory that a load may take; the rest is for the window and the model."""
STREAM = "Stream it from disk instead, or load a part of it"
CONVERT = "Save it as CSV or Parquet, which can be streamed from disk"
"""What to do with a format that is read as a whole even where it is streamed."""


class Budget:
    """What one load may take. The unpacked size of an archive or a compressed file is known only while it is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._available = available_bytes()

    def require(self, n_bytes: float, what: str = "takes", remedy: str = STREAM) -> None:
        """Refuse so many bytes in all, counted from the beginning of the load, where they do not fit."""
        if self._available is not None and n_bytes > USABLE * self._available:
            raise SourceError(
                f"{what} more than {USABLE * self._available / 1e6:,.0f} MB of memory, of "
                f"{self._available / 1e6:,.0f} MB that are available "
                f"(the file has {self._path.stat().st_size / 1e6:,.1f} MB)",
                path=self._path,
                remedy=remedy,
            )


def available_bytes() -> int:
    """Bytes that can be allocated without swapping, within the limits that `limit_by` was told of."""
    limits = [limit() for limit in _LIMITS]
    return min([psutil.virtual_memory().available, *(limit for limit in limits if limit is not None)])


def limit_by(limit: Limit) -> None:
    """Respect a further limit from now on.

    The library reads the limits of a container (`figmn.system.container`), which psutil does not know, and this room
    imports no part of it: `workbench.run` knows both and passes the limit on. Without it the machine's memory counts.
    """
    _LIMITS.append(limit)


_LIMITS: list[Limit] = []
