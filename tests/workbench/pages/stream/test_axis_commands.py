"""Commands for the axes, in the View menu."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.workbench.parts import stream_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.pages.stream.wiring import StreamWiring
from workbench.window.shell import WindowShell


def test_axes_are_logarithmic_and_equal_by_command(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    area = stream_page(shell).mixture.area
    commands = {command.name: command for command in shell.page(StreamWiring).commands}
    commands["logX"].trigger()
    assert area._logs == (True, False)
    commands["logY"].trigger()
    assert area._logs == (True, True)
    commands["logX"].trigger()
    commands["logY"].trigger()
    assert area._logs == (False, False)
    commands["equalAspect"].trigger()
    assert area.plot.view._is_equal
    assert all(commands[name].isCheckable() for name in ("logX", "logY", "equalAspect"))
