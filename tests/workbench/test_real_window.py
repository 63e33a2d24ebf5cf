"""One walk through the real window on a real (virtual) screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT
from workbench.window.settings import FILE_VARIABLE

linux = pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is how a screen is had on Linux")


def on_a_screen(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    assert shutil.which("xvfb-run"), "Xvfb is missing: run bash .ci/system-packages"
    screen = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1920x1080x24"]
    environment = {"QT_QPA_PLATFORM": "xcb", FILE_VARIABLE: str(folder / "settings.ini"), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*screen, sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=os.environ | environment,
        cwd=folder,
    )


@linux
def test_load_play_pause_step_and_export(tmp_path: Path) -> None:
    done = on_a_screen(str(Path(__file__).with_name("real_window.py")), str(tmp_path), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "all seen"


@linux
def test_a_screenshot_with_a_display(tmp_path: Path) -> None:
    done = on_a_screen(
        "-m", "workbench", "--screenshot", "shot.png", "--theme", "dark", "--size", "1280x800", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "shot.png").stat().st_size > 20_000
