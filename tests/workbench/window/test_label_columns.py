"""Label columns do not disturb the picture: figures say which columns they include, and inputs alone can be shown."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QToolButton
from pytestqt.qtbot import QtBot

from tests.workbench.hands import choose, click, find, wait
from tests.workbench.parts import stream_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.window.shell import WindowShell


def test_every_figure_says_what_it_includes(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "wine")
    run_to_the_end(qtbot, shell)
    page = stream_page(shell)
    assert "13 input and 3 target columns" in shell.window.form.hint.text()
    # Principal planes: of the inputs they have nothing of the label columns in them.
    planes = find(page, QComboBox, "planeBox")
    choose(planes, "PCA: inputs")
    wait(qtbot, lambda: page.mixture.area.plot.bottom.labelText.startswith("inputs only: principal component 1"))
    choose(planes, "PCA: all")
    wait(qtbot, lambda: page.mixture.area.plot.bottom.labelText.startswith("inputs and targets: principal component"))
    # The likelihood curve.
    page.fold_timelines(False)
    assert page.timelines._tracks[2].title.endswith("inputs and targets")
    click(find(page, QToolButton, "inputsOnly"))
    assert page.timelines._tracks[2].title.startswith("log-likelihood before learning, inputs only")
    # What turns through the columns, and what is ranked, are inputs.
    choose(planes, "tour")
    wait(qtbot, lambda: "projection of 13 inputs" in page.mixture.tools.note.text())


def test_without_targets_nothing_is_said_of_them(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "Old Faithful")
    assert "target" not in shell.window.form.hint.text()
