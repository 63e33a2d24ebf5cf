"""Versions and memory for problem reports and the status bar."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from figmn import __version__

PACKAGES = ("numpy", "scipy", "numba", "pyarrow", "scikit-learn", "PySide6-Essentials", "pyqtgraph")


def versions() -> dict[str, str]:
    """Names and versions of what is in use."""
    found = {"figmn-workbench": __version__, "Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    found["system"] = f"{platform.system()} {platform.release()} ({sys.platform})"
    return found


def versions_text(found: dict[str, str]) -> str:
    """Names and versions, one per line."""
    return "\n".join(f"{name} {number}" for name, number in found.items())


def memory_bytes() -> int | None:
    """Memory that this process holds; None where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except OSError:
        return None
    return pages * 4096
