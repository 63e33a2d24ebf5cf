"""`python -m workbench bench --window --race`: how much the Race page slows the engines, and its responsiveness."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer

from figmn.bench import pinned
from figmn.params import Solver
from workbench.commands.window import PATIENCE, watch
from workbench.pages.race.wiring import RaceWiring
from workbench.run.learn.learner import timed
from workbench.run.race.contenders import contenders_of
from workbench.run.race.headless import recipe_of
from workbench.run.race.lane import Lane
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.choices import Choices
from workbench.run.rows.prepared import prepare
from workbench.window import application
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell
from workbench.words.factors import speed_up

WATCHED = 10.0
"""Seconds for which the event loop is measured."""
ENOUGH = 0.3
"""Engine seconds of the cubic engine per race; by then the fast one has learned all rows."""
FEWEST = 4
"""Least samples of the cubic engine: the first only creates a component."""
LOOK = 50
"""Milliseconds between two checks of a condition."""
OFTEN = 4
"""Races per repeat: they are short, and timings are noisy."""
WIDEST = 3072
"""Dimensions in which a step of the cubic engine takes very long."""
CASES = (RaceSettings(n_features=784, n_rows=500), RaceSettings(n_features=3072, n_rows=300))


def measure(repeats: int) -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ[FILE_VARIABLE] = str(Path(folder) / "settings.ini")
        app, shell = application.make(application.Start(theme="light", size=(1280, 800)))
        shell.window.show()
        shell.show_page(shell.page(RaceWiring).page)
        print(f"platform {app.platformName()}, window 1280 x 800\n")
        try:
            starts(shell, repeats)
            delays(shell)
            stops(shell, repeats)
            for settings in CASES:
                disturbance(shell, settings, OFTEN * repeats)
        finally:
            shell.window.close()
            shell.window.deleteLater()


def starts(shell: WindowShell, repeats: int) -> None:
    """Time from the click on play to the first frame with samples of both engines."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        begin_race(shell, CASES[0])
        application.wait_for(lambda: _n_done(shell) > 0, PATIENCE)
        times.append(time.perf_counter() - began)
        end(shell)
    words = f"the race has begun {np.median(times):.2f} s after the click, worst {max(times):.2f} s"
    print(f"D = {CASES[0].n_features}: {words}\n")


def delays(shell: WindowShell) -> None:
    """Event-loop delays while both engines race."""
    for takes_turns, words in ((True, "take turns"), (False, "at the same time")):
        begin_race(shell, RaceSettings(n_features=784, n_rows=100_000, takes_turns=takes_turns))
        application.wait_for(lambda: _n_done(shell) > 0, PATIENCE)
        found = watch(shell, WATCHED)
        end(shell)
        print(f"D = 784, {words}: event-loop delay p50 {found.p50:.1f} ms, p99 {found.p99:.1f} ms, "
              f"worst {found.worst:.0f} ms")  # fmt: skip
    print()


def stops(shell: WindowShell, repeats: int) -> None:
    """Time from a click on stop during a cubic step to the frame that shows it."""
    for solver in get_args(Solver):
        times = []
        for _ in range(repeats):
            begin_race(shell, RaceSettings(n_features=WIDEST, n_rows=300, solver=solver))
            application.wait_for(lambda: _n_done(shell) > 0, PATIENCE)
            application.settle(0.15)
            times.append(end(shell))
        print(
            f"D = {WIDEST}, {solver}: stop shows after {1e3 * np.median(times):.0f} ms, worst {1e3 * max(times):.0f} ms"
        )
    print()


def disturbance(shell: WindowShell, settings: RaceSettings, repeats: int) -> None:
    """Times of both engines on the same rows: alone, on the page in turns, and on the page at the same time."""
    ways: dict[str, Callable[[], tuple[float, float]]] = {
        "alone": lambda: alone(settings),
        "take turns": lambda: on_the_page(shell, settings, takes_turns=True),
        "at the same time": lambda: on_the_page(shell, settings, takes_turns=False),
    }
    found: dict[str, list[tuple[float, float]]] = {words: [] for words in ways}
    rng = np.random.default_rng(0)
    for _ in range(repeats):
        for words in rng.permutation(list(ways)).tolist():  # what came before leaves its traces
            found[words].append(ways[words]())
    print(f"D = {settings.n_features}, {settings.n_rows} rows, µs per sample, medians of {repeats}")
    base = np.array(found["alone"])
    for words, pairs in found.items():
        fast, cubic = np.median(pairs, axis=0)
        slower = 100 * (np.median(np.array(pairs) / base, axis=0) - 1)
        print(f"    {words:<17} fast {fast:8.1f} ({slower[0]:+5.1f} %)   cubic {cubic:10.0f} ({slower[1]:+5.1f} %)   "
              f"ratio {speed_up(fast, cubic):8,.0f}")  # fmt: skip
    print()


def alone(settings: RaceSettings) -> tuple[float, float]:
    """Median µs per sample of both engines, each alone and without the window."""
    with pinned(1):
        dataset, recipe = recipe_of(settings, Choices(), None)
        prepared = prepare(dataset, recipe)
        times = []
        for contender in contenders_of(settings):
            lane = Lane(contender.title, recipe, prepared, contender.make, timed)
            while not lane.is_through and (lane.engine_seconds < ENOUGH or lane.n_done < FEWEST):
                lane.advance(lane.wanted_rows)
            times.append(lane.median)
    return times[0], times[1]


def on_the_page(shell: WindowShell, settings: RaceSettings, takes_turns: bool) -> tuple[float, float]:
    """Median µs per sample of both engines in a race on the page."""
    begin_race(shell, RaceSettings(n_features=settings.n_features, n_rows=settings.n_rows, takes_turns=takes_turns))

    def is_enough() -> bool:
        frame = shell.desk.race.frame
        if frame is None or frame.state != "running":
            return frame is not None
        cubic = frame.lanes[1].figures
        return cubic.engine_seconds > ENOUGH and cubic.n_done >= FEWEST

    live_until(is_enough)
    end(shell)
    frame = shell.desk.race.frame
    assert frame is not None
    fast, cubic = (lane.figures.median for lane in frame.lanes)
    return fast, cubic


def begin_race(shell: WindowShell, settings: RaceSettings) -> None:
    """Start a race on the page."""
    shell.page(RaceWiring).page.tools.set_settings(settings)
    shell.page(RaceWiring).page.run_bar.play_requested.emit()


def end(shell: WindowShell) -> float:
    """Stop the race, and return the seconds until that was shown."""
    began = time.perf_counter()
    shell.page(RaceWiring).page.run_bar.stop_requested.emit()
    application.wait_for(
        lambda: shell.desk.race.frame is not None and shell.desk.race.frame.state != "running", PATIENCE
    )
    elapsed = time.perf_counter() - began
    race = shell.desk.race.transport
    assert race is not None
    application.wait_for(race.settled.is_set, PATIENCE)  # the step that was under way takes nobody's time
    return elapsed


def live_until(condition: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds."""
    loop, timer = QEventLoop(), QTimer()
    timer.timeout.connect(lambda: loop.quit() if condition() else None)
    timer.start(LOOK)
    loop.exec()
    timer.stop()


def _n_done(shell: WindowShell) -> int:
    return 0 if shell.desk.race.frame is None else shell.desk.race.frame.n_done
