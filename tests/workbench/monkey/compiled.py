"""Compiles every loop of the engines in a process of its own, so that it is on disk before a rough hand begins.

Only the first start after an installation compiles: it takes 100 MB that the process keeps, as a constant, whenever a
kind of run comes for the first time. A measure of what grows must not begin before that.
"""

from __future__ import annotations

import subprocess
import sys

from figmn.bench import warm_up
from tests.places import ROOT


def compile_all() -> None:
    """Wait until all is compiled; a second where it was before."""
    subprocess.run([sys.executable, "-m", "tests.workbench.monkey.compiled"], check=True, cwd=ROOT)


if __name__ == "__main__":
    warm_up()
