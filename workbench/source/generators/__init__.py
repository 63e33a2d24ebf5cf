"""Synthetic rows: every generator has a seed and settings, and gives tables as well as endless streams."""

from workbench.source.generators.base import Generator
from workbench.source.generators.births import BirthsAndDeaths
from workbench.source.generators.drift import ConceptDrift
from workbench.source.generators.gaussians import GaussianBlobs, WideGaussian
from workbench.source.generators.images import CifarStandIn
from workbench.source.generators.regression import RobotArm, SineRegression
from workbench.source.generators.settings import Choice, Setting
from workbench.source.generators.shapes import Rings, TwoMoons, TwoSpirals, UniformNoise

GENERATORS: tuple[type[Generator], ...] = (
    BirthsAndDeaths,
    GaussianBlobs,
    TwoSpirals,
    Rings,
    TwoMoons,
    SineRegression,
    RobotArm,
    ConceptDrift,
    WideGaussian,
    UniformNoise,
    CifarStandIn,
)
"""In the order a window lists them."""

__all__ = [
    "GENERATORS",
    "BirthsAndDeaths",
    "Choice",
    "CifarStandIn",
    "ConceptDrift",
    "GaussianBlobs",
    "Generator",
    "Rings",
    "RobotArm",
    "Setting",
    "SineRegression",
    "TwoMoons",
    "TwoSpirals",
    "UniformNoise",
    "WideGaussian",
]
