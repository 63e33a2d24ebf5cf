"""The tour on the Stream page: it turns, pauses, and planes of it are kept."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from tests.workbench.hands import choose, click, find, wait
from tests.workbench.parts import stream_page
from tests.workbench.steps import open_sample, run_to_the_end
from workbench.pages.stream.tour_bar import SPEEDS
from workbench.pages.stream.wiring import StreamWiring
from workbench.window.shell import WindowShell


def test_a_tour_turns_and_a_plane_is_kept(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    page, run = stream_page(shell), shell.desk.run
    planes = find(page, QComboBox, "planeBox")
    assert not page.mixture.tour.isVisible()
    choose(planes, "tour")
    assert page.mixture.tour.isVisible()
    assert run.tour_speed == SPEEDS["medium"]
    titles: set[str] = set()

    def turned() -> bool:
        titles.add(page.mixture.area.plot.bottom.labelText)
        return len(titles) > 4

    wait(qtbot, turned)
    assert "projection of 4 inputs, in standard deviations" in page.mixture.tools.note.text()
    choose(find(page, QComboBox, "tourSpeed"), "fast")
    assert run.tour_speed == SPEEDS["fast"]
    click(page, "tourPause")
    assert run.tour_speed == 0
    assert run.transport is not None
    run.transport.ask(lambda learner, _: learner.n_done).result()  # the command was executed
    shell.page(StreamWiring).pump()
    click(page, "tourKeep")
    assert planes.currentText() == "plane 1"
    assert not page.mixture.tour.isVisible()
    kept = page.mixture.plane
    wait(qtbot, lambda: run.frame is not None and run.frame.picture.plane == kept)
    assert run.frame is not None
    assert run.frame.picture.loadings is not None
    np.testing.assert_array_equal(run.frame.picture.loadings, np.array(kept.loadings))
    # It is there for the next run of the same data, beside others.
    choose(planes, "columns")
    assert page.mixture.plane.kind == "columns"
    choose(planes, "plane 1")
    shell.hub.run_requested.emit()
    wait(qtbot, lambda: run.frame is not None and run.frame.run == 2 and run.frame.picture.plane == kept)
    open_sample(qtbot, shell, "wine")
    shell.hub.run_requested.emit()
    wait(qtbot, lambda: run.frame is not None and run.frame.run == 3 and page.mixture.plane.kind != "kept")
    assert planes.findText("plane 1") < 0


def test_the_tour_is_a_command_and_rests_while_engines_are_timed(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    next(one for one in shell.page(StreamWiring).commands if one.name == "tour").trigger()
    assert shell.desk.run.tour_speed > 0
    shell.hub.timing_starting.emit()
    assert shell.desk.run.tour_speed == 0
    assert stream_page(shell).mixture.tour.pause.isChecked()


def test_two_columns_have_no_tour(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "Old Faithful")
    run_to_the_end(qtbot, shell)
    page = stream_page(shell)
    assert find(page, QComboBox, "planeBox").findText("tour") < 0
    page.mixture.start_tour()
    assert page.mixture.plane.kind == "columns"
