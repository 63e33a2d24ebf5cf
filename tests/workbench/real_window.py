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
    app, wiring = application.make(application.Start(theme="dark", size=(1280, 800)))
    wiring.window.show()
    assert app.platformName() == "xcb"
    application.begin(wiring, application.Start())
    try:
        see_the_demo(wiring)
        load_a_sample(wiring)
        play_pause_and_step(wiring)
        export(wiring, folder)
        race(wiring)
        close_during_a_race(wiring)
    finally:
        wiring.window.close()  # whatever happened, no thread keeps the process
    left = [thread for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon]
    assert not left, left
    sys.stdout.write("all seen\n")


def see_the_demo(wiring: WindowShell) -> None:
    wait(lambda: wiring.desk.run.frame is not None and wiring.desk.run.frame.n_done > 50)
    assert find(wiring.window, QWidget, "welcome").isVisible()
    picture = wiring.window.grab().toImage()
    colours = {picture.pixel(x, y) for x in range(300, 950, 7) for y in range(200, 420, 7)}
    assert len(colours) > 20, "the plot is empty"


def load_a_sample(wiring: WindowShell) -> None:
    button = find(wiring.window, QPushButton, "welcomeSample")
    menu = button.menu()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if action.text().startswith("iris")).trigger()
    wait(lambda: wiring.desk.data.dataset is not None and wiring.desk.data.dataset.title == "iris")
    assert text_of(wiring.window, "dataTitle") == "iris"


def play_pause_and_step(wiring: WindowShell) -> None:
    stream_page(wiring).run_bar.speed_slider.setValue(stream_page(wiring).run_bar.speed_slider.minimum())
    click(wiring.window, "streamButton")
    wait(lambda: state(wiring) == "running" and n_done(wiring) >= 1)
    click(wiring.window, "playButton")
    wait(lambda: state(wiring) == "paused")
    before = n_done(wiring)
    click(wiring.window, "stepButton")
    wait(lambda: n_done(wiring) == before + 1)
    assert f"Sample {before + 1} · row {before + 1} of iris." in text_of(wiring.window, "sentence")
    slider = stream_page(wiring).run_bar.speed_slider
    slider.setValue(slider.maximum())
    click(wiring.window, "playButton")
    wait(lambda: state(wiring) == "finished")
    assert n_done(wiring) == 150


def export(wiring: WindowShell, folder: Path) -> None:
    files = {"Model": "iris.figmn", "Log": "log.csv", "Recipe": "recipe.json"}
    for name, file in files.items():
        wiring.window.ask_save = lambda *_, file=file: str(folder / file)  # type: ignore[method-assign]
        click(wiring.window, f"export{name}")
        wait((folder / file).exists)
    wiring.window.ask_save = lambda *_: str(folder / "iris.png")  # type: ignore[method-assign]
    menu = find(wiring.window, QToolButton, "pictureButton").menu()
    next(action for action in menu.actions() if action.objectName() == "exportPng").trigger()
    wait((folder / "iris.png").exists)
    expected = run(Recipe.from_json(folder / "recipe.json"))
    np.testing.assert_allclose(load(folder / "iris.figmn").means, expected.model.means, rtol=1e-12)
    log = pyarrow.csv.read_csv(folder / "log.csv")
    lines = expected.log.lines()
    np.testing.assert_allclose(log["log_likelihood_all_columns"].to_numpy()[1:], lines.log_likelihood[1:], rtol=1e-9)
    assert log["owner_on_arrival"].to_pylist() == lines.owner.tolist()


def race(wiring: WindowShell) -> None:
    """On the made-up rows as they are set: the fast engine is far ahead, then both have learned all and agree."""
    wiring.window.tabs.setCurrentWidget(race_page(wiring))
    rows = find(wiring.window, QAbstractSpinBox, "raceRowsBox")
    write(rows, "60")
    click(wiring.window, "racePlayButton")
    desk = wiring.desk.race
    wait(lambda: desk.frame is not None and desk.frame.state == "finished" and desk.frame.parities[0].n_checked == 60)
    assert desk.frame is not None
    assert desk.frame.speed_up > 5
    assert desk.frame.parities[0].level == "good"
    picture = race_page(wiring).panes.grab().toImage()
    inks = {picture.pixel(x, y) for x in range(0, picture.width(), 5) for y in range(0, picture.height(), 5)}
    assert len(inks) > 20, "the panes are empty"


def close_during_a_race(wiring: WindowShell) -> None:
    """While the stream runs as well, which has held and goes on."""
    wiring.page(StreamWiring).show_demo()
    wiring.desk.run.set_speed(None)
    wait(lambda: state(wiring) == "running")
    wiring.window.tabs.setCurrentWidget(race_page(wiring))
    click(wiring.window, "racePlayButton")
    wait(lambda: wiring.desk.race.frame is not None)
    wiring.window.close()
    assert wiring.desk.run.transport is None
    assert wiring.desk.race.transport is None


def wait(condition: Callable[[], bool]) -> None:
    """As `hands.wait`, where there is no pytest."""
    assert application.wait_for(condition, PATIENCE), "waited in vain"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    QApplication.quit()
