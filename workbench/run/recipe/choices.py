"""What a user chooses for a run besides the data: hyper-parameters, source of the scale, seed, and what is watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from figmn import Parameters
from figmn.params import LABEL_WIDTH, NEUTRAL
from workbench.source.generators.settings import Setting
from workbench.words.sentences import UserError

ScaleSource = Literal["dataset", "running"]
PAPER: dict[str, Any] = {"delta": 1.0, "beta": 0.0, **NEUTRAL}
"""Hyper-parameters of the paper's timings: with β = 0 there is one component, and only the dimensions count."""
SCALE_NAMES: dict[ScaleSource, str] = {"dataset": "column std", "running": "running std"}
DRIFT_NAMES = {False: "off", True: "on"}

SEED = Setting(
    name="seed",
    label="seed",
    help="Seed of everything random: the shuffling and the choice of held-out rows. The same seed gives the same run.",
    default=0,
    low=0,
    high=2**31 - 1,
    whole=True,
)


@dataclass(frozen=True)
class Choices:
    """A checked set of choices.

    >>> Choices(seed=3).scale
    'dataset'
    >>> Choices(seed=-1)
    Traceback (most recent call last):
    ...
    workbench.source.errors.SourceError: Choices: seed = -1 is outside the range from 0 to 2,147,483,647. \
Choose a whole number in it.
    """

    parameters: Parameters = field(default_factory=Parameters)
    scale: ScaleSource = "dataset"
    """`dataset`: the standard deviations of the whole dataset. `running`: estimated from the samples so far."""
    seed: int = 0
    drift: bool = False
    """Whether the stream is watched for drifts; it does not affect the model."""
    label_width: float = LABEL_WIDTH.default
    """Width of new components in the columns of nominal targets, relative to that which δ gives them there. It applies
    to the standard deviations of the dataset, not to running ones."""

    def __post_init__(self) -> None:
        if not isinstance(self.parameters, Parameters):
            raise UserError(
                "Choices: parameters = {value} are not hyper-parameters: give figmn.Parameters.",
                value=repr(self.parameters),
            )
        if self.scale not in get_args(ScaleSource):
            allowed = " or ".join(repr(source) for source in get_args(ScaleSource))
            raise UserError(
                "Choices: scale = {value} is not known: choose {allowed}.",
                value=repr(self.scale),
                allowed=allowed,
            )
        object.__setattr__(self, "seed", int(SEED.check(self.seed, "Choices")))
        if not isinstance(self.drift, bool):
            raise UserError("Choices: drift = {value} is not known: choose True or False.", value=repr(self.drift))
        try:
            object.__setattr__(self, "label_width", LABEL_WIDTH.check(self.label_width))
        except ValueError as error:
            raise UserError("Choices: {problem}.", problem=str(error)) from error


@dataclass(frozen=True)
class Change:
    """Hyper-parameters that were changed during the run, from a sample on."""

    sample: int
    """Number of samples learned before the change."""
    values: Mapping[str, Any]
    """All that may change during a run, by name: `Parameters.changeable()`."""
