"""Damaged files of every format are read, or refused with a sentence; nothing else is raised and no process ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.workbench.source.mutations import FILES

SEEDS = 10
BY_ARROW = ("plain.feather", "packed.feather", "rows.arrows")
"""Whose damage ends the process where it is not found before use: more of it."""
GROUPS = {"arrow": BY_ARROW, "others": tuple(name for name in FILES if name not in BY_ARROW)}

DAMAGE = """
import faulthandler, random, sys, traceback, warnings
from pathlib import Path
from tests.workbench.source.mutations import FILES, OPTIONS, damaged, read_all

faulthandler.enable()
warnings.simplefilter("error")
folder, n_seeds, *names = sys.argv[1:]
for name in names:
    for seed in range(int(n_seeds)):
        rng = random.Random(f"{name} {seed}")
        path = Path(folder, name)
        path.write_bytes(damaged(FILES[name], rng))
        options = OPTIONS[0] if rng.random() < 0.7 else rng.choice(OPTIONS)
        try:
            read_all(path, options)
        except Exception:
            print(name, seed, options.encoding, traceback.format_exc())
print("done")
"""
"""In a process of its own, which damaged offsets may end."""


@pytest.mark.parametrize("group", GROUPS)
def test_damage_is_refused_in_words(group: str, tmp_path: Path) -> None:
    n_seeds = 5 * SEEDS if group == "arrow" else SEEDS
    done = subprocess.run(
        [sys.executable, "-c", DAMAGE, str(tmp_path), str(n_seeds), *GROUPS[group]],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr


def test_undamaged_files_are_read(tmp_path: Path) -> None:
    from tests.workbench.source.mutations import OPTIONS, read_all

    for name, content in FILES.items():
        path = tmp_path / name
        path.write_bytes(content)
        assert read_all(path, OPTIONS[0]) == [], name
