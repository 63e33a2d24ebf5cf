"""Hyper-parameters that belong together, by name."""

from __future__ import annotations

from dataclasses import dataclass

from figmn.params import NEUTRAL, Parameters
from workbench.run.recipe.choices import PAPER


@dataclass(frozen=True)
class Preset:
    """Hyper-parameters with a name."""

    name: str
    parameters: Parameters
    help: str


PRESETS = (
    Preset("default", Parameters(), "Measured over all bundled data: a stable number of components, no churn."),
    Preset(
        "paper examples",
        Parameters(delta=0.01, beta=0.1, v_min=5, sp_min=3, **NEUTRAL),
        "The values of the paper's examples. On shuffled data births and removals never end.",
    ),
    Preset("paper speed", Parameters(**PAPER), "The paper's timings: a single component."),
    Preset("paper accuracy", Parameters(beta=0.001, **NEUTRAL), "The paper's classification results: few births."),
    Preset(
        "births and deaths",
        # sp never exceeds the age, so no component reaches 2,000 in time. One that did would stay for good and grow
        # over all clusters, so that no sample would be new any more.
        Parameters(delta=0.2, beta=1e-6, v_min=1500, sp_min=2000, **NEUTRAL),
        "For the demo: every component gives way to a new one after 1,500 samples.",
    ),
)
