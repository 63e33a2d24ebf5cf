"""A place of its own for a run: settings, home and working folder, so that nothing of the user is touched."""

from __future__ import annotations

import os
from pathlib import Path

SETTINGS = "FIGMN_WORKBENCH_SETTINGS"
HOMES = {
    "HOME": "home",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_RUNTIME_DIR": "runtime",
}


def move_into(folder: Path) -> None:
    """Make the folder the home and the working folder of this process; before Qt is imported."""
    for name, part in HOMES.items():
        (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
        os.environ[name] = str(folder / part)
    os.environ[SETTINGS] = str(folder / "settings.ini")
    out = folder / "out"
    out.mkdir(exist_ok=True)
    os.chdir(out)
