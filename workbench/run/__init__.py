"""Runs: recipes, learners, races, the transport that drives them, and their frames. No Qt."""

from figmn.system.container import memory_left
from workbench.run.learn.headless import Result, run
from workbench.run.recipe.choices import Change, Choices
from workbench.run.recipe.dataset import (
    Dataset,
    FileOrigin,
    GeneratorOrigin,
    Origin,
    PaintedOrigin,
    SampleOrigin,
    load,
)
from workbench.run.recipe.recipe import Recipe, RecipeError
from workbench.run.show.frame import Frame, Latest, Message, Picture, Plane, Timeline
from workbench.source.read.memory import limit_by

__all__ = [
    "Change",
    "Choices",
    "Dataset",
    "FileOrigin",
    "Frame",
    "GeneratorOrigin",
    "Latest",
    "Message",
    "Origin",
    "PaintedOrigin",
    "Picture",
    "Plane",
    "Recipe",
    "RecipeError",
    "Result",
    "SampleOrigin",
    "Timeline",
    "load",
    "run",
]

# Loads stay within the limits of a container, too. `workbench.source` may not import the library, which reads them.
limit_by(memory_left)
