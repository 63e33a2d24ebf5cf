"""`python -m workbench` and `figmn-workbench`: the command line, where what it needs is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec

NEEDED = ("PySide6", "pyqtgraph", "pyarrow")
"""Packages of the extra `workbench`; a library without them is a complete installation, too."""
INSTALL = "pip install 'figmn-workbench[workbench]'"
INCOMPLETE = 2
"""Exit code where the extra is not installed, as for a command line that cannot be used."""


def main() -> int:
    """Run the command line, or say what to install; no command works with parts of the extra."""
    missing = [package for package in NEEDED if find_spec(package) is None]
    if missing:
        print(f"figmn-workbench: {_listed(missing)} not installed; install the workbench with: {INSTALL}",
              file=sys.stderr)  # fmt: skip
        return INCOMPLETE
    from workbench.cli import main as run_command

    return run_command()


def _listed(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last} are" if others else f"{last} is"


if __name__ == "__main__":
    sys.exit(main())
