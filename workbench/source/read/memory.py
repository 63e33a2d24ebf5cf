"""Memory limit of a load, checked while rows are read against what the machine has left."""

from __future__ import annotations

from pathlib import Path

from workbench.source.errors import SourceError

MEMINFO = Path("/proc/meminfo")
USABLE = 0.8
"""Share of the available memory that a load may take; the rest is for the window and the model."""
STREAM = "Stream it from disk instead, or load a part of it"
CONVERT = "Save it as CSV or Parquet, which can be streamed from disk"
"""What to do with a format that is read as a whole even where it is streamed."""


class Budget:
    """Memory limit of one load. The unpacked size of a compressed file is known only while it is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._available = available_bytes()

    def require(self, n_bytes: float, what: str = "takes", remedy: str = STREAM) -> None:
        """Raise `SourceError` if `n_bytes`, the total of this load so far, exceed the budget."""
        if self._available is not None and n_bytes > USABLE * self._available:
            raise SourceError(
                f"{what} more than {USABLE * self._available / 1e6:,.0f} MB of memory, of "
                f"{self._available / 1e6:,.0f} MB that are available "
                f"(the file has {self._path.stat().st_size / 1e6:,.1f} MB)",
                path=self._path,
                remedy=remedy,
            )


def available_bytes() -> int | None:
    """Bytes of memory that are free or can be freed; None where the system does not say."""
    try:
        lines = MEMINFO.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")), None)
