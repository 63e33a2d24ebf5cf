"""Runs: recipes, the learner and its thread, and what they show. No Qt in here."""

from workbench.run.choices import Choices
from workbench.run.dataset import (
    Dataset,
    FileOrigin,
    GeneratorOrigin,
    Origin,
    PaintedOrigin,
    SampleOrigin,
    load,
)
from workbench.run.frame import Frame, Latest, Message, Picture, Plane, Timeline
from workbench.run.headless import Result, run
from workbench.run.recipe import Change, Recipe, RecipeError

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
