"""The window ends: closed in the middle of a run, by Ctrl+C, or not at all after an error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.places import ROOT
from tests.workbench.hands import click, wait
from tests.workbench.parts import stream_page
from tests.workbench.steps import open_sample
from workbench.pages.stream.wiring import StreamWiring
from workbench.run import GeneratorOrigin, Recipe
from workbench.source.generators import BirthsAndDeaths
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell


def test_an_error_nobody_foresaw_is_told(qtbot: QtBot, shell: WindowShell, monkeypatch: pytest.MonkeyPatch) -> None:
    open_sample(qtbot, shell)

    def broken(*_: object, **__: object) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(shell.desk.run, "start", broken)
    click(shell.window, "streamButton")
    assert "Unexpected error (KeyError)" in stream_page(shell).notice.text()


def test_closing_in_the_middle_of_a_run_leaves_no_thread(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(StreamWiring).show_demo()
    shell.desk.run.set_speed(None)
    wait(qtbot, lambda: shell.desk.run.frame is not None)
    shell.window.close()
    assert shell.desk.run.transport is None


@pytest.mark.parametrize("arguments", [[], ["--screenshot", "long.png", "--recipe", "long.json"]])
def test_ctrl_c_ends_the_window(tmp_path: Path, arguments: list[str]) -> None:
    """On a screen that nobody sees, but with the loop of the window."""
    Recipe(GeneratorOrigin(BirthsAndDeaths(), endless=True), n_samples=10**9).to_json(tmp_path / "long.json")
    program = (
        "import sys\nfrom workbench import cli\nfrom workbench.window import application\n"
        "application.has_display = lambda: True\n"
    )
    program += "make = application.make\n"
    program += "def told(start):\n    made = make(start)\n"
    program += "    made[1].pump.frames_drawn.connect(lambda: print('frame', flush=True))\n    return made\n"
    program += "application.make = told\nsys.exit(cli.main(sys.argv[1:]))\n"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", FILE_VARIABLE: str(tmp_path / "settings.ini")}
    environment["PYTHONPATH"] = str(ROOT)
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "frame\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        finally:
            process.kill()
