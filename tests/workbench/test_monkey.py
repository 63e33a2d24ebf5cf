"""A rough hand on the whole window; `tests/workbench/monkey` tells how to give it more time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.workbench.monkey.stalls import Stall

SEED = 7
FREEZE = 20
"""Seconds. How soon a window must answer is measured elsewhere: here other tests take their share of the machine."""


def test_a_stall_of_the_whole_machine_is_not_the_programs_own() -> None:
    seen = {"wall": 1.8, "cpu": 0.02, "process_cpu": 0.03, "load": 5.0, "states": {"S": 4}}
    assert Stall.of(seen | {"unwatched": 0.0}).own == pytest.approx(1.8)
    assert Stall.of(seen | {"unwatched": 1.7}).own == pytest.approx(0.12)


def test_300_random_actions_do_no_harm(tmp_path: Path) -> None:
    wish = f"--seed {SEED} --actions 300 --pace 0.02 --patience {FREEZE} --folder".split()
    done = subprocess.run(
        [sys.executable, "-m", "tests.workbench.monkey", *wish, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
    )
    faults = (tmp_path / "fault.log").read_text()
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{faults}"
    assert "300 actions" in done.stdout
