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


def test_a_sample_is_shown_streamed_and_read_back(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    assert wiring.window.tabs.currentWidget() is data_page(wiring)
    assert text_of(wiring.window, "dataTitle") == "iris"
    run_to_the_end(qtbot, wiring)
    assert wiring.window.tabs.currentWidget() is stream_page(wiring)
    frame = wiring.desk.run.frame
    assert frame is not None
    expected = run(Recipe(SampleOrigin("iris"))).model
    np.testing.assert_allclose(frame.census.means, expected.means, rtol=1e-12)
    assert text_of(wiring.window, "sampleLabel").replace("sample ", "") == "150 / 150"
    assert "Sample 150" in text_of(wiring.window, "sentence")
    wait(qtbot, lambda: f"K {expected.n_components}" == text_of(wiring.window, "statusCount"))
    assert text_of(wiring.window, "statusRecipe").endswith("current")
    assert "Finished after 150 samples" in log_text(wiring)


@pytest.mark.parametrize("streamed", [False, True])
def test_rows_without_a_measurement_are_told_on_the_page(
    qtbot: QtBot, wiring: WindowShell, tmp_path: Path, streamed: bool
) -> None:
    """They failed the run, and the error named a position within a chunk."""
    path = write_penguins(tmp_path / "penguins.csv")
    wiring.page(DataWiring).run_recipe(
        Recipe(FileOrigin(str(path), streamed=streamed), roles={"species": "ignored", "sex": "ignored"})
    )
    wait(qtbot, lambda: state(wiring) == "finished")
    told = "2 rows have no value in any input column and were skipped: rows 4 and 272 of penguins.csv"
    wait(qtbot, lambda: stream_page(wiring).notice.text() == told)
    assert text_of(wiring.window, "sampleLabel").replace("sample ", "") == "342 / 342"
    assert log_text(wiring).count(told) == 1


def test_play_pause_step_and_stop(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(DataWiring).load(GeneratorOrigin(BirthsAndDeaths(), endless=True))
    wait(qtbot, lambda: wiring.desk.data.dataset is not None)
    wiring.show_page(stream_page(wiring))
    click(wiring.window, "playButton")
    wait(qtbot, lambda: wiring.desk.run.frame is not None and wiring.desk.run.frame.n_done > 100)
    click(wiring.window, "playButton")
    wait(qtbot, lambda: state(wiring) == "paused")
    frame = wiring.desk.run.frame
    assert frame is not None
    n_done = frame.n_done
    click(wiring.window, "stepButton")
    wait(qtbot, lambda: wiring.desk.run.frame is not None and wiring.desk.run.frame.n_done == n_done + 1)
    assert f"Sample {n_done + 1:,}." in text_of(wiring.window, "sentence")
    click(wiring.window, "stopButton")
    wait(qtbot, lambda: state(wiring) == "stopped")
    click(wiring.window, "playButton")  # begins anew
    wait(qtbot, lambda: state(wiring) == "running")


def test_run_to_a_sample_and_restart(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    box = find(wiring.window, QWidget, "runToBox")
    box.setFocus()
    qtbot.keyClicks(box, "60")
    click(wiring.window, "runToButton")
    wait(qtbot, lambda: state(wiring) == "paused")
    assert wiring.desk.run.frame is not None
    assert wiring.desk.run.frame.n_done == 60
    click(wiring.window, "restartButton")
    wait(qtbot, lambda: state(wiring) == "finished")
    assert wiring.desk.run.frame.run == 2


def test_a_model_of_the_window_goes_on_in_the_library(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring, "Old Faithful")
    run_to_the_end(qtbot, wiring)
    runner = wiring.desk.run.transport
    assert runner is not None
    model = FastIGMN.from_snapshot(runner.ask(lambda learner, log: learner.engine.snapshot()).result(60))  # noqa: ARG005
    assert model.learn_one([3.0, 70.0]).sample == 272


def test_play_runs_the_data_that_are_shown(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(StreamWiring).show_demo()
    wait(qtbot, lambda: wiring.desk.run.frame is not None)
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    wait(qtbot, lambda: state(wiring) == "paused")
    click(wiring.window, "playButton")
    wait(qtbot, lambda: state(wiring) == "finished")
    assert wiring.desk.run.frame is not None
    assert wiring.desk.run.frame.recipe.origin == SampleOrigin("iris")


def test_the_length_of_a_recipe_is_not_that_of_the_next_data(qtbot: QtBot, wiring: WindowShell) -> None:
    wiring.page(DataWiring).run_recipe(Recipe(SampleOrigin("wine"), n_samples=10))
    wait(qtbot, lambda: state(wiring) == "finished")
    open_sample(qtbot, wiring)
    run_to_the_end(qtbot, wiring)
    assert wiring.desk.run.frame is not None
    assert wiring.desk.run.frame.n_done == 150


def test_small_data_start_at_a_speed_that_can_be_watched(qtbot: QtBot, wiring: WindowShell) -> None:
    act, bar = wiring.window.menus["unlimited"], stream_page(wiring).run_bar
    act.trigger()
    open_sample(qtbot, wiring)
    assert text_of(wiring.window, "speedLabel") == "7 /s"
    click(wiring.window, "streamButton")
    wait(qtbot, lambda: state(wiring) == "running")
    act.trigger()
    assert (bar.speed(), text_of(wiring.window, "speedLabel")) == (None, "unlimited")
    wait(qtbot, lambda: state(wiring) == "finished")
    click(wiring.window, "unlimitedButton")
    assert bar.speed() == wiring.desk.run.speed == 7
    bar.speed_slider.setValue(bar.speed_slider.minimum())
    wiring.page(DataWiring).undo()
    wiring.page(DataWiring).redo()
    open_sample(qtbot, wiring, "wine")
    assert bar.speed() == wiring.desk.run.speed == 10


def test_the_key_for_unlimited_is_for_the_page_that_is_shown(wiring: WindowShell) -> None:
    wiring.show_page(race_page(wiring))
    wiring.window.menus["unlimited"].trigger()
    assert race_page(wiring).run_bar.speed() == wiring.desk.race.speed == 100
    assert wiring.desk.run.speed is None
    wiring.window.menus["unlimited"].trigger()
    assert race_page(wiring).run_bar.speed() is wiring.desk.race.speed is None


def test_what_nobody_watches_is_not_slowed_down(qtbot: QtBot, wiring: WindowShell, tmp_path: Path) -> None:
    """Pictures and runs without a screen."""
    wiring.window.menus["unlimited"].trigger()
    path = write_penguins(tmp_path / "penguins.csv")
    wiring.page(DataWiring).run_unattended(None, str(path), 10)
    wait(qtbot, lambda: state(wiring) is not None)
    assert wiring.desk.run.speed is None


def test_a_run_that_holds_before_its_first_sample_is_shown(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    wiring.show_page(stream_page(wiring))
    wiring.desk.run.start(is_held=True)
    wait(qtbot, lambda: state(wiring) == "paused")
    assert text_of(wiring.window, "sentence") == "Nothing has been learned yet."
    click(wiring.window, "stepButton")
    wait(qtbot, lambda: wiring.desk.run.frame is not None and wiring.desk.run.frame.n_done == 1)


def test_the_held_out_log_likelihood_stays_until_the_next_run(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    results = stream_page(wiring).results
    assert results.readings() == []
    assert wiring.desk.data.dataset is not None
    wiring.page(DataWiring).change_dataset(wiring.desk.data.dataset.with_test_share(0.2), "held-out rows")
    run_to_the_end(qtbot, wiring)
    wait(qtbot, lambda: bool(results.readings()))
    expected = run(Recipe(SampleOrigin("iris"), test_share=0.2)).held_out
    assert expected is not None
    shown, of_inputs = (f"{value:.3f}".replace("-", "\u2212") for value in expected[1:])
    assert results.readings() == [
        ("held-out log-likelihood, inputs and targets", shown, ""),
        ("held-out log-likelihood, inputs only", of_inputs, "mean of 30 rows not learned, at sample 120"),
    ]
    wiring.window.statusBar().clearMessage()
    wiring.desk.run.set_plane(Plane("columns", 0, 1))
    wait(qtbot, lambda: wiring.desk.run.frame is not None and wiring.desk.run.frame.picture.plane.x == 0)
    assert results.readings()[0][1] == shown
    wiring.page(DataWiring).change_dataset(wiring.desk.data.dataset.with_test_share(0.0), "held-out rows")
    wiring.page(StreamWiring).restart()
    wait(qtbot, lambda: results.readings() == [])


def test_without_targets_the_held_out_log_likelihood_has_one_name(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    dataset = wiring.desk.data.dataset
    assert dataset is not None
    wiring.page(DataWiring).change_dataset(
        dataset.with_roles({"class": "ignored"}).with_test_share(0.2), "held-out rows"
    )
    run_to_the_end(qtbot, wiring)
    results = stream_page(wiring).results
    wait(qtbot, lambda: bool(results.readings()))
    (line,) = results.readings()
    assert (line[0], line[2]) == ("held-out log-likelihood", "mean of 30 rows not learned, at sample 120")


def test_the_likelihood_of_the_inputs_is_there_while_it_plays_and_steps(qtbot: QtBot, wiring: WindowShell) -> None:
    open_sample(qtbot, wiring)
    page, timelines = stream_page(wiring), stream_page(wiring).timelines
    wiring.window.show_page(page)
    page.fold_timelines(False)
    for n_done in (1, 2):
        click(wiring.window, "stepButton")
        wait(qtbot, lambda: page.shown is not None and page.shown.n_done == n_done)  # noqa: B023 - waited for here
    assert timelines.shown is not None
    assert np.isfinite(timelines.shown.timeline.input_log_likelihoods).tolist() == [False, True]
    click(wiring.window, "inputsOnly")
    title = list(timelines.readings())[2]
    assert "inputs only" in title
    assert timelines.readings()[title] != "–"
    click(wiring.window, "playButton")
    wait(qtbot, lambda: page.shown is not None and page.shown.state == "finished")
    assert timelines.readings()[title] != "–"
    click(wiring.window, "inputsOnly")
    assert "inputs and targets" in list(timelines.readings())[2]
