"""Run by `test_real_window` under Xvfb: a person's way through the window, with real clicks on a real window."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.csv
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QMenu, QPushButton, QToolButton, QWidget

from figmn import load
from tests.waiting import PATIENCE
from tests.workbench.hands import click, find, text_of, write
from tests.workbench.parts import race_page, stream_page
from tests.workbench.steps import n_done, state
from workbench.pages.stream.wiring import StreamWiring
from workbench.run import Recipe, run
from workbench.window import application
from workbench.window.shell import WindowShell


def main(folder: Path) -> None:
    app, shell = application.make(application.Start(theme="dark", size=(1280, 800)))
    shell.window.show()
    assert app.platformName() == "xcb"
    application.begin(shell, application.Start())
    try:
        see_the_demo(shell)
        load_a_sample(shell)
        play_pause_and_step(shell)
        export(shell, folder)
        race(shell)
        close_during_a_race(shell)
    finally:
        shell.window.close()  # whatever happened, no thread keeps the process
    left = [thread for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon]
    assert not left, left
    sys.stdout.write("all seen\n")


def see_the_demo(shell: WindowShell) -> None:
    wait(lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done > 50)
    assert find(shell.window, QWidget, "welcome").isVisible()
    picture = shell.window.grab().toImage()
    colours = {picture.pixel(x, y) for x in range(300, 950, 7) for y in range(200, 420, 7)}
    assert len(colours) > 20, "the plot is empty"


def load_a_sample(shell: WindowShell) -> None:
    button = find(shell.window, QPushButton, "welcomeSample")
    menu = button.menu()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if action.text().startswith("iris")).trigger()
    wait(lambda: shell.desk.data.dataset is not None and shell.desk.data.dataset.title == "iris")
    assert text_of(shell.window, "dataTitle") == "iris"


def play_pause_and_step(shell: WindowShell) -> None:
    stream_page(shell).run_bar.speed_slider.setValue(stream_page(shell).run_bar.speed_slider.minimum())
    click(shell.window, "streamButton")
    wait(lambda: state(shell) == "running" and n_done(shell) >= 1)
    click(shell.window, "playButton")
    wait(lambda: state(shell) == "paused")
    before = n_done(shell)
    click(shell.window, "stepButton")
    wait(lambda: n_done(shell) == before + 1)
    assert f"Sample {before + 1} · row {before + 1} of iris." in text_of(shell.window, "sentence")
    slider = stream_page(shell).run_bar.speed_slider
    slider.setValue(slider.maximum())
    click(shell.window, "playButton")
    wait(lambda: state(shell) == "finished")
    assert n_done(shell) == 150


def export(shell: WindowShell, folder: Path) -> None:
    files = {"Model": "iris.figmn", "Log": "log.csv", "Recipe": "recipe.json"}
    for name, file in files.items():
        shell.window.ask_save = lambda *_, file=file: str(folder / file)  # type: ignore[method-assign]
        click(shell.window, f"export{name}")
        wait((folder / file).exists)
    shell.window.ask_save = lambda *_: str(folder / "iris.png")  # type: ignore[method-assign]
    menu = find(shell.window, QToolButton, "pictureButton").menu()
    next(action for action in menu.actions() if action.objectName() == "exportPng").trigger()
    wait((folder / "iris.png").exists)
    expected = run(Recipe.from_json(folder / "recipe.json"))
    np.testing.assert_allclose(load(folder / "iris.figmn").means, expected.model.means, rtol=1e-12)
    log = pyarrow.csv.read_csv(folder / "log.csv")
    lines = expected.log.lines()
    np.testing.assert_allclose(log["log_likelihood_all_columns"].to_numpy()[1:], lines.log_likelihood[1:], rtol=1e-9)
    assert log["owner_on_arrival"].to_pylist() == lines.owner.tolist()


def race(shell: WindowShell) -> None:
    """On the made-up rows as they are set: the fast engine is far ahead, then both have learned all and agree."""
    shell.window.tabs.setCurrentWidget(race_page(shell))
    rows = find(shell.window, QAbstractSpinBox, "raceRowsBox")
    write(rows, "60")
    click(shell.window, "racePlayButton")
    desk = shell.desk.race
    wait(lambda: desk.frame is not None and desk.frame.state == "finished" and desk.frame.parities[0].n_checked == 60)
    assert desk.frame is not None
    assert desk.frame.speed_up > 5
    assert desk.frame.parities[0].level == "good"
    picture = race_page(shell).panes.grab().toImage()
    inks = {picture.pixel(x, y) for x in range(0, picture.width(), 5) for y in range(0, picture.height(), 5)}
    assert len(inks) > 20, "the panes are empty"


def close_during_a_race(shell: WindowShell) -> None:
    """While the stream runs as well, which has held and goes on."""
    shell.page(StreamWiring).show_demo()
    shell.desk.run.set_speed(None)
    wait(lambda: state(shell) == "running")
    shell.window.tabs.setCurrentWidget(race_page(shell))
    click(shell.window, "racePlayButton")
    wait(lambda: shell.desk.race.frame is not None)
    shell.window.close()
    assert shell.desk.run.transport is None
    assert shell.desk.race.transport is None


def wait(condition: Callable[[], bool]) -> None:
    """As `hands.wait`, where there is no pytest."""
    assert application.wait_for(condition, PATIENCE), "waited in vain"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    QApplication.quit()
