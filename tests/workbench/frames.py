"""Frames of real runs for tests of views: a runner that is held learns what it is told to, and makes its frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from figmn import Parameters
from tests.waiting import PATIENCE
from workbench.run import Choices, Frame, GeneratorOrigin, Plane, Recipe, SampleOrigin
from workbench.run.learn.learner import Learner
from workbench.run.learn.runner import Runner
from workbench.run.show.frame import State
from workbench.run.show.mailbox import Mailbox
from workbench.source import Order
from workbench.source.generators import BirthsAndDeaths


def iris() -> Recipe:
    """150 flowers in 4 columns, shuffled; their 3 classes colour them and are not learned."""
    return Recipe(SampleOrigin("iris"), order=Order("shuffled"), roles={"class": "ignored"})


def births_and_deaths(n_rows: int = 5000) -> Recipe:
    """Clusters in a plane that come and go; their numbers are not learned."""
    return Recipe(GeneratorOrigin(BirthsAndDeaths(), n_rows), roles={"class": "ignored"})


def frame(
    recipe: Recipe, plane: Plane | None = None, *, run: int = 1, state: State = "paused", **parameters: Any
) -> Frame:
    """The moment after the last sample."""
    (last,) = frames(recipe, plane, n_pieces=1, run=run, state=state, **parameters)
    return last


def frames(
    recipe: Recipe,
    plane: Plane | None = None,
    *,
    n_pieces: int,
    run: int = 1,
    state: State = "running",
    **parameters: Any,
) -> Iterator[Frame]:
    """The moments after each of `n_pieces` pieces of the samples, on a plane or on the one that is shown at first.

    The same frames are given to all who ask for them: they are frozen.
    """
    chosen = replace(recipe, choices=Choices(Parameters(**parameters)))
    for found in _made(chosen.to_text(), plane, n_pieces):
        yield replace(found, run=run, state=state)


@cache
def _made(recipe_text: str, plane: Plane | None, n_pieces: int) -> tuple[Frame, ...]:
    recipe = Recipe.from_text(recipe_text)
    mailbox: Mailbox[Frame] = Mailbox()
    runner = Runner(1, recipe, recipe.dataset(), mailbox, is_held=True, plane=plane)

    def moment(learner: Learner, n_rows: int) -> Frame:
        runner._points.add(learner.advance(n_rows))
        return runner._frame(learner)

    try:
        n_total = runner.ask(lambda learner, log: learner.n_total).result(PATIENCE)  # noqa: ARG005
        assert n_total is not None, "a run without an end has no last frame"
        places = np.linspace(0, n_total, min(n_pieces, n_total) + 1).astype(int).tolist()
        return tuple(
            runner.ask(lambda learner, log, n_rows=end - begin: moment(learner, n_rows)).result(PATIENCE)  # type: ignore[misc]  # noqa: ARG005
            for begin, end in pairwise(places)
        )
    finally:
        runner.close()
        runner.join()
