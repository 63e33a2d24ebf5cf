"""`python -m workbench bench --window`: the responsiveness of the window while a run learns at full speed."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

from figmn import Parameters
from figmn.params import NEUTRAL
from workbench.pages.data.wiring import DataWiring
from workbench.pages.stream.wiring import StreamWiring
from workbench.run.learn.headless import run
from workbench.run.recipe.choices import Change, Choices
from workbench.run.recipe.dataset import GeneratorOrigin
from workbench.run.recipe.recipe import Recipe
from workbench.source.generators import GaussianBlobs, UniformNoise
from workbench.window import application
from workbench.window.report import memory_bytes
from workbench.window.settings import FILE_VARIABLE
from workbench.window.shell import WindowShell

TICK = 10
"""Milliseconds between two ticks of the timer that measures event-loop delays."""
PATIENCE = 900.0
SECONDS = 15.0
"""How long the event loop is measured."""
SETTLED = 400_000
"""Samples after which the number of components is stable."""
RACED = 4_000_000
"""Samples learned with and without the window to compare throughputs."""
FIFTY = Recipe(
    GeneratorOrigin(GaussianBlobs(clusters=50, dimensions=2), endless=True),
    roles={"class": "ignored"},
    choices=Choices(Parameters(delta=0.05, beta=1e-4, **NEUTRAL)),
)
THREE_HUNDRED = Recipe(
    GeneratorOrigin(UniformNoise(dimensions=2), endless=True),
    choices=Choices(Parameters(delta=0.046, beta=0.01, v_min=1e6, sp_min=0, **NEUTRAL)),
)
WIDE = Recipe(
    GeneratorOrigin(GaussianBlobs(clusters=50, dimensions=160, separation=20), endless=True),
    roles={"class": "ignored"},
    choices=Choices(Parameters(delta=2, beta=1, v_min=1e6, sp_min=0, **NEUTRAL)),
    changes=(Change(50, Parameters(beta=0, v_min=1e6, sp_min=0, **NEUTRAL).changeable()),),
)
"""The first 50 samples are the components, whose matrices are large."""
WIDE_SETTLED = 2_000


def measure(repeats: int, n_samples: int) -> None:
    """Print all figures; `n_samples` is the length of the run whose memory is measured."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ[FILE_VARIABLE] = str(Path(folder) / "settings.ini")
        app, shell = application.make(application.Start(theme="light", size=(1280, 800)))
        shell.window.show()
        shell.show_page(shell.page(StreamWiring).page)
        print(f"platform {app.platformName()}, window 1280 x 800\n")
        try:
            busy(shell, FIFTY, SETTLED)
            busy(shell, WIDE, WIDE_SETTLED)
            crowded(shell)
            commands(shell, repeats)
            throughput(shell, repeats)
            long_run(shell, n_samples)
        finally:
            shell.window.close()
            shell.window.deleteLater()


def busy(shell: WindowShell, recipe: Recipe, n_settled: int) -> None:
    """Event-loop delays while the learner runs at full speed, from `n_settled` samples on."""
    start(shell, recipe)
    reach(shell, n_settled)
    found = watch(shell, SECONDS)
    frame = shell.desk.run.frame
    assert frame is not None
    size = f"D = {len(frame.columns)}, K = {frame.census.n_components}"
    print(f"learner at full speed, {size}, {frame.rows_per_second:,.0f} samples/s")
    print(f"    event-loop delay p50 {found.p50:.1f} ms, p99 {found.p99:.1f} ms, worst {found.worst:.0f} ms")
    print(f"    {found.frames_per_second:.1f} frames/s\n")


def crowded(shell: WindowShell) -> None:
    """Event-loop delays with many ellipses and all kept points."""
    start(shell, THREE_HUNDRED)
    trail = shell.page(StreamWiring).page.mixture.tools.trail
    trail.setCurrentIndex(trail.findData(0))  # all that are kept
    reach(shell, SETTLED)
    shell.desk.run.set_speed(50_000.0)
    found = watch(shell, SECONDS)
    frame = shell.desk.run.frame
    assert frame is not None
    print(f"K = {frame.census.n_components} ellipses, {len(frame.picture.points):,} points")
    print(f"    event-loop delay p50 {found.p50:.1f} ms, p99 {found.p99:.1f} ms, worst {found.worst:.0f} ms")
    print(f"    {found.frames_per_second:.1f} frames/s\n")
    shell.desk.run.set_speed(None)


