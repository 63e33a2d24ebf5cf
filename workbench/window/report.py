"""Versions and memory for problem reports and the status bar."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import psutil

from figmn import __version__

PACKAGES = ("numpy", "scipy", "numba", "pyarrow", "scikit-learn", "PySide6-Essentials", "pyqtgraph")


def versions() -> dict[str, str]:
    """Names and versions of the program, Python and the libraries."""
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


def memory_bytes() -> int:
    """Memory that this process holds (its resident set)."""
    return psutil.Process().memory_info().rss
