"""A run in the window: data go in, and what the user would see is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import (
    QWidget,
)
from pytestqt.qtbot import QtBot

from figmn import FastIGMN
from tests.workbench.hands import click, find, text_of, wait
from tests.workbench.parts import data_page, race_page, stream_page
from tests.workbench.penguins import write_penguins
from tests.workbench.steps import log_text, open_sample, run_to_the_end, state
from workbench.pages.data.wiring import DataWiring
from workbench.pages.stream.wiring import StreamWiring
from workbench.run import FileOrigin, GeneratorOrigin, Plane, Recipe, SampleOrigin, run
from workbench.source.generators import BirthsAndDeaths
from workbench.window.shell import WindowShell


def test_a_sample_is_shown_streamed_and_read_back(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    assert shell.window.tabs.currentWidget() is data_page(shell)
    assert text_of(shell.window, "dataTitle") == "iris"
    run_to_the_end(qtbot, shell)
    assert shell.window.tabs.currentWidget() is stream_page(shell)
    frame = shell.desk.run.frame
    assert frame is not None
    expected = run(Recipe(SampleOrigin("iris"))).model
    np.testing.assert_allclose(frame.census.means, expected.means, rtol=1e-12)
    assert text_of(shell.window, "sampleLabel").replace("sample ", "") == "150 / 150"
    assert "Sample 150" in text_of(shell.window, "sentence")
    wait(qtbot, lambda: f"K {expected.n_components}" == text_of(shell.window, "statusCount"))
    assert text_of(shell.window, "statusRecipe").endswith("current")
    assert "Finished after 150 samples" in log_text(shell)


@pytest.mark.parametrize("streamed", [False, True])
def test_rows_without_a_measurement_are_told_on_the_page(
    qtbot: QtBot, shell: WindowShell, tmp_path: Path, streamed: bool
) -> None:
    """They failed the run, and the error named a position within a chunk."""
    path = write_penguins(tmp_path / "penguins.csv")
    shell.page(DataWiring).run_recipe(
        Recipe(FileOrigin(str(path), streamed=streamed), roles={"species": "ignored", "sex": "ignored"})
    )
    wait(qtbot, lambda: state(shell) == "finished")
    told = "2 rows have no value in any input column and were skipped: rows 4 and 272 of penguins.csv"
    wait(qtbot, lambda: stream_page(shell).notice.text() == told)
    assert text_of(shell.window, "sampleLabel").replace("sample ", "") == "342 / 342"
    assert log_text(shell).count(told) == 1


def test_play_pause_step_and_stop(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    wait(qtbot, lambda: shell.desk.data.dataset is not None)
    shell.show_page(stream_page(shell))
    click(shell.window, "playButton")
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done > 100)
    click(shell.window, "playButton")
    wait(qtbot, lambda: state(shell) == "paused")
    frame = shell.desk.run.frame
    assert frame is not None
    n_done = frame.n_done
    click(shell.window, "stepButton")
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done == n_done + 1)
    assert f"Sample {n_done + 1:,}." in text_of(shell.window, "sentence")
    click(shell.window, "stopButton")
    wait(qtbot, lambda: state(shell) == "stopped")
    click(shell.window, "playButton")  # begins anew
    wait(qtbot, lambda: state(shell) == "running")


def test_run_to_a_sample_and_restart(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.show_page(stream_page(shell))
    box = find(shell.window, QWidget, "runToBox")
    box.setFocus()
    qtbot.keyClicks(box, "60")
    click(shell.window, "runToButton")
    wait(qtbot, lambda: state(shell) == "paused")
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.n_done == 60
    click(shell.window, "restartButton")
    wait(qtbot, lambda: state(shell) == "finished")
    assert shell.desk.run.frame.run == 2


def test_a_model_of_the_window_goes_on_in_the_library(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell, "Old Faithful")
    run_to_the_end(qtbot, shell)
    runner = shell.desk.run.transport
    assert runner is not None
    model = FastIGMN.from_snapshot(runner.ask(lambda learner, log: learner.engine.snapshot()).result(60))  # noqa: ARG005
    assert model.learn_one([3.0, 70.0]).sample == 272


def test_play_runs_the_data_that_are_shown(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(StreamWiring).show_demo()
    wait(qtbot, lambda: shell.desk.run.frame is not None)
    open_sample(qtbot, shell)
    shell.show_page(stream_page(shell))
    wait(qtbot, lambda: state(shell) == "paused")
    click(shell.window, "playButton")
    wait(qtbot, lambda: state(shell) == "finished")
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.recipe.origin == SampleOrigin("iris")


def test_the_length_of_a_recipe_is_not_that_of_the_next_data(qtbot: QtBot, shell: WindowShell) -> None:
    shell.page(DataWiring).run_recipe(Recipe(SampleOrigin("wine"), n_samples=10))
    wait(qtbot, lambda: state(shell) == "finished")
    open_sample(qtbot, shell)
    run_to_the_end(qtbot, shell)
    assert shell.desk.run.frame is not None
    assert shell.desk.run.frame.n_done == 150


def test_small_data_start_at_a_speed_that_can_be_watched(qtbot: QtBot, shell: WindowShell) -> None:
    act, bar = shell.window.menus["unlimited"], stream_page(shell).run_bar
    act.trigger()
    open_sample(qtbot, shell)
    assert text_of(shell.window, "speedLabel") == "7 /s"
    click(shell.window, "streamButton")
    wait(qtbot, lambda: state(shell) == "running")
    act.trigger()
    assert (bar.speed(), text_of(shell.window, "speedLabel")) == (None, "unlimited")
    wait(qtbot, lambda: state(shell) == "finished")
    click(shell.window, "unlimitedButton")
    assert bar.speed() == shell.desk.run.speed == 7
    bar.speed_slider.setValue(bar.speed_slider.minimum())
    shell.page(DataWiring).undo()
    shell.page(DataWiring).redo()
    open_sample(qtbot, shell, "wine")
    assert bar.speed() == shell.desk.run.speed == 10


def test_the_key_for_unlimited_is_for_the_page_that_is_shown(shell: WindowShell) -> None:
    shell.show_page(race_page(shell))
    shell.window.menus["unlimited"].trigger()
    assert race_page(shell).run_bar.speed() == shell.desk.race.speed == 100
    assert shell.desk.run.speed is None
    shell.window.menus["unlimited"].trigger()
    assert race_page(shell).run_bar.speed() is shell.desk.race.speed is None


def test_what_nobody_watches_is_not_slowed_down(qtbot: QtBot, shell: WindowShell, tmp_path: Path) -> None:
    """Pictures and runs without a screen."""
    shell.window.menus["unlimited"].trigger()
    path = write_penguins(tmp_path / "penguins.csv")
    shell.page(DataWiring).run_unattended(None, str(path), 10)
    wait(qtbot, lambda: state(shell) is not None)
    assert shell.desk.run.speed is None


def test_a_run_that_holds_before_its_first_sample_is_shown(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    shell.show_page(stream_page(shell))
    shell.desk.run.start(is_held=True)
    wait(qtbot, lambda: state(shell) == "paused")
    assert text_of(shell.window, "sentence") == "Nothing has been learned yet."
    click(shell.window, "stepButton")
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done == 1)


def test_the_held_out_log_likelihood_stays_until_the_next_run(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    results = stream_page(shell).results
    assert results.readings() == []
    assert shell.desk.data.dataset is not None
    shell.page(DataWiring).change_dataset(shell.desk.data.dataset.with_test_share(0.2), "held-out rows")
    run_to_the_end(qtbot, shell)
    wait(qtbot, lambda: bool(results.readings()))
    expected = run(Recipe(SampleOrigin("iris"), test_share=0.2)).held_out
    assert expected is not None
    shown, of_inputs = (f"{value:.3f}".replace("-", "\u2212") for value in expected[1:])
    assert results.readings() == [
        ("held-out log-likelihood, inputs and targets", shown, ""),
        ("held-out log-likelihood, inputs only", of_inputs, "mean of 30 rows not learned, at sample 120"),
    ]
    shell.window.statusBar().clearMessage()
    shell.desk.run.set_plane(Plane("columns", 0, 1))
    wait(qtbot, lambda: shell.desk.run.frame is not None and shell.desk.run.frame.picture.plane.x == 0)
    assert results.readings()[0][1] == shown
    shell.page(DataWiring).change_dataset(shell.desk.data.dataset.with_test_share(0.0), "held-out rows")
    shell.page(StreamWiring).restart()
    wait(qtbot, lambda: results.readings() == [])


def test_without_targets_the_held_out_log_likelihood_has_one_name(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    dataset = shell.desk.data.dataset
    assert dataset is not None
    shell.page(DataWiring).change_dataset(
        dataset.with_roles({"class": "ignored"}).with_test_share(0.2), "held-out rows"
    )
    run_to_the_end(qtbot, shell)
    results = stream_page(shell).results
    wait(qtbot, lambda: bool(results.readings()))
    (line,) = results.readings()
    assert (line[0], line[2]) == ("held-out log-likelihood", "mean of 30 rows not learned, at sample 120")


def test_the_likelihood_of_the_inputs_is_there_while_it_plays_and_steps(qtbot: QtBot, shell: WindowShell) -> None:
    open_sample(qtbot, shell)
    page, timelines = stream_page(shell), stream_page(shell).timelines
    shell.window.show_page(page)
    page.fold_timelines(False)
    for n_done in (1, 2):
        click(shell.window, "stepButton")
        wait(qtbot, lambda: page.shown is not None and page.shown.n_done == n_done)  # noqa: B023 - waited for here
    assert timelines.shown is not None
    assert np.isfinite(timelines.shown.timeline.input_log_likelihoods).tolist() == [False, True]
    click(shell.window, "inputsOnly")
    title = list(timelines.readings())[2]
    assert "inputs only" in title
    assert timelines.readings()[title] != "–"
    click(shell.window, "playButton")
    wait(qtbot, lambda: page.shown is not None and page.shown.state == "finished")
    assert timelines.readings()[title] != "–"
    click(shell.window, "inputsOnly")
    assert "inputs and targets" in list(timelines.readings())[2]