def commands(shell: WindowShell, repeats: int) -> None:
    """Time from a click to the frame that shows its effect."""
    start(shell, FIFTY)
    reach(shell, SETTLED)
    bar = shell.page(StreamWiring).page.run_bar
    times: dict[str, list[float]] = {"pause": [], "step": [], "play": [], "stop": []}
    for _ in range(max(5, repeats)):
        for name, act, state in (
            ("pause", bar.play_requested.emit, "paused"),
            ("step", bar.step_requested.emit, "paused"),
            ("play", bar.play_requested.emit, "running"),
        ):
            times[name].append(answered(shell, act, state))
    times["stop"].append(answered(shell, bar.stop_requested.emit, "stopped"))
    print("click to the frame that shows it, worst of all repeats")
    print("    " + ", ".join(f"{name} {1e3 * max(values):.0f} ms" for name, values in times.items()) + "\n")


def throughput(shell: WindowShell, repeats: int) -> None:
    """The throughput with the window compared with that without, timed alternately."""
    n_samples, recipe = RACED, replace(FIFTY, n_samples=RACED)
    alone, watched = [], []
    for _ in range(repeats):
        began = time.perf_counter()
        run(recipe)
        alone.append(time.perf_counter() - began)
        began = time.perf_counter()
        start(shell, recipe)
        application.wait_for(lambda: _state(shell) == "finished", PATIENCE)
        watched.append(time.perf_counter() - began)
    ratios = sorted(a / w for a, w in zip(alone, watched, strict=True))
    print(f"{n_samples:,} samples, medians of {repeats}: headless {n_samples / np.median(alone):,.0f} samples/s, "
          f"watched {n_samples / np.median(watched):,.0f} samples/s")  # fmt: skip
    print(f"    watching costs {100 * (1 - ratios[len(ratios) // 2]):.1f} % "
          f"(range {100 * (1 - ratios[-1]):.1f} to {100 * (1 - ratios[0]):.1f} %)\n")  # fmt: skip


def long_run(shell: WindowShell, n_samples: int) -> None:
    """Memory at every fifth of a long run."""
    start(shell, FIFTY)
    marks = []
    for fifth in range(1, 6):
        reach(shell, n_samples * fifth // 5)
        marks.append(memory_bytes() / 1e6)
    print(f"memory over {n_samples:,} samples, every fifth: {', '.join(f'{mark:.0f}' for mark in marks)} MB")
    print(f"    grown by {marks[-1] - marks[0]:.0f} MB after the first fifth")


@dataclass(frozen=True)
class Delays:
    """Event-loop delays in milliseconds, and the frame rate."""

    p50: float
    p99: float
    worst: float
    frames_per_second: float


class Beat(QObject):
    """A timer in the GUI thread that records its own delays."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(TICK)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, 1e3 * (now - self._last) - TICK))
        self._last = now

    def stop(self) -> None:
        """Stop the timer."""
        self._timer.stop()


def watch(shell: WindowShell, seconds: float) -> Delays:
    """Measure event-loop delays and the frame rate for some seconds."""
    frames = 0

    def count() -> None:
        nonlocal frames
        frames += 1

    shell.pump.frames_drawn.connect(count)
    beat = Beat()
    began = time.perf_counter()
    loop = QEventLoop()
    QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec()
    elapsed = time.perf_counter() - began
    beat.stop()
    shell.pump.frames_drawn.disconnect(count)
    p50, p99 = np.percentile(beat.late, [50, 99])
    return Delays(float(p50), float(p99), max(beat.late), frames / elapsed)


def start(shell: WindowShell, recipe: Recipe) -> None:
    """Start a run of a recipe."""
    data, run = shell.desk.data, shell.desk.run
    shell.page(DataWiring).take_dataset(recipe.dataset(), "benchmark")
    data.choices, data.n_samples = recipe.choices, recipe.n_samples
    run.set_speed(None)
    run.start(changes=recipe.changes)


def reach(shell: WindowShell, n_samples: int) -> None:
    """Wait until `n_samples` samples have been learned."""
    application.wait_for(lambda: shell.desk.run.frame is not None and shell.desk.run.frame.n_done >= n_samples)


def answered(shell: WindowShell, act: Callable[[], None], state: str) -> float:
    """Seconds from a command to the frame that shows it."""
    before = shell.desk.run.frame
    began = time.perf_counter()
    act()
    application.wait_for(lambda: _state(shell) == state and shell.desk.run.frame is not before, PATIENCE)
    return time.perf_counter() - began


def _state(shell: WindowShell) -> str | None:
    return None if shell.desk.run.frame is None else shell.desk.run.frame.state
