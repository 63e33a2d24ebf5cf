"""Parameters that are changed: during a run, wrongly, or carried over to other data."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QLabel,
    QWidget,
)
from pytestqt.qtbot import QtBot

from figmn import Parameters
from tests.workbench.hands import click, find, text_of, wait, write
from tests.workbench.parts import stream_page
from tests.workbench.steps import log_text, open_sample, state
from workbench.pages.data.wiring import DataWiring
from workbench.pages.stream.wiring import DEMO_CHOICES, StreamWiring
from workbench.run import Choices, Recipe, SampleOrigin
from workbench.source import Encoding, Order
from workbench.window.shell import WindowShell


def test_a_wrong_parameter_blocks_the_start_and_says_why(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    box = find(wiring.window, QAbstractSpinBox, "betaBox")
    write(box, "7", None)
    wiring.window.menus["play"].trigger()  # what was typed a moment ago counts
    assert "beta = 7" in text_of(wiring.window, "betaProblem")
    assert not find(wiring.window, QWidget, "playButton").isEnabled()
    assert "beta = 7" in text_of(wiring.window, "startBlocked")
    assert wiring.desk.run.transport is None
    write(box, "0.1")
    assert find(wiring.window, QWidget, "playButton").isEnabled()
    assert wiring.desk.data.choices.parameters.beta == 0.1


def test_a_change_during_a_run_counts_or_marks_it_stale(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    wiring.desk.run.run_to(50)
    wait(qtbot, lambda: state(wiring) == "paused")
    assert text_of(wiring.window, "statusRecipe").startswith("iris · δ automatic (0.58) · ")
    wiring.window.form._choose(Choices(Parameters(beta=0.2)))
    wait(qtbot, lambda: wiring.desk.run.transport is not None and bool(wiring.desk.run.transport.recipe.changes))
    assert not wiring.desk.run.is_stale
    wiring.window.form._choose(Choices(Parameters(beta=0.2, delta=0.9)))
    assert wiring.desk.run.is_stale
    assert text_of(wiring.window, "statusRecipe").endswith("settings changed since this run")
    assert text_of(wiring.window, "parameterStateText") == "Changed since this run: δ automatic (0.58) → 0.9"
    iris = wiring.desk.data.dataset
    assert iris is not None
    wiring.page(DataWiring).change_dataset(
        iris.with_order(Order("shuffled")).with_encoding(Encoding(missing="drop")), "order"
    )
    text = "Changed since this run: δ automatic (0.58) → 0.9, missing values, order"
    assert text_of(wiring.window, "parameterStateText") == text
    wiring.page(DataWiring).undo()
    click(wiring.window, "restartWithThese")
    wait(qtbot, lambda: state(wiring) == "finished")
    assert not wiring.desk.run.is_stale
    assert wiring.desk.run.frame is not None
    assert wiring.desk.run.frame.census.parameters == Parameters(beta=0.2, delta=0.9)


def carried_over(wiring: WindowShell) -> str:
    note = find(wiring.window, QLabel, "carriedOverText")
    return note.text() if note.isVisible() else ""


def test_parameters_carried_over_say_so_until_they_are_reset_kept_or_changed(qtbot: QtBot, wiring: WindowShell) -> None:
    other = Choices(Parameters(beta=0.2))
    open_sample(qtbot, wiring)
    for answer in ("carriedOverReset", "carriedOverKeep", "betaBox"):
        wiring.window.form._choose(other)
        assert carried_over(wiring) == ""
        open_sample(qtbot, wiring, "wine")
        assert carried_over(wiring) == "Parameters carried over from iris"
        if answer == "betaBox":
            write(find(wiring.window, QAbstractSpinBox, answer), "0.3")
        else:
            click(wiring.window, answer)
        assert carried_over(wiring) == ""
        assert (wiring.desk.data.choices == Choices()) is (answer == "carriedOverReset")
        wiring.window.form._choose(Choices())
        open_sample(qtbot, wiring)
        assert carried_over(wiring) == ""


def test_the_parameters_of_a_recipe_are_not_carried_over(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.window.form._choose(Choices(Parameters(beta=0.2)))
    wiring.page(DataWiring).run_recipe(Recipe(SampleOrigin("wine"), choices=Choices(Parameters(beta=0.2))))
    wait(qtbot, lambda: state(wiring) == "finished")
    assert carried_over(wiring) == ""


def test_moving_delta_in_a_run_changes_nothing_but_its_staleness(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(StreamWiring).show_demo()
    wait(qtbot, lambda: wiring.desk.run.frame is not None)
    for step in range(10):
        wiring.window.form._choose(Choices(replace(DEMO_CHOICES.parameters, delta=0.3 + 0.01 * step)))
    assert wiring.desk.run.transport is not None
    wait(qtbot, wiring.desk.run.transport.ask(lambda learner, log: None).done)  # noqa: ARG005 - all before it is done
    wiring.pump.pump()
    assert not wiring.desk.run.transport.recipe.changes
    assert "From sample" not in log_text(wiring)
    assert wiring.desk.run.is_stale
