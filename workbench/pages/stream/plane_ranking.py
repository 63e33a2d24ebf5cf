"""Ranks planes by the mixture of the run, in the background, and offers them."""

from __future__ import annotations

from PySide6.QtCore import QObject

from workbench.desk.desk import Desk
from workbench.pages.shell import Shell
from workbench.run.show.separation import Ranking, rank_planes
from workbench.views.plots.best_planes import BestPlanes
from workbench.words.sentences import UserError


class PlaneRanking(QObject):
    """Connects the button *Best planes* with the run."""

    def __init__(self, shell: Shell, desk: Desk, button: BestPlanes) -> None:
        super().__init__(button)
        self._shell, self._desk, self._button = shell, desk, button
        button.wanted.connect(lambda: shell.attempt(self._rank))

    def _rank(self) -> None:
        run = self._desk.run
        if run.transport is None:
            raise UserError("Nothing has been learned yet: press play first.")
        number = run.number
        asked = run.transport.ask(lambda learner, _: rank_planes(learner.engine, learner.prepared))

        def offer(ranking: Ranking) -> None:
            if run.number == number and self._button.isVisible():
                self._button.offer(ranking)

        self._shell.follow(self._desk.jobs.start("Comparing planes", lambda _: asked.result()), offer)
