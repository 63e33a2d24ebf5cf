"""Memory limit of a load, checked while rows are read against what the machine has left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psutil

from workbench.source.errors import SourceError

Limit = Callable[[], int | None]
"""Bytes that may still be allocated; None without a limit."""
USABLE = 0.8
"""Share of the available memory that a load may take; the rest is for the window and the model."""


class Shortage(NamedTuple):
    """A file that takes more memory than there is, in megabytes."""

    file: Path
    limit: float
    """What a load may take."""
    available: float
    size: float
    """Of the file on disk."""


def streamable(found: Shortage) -> SourceError:
    """A file of a format that can be streamed."""
    return SourceError(
        "{file} takes more than {limit:,.0f} MB of memory, of {available:,.0f} MB that are available (the file has "
        "{size:,.1f} MB). Stream it from disk instead, or load a part of it.",
        file=found.file,
        limit=found.limit,
        available=found.available,
        size=found.size,
    )


def convertible(found: Shortage) -> SourceError:
    """A file of a format that is read as a whole even where it is streamed."""
    return SourceError(
        "{file} takes more than {limit:,.0f} MB of memory, of {available:,.0f} MB that are available (the file has "
        "{size:,.1f} MB). Save it as CSV or Parquet, which can be streamed from disk.",
        file=found.file,
        limit=found.limit,
        available=found.available,
        size=found.size,
    )


class Budget:
    """Memory limit of one load. The unpacked size of a compressed file is known only while it is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._available = available_bytes()

    def require(self, n_bytes: float, error: Callable[[Shortage], SourceError] = streamable) -> None:
        """Raise `SourceError` if `n_bytes`, the total of this load so far, exceed the budget."""
        if self._available is not None and n_bytes > USABLE * self._available:
            size, limit = self._path.stat().st_size, USABLE * self._available
            raise error(Shortage(self._path, limit / 1e6, self._available / 1e6, size / 1e6))


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
