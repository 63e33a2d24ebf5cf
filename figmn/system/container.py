"""Limits of a container: memory and processor time of the control groups (cgroups) that the process belongs to.

psutil reports the whole machine: in a container with 2 GB on a machine with 64 GB it reports 64 GB. This module is
the only place that reads control groups, of both versions.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OWN_GROUPS = Path("/proc/self/cgroup")
"""Names the groups of this process; it exists on Linux only."""
ROOT = Path("/sys/fs/cgroup")
"""Where the groups are mounted."""


class MemoryFiles(NamedTuple):
    """Files in which a version of control groups reports limit and usage."""

    limit: str
    used: str
    cached: tuple[str, str]
    """Lines of `memory.stat` with pages of files, which the kernel drops when memory is needed."""


MEMORY_FILES = (
    MemoryFiles("memory.max", "memory.current", ("inactive_file", "active_file")),
    MemoryFiles("memory.limit_in_bytes", "memory.usage_in_bytes", ("total_inactive_file", "total_active_file")),
)
"""Version 2, version 1."""


def memory_limit() -> int | None:
    """Bytes that the processes of the group may hold in all; without a limit, None or more than any machine has.

    >>> limit = memory_limit()
    >>> limit is None or limit > 0
    True
    """
    limits = (_number(folder / files.limit) for files in MEMORY_FILES for folder in _groups("memory"))
    return min((limit for limit in limits if limit is not None), default=None)


def memory_left() -> int | None:
    """Bytes that the process can still allocate below the limits of all its groups; None without a limit."""
    left = (_left(folder, files) for files in MEMORY_FILES for folder in _groups("memory"))
    return min((n_bytes for n_bytes in left if n_bytes is not None), default=None)


def cpu_limit() -> float | None:
    """Cores whose time the process may use, such as 1.5; None without a limit."""
    limits = (_cores(folder) for folder in _groups("cpu"))
    return min((limit for limit in limits if limit is not None), default=None)


def _groups(controller: str) -> Iterator[Path]:
    """The process's own group and its parents, whose limits apply as well.

    A container may see its own group as the root, under a name that exists only on the host: missing folders are fine,
    since the root always comes last.
    """
    for line in _text(OWN_GROUPS).splitlines():
        _, controllers, name = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        root = ROOT / controller if controllers else ROOT
        own = root / name.lstrip("/")
        yield own
        yield from (folder for folder in own.parents if folder.is_relative_to(root))


def _left(folder: Path, files: MemoryFiles) -> int | None:
    limit, used = _number(folder / files.limit), _number(folder / files.used)
    if limit is None or used is None:
        return None
    facts = dict(line.split() for line in _text(folder / "memory.stat").splitlines())
    cached = sum(int(facts.get(name, 0)) for name in files.cached)
    return max(0, limit - used + cached)


def _cores(folder: Path) -> float | None:
    quota, _, period = _text(folder / "cpu.max").partition(" ")  # version 2: both in one file
    if not period:
        quota, period = _text(folder / "cpu.cfs_quota_us"), _text(folder / "cpu.cfs_period_us")
    # Without a limit, version 2 says "max" and version 1 says -1.
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() else None


def _number(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text.isdigit() else None  # "max" is no limit


def _text(path: Path) -> str:
    """The content of a small file; empty where it cannot be read."""
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
