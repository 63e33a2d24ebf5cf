"""A run of the monkey: window, watchers, actions, and the end in the middle of a run."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog

from tests.workbench.monkey import files, hooks, vitals
from tests.workbench.monkey.compiled import compile_all
from tests.workbench.monkey.driver import Driver
from tests.workbench.monkey.findings import Journal
from tests.workbench.monkey.stalls import StallProbe
from tests.workbench.monkey.vitals import Vitals
from workbench.pages.race.wiring import RaceWiring
from workbench.pages.stream.wiring import StreamWiring
from workbench.run import SampleOrigin
from workbench.run.race.settings import RaceSettings
from workbench.run.recipe.dataset import load
from workbench.window import application
from workbench.window.shell import WindowShell

SETTLED = 500
"""Actions after which memory should grow no more."""
GROWTH = 150e6
REST = 30.0
"""Seconds that threads have to end after the window is closed."""
THEMES = ("light", "dark")


@dataclass(frozen=True)
class Wish:
    """What is asked for."""

    folder: Path
    seed: int
    n_actions: int
    pace: float
    patience: float
    """Seconds of its own that the event loop may stand still."""
    memory_limit: float
    """Gigabytes at which the run is given up."""


def run(wish: Wish) -> int:
    """Exit code 1 where anything was found."""
    began = time.monotonic()
    journal = Journal(wish.folder)
    hooks.install(journal, wish.folder)
    compile_all()
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    chance = Random(wish.seed)
    app, shell = application.make(application.Start(theme=chance.choice(THEMES), size=(1280, 800)))
    session = Session(wish, journal, shell)
    with application.living(app, shell):
        hooks.watch(journal, shell)
        application.begin(shell, application.Start())
        session.act()
        session.measure()
        session.close(chance)
    session.judge_end()
    words = session.report(time.monotonic() - began)
    sys.stdout.write(words + "\n")
    (wish.folder / "report.txt").write_text(words + "\n", encoding="utf-8")
    return 1 if journal.findings else 0


class Session:
    """Actions and measurements of one run."""

    def __init__(self, wish: Wish, journal: Journal, shell: WindowShell) -> None:
        self._wish, self._journal, self._shell = wish, journal, shell
        self._probe = StallProbe(journal, wish.folder, wish.patience, wish.memory_limit * 1e9)
        self._taken: dict[int, Vitals] = {}
        opened = files.write_all(wish.folder / "files")
        self._driver = Driver(shell, journal, wish.seed, opened, wish.folder / "out", self._watch)

    def act(self) -> None:
        """All actions."""
        loop = QEventLoop()
        self._driver.start(self._wish.n_actions, self._wish.pace, loop.quit)
        loop.exec()

    def measure(self) -> None:
        """What is there at the end, while the window is open.

        What is at work counts no more than it must: a race of 3,072 columns takes a quarter of a gigabyte by right, and
        where the last actions have left one, memory is taken again with little work in its place.
        """
        if self._shell.is_closed:
            self._journal.find("closed", "the window was closed by something that should not close it")
            return
        self._taken[self._journal.number] = vitals.take()
        base, end = self._taken.get(SETTLED), self._taken[self._journal.number]
        if base is None or end.memory - base.memory <= GROWTH:
            return
        self._do_little()
        rest = vitals.take()
        self._journal.say(f"with little work: {rest.words()}")
        if rest.memory - base.memory > GROWTH:
            self._journal.find(
                "memory",
                f"{base.words()} after {SETTLED} actions, {end.words()} at the end, {rest.words()} with little work",
            )

    def _do_little(self) -> None:
        """Put a small run and a small race in the place of those that are there."""
        shell = self._shell
        shell.page(RaceWiring).benchmarks.cancel()
        shell.desk.take_dataset(load(SampleOrigin("iris")), "little work")
        shell.page(StreamWiring).choose_speed(None)
        shell.desk.run.start()
        shell.desk.race.settings = RaceSettings(n_features=2, n_rows=50)
        shell.desk.race.set_speed(None)
        shell.desk.race.start()
        application.wait_for(self._is_little_done, REST)
        application.settle(3.0)  # freed pages go back to the system in a thread

    def _is_little_done(self) -> bool:
        frames = (self._shell.desk.run.frame, self._shell.desk.race.frame)
        return all(frame is not None and frame.state == "finished" for frame in frames)

    def close(self, chance: Random) -> None:
        """In the middle of a run, as a person might; what the last action opens late is dismissed."""
        shell, dismissing = self._shell, QTimer()
        dismissing.timeout.connect(_dismiss)
        dismissing.start(100)
        if shell.desk.data.dataset is not None:
            shell.attempt(shell.desk.run.start)
        application.settle()
        way = chance.choice(("close", "quit"))
        self._journal.say(f"end: {way}")
        shell.window.menus["quit"].setEnabled(True)
        shell.window.close() if way == "close" else shell.window.menus["quit"].trigger()

    def judge_end(self) -> None:
        """No thread is left."""
        application.wait_for(lambda: not vitals.threads(), REST)
        self._probe.stop()
        if left := vitals.threads():
            self._journal.find("threads left", ", ".join(left))

    def report(self, seconds: float) -> str:
        wish, probe = self._wish, self._probe
        lines = [
            f"seed {wish.seed}: {self._journal.number} actions in {seconds:.0f} s, load {os.getloadavg()[0]:.1f}",
            *(f"after {number}: {found.words()}" for number, found in sorted(self._taken.items())),
            f"peak {vitals.peak() / 1e6:.0f} MB; stalls above 1 s by the wall clock: {len(probe.stalls)}",
            *(f"  {stall.words()}" for stall in probe.stalls),
            f"findings: {len(self._journal.findings)}",
            self._journal.summary(),
            f"files and logs: {wish.folder}",
        ]
        return "\n".join(lines)

    def _watch(self, number: int) -> None:
        if number in {100, SETTLED} or number % 500 == 0:
            self._taken[number] = vitals.take()


def _dismiss() -> None:
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QDialog):
        dialog.reject()
