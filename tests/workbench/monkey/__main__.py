"""`python -m tests.workbench.monkey`: exit code 1 where anything was found."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.workbench.monkey.place import move_into


def main() -> int:
    wanted = arguments()
    folder = Path(wanted.folder or tempfile.mkdtemp(prefix="monkey-")).resolve()
    move_into(folder)
    # Only now: Qt reads the environment when it is imported.
    from tests.workbench.monkey.session import Wish, run

    return run(Wish(folder, wanted.seed, wanted.actions, wanted.pace, wanted.patience, wanted.memory_limit))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="monkey", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--actions", type=int, default=2000)
    parser.add_argument("--pace", type=float, default=0.09, help="seconds from one action to the next")
    parser.add_argument("--folder", help="where files, logs and the report go; a new temporary folder by default")
    parser.add_argument("--patience", type=float, default=1.0, help="seconds that the event loop may stand still")
    parser.add_argument("--memory-limit", type=float, default=4.0, help="gigabytes at which the run is given up")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
