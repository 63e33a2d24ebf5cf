"""Learners as a run makes them, and the rows that they learn."""

from __future__ import annotations

import numpy as np

from figmn import Parameters
from figmn.system.arrays import Floats
from workbench.run import Choices, Recipe, SampleOrigin
from workbench.run.learn.learner import Learner
from workbench.run.learn.sample_log import Lines, SampleLog
from workbench.run.rows.prepared import prepare
from workbench.source import Order

LIVELY = Choices(Parameters(delta=0.2, beta=0.05, v_min=20, sp_min=2))
"""With these, components come and go within the 150 rows of iris."""
IRIS = Recipe(SampleOrigin("iris"), order=Order("shuffled"), choices=LIVELY)


def learner_of(recipe: Recipe) -> Learner:
    return Learner(recipe, prepare(recipe.dataset(), recipe), SampleLog())


def rows_of(recipe: Recipe) -> Floats:
    """All rows of a run in one array, encoded and in order."""
    return np.concatenate([chunk.values for chunk in prepare(recipe.dataset(), recipe).chunks()])


def lines_of(learner: Learner) -> Lines:
    """What the learner has logged."""
    assert isinstance(learner.log, SampleLog)
    return learner.log.lines()
