"""The processor that timings depend on: its name, and the cores that this process may use."""

from __future__ import annotations

import math
import platform
import sys
from pathlib import Path

import psutil

from figmn.system import container

CPUINFO = Path("/proc/cpuinfo")


def n_cores() -> int:
    """Logical cores that the process may use: by its affinity, and within the limits of a container.

    >>> 1 <= n_cores() <= psutil.cpu_count()
    True
    """
    has_affinity = hasattr(psutil.Process, "cpu_affinity")  # not on macOS
    usable = len(psutil.Process().cpu_affinity()) if has_affinity else psutil.cpu_count() or 1
    limit = container.cpu_limit()
    return usable if limit is None else min(usable, math.ceil(limit))


def cpu_name() -> str:
    """The model of the processor, such as 'AMD EPYC'.

    Neither psutil nor `platform` knows it on Linux, where `platform.processor()` is empty or the architecture.
    """
    try:
        lines = CPUINFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or sys.platform)
