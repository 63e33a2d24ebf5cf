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


def test_a_wrong_parameter_blocks_the_start_and_says_why(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.show_page(stream_page(shell))
    box = find(shell.window, QAbstractSpinBox, "betaBox")
    write(box, "7", None)
    shell.window.menus["play"].trigger()  # what was typed a moment ago counts
    assert "β = 7" in text_of(shell.window, "betaProblem")
    assert not find(shell.window, QWidget, "playButton").isEnabled()
    assert "β = 7" in text_of(shell.window, "startBlocked")
    assert shell.desk.run.transport is None
    write(box, "0.1")
    assert find(shell.window, QWidget, "playButton").isEnabled()
    assert shell.desk.data.choices.parameters.beta == 0.1


def test_what_is_wrong_at_the_end_of_the_panel_is_scrolled_into_sight(qtbot: QtBot, shell: WindowShell) -> None:
    shell.window.resize(1280, 500)
    open_sample(qtbot, shell)
    box, side = shell.window.form.boxes["max_components"], shell.window.side

    def is_in_sight() -> bool:
        label = box.problem_label
        place = label.mapTo(side.viewport(), label.rect().bottomLeft())
        return label.isVisible() and side.viewport().rect().contains(place)

    side.verticalScrollBar().setValue(0)
    write(find(shell.window, QAbstractSpinBox, "maxComponentsBox"), "2.5")
    wait(qtbot, is_in_sight)
    assert "K_max = 2.5 is not whole" in box.problem()


def test_a_change_during_a_run_counts_or_marks_it_stale(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.show_page(stream_page(shell))
    shell.desk.run.run_to(50)
    wait(qtbot, lambda: state(shell) == "paused")
    assert text_of(shell.window, "statusRecipe").startswith("iris · δ automatic (0.58) · ")
    shell.window.form._choose(Choices(Parameters(beta=0.2)))
    wait(qtbot, lambda: shell.desk.run.transport is not None and bool(shell.desk.run.transport.recipe.changes))
    assert not shell.desk.run.is_stale
    shell.window.form._choose(Choices(Parameters(beta=0.2, delta=0.9)))
    assert shell.desk.run.is_stale
    assert text_of(shell.window, "statusRecipe").endswith("settings changed since this run")
    assert text_of(shell.window, "parameterStateText") == "Changed since this run: δ automatic (0.58) → 0.9"
    iris = shell.desk.data.dataset
    assert iris is not None
    shell.page(DataWiring).change_dataset(
        iris.with_order(Order("shuffled")).with_encoding(Encoding(missing="drop")), "order"
    )
    text = "Changed since this run: δ automatic (0.58) → 0.9, missing values, order"
    assert text_of(shell.window, "parameterStateText") == text
    shell.page(DataWiring).undo()
    click(shell.window, "restartWithThese")
    wait(qtbot, lambda: state(shell) == "finished")
    assert not shell.desk.run.is_stale
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.census.parameters == Parameters(beta=0.2, delta=0.9).for_columns(7)


def carried_over(shell: WindowShell) -> str:
    note = find(shell.window, QLabel, "carriedOverText")
    return note.text() if note.isVisible() else ""


def test_parameters_carried_over_say_so_until_they_are_reset_kept_or_changed(qtbot: QtBot, shell: WindowShell) -> None:
    other = Choices(Parameters(beta=0.2))
    open_sample(qtbot, shell)
    for answer in ("carriedOverReset", "carriedOverKeep", "betaBox"):
        shell.window.form._choose(other)
        assert carried_over(shell) == ""
        open_sample(qtbot, shell, "wine")
        assert carried_over(shell) == "Parameters carried over from iris"
        if answer == "betaBox":
            write(find(shell.window, QAbstractSpinBox, answer), "0.3")
        else:
            click(shell.window, answer)
        assert carried_over(shell) == ""
        assert (shell.desk.data.choices == Choices()) is (answer == "carriedOverReset")
        shell.window.form._choose(Choices())
        open_sample(qtbot, shell)
        assert carried_over(shell) == ""


def test_the_parameters_of_a_recipe_are_not_carried_over(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.window.form._choose(Choices(Parameters(beta=0.2)))
    shell.page(DataWiring).run_recipe(Recipe(SampleOrigin("wine"), choices=Choices(Parameters(beta=0.2))))
    wait(qtbot, lambda: state(shell) == "finished")
    assert carried_over(shell) == ""


def test_moving_delta_in_a_run_changes_nothing_but_its_staleness(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(StreamWiring).show_demo()
    wait(qtbot, lambda: shell.desk.run.frame is not None)
    for step in range(10):
        shell.window.form._choose(Choices(replace(DEMO_CHOICES.parameters, delta=0.3 + 0.01 * step)))
    assert shell.desk.run.transport is not None
    wait(qtbot, shell.desk.run.transport.ask(lambda learner, log: None).done)  # noqa: ARG005 - all before it is done
    shell.pump.pump()
    assert not shell.desk.run.transport.recipe.changes
    assert "From sample" not in log_text(shell)
    assert shell.desk.run.is_stale
