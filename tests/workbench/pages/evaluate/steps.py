"""Steps of a user on the Evaluate page."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.workbench.hands import click, wait
from tests.workbench.parts import evaluate_page
from workbench.desk.evaluate import Result
from workbench.pages.evaluate.parts.part import Part
from workbench.window.shell import WindowShell


def evaluate(qtbot: QtBot, shell: WindowShell) -> Result:
    """Press Start, and wait until the result is shown."""
    before = list(shell.desk.evaluate.results)
    click(evaluate_page(shell), "evaluateStart")
    wait(qtbot, lambda: len(shell.desk.evaluate.results) > len(before))
    rest(qtbot, shell)
    return shell.desk.evaluate.results[-1]


def rest(qtbot: QtBot, shell: WindowShell) -> None:
    """Wait until everything that was asked for is computed and shown."""
    page = evaluate_page(shell)
    wait(qtbot, lambda: not page.background._worker.is_busy and not page.background._then)


def turn_to(qtbot: QtBot, shell: WindowShell, title: str) -> Part:
    """Show a part of the result by its tab."""
    tabs = evaluate_page(shell).tabs
    place = next(place for place in range(tabs.count()) if tabs.tabText(place) == title)
    assert tabs.isTabVisible(place), f"{title} is not offered"
    tabs.setCurrentIndex(place)
    rest(qtbot, shell)
    part = evaluate_page(shell).part
    assert isinstance(part, Part)
    return part


def offered(shell: WindowShell) -> list[str]:
    """Titles of the visible tabs."""
    tabs = evaluate_page(shell).tabs
    return [tabs.tabText(place) for place in range(tabs.count()) if tabs.isTabVisible(place)]
