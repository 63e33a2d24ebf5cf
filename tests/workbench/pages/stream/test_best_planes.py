"""The best planes, asked for on the Stream page."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, wait
from tests.workbench.parts import stream_page
from tests.workbench.steps import log_text, open_sample, run_to_the_end
from workbench.run import Plane
from workbench.run.show.separation import RankedPlane, Ranking, rank_planes
from workbench.views.plots.best_planes import remarks
from workbench.window.shell import WindowShell


def test_a_plane_of_the_menu_is_drawn(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "wine")
    run_to_the_end(qtbot, shell)
    page, run = stream_page(shell), shell.desk.run
    assert run.transport is not None
    ranking = run.transport.ask(lambda learner, _: rank_planes(learner.engine, learner.prepared)).result()
    click(page, "bestPlanes")
    menu = page.mixture.tools.best.menu_of_planes
    wait(qtbot, menu.isVisible)
    offered = [action for action in menu.actions() if action.isEnabled() and not action.isSeparator()]
    assert [action.text().split("\t")[0] for action in offered] == [
        " × ".join(plane.names) for plane in (*ranking.components, *ranking.classes)
    ]
    assert offered[0].text().endswith(f"\t{100 * ranking.components[0].separation:.0f} %")
    offered[3].trigger()
    menu.close()
    plane = ranking.components[3].plane
    assert page.mixture.plane == plane
    wait(qtbot, lambda: run.frame is not None and run.frame.picture.plane == plane)


def test_without_a_run_it_says_what_to_do(shell: WindowShell) -> None:
    shell.show_page(stream_page(shell))
    click(stream_page(shell), "bestPlanes")
    assert "Nothing has been learned yet: press play first." in log_text(shell)


def test_what_is_left_out_is_said() -> None:
    assert remarks(Ranking((), (), None, 784, 24, 300, 50)) == [
        "The 50 largest of 300 components were compared.",
        "24 of 784 columns were paired: those that separate best alone.",
    ]
    assert remarks(Ranking((), (), None, 2, 2, 1, 1)) == ["There are no two components to separate yet."]
    assert remarks(Ranking((), (), None, 2, 2, 2, 2)) == []


def test_names_are_plain_text(qtbot: QtBot, shell: WindowShell) -> None:
    best = stream_page(shell).mixture.tools.best
    shell.show_page(stream_page(shell))
    best.offer(Ranking((RankedPlane(Plane(), ("<b>R&D</b>", "y"), 0.5),), (), None, 2, 2, 2, 2))
    wait(qtbot, best.menu_of_planes.isVisible)
    action = best.menu_of_planes.actions()[1]
    assert action.text() == "<b>R&&D</b> × y\t50 %"
    assert "&lt;b&gt;" in action.toolTip()
    best.menu_of_planes.close()
